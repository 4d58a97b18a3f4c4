package view

import "testing"

// A course keeps what was counted when its pieces become longer.
func TestCourseFolds(t *testing.T) {
	t.Parallel()
	c := &course{step: firstPiece}
	const n = 5000
	for i := range int64(n) {
		p := c.at(i * firstPiece)
		p.Messages++
		p.interval.add(float64(i))
	}
	var messages uint32
	for i, p := range c.pieces {
		messages += p.Messages
		if i > 0 && p.Number <= c.pieces[i-1].Number {
			t.Fatalf("piece %d is number %d after %d", i, p.Number, c.pieces[i-1].Number)
		}
	}
	if messages != n || len(c.pieces) > maxPieces || c.step != 8*firstPiece {
		t.Errorf("%d messages in %d pieces of %d ns", messages, len(c.pieces), c.step)
	}
	if last := c.pieces[len(c.pieces)-1]; last.interval.max != n-1 || c.pieces[0].interval.max != 7 ||
		c.pieces[0].interval.n != 8 {
		t.Errorf("the last piece has %v, the first %v of %d", last.interval.max, c.pieces[0].interval.max,
			c.pieces[0].interval.n)
	}
	c.at(3*firstPiece).Messages++ // late
	if c.pieces[0].Messages != 9 {
		t.Errorf("the late message is not in the first piece: %d", c.pieces[0].Messages)
	}
}
