package view

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Conversation writes one stream for reading: both sides in order, the server's lines indented. What both sides send
// all the time (Protocol.Routine) is counted between the lines.
//
// Workers call Prepare, and Append gets its results in the order of the packets.
type Conversation struct {
	Form  string // one of ConversationForms
	Color bool   // the client's lines cyan, counts faint
	Width int    // cells of the terminal, longer lines are wrapped; 0: none

	begun  bool
	file   string
	nodes  [2]netip.AddrPort // of the dumps, in the order of their first datagram
	sent   [2]int            // bytes of their payloads so far
	folded [2][]routine      // by side
	since  followRow         // of the first folded record
	until  times
}

// ConversationForms are the forms of a Conversation: for reading, and tshark's dumps of the payloads.
var ConversationForms = []string{"text", "ascii", "hex"}

// A routine counts the records with one word.
type routine struct {
	word  string
	count int
}

// Prepare appends what Append needs of a record beside its packet: the text or the payload up to mark, and the routine
// word that follows.
func (c *Conversation) Prepare(dst []byte, rec *dissect.Record) (out []byte, mark int) {
	if c.Form != "text" {
		dst = append(dst, rec.Payload...)
		return dst, len(dst)
	}
	from := len(dst)
	dst = rec.AppendInfo(dst)
	text, word := splitRoutine(dst[from:], rec)
	dst = dst[:from+len(text)]
	return append(dst, word...), from + len(text)
}

// splitRoutine splits the routine part from the end of a text. A player may say the same words: they count only if the
// record has the field.
func splitRoutine(text []byte, rec *dissect.Record) (rest []byte, word string) {
	last := text
	at := bytes.LastIndex(text, []byte("; "))
	if at >= 0 {
		last = text[at+2:]
	}
	first, _, _ := strings.Cut(strings.TrimRight(string(last), ":,"), " ")
	first = strings.TrimRight(first, ":,")
	if !slices.Contains(rec.Protocol.Routine, first) {
		return text, ""
	}
	has := func(n dissect.Node) bool { return n.Field.Key == first }
	if !slices.ContainsFunc(rec.Tree.Nodes, has) && at >= 0 {
		return text, ""
	}
	return text[:max(at, 0)], first
}

// Append appends the lines of a record. prepared and mark are the results of Prepare.
func (c *Conversation) Append(dst []byte, rec *dissect.Record, prepared []byte, mark int) []byte {
	if !c.begun || c.file != rec.File {
		dst = c.heading(c.Rest(dst), rec)
	}
	if c.Form != "text" {
		return c.dump(dst, rec, prepared[:mark])
	}
	text, word := prepared[:mark], string(prepared[mark:])
	side := 0
	if rec.Direction == dissect.ServerToClient {
		side = 1
	}
	if len(text) > 0 {
		dst = c.endFold(dst)
		dst = c.line(dst, rec, side, wiretext.Visible(wiretext.String(text)))
	}
	if word != "" {
		c.fold(rec, side, word)
	}
	return dst
}

// heading appends who speaks.
func (c *Conversation) heading(dst []byte, rec *dissect.Record) []byte {
	if c.begun {
		dst = append(dst, '\n')
	}
	c.begun, c.file = true, rec.File
	client, server := rec.Src, rec.Dst
	if rec.Direction == dissect.ServerToClient {
		client, server = server, client
	}
	if c.Form != "text" {
		c.nodes, c.sent = [2]netip.AddrPort{rec.Src, rec.Dst}, [2]int{}
		return fmt.Appendf(dst, "\n%s\nFollow: udp,%s\nFilter: stream == %d\nNode 0: %s\nNode 1: %s\n",
			dumpLine, c.Form, rec.Stream, rec.Src, rec.Dst)
	}
	if rec.File != "" {
		dst = append(append(dst, wiretext.Visible(rec.File)...), ": "...)
	}
	if rec.Recorded() {
		return append(append(dst, rec.Protocol.Name...), " recording\n\n"...)
	}
	first, second := "client", "server"
	if rec.Direction == dissect.Undecidable {
		first, second = "first", "other"
	}
	return fmt.Appendf(dst, "stream %d, %s: %s %s, %s %s\n\n", rec.Stream, rec.Protocol.Name,
		first, client, second, server)
}

// Columns of the text form, in cells.
const (
	conversationTime   = 10
	conversationIndent = 8 // of the server's lines
)

var conversationArrows = [2]string{"→ ", "← "}

// line appends a line with a time.
func (c *Conversation) line(dst []byte, rec *dissect.Record, side int, text string) []byte {
	r := followRow{frame: rec.Number()}
	r.times.add(rec)
	dst = append(appendMoment(dst, &r), "  "...)
	indent := side * conversationIndent
	dst = append(append(dst, blanks(indent)...), conversationArrows[side]...)
	if c.Color && side == 0 {
		dst = append(dst, "\x1b[36m"...)
	}
	if c.Width > 0 {
		dst = bytes.TrimSuffix(wiretext.AppendWrapped(dst, conversationTime+2+indent+2, text, c.Width), []byte("\n"))
	} else {
		dst = append(dst, text...)
	}
	if c.Color && side == 0 {
		dst = append(dst, "\x1b[0m"...)
	}
	return append(dst, '\n')
}

// appendMoment appends the seconds of a row, or its number if it has no time, right-aligned.
func appendMoment(dst []byte, r *followRow) []byte {
	at := len(dst)
	if seconds, ok := r.start().(float64); ok {
		dst = strconv.AppendFloat(dst, seconds, 'f', 3, 64)
	} else {
		dst = strconv.AppendUint(dst, r.frame, 10)
	}
	if gap := conversationTime - (len(dst) - at); gap > 0 {
		number := bytes.Clone(dst[at:])
		dst = append(append(dst[:at], blanks(gap)...), number...)
	}
	return dst
}

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }

// fold counts a record that is not shown.
func (c *Conversation) fold(rec *dissect.Record, side int, word string) {
	if len(c.folded[0])+len(c.folded[1]) == 0 {
		c.since, c.until = followRow{frame: rec.Number()}, times{}
		c.since.times.add(rec)
	}
	c.until.add(rec)
	i := slices.IndexFunc(c.folded[side], func(r routine) bool { return r.word == word })
	if i < 0 {
		i = len(c.folded[side])
		c.folded[side] = append(c.folded[side], routine{word: word})
	}
	c.folded[side][i].count++
}

// endFold appends the counts since the last line, if there are any.
func (c *Conversation) endFold(dst []byte) []byte {
	if len(c.folded[0])+len(c.folded[1]) == 0 {
		return dst
	}
	if c.Color {
		dst = append(dst, "\x1b[2m"...)
	}
	dst = c.appendCounts(append(appendMoment(dst, &c.since), "  ⋯ "...))
	if c.Color {
		dst = append(dst, "\x1b[0m"...)
	}
	return append(dst, '\n')
}

// appendCounts appends the counts since the last line, which begin again.
func (c *Conversation) appendCounts(dst []byte) []byte {
	between := ""
	for side, name := range [2]string{"client", "server"} {
		if len(c.folded[side]) == 0 {
			continue
		}
		dst = append(append(append(dst, between...), name...), ':')
		for i, r := range c.folded[side] {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = fmt.Appendf(dst, " %d × %s", r.count, r.word)
		}
		between, c.folded[side] = "; ", c.folded[side][:0]
	}
	if c.until.known && c.until.last > c.until.first {
		dst = fmt.Appendf(dst, ", in %.3f s", float64(c.until.last-c.until.first)/1e9)
	}
	return dst
}

// Rest appends what is left at the end of an input.
func (c *Conversation) Rest(dst []byte) []byte {
	dst = c.endFold(dst)
	if c.begun && c.Form != "text" {
		dst = append(dst, dumpLine+"\n"...)
	}
	return dst
}

// dumpLine surrounds tshark's dumps.
const dumpLine = "==================================================================="

// dump appends a payload as tshark's follow,udp,ascii and follow,udp,hex have it: what Node 1 sent is after a tab. A
// carriage return is a dot here: it would move a terminal's cursor.
func (c *Conversation) dump(dst []byte, rec *dissect.Record, payload []byte) []byte {
	tab, node := "", 0
	if rec.Src != c.nodes[0] {
		tab, node = "\t", 1
	}
	if c.Form == "ascii" {
		dst = fmt.Appendf(dst, "%s%d\n", tab, len(payload))
		for _, b := range payload {
			if (b < ' ' || b > '~') && b != '\n' {
				b = '.'
			}
			dst = append(dst, b)
		}
		return append(dst, '\n')
	}
	for at := 0; at < len(payload); at += 16 {
		row := payload[at:min(at+16, len(payload))]
		dst = fmt.Appendf(dst, "%s%08X  ", tab, c.sent[node]+at)
		for i := range 16 {
			if i < len(row) {
				dst = fmt.Appendf(dst, "%02x ", row[i])
			} else {
				dst = append(dst, "   "...)
			}
			if i == 7 {
				dst = append(dst, ' ')
			}
		}
		dst = append(dst, ' ')
		for i, b := range row {
			if b < ' ' || b > '~' {
				b = '.'
			}
			if i == 8 {
				dst = append(dst, ' ')
			}
			dst = append(dst, b)
		}
		dst = append(bytes.TrimRight(dst, " "), '\n')
	}
	c.sent[node] += len(payload)
	return dst
}
