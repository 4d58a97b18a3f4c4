package view

import (
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"slices"
)

// topKeys is how many keys a statistic counts separately.
const topKeys = 50_000

// A top counts by key in bounded memory: the sketch "space saving" (Metwally, Agrawal, El Abbadi: Efficient
// Computation of Frequent and Top-k Elements in Data Streams, 2005). Up to its capacity it is exact. Beyond, a new key
// takes the place of the one with the least weight and inherits that weight: a key whose true weight is above
// total/capacity is never lost, and a weight is too high by at most the key's own error.
type top[K comparable, V any] struct {
	capacity int
	byKey    map[K]*counted[K, V]
	order    countedHeap[K, V] // least weight first; only once the table is full
	replaced uint64            // keys that lost their place
}

// A counted is a key with its value.
type counted[K comparable, V any] struct {
	key    K
	value  V
	weight uint64
	excess uint64 // of the weight, at most: inherited
	born   uint64 // order of arrival
	at     int    // in the heap
}

func newTop[K comparable, V any](capacity int) *top[K, V] {
	return &top[K, V]{capacity: capacity, byKey: map[K]*counted[K, V]{}}
}

// add returns the value of a key, whose weight it increases. It is zero if the key is new or was replaced
// before.
func (t *top[K, V]) add(key K, weight uint64) *V {
	c, ok := t.byKey[key]
	switch {
	case ok:
	case len(t.byKey) < t.capacity:
		c = &counted[K, V]{key: key, born: uint64(len(t.byKey)), at: -1}
		t.byKey[key] = c
	default:
		c = t.replace(key)
	}
	c.weight += weight
	if c.at >= 0 {
		heap.Fix(&t.order, c.at)
	}
	return &c.value
}

// replace replaces the key of the least weight.
func (t *top[K, V]) replace(key K) *counted[K, V] {
	if t.order == nil {
		for _, c := range t.byKey {
			t.order = append(t.order, c)
		}
		slices.SortFunc(t.order, func(a, b *counted[K, V]) int { return cmp.Compare(a.born, b.born) })
		heap.Init(&t.order)
		for i, c := range t.order {
			c.at = i
		}
	}
	c := t.order[0]
	delete(t.byKey, c.key)
	t.replaced++
	var none V
	c.key, c.value, c.excess, c.born = key, none, c.weight, t.replaced+uint64(t.capacity)
	t.byKey[key] = c
	return c
}

// all returns the entries in the order of a comparison.
func (t *top[K, V]) all(compare func(a, b *counted[K, V]) int) iter.Seq[*counted[K, V]] {
	list := make([]*counted[K, V], 0, len(t.byKey))
	for _, c := range t.byKey {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *counted[K, V]) int { return cmp.Or(compare(a, b), cmp.Compare(a.born, b.born)) })
	return slices.Values(list)
}

// inOrder returns the entries in the order in which they came.
func (t *top[K, V]) inOrder() iter.Seq[*counted[K, V]] {
	return t.all(func(a, b *counted[K, V]) int { return cmp.Compare(a.born, b.born) })
}

// notes returns a note if not all keys are there.
func (t *top[K, V]) notes(what string) []string {
	if t.replaced == 0 {
		return nil
	}
	return []string{fmt.Sprintf(
		"more than %d %s: the smallest gave way to new ones %d times; what a row shows began when it got its place",
		t.capacity, what, t.replaced)}
}

// A countedHeap has the least weight on top.
type countedHeap[K comparable, V any] []*counted[K, V]

func (h countedHeap[K, V]) Len() int { return len(h) }

func (h countedHeap[K, V]) Less(i, j int) bool {
	return h[i].weight < h[j].weight || h[i].weight == h[j].weight && h[i].born < h[j].born
}

func (h countedHeap[K, V]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}

func (h *countedHeap[K, V]) Push(x any) { *h = append(*h, x.(*counted[K, V])) }

func (h *countedHeap[K, V]) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}
