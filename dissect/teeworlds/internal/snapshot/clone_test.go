package snapshot

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// TestClone copies readers in the middle of sessions of the model, with and without loss, in the middle of a snapshot
// of several parts too. A reader and its copy go on with the same result, whatever the other one reads in between.
func TestClone(t *testing.T) {
	t.Parallel()
	internals := cmp.AllowUnexported(Reader{}, history{}, snapshot{}, item{}, partials{}, partial{}, assembly{})
	for seed := range uint64(2) {
		s, p := newServer(seed), NewReader(true)
		for step := range 60 {
			s.step(s.rng.IntN(4) * (1 + 40*(step%20/19)))
			base := s.base()
			data, _, _, crc := s.delta(s.snaps[base])
			if data == nil && base < 0 || seed > 0 && s.rng.IntN(8) == 0 {
				continue
			}
			list := s.messages(base, data, crc, true)
			half := len(list) / 2
			take(p, list[:half])
			c, size := p.Clone()
			if want := p.history.size + p.partials.size; size < want+readerSize {
				t.Fatalf("seed %d, step %d: the copy takes %d bytes, the snapshots %d alone", seed, step, size, want)
			}
			if step%20 == 0 && !cmp.Equal(p.history, c.history, internals) {
				t.Fatalf("seed %d, step %d: what is kept differs", seed, step)
			}
			got, want := take(c, list[half:]), take(p, list[half:])
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(seen{})); diff != "" {
				t.Fatalf("seed %d, step %d (-reader +copy):\n%s", seed, step, diff)
			}
			if diff := cmp.Diff(kept(p, s.tick), kept(c, s.tick)); diff != "" || c.Latest() != p.Latest() {
				t.Fatalf("seed %d, step %d (-reader +copy):\n%s", seed, step, diff)
			}
			if s.rng.IntN(2) == 0 {
				p = c
			}
		}
	}

	// What is spare, and the room of the lists, decide what is kept later: the copy has the same.
	p := NewReader(false)
	if _, size := p.Clone(); size != 4096 {
		t.Errorf("an empty reader takes %d bytes", size)
	}
	codes(p, single(20, 3, packed(0, 1, 0, typeExplosion, 0, 1, 2)), part(22, 0, 3, 5, make([]byte, 900)))
	p.history.drop(20)
	p.delta.next = p.history.empty()
	p.history.spare = append(p.history.spare, &snapshot{ints: make([]int32, 0, 9)})
	c, _ := p.Clone()
	switch {
	case len(c.history.spare) != 1 || cap(c.history.spare[0].ints) != 9:
		t.Errorf("spare: %v", c.history.spare)
	case c.delta.next == nil || c.delta.next == p.delta.next:
		t.Error("the snapshot to fill is not copied")
	case cap(c.parts.data) != cap(p.parts.data) || &c.parts.data[0] == &p.parts.data[0]:
		t.Errorf("parts: room for %d bytes, want %d", cap(c.parts.data), cap(p.parts.data))
	case c.none.Items != nil || cloneWithCapacity[int32](nil) != nil:
		t.Error("nothing becomes something")
	}
}

// TestForget: when ticks begin anew nothing of before counts, also not what was assumed.
func TestForget(t *testing.T) {
	t.Parallel()
	p := NewReader(false)
	p.partials.put(p.partials.empty(18))
	codes(p, part(22, 0, 3, 5, make([]byte, 900)))
	if p.Forget(); p.partials.find(18) != nil || p.partials.size != 0 || p.parts.active {
		t.Error("what was assumed, or a part, is still there")
	}
}

// TestTickZero: a snapshot may be a difference to that of tick 0, and is none to what is before it.
func TestTickZero(t *testing.T) {
	t.Parallel()
	p := NewReader(false)
	next := single(2, 4, packed(0, 1, 0, typeExplosion, 0, 1, 0))
	next.Ints[tables.KeepDelta] = 2
	if got := codes(p, single(0, 3, packed(0, 1, 0, typeExplosion, 0, 1, 2)), next); len(got) > 0 {
		t.Error(got)
	}
	if diff := cmp.Diff(state{makeKey(typeExplosion, 0): {2, 2}}, kept(p, 2)); diff != "" {
		t.Errorf("(-want +kept)\n%s", diff)
	}
}
