package view

import "testing"

// A course keeps what was counted when its pieces become longer.
func TestCourseFolds(t *testing.T) {
	t.Parallel()
	c := new(courses).begin()
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

// When all courses together have too many pieces, those of the shortest ones are joined, and nothing is lost.
func TestCoursesFold(t *testing.T) {
	t.Parallel()
	var all courses
	var list []*course
	const each = 1000
	for range maxAllPieces/each + 10 {
		c := all.begin()
		list = append(list, c)
		for i := range int64(each) {
			c.at(i*firstPiece).Messages++
		}
	}
	pieces := 0
	for n, c := range list {
		pieces += len(c.pieces)
		var messages uint32
		for _, p := range c.pieces {
			messages += p.Messages
		}
		if messages != each {
			t.Fatalf("course %d has %d messages", n, messages)
		}
	}
	if pieces != all.pieces || pieces > maxAllPieces || pieces < maxAllPieces/4 || list[0].step != 2*firstPiece {
		t.Errorf("%d pieces, %d counted, the first of %d ns", pieces, all.pieces, list[0].step)
	}
}

// Where there are many sessions, those that are idle remember no messages.
func TestIdleSessionsForgetMessages(t *testing.T) {
	t.Parallel()
	var s loss
	const sessions = 10 * fewSessions
	for i := range int64(sessions) {
		w := &way{sent: make([]sent, sentWindow), times: times{last: i * 1e9, known: true}}
		s.forgetSent(i * 1e9)
		s.waiting = append(s.waiting, w)
		if len(s.waiting) > fewSessions {
			t.Fatalf("%d sessions remember messages after %d s", len(s.waiting), i)
		}
	}
	if s.live == 0 || s.waiting[len(s.waiting)-1].sent == nil {
		t.Error("a session that is not idle has forgotten its messages")
	}
}
