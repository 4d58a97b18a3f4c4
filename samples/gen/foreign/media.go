package foreign

// media are voice and pictures.
var media = []Kind{
	{Name: "rtp", Port: 5004, fill: rtp},
	{Name: "rtcp", Port: 5005, fill: rtcp},
	{Name: "stun", Port: 3478, fill: stun},
	{Name: "turn", Port: 3478, fill: turn},
	{Name: "srt", Port: 9000, fill: srt},
	{Name: "teamspeak3", Port: 9987, fill: teamspeak3},
	{Name: "mumble", Port: 64738, fill: mumble},
}

// rtp: RFC 3550, section 5.1.
func rtp(f *flow) {
	f.first()
	f.either(func(fromServer bool) []byte {
		n := f.count(fromServer)
		source := uint32(f.secret[0])
		if fromServer {
			source = uint32(f.secret[1])
		}
		return big(0x80, 111, uint16(uint32(f.secret[2])+n), uint32(f.secret[3])+960*n, source, f.upTo(40, 160))
	})
}

// rtcp: RFC 3550, section 6.4: sender reports with one block, and descriptions.
func rtcp(f *flow) {
	f.first()
	f.ask(0x81, 200, uint16(12), uint32(f.secret[0]), f.bytes(8), uint32(f.round*48000), uint32(f.round*50),
		uint32(f.round*8000), uint32(f.secret[1]), zeros(4), f.bytes(16),
		0x81, 202, uint16(3), uint32(f.secret[0]), 1, 4, "user", 0, 0)
	f.answer(0x81, 201, uint16(7), uint32(f.secret[1]), uint32(f.secret[0]), zeros(4), f.bytes(16))
}

// stun: RFC 8489, section 5.
func stun(f *flow) {
	id := f.bytes(12)
	f.ask(uint16(1), uint16(8), uint32(0x2112a442), id, uint16(0x8022), uint16(4), "test")
	f.answer(uint16(0x101), uint16(12), uint32(0x2112a442), id, uint16(0x20), uint16(8), 0, 1, f.bytes(6))
}

// turn: RFC 8656, section 12.4: channel data.
func turn(f *flow) {
	f.first()
	f.either(func(bool) []byte {
		body := f.upTo(40, 400)
		return big(uint16(0x4000|f.secret[0]&0xfff), uint16(len(body)), body)
	})
}

// srt: the SRT draft, section 3: data, acknowledgements, keep-alives.
func srt(f *flow) {
	f.first()
	n := uint32(f.secret[0])&0x7fffffff + f.count(false)
	f.ask(n, 0xc0000000|uint32(f.round), uint32(f.round*20000), uint32(f.secret[1]), 0x47, f.bytes(1315))
	if f.round%4 == 0 {
		f.answer(0x80020000, uint32(f.round), uint32(f.round*20000), uint32(f.secret[2]), n, uint32(20000),
			uint32(900), uint32(8000))
	}
}

// teamspeak3: the eight bytes of authentication, packet number, client and type.
func teamspeak3(f *flow) {
	f.first()
	if f.round == 1 {
		f.ask("TS3INIT1", uint16(101), uint16(0), 0x88, f.bytes(4), 0, f.bytes(12))
		f.answer("TS3INIT1", uint16(101), 0x88, 1, f.bytes(20))
	}
	f.either(func(fromServer bool) []byte {
		n := uint16(f.count(fromServer))
		if fromServer {
			return big(f.bytes(8), n, f.IntN(7)&6, f.upTo(20, 180))
		}
		return big(f.bytes(8), n, uint16(f.secret[0]&0xff), f.IntN(7)&6, f.upTo(20, 180))
	})
}

// mumble: pings, then voice under OCB: one byte of the nonce, three of the tag.
func mumble(f *flow) {
	if f.first() {
		id := f.Uint64()
		f.ask(uint32(0), id)
		f.answer(uint32(0x00010203), id, uint32(5), uint32(100), uint32(72000))
	}
	f.either(func(fromServer bool) []byte { return big(byte(f.count(fromServer)), f.bytes(3), f.upTo(20, 130)) })
}
