package enet

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// Limits of fragmented messages. ENet's own are in protocol.h.
const (
	maxFragments = 1 << 20  // ENET_PROTOCOL_MAXIMUM_FRAGMENT_COUNT
	maxMessage   = 32 << 20 // ENET_HOST_DEFAULT_MAXIMUM_PACKET_SIZE
	maxHeld      = 4 << 20  // bytes of unfinished messages kept per direction
	maxMessages  = 32       // unfinished messages kept per direction
)

// A message is a fragmented message being reassembled.
type message struct {
	channel  uint8
	command  byte // number of the commands that carry it; each has its own start numbers
	reliable bool
	start    uint32
	count    int
	total    int
	parts    []fragment // by number
	size     int        // bytes of the parts
}

type fragment struct {
	number, offset int
	data           []byte
	frame          uint64
}

// dissectFragment takes the fragment at byte at of the datagram.
func (c *conversation) dissectFragment(rec *dissect.Record, r *reader, a *arrived, side *side,
	duplicate bool, at, size int,
) {
	data := r.B[at : at+size]
	count, number := a.value(r.B, countField), a.value(r.B, numberField)
	total, offset := a.value(r.B, totalField), a.value(r.B, offsetField)
	r.Tree.AddBytes(&dataField, data, at<<3, size<<3)
	if count > maxFragments || total > maxMessage || number >= count || offset+uint64(size) > total {
		r.Malformed(numberField, a.at, "fragment %d of %d, at byte %d of %d, cannot be", number, count, offset, total)
		return
	}
	if duplicate {
		return
	}
	id := message{
		channel: a.head.channel, command: a.head.number, reliable: a.command.repeated,
		start: uint32(a.value(r.B, startField)), count: int(count), total: int(total),
	}
	m := side.fragment(rec, id, fragment{int(number), int(offset), append([]byte(nil), data...), rec.Frame})
	if m == nil {
		return
	}
	message, ok := m.join()
	r.Enter(&reassembledField)
	frames := make([]uint64, 0, len(m.parts))
	for i := range m.parts {
		frames = append(frames, m.parts[i].frame)
	}
	slices.Sort(frames)
	for _, f := range slices.Compact(frames) {
		r.Tree.Add(reassembledField.Children[0], f, 0, 0)
	}
	r.Leave()
	if !ok {
		rec.Expert(dissect.Warning, expertFragmentConflict, &joinedField, a.at<<3,
			"the fragments of the message do not fit together")
		return
	}
	if c.read {
		c.carried.Join(message, dissect.Payload{Direction: rec.Direction, Reliable: id.reliable})
		return
	}
	from := 0
	if c.carried.Unpacked() {
		from = len(c.carried.Space)
		c.carried.Join(message, dissect.Payload{Direction: rec.Direction, Reliable: id.reliable})
		message = c.carried.Space[from:]
	} else { // a packet can complete several
		from = len(rec.Message)
		rec.Message = append(rec.Message, message...)
	}
	r.Tree.AddBytes(&joinedField, message, from<<3, len(message)<<3)
}

// fragment adds a fragment, and returns the message once it is complete.
func (s *side) fragment(rec *dissect.Record, id message, p fragment) *message {
	i := slices.IndexFunc(s.assembled, func(m message) bool {
		return m.channel == id.channel && m.start == id.start && m.command == id.command &&
			m.count == id.count && m.total == id.total
	})
	if i < 0 {
		for len(s.assembled) >= maxMessages || len(s.assembled) > 0 && s.size+len(p.data) > maxHeld {
			s.drop(rec)
		}
		i = len(s.assembled)
		s.assembled = append(s.assembled, id)
	}
	m := &s.assembled[i]
	at, found := slices.BinarySearchFunc(m.parts, p.number, func(p fragment, number int) int { return p.number - number })
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

// drop discards the oldest message.
func (s *side) drop(rec *dissect.Record) {
	m := &s.assembled[0]
	rec.Expert(dissect.Warning, expertFragmentLost, nil, 0,
		"a message of %d bytes was never complete: of its %d fragments %d were seen", m.total, m.count, len(m.parts))
	s.size -= m.size
	s.assembled = slices.Delete(s.assembled, 0, 1)
}

// join puts the parts together; ok is false if they leave gaps or overlap.
func (m *message) join() (message []byte, ok bool) {
	message = make([]byte, 0, m.size)
	for i := range m.parts {
		if m.parts[i].offset != len(message) {
			return nil, false
		}
		message = append(message, m.parts[i].data...)
	}
	return message, len(message) == m.total
}
