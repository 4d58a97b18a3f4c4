package foreign

import "fmt"

// engines are games other than ours, and what asks their servers.
var engines = []Kind{
	{Name: "a2s", Port: 27015, fill: a2s},
	{Name: "goldsrc query", Port: 27015, fill: goldsrcQuery},
	{Name: "goldsrc", Port: 27015, Greets: true, fill: goldsrc},
	{Name: "source", Port: 27015, fill: source},
	{Name: "quake", Port: 26000, fill: quake},
	{Name: "quakeworld", Port: 27500, Greets: true, fill: quakeworld("\n")},
	{Name: "quakeworld, bare", Port: 27500, Greets: true, fill: quakeworld("")},
	{Name: "quakeworld from the middle", Port: 27500, fill: quakeworldPlay},
	{Name: "quakeworld query", Port: 27500, fill: quakeworldQuery},
	{Name: "quake2", Port: 27910, Greets: true, fill: quake2("\n")},
	{Name: "quake2, bare", Port: 27910, Greets: true, fill: quake2("")},
	{Name: "quake2 from the middle", Port: 27910, fill: quake2Play},
	{Name: "quake2 query", Port: 27910, fill: quake2Query},
	{Name: "doom3", Port: 27666, fill: doom3},
	{Name: "unreal", Port: 7777, fill: unreal},
	{Name: "unreal 4", Port: 7777, fill: unreal4},
	{Name: "gamespy", Port: 7778, fill: gamespy},
	{Name: "gamespy 3", Port: 29900, fill: gamespy3},
	{Name: "samp query", Port: 7777, fill: sampQuery},
	{Name: "samp", Port: 7777, fill: samp},
	{Name: "ase", Port: 22126, fill: ase},
}

// marked puts the four bytes of an out-of-band packet before what follows.
func marked(parts ...any) []byte { return append([]byte{0xff, 0xff, 0xff, 0xff}, big(parts...)...) }

// a2s: Valve's server queries, with the challenge.
func a2s(f *flow) {
	challenge := f.bytes(4)
	f.ask(marked("TSource Engine Query\x00"))
	f.answer(marked("A", challenge))
	f.ask(marked("TSource Engine Query\x00", challenge))
	f.answer(marked("I", 17, f.word(), "\x00de_dust2\x00csgo\x00Counter-Strike\x00", little(uint16(730)), 5, 20,
		0, "dl", 0, 1, "1.38\x00"))
	f.ask(marked("U", challenge))
	f.answer(marked("D", 2, 0, f.word(), "\x00", little(uint32(f.IntN(30))), f.bytes(4), 1, f.word(), "\x00",
		little(uint32(3)), f.bytes(4)))
	f.ask(marked("V", challenge))
	f.answer(marked("E", little(uint16(1)), "sv_gravity\x00800\x00"))
}

// goldsrcQuery: the queries of before Steam.
func goldsrcQuery(f *flow) {
	f.ask(marked("details\x00"))
	f.answer(marked("m", "192.0.2.1:27015\x00", f.word(), "\x00crossfire\x00valve\x00Half-Life\x00", 4, 16, 47))
	f.ask(marked("players\x00"))
	f.answer(marked("D", 1, 1, f.word(), "\x00", uint32(3), f.bytes(4)))
	f.ask(marked("infostring\x00"))
	f.answer(marked("infostringresponse\x00\\protocol\\47\\address\\192.0.2.1:27015\\players\\3\x00"))
	f.ask(marked("ping\x00"))
	f.answer(marked("j\x00"))
	f.ask(marked("rules\x00"))
	f.answer(marked("E", little(uint16(1)), "mp_timelimit\x0020\x00"))
}

// goldsrc: a client of Half-Life connects and plays. The payload after the two numbers is enciphered.
func goldsrc(f *flow) {
	if f.first() {
		challenge := uint32(f.secret[0]) &^ (1 << 31)
		f.ask(marked("getchallenge steam\n"))
		f.answer(marked(fmt.Sprintf("A00000000 %d 3 90071996842377216 0\n\x00", challenge)))
		f.ask(marked(fmt.Sprintf("connect 48 %d "+
			"\"\\prot\\3\\unique\\-1\\raw\\steam\\cdkey\\0123456789abcdef0123456789abcdef\" \"\\name\\%s\\rate\\20000\"\n",
			challenge, f.word()), f.bytes(200)))
		f.answer(marked("B 1 \"198.51.100.7:27005\" 0 8684\x00"))
	}
	f.either(func(fromServer bool) []byte {
		n := f.count(fromServer)
		ack := f.sent[0]
		if !fromServer {
			ack = f.sent[1]
		}
		if f.IntN(6) == 0 {
			n |= 1 << 31 // reliable
			if fromServer && f.IntN(2) == 0 {
				n |= 1 << 30 // fragments
				return little(n, ack|uint32(f.round&1)<<31, 1, uint32(f.round<<16|9), uint16(0), uint16(600), 0, f.bytes(600))
			}
		}
		return little(n, ack|uint32(f.round&1)<<31, f.upTo(16, 200))
	})
}

// source: numbers, flags, checksum, reliable state, then messages of six bits.
func source(f *flow) {
	if f.first() {
		f.ask(marked("q", f.bytes(4), "0000000000\x00"))
		f.answer(marked("A", f.bytes(4), f.bytes(4), little(uint32(3), uint16(0), uint64(90071996842377216), 0),
			"000000\x00"))
		f.ask(marked("k", little(uint32(24), uint32(3), uint32(f.secret[0]), uint32(f.secret[1])), f.word(),
			"\x00\x00203.0\x00", little(uint16(240)), f.bytes(240)))
		f.answer(marked("B", f.bytes(4), "0000000000\x00"))
	}
	f.either(func(fromServer bool) []byte {
		n := f.count(fromServer)
		ack := f.sent[0]
		if !fromServer {
			ack = f.sent[1]
		}
		return little(n, ack, byte(f.IntN(2)*0x21), uint16(f.Uint32()), byte(f.round&7), f.upTo(8, 300))
	})
}

// quake: control packets, then data and acknowledgements with a big-endian head.
func quake(f *flow) {
	if f.first() {
		f.ask(uint16(0x8000), uint16(12), 1, "QUAKE\x00", 3)
		f.answer(uint16(0x8000), uint16(9), 0x81, little(uint32(26001)))
	}
	move := big(3, f.bytes(4), f.bytes(3), zeros(6), 0, 0)
	f.ask(uint16(0x0010), uint16(8+len(move)), f.count(false)-1, move)
	body := f.upTo(20, 400)
	if f.IntN(8) == 0 {
		f.answer(uint16(0x0009), uint16(8+len(body)), uint32(f.round), body)
		f.ask(uint16(0x0002), uint16(8), uint32(f.round))
		return
	}
	f.answer(uint16(0x0010), uint16(8+len(body)), f.count(true)-1, body)
}

// quakeworld: a client connects and plays. Some programs end the first word with a line feed, others do not.
func quakeworld(end string) func(f *flow) {
	return func(f *flow) {
		if f.first() {
			challenge := uint32(f.secret[0]) &^ (1 << 31)
			f.ask(marked("getchallenge" + end))
			f.answer(marked(fmt.Sprintf("c%d\x00", challenge)))
			f.ask(marked(fmt.Sprintf("connect 28 %d %d \"\\rate\\25000\\name\\%s\\*ver\\ezQuake\"\n", uint16(f.secret[1]),
				challenge, f.word())))
			f.answer(marked("j\x00"))
		}
		quakeworldPlay(f)
	}
}

// quakeworldPlay: number and acknowledgement, each with a bit of the reliable message, and the client's qport.
func quakeworldPlay(f *flow) {
	f.first()
	f.netchan(func(fromServer bool) []byte {
		if fromServer {
			b := []byte{}
			if f.IntN(6) == 0 {
				b = big(8, 2, f.word(), " entered the game\n\x00")
			}
			return big(b, 42, f.IntN(16), little(uint16(f.IntN(512))), f.bytes(6), f.upTo(2, 12), 47, f.upTo(10, 90), 0, 0)
		}
		return big(3, f.bytes(1), byte(f.IntN(20)), f.upTo(8, 30), 5, byte(f.round))
	}, true)
}

// netchan adds a packet of the channel that QuakeWorld and Quake II share.
func (f *flow) netchan(body func(fromServer bool) []byte, hasQport bool) {
	f.either(func(fromServer bool) []byte {
		n := f.count(fromServer)
		ack := f.sent[0]
		if !fromServer {
			ack = f.sent[1]
		}
		if f.IntN(5) == 0 {
			n |= 1 << 31
		}
		ack |= uint32(f.round/8&1) << 31
		if !fromServer && hasQport {
			return little(n, ack, uint16(f.secret[1]), body(fromServer))
		}
		return little(n, ack, body(fromServer))
	})
}

func quakeworldQuery(f *flow) {
	f.ask(marked("status 23\n\x00"))
	f.answer(marked("n\\maxclients\\16\\hostname\\lab\\map\\dm6\n",
		fmt.Sprintf("%d 3 12 40 \"%s\" \"\" 4 4\n\x00", f.round, f.word())))
	f.ask(marked("ping\n"))
	f.answer("l")
	f.ask(marked("qtvusers\n"))
	f.answer(marked("nqtvusers 1 \"", f.word(), "\"\n\x00"))
}

// quake2: a client connects and plays.
func quake2(end string) func(f *flow) {
	return func(f *flow) {
		if f.first() {
			challenge := uint32(f.secret[0]) &^ (1 << 31)
			f.ask(marked("getchallenge" + end))
			f.answer(marked(fmt.Sprintf("challenge %d p=34,35,36", challenge)))
			f.ask(marked(fmt.Sprintf("connect 34 %d %d \"\\rate\\25000\\name\\%s\\skin\\male/grunt\"\n", uint16(f.secret[1]),
				challenge, f.word())))
			f.answer(marked("client_connect"))
		}
		quake2Play(f)
	}
}

func quake2Play(f *flow) {
	f.first()
	f.netchan(func(fromServer bool) []byte {
		if fromServer {
			b := []byte{}
			if f.IntN(6) == 0 {
				b = big(10, 2, f.word(), " entered the game\n\x00")
			}
			return big(b, 20, little(uint32(f.round), uint32(f.round-1)), 0, 2, f.bytes(2), 17, f.upTo(10, 60),
				18, f.upTo(10, 90), 0, 0)
		}
		return big(2, f.bytes(1), little(uint32(f.round)), f.upTo(8, 30))
	}, true)
}

func quake2Query(f *flow) {
	f.ask(marked("status\n"))
	f.answer(marked("print\n\\mapname\\q2dm1\\gamename\\baseq2\\maxclients\\8\n",
		fmt.Sprintf("%d 30 \"%s\"\n", f.round, f.word())))
	f.ask(marked("info 34\n"))
	f.answer(marked(fmt.Sprintf("info\n%16s %8s %2d/%2d\n", "lab", "q2dm1", 3, 8)))
	f.ask(marked("ping"))
	f.answer(marked("ack"))
}

// doom3: two bytes FF before its words; the channel begins with the game's number.
func doom3(f *flow) {
	if f.first() {
		f.ask(0xff, 0xff, "getInfo\x00", f.bytes(4))
		f.answer(0xff, 0xff, "infoResponse\x00", f.bytes(4), little(uint32(1<<16|41)), "si_name\x00lab\x00\x00\x00")
		f.ask(0xff, 0xff, "challenge\x00", f.bytes(4))
		f.answer(0xff, 0xff, "challengeResponse\x00", f.bytes(4), little(uint16(f.secret[0]&0x3fff)), "base\x00\x00")
		f.ask(0xff, 0xff, "connect\x00", little(uint32(1<<16|41)), f.bytes(12))
		f.answer(0xff, 0xff, "connectResponse\x00", little(uint32(0), uint32(f.secret[0]&0x3fff)), f.bytes(12))
	}
	f.either(func(fromServer bool) []byte {
		return little(uint16(f.secret[0]&0x3fff), f.count(fromServer), f.bytes(4), f.upTo(10, 300))
	})
}

// unreal: the packet's number in 14 bits, then bunches of bits, and a last bit that is set.
func unreal(f *flow) {
	f.either(func(fromServer bool) []byte {
		return append(little(uint16(f.count(fromServer)&0x3fff|uint32(f.IntN(4))<<14), f.upTo(6, 200)), byte(1+f.IntN(255)))
	})
}

// unreal4: a bit of handshake, number and acknowledgement of 14 bits, a window of those seen.
func unreal4(f *flow) {
	f.either(func(fromServer bool) []byte {
		n := f.count(fromServer)
		ack := f.sent[0]
		if !fromServer {
			ack = f.sent[1]
		}
		return append(little(n&0x3fff<<18|ack&0x3fff<<4, uint32(0xffffffff), f.upTo(10, 300)), byte(1+f.IntN(255)))
	})
}

func gamespy(f *flow) {
	f.ask("\\status\\")
	f.answer("\\gamename\\ut\\gamever\\451\\hostname\\", f.word(),
		"\\mapname\\DM-Deck16\\numplayers\\3\\final\\\\queryid\\", fmt.Sprint(f.round), ".1")
}

func gamespy3(f *flow) {
	f.ask(0xfe, 0xfd, 9, little(uint32(f.round)))
	f.answer(9, little(uint32(f.round)), fmt.Sprint(int32(f.Uint32())), "\x00")
	f.ask(0xfe, 0xfd, 0, little(uint32(f.round)), f.bytes(4), 0xff, 0xff, 0xff, 1)
	f.answer(0, little(uint32(f.round)), "splitnum\x00\x80\x00hostname\x00", f.word(), "\x00\x00")
}

func sampQuery(f *flow) {
	head := big("SAMP", f.bytes(4), little(uint16(7777)))
	f.ask(head, "i")
	f.answer(head, "i", 0, little(uint16(3), uint16(100)), little(uint32(3)), "lab")
	f.ask(head, "p", f.bytes(4))
	f.answer(head, "p", f.bytes(4))
}

// samp: packets of the multiplayer modification: a checksum, and bytes each replaced by another.
func samp(f *flow) {
	f.either(func(fromServer bool) []byte {
		if fromServer {
			return big(0xe3, little(uint16(f.count(true))), f.upTo(8, 200))
		}
		return f.upTo(10, 200)
	})
}

// ase: queries of All-Seeing Eye.
func ase(f *flow) {
	f.ask("s")
	f.answer("EYE1", 4, "mta", 6, "22003", 4, "lab", 1, 0, f.bytes(3))
}
