package run

import (
	"fmt"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// gameTimes select a worker's messages of recordings, which have no capture times, by the game's clocks.
type gameTimes struct {
	server   map[int]int64 // by stream: the server's clock in the last message that shows it
	ofServer clockRange
	ofMatch  clockRange
	any      bool // a message was selected
	asked    bool // there was one
}

// A clockRange is what a clock showed, in milliseconds.
type clockRange struct {
	first, last int64
	known       bool
}

func (c *clockRange) add(ms int64) {
	if !c.known {
		c.first, c.last, c.known = ms, ms, true
	}
	c.first, c.last = min(c.first, ms), max(c.last, ms)
}

func (c *clockRange) join(other *clockRange) {
	if other.known {
		c.add(other.first)
		c.add(other.last)
	}
}

// has reports whether the window has a message. One that does not show the server's clock came at the time of the last
// one that does; before the first one it is 0.
func (g *gameTimes) has(w *flags.Window, rec *dissect.Record) bool {
	if g.server == nil {
		g.server = map[int]int64{}
	}
	var t dissect.Transit
	if rec.Transit(&t) && t.HasTime {
		g.server[rec.Stream] = t.ServerTime
	}
	return g.choose(w, g.server[rec.Stream], rec.MatchTime)
}

// choose reports whether the window has these times; a negative one is not known.
func (g *gameTimes) choose(w *flags.Window, server, match int64) bool {
	if server > 0 {
		g.ofServer.add(server)
	}
	if match >= 0 {
		g.ofMatch.add(match)
	}
	in := w.HasGame(server, match)
	g.any, g.asked = g.any || in, true
	return in
}

// noteTimes is for somebody whose times select nothing of a recording: it shows what there is. It is empty if something
// is selected.
func (a *accepter) noteTimes() string {
	if a == nil {
		return ""
	}
	var all gameTimes
	for i := range a.times {
		g := &a.times[i]
		all.any, all.asked = all.any || g.any, all.asked || g.asked
		all.ofServer.join(&g.ofServer)
		all.ofMatch.join(&g.ofMatch)
	}
	server, match := &all.ofServer, &all.ofMatch
	if all.any || !all.asked || !server.known || a.window.Dated() {
		return ""
	}
	what := "message"
	if a.events {
		what = "event"
	}
	note := fmt.Sprintf("no "+what+" is between --from and --to: the server's clock goes from %s to %s",
		seconds(server.first), seconds(server.last))
	if match.known {
		note += fmt.Sprintf(", the match's from %s to %s", quantity.Race(match.first), quantity.Race(match.last))
	}
	return note
}

// seconds is a time as the list of events shows it, and --from takes it.
func seconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }
