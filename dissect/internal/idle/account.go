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
func (m *Memory[T]) Due(total int) uint64 { return uint64(max((m.limit-total)/growth, leastIn)) }

// Measure measures the streams that changed since the last time. If all together take more than the limit, it returns
// those that are to be forgotten: the ones that were unused for the longest time, until a fourth of the limit is free.
func (m *Memory[T]) Measure(size func(*T) int) (total int, forgotten []*T) {
	var all []*T
	for _, l := range []*List[T]{&m.light, &m.live, &m.idle} {
		for s := l.Oldest; s != nil; s = l.links(s).newer {
			if u := m.use(s); u.changed {
				u.changed, u.size = false, uint32(min(size(s), math.MaxUint32))
			}
			total += int(m.use(s).size)
			all = append(all, s)
		}
	}
	if total <= m.limit {
		return total, nil
	}
	slices.SortStableFunc(all, func(a, b *T) int { return cmp.Compare(m.use(a).used, m.use(b).used) })
	for i, s := range all {
		if total <= m.limit/4*3 || i == len(all)-1 { // the newest stays, however large it is
			break
		}
		total -= int(m.use(s).size)
		m.forget(s)
		forgotten = append(forgotten, s)
	}
	return total, forgotten
}
