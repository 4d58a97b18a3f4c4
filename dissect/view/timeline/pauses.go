package timeline

import "github.com/q3dissect/q3dissect/dissect/event"

// shortPause is the shortest pause that is found, in seconds. Events of several streams are seen at times that differ
// by less.
const shortPause = 1.5

// findPauses finds when matches were halted: where time went on and the clock of the match did not. The clock is that
// of the last snapshot, which may be old where nothing comes through; after a pause it stays behind for the rest of the
// match.
//
// How long a pause was is known to within two server frames. Where it lies between two events is known where one of
// them happened during it.
func (g *Game) findPauses() {
	var timed []*Event
	for i := range g.Events {
		if e := &g.Events[i]; e.Match != nil && e.Clock != nil {
			timed = append(timed, e)
		}
	}
	for len(timed) > 0 {
		n := 1
		for n < len(timed) && *timed[n].Match == *timed[0].Match && *timed[n].Clock >= *timed[0].Clock &&
			timed[n].Kind != event.MatchStart {
			n++
		}
		g.pausesOf(timed[:n])
		timed = timed[n:]
	}
}

// pausesOf finds the pauses of one match.
func (g *Game) pausesOf(events []*Event) {
	behind := make([]float64, len(events)) // how far the clock is behind at least, from this event on
	for i := len(events) - 1; i >= 0; i-- {
		behind[i] = events[i].Time - *events[i].Clock
		if i+1 < len(events) {
			behind[i] = min(behind[i], behind[i+1])
		}
	}
	last := *events[len(events)-1].Clock
	halted := false // the event before lies in a pause
	for i := 1; i < len(events); i++ {
		before, e := events[i-1], events[i]
		still := behind[i] - behind[i-1]
		switch {
		case *e.Clock >= last: // of the last events nothing shows whether the clock went on
			halted = false
		case halted:
			g.pause(before.Time, before.Time+still)
			halted = *e.Clock == *before.Clock
		case still >= shortPause:
			g.pause(e.Time-still, e.Time)
			halted = true
		}
	}
}

// pause adds a pause, or continues the one before it.
func (g *Game) pause(from, to float64) {
	if n := len(g.Pauses); n > 0 && from-g.Pauses[n-1][1] < shortPause {
		g.Pauses[n-1][1] = thousandths(to)
		return
	}
	g.Pauses = append(g.Pauses, [2]float64{thousandths(from), thousandths(to)})
}
