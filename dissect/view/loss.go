package view

import (
	"iter"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// lossKind is the lagometer: delay and loss of the messages of each session, each way.
func lossKind() Kind {
	return Kind{
		Name: "loss", Usage: "loss",
		Doc:     "each session and direction: gaps, reordering, snapshots, round trip, and on whose side the loss is",
		Needs:   Needs{Tree: true},
		Columns: lossColumns().described(),
		make: withoutArguments("loss", func(*Env) Statistic {
			return &loss{sessions: newTop[sessionKey, session](topKeys / 10)}
		}),
	}
}

// A lossRow is a row of the statistic loss: one direction of a session.
type lossRow struct {
	*sessionKey
	*way
	direction dissect.Direction
}

func lossColumns() columns[lossRow] {
	count := integerColumn
	ms := func(key, doc string) Column { return numberColumn(key, "ms", doc) }
	// numbered is a column that only messages with numbers have, ofStates one that needs states of the game.
	numbered := func(c Column, value func(lossRow) any) column[lossRow] {
		return column[lossRow]{c, func(r lossRow) any { return onlyIf(!r.unnumbered, value(r)) }}
	}
	ofStates := func(c Column, value func(lossRow) any) column[lossRow] {
		return column[lossRow]{c, func(r lossRow) any { return onlyIf(r.snapshots > 0, value(r)) }}
	}
	return columns[lossRow]{
		{fileColumn.at(InHeading), func(r lossRow) any { return orNil(r.file) }},
		{streamColumn.at(InHeading), func(r lossRow) any { return int64(r.stream) }},
		{count("session", "number of the connection within the stream").at(InHeading), func(r lossRow) any { return int64(r.session) }},
		{textColumn("direction", "which way the messages go"), func(r lossRow) any { return r.direction.String() }},
		{startColumn, func(r lossRow) any { return r.start() }},
		{startTimeColumn, func(r lossRow) any { return r.startTime() }},
		{durationColumn, func(r lossRow) any { return r.duration() }},
		{count("messages", "whole messages that the capture holds, without doubled ones"), func(r lossRow) any { return r.messages }},
		numbered(count("lost", "messages lost between the sender and the capture: numbers that never came; absent, as what "+
			"is late and given up, where messages have none"), func(r lossRow) any { return r.gone() }),
		numbered(numberColumn("lost_percent", "%", "of all that were sent"),
			func(r lossRow) any { return ratio(float64(r.gone())*100, float64(r.messages+r.gone()), 2) }),
		numbered(count("late", "messages that came after later ones"), func(r lossRow) any { return r.late }),
		{count("duplicates", "messages that came again"), func(r lossRow) any { return r.duplicates }},
		numbered(count("given_up", "messages with a missing fragment when a later message came"),
			func(r lossRow) any { return r.givenUp }),
		{count("resent", "messages that the sender says it repeats"), func(r lossRow) any { return r.resent }},
		{count("lost_behind", "messages lost between the capture and the receiver, or come too late there: the other side acknowledged later ones, and not these when they should have been there; an estimate, absent where messages are not acknowledged"), func(r lossRow) any { return onlyIf(r.hasAcked, r.behind) }},
		{textColumn("loss_side", "where the larger loss is, seen from the capture: sender, receiver, or both"), func(r lossRow) any { return r.side() }},
		ofStates(count("snapshots", "states of the game"), func(r lossRow) any { return r.snapshots }),
		ofStates(numberColumn("snapshot_rate", "1/s", "states of the game in a second"),
			func(r lossRow) any { return ratio(float64(r.snapshots), float64(r.last-r.first)/1e9, 2) }),
		ofStates(ms("interval_mean", "mean time between states"), func(r lossRow) any { return r.interval.mean() }),
		ofStates(ms("interval_max", "longest time between states"), func(r lossRow) any { return r.interval.largest() }),
		ofStates(ms("jitter", "mean difference between the time that passed between two states in the capture and by the "+
			"game's clock"), func(r lossRow) any { return r.jitter.mean() }),
		ofStates(numberColumn("base_age_mean", "",
			"mean age of the state that a state is told against, in messages or ticks"),
			func(r lossRow) any { return ratio(float64(r.baseSum), float64(r.snapshots-r.full), 2) }),
		ofStates(count("base_age_max", "the oldest"), func(r lossRow) any { return r.baseMax }),
		ofStates(count("full", "states told against none"), func(r lossRow) any { return r.full }),
		{ms("round_trip_min", "shortest time from the capture to the receiver and back, by acknowledge fields"), func(r lossRow) any { return r.trip.least() }},
		{ms("round_trip_mean", "mean of it"), func(r lossRow) any { return r.trip.mean() }},
		{ms("round_trip_max", "longest"), func(r lossRow) any { return r.trip.largest() }},
	}
}

type sessionKey struct {
	fileStream
	session int
}

// A session has its two directions.
type session struct{ ways [2]way }

// sentWindow is how many messages are remembered for their acknowledgement.
const sentWindow = 256

// A way is the state of the messages in one direction.
type way struct {
	times
	messages, lost, late, duplicates, givenUp, resent uint64

	unnumbered bool

	snapshots, full, baseSum, baseMax uint64
	lastAt, lastServer                int64 // of the newest snapshot
	interval, jitter, trip            spread

	sent     []sent // by number; nil until the first
	acked    uint32 // newest number that the other side acknowledged
	hasAcked bool
	behind   uint64 // lost between the point of capture and the receiver, by acknowledgements

	course *course // nil but in a Lagometer
	clock  courseClock
}

type sent struct {
	number uint32
	at     int64
	open   bool // neither acknowledged nor skipped
	missed bool // an acknowledgement that must have been sent after its arrival does not include it
}

// A spread sums up numbers.
type spread struct {
	n             uint64
	sum, min, max float64
}

func (s *spread) add(v float64) {
	if s.n == 0 {
		s.min, s.max = v, v
	}
	s.n++
	s.sum += v
	s.min, s.max = min(s.min, v), max(s.max, v)
}

// mean returns the mean in milliseconds of values in nanoseconds; nil if there are none.
func (s *spread) mean() any    { return ratio(s.sum/1e6, float64(s.n), 3) }
func (s *spread) least() any   { return s.milliseconds(s.min) }
func (s *spread) largest() any { return s.milliseconds(s.max) }

func (s *spread) milliseconds(v float64) any {
	if s.n == 0 {
		return nil
	}
	return round(v/1e6, 3)
}

type loss struct {
	sessions *top[sessionKey, session]
	t        dissect.Transit
	waiting  []*way // that remember messages for their acknowledgement
	live     int    // of waiting, when these were last looked through

	clock   courseClock // of the record; known in a Lagometer alone
	courses courses
}

// Where there are many sessions, the messages of idle ones are forgotten: they are most of the memory of a session.
const (
	sentTime    = 60e9 // ns: what comes later acknowledges nothing
	fewSessions = 256  // directions that are left alone
)

// forgetSent forgets the messages of directions that have been idle for long.
func (s *loss) forgetSent(now int64) {
	if len(s.waiting) < max(fewSessions, 2*s.live) {
		return
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(w *way) bool {
		if now-w.last > sentTime {
			w.sent = nil
		}
		return w.sent == nil
	})
	s.live = len(s.waiting)
}

func (s *loss) Add(rec *dissect.Record) {
	if rec.Direction == dissect.Undecidable || !rec.Transit(&s.t) {
		return
	}
	key := sessionKey{fileStream{rec.File, rec.Stream}, s.t.Session}
	both := s.sessions.add(key, 1)
	here, there := &both.ways[rec.Direction-1], &both.ways[2-rec.Direction]
	if s.clock.known {
		here.clock, there.clock = s.clock, s.clock
		if here.course == nil {
			here.course = s.courses.begin()
		}
	}
	began := here.sent == nil
	here.add(rec, &s.t)
	if began && here.sent != nil {
		s.forgetSent(rec.Time)
		s.waiting = append(s.waiting, here)
	}
	if s.t.HasAck && rec.HasTime {
		there.acknowledge(s.t.Ack, rec.Time)
	}
}

func (w *way) add(rec *dissect.Record, t *dissect.Transit) {
	w.times.add(rec)
	if p := w.piece(); p.Frame == 0 {
		p.Frame = rec.Frame
	}
	w.unnumbered = t.Unnumbered
	w.lost += t.Lost
	w.piece().Lost += uint32(t.Lost)
	w.late += t.Late
	w.piece().late += uint32(t.Late)
	w.resent += t.Resent
	w.piece().Resent += uint32(t.Resent)
	w.duplicates += t.Duplicates
	if t.Fragments {
		w.givenUp++
	}
	if !t.Whole || t.Again {
		return
	}
	w.messages++
	w.piece().Messages++
	if !rec.HasTime {
		w.recorded(t)
		return
	}
	if w.sent == nil {
		w.sent = make([]sent, sentWindow)
	}
	w.sent[t.Sequence%sentWindow] = sent{number: t.Sequence, at: rec.Time, open: true}
	if t.Snapshot && t.Late == 0 {
		w.snapshot(rec.Time, t)
	}
}

func (w *way) snapshot(at int64, t *dissect.Transit) {
	w.snapshots++
	if t.BaseAge == 0 {
		w.full++
	} else {
		w.baseSum += uint64(t.BaseAge)
		w.baseMax = max(w.baseMax, uint64(t.BaseAge))
		w.piece().base.add(float64(t.BaseAge))
	}
	if w.snapshots > 1 {
		passed := float64(at - w.lastAt)
		w.interval.add(passed)
		w.piece().interval.add(passed)
		if t.HasTime && t.ServerTime > w.lastServer && t.ServerTime-w.lastServer < 60_000 {
			w.jitter.add(math.Abs(passed - float64(t.ServerTime-w.lastServer)*1e6))
		}
	}
	w.lastAt, w.lastServer = at, t.ServerTime
}

// arrival is how many times as late as the quickest acknowledgement one may come before a message counts as
// missing.
const arrival = 1.5

// acknowledge records that the receiver has a message. An earlier message that was not acknowledged is lost if
// an acknowledgement that was sent when it should have arrived does not include it; else they may have arrived
// together.
func (w *way) acknowledge(number uint32, at int64) {
	if w.sent == nil {
		return
	}
	s := &w.sent[number%sentWindow]
	if s.number == number && s.open {
		w.trip.add(float64(at - s.at))
		w.pieceOf(s.at).trip.add(float64(at - s.at))
		s.open = false
	}
	if !w.hasAcked {
		w.acked, w.hasAcked = number, true
		return
	}
	for n := w.acked + 1; int32(number-n) > 0 && number-n < sentWindow; n++ {
		if s := &w.sent[n%sentWindow]; s.number == n && s.open {
			if s.missed {
				w.behind++
				w.pieceOf(s.at).Behind++
			}
			s.open = false
		}
	}
	if int32(number-w.acked) > 0 {
		w.acked = number
	}
	w.miss(number, at)
}

// miss marks the message after the newest acknowledged one, if it should have arrived by now.
func (w *way) miss(acked uint32, at int64) {
	if w.trip.n < 8 {
		return
	}
	usual := w.trip.sum / float64(w.trip.n)
	s := &w.sent[(acked+1)%sentWindow]
	if s.number == acked+1 && s.open && float64(at-s.at) > arrival*usual+20e6 {
		s.missed = true
	}
}

func (s *loss) Tables() []Table {
	return []Table{lossColumns().table("loss", s.rows(), s.sessions.notes("sessions"))}
}

func (s *loss) rows() iter.Seq[lossRow] {
	return func(yield func(lossRow) bool) {
		for c := range s.sessions.inOrder() {
			for i := range c.value.ways {
				w := &c.value.ways[i]
				if (w.known || w.messages > 0) && !yield(lossRow{&c.key, w, dissect.Direction(i + 1)}) {
					return
				}
			}
		}
	}
}

// gone returns how many messages were lost before the capture: late ones are not lost.
func (w *way) gone() uint64 { return w.lost - min(w.lost, w.late) }

// side returns the side of the capture with the larger loss; nil without losses.
func (w *way) side() any {
	lost, behind := w.gone(), w.behind
	if behind*100 < w.messages { // one in a hundred may be a wrong guess
		behind = 0
	}
	switch {
	case lost == 0 && behind == 0:
		return nil
	case lost > 2*behind:
		return "sender"
	case behind > 2*lost:
		return "receiver"
	}
	return "both"
}
