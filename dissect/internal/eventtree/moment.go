package eventtree

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/streak"
)

// TurnSpeed is how fast a view turned.
var TurnSpeed = dissect.Field{Key: "turn_speed", Kind: dissect.Float, Unit: "degrees/s", Doc: "flick: how fast it turned"}

// Float adds a number with decimals.
func (w *Writer) Float(f *dissect.Field, v float64) {
	w.Tree.AddFloat(f, float32(v), 0, 0)
}

// Span adds the times between which a moment was.
func (w *Writer) Span(start, end *dissect.Field, first, last int64) {
	w.Number(start, first)
	w.Number(end, last)
}

// Streak adds what a multikill has beside its player and its span.
func (w *Writer) Streak(s *streak.Streak) {
	w.Number(&Streak, int64(s.Kills))
	w.Number(&Window, s.Last-s.First)
	if s.OneShot > 1 {
		w.Number(&OneShot, int64(s.OneShot))
	}
}

// moment is Write for remarkable moments. It reports whether the event is about one.
func (s *Sentence) moment(kind string) bool {
	switch kind {
	case event.Multikill:
		s.somebody(clientKey)
		s.Number(" killed ", Streak.Key)
		s.duration(" in ", Window.Key)
		s.Number(", ", OneShot.Key)
		s.Flag(" with one shot", OneShot.Key)
	case event.Midair:
		s.somebody(clientKey)
		s.Add(" hit ")
		s.somebody(victimKey)
		s.Add(" in the air")
		s.whole(" from ", Distance.Key)
		s.Flag(" units", Distance.Key)
		s.Named(" (", meansKey)
		s.Flag(")", meansKey)
	case event.Flick:
		s.somebody(clientKey)
		s.Add(" killed ")
		s.somebody(victimKey)
		s.whole(" after a turn of ", Angle.Key)
		s.whole(" degrees at ", TurnSpeed.Key)
		s.Flag(" degrees/s", TurnSpeed.Key)
		s.Named(" (", meansKey)
		s.Flag(")", meansKey)
	default:
		return false
	}
	return true
}
