package idle

import (
	"cmp"
	"math"
	"slices"
)

// What is kept for streams grows at most by about growth bytes with each byte of the input, counted by DatagramCost. So
// the account needs a look at the streams only now and then.
const (
	growth  = 16
	leastIn = 1 << 20 // bytes of the input between two looks
)

// Due returns after how many bytes of the input a Measure is due, when everything takes total bytes.
func (m *Memory[T]) Due(total int) uint64 {
	return uint64(max((m.limit-total-m.collected)/growth, leastIn))
}

// Shares of the limit that what is collected from the records may take. Beyond the first, nothing is collected of
// streams that begin later, beyond the second only of those with most datagrams and of those that were used last, the
// young ones that go on: what is collected cannot be taken back, but it grows no further.
const (
	fullShare = 3. / 8
	lastShare = 5. / 8
	mostKept  = 64 // streams of both: more than a server has players
)

// CollectedDue reports whether what is collected is to be measured again, when the input has come to a place: it is
// measured whole each time, and so the more seldom the larger it is.
func (m *Memory[T]) CollectedDue(at uint64) bool {
	return at-m.measured >= uint64(m.collected/collectedEvery)
}

// collectedEvery is how many bytes are measured at most for each byte of the input.
const collectedEvery = 8

// Collected takes note of how many bytes are collected from the records of all streams, at a place of the input.
func (m *Memory[T]) Collected(at uint64, bytes int) {
	m.measured, m.collected = at, bytes
	m.full = m.full || float64(bytes) > fullShare*float64(m.limit)
	if float64(bytes) <= lastShare*float64(m.limit) {
		return
	}
	list := slices.DeleteFunc(m.all(), func(s *T) bool { return m.use(s).Uncollected })
	for _, rank := range [...]func(u *Use[T]) uint64{
		func(u *Use[T]) uint64 { return uint64(u.datagrams) },
		func(u *Use[T]) uint64 { return u.used },
	} {
		slices.SortStableFunc(list, func(a, b *T) int { return cmp.Compare(rank(m.use(b)), rank(m.use(a))) })
		list = list[min(mostKept, len(list)):]
	}
	for _, s := range list {
		m.use(s).Uncollected = true
	}
}

// all returns the streams of all lists.
func (m *Memory[T]) all() (all []*T) {
	for _, l := range []*List[T]{&m.light, &m.live, &m.idle} {
		for s := l.Oldest; s != nil; s = l.links(s).newer {
			all = append(all, s)
		}
	}
	return all
}

// Measure measures the streams that changed since the last time. If all together, with what is collected, take more
// than the limit, it returns those that are to be forgotten: the ones that were unused for the longest time, until a
// fourth of what is theirs is free.
func (m *Memory[T]) Measure(size func(*T) int) (total int, forgotten []*T) {
	all := m.all()
	for _, s := range all {
		if u := m.use(s); u.changed {
			u.changed, u.size = false, uint32(min(size(s), math.MaxUint32))
		}
		total += int(m.use(s).size)
	}
	limit := max(m.limit-m.collected, m.limit/4)
	if total <= limit {
		return total, nil
	}
	slices.SortStableFunc(all, func(a, b *T) int { return cmp.Compare(m.use(a).used, m.use(b).used) })
	for i, s := range all {
		if total <= limit/4*3 || i == len(all)-1 { // the newest stays, however large it is
			break
		}
		total -= int(m.use(s).size)
		m.forget(s)
		forgotten = append(forgotten, s)
	}
	return total, forgotten
}
