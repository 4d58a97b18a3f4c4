package quake3

import (
	"sync"
	"testing"
)

// TestKeySearch: searches of several inputs at the same time share what they know of the language, not their limits.
func TestKeySearch(t *testing.T) {
	t.Parallel()
	p := source{finders: &finders{}}
	var searches [4]source
	var all sync.WaitGroup
	for i := range searches {
		all.Go(func() { searches[i] = p.limited(nil) })
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
	if none := (source{}).limited(nil); none.finders != nil {
		t.Error("a protocol that recovers no keys searches for some")
	}
}
