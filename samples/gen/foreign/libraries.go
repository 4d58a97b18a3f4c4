package foreign

// libraries are what games of other engines send their packets with.
var libraries = []Kind{
	{Name: "steam", Port: 27020, fill: steam},
	{Name: "steam discovery", Port: 27036, fill: steamDiscovery},
	{Name: "raknet", Port: 19132, fill: raknet},
	{Name: "kcp", Port: 20000, fill: kcp},
	{Name: "lidgren", Port: 14242, fill: lidgren},
	{Name: "litenet", Port: 9050, fill: litenet},
	{Name: "ggpo", Port: 7000, fill: ggpo},
	{Name: "minetest", Port: 30000, fill: minetest},
	{Name: "battleye", Port: 2310, fill: battleye},
	{Name: "torque", Port: 28000, fill: torque},
}

// steam: the old UDP header of Steam's servers: magic, sizes, connections, sequence numbers.
func steam(f *flow) {
	f.first()
	f.either(func(fromServer bool) []byte {
		from, to := uint32(f.secret[0])&0xfff|0x200, uint32(f.secret[1])&0xffff
		if fromServer {
			from, to = to, from
		}
		n, body := f.count(fromServer), f.upTo(30, 600)
		return little("VS01", uint16(len(body)), 6, 4, from, to, n, n-1, uint32(1), n, uint32(len(body)), body)
	})
}

// steamDiscovery: a client in the local network announces itself: four bytes FF, a mark, two sized messages.
func steamDiscovery(f *flow) {
	head, body := big(0x08, f.bytes(8), 0x10, 0), big(0x08, 1, 0x10, 2, 0x18, f.bytes(4), 0x22, 8, "computer")
	f.ask(uint32(0xffffffff), 0x21, 0x4c, 0x5f, 0xa0, little(uint32(len(head))), head, little(uint32(len(body))), body)
}

const raknetMagic = "\x00\xff\xff\x00\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78"

// raknet: offline messages, then frame sets and acknowledgements.
func raknet(f *flow) {
	if f.first() {
		f.ask(0x01, uint64(f.round), raknetMagic, f.secret[0])
		f.answer(0x1c, uint64(f.round), f.secret[1], raknetMagic, uint16(8), "MCPE;lab")
		f.ask(0x05, raknetMagic, 11, zeros(1400))
		f.answer(0x06, raknetMagic, f.secret[1], 0, uint16(1400))
	}
	f.either(func(fromServer bool) []byte {
		if f.IntN(3) == 0 {
			return big(0xc0, uint16(1), 1, uint24(f.sent[0]))
		}
		n, body := f.count(fromServer), f.upTo(10, 500)
		return big(0x84, uint24(n-1), 0x60, uint16(8*len(body)), uint24(n-1), uint24(n-1), 0, body)
	})
}

// kcp: conversation, command, fragment, window, time, numbers, length.
func kcp(f *flow) {
	f.first()
	f.either(func(fromServer bool) []byte {
		command, body := 81, f.upTo(10, 300)
		if f.IntN(3) == 0 {
			command, body = 82, nil
		}
		n := f.count(fromServer)
		return little(uint32(f.secret[0]), command, 0, uint16(128), uint32(f.round*30), n-1, n/2, uint32(len(body)), body)
	})
}

// lidgren: type, sequence and fragment bit, length in bits.
func lidgren(f *flow) {
	f.either(func(fromServer bool) []byte {
		n, body := f.count(fromServer), f.upTo(8, 300)
		return little(byte([...]int{67, 2, 19, 1}[f.IntN(4)]), uint16(n<<1), uint16(8*len(body)), body)
	})
}

// litenet: property and connection, sequence, channel.
func litenet(f *flow) {
	f.either(func(fromServer bool) []byte {
		n := uint16(f.count(fromServer))
		switch f.IntN(4) {
		case 0:
			return little(2, n, 0, f.bytes(9))
		case 1:
			return little(3, n)
		}
		return little(1, n, 0, f.upTo(10, 300))
	})
}

// ggpo: magic, sequence, type.
func ggpo(f *flow) {
	f.first()
	f.either(func(fromServer bool) []byte {
		magic := uint16(f.secret[0])
		if fromServer {
			magic = uint16(f.secret[1])
		}
		return little(magic, uint16(f.count(fromServer)-1), 3, uint32(f.round), byte(0), f.upTo(8, 40))
	})
}

// minetest: protocol, peer, channel, type, sequence.
func minetest(f *flow) {
	f.either(func(fromServer bool) []byte {
		peer := uint16(2)
		if fromServer {
			peer = 1
		}
		return big(uint32(0x4f457403), peer, f.IntN(3), 3, uint16(65500+f.count(fromServer)), 1, f.upTo(10, 400))
	})
}

// battleye: "BE", a checksum, 0xff, type, sequence.
func battleye(f *flow) {
	f.ask("BE", f.bytes(4), 0xff, 1, byte(f.round-1), "players")
	f.answer("BE", f.bytes(4), 0xff, 1, byte(f.round-1), f.word())
}

// torque: connection packets: a bit, nine bits of sequence, nine of acknowledgement, then bits.
func torque(f *flow) {
	f.either(func(fromServer bool) []byte {
		n := f.count(fromServer)
		word := 1 | (n&0x1ff)<<2 | ((n-1)&0x1ff)<<11 | uint32(f.IntN(2))<<20
		return little(word, f.upTo(10, 200))
	})
}
