package snapshot

import "encoding/binary"

// Rest gives back memory until Wake: that which reading uses, and most of the history's, which is packed.
func (p *Reader) Rest() {
	if p == nil || p.packed != nil {
		return
	}
	p.delta, p.history.spare = delta{}, nil
	if !p.parts.active {
		p.parts.data = nil
	}
	if p.doubt.past == nil { // which has the same snapshots
		p.packed = p.history.pack()
	}
}

// Wake makes the reader what it was before Rest.
func (p *Reader) Wake() {
	if p != nil && p.packed != nil {
		p.history.unpack(p.packed)
		p.packed = nil
	}
}

// pack empties the history and returns it as bytes: each snapshot is what differs from the one before.
func (h *history) pack() []byte {
	var out []byte
	before := new(snapshot)
	written := map[*snapshot]uint64{}
	for i, s := range h.snaps {
		if s == nil {
			continue
		}
		out = binary.AppendUvarint(out, uint64(i)+1)
		out = binary.AppendUvarint(out, uint64(uint32(h.ticks[i])))
		out = binary.AppendUvarint(out, written[s])
		if written[s] == 0 {
			written[s] = uint64(len(written)) + 1
			out = s.pack(out, before)
			before = s
		}
		h.snaps[i] = nil
	}
	return append([]byte{}, binary.AppendUvarint(out, 0)...)
}

// pack appends what differs from another snapshot.
func (s *snapshot) pack(out []byte, before *snapshot) []byte {
	out = binary.AppendUvarint(out, uint64(len(s.Items)))
	last := Key(0)
	for i := range s.Items {
		it := &s.Items[i]
		out = binary.AppendUvarint(out, uint64(uint32(it.Key-last)))
		out = binary.AppendUvarint(out, uint64(it.size))
		last = it.Key
		from := before.like(it)
		zeros := 0 // values in a row that do not differ
		for j, v := range s.Values(it) {
			if from != nil {
				v ^= from[j]
			}
			if v == 0 {
				zeros++
				continue
			}
			out = binary.AppendUvarint(out, uint64(zeros)+1)
			out = binary.AppendUvarint(out, uint64(uint32(v)))
			zeros = 0
		}
		out = append(out, 0)
	}
	return out
}

// like returns the values of the same item, if it has as many.
func (s *snapshot) like(it *item) []int32 {
	if i := s.find(it.Key); i >= 0 && s.Items[i].size == it.size {
		return s.Values(&s.Items[i])
	}
	return nil
}

// unpack makes the history what it was before pack.
func (h *history) unpack(in []byte) {
	next := func() uint32 {
		v, n := binary.Uvarint(in)
		in = in[n:]
		return uint32(v)
	}
	before := new(snapshot)
	var read []*snapshot
	for place := next(); place != 0; place = next() {
		h.ticks[place-1] = int32(next())
		number := next()
		if number == 0 {
			before = unpackSnapshot(next, before)
			read = append(read, before)
			number = uint32(len(read))
		}
		s := read[number-1]
		s.refs++
		h.snaps[place-1] = s
	}
}

func unpackSnapshot(next func() uint32, before *snapshot) *snapshot {
	s := &snapshot{Items: make([]item, 0, next())}
	key := Key(0)
	for range cap(s.Items) {
		key += Key(next())
		it := item{Key: key, start: int32(len(s.ints)), size: int32(next())}
		if from := before.like(&it); from != nil {
			s.ints = append(s.ints, from...)
		} else {
			s.ints = append(s.ints, make([]int32, it.size)...)
		}
		s.Items = append(s.Items, it)
		values := s.Values(&it)
		for gap := next(); gap != 0; gap = next() {
			values = values[gap-1:]
			values[0] ^= int32(next())
			values = values[1:]
		}
	}
	return s
}
