package reassembly

import "slices"

// Clone returns a Messages that continues from the same state by itself: the two share no memory. Results of m are not
// those of the clone.
func (m *Messages) Clone() Messages {
	c := Messages{
		config: m.config, receiver: m.receiver, newest: m.newest, far: m.far,
		finished: m.finished, finishedLen: m.finishedLen, finishedNext: m.finishedNext,
	}
	for _, a := range m.live {
		b := *a
		b.pieces, b.data = slices.Clone(a.pieces), slices.Clone(a.data)
		b.others = nil
		for _, o := range a.others {
			o.data = slices.Clone(o.data)
			b.others = append(b.others, o)
		}
		c.live = append(c.live, &b)
	}
	return c
}

// Trim gives back the memory that is kept for later messages, and that of the results of the last call.
func (m *Messages) Trim() {
	m.free, m.done, m.frames, m.abandoned = nil, nil, nil, nil
}
