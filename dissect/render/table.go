package render

import (
	"bytes"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Table writes a heading and a table of every field for each record: its position and length in bits as
// transmitted, its value and its meaning. It is safe for concurrent use.
type Table struct {
	Separator string // the line after each record's table
	Time      TimeFormat
	Width     int      // cells of the terminal, longer values and meanings are wrapped; 0: none
	Color     bool     // headings bold, fields cyan, warnings yellow, errors red
	Only      []string // keys of the objects that are shown, which are names of protocols; empty: all
}

// Append appends the record's heading, table and expert entries, and an empty line.
func (t *Table) Append(dst []byte, rec *dissect.Record) []byte {
	if rec.Closing {
		return dst // no packet
	}
	from := len(dst)
	dst = t.finishLine(t.appendHeading(dst, rec), from, bold)
	if len(t.Only) > 0 {
		defer func(tree *dissect.Tree) { rec.Tree = tree }(rec.Tree)
		rec.Tree = selectKeys(rec.Tree, t.Only)
	}
	if len(rec.Tree.Nodes) > 0 {
		m := rowMakers.Get().(*rowMaker)
		m.appendRows(rec)
		m.color = t.Color
		dst = m.append(dst, t.Width)
		rowMakers.Put(m)
	}
	for i := range rec.Experts {
		from := len(dst)
		dst = t.finishLine(appendExpertLine(dst, &rec.Experts[i]), from, severityColors[rec.Experts[i].Severity])
	}
	return append(append(dst, t.Separator...), '\n')
}

// appendHeading appends "Frame 26, 0.215361, 127.0.0.1:27960 → 127.0.0.1:27965, 118 bytes, quake3 68,
// stream 0, server to client: snapshot 7800 full".
func (t *Table) appendHeading(dst []byte, rec *dissect.Record) []byte {
	const comma = ", "
	if rec.Recorded() {
		dst = append(dst, "Demo message "...)
	} else {
		dst = append(dst, "Frame "...)
	}
	dst = text.AppendUint(dst, rec.Number())
	l := List{Time: t.Time}
	if at := len(dst) + len(comma); rec.HasTime {
		dst = l.appendTime(append(dst, comma...), rec)
		dst = append(dst[:at], bytes.TrimLeft(dst[at:], " ")...)
	}
	if rec.Src.IsValid() || rec.Dst.IsValid() {
		dst = appendEndpoint(append(dst, comma...), rec, rec.Src)
		dst = appendEndpoint(append(dst, " → "...), rec, rec.Dst)
	}
	dst = text.AppendInt(append(dst, comma...), int64(rec.Length))
	dst = append(dst, " bytes"...)
	if rec.Truncated() {
		dst = text.AppendInt(append(dst, " ("...), int64(len(rec.Payload)))
		dst = append(dst, " captured)"...)
	}
	if rec.Protocol != nil {
		dst = appendProtocolVersion(append(dst, comma...), rec)
	}
	if rec.Stream >= 0 && !rec.Recorded() {
		dst = text.AppendInt(append(dst, ", stream "...), int64(rec.Stream))
	}
	if rec.Direction != dissect.Undecidable {
		dst = append(append(dst, comma...), strings.ReplaceAll(rec.Direction.String(), "_", " ")...)
	}
	dst = append(dst, ": "...)
	from := len(dst)
	dst = rec.AppendInfo(dst)
	dst = wiretext.MakeVisible(dst, from)
	if len(dst) == from {
		dst = dst[:from-len(": ")]
	}
	return dst
}

// appendExpertLine appends "warning fragment_lost at byte 12 bit 3, quake3.netchan.sequence: ...".
func appendExpertLine(dst []byte, e *dissect.Expert) []byte {
	dst = append(dst, e.Severity.String()...)
	dst = append(dst, ' ')
	dst = append(dst, e.Code...)
	dst = text.AppendInt(append(dst, " at byte "...), int64(e.BitOffset>>3))
	dst = text.AppendInt(append(dst, " bit "...), int64(e.BitOffset&7))
	if e.Field != "" {
		dst = append(append(dst, ", "...), e.Field...)
	}
	dst = append(dst, ": "...)
	from := len(dst)
	return wiretext.MakeVisible(append(dst, e.Message...), from)
}

// severityColors are the colours of expert entries.
var severityColors = [...]string{dissect.Note: "", dissect.Warning: yellow, dissect.Fault: red}

// finishLine ends the line in dst from index from on: it breaks the line between words at the terminal's width,
// and paints it.
func (t *Table) finishLine(dst []byte, from int, color string) []byte {
	if t.Width > 0 {
		dst = wrapFrom(dst, from, t.Width, 2)
	}
	if t.Color && color != "" {
		dst = surround(dst, from, len(dst), color)
	}
	return append(dst, '\n')
}

// selectKeys returns a tree with some of the top-level objects, selected by key. It shares the texts of the original.
func selectKeys(tree *dissect.Tree, keys []string) *dissect.Tree {
	part := *tree
	part.Nodes = make([]dissect.Node, 0, len(tree.Nodes))
	for i := 0; i < len(tree.Nodes); {
		end := int(tree.Nodes[i].End)
		if slices.Contains(keys, tree.Nodes[i].Field.Key) {
			moved := int32(i - len(part.Nodes))
			for _, n := range tree.Nodes[i:end] {
				n.End -= moved
				part.Nodes = append(part.Nodes, n)
			}
		}
		i = end
	}
	return &part
}
