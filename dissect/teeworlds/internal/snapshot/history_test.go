package snapshot

import "testing"

// TestHistory keeps what a server may refer to, and no more memory than a session may take.
func TestHistory(t *testing.T) {
	t.Parallel()
	var h history
	for tick := range int32(1000) {
		s := h.empty()
		s.add(makeKey(6, 0), []int32{tick, 0, 0})
		h.put(tick, s)
		for _, back := range []int32{0, 1, 150, 255} {
			got, ok := h.find(tick - back)
			if want := tick >= back; ok != want || ok && got.ints[0] != tick-back {
				t.Fatalf("tick %d: %d back is %v", tick, back, ok)
			}
		}
	}
	big := make([]int32, maxSnapshotBytes/4)
	for tick := int32(1000); tick < 1300; tick++ {
		s := h.empty()
		s.add(makeKey(30, 0), big)
		h.put(tick, s)
	}
	if _, ok := h.find(1299); !ok || h.size > historyBytes {
		t.Errorf("%d bytes are kept", h.size)
	}
}

// TestPartialsBounded keeps no more than a session may take.
func TestPartialsBounded(t *testing.T) {
	t.Parallel()
	var l partials
	big := make([]int32, maxSnapshotBytes/4)
	for tick := range int32(300) {
		p := l.empty(tick)
		if tick > 100 {
			p.snap.add(makeKey(30, 0), big)
			p.trust = append(p.trust, assumed)
		}
		l.put(p)
		if len(l.list) > maxPartials || l.size > maxPartialsBytes || l.find(tick) != p {
			t.Fatalf("tick %d: %d partials of %d bytes", tick, len(l.list), l.size)
		}
	}
	if l.reset(); l.size != 0 || l.find(299) != nil {
		t.Error("they are still there")
	}
}
