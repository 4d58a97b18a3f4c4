package truth_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// want builds the whole record that a line of the truth describes.
func (c *comparison) want(t *truthLine, l *line) node {
	want := node{
		"frame": decimal(t.Frame), "protocol": "quake3", "direction": "client_to_server",
		"src_port": decimal(t.ClientPort), "dst_port": decimal(t.ServerPort), "stream": l.got["stream"],
		"length": l.got["length"],
	}
	if t.Dir == "s2c" {
		want["direction"] = "server_to_client"
		want["src_port"], want["dst_port"] = want["dst_port"], want["src_port"]
	}
	if t.Kind == "oob" {
		want["length"] = decimal(t.Len + oobMarkerLen)
		want["quake3"] = c.wantPacket(t, l)
	} else {
		c.wantSession(t, l, want)
	}
	return want
}

// oobMarkerLen is how many bytes FF begin an out-of-band packet.
const oobMarkerLen = 4

// wantPacket builds the object quake3 of an out-of-band packet.
func (c *comparison) wantPacket(t *truthLine, l *line) node {
	c.model.oob(t, reftest.Number(l.got["stream"]))
	want := c.wantOngoing(l)
	if t.Text != nil {
		text := wire(*t.Text)
		if l.cut && c.departure.stale {
			text = text[:len(text)-1]
		}
		oob := wantOOB(t, text)
		if l.cut {
			delete(oob, "info_raw") // what the cut left of the last pair is not part of info
		}
		want["oob"] = oob
		return want
	}
	// The truth gives the size and checksum of the text alone: it is put together again from the record.
	oob, _ := l.game["oob"].(node)
	command, _ := oob["command"].(string)
	body, _ := oob["text"].(string)
	text, sum := []byte(command+"\n"+body), t.TextCRC32
	if slices.Contains(c.departure.redacted, t.Frame) {
		sum = l.payloadCRC
	}
	if got := fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)); got != sum || len(text) != t.TextLen ||
		command != *t.Redacted {
		c.differ("frame %d: %s text of %d bytes, CRC-32 %s; want %s, %d, %s", t.Frame, command, len(text), got,
			*t.Redacted, t.TextLen, sum)
	}
	want["oob"] = wantOOB(t, text)
	return want
}

// wantOngoing begins the object of an out-of-band packet with the session that continues in its stream, if
// any: that of the last message, or one that connectResponse has just begun.
func (c *comparison) wantOngoing(l *line) node {
	stream := reftest.Number(l.got["stream"])
	if last := c.sessions[stream]; last != nil && last["session"] == l.game["session"] {
		return maps.Clone(last)
	}
	want := node{}
	if next := c.began[stream]; l.game["session"] != nil {
		want["session"] = decimal(next)
		for _, connect := range c.model.connects {
			if connect.stream == stream {
				want["version"] = json.Number(connect.version)
				if c.departure.game != "" {
					want["game"] = c.departure.game
				}
			}
		}
	}
	return want
}

// wantSession completes a record that holds a message.
func (c *comparison) wantSession(t *truthLine, l *line, want node) {
	s, first := c.model.session(t)
	if first {
		s.stream, s.session = reftest.Number(l.got["stream"]), reftest.Number(l.game["session"])
		for _, other := range c.model.sessions {
			if other != s && other.stream == s.stream && other.session >= s.session {
				c.differ("frame %d: session %d of stream %d is an old one", t.Frame, s.session, s.stream)
			}
		}
		if s.connect != nil && s.connect.stream != s.stream {
			c.differ("frame %d: session in stream %d, the connect is in %d", t.Frame, s.stream, s.connect.stream)
		}
	}
	want["stream"] = decimal(s.stream)
	game := node{"encoding": t.Encoding, "session": decimal(s.session), "netchan": c.wantNetchan(t, s, l)}
	// the first message shows it
	if c.departure.game != "" && !(first && c.departure.recovered && t.Encoding == "native") {
		game["game"] = c.departure.game
	}
	want["quake3"] = game
	if s.connect != nil {
		game["version"] = json.Number(s.connect.version)
	} else if v, ok := l.game["version"]; ok && c.departure.midgame {
		game["version"] = v // learnt from the server's settings
	}
	c.sessions[s.stream] = node{"encoding": game["encoding"], "session": game["session"]}
	if g, ok := game["game"]; ok {
		c.sessions[s.stream]["game"] = g
	}
	if v, ok := game["version"]; ok {
		c.sessions[s.stream]["version"] = v
	}
	c.began[s.stream] = s.session + 1
	keyed := s.movesReadable(t)
	key, message := s.wantMessage(t)
	game[key] = message
	markData(l.message())
	bits := t.Bits
	if c.departure.recovered && t.Encoding != "native" {
		if l.game["key"] != nil {
			game["key"] = "recovered"
		}
		bits = c.wantRecovered(t, l, message)
	} else if c.departure.midgame {
		bits = c.wantMidgame(t, l, keyed, message)
	}
	if changes := wantChanges(t); changes != l.changes && !l.keyUnknown {
		c.differ("frame %d: changes of user commands %q, want %q", t.Frame, l.changes, changes)
	}
	if l.bits != bits {
		c.differ("frame %d: %d bits were read of the message, the game reads %d", t.Frame, l.bits, bits)
	}
}

// wantNetchan builds the header's object. The lengths of all fragments together must be the message's.
func (c *comparison) wantNetchan(t *truthLine, s *truthSession, l *line) node {
	got, _ := l.game["netchan"].(node)
	want := node{"sequence": decimal(t.Sequence), "fragmented": t.Fragmented}
	size := reftest.Number(l.got["length"]) - 4
	if t.Qport != nil {
		want["qport"] = *t.Qport
		size -= 2
	}
	if t.Encoding == "native" {
		size -= 4
		want["checksum"], want["checksum_ok"] = got["checksum"], true
		if s.connect != nil {
			want["checksum"] = decimal(uint32(s.connect.challenge) ^ t.Sequence*uint32(s.connect.challenge))
		}
	}
	if t.Fragmented {
		frames := make([]any, len(t.Frames))
		size -= 4
		start := 0
		for i, f := range t.Frames {
			frames[i] = decimal(f)
			start += c.fragments[f]
		}
		want["reassembled_from"] = frames
		want["fragment"] = node{"start": decimal(start), "length": decimal(size), "last": true}
		size += start
	}
	if size != t.Len {
		c.differ("frame %d: message of %d bytes, want %d", t.Frame, size, t.Len)
	}
	if t.Duplicate {
		want["duplicate"] = true
	}
	if t.Late {
		want["late"] = true
	}
	if lost := s.lostBefore(t); lost > 0 {
		want["lost_before"] = decimal(lost)
	}
	return want
}
