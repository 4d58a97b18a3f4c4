package compare

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// Sentences returns what a person should know about a path first: what was lost and when, whether the sender was
// steady, and how long the datagrams took. Times are UTC, by the clock of A.
func (p *Path) Sentences() []string {
	list := []string{p.losses(), p.sender()}
	if p.Uncaptured > 0 {
		list = append(list, fmt.Sprintf("%s arrived at %s that %s does not have: the capture at %s is incomplete.",
			datagrams(p.Uncaptured), p.to(), p.from(), p.from()))
	}
	if p.Arrived > 0 {
		list = append(list, fmt.Sprintf("Delay %s to %s ms; half of them had at most %s, 99 %% at most %s.",
			milliseconds(p.Delay.Min), milliseconds(p.Delay.Max), milliseconds(p.Delay.Median), milliseconds(p.Delay.P99)))
	}
	if len(p.Queues) > 0 {
		list = append(list, p.queues())
	}
	return list
}

func (p *Path) from() string { return p.place(p.FromA) }
func (p *Path) to() string   { return p.place(!p.FromA) }

func (p *Path) place(a bool) string {
	if a {
		return cmp.Or(p.letters[0], "A")
	}
	return cmp.Or(p.letters[1], "B")
}

// parties are the sender and the receiver.
func (p *Path) parties() (sender, receiver string) {
	if p.Direction == dissect.ClientToServer {
		return "client", "server"
	}
	return "server", "client"
}

func (p *Path) losses() string {
	sender, receiver := p.parties()
	if p.Lost == 0 {
		if p.Sent == 0 {
			return fmt.Sprintf("No datagram from %s to %s was sent while both captures ran.", sender, receiver)
		}
		return fmt.Sprintf("All %s from %s to %s arrived.", datagrams(p.Sent), sender, receiver)
	}
	var b strings.Builder
	were := "were"
	if p.Lost == 1 {
		were = "was"
	}
	fmt.Fprintf(&b, "%s of %s from %s to %s %s lost between %s and %s (%s %%)", quantity.Thousands(p.Lost),
		datagrams(p.Sent), sender, receiver, were, p.from(), p.to(), percent(p.Lost, p.Sent))
	first, last, longest := p.Bursts[0].Time, p.Bursts[len(p.Bursts)-1].Until, 0
	for _, burst := range p.Bursts {
		longest = max(longest, len(burst.Frames))
	}
	const local = 4 // losses within a fourth of the time have a common cause
	switch {
	case p.Lost == 1:
		fmt.Fprintf(&b, ", at %s", clockTime(first))
	case last-first <= (p.Last-p.First)/local:
		fmt.Fprintf(&b, ", all between %s and %s", clockTime(first), clockTime(last))
	default:
		b.WriteString(", over the whole time")
	}
	if longest > 1 {
		fmt.Fprintf(&b, ", at most %d in a row", longest)
	}
	return b.String() + "."
}

func (p *Path) sender() string {
	sender, _ := p.parties()
	if len(p.Pauses) == 0 {
		return fmt.Sprintf("The %s sent steadily.", sender)
	}
	longest := p.Pauses[0]
	for _, pause := range p.Pauses {
		if pause.Length > longest.Length {
			longest = pause
		}
	}
	if len(p.Pauses) == 1 {
		return fmt.Sprintf("The %s paused once, for %s s at %s.", sender, inSeconds(longest.Length), clockTime(longest.Time))
	}
	return fmt.Sprintf("The %s paused %s times, longest for %s s at %s.", sender, quantity.Thousands(len(p.Pauses)),
		inSeconds(longest.Length), clockTime(longest.Time))
}

func (p *Path) queues() string {
	worst := p.Queues[0]
	for _, q := range p.Queues {
		if q.DelayMax > worst.DelayMax {
			worst = q
		}
	}
	times := "once"
	if n := len(p.Queues); n > 1 {
		times = quantity.Thousands(n) + " times"
	}
	return fmt.Sprintf("A queue built up between %s and %s %s, the longest delay %s ms at %s.", p.from(), p.to(), times,
		milliseconds(worst.DelayMax), clockTime(worst.Time))
}

// Sentence describes the clocks.
func (c *Clock) Sentence() string { return c.sentence("A", "B") }

func (c *Clock) sentence(a, b string) string {
	if !c.Known {
		return "Datagrams went in one direction only, so the clocks cannot be compared: delays are given above the " +
			"shortest one."
	}
	direction, offset := "ahead of", c.Offset
	if offset < 0 {
		direction, offset = "behind", -offset
	}
	drift := fmt.Sprintf(" and drifts by %s ppm (%s to %s)", ppm(c.Drift), ppm(c.DriftLow), ppm(c.DriftHigh))
	if c.DriftHigh-c.DriftLow >= maxDrift {
		drift = "; the captures are too short to show a drift"
	}
	s := fmt.Sprintf("%s's clock is %s s %s %s's (± %s ms)%s.", b, inSeconds(offset), direction, a,
		milliseconds(c.Uncertainty), drift)
	if c.Stepped {
		s = "A clock was set or is unsteady: no constant drift lets all datagrams arrive after they were sent. Delays are " +
			"only rough. " + s
	}
	return s
}

func datagrams(n int) string { return quantity.Grouped(n, "datagram") }

func percent(part, of int) string { return fmt.Sprintf("%.1f", 100*float64(part)/float64(of)) }

func clockTime(nsec int64) string { return time.Unix(0, nsec).UTC().Format("15:04:05Z") }

func milliseconds(nsec int64) string { return fmt.Sprintf("%.1f", float64(nsec)/1e6) }

// inSeconds is a duration in seconds, to the millisecond.
func inSeconds(nsec int64) string { return fmt.Sprintf("%.3f", float64(nsec)/1e9) }

// ppm is a drift in parts in a million, without the sign of a zero.
func ppm(drift float64) string { return fmt.Sprintf("%.1f", math.Round(drift*1e7)/10+0) }
