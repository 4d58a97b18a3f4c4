package enet

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/dissecttest"
)

// The kinds of sessions: generations, checksums and compression.
var sessionKinds = []struct {
	generation                     generation
	checksum, ranged, applications bool
}{
	{},
	{checksum: true},
	{ranged: true},
	{checksum: true, ranged: true},
	{applications: true},
	{generation: v12},
	{generation: v10},
	{generation: photon},
	{generation: photon, checksum: true},
	{generation: photon, applications: true},
}

var sessions = dissecttest.Sessions{
	Protocol: New(), Kinds: len(sessionKinds), Seeds: 8,
	Write: func(kind int, seed uint64) []dissecttest.Sent { return newSessionWriter(kind, seed).session() },
	Read: func(rec *dissect.Record) (list []string) {
		root := rec.Tree.Top().Get("enet")
		for c := range root.Get("commands").Children() {
			list = append(list, c.Key())
		}
		for _, opaque := range []string{"compressed_data", "encrypted_data"} {
			if root.Get(opaque).Exists() {
				list = append(list, opaque)
			}
		}
		return list
	},
	Notes: []string{expertPacked},
	Never: map[string]string{
		"*.undecoded":     "damage alone",
		"enet.packets":    "datagrams that the receiving side joined: joined_test.go",
		"enet.checksum64": "ENet 2, of which there is no writer: csharp_test.go",
	},
}

// TestSessions: what is written in every generation is read as it was written, and every field occurs.
func TestSessions(t *testing.T) { sessions.Test(t) }

// FuzzSessions damages sessions.
func FuzzSessions(f *testing.F) { sessions.Fuzz(f) }

var (
	clientEnd = netip.MustParseAddrPort("198.51.100.7:50123")
	serverEnd = netip.MustParseAddrPort("192.0.2.1:27015")
)

// A sessionWriter writes a session as the structures in protocol.h of each generation lay it out.
type sessionWriter struct {
	*rand.Rand
	generation                     generation
	checksum, ranged, applications bool
	id                             [4]byte
	peers                          [2]uint16 // numbers under which client and server know each other
	number                         byte      // of the session, two bits
	ends                           [2]end
	time                           uint32
	list                           []dissecttest.Sent
	encoder                        rangeEncoder
	reserved                       byte // in the heads of Photon's commands
}

// An end has what one side counts.
type end struct {
	reliable, unreliable [256]uint32
	unordered            [256]uint32 // reliable, of Photon
	group                uint32
	asked                []written // its newest reliable commands
}

// A written command.
type written struct {
	key   string
	bytes []byte
	time  *uint32 // of the packet that it went out in; nil if nobody acknowledges it
}

func newSessionWriter(kind int, seed uint64) *sessionWriter {
	k := sessionKinds[kind]
	w := &sessionWriter{
		Rand: rand.New(rand.NewPCG(seed, uint64(kind))), generation: k.generation, checksum: k.checksum, ranged: k.ranged,
		applications: k.applications,
	}
	binary.BigEndian.PutUint32(w.id[:], w.Uint32()|1)
	w.peers, w.number, w.time = [2]uint16{uint16(w.IntN(60)), uint16(w.IntN(60))}, byte(w.IntN(4)), w.Uint32()
	return w
}

// one reports whether an event with a probability of 1 in n happens.
func (w *sessionWriter) one(n int) bool { return w.IntN(n) == 0 }

// session writes a session.
func (w *sessionWriter) session() []dissecttest.Sent {
	connect := w.hello(true)
	w.packet(true, connect)
	w.packet(false, w.acknowledge(true), w.hello(false))
	w.packet(true, w.acknowledge(false))
	for range 24 {
		fromClient := w.one(2)
		var commands []written
		for range 1 + w.IntN(4) {
			commands = append(commands, w.command(fromClient)...)
		}
		for len(commands) > 0 {
			n := min(len(commands), 1+w.IntN(6))
			w.packet(fromClient, commands[:n]...)
			commands = commands[n:]
		}
	}
	numbers := w.numbers32(1)
	if w.generation == photon {
		numbers = nil
	}
	w.reserved = w.reservedOf(true)
	leave := w.reliable(true, 4, 0xff, "disconnect", numbers, nil)
	w.packet(true, leave)
	w.packet(true, leave) // once more, since no acknowledgement came
	return w.list
}

// wide appends a number that has 32 bits in 1.0, and 16 later.
func (w *sessionWriter) wide(b []byte, n uint32) []byte {
	if w.long() {
		return binary.BigEndian.AppendUint32(b, n)
	}
	return binary.BigEndian.AppendUint16(b, uint16(n))
}

func (w *sessionWriter) numbers32(n int) (b []byte) {
	for range n {
		b = binary.BigEndian.AppendUint32(b, w.Uint32()>>w.IntN(32))
	}
	return b
}

// form writes a command: head, numbers and data. flags: 1: wants an acknowledgement; 2: without order.
func (w *sessionWriter) form(op, flags, channel byte, sequence uint32, numbers, data []byte) []byte {
	var b []byte
	if w.long() {
		if w.generation == v10 {
			op = map[byte]byte{9: 11, 10: 9, 11: 10}[op] + op*boolByte(op < 9)
		}
		b = binary.BigEndian.AppendUint32([]byte{op, channel, flags, w.reserved}, uint32(12+len(numbers)+len(data)))
		b = binary.BigEndian.AppendUint32(b, sequence)
	} else {
		b = binary.BigEndian.AppendUint16([]byte{op | flags&1<<7 | flags&2<<5, channel}, uint16(sequence))
	}
	return append(append(b, numbers...), data...)
}

// long reports whether commands have heads of twelve bytes.
func (w *sessionWriter) long() bool { return w.generation == v10 || w.generation == photon }

// reservedOf returns what a side writes into the reserved byte: Photon's clients 4, its servers 0.
func (w *sessionWriter) reservedOf(fromClient bool) byte {
	return 4 * boolByte(fromClient && w.generation == photon)
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// length appends the length of data, which only 1.0 has elsewhere.
func (w *sessionWriter) length(b, data []byte) []byte {
	if w.long() {
		return b
	}
	return binary.BigEndian.AppendUint16(b, uint16(len(data)))
}

// side returns the end that sends.
func (w *sessionWriter) side(fromClient bool) *end { return &w.ends[boolByte(fromClient)] }

// reliable writes a command that wants an acknowledgement.
func (w *sessionWriter) reliable(fromClient bool, op, channel byte, key string, numbers, data []byte) written {
	s := w.side(fromClient)
	s.reliable[channel]++
	s.unreliable[channel] = 0
	return s.ask(written{key, w.form(op, 1, channel, s.reliable[channel], numbers, data), nil})
}

// ask notes a command that wants an acknowledgement.
func (s *end) ask(c written) written {
	c.time = new(uint32)
	s.asked = append(s.asked, c)
	return c
}

// hello writes a request for a connection, or the answer.
func (w *sessionWriter) hello(fromClient bool) written {
	w.reserved = w.reservedOf(fromClient)
	b := binary.BigEndian.AppendUint16(nil, w.peers[boolByte(fromClient)])
	if w.generation == v13 {
		b = append(b, 0xff, 0xff)
		b = binary.BigEndian.AppendUint32(b, 1392)
	} else {
		b = binary.BigEndian.AppendUint16(b, 1392)
	}
	b = binary.BigEndian.AppendUint32(append(b, 0, 0, 0x80, 0), 1+w.Uint32()&7)
	b = append(b, w.numbers32(5)...)
	if w.generation == v13 || w.generation == v12 && fromClient {
		b = append(b, w.id[:]...)
	}
	if !fromClient {
		return w.reliable(false, 3, 0xff, "verify_connect", b, nil)
	}
	if w.generation == v13 {
		b = append(b, w.numbers32(1)...)
	}
	return w.reliable(true, 2, 0xff, "connect", b, nil)
}

// acknowledge writes the acknowledgement of a command of the other side: of its newest.
func (w *sessionWriter) acknowledge(ofClient bool) written {
	asked := w.side(ofClient).asked
	b, sent := asked[len(asked)-1].bytes, *asked[len(asked)-1].time
	sequence := uint32(binary.BigEndian.Uint16(b[2:]))
	if w.long() {
		sequence = binary.BigEndian.Uint32(b[8:])
	}
	w.reserved = w.reservedOf(!ofClient)
	numbers := w.wide(w.wide(nil, sequence), sent)
	if w.generation == photon && (b[0] == 14 || b[0] == 15) {
		return written{"acknowledge_unsequenced", w.form(16, 0, b[1], 0, numbers, nil), nil}
	}
	return written{"acknowledge", w.form(1, 0, b[1], sequence, numbers, nil), nil}
}

// command writes one command, or those of the fragments of a message.
func (w *sessionWriter) command(fromClient bool) []written {
	s, channel := w.side(fromClient), byte(w.IntN(3))
	data := make([]byte, w.IntN(120))
	for i := range data {
		data[i] = byte(w.Uint32() >> 29) // which can be compressed
	}
	w.reserved = w.reservedOf(fromClient)
	choice := w.IntN(11)
	if w.generation == photon && (choice == 2 || choice == 3 || choice == 8) {
		return w.photon(fromClient, channel, data)
	}
	switch choice {
	case 0:
		return []written{w.acknowledge(!fromClient)}
	case 1:
		return []written{w.reliable(fromClient, 5, 0xff, "ping", nil, nil)}
	case 2:
		return []written{w.reliable(fromClient, 10, 0xff, "bandwidth_limit", w.numbers32(2), nil)}
	case 3:
		return []written{w.reliable(fromClient, 11, 0xff, "throttle_configure", w.numbers32(3), nil)}
	case 4, 5:
		return []written{w.reliable(fromClient, 6, channel, "send_reliable", w.length(nil, data), data)}
	case 6, 7:
		s.unreliable[channel]++
		numbers := w.length(w.wide(nil, s.unreliable[channel]), data)
		return []written{{"send_unreliable", w.form(7, 0, channel, s.reliable[channel], numbers, data), nil}}
	case 8:
		s.group++
		numbers := w.length(w.wide(nil, s.group), data)
		return []written{{"send_unsequenced", w.form(9, 2, channel, s.reliable[channel], numbers, data), nil}}
	case 9: // one that was not acknowledged in time
		return []written{s.asked[w.IntN(len(s.asked))]}
	}
	return w.fragments(fromClient, channel, append(data, 1, 2, 3))
}

// fragments writes those of a message, sometimes in another order.
func (w *sessionWriter) fragments(fromClient bool, channel byte, data []byte) (list []written) {
	s := w.side(fromClient)
	unreliable := w.generation == v13 && w.one(2)
	size := 1 + w.IntN(60)
	count := (len(data) + size - 1) / size
	start := s.reliable[channel] + 1
	if unreliable {
		s.unreliable[channel]++
		start = s.unreliable[channel]
	}
	for i := range count {
		part := data[i*size : min((i+1)*size, len(data))]
		b := w.length(w.wide(nil, start), part)
		for _, n := range []int{count, i, len(data), i * size} {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		if unreliable {
			list = append(list, written{"send_unreliable_fragment", w.form(12, 0, channel, s.reliable[channel], b, part), nil})
		} else {
			list = append(list, w.reliable(fromClient, 8, channel, "send_fragment", b, part))
		}
	}
	if w.one(3) {
		w.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

// packet sends commands with a header.
func (w *sessionWriter) packet(fromClient bool, commands ...written) {
	w.time += uint32(w.IntN(30))
	var body []byte
	var wrote []string
	timed := !w.one(2)
	for _, c := range commands {
		body = append(body, c.bytes...)
		wrote = append(wrote, c.key)
		timed = timed || c.bytes[0]&ackFlag != 0
		if c.time != nil {
			*c.time = w.time
		}
	}
	peer := w.peers[boolByte(!fromClient)]
	first := len(w.list) == 0
	if first {
		peer = noPeer[w.generation]
	}
	var b []byte
	switch w.generation {
	case photon:
		if first && w.one(2) {
			peer-- // the client wants to be traced
		}
		var encrypted bool
		if b, encrypted = w.photonPacket(peer, body, len(commands), first); encrypted {
			wrote = []string{"encrypted_data"}
		}
	case v10:
		b = append(binary.BigEndian.AppendUint16(nil, peer), 0, byte(len(commands)))
		b = append(binary.BigEndian.AppendUint32(b, w.time), w.id[:]...)
		b = append(b, body...)
	case v12:
		b = append(b, w.id[:]...)
		b = append(w.timedHead(b, peer, timed), body...)
	default:
		if !first {
			peer |= uint16(w.number) << 12
		}
		packed := w.encoder.encode(body)
		switch compressed := w.ranged && len(packed) < len(body); {
		case w.applications && !first && w.one(3): // by a method of the application's own
			packed, wrote = append([]byte{0xfe, 0xff, 0xff, 0xff}, body...), []string{"compressed_data"}
			peer |= packedFlag
		case !compressed:
			packed = body
		default:
			peer |= packedFlag
		}
		b = w.timedHead(nil, peer, timed)
		if w.checksum {
			slot := w.id
			if first {
				slot = [4]byte{}
			}
			b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(slices.Concat(b, slot[:], body)))
		}
		b = append(b, packed...)
	}
	from, to := serverEnd, clientEnd
	if fromClient {
		from, to = to, from
	}
	w.list = append(w.list, dissecttest.Send(from, to, b, wrote...))
}

// timedHead appends the number of the peer, and the time.
func (w *sessionWriter) timedHead(b []byte, peer uint16, timed bool) []byte {
	if !timed {
		return binary.BigEndian.AppendUint16(b, peer)
	}
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, peer|timeFlag), uint16(w.time))
}
