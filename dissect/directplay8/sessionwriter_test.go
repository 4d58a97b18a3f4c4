package directplay8_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// The kinds of sessions: versions, and how frames are signed.
var sessionKinds = []struct {
	minor   uint16
	options uint32
}{
	{minor: 6}, {minor: 6, options: wire.FastSigned}, {minor: 6, options: wire.FullSigned}, {minor: 4},
}

// Bits of frames, MC-DPL8R 2.2.2.
const (
	bitData       = 0x01
	bitReliable   = 0x02
	bitSequential = 0x04
	bitPoll       = 0x08
	bitNew        = 0x10
	bitEnd        = 0x20
	bitUser1      = 0x40
	bitUser2      = 0x80

	bitKeepAlive = 0x02 // of the control byte
	bitCoalesce  = 0x04
	bitLast      = 0x08
)

// A sessionWriter writes a session as MC-DPL8R and MC-DPL8CS describe it.
type sessionWriter struct {
	*rand.Rand
	minor           uint16
	options         uint32
	session32, tick uint32
	sequence        [2]byte // of client and server, for the next frame
	players         []uint32
	names           []string // of core messages, in the order in which they come, again and again
	next            int
	list            []wire.Datagram // unsigned
	wrote           [][]string
}

func newSessionWriter(kind int, seed uint64) *sessionWriter {
	k := sessionKinds[kind]
	w := &sessionWriter{Rand: rand.New(rand.NewPCG(seed, uint64(kind))), minor: k.minor, options: k.options}
	w.session32, w.tick = w.Uint32(), w.Uint32()>>8
	for range 4 {
		w.players = append(w.players, w.Uint32()|1<<31)
	}
	w.names = slices.Clone(coreNames)
	w.Shuffle(len(w.names), func(i, j int) { w.names[i], w.names[j] = w.names[j], w.names[i] })
	return w
}

// one reports whether an event with a probability of 1 in n happens.
func (w *sessionWriter) one(n int) bool { return w.IntN(n) == 0 }

func (w *sessionWriter) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.Uint32())
	}
	return b
}

func (w *sessionWriter) send(fromClient bool, payload []byte, wrote ...string) {
	w.list = append(w.list, wire.Datagram{FromClient: fromClient, Payload: payload})
	w.wrote = append(w.wrote, wrote)
}

// session writes a session.
func (w *sessionWriter) session() (sent []dissecttest.Sent) {
	w.discovery()
	w.handshake()
	for i, player := range w.players {
		body, err := wire.CoreMessage("add_player", map[string]any{"dpnid": player, "name": wire.Wide(fmt.Sprint("Sue ", i))})
		if err != nil {
			panic(err)
		}
		w.frame(false, bitReliable|bitUser1|bitNew|bitEnd, 0, append(binary.LittleEndian.AppendUint32(nil, 0xd0), body...),
			"core d0")
	}
	for range 16 {
		fromClient := w.one(2)
		switch w.IntN(8) {
		case 0:
			w.send(fromClient, w.sack(fromClient), "sack")
		case 1:
			w.split(fromClient)
		case 2, 3:
			w.coalesced(fromClient)
		case 4:
			w.keepAlive(fromClient)
		default:
			user, payload, what := w.content()
			w.frame(fromClient, user|bitNew|bitEnd, 0, payload, what...)
		}
	}
	if w.one(2) {
		w.send(true, w.control(0x80|bitPoll*byte(w.IntN(2)), 4, 0), "hard_disconnect")
	} else {
		w.frame(true, bitReliable|bitNew|bitEnd, bitLast, nil)
	}
	list := w.list
	if w.options != 0 {
		list = wire.Signed(list, w.options)
	}
	client, server := netip.MustParseAddrPort("198.51.100.7:50123"), netip.MustParseAddrPort("192.0.2.1:2302")
	for i, d := range list {
		from, to, wrote := server, client, w.wrote[i]
		if d.FromClient {
			from, to = to, from
		}
		if w.options != 0 && len(wrote) == 1 && wrote[0] == "connected" {
			wrote = []string{"connected_signed"}
		}
		sent = append(sent, dissecttest.Send(from, to, d.Payload, wrote...))
	}
	return sent
}

// discovery asks for a session, and describes it.
func (w *sessionWriter) discovery() {
	tag := uint16(w.Uint32())
	w.send(true, append(wire.Query(tag, w.bytes(16)), w.bytes(w.IntN(2)*5)...), "query")
	little := binary.LittleEndian
	name, reply := wire.Wide("a session"), w.bytes(w.IntN(3)*4)
	fixed := uint32(88)
	b := little.AppendUint16([]byte{0, 3}, tag)
	for _, n := range []uint32{
		fixed + uint32(len(name)), uint32(len(reply)), 80, w.Uint32() & 0x7ff, 8, 1, fixed,
		uint32(len(name)), 0, 0, 0, 0, 0, 0,
	} {
		b = little.AppendUint32(b, n)
	}
	w.send(false, slices.Concat(b, w.bytes(32), name, reply), "response")
}

// control writes a frame of the handshake, or the end of the connection.
func (w *sessionWriter) control(command, op, response byte) []byte {
	w.tick += uint32(w.IntN(50))
	little := binary.LittleEndian
	b := []byte{command, op, byte(w.Uint32()), response}
	b = little.AppendUint32(b, 1<<16|uint32(w.minor))
	return little.AppendUint32(little.AppendUint32(b, w.session32), w.tick)
}

func (w *sessionWriter) handshake() {
	w.send(true, w.control(0x88, 1, 0), "connect")
	w.send(false, w.control(0x88, 2, 0), "connected")
	w.send(true, w.control(0x80, 2, 1), "connected")
}

// sack acknowledges frames one by one.
func (w *sessionWriter) sack(fromClient bool) []byte {
	w.tick += uint32(w.IntN(50))
	flags := byte(1 | w.IntN(16)<<1)
	b := []byte{0x80, 6, flags, byte(w.IntN(2)), w.sequence[side(fromClient)], w.sequence[side(!fromClient)], 0, 0}
	b = binary.LittleEndian.AppendUint32(b, w.tick)
	for i := range 4 {
		if flags>>(i+1)&1 != 0 {
			b = binary.LittleEndian.AppendUint32(b, w.Uint32())
		}
	}
	if w.options == 0 && w.one(4) {
		b = append(b, 1, 2, 3)
	}
	return b
}

func side(client bool) int {
	if client {
		return 0
	}
	return 1
}

// frame sends a data frame, sometimes twice.
func (w *sessionWriter) frame(fromClient bool, command, control byte, payload []byte, wrote ...string) {
	command |= bitData | byte(w.IntN(2))*bitPoll | byte(w.IntN(2))*bitSequential
	var masks []byte
	if command&(bitNew|bitEnd) == bitNew|bitEnd { // none of a message in parts is given up
		for i := range 4 {
			if w.one(6) {
				control |= 0x10 << i
				masks = binary.LittleEndian.AppendUint32(masks, w.Uint32())
			}
		}
	}
	s := side(fromClient)
	b := slices.Concat([]byte{command, control, w.sequence[s], w.sequence[1-s]}, masks, payload)
	w.sequence[s]++
	w.send(fromClient, b, wrote...)
	if w.one(8) && command&(bitNew|bitEnd) == bitNew|bitEnd {
		w.send(fromClient, wire.Again(b), wrote...)
	}
}

// content returns what a message carries: its user bits, its bytes and its fields in a record.
func (w *sessionWriter) content() (user byte, payload []byte, wrote []string) {
	user = byte(w.IntN(2)) * bitReliable
	switch w.IntN(5) {
	case 0:
		return user, w.bytes(1 + w.IntN(40)), []string{"payload"}
	case 1:
		return user | bitUser2, w.bytes(1 + w.IntN(40)), []string{"voice"}
	}
	number, body := w.core()
	payload = append(binary.LittleEndian.AppendUint32(nil, number), body...)
	wrote = []string{fmt.Sprintf("core %x", number)}
	if application := w.bytes(1 + w.IntN(9)); number == 0xe0 {
		payload, wrote = append(payload, application...), append(wrote, "payload")
	}
	return user | bitUser1, payload, wrote
}

// split sends a message in parts, sometimes in another order.
func (w *sessionWriter) split(fromClient bool) {
	user, payload, wrote := w.content()
	size := 1 + len(payload)/(2+w.IntN(4))
	before := len(w.list)
	for at := 0; at < len(payload); at += size {
		command := user | bitReliable
		if at == 0 {
			command |= bitNew
		}
		end := min(at+size, len(payload))
		if end == len(payload) {
			command |= bitEnd
		}
		what := "part"
		if at == 0 && end == len(payload) { // too short for parts
			w.frame(fromClient, command, 0, payload, wrote...)
			return
		}
		w.frame(fromClient, command, 0, payload[at:end], what)
	}
	parts := w.list[before:]
	if w.one(2) {
		w.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
	w.wrote[len(w.wrote)-1] = append([]string{"joined"}, wrote...)
}

// coalesced sends several messages in one frame, MC-DPL8R 2.2.2.1.
func (w *sessionWriter) coalesced(fromClient bool) {
	if w.minor < 5 {
		return
	}
	var heads, bodies []byte
	var wrote []string
	count := 2 + w.IntN(4)
	for i := range count {
		user, payload, what := w.content()
		flags := user | bitSequential | byte(len(payload)>>8)<<3
		if i == count-1 {
			flags |= 1
		}
		heads = append(heads, byte(len(payload)), flags)
		for len(bodies)%4 != 0 {
			bodies = append(bodies, 0)
		}
		bodies = append(bodies, payload...)
		wrote = append(wrote, what...)
	}
	if count%2 == 1 {
		heads = append(heads, 0, 0)
	}
	w.frame(fromClient, bitReliable|bitNew|bitEnd, bitCoalesce, append(heads, bodies...), wrote...)
}

// keepAlive sends a frame without message.
func (w *sessionWriter) keepAlive(fromClient bool) {
	if w.minor < 5 {
		return
	}
	w.frame(fromClient, bitReliable|bitNew|bitEnd, bitKeepAlive, binary.LittleEndian.AppendUint32(nil, w.session32))
}
