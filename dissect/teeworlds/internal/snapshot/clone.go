package snapshot

import "slices"

// Clone returns a Reader with a copy of the state, and about how many bytes it takes. Lists keep their capacity,
// because the limits of what a Reader keeps are of capacities.
func (p *Reader) Clone() (c *Reader, size int) {
	c = &Reader{state: p.state, dialect: p.dialect, newest: p.newest, recent: p.recent, extended: slices.Clone(p.extended)}
	c.history.ticks, c.history.size = p.history.ticks, p.history.size
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
	for i, s := range p.history.snaps {
		c.history.snaps[i] = clone(s)
	}
	for _, s := range p.history.spare {
		c.history.spare = append(c.history.spare, clone(s))
	}
	c.delta.next = clone(p.delta.next)
	for _, l := range p.partials.list {
		o := l.clone()
		c.partials.list = append(c.partials.list, o)
		size += o.bytes()
	}
	if p.partials.spare != nil {
		c.partials.spare = p.partials.spare.clone()
	}
	c.partials.size = p.partials.size
	c.parts = p.parts
	c.parts.data = cloneWithCapacity(p.parts.data)
	return c, size + readerSize
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
