package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// named is how many matches, games and losses the sentences above name; of players twice as many.
const named = 3

// sentences describe what is in a file.
func (f *file) sentences() (list []string) {
	list = append(list, f.aboutMatches()...)
	if len(list) == 0 {
		list = append(list, f.aboutGames()...)
	}
	if len(f.lacks) > 0 {
		list = append([]string{f.aboutLacks()}, list...)
	}
	list = append(list, f.aboutDamage())
	list = append(list, f.aboutLoss()...)
	return append(list, f.aboutQueries()...)
}

func (f *file) aboutMatches() (list []string) {
	for i := range f.Matches {
		m := &f.Matches[i]
		if i == named {
			return append(list, more(len(f.Matches)-named, "match", "matches"))
		}
		s := "A match"
		switch mode := modeName(m.Gametype); mode {
		case "":
		case duel:
			s = "A duel"
		default:
			s += " of " + mode
		}
		if m.Map != "" {
			s += " on " + m.Map
		}
		s += m.standing()
		if m.Duration != nil {
			if m.Winner != "" {
				s += ", after " + lasting(*m.Duration)
			} else {
				s += ", " + lasting(*m.Duration) + " long"
			}
		}
		if m.Complete != nil && !*m.Complete {
			s += " (the input has only a part of it)"
		}
		list = append(list, s+".")
	}
	return list
}

// standing is the result of a match in words.
func (m *match) standing() string {
	n := len(m.Scores)
	score := func(i int) int64 { return *m.Scores[i].Score }
	known := 0 // players with scores come first
	for known < n && m.Scores[known].Score != nil {
		known++
	}
	switch won := m.Winner != "" && n > 0 && m.Scores[0].Name == m.Winner; {
	case n < 2 || n == 2 && (!won || known < n):
		if n == 0 {
			return ""
		}
		return ": " + m.Result()
	case n == 2:
		return fmt.Sprintf(": %s won, %d to %d", m.Winner, score(0), score(1))
	case known == 0:
		return fmt.Sprintf(" with %d players, whose scores are not known", n)
	case won:
		return fmt.Sprintf(" with %d players: %s won with %d", n, m.Winner, score(0))
	case known < n: // one of the others may have more
		return fmt.Sprintf(" with %d players: %s has %d, %s not known", n, m.Scores[0].Name, score(0),
			quantity.Count(n-known, "score is", "scores are"))
	case score(n-1) == score(0):
		return fmt.Sprintf(" with %d players: all are level at %d", n, score(0))
	}
	best := 1
	for score(best) == score(0) {
		best++
	}
	switch best {
	case 1:
		return fmt.Sprintf(" with %d players: %s leads with %d", n, m.Scores[0].Name, score(0))
	case 2:
		return fmt.Sprintf(" with %d players: %s and %s lead with %d", n, m.Scores[0].Name, m.Scores[1].Name, score(0))
	}
	return fmt.Sprintf(" with %d players: %d of them lead with %d", n, best, score(0))
}

// aboutGames lists the players where there is no match.
func (f *file) aboutGames() (list []string) {
	for i, g := range f.Pictures.Games {
		if i == named {
			return append(list, more(len(f.Pictures.Games)-named, "game", "games"))
		}
		s := "A game of " + protocolName(g.Protocol, "")
		if len(g.Maps) > 0 {
			s += " on " + g.Maps[0].Name
		}
		if g.Server != "" {
			s += " at " + g.Server
		}
		var names []string
		for _, p := range g.Players {
			if p.Clean != "" && len(names) < 2*named {
				names = append(names, p.Clean)
			}
		}
		switch more := len(g.Players) - len(names); {
		case len(names) == 2*named && more > 0:
			s += fmt.Sprintf(" with %s and %d more", strings.Join(names, ", "), more)
		case len(names) > 1:
			s += " with " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
		case len(names) == 1:
			s += " with " + names[0]
		}
		finishes := 0
		for j := range g.Events {
			if g.Events[j].Kind == event.RaceFinish {
				finishes++
			}
		}
		if finishes > 0 {
			s += fmt.Sprintf(": the race was finished %s", quantity.Times(finishes))
		}
		list = append(list, s+".")
	}
	return list
}

// aboutLacks is the first sentence about a file that is not in the report as a whole.
func (f *file) aboutLacks() string {
	var reasons []string
	for i := range f.lacks {
		reasons = append(reasons, f.lacks[i].Message)
	}
	return "This report is incomplete: " + strings.Join(reasons, "; ") + "."
}

func (f *file) aboutDamage() string {
	noun := "game datagram"
	if f.Recording {
		noun = "message"
	}
	if len(f.lacks) > 0 && f.Damaged == 0 && f.Game > 0 {
		return "Of the " + quantity.Grouped(f.Game, noun) + " that were read none is damaged."
	}
	switch {
	case f.Game == 0:
		return "There is no game datagram of a known protocol in it."
	case f.unsupported > 0:
		return fmt.Sprintf("%s of %s are of protocols whose format is not known, and were not read; %s are damaged.",
			quantity.Thousands(f.unsupported), quantity.Grouped(f.Game, noun), quantity.Thousands(f.Damaged))
	case f.Damaged == 0 && f.Game == 1:
		return "The only " + noun + " in it was decoded; it is not damaged."
	case f.Damaged == 0:
		return "All of " + quantity.Grouped(f.Game, noun) + " were decoded; none is damaged."
	}
	return fmt.Sprintf("%s of %s are damaged or break the rules of their protocol; the others were decoded.",
		quantity.Thousands(f.Damaged), quantity.Grouped(f.Game, noun))
}

// manyResent is the share of repetitions in messages without numbers from which they are a sign of loss.
const manyResent = 0.01

// aboutLoss names the directions that lost the most.
func (f *file) aboutLoss() (list []string) {
	t := f.Statistics["loss"]
	type worst struct {
		percent float64
		words   string
	}
	var losses []worst
	for _, row := range t.Rows {
		from, to := "the server's", f.clientOf(int(t.number(row, "stream")))
		if t.text(row, "direction") == "client_to_server" {
			from, to = to+"'s", "the server"
		}
		lost, behind, messages := t.number(row, "lost"), t.number(row, "lost_behind"), t.number(row, "messages")
		if resent := t.number(row, "resent"); t.at(row, "lost") == nil && resent >= 5 &&
			resent/max(1, messages) >= manyResent {
			losses = append(losses, worst{resent / messages * 100, fmt.Sprintf("%s of %s messages to %s came again: some were "+
				"lost, or came late.", quantity.Grouped(uint64(resent), "part"), from, to)})
		}
		switch t.text(row, "loss_side") { // the lagometer's result for the direction
		case "sender":
			behind = 0
		case "receiver":
			lost = 0
		}
		share := (lost + behind) / max(1, messages+lost) * 100
		if t.text(row, "loss_side") == "" || share < 0.05 || messages < 20 {
			continue
		}
		losses = append(losses, worst{share, fmt.Sprintf("%.1f\u00a0%% of %s messages sent to %s were lost.",
			share, from, to)})
	}
	slices.SortStableFunc(losses, func(a, b worst) int { return cmp.Compare(b.percent, a.percent) })
	for _, l := range losses[:min(named, len(losses))] {
		list = append(list, l.words)
	}
	return list
}

// clientOf names the client of a stream.
func (f *file) clientOf(stream int) string {
	for i := range f.Pictures.Lagometer {
		if c := &f.Pictures.Lagometer[i]; c.Stream == stream && c.Player != "" {
			return c.Player
		}
	}
	if f.Recording {
		return "the client that recorded"
	}
	return fmt.Sprintf("the client of stream %d", stream)
}

func (f *file) aboutQueries() (list []string) {
	t := f.Statistics["rcon"]
	attempts, denied := 0.0, 0.0
	for _, row := range t.Rows {
		attempts, denied = attempts+t.number(row, "attempts"), denied+t.number(row, "denied")
	}
	if attempts > 0 {
		refused := ""
		if denied > 0 {
			refused = fmt.Sprintf(", %.0f of them refused", denied)
		}
		list = append(list, fmt.Sprintf("%s of remote control (rcon) from %s%s.",
			quantity.Grouped(uint64(attempts), "command"), quantity.Grouped(len(t.Rows), "source"), refused))
	}
	return append(list, f.aboutVictims()...)
}

// aboutVictims names the addresses in whose name servers are asked.
func (f *file) aboutVictims() (list []string) {
	t := f.Statistics["drdos"]
	var victims [][]any
	for _, row := range t.Rows {
		if t.text(row, "verdict") == view.ReflectionVictim {
			victims = append(victims, row)
		}
	}
	for i, row := range victims {
		if i == named {
			return append(list, more(len(victims)-named, "such address", "such addresses"))
		}
		what := quantity.Grouped(uint64(t.number(row, "answers")), "answer") + " to no question"
		if requests := t.number(row, "requests"); requests > 0 {
			what = fmt.Sprintf("%s queries in its name, up to %.0f a second", quantity.Thousands(uint64(requests)),
				t.number(row, "peak"))
		}
		if dropped := t.number(row, "dropped"); dropped > 0 {
			what += fmt.Sprintf(", %s more than the engine answers", quantity.Thousands(uint64(dropped)))
		}
		list = append(list, fmt.Sprintf("%s looks like the victim of a reflection attack by way of %s: %s.",
			t.text(row, "source"), t.text(row, "server"), what))
	}
	return list
}

// unknown lists what the report lacks, and why.
func (f *file) unknown() []string {
	list := append([]string{}, f.Pictures.Notes...)
	if len(f.Pictures.Games) == 0 {
		list = append(list, "No events of a game: there are no sessions, or their game is not one whose events are known.")
	}
	for _, g := range f.Pictures.Games {
		for _, m := range g.Missing {
			if g.Server != "" && len(f.Pictures.Games) > 1 {
				m = g.Server + ": " + m
			}
			list = append(list, m)
		}
	}
	if f.Recording {
		return list
	}
	if slices.ContainsFunc(f.Pictures.Games, func(g *timeline.Game) bool { return g.Protocol == "gamestudio" }) {
		list = append(list, "GameStudio: public texts do not say what the numbers of positions mean, nor the unit of the "+
			"game's clock; there is no map and no match.")
	}
	return list
}

// more counts those that are not named.
func more(n int, one, many string) string {
	if n == 1 {
		return "1 more " + one + " is below."
	}
	return quantity.Thousands(n) + " more " + many + " are below."
}

// lasting puts a length of time in words.
func lasting(ms int64) string {
	seconds := ms / 1000
	if seconds < 60 {
		return quantity.Grouped(uint64(max(seconds, 0)), "second")
	}
	return quantity.Minutes(seconds) + " minutes"
}
