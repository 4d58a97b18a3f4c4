package foreign

import "encoding/binary"

// shapes are no protocol at all: noise and counters.
var shapes = []Kind{
	{Name: "random 8", fill: func(f *flow) { f.either(func(bool) []byte { return f.bytes(8) }) }},
	{Name: "random 16", fill: func(f *flow) { f.either(func(bool) []byte { return f.bytes(16) }) }},
	{Name: "random 40", fill: func(f *flow) { f.either(func(bool) []byte { return f.bytes(40) }) }},
	{Name: "random size", fill: func(f *flow) { f.either(func(bool) []byte { return f.upTo(1, 1400) }) }},
	{Name: "zeros", fill: func(f *flow) { f.either(func(bool) []byte { return zeros(1 + f.IntN(600)) }) }},
	{Name: "ones", fill: func(f *flow) { f.either(func(bool) []byte { return ones(1 + f.IntN(600)) }) }},
	{Name: "counter 16 little", fill: counter(2, binary.LittleEndian, false)},
	{Name: "counter 16 big", fill: counter(2, binary.BigEndian, false)},
	{Name: "counter 32 little", fill: counter(4, binary.LittleEndian, false)},
	{Name: "counter 32 big", fill: counter(4, binary.BigEndian, false)},
	{Name: "counter 32 little, highest bit", fill: counter(4, binary.LittleEndian, true)},
	{Name: "counter 32 big, highest bit", fill: counter(4, binary.BigEndian, true)},
	{Name: "counter 16 big, highest bit", fill: counter(2, binary.BigEndian, true)},
	{Name: "two counters", fill: twoCounters},
	{Name: "counter and port", fill: counterAndPort},
	{Name: "first byte", fill: firstByte},
	{Name: "first bytes", fill: func(f *flow) { f.either(func(bool) []byte { return big(f.IntN(256), 0, 0, f.upTo(1, 300)) }) }},
	{Name: "text", fill: func(f *flow) { f.ask(f.word(), " ", f.word(), "\n") }},
	{Name: "marked text", Port: 27960, fill: func(f *flow) { f.ask(uint32(0xffffffff), loneText(f)) }},
	{Name: "marked text, both", Port: 27960, fill: func(f *flow) {
		f.either(func(bool) []byte { return big(uint32(0xffffffff), loneText(f)) })
	}},
}

func ones(n int) []byte {
	b := zeros(n)
	for i := range b {
		b[i] = 0xff
	}
	return b
}

// loneText is something that a person could send to a game's port.
func loneText(f *flow) string {
	texts := [...]string{
		"hello", "foo bar baz", "ping", "test\n", "", "\\", "0", "print", "status", "info", "A", "say hi",
		f.word(), f.word() + " " + f.word(),
	}
	return texts[f.IntN(len(texts))]
}

// counter makes datagrams that begin with a number of so many bytes, each side with its own; in half of them the
// highest bit is set as the mark of a fragment would be.
func counter(size int, order binary.ByteOrder, flagged bool) func(f *flow) {
	return func(f *flow) {
		f.either(func(fromServer bool) []byte {
			b := make([]byte, size, size+200)
			n := f.count(fromServer)
			if flagged && f.IntN(2) == 0 {
				n |= 1 << (8*size - 1)
			}
			if size == 2 {
				order.PutUint16(b, uint16(n))
			} else {
				order.PutUint32(b, n)
			}
			return append(b, f.upTo(4, 200)...)
		})
	}
}

// twoCounters: number and acknowledgement, and small numbers after them, as in many games' own headers.
func twoCounters(f *flow) {
	f.either(func(fromServer bool) []byte {
		n := f.count(fromServer)
		ack := f.sent[0]
		if !fromServer {
			ack = f.sent[1]
		}
		return little(n, ack, f.IntN(12), f.upTo(4, 200))
	})
}

// counterAndPort: the client's packets have a constant number of 16 bits after the counter.
func counterAndPort(f *flow) {
	f.first()
	f.either(func(fromServer bool) []byte {
		n := f.count(fromServer)
		if fromServer {
			return little(n, uint32(f.round), f.upTo(8, 200))
		}
		return little(n, uint16(f.secret[0]), uint32(f.secret[1]&0xffff), f.sent[1], f.upTo(8, 200))
	})
}

// firstByte: all datagrams begin with the byte of the seed's number, or with it and a byte of small flags.
func firstByte(f *flow) {
	f.either(func(bool) []byte {
		if f.seed>>8&1 != 0 {
			return big(byte(f.seed), f.IntN(4), f.upTo(1, 300))
		}
		return big(byte(f.seed), f.upTo(1, 300))
	})
}
