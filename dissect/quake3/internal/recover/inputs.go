package recover

import (
	"bytes"
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// maxInputs is how many user commands and views are kept.
const maxInputs = 1 << 13

// yawField is the number of the commanded direction in user commands; that of the pitch is 0.
const yawField = 1

// A keyedInput is a user command whose values are enciphered with the feed only.
type keyedInput struct {
	serverID int32
	has      uint16 // mask of the fields that the message had until then; others are zero
	nonzero  uint16 // mask of the fields that the message has for the first time: they are not zero
	values   [maxUser]uint16
}

// inputs are what feeds are found with: what the player commanded, and what the server made of it. Both have
// the time that they are for.
type inputs struct {
	commands map[int32]keyedInput // by server time
	views    map[int32]view       // by the time of the command that caused it
	tried    map[int32]int        // number of commands and views, by server id, at the last search for a feed
}

// A view is what a snapshot has of the player's direction, 65536 to the circle.
type view struct {
	has    uint8 // mask of pitch, yaw, and their offsets
	angles [4]uint16
}

// Angles of a view.
const (
	pitchAngle = iota
	yawAngle
	pitchOffset // delta_angles: added to the commanded direction
	yawOffset
)

// An inputReader follows the parsing of a message for its user commands or its player's direction.
type inputReader struct {
	m       *model
	current keyedInput
	time    int32
	mask    uint32 // key of the values, without the feed and the time
	keyed   bool
	found   map[int32]keyedInput
	view    view
	hasTime bool // time is that of the player's last command
}

// reads looks at a value before the cursor processes it.
func (r *inputReader) reads(c *cursor, fromClient bool) {
	switch {
	case !fromClient:
		r.readsPlayer(c)
	case !r.keyed:
	case c.state == stDeltaTime:
		r.time += int32(c.acc)
	case c.state == stTime || c.state == stUserTime:
		r.time = int32(c.acc)
	case c.state == stAny && c.acc == 0:
		r.finds()
	case c.state == stUserField && c.acc == 0 && int(c.field) == len(r.m.user)-1:
		r.finds()
	case c.state == stUserValue:
		v := uint16(c.acc) ^ uint16(r.mask^uint32(r.time))
		r.current.values[c.field] = v & (1<<r.m.user[c.field] - 1)
		if bit := uint16(1) << c.field; r.current.has&bit == 0 {
			r.current.has |= bit
			r.current.nonzero |= bit
		}
		if int(c.field) == len(r.m.user)-1 {
			r.finds()
		}
	}
}

// finds keeps the command that was read. The next one is a difference to it.
func (r *inputReader) finds() {
	r.found[r.time] = r.current
	r.current.nonzero = 0
}

// readsPlayer looks at a value of a snapshot.
func (r *inputReader) readsPlayer(c *cursor) {
	if c.state != stValue || c.flags&(inPlayer|inPilot|inVehicle) != inPlayer {
		return
	}
	if c.field == 0 {
		r.time, r.hasTime = int32(c.acc), true
		return
	}
	for k, field := range r.m.views {
		if int(c.field) != field {
			continue
		}
		v := uint16(c.acc)
		if k < pitchOffset {
			degrees := float64(math.Float32frombits(c.acc))
			if c.shift == 13 {
				degrees = float64(int32(c.acc) - 1<<12)
			}
			if degrees < -180 || degrees > 360 {
				return
			}
			v = uint16(int32(math.Round(degrees * 65536 / 360)))
		}
		r.view.angles[k], r.view.has = v, r.view.has|1<<k
	}
}

// take keeps what was found in a message that was parsed to its end.
func (in *inputs) take(r *inputReader) {
	if in.commands == nil {
		in.commands, in.views, in.tried = map[int32]keyedInput{}, map[int32]view{}, map[int32]int{}
	}
	for t, c := range r.found {
		if _, ok := in.commands[t]; !ok && len(in.commands) < maxInputs {
			in.commands[t] = c
		}
	}
	if r.view.has != 0 && r.hasTime && len(in.views) < maxInputs {
		in.views[r.time] = r.view
	}
}

// Suffices reports whether a command can be hashed if only its beginning is known: it has all characters
// that count, and cannot be a shorter one that began again.
func Suffices(text []byte) bool {
	for period := 1; period < token.HashedChars && period < len(text); period++ {
		if bytes.Equal(text[period:], text[:len(text)-period]) {
			return false
		}
	}
	return len(text) >= token.HashedChars
}

// keyInputs returns a reader for a message, with the key of its user commands. Without the text of the
// acknowledged command they are skipped.
func (s *Session) keyInputs(h *waitingMessage) *inputReader {
	r := &inputReader{m: s.m}
	if !h.FromClient {
		return r
	}
	p, _ := h.prefix()
	c, ok := s.keys.Commands[0][p.ack]
	if !ok || !c.Whole && !Suffices(c.Text) {
		return r
	}
	r.found = map[int32]keyedInput{}
	r.current.serverID = p.serverID
	kept := s.m.gen.Kept
	if s.m.gen.SignedHash {
		kept |= token.KeptHigh
	}
	r.mask, r.keyed = uint32(p.messageAck)^token.HashKey(c.Text, kept), true
	return r
}
