package snapshot

import "slices"

// Clone returns a Reader with a copy of the state, and about how many bytes it takes. Lists keep their capacity,
// because the limits of what a Reader keeps are of capacities.
func (p *Reader) Clone() (c *Reader, size int) {
	c = &Reader{state: p.state, dialect: p.dialect, newest: p.newest, recent: p.recent, extended: slices.Clone(p.extended)}
	own := map[*snapshot]*snapshot{}
	clone := func(s *snapshot) *snapshot {
		if s == nil {
			return nil
		}
		if own[s] == nil {
			o := s.clone()
			own[s] = &o
			size += s.bytes()
		}
		return own[s]
	}
	c.history = p.history.clone(clone)
	c.delta.next = clone(p.delta.next)
	c.partials = p.partials.clone()
	size += p.partials.size
	if c.doubt = p.doubt; c.doubt.past != nil {
		c.doubt.past = &past{p.doubt.past.history.clone(clone), p.doubt.past.partials.clone()}
		size += p.doubt.past.partials.size
	}
	c.parts = p.parts
	c.parts.data = cloneWithCapacity(p.parts.data)
	return c, size + readerSize
}

// clone returns a copy with copies of the snapshots.
func (h *history) clone(clone func(*snapshot) *snapshot) history {
	c := history{ticks: h.ticks, size: h.size}
	for i, s := range h.snaps {
		c.snaps[i] = clone(s)
	}
	for _, s := range h.spare {
		c.spare = append(c.spare, clone(s))
	}
	return c
}

func (l *partials) clone() partials {
	c := partials{size: l.size}
	for _, p := range l.list {
		c.list = append(c.list, p.clone())
	}
	if l.spare != nil {
		c.spare = l.spare.clone()
	}
	return c
}

// readerSize is about how many bytes a Reader takes without its snapshots.
const readerSize = 4 << 10

func (s *snapshot) clone() snapshot {
	return snapshot{Items: cloneWithCapacity(s.Items), ints: cloneWithCapacity(s.ints), refs: s.refs}
}

func (p *partial) clone() *partial {
	c := *p
	c.snap, c.trust, c.absent = p.snap.clone(), cloneWithCapacity(p.trust), cloneWithCapacity(p.absent)
	return &c
}

// cloneWithCapacity copies a list and keeps its capacity.
func cloneWithCapacity[T any](list []T) []T {
	if list == nil {
		return nil
	}
	return append(make([]T, 0, cap(list)), list...)
}
