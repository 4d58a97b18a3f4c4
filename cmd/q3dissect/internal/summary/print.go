package summary

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// Print writes the closing summary to standard error: one line, and one more for everything unusual.
func (t *Total) Print(c *console.Console, rules flags.DecodeAs) {
	doubts := t.removeMisfits(rules)
	if t.captures+t.recordings == 0 {
		return
	}
	c.Complain(t.line())
	t.hints(c)
	t.notDone(c)
	for _, d := range doubts {
		c.Complain(d)
	}
	t.unusual(c)
}

// line returns the line of the summary.
func (t *Total) line() string {
	if t.captures == 0 {
		line := fmt.Sprintf("%s: %s, %s", quantity.Count(t.recordings, "recording"),
			quantity.Count(t.Messages, "message"), t.faults())
		return t.andWritten(line)
	}
	line := fmt.Sprintf("%s: %s, %s, %s, %d unknown", quantity.Count(t.Packets, "packet"),
		quantity.Count(t.Game-t.Recorded, "game datagram"), quantity.Count(t.Messages, "message"), t.faults(), t.Unknown)
	if t.dropsKnown {
		line += fmt.Sprintf(", %d dropped by the capturing kernel", t.dropped)
	}
	if t.Filtered {
		line += fmt.Sprintf(", %d shown", t.Records)
	}
	return t.andWritten(line)
}

// faults returns how many datagrams are damaged, and how many were not read.
func (t *Total) faults() string {
	damaged := fmt.Sprintf("%d damaged", t.Damaged)
	switch {
	case t.Unsupported == 0:
		return damaged
	case t.Damaged == 0: // of what was not read nobody knows
		damaged = ""
	default:
		damaged += ", "
	}
	return damaged + fmt.Sprintf("%d of unsupported protocols not read", t.Unsupported)
}

// andWritten returns the line of the summary with the count of -w.
func (t *Total) andWritten(line string) string {
	if t.Written > 0 {
		line += fmt.Sprintf(", %d written", t.Written)
	}
	return line
}

// hints prints what to try if no game was found.
func (t *Total) hints(c *console.Console) {
	if t.Game > 0 || t.Unknown == 0 {
		return
	}
	switch {
	case t.Stopped:
		c.Complain(
			"-c: no game is known from so few packets; one that began before the capture may need more. --all lists these")
	case t.Hidden:
		c.Complain("no game that is known here; --all shows the datagrams, " +
			"-d udp.port==N,PROTOCOL reads them as a protocol's")
	}
}

// notDone prints which records were not dissected or written because of flags and limits, and what --anonymize did.
func (t *Total) notDone(c *console.Console) {
	if t.leftOut > 0 {
		c.Complain(quantity.Count(t.leftOut, "game datagram") + " of streams that cannot match the filter, not dissected")
	}
	if t.Unaddressed > 0 {
		c.Complain(quantity.Count(t.Unaddressed, "record") + " without addresses not written: a packet needs them")
	}
	t.anonymized(c)
	if t.uncollected > 0 {
		c.Complain(quantity.Count(t.uncollected, "datagram") + " of streams for which the result has no memory (--memory)")
	}
	if t.forgotten > 0 {
		c.Complain(quantity.Count(t.forgotten, "idle stream") + " forgotten for lack of memory (--memory)")
	}
}

// unusual prints what is unusual in the captures.
func (t *Total) unusual(c *console.Console) {
	if t.quoted > 0 {
		c.Complain(quantity.Count(t.quoted, "game datagram") + " quoted by ICMP errors, not among those above (quoted_by)")
	}
	switch {
	case t.partial > 0:
		c.Complain(fmt.Sprintf("%s without all IP fragments, %d of them shown as far as the first fragments go",
			quantity.Count(t.incomplete, "datagram"), t.partial))
	case t.incomplete > 0:
		c.Complain(quantity.Count(t.incomplete, "datagram") + " without all IP fragments, not dissected")
	}
	if t.wrongLength > 0 {
		c.Complain(quantity.Count(t.wrongLength, "datagram") + " with a wrong length in the UDP header")
	}
	if t.oddTimes > 0 {
		c.Complain(quantity.Count(t.oddTimes, "time stamp") +
			" with a second or more in the fraction of the second, added to the seconds: the capture is faulty")
	}
	if len(t.undecoded) > 0 {
		c.Complain("link layers that are not read, in packets: " + listCounts(t.undecoded))
	}
	if len(t.experts) > 0 {
		c.Complain("expert entries: " + listCounts(t.experts))
	}
	if t.comments > 0 {
		c.Complain(quantity.Count(t.comments, "comment") + " in the capture")
	}
}

// listCounts returns "12 key_unknown, 1 fragment_lost", the largest first.
func listCounts(counts map[string]uint64) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", counts[name], name)
	}
	return strings.Join(names, ", ")
}

// anonymized reports what --anonymize did with the datagrams.
func (t *Total) anonymized(c *console.Console) {
	if t.Rewritten+t.Withheld > 0 {
		done, when, noun := "anonymised", "", "datagram"
		if t.Removing {
			done = "rewritten"
		}
		if t.captures == 0 {
			noun = "message"
		}
		if t.Filtered {
			when = " before the filter" // it sees the new names
		}
		c.Complain(fmt.Sprintf("%s: %s%s; %d left out as nobody can see who is named in them", done,
			quantity.Count(t.Rewritten, noun), when, t.Withheld))
		c.Complain(fmt.Sprintf("%s: %s replaced, %s of unknown meaning left out", done, quantity.Count(t.Replaced, "text"),
			quantity.Count(t.Cleared, "byte")))
	}
}

// removeMisfits removes from the counts the datagrams of rules that fit none of their datagrams, and reports these
// rules.
func (t *Total) removeMisfits(rules flags.DecodeAs) (notes []string) {
	for i, f := range t.forced {
		if f.Game == 0 || f.clean > 0 {
			continue
		}
		t.Game -= f.Game
		t.Messages -= f.Messages
		t.Damaged -= f.Damaged
		notes = append(notes, fmt.Sprintf("-d %s: %s, none without expert entries: the protocol may be another",
			flags.RuleText(rules[i]), quantity.Count(f.Game, "datagram")))
	}
	return notes
}
