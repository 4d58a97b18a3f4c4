package sessions

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// The kinds of sessions.
const (
	kind07 = iota
	kind06
	kind065 // 0.6 with a token in every header
	kindDDNet
	numKinds
)

var (
	clientEnd = netip.MustParseAddrPort("198.51.100.7:50123")
	serverEnd = netip.MustParseAddrPort("192.0.2.1:8303")
)

// A side of a session.
type side struct {
	messages []*tables.Message // that it sends, in the order in which it does, again and again
	next     int
	sequence int    // of its newest vital chunk
	ack      int    // of the other's
	last     []byte // its newest vital chunk, without header
	lastKey  string
}

// A writer writes a session.
type writer struct {
	*rand.Rand
	kind           int
	dialect        tables.Dialect
	client, server side
	token, answer  [4]byte // in the packets to the server, and to the client
	world          world
	list           []dissecttest.Sent
}

func newWriter(kind int, seed uint64) *writer {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, uint64(kind))), kind: kind}
	w.dialect = [...]tables.Dialect{tables.V07, tables.V06, tables.V06, tables.DDNet}[kind]
	binary.BigEndian.PutUint32(w.token[:], w.Uint32()|1)
	binary.BigEndian.PutUint32(w.answer[:], w.Uint32()|1)
	if kind != kind07 {
		w.answer = w.token
	}
	for _, def := range tables.AllMessages(w.dialect) {
		if def.ID == 0 && def.UUID == (tables.UUID{}) || snapshotKeys[def.Key] {
			continue
		}
		if def.From != tables.SentByServer {
			w.client.messages = append(w.client.messages, def)
		}
		if def.From != tables.SentByClient {
			w.server.messages = append(w.server.messages, def)
		}
	}
	for _, s := range []*side{&w.client, &w.server} {
		w.Shuffle(len(s.messages), func(i, j int) { s.messages[i], s.messages[j] = s.messages[j], s.messages[i] })
	}
	w.world = newWorld(w)
	return w
}

// one reports whether an event with a probability of 1 in n happens.
func (w *writer) one(n int) bool { return w.IntN(n) == 0 }

// session writes a session.
func (w *writer) session() []dissecttest.Sent {
	w.handshake()
	for range 14 {
		w.data(&w.server)
		w.data(&w.client)
		w.snapshot()
		switch w.IntN(6) {
		case 0:
			w.control(w.one(2), []byte{0}, "keepalive")
		case 1, 2:
			w.connless()
		case 3:
			if w.one(4) {
				w.control(w.one(2), []byte{9, 1, 2, 3}, "unknown")
			}
		}
	}
	reason := []byte{4}
	if w.one(2) {
		reason = append(reason, "kicked\x00"...)
	}
	w.control(w.one(2), reason, "close")
	return w.list
}

// send sends a datagram.
func (w *writer) send(fromClient bool, payload []byte, wrote ...string) {
	from, to := serverEnd, clientEnd
	if fromClient {
		from, to = to, from
	}
	w.list = append(w.list, dissecttest.Send(from, to, payload, wrote...))
}

// Bits of the flags in the first byte of a packet: of 0.7, and of 0.6.
var flagBits = map[bool]struct{ control, resend, compression, token byte }{
	true: {0x04, 0x08, 0x10, 0}, false: {0x10, 0x40, 0x80, 0x08},
}

// packet puts a header before a payload, and a token before or after it.
func (w *writer) packet(fromClient bool, flags byte, ack, chunks int, payload []byte) []byte {
	bits := flagBits[w.kind == kind07]
	token := w.answer
	if fromClient {
		token = w.token
	}
	if w.kind == kindDDNet {
		payload = append(slices.Clone(payload), token[:]...)
	}
	if flags&bits.control == 0 && !w.one(3) {
		if short := huffcodec.EncodeTeeworlds(nil, payload); len(short) < len(payload) {
			flags, payload = flags|bits.compression, short
		}
	}
	if w.kind == kind065 {
		flags |= bits.token
	}
	b := []byte{flags | byte(ack>>8), byte(ack), byte(chunks)}
	if w.kind == kind07 || w.kind == kind065 {
		b = append(b, token[:]...)
	}
	return append(b, payload...)
}

// control sends a control packet.
func (w *writer) control(fromClient bool, payload []byte, key string) {
	w.send(fromClient, w.packet(fromClient, flagBits[w.kind == kind07].control, w.of(fromClient).ack, 0, payload),
		"control "+key)
}

func (w *writer) of(client bool) *side {
	if client {
		return &w.client
	}
	return &w.server
}

// handshake begins the session as the dialect does.
func (w *writer) handshake() {
	zeros := make([]byte, 600)
	switch w.kind {
	case kind07: // the client asks for a token with its own, then connects
		w.send(true, slices.Concat([]byte{4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5}, w.answer[:], zeros[:520-12]), "control token")
		w.control(false, append([]byte{5}, w.token[:]...), "token")
		w.control(true, slices.Concat([]byte{1}, w.answer[:], zeros[:520-12]), "connect")
		if w.one(2) { // DDNet repeats itself so
			w.control(true, []byte("\x01TKEN"), "connect")
		}
		if w.one(2) {
			w.control(false, append([]byte{2}, w.answer[:]...), "accept")
		} else {
			w.control(false, []byte{2}, "accept")
		}
	case kind06, kind065:
		w.send(true, slices.Concat([]byte{0x10, 0, 0, 1}, zeros[:4], w.token[:], zeros[:504]), "control connect")
		if w.kind == kind06 {
			w.control(false, []byte{2}, "connectaccept")
		} else {
			w.control(false, append([]byte{2}, w.token[:]...), "connectaccept")
		}
		w.control(true, []byte{3}, "accept")
	case kindDDNet:
		w.send(true, []byte("\x10\x00\x00\x01TKEN\xff\xff\xff\xff"), "control connect")
		w.control(false, []byte("\x02TKEN"), "connectaccept")
		w.control(true, []byte{3}, "accept")
	}
}

// chunk puts a header before a message.
func (w *writer) chunk(dst, payload []byte, vital, resend bool, sequence int) []byte {
	flags := byte(0)
	if vital {
		flags |= 0x40
	}
	if resend {
		flags |= 0x80
	}
	size := len(payload)
	if w.kind == kind07 {
		dst = append(dst, flags|byte(size>>6), byte(size&0x3f))
	} else {
		dst = append(dst, flags|byte(size>>4), byte(size&0x0f))
	}
	if vital {
		high := byte(0xc0)
		if w.kind != kind07 {
			high = 0xf0
		}
		dst[len(dst)-1] |= byte(sequence>>2) & high
		dst = append(dst, byte(sequence))
	}
	return append(dst, payload...)
}

// data sends a packet with some of a side's messages.
func (w *writer) data(s *side) {
	fromClient := s == &w.client
	var body []byte
	var wrote []string
	chunks := 0
	for range 1 + w.IntN(5) {
		if s.last != nil && w.one(8) {
			body = w.chunk(body, s.last, true, true, s.sequence)
			wrote, chunks = append(wrote, s.lastKey+" duplicate"), chunks+1
			continue
		}
		payload, key := w.message(s)
		if len(body)+len(payload) > 1300 {
			break
		}
		chunks++
		if w.one(3) {
			body = w.chunk(body, payload, false, false, 0)
			wrote = append(wrote, key)
			continue
		}
		s.sequence = (s.sequence + 1) % tables.MaxSequence
		body = w.chunk(body, payload, true, w.one(9), s.sequence)
		s.last, s.lastKey = payload, key
		wrote = append(wrote, key+" ok")
	}
	flags := byte(0)
	if w.one(9) {
		flags = flagBits[w.kind == kind07].resend
	}
	w.send(fromClient, w.packet(fromClient, flags, s.ack, chunks, body), wrote...)
	w.of(!fromClient).ack = s.sequence
}

// message writes a side's next message.
func (w *writer) message(s *side) (payload []byte, key string) {
	if w.one(40) {
		return append(wiretest.AppendInt(nil, 120<<1), 1, 2, 3), "unknown"
	}
	def := s.messages[s.next%len(s.messages)]
	s.next++
	return w.body(wiretest.AppendInt(nil, head(def)), def), def.Key
}

// head is the first number of a message.
func head(def *tables.Message) int32 {
	if def.System {
		return def.ID<<1 | 1
	}
	return def.ID << 1
}

// body appends the fields of a message by the rows of its table.
func (w *writer) body(b []byte, def *tables.Message) []byte {
	if def.UUID != (tables.UUID{}) {
		b = append(b, def.UUID[:]...)
	}
	parts := def.Parts
	if def.Orders != nil {
		return w.tuning(b, def)
	}
	f := fields{writer: w}
	short := w.one(3)
	for i := range parts {
		p := &parts[i]
		if p.Optional && short && w.one(4) {
			break
		}
		count := 1
		switch {
		case p.Times == tables.ToEnd:
			count = 1 + w.IntN(20)
		case p.Times == tables.AsCounted:
			count = int(f.count)
		case p.Times == tables.ByGameMsg:
			count = len(p.Meanings[f.count])
		case p.Times != tables.Single:
			count = p.Times
		}
		for range count {
			b = f.value(b, p)
		}
	}
	return b
}

// tuning appends the values of an Sv_TuneParams of 0.7: of Teeworlds, or in one of the orders of DDNet.
func (w *writer) tuning(b []byte, def *tables.Message) []byte {
	list := tables.TuneLists[w.IntN(len(tables.TuneLists))]
	parts := [][]tables.Part{
		def.Parts, def.Orders.Complete.Parts[:list],
		def.Orders.WithoutDamage.Parts[:list-1],
	}[w.IntN(3)]
	count := len(parts)
	if w.one(4) {
		count = 40 // which no version is known to send
	}
	for range count {
		b = wiretest.AppendInt(b, w.number(-1<<31, 1<<31-1))
	}
	return b
}

// Fields are those of a message; some count others.
type fields struct {
	*writer
	count int32
}

// value appends one value.
func (f *fields) value(b []byte, p *tables.Part) []byte {
	switch p.Kind {
	case tables.KindNumber, tables.KindBool:
		v := f.number(p.Min, p.Max)
		switch {
		case p.Keep == tables.KeepCount && p.Key == "size": // of an object: whole ints
			v = 4 * int32(f.IntN(15))
		case p.Keep == tables.KeepCount && int64(p.Max)-int64(p.Min) > 100:
			v = int32(f.IntN(40))
		case p.Key == "game_msg_id":
			v = []int32{9, 9, 6, 7, 8, 10, v}[f.IntN(7)] // mostly those with values
		}
		if p.Keep == tables.KeepCount {
			f.count = max(0, v)
		}
		return wiretest.AppendInt(b, v)
	case tables.KindText:
		return append(append(b, texts[f.IntN(len(texts))]...), 0)
	case tables.KindRaw:
		size := p.Size
		switch size {
		case tables.ToEnd:
			size = f.IntN(60)
		case tables.AsCounted:
			size = int(f.count)
		}
		for range size {
			b = append(b, byte(f.Uint32()))
		}
		return b
	}
	count := p.Size
	if count == tables.AsCountedBytes {
		count = int(f.count / 4)
	}
	ranges := flat(nil, p.Inner)
	for i := range count {
		if i < len(ranges) {
			b = wiretest.AppendInt(b, f.number(ranges[i][0], ranges[i][1]))
		} else {
			b = wiretest.AppendInt(b, int32(f.Uint32()))
		}
	}
	return b
}

var texts = []string{
	"", "nameless tee", "\x01\x1b[31m", "äöü", "a longer text, as a line of a chat may be",
	"%s%n", "dm1", "\xff\xfe",
}

// number is any number of a range: often one of its ends, or a small one.
func (w *writer) number(low, high int32) int32 {
	switch w.IntN(6) {
	case 0:
		return low
	case 1:
		return high
	}
	span := int64(high) - int64(low) + 1
	if v := int64(w.IntN(200)) - 20; w.one(2) && v >= int64(low) && v <= int64(high) {
		return int32(v)
	}
	return int32(int64(low) + w.Int64N(span))
}

// flat returns the ranges of the ints of an object's fields.
func flat(ranges [][2]int32, parts []tables.Part) [][2]int32 {
	for i := range parts {
		p := &parts[i]
		for range max(1, p.Times) {
			switch p.Kind {
			case tables.KindNumber, tables.KindBool:
				ranges = append(ranges, [2]int32{p.Min, p.Max})
			case tables.KindObject:
				ranges = flat(ranges, p.Inner)
			default:
				for range p.Ints / max(1, p.Times) {
					ranges = append(ranges, [2]int32{-1 << 31, 1<<31 - 1})
				}
			}
		}
	}
	return ranges
}
