package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A console reads what the server prints for "rcon status": the map, and a table of the players with their numbers. The
// text comes in several packets, cut anywhere.
//
//	map: q3dm17
//	cl score ping name            address                                 rate
//	-- ----- ---- --------------- --------------------------------------- -----
//	 0     3    0 Sarge           ^7bot                                     16384
//
// Engines before ioquake3 1.36 and ET: Legacy have ^7 directly after the name, and other columns after it.
//
// Source: SV_Status_f, code/server/sv_ccmds.c; captures.
type console struct {
	asked bool   // the client's last packet asked for it
	rest  []byte // the line that has not ended
	table bool   // the players follow
}

// maxConsoleLine is more than a line of the table has.
const maxConsoleLine = 512

// read reads the text of a packet.
func (c *console) read(w *eventWriter, g *gameView, text []byte) {
	c.rest = append(c.rest, text...)
	for {
		line, rest, ok := bytes.Cut(c.rest, []byte{'\n'})
		if !ok {
			break
		}
		c.line(w, g, line)
		c.rest = append(c.rest[:0], rest...)
	}
	if len(c.rest) > maxConsoleLine {
		*c = console{}
	}
}

// line reads a line.
func (c *console) line(w *eventWriter, g *gameView, line []byte) {
	words := bytes.Fields(line)
	switch {
	case len(words) == 0:
		c.table = false
	case len(words) > 4 && string(bytes.Join(words[1:4], []byte{' '})) == "score ping name":
		c.table = true
	case c.table:
		if number, name, ok := statusPlayer(line); ok {
			g.roster.keepName(number, name, fromStatus)
		}
	default:
		key, value, ok := bytes.Cut(line, []byte{':'})
		if name := bytes.TrimSpace(value); ok && string(bytes.TrimSpace(key)) == "map" && len(name) > 0 && !g.knowsMap() {
			g.match.mapName = append(g.match.mapName[:0], name...)
			g.reportMapUnderway(w, fromStatus)
		}
	}
}

// statusPlayer reads a player's line: number, score, ping, and the name up to the last ^7. A player who is connecting
// or has left has a word in place of the ping.
func statusPlayer(line []byte) (number int, name []byte, ok bool) {
	var values [3][]byte
	rest := line
	for i := range values {
		rest = bytes.TrimLeft(rest, " ")
		n := bytes.IndexByte(rest, ' ')
		if n < 0 {
			return 0, nil, false
		}
		values[i], rest = rest[:n], rest[n+1:]
	}
	end := bytes.LastIndex(rest, []byte(speech.White))
	if end <= 0 || !token.Decimal(values[0]) || !token.Decimal(values[2]) {
		return 0, nil, false
	}
	name = bytes.TrimRight(rest[:end], " ")
	return token.Positive(values[0]), name, len(name) > 0
}
