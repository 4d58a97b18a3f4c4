package view

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Lagometer is the statistic loss, with what its rows sum up for pieces of time.
type Lagometer struct {
	loss
	moment func(*dissect.Record) (ns int64, ok bool)
}

// Limits of memory.
const (
	maxCourses   = 512     // directions of sessions whose course is kept: those that come first
	maxAllPieces = 150_000 // of all courses together: the shortest are joined when there are more
)

// courses are those of an input.
type courses struct {
	list   []*course
	pieces int // of all
}

// begin returns a new course; nil: there are too many.
func (cs *courses) begin() *course {
	if len(cs.list) == maxCourses {
		return nil
	}
	c := &course{step: firstPiece, of: cs}
	cs.list = append(cs.list, c)
	return c
}

// fold makes the pieces of the courses with the shortest ones twice as long.
func (cs *courses) fold() {
	least := int64(math.MaxInt64)
	for _, c := range cs.list {
		least = min(least, c.step)
	}
	for _, c := range cs.list {
		if c.step == least {
			c.fold()
		}
	}
}

// NewLagometer begins. moment gives the time of a record on the axis that the caller wants, in nanoseconds; it does not
// go back by more than messages overtake each other.
func NewLagometer(moment func(*dissect.Record) (ns int64, ok bool)) *Lagometer {
	return &Lagometer{loss{sessions: newTop[sessionKey, session](topKeys / 10)}, moment}
}

// Add takes a record that was made with its tree, and keeps nothing of it.
func (l *Lagometer) Add(rec *dissect.Record) {
	at, ok := l.moment(rec)
	l.clock = courseClock{known: ok, now: at, capture: rec.Time}
	l.loss.Add(rec)
}

// A Course is how the messages of a session travelled in one direction, piece of time by piece of time.
type Course struct {
	File      string
	Stream    int
	Session   int
	Direction dissect.Direction
	Step      int64 // length of a piece, ns
	Pieces    []Piece

	// Unnumbered means that messages have no numbers: what is lost or late is not known, and 0 in the pieces.
	Unnumbered bool
}

// A Piece is what happened in one piece of time. Means and extremes are in milliseconds, NaN where there were none.
type Piece struct {
	Number                 int64  // of the piece: it begins at Number times Step
	Frame                  uint64 // of its first record; 0: there is only what the other direction shows
	Messages, Lost, Behind uint32
	Resent                 uint32
	Interval, IntervalMax  float64
	BaseAge, BaseAgeMax    float64 // in messages or ticks
	RoundTrip              float64

	late                 uint32 // of what counts as lost at first
	interval, base, trip spread
}

// Courses returns the directions of all sessions that had messages.
func (l *Lagometer) Courses() []Course {
	var list []Course
	for c := range l.sessions.inOrder() {
		for i := range c.value.ways {
			w := &c.value.ways[i]
			if w.course == nil {
				continue
			}
			course := Course{
				File: c.key.file, Stream: c.key.stream, Session: c.key.session, Direction: dissect.Direction(i + 1),
				Step: w.course.step, Unnumbered: w.unnumbered,
			}
			for _, p := range w.course.pieces {
				p.finish()
				course.Pieces = append(course.Pieces, p)
			}
			list = append(list, course)
		}
	}
	return list
}

func (p *Piece) finish() {
	mean := func(s *spread, unit float64) float64 {
		if s.n == 0 {
			return math.NaN()
		}
		return s.sum / float64(s.n) / unit
	}
	largest := func(s *spread, unit float64) float64 {
		if s.n == 0 {
			return math.NaN()
		}
		return s.max / unit
	}
	p.Interval, p.IntervalMax = mean(&p.interval, 1e6), largest(&p.interval, 1e6)
	p.BaseAge, p.BaseAgeMax = mean(&p.base, 1), largest(&p.base, 1)
	p.RoundTrip = mean(&p.trip, 1e6)
	p.Lost -= min(p.Lost, p.late)
}

// A courseClock gives a record's time on the axis of the courses.
type courseClock struct {
	known        bool
	now, capture int64
}

// A course is kept in at most maxPieces; when there are more, two become one.
type course struct {
	step   int64
	pieces []Piece // rising; those in which nothing happened are left out
	of     *courses
}

const (
	firstPiece = 1e9 // ns
	maxPieces  = 1200
)

// at returns the piece of a time.
func (c *course) at(ns int64) *Piece {
	number := floorDiv(ns, c.step)
	for i := len(c.pieces) - 1; i >= 0 && c.pieces[i].Number >= number; i-- {
		if c.pieces[i].Number == number {
			return &c.pieces[i]
		}
	}
	if n := len(c.pieces); n > 0 && c.pieces[n-1].Number > number {
		return &c.pieces[0] // of before: messages that are late by a whole course
	}
	if len(c.pieces) == maxPieces {
		c.fold()
		return c.at(ns)
	}
	if c.of.pieces == maxAllPieces {
		c.of.fold()
		return c.at(ns)
	}
	c.pieces = append(c.pieces, Piece{Number: number})
	c.of.pieces++
	return &c.pieces[len(c.pieces)-1]
}

// fold makes pieces twice as long.
func (c *course) fold() {
	c.step *= 2
	kept := c.pieces[:0]
	for i := range c.pieces {
		p := c.pieces[i]
		p.Number = floorDiv(p.Number, 2)
		if n := len(kept); n > 0 && kept[n-1].Number == p.Number {
			kept[n-1].join(&p)
			continue
		}
		kept = append(kept, p)
	}
	c.of.pieces -= len(c.pieces) - len(kept)
	c.pieces = kept
	if len(kept) == maxPieces { // they lie far apart
		c.fold()
	}
}

func floorDiv(a, b int64) int64 {
	if q := a / b; a%b != 0 && a < 0 {
		return q - 1
	}
	return a / b
}

func (p *Piece) join(q *Piece) {
	if p.Frame == 0 {
		p.Frame = q.Frame
	}
	p.Messages, p.Lost, p.Behind = p.Messages+q.Messages, p.Lost+q.Lost, p.Behind+q.Behind
	p.Resent += q.Resent
	p.late += q.late
	p.interval.join(&q.interval)
	p.base.join(&q.base)
	p.trip.join(&q.trip)
}

func (s *spread) join(o *spread) {
	switch {
	case o.n == 0:
	case s.n == 0:
		*s = *o
	default:
		s.n, s.sum = s.n+o.n, s.sum+o.sum
		s.min, s.max = min(s.min, o.min), max(s.max, o.max)
	}
}

// piece is what a Lagometer counts the present record in, and nothing otherwise.
func (w *way) piece() *Piece {
	if w.course == nil {
		return &Piece{}
	}
	return w.course.at(w.clock.now)
}

// pieceOf is the piece of a time of the capture.
func (w *way) pieceOf(at int64) *Piece {
	if w.course == nil {
		return &Piece{}
	}
	return w.course.at(w.clock.now - (w.clock.capture - at))
}

// recorded takes a state of the game of a recording, which has no time but the game's own.
func (w *way) recorded(t *dissect.Transit) {
	if w.course == nil || !t.Snapshot || t.Late > 0 {
		return
	}
	if t.BaseAge > 0 {
		w.piece().base.add(float64(t.BaseAge))
	}
	if passed := t.ServerTime - w.lastServer; t.HasTime && w.lastServer > 0 && passed > 0 && passed < 60_000 {
		w.piece().interval.add(float64(passed) * 1e6)
	}
	w.lastServer = t.ServerTime
}
