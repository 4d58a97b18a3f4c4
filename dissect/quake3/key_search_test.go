package quake3

import (
	"sync"
	"testing"
)

// TestKeySearch: searches of several inputs at the same time share what they know of the language, not their limits.
func TestKeySearch(t *testing.T) {
	t.Parallel()
	p := New()
	var searches [4]Protocol
	var all sync.WaitGroup
	for i := range searches {
		all.Go(func() { searches[i] = p.KeySearch().(Protocol) })
	}
	all.Wait()
	seen := map[any]bool{p.finders.get(): true}
	for _, s := range searches {
		if f := s.finders.get(); seen[f] {
			t.Error("two searches share a Finder")
		} else {
			seen[f] = true
		}
	}
	if none := (Protocol{}).KeySearch().(Protocol); none.finders != nil {
		t.Error("a protocol that recovers no keys searches for some")
	}
}
