package render

import (
	"net/netip"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/internal/member"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// Below these widths in cells the columns before the info make room for it: first addresses and protocol are as
// narrow as usual values allow, then stream and direction replace the addresses.
const (
	narrowTerminal     = 120
	narrowestAddresses = 100
)

// Widths of the list's columns in cells. They are least widths and do not depend on what came before:
// a line is the same whichever worker writes it, and a longer value moves the rest of its line.
const (
	numberWidth    = 6
	addressWidth   = len("255.255.255.255:65535")
	protocolWidth  = 13 // a name of nine letters and a version
	narrowAddress  = len("127.0.0.1:27960")
	narrowProtocol = 9
	narrowStream   = 4
	lengthWidth    = 5
)

// A List writes one line for each record: number, time, source, destination, protocol and version, length,
// info. It is safe for concurrent use.
type List struct {
	Time  TimeFormat
	Width int  // cells of the terminal, longer lines are cut; 0: lines stay whole
	Color bool // client_to_server in cyan, warnings yellow, errors red, what is not dissected faint
}

// Append appends the record's line with its line feed.
func (l *List) Append(dst []byte, rec *dissect.Record) []byte {
	if rec.Closing {
		return dst // no packet
	}
	start := len(dst)
	protocolWidth := protocolWidth
	if l.Width > 0 && l.Width < narrowTerminal {
		protocolWidth = narrowProtocol
	}
	dst = padLeft(text.AppendUint(dst, rec.Number()), start, numberWidth)
	dst = append(dst, ' ')
	demo := rec.Recorded()
	if !demo {
		dst = l.appendTime(dst, rec)
		dst = append(l.appendPeers(append(dst, ' '), rec), ' ')
	}
	protocol := len(dst)
	dst = appendProtocolVersion(dst, rec)
	dst = padRight(dst, protocol, protocolWidth)
	info := len(dst)
	dst = append(dst, ' ')
	from := len(dst)
	dst = padLeft(text.AppendInt(dst, int64(rec.Length)), from, lengthWidth)
	dst = append(dst, ' ', ' ')
	from = len(dst)
	dst = rec.AppendInfo(dst)
	if dst = wiretext.MakeVisible(dst, from); len(dst) == from {
		dst = dst[:from-2]
	}
	if l.Width > 0 && len(dst)-start > l.Width {
		dst = cut(dst, start, l.Width)
	}
	if l.Color {
		dst = l.paint(dst, rec, start, min(protocol, len(dst)), min(info, len(dst)))
	}
	return append(dst, '\n')
}

// appendPeers appends source and destination, or stream and direction where there is no room for them.
func (l *List) appendPeers(dst []byte, rec *dissect.Record) []byte {
	from, width := len(dst), addressWidth
	switch {
	case l.Width > 0 && l.Width < narrowestAddresses:
		dst = member.AppendStream(dst, rec)
		dst = append(padLeft(dst, from, narrowStream), directionArrows[rec.Direction]...)
		return dst
	case l.Width > 0 && l.Width < narrowTerminal:
		width = narrowAddress
	}
	dst = append(padLeft(appendEndpoint(dst, rec, rec.Src), from, width), " → "...)
	from = len(dst)
	return padRight(appendEndpoint(dst, rec, rec.Dst), from, width)
}

// directionArrows point at the server from the left.
var directionArrows = [...]string{dissect.Undecidable: "  ", dissect.ClientToServer: " →", dissect.ServerToClient: " ←"}

func (l *List) appendTime(dst []byte, rec *dissect.Record) []byte {
	from := len(dst)
	if rec.HasTime {
		dst = l.Time.Append(dst, rec)
	}
	return padLeft(dst, from, l.Time.width())
}

// appendEndpoint appends 127.0.0.1:27960, or the address alone if there is no port.
func appendEndpoint(dst []byte, rec *dissect.Record, a netip.AddrPort) []byte {
	switch {
	case !a.IsValid():
		return dst
	case !rec.UDP:
		return a.Addr().AppendTo(dst)
	}
	return a.AppendTo(dst)
}

// appendProtocolVersion appends "quake3 68": the protocol and the value of the field version of its object.
func appendProtocolVersion(dst []byte, rec *dissect.Record) []byte {
	if rec.Protocol == nil {
		if rec.UDP {
			return append(dst, "UDP"...)
		}
		return append(dst, '-')
	}
	name := rec.Protocol.Name
	dst = append(dst, name...)
	t := rec.Tree
	if i := t.Find(dissect.TopLevel, name); i >= 0 {
		if i = t.Find(i, "version"); i >= 0 {
			dst = append(dst, ' ')
			dst = appendPlainValue(dst, t, &t.Nodes[i])
		}
	}
	return dst
}

// appendPlainValue appends the value of a leaf in readable form, without quotes; nothing for containers.
func appendPlainValue(dst []byte, t *dissect.Tree, n *dissect.Node) []byte {
	switch n.Field.Kind {
	case dissect.Bool:
		if n.Bool() {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case dissect.Uint, dissect.Int:
		return appendNumber(dst, n)
	case dissect.Float:
		dst, _ = text.AppendFloat(dst, n.Float())
		return dst
	case dissect.Hex:
		return text.AppendHexDigits(dst, t.Bytes(n))
	case dissect.Text, dissect.Label, dissect.Info:
		return wiretext.AppendVisible(dst, t.Bytes(n))
	}
	return dst
}

const blanks = "                                "

// padLeft moves dst from index from on to the right, so that it is width bytes long.
func padLeft(dst []byte, from, width int) []byte {
	n := len(dst) - from
	gap := min(width-n, len(blanks))
	if gap <= 0 {
		return dst
	}
	dst = append(dst, blanks[:gap]...)
	copy(dst[from+gap:], dst[from:from+n])
	copy(dst[from:], blanks[:gap])
	return dst
}

// padRight pads dst from index from on, so that it is width bytes long.
func padRight(dst []byte, from, width int) []byte {
	if gap := min(width-(len(dst)-from), len(blanks)); gap > 0 {
		return append(dst, blanks[:gap]...)
	}
	return dst
}

// cut shortens dst from index from on to a number of cells; the last one then shows that something is missing.
func cut(dst []byte, from, cells int) []byte {
	used, end := 0, from // end: as much as there is room for beside the mark
	for i := from; i < len(dst); {
		r, size := rune(dst[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(dst[i:])
		}
		used += text.RuneCells(r)
		if used > cells {
			return append(dst[:end], "…"...)
		}
		i += size
		if used < cells {
			end = i
		}
	}
	return dst
}

// SGR sequences of ECMA-48, section 8.3.117.
const (
	faint  = "\x1b[2m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	bold   = "\x1b[1m"
	plain  = "\x1b[0m"
)

// paint colours the line in dst from index start on: its protocol column by direction and the rest by its
// faults, or all of it.
func (l *List) paint(dst []byte, rec *dissect.Record, start, protocol, info int) []byte {
	if rec.Protocol == nil {
		return surround(dst, start, len(dst), faint)
	}
	color := ""
	for i := range rec.Experts {
		switch rec.Experts[i].Severity {
		case dissect.Fault:
			color = red
		case dissect.Warning:
			if color == "" {
				color = yellow
			}
		}
	}
	if color != "" {
		dst = surround(dst, info, len(dst), color)
	}
	if rec.Direction == dissect.ClientToServer {
		dst = surround(dst, protocol, info, cyan)
	}
	return dst
}

// surround puts a colour around dst[from:to].
func surround(dst []byte, from, to int, color string) []byte {
	if from == to {
		return dst
	}
	end := len(dst)
	dst = append(dst, color...)
	dst = append(dst, plain...)
	copy(dst[to+len(color)+len(plain):], dst[to:end])
	copy(dst[from+len(color):], dst[from:to])
	copy(dst[from:], color)
	copy(dst[to+len(color):], plain)
	return dst
}
