package gamestudio

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// Limits of fragmented messages. ENet's own are in protocol.h.
const (
	enetMaxFragments = 1 << 20  // ENET_PROTOCOL_MAXIMUM_FRAGMENT_COUNT
	enetMaxMessage   = 32 << 20 // ENET_HOST_DEFAULT_MAXIMUM_PACKET_SIZE
	enetMaxHeld      = 4 << 20  // bytes of unfinished messages that are kept per direction
	enetMaxMessages  = 32       // unfinished messages that are kept per direction
)

// An enetMessage is a fragmented message in the making.
type enetMessage struct {
	channel    uint8
	start      uint32
	unreliable bool
	count      int
	total      int
	parts      []enetPart // by number
	size       int        // bytes of the parts
}

type enetPart struct {
	number, offset int
	data           []byte
	frame          uint64
}

// enetFragment takes a fragment, which stands at byte at of the datagram.
func (c *conversation) enetFragment(rec *dissect.Record, r *reader, a *enetArrived, side *enetSide, duplicate bool, at, size int, h hint) {
	data := r.b[at : at+size]
	count, number := a.value(r.b, enetCount), a.value(r.b, enetNumberField)
	total, offset := a.value(r.b, enetTotal), a.value(r.b, enetOffset)
	r.tree.AddBytes(&enetData, data, at<<3, size<<3)
	if count > enetMaxFragments || total > enetMaxMessage || number >= count || offset+uint64(size) > total {
		r.malformed(enetNumberField, a.at, "fragment %d of %d, at byte %d of %d, cannot be", number, count, offset, total)
		return
	}
	if duplicate {
		return
	}
	id := enetMessage{
		channel: a.head.channel, start: uint32(a.value(r.b, enetStart)), unreliable: a.head.number == enetUnreliableFragment,
		count: int(count), total: int(total),
	}
	m := side.fragment(rec, id, enetPart{int(number), int(offset), append([]byte(nil), data...), rec.Frame})
	if m == nil {
		return
	}
	message, ok := m.join()
	r.enter(&enetReassembled)
	frames := make([]uint64, 0, len(m.parts))
	for i := range m.parts {
		frames = append(frames, m.parts[i].frame)
	}
	slices.Sort(frames)
	for _, f := range slices.Compact(frames) {
		r.tree.Add(enetReassembled.Children[0], f, 0, 0)
	}
	r.leave()
	if !ok {
		rec.Expert(dissect.Warning, expertFragmentConflict, &enetJoined, a.at<<3, "the fragments of the message do not fit together")
		return
	}
	if h&isGame != 0 {
		c.joinPayload(message, part{})
		return
	}
	from := 0
	if c.unpacked {
		from = len(c.space)
		c.joinPayload(message, part{})
		message = c.space[from:]
	} else {
		rec.Message = message
	}
	r.tree.AddBytes(&enetJoined, message, from<<3, len(message)<<3)
}

// fragment adds a fragment, and gives the message when it has all of them.
func (s *enetSide) fragment(rec *dissect.Record, id enetMessage, p enetPart) *enetMessage {
	i := slices.IndexFunc(s.assembled, func(m enetMessage) bool {
		return m.channel == id.channel && m.start == id.start && m.unreliable == id.unreliable && m.count == id.count && m.total == id.total
	})
	if i < 0 {
		for len(s.assembled) >= enetMaxMessages || len(s.assembled) > 0 && s.size+len(p.data) > enetMaxHeld {
			s.drop(rec)
		}
		i = len(s.assembled)
		s.assembled = append(s.assembled, id)
	}
	m := &s.assembled[i]
	at, found := slices.BinarySearchFunc(m.parts, p.number, func(p enetPart, number int) int { return p.number - number })
	if found {
		return nil
	}
	m.parts = slices.Insert(m.parts, at, p)
	m.size += len(p.data)
	s.size += len(p.data)
	if len(m.parts) < m.count {
		return nil
	}
	done := *m
	s.size -= done.size
	s.assembled = slices.Delete(s.assembled, i, i+1)
	return &done
}

// drop gives up the oldest message.
func (s *enetSide) drop(rec *dissect.Record) {
	m := &s.assembled[0]
	rec.Expert(dissect.Warning, expertFragmentLost, nil, 0, "a message of %d bytes was never complete: of its %d fragments %d were seen", m.total, m.count, len(m.parts))
	s.size -= m.size
	s.assembled = slices.Delete(s.assembled, 0, 1)
}

// join puts the parts together; ok is false where they leave gaps or overlap.
func (m *enetMessage) join() (message []byte, ok bool) {
	message = make([]byte, 0, m.size)
	for i := range m.parts {
		if m.parts[i].offset != len(message) {
			return nil, false
		}
		message = append(message, m.parts[i].data...)
	}
	return message, len(message) == m.total
}
