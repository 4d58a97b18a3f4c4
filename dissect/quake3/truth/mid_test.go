package truth_test

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// Bytes at the beginning of a message that a legacy session does not encipher.
const (
	serverClearBytes = 4
	clientClearBytes = 12
)

// movesReadable reports whether the user commands of a client message can be read with what the capture has shown
// up to it: the checksum feed of the game that they are for, and the server command acknowledged.
func (s *truthSession) movesReadable(t *truthLine) bool {
	for i := range t.Ops {
		op := &t.Ops[i]
		words := tokenize(wire(op.Text))
		switch {
		case op.Op == "gamestate":
			s.serverID = infoValue(op.Configstrings["1"], "sv_serverid")
			s.feeds[s.serverID] = true
		case op.Op == "servercommand" && len(words) > 2 && string(words[0]) == "cs" && string(words[1]) == "1":
			id := infoValue(string(words[2]), "sv_serverid")
			s.feeds[id] = s.feeds[id] || s.feeds[s.serverID] // a map restart keeps the feed
			s.serverID = id
		case op.Op == "clientcommand" && len(words) > 1 && string(words[0]) == "cp":
			s.feeds[string(words[1])] = true // hidden in the pure checksums
		}
	}
	return s.feeds[string(t.ServerID)] && (t.ReliableAck == "0" || s.carried["s2c"][t.ReliableAck])
}

// wantMidgame changes what is wanted of a message of a session that began before the capture.
func (c *comparison) wantMidgame(t *truthLine, l *line, keyed bool, want node) (bits int) {
	clear := clientClearBytes
	if t.Dir == "s2c" {
		clear = serverClearBytes
	}
	if t.Encoding == "native" || t.Len <= clear {
		if t.Dir == "c2s" && !keyed {
			c.wantUnkeyed(t, l, want)
		}
		return t.Bits
	}
	// An enciphered message gives the fields of its clear beginning, and the bytes of the rest.
	got := l.message()
	rest, ok := cutUndecoded(got)
	if !ok || !strings.HasSuffix(l.payload, rest) || len(rest)/2 < t.Len-clear {
		c.differ("frame %d: undecoded %q is not the rest of the message", t.Frame, rest)
	}
	if !l.keyUnknown || !begins(want, got) || got["reliable_acknowledge"] == nil {
		c.differ("frame %d: with keys unknown: %v\nis not the beginning of %v", t.Frame, got, want)
	}
	clear = 8 * clear
	if longest := 8 * huffmanMax; l.bits > clear || l.bits < clear-longest {
		c.differ("frame %d: %d bits were read, %d are not enciphered", t.Frame, l.bits, clear)
	}
	for key := range want {
		delete(want, key)
	}
	for key, v := range got {
		want[key] = v
	}
	return l.bits
}

// wantRecovered changes what is wanted of a message of a session whose keys are recovered: nothing, but for what is
// marked as not known.
func (c *comparison) wantRecovered(t *truthLine, l *line, want node) (bits int) {
	c.enciphered[t.Dir]++
	if l.game["key"] == nil {
		return c.wantMidgame(t, l, false, want)
	}
	c.deciphered[t.Dir]++
	switch {
	case t.Dir == "c2s" && l.keyUnknown:
		c.wantUnkeyed(t, l, want)
	case t.Dir == "c2s":
		c.valued++
	}
	c.unknown += acceptUnknown(want, l.message())
	return t.Bits
}

// acceptUnknown takes over into what is wanted that the record marks something as unknown: what an entity's update is a
// delta of, and whether a command repeats one, where the message with it was not deciphered. It counts them.
func acceptUnknown(want, got any) (n int) {
	switch w := want.(type) {
	case node:
		g, ok := got.(node)
		if !ok {
			return 0
		}
		if w["update"] == "delta" && g["update"] == "unknown" {
			w["update"] = "unknown"
			n++
		}
		if w["repeat"] != nil && g["repeat"] == nil {
			delete(w, "repeat")
			n++
		}
		for key := range w {
			n += acceptUnknown(w[key], g[key])
		}
	case []any:
		g, ok := got.([]any)
		for i := range w {
			if ok && i < len(g) {
				n += acceptUnknown(w[i], g[i])
			}
		}
	}
	return n
}

// huffmanMax is the longest code of the static table in bits; the longest field that is read at once has
// four of them.
const huffmanMax = 11

// cutUndecoded takes the undecoded rest out of the last object of a message that is broken off. ok is false
// if there is none, or more than one.
func cutUndecoded(v any) (rest string, ok bool) {
	switch v := v.(type) {
	case node:
		for key, inner := range v {
			found, here := inner.(string)
			if here = here && key == "undecoded"; here {
				delete(v, key)
			} else if found, here = cutUndecoded(inner); !here {
				continue
			}
			if ok {
				return "", false
			}
			rest, ok = found, true
		}
	case []any:
		if len(v) > 0 {
			return cutUndecoded(v[len(v)-1])
		}
	}
	return rest, ok
}

// begins reports whether got is a beginning of want: objects may lack members, lists end early.
func begins(want, got any) bool {
	switch g := got.(type) {
	case node:
		w, ok := want.(node)
		for key, v := range g {
			if !ok || w[key] == nil || !begins(w[key], v) {
				return false
			}
		}
		return ok
	case []any:
		w, ok := want.([]any)
		if !ok || len(g) > len(w) {
			return false
		}
		for i := range g {
			if i < len(g)-1 && !equal(w[i], g[i]) || !begins(w[i], g[i]) {
				return false
			}
		}
		return true
	}
	return equal(want, got)
}

// wantUnkeyed takes the values of user commands that were read, in a command or one before it in the
// message, out of what is wanted. The others are known: they are zero.
func (c *comparison) wantUnkeyed(t *truthLine, l *line, want node) {
	unknown := false
	for i := range t.Ops {
		changed := map[string]bool{}
		for j := range t.Ops[i].Commands {
			cmd := reftest.List(member(reftest.List(want["ops"])[i], "user_commands"))[j].(node)
			for _, f := range t.Ops[i].Commands[j].Changed {
				changed[f] = true
			}
			for f := range changed {
				unknown = true
				path := fieldPath(f)
				if len(path) == 1 {
					delete(cmd, path[0])
				} else {
					delete(cmd[path[0]].(node), path[1])
				}
			}
		}
	}
	if unknown && !l.keyUnknown {
		c.differ("frame %d: no expert entry says that values are not known", t.Frame)
	}
}

// member returns a member of the only object in an operation.
func member(op any, key string) any {
	for _, body := range op.(node) {
		return body.(node)[key]
	}
	return nil
}

// infoValue returns the value of a key in an infostring.
func infoValue(info, key string) string {
	parts := strings.Split(info, `\`)
	for i := 1; i+1 < len(parts); i += 2 {
		if parts[i] == key {
			return parts[i+1]
		}
	}
	return ""
}
