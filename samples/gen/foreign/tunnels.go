package foreign

// tunnels are virtual networks and what carries other traffic.
var tunnels = []Kind{
	{Name: "quic", Port: 443, fill: quic},
	{Name: "dtls", Port: 4433, fill: dtls},
	{Name: "wireguard", Port: 51820, fill: wireguard},
	{Name: "openvpn", Port: 1194, fill: openvpn},
	{Name: "ike", Port: 500, fill: ike},
	{Name: "esp", Port: 4500, fill: esp},
	{Name: "l2tp", Port: 1701, fill: l2tp},
	{Name: "gtp-u", Port: 2152, fill: gtpUser},
	{Name: "gtp-c", Port: 2123, fill: gtpControl},
	{Name: "vxlan", Port: 4789, fill: vxlan},
	{Name: "utp", Port: 6881, fill: utp},
	{Name: "mosh", Port: 60001, fill: mosh},
}

// quic: RFC 9000, section 17.
func quic(f *flow) {
	if f.first() {
		for range 2 {
			f.ask(0xc0|f.IntN(4), uint32(1), 8, f.secret[0], 8, f.secret[1], 0, uint16(0x4000|1162), f.bytes(1162))
			f.answer(0xc0|f.IntN(4), uint32(1), 8, f.secret[1], 8, f.secret[2], 0, uint16(0x4000|1162), f.bytes(1162))
		}
	}
	f.either(func(fromServer bool) []byte {
		connection := f.secret[2]
		if fromServer {
			connection = f.secret[1]
		}
		return big(0x40|f.IntN(64), connection, f.upTo(20, 1200))
	})
}

// dtls: RFC 6347, section 4.1.
func dtls(f *flow) {
	record := func(kind int, epoch uint16, n uint32, body []byte) []byte {
		return big(kind, uint16(0xfefd), epoch, uint16(0), n, uint16(len(body)), body)
	}
	if f.first() {
		f.ask(record(22, 0, 0, big(1, 0, 0, 60, uint16(0), 0, 0, 0, 0, 0, 60, f.bytes(60))))
		f.answer(record(22, 0, 0, big(2, 0, 0, 70, uint16(0), 0, 0, 0, 0, 0, 70, f.bytes(70))))
	}
	f.either(func(fromServer bool) []byte { return record(23, 1, f.count(fromServer), f.upTo(40, 600)) })
}

// wireguard: the protocol's paper, section 5.4.
func wireguard(f *flow) {
	if f.first() {
		f.ask(little(uint32(1), uint32(f.secret[0])), f.bytes(140))
		f.answer(little(uint32(2), uint32(f.secret[1]), uint32(f.secret[0])), f.bytes(80))
	}
	f.either(func(fromServer bool) []byte {
		to := uint32(f.secret[1])
		if fromServer {
			to = uint32(f.secret[0])
		}
		return little(uint32(4), to, uint64(f.count(fromServer)-1), f.bytes(16*(1+f.IntN(80))+16))
	})
}

// openvpn: the network protocol of the project's documentation: hard resets, acknowledgements, data.
func openvpn(f *flow) {
	if f.first() {
		f.ask(7<<3, f.secret[0], 0, uint32(0))
		f.answer(8<<3, f.secret[1], 1, uint32(0), f.secret[0], uint32(0))
		f.ask(5<<3, f.secret[0], 1, uint32(0), f.secret[1])
		f.ask(4<<3, f.secret[0], 0, uint32(1), f.bytes(280))
	}
	f.either(func(fromServer bool) []byte { return big(9<<3, 0, 0, 0, f.count(fromServer), f.upTo(40, 1300)) })
}

// ike: RFC 7296, section 3.1.
func ike(f *flow) {
	f.first()
	n := uint32(f.round - 1)
	ask, answer := f.upTo(60, 400), f.upTo(60, 400)
	f.ask(f.secret[0], f.secret[1], 46, 0x20, 37, 0x08, n, uint32(28+len(ask)), ask)
	f.answer(f.secret[0], f.secret[1], 46, 0x20, 37, 0x20, n, uint32(28+len(answer)), answer)
}

// esp: RFC 3948, section 2.1, with a keep-alive now and then.
func esp(f *flow) {
	f.first()
	if f.IntN(10) == 0 {
		f.ask(0xff)
	}
	f.either(func(fromServer bool) []byte {
		spi := uint32(f.secret[0])
		if fromServer {
			spi = uint32(f.secret[1])
		}
		return big(spi|1<<16, f.count(fromServer), f.upTo(60, 1200))
	})
}

// l2tp: RFC 2661, section 3.1: data messages.
func l2tp(f *flow) {
	f.first()
	f.either(func(fromServer bool) []byte {
		body := f.upTo(20, 600)
		return big(uint16(0x4002), uint16(8+4+len(body)), uint16(f.secret[0]), uint16(f.secret[1]), 0xff, 3, 0, 0x21, body)
	})
}

// gtpUser: 3GPP TS 29.281, section 5.1.
func gtpUser(f *flow) {
	f.first()
	f.either(func(fromServer bool) []byte {
		body := big(0x45, 0, f.upTo(60, 900))
		return big(0x32, 0xff, uint16(4+len(body)), uint32(f.secret[0]), uint16(f.count(fromServer)), 0, 0, body)
	})
}

// gtpControl: 3GPP TS 29.274, section 5.1: echo requests.
func gtpControl(f *flow) {
	f.ask(0x40, 1, uint16(9), uint24(f.count(false)<<8), 0, 3, 0, 1, 0, 7)
	f.answer(0x40, 2, uint16(9), uint24(f.sent[0]<<8), 0, 3, 0, 1, 0, 9)
}

// vxlan: RFC 7348, section 5.
func vxlan(f *flow) {
	f.first()
	f.ask(8, 0, 0, 0, uint32(f.secret[0])<<8, f.bytes(12), uint16(0x0800), 0x45, 0, f.upTo(40, 900))
}

// utp: BEP 29.
func utp(f *flow) {
	f.first()
	connection := uint16(f.secret[0])
	if f.round == 1 {
		f.ask(0x41, 0, connection, uint32(f.round), uint32(0), uint32(1<<20), uint16(1), uint16(0))
		f.answer(0x21, 0, connection, uint32(f.round), uint32(5), uint32(1<<20), uint16(77), uint16(1))
	}
	n := uint16(f.count(false) + 1)
	f.ask(0x01, 0, connection+1, uint32(f.round*20000), uint32(900), uint32(1<<20), n, uint16(77), f.upTo(100, 1300))
	f.answer(0x21, 0, connection, uint32(f.round*20000+9000), uint32(800), uint32(1<<20), uint16(78), n)
}

// mosh: direction and sequence in the nonce, then what is enciphered.
func mosh(f *flow) {
	f.either(func(fromServer bool) []byte {
		n := uint64(f.count(fromServer))
		if fromServer {
			n |= 1 << 63
		}
		return big(n, f.upTo(30, 400))
	})
}
