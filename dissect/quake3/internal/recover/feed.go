package recover

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A Feed is the part of a game's checksum feed that enciphers user commands.
type Feed struct {
	Low      uint16 // its low 16 bits
	Verified int    // turns of the player that confirm it
}

// Limits of the search for feeds.
const (
	maxInputs = 1 << 13 // user commands and views that are kept
	maxPoses  = 256     // directions that are compared
	minPoses  = 24
	minOther  = 3 // buttons that a feed must agree with, and weapons
)

// yawField is the number of the commanded direction in user commands.
const yawField = 1

// buttonBits are the existing ones, with BUTTON_ANY as the highest: code/game/q_shared.h.
const buttonBits = 1<<12 - 1

// maxWeapon is greater than the weapon numbers of all known games.
const maxWeapon = 31

// A keyedInput is a user command whose values are enciphered with the feed only.
type keyedInput struct {
	serverID int32
	has      uint16 // mask of the fields that the message has
	values   [maxUser]uint16
}

// inputs are what feeds are found with: what the player commanded, and what the server made of it. Both have
// the time that they are for.
type inputs struct {
	commands map[int32]keyedInput // by server time
	yaws     map[int32]uint16     // the player's direction by the time of the command that caused it, 65536 to the circle
	tried    map[int32]int        // number of poses, by server id, at the last search for a feed
}

// An inputReader follows the parsing of a message for its user commands or its player's direction.
type inputReader struct {
	m       *model
	current keyedInput
	time    int32
	mask    uint32 // key of the values, without the feed and the time
	keyed   bool
	found   map[int32]keyedInput
	yaw     uint16
	hasYaw  bool
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
		r.found[r.time] = r.current
	case c.state == stUserField && c.acc == 0 && int(c.field) == len(r.m.user)-1:
		r.found[r.time] = r.current
	case c.state == stUserValue:
		v := uint16(c.acc) ^ uint16(r.mask^uint32(r.time))
		r.current.values[c.field] = v & (1<<r.m.user[c.field] - 1)
		r.current.has |= 1 << c.field
		if int(c.field) == len(r.m.user)-1 {
			r.found[r.time] = r.current
		}
	}
}

// readsPlayer looks at a value of a snapshot.
func (r *inputReader) readsPlayer(c *cursor) {
	if c.state != stValue || c.flags&(inPlayer|inPilot|inVehicle) != inPlayer {
		return
	}
	switch int(c.field) {
	case 0:
		r.time, r.hasTime = int32(c.acc), true
	case r.m.yaw:
		degrees := float64(math.Float32frombits(c.acc))
		if c.shift == 13 {
			degrees = float64(int32(c.acc) - 1<<12)
		}
		if degrees >= -180 && degrees <= 360 {
			r.yaw, r.hasYaw = uint16(int32(math.Round(degrees*65536/360))), true
		}
	}
}

// take keeps what was found in a message that was parsed to its end.
func (in *inputs) take(r *inputReader) {
	if in.commands == nil {
		in.commands, in.yaws, in.tried = map[int32]keyedInput{}, map[int32]uint16{}, map[int32]int{}
	}
	for t, c := range r.found {
		if _, ok := in.commands[t]; !ok && len(in.commands) < maxInputs {
			in.commands[t] = c
		}
	}
	if r.hasYaw && r.hasTime && len(in.yaws) < maxInputs {
		in.yaws[r.time] = r.yaw
	}
}

// A pose is a direction of the player as commanded, without the feed, and as seen.
type pose struct{ commanded, seen uint16 }

// poses returns the directions in a game, oldest first.
func (in *inputs) poses(serverID int32) (list []pose) {
	for _, t := range slices.Sorted(maps.Keys(in.yaws)) {
		c, ok := in.commands[t]
		if !ok || c.serverID != serverID || c.has&(1<<yawField) == 0 {
			continue
		}
		p := pose{c.values[yawField], in.yaws[t]}
		if n := len(list); n > 0 && list[n-1] == p {
			continue
		}
		if list = append(list, p); len(list) == maxPoses {
			break
		}
	}
	return list
}

// feed finds the low bits of a game's checksum feed: under the right ones, the offset that is added to
// commanded directions (delta_angles) stays the same until the player is moved, as by a teleporter. The highest
// bit makes no difference to that; it follows from the buttons, which do not use it.
func (in *inputs) feed(m *model, serverID int32) (Feed, bool) {
	list := in.poses(serverID)
	if len(list) < minPoses || len(list) < in.tried[serverID]*2 {
		return Feed{}, false
	}
	in.tried[serverID] = len(list)
	best, most, second := uint16(0), 0, 0
	for k := range uint32(1 << 15) {
		if turnsAgree(list, uint16(k)) < len(list)*3/4 {
			continue
		}
		if n := equalOffsets(list, uint16(k)); n > most {
			best, most, second = uint16(k), n, most
		} else {
			second = max(second, n)
		}
	}
	if most == 0 || second > most*9/10 {
		return Feed{}, false
	}
	for _, k := range [2]uint16{best, best | 1<<15} {
		if in.agree(m, serverID, k) {
			return Feed{k, turnsAgree(list, k)}, true
		}
	}
	return Feed{}, false
}

// turnsAgree counts the turns between two poses that are the same in the snapshots as in the commands.
func turnsAgree(list []pose, k uint16) (n int) {
	for i := range len(list) - 1 {
		if (list[i+1].commanded^k)-(list[i].commanded^k) == list[i+1].seen-list[i].seen {
			n++
		}
	}
	return n
}

// equalOffsets counts the pairs of poses with the same difference between the direction seen and the direction
// commanded.
func equalOffsets(list []pose, k uint16) (n int) {
	counts := map[uint16]int{}
	for _, p := range list {
		offset := p.seen - (p.commanded ^ k)
		n += counts[offset]
		counts[offset]++
	}
	return n
}

// agree reports whether all buttons and weapons of a game exist.
func (in *inputs) agree(m *model, serverID int32, k uint16) bool {
	buttons, weapons := 0, 0
	for _, c := range in.commands {
		if c.serverID != serverID {
			continue
		}
		if c.has&(1<<m.buttons) != 0 {
			if buttons++; (c.values[m.buttons]^k)&^buttonBits != 0 {
				return false
			}
		}
		if c.has&(1<<m.weapon) != 0 {
			if weapons++; (c.values[m.weapon]^k)&0xff > maxWeapon {
				return false
			}
		}
	}
	return buttons >= minOther && weapons >= minOther
}

// findFeeds searches for the feeds of games that have none yet. Wolfenstein's buttons have 8 bits, which leaves the
// highest bit of its feeds open.
func (s *Session) findFeeds() {
	if s.m.user[s.m.buttons] < 16 {
		return
	}
	var ids []int32
	for _, c := range s.inputs.commands {
		if _, ok := s.keys.Feeds[c.serverID]; !ok && !slices.Contains(ids, c.serverID) {
			ids = append(ids, c.serverID)
		}
	}
	slices.SortFunc(ids, cmp.Compare[int32])
	for _, id := range ids[:min(len(ids), maxFeeds)] {
		if f, ok := s.inputs.feed(s.m, id); ok {
			s.keys.Feeds[id] = f
		}
	}
}

// maxFeeds is the most games of a session that are searched in one go.
const maxFeeds = 16

// Feed returns the low 16 bits of a game's checksum feed.
func (s *Session) Feed(serverID int32) (low uint16, ok bool) {
	f, ok := s.keys.Feeds[serverID]
	return f.Low, ok
}

// SetFeed starts with a feed that was found before.
func (s *Session) SetFeed(serverID int32, f Feed) { s.keys.Feeds[serverID] = f }

// Suffices reports whether a command of which only the beginning is known can be hashed: it has all characters
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
func (s *Session) keyInputs(h *held) *inputReader {
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
	r.mask, r.keyed = uint32(p.messageAck)^token.HashKey(c.Text, s.m.gen.EightBit), true
	return r
}
