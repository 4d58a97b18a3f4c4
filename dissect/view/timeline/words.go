package timeline

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quantity"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// Loss returns the rows of the statistic loss. No record may be added afterwards.
func (c *Collector) Loss() view.Table {
	if c.loss == nil {
		c.loss = &c.lagometer.Tables()[0]
	}
	return *c.loss
}

// A lossRow is a row of the statistic loss by key.
type lossRow map[string]any

func (r lossRow) number(key string) float64 {
	switch v := r[key].(type) {
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

func (r lossRow) has(key string) bool { return r[key] != nil }

func (r lossRow) text(key string) string { s, _ := r[key].(string); return s }

// describe adds the player and the words of the statistic loss to each course.
func (c *Collector) describe(list []Course) {
	type key struct {
		stream, session int
		direction       string
	}
	courses := map[key]*Course{}
	for i := range list {
		d := &list[i]
		d.Player = c.own[d.Stream]
		if g := c.byStream[d.Stream]; g != nil {
			d.Server = g.Server
		}
		courses[key{d.Stream, d.Session, d.Direction}] = d
	}
	t := c.Loss()
	r := lossRow{}
	for _, row := range t.Rows {
		for n, column := range t.Columns {
			r[column.Key] = row[n]
		}
		if d := courses[key{int(r.number("stream")), int(r.number("session")), r.text("direction")}]; d != nil {
			d.Words = r.words(d.Player, !c.clock.capture)
		}
	}
}

// words describes how many messages were lost on which side, and how steadily they arrived.
func (r lossRow) words(player string, recording bool) string {
	client := cmp.Or(player, "the client")
	from, to := "the server", client
	if r.text("direction") == dissect.ClientToServer.String() {
		from, to = client, "the server"
	}
	s := ""
	switch {
	case !r.has("lost"):
		s = fmt.Sprintf("There are %s messages without numbers: how many were lost is not known.", many(r.number("messages")))
	case recording:
		return r.recorded(client)
	default:
		s = r.sides(from, to)
	}
	if n := r.number("given_up"); n > 0 {
		s += fmt.Sprintf(" %s more could not be put together: a fragment is missing.", many(n))
	}
	if n := r.number("resent"); n > 0 {
		s += fmt.Sprintf(" %s sent %s of them again, as is done where one was lost or late.", upper(from),
			quantity.Grouped(int64(n), "part"))
	}
	if r.has("interval_mean") {
		s += fmt.Sprintf(" A snapshot of the game came every %.1f ms, after %.1f ms at the longest.",
			r.number("interval_mean"), r.number("interval_max"))
	}
	if r.has("round_trip_mean") {
		s += fmt.Sprintf(" From the capture to %s and back it took %.1f ms on average, %.1f ms at least.", to,
			r.number("round_trip_mean"), r.number("round_trip_min"))
	}
	return s
}

// recorded describes how many messages a recording lacks.
func (r lossRow) recorded(client string) string {
	lost, messages := r.number("lost"), r.number("messages")
	if lost == 0 {
		return fmt.Sprintf("None of %s messages is missing.", many(messages))
	}
	return fmt.Sprintf("%s of %s messages (%s) never came to %s.", many(lost), many(messages+lost),
		share(lost, messages+lost), client)
}

// sides describes how many messages were lost on which side of the capture.
func (r lossRow) sides(from, to string) string {
	lost, behind, messages := r.number("lost"), r.number("lost_behind"), r.number("messages")
	before := fmt.Sprintf("%s of %s messages (%s) were lost between %s and the capture", many(lost), many(messages+lost),
		share(lost, messages+lost), from)
	switch r.text("loss_side") {
	case "sender":
		return before + "."
	case "receiver":
		return fmt.Sprintf("About %s of %s messages (%s) were lost between the capture and %s.", many(behind), many(messages),
			share(behind, messages), to)
	case "both":
		return fmt.Sprintf("%s, and about %s between the capture and %s.", before, many(behind), to)
	}
	switch {
	case behind > 0:
		return fmt.Sprintf("All %s messages came to the capture. About %s of them came late to %s, or not at all: too few "+
			"to say that the way loses any.", many(messages), many(behind), to)
	case !r.has("lost_behind"):
		return fmt.Sprintf("None of %s messages is missing up to the capture. What was lost after it is not known: %s does "+
			"not say what it got.", many(messages), to)
	}
	return fmt.Sprintf("All %s messages came.", many(messages))
}

// many is a whole number with commas between the thousands.
func many(n float64) string { return quantity.Thousands(int64(n)) }

// upper begins a sentence with a name, or with "the server".
func upper(s string) string {
	if rest, ok := strings.CutPrefix(s, "the "); ok {
		return "The " + rest
	}
	return s
}

// share is a part in percent, in words.
func share(part, whole float64) string {
	const least = 0.05
	if whole == 0 || part/whole*100 < least {
		return "less than 0.1 %"
	}
	return strconv.FormatFloat(part/whole*100, 'f', 1, 64) + " %"
}

// addMissing lists the missing pictures, and why they are missing.
func (g *Game) addMissing(recording bool) {
	unnamed := 0
	for _, p := range g.Players {
		if p.Clean == "" {
			unnamed++
		}
	}
	if unnamed > 0 {
		g.Missing = append(g.Missing, fmt.Sprintf("%d of %d players have no name: nothing in the input names them.",
			unnamed, len(g.Players)))
	}
	if len(g.Tracks) == 0 {
		g.Missing = append(g.Missing, "Nothing shows where players are: there is no map.")
	}
	if len(g.Matches) == 0 {
		g.Missing = append(g.Missing, "No match begins or ends here.")
	}
	if recording {
		g.Missing = append(g.Missing,
			"A recording has what the server sent to one client, and no time of day: times are those of the game's clock.")
	}
}
