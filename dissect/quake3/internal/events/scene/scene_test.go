package scene

import "testing"

// TestObituaryWithoutBase looks at an obituary in snapshots whose bases are lost: an unknown value may be
// anything, and values become known as the server sends them. It is one event until a known value differs.
func TestObituaryWithoutBase(t *testing.T) {
	kill := func(known [7]bool, values ...uint32) *identity {
		var id identity
		copy(id.known[:], known[:])
		for i, v := range values {
			if known[i] {
				id.values[i] = v
			}
		}
		return &id
	}
	means, victim, both := [7]bool{true}, [7]bool{true, true}, [7]bool{true, true, true}
	seen := *kill(means, 10, 99, 99)
	for _, next := range []*identity{kill(means, 10, 5, 6), kill(victim, 10, 3, 7), kill(both, 10, 3, 1)} {
		if !seen.sameAs(next) {
			t.Fatalf("%v is another than %v", next, seen)
		}
		seen.add(next)
	}
	for _, other := range []*identity{kill(means, 11), kill(victim, 10, 4), kill(both, 10, 3, 2)} {
		if seen.sameAs(other) {
			t.Errorf("%v is the same as %v", other, seen)
		}
	}
}
