package quake3

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// Anybody can send a packet in the name of a peer. So what a message changes counts when it was read to its end, which
// a forged or damaged one is not, and is taken back otherwise. Most messages change no more than the windows of
// commands and snapshots, which are written after the reading.

// effects are what a message does to the session while it is read.
type effects struct {
	before values
	saved  bool                    // before is what was there before the message
	world  *world.World            // the one before the gamestate of the message; nil: there was none
	stores bool                    // the message has a snapshot to be kept
	moved  []operation.UserCommand // of the message, valid until the next is read
	block  operation.Download      // the download before it
	reads  bool                    // a message is being read
	far    *farther                // nil: no message is in doubt for its number
}

// values are the state of a session that messages of the server change.
type values struct {
	serverID, feed                int32
	feeds                         feedTable
	gamename, fsGame, gameVersion []byte
	joined                        []byte
	version                       int
	family                        uint8
	generation                    *tables.Generation
	newest                        int32
	known                         bool
	frameTime                     float32
}

// set makes v the values of a session.
func (v *values) set(c *conversation) {
	v.serverID, v.feed, v.feeds = c.serverID, c.feed, c.feeds
	v.gamename, v.fsGame = append(v.gamename[:0], c.gamename...), append(v.fsGame[:0], c.fsGame...)
	v.gameVersion, v.joined = append(v.gameVersion[:0], c.gameVersion...), append(v.joined[:0], c.joined...)
	v.version, v.family, v.generation = c.version, c.family, c.snapshots.Generation
	v.newest, v.known, v.frameTime = c.server.newest, c.server.known, c.snapshots.FrameTime
}

// restore makes them the session's again.
func (v *values) restore(c *conversation) {
	c.serverID, c.feed, c.feeds = v.serverID, v.feed, v.feeds
	c.gamename, c.fsGame = append(c.gamename[:0], v.gamename...), append(c.fsGame[:0], v.fsGame...)
	c.gameVersion, c.joined = append(c.gameVersion[:0], v.gameVersion...), append(c.joined[:0], v.joined...)
	c.version, c.family, c.snapshots.Generation = v.version, v.family, v.generation
	c.server.newest, c.server.known, c.snapshots.FrameTime = v.newest, v.known, v.frameTime
}

// changing is called before a message changes one of the values.
func (c *conversation) changing() {
	if e := &c.effects; !e.saved {
		e.saved = true
		e.before.set(c)
	}
}

// replaceWorld gives the session an empty world, as a gamestate does.
func (c *conversation) replaceWorld() {
	e := &c.effects
	if e.world != nil || c.encoding == netchan.Recorded {
		c.world.Reset()
		return
	}
	e.world, c.world = c.world, nil
	c.enterWorld()
}

// takeBack takes back what the reading of a message has changed.
func (c *conversation) takeBack() {
	e := &c.effects
	if e.reads {
		c.downloads = e.block
	}
	e.block, e.reads = c.downloads, true
	if e.moved, e.stores = nil, false; e.world != nil {
		c.leaveWorld()
		c.world, c.snapshots.World, e.world = e.world, e.world, nil
	}
	if e.saved {
		e.before.restore(c)
		e.saved = false
	}
}

// settle makes the effects of a message count, if it is good, and otherwise takes them back.
func (c *conversation) settle(m *message, good bool) {
	e := &c.effects
	if !good {
		c.takeBack()
		e.reads = false
		return
	}
	if m.arrival.Far && !m.fromClient {
		e.far = newFarther(c)
	} else if !m.fromClient && !m.arrival.Behind() {
		e.far = nil
	}
	switch {
	case e.stores:
		c.world.Store()
	case m.fromClient && c.encoding == netchan.Legacy && !m.arrival.Behind() && m.cut == 0:
		c.sides[netchan.SideIndex(true)].replays.add(m.prefix().messageAck, m.body)
	}
	for i := range e.moved {
		if c.moves.Note(&e.moved[i]) {
			c.logCommand(&e.moved[i])
		}
	}
	if e.world != nil {
		now := c.world
		c.world = e.world
		c.leaveWorld()
		c.world, c.snapshots.World, e.world = now, now, nil
	}
	e.saved, e.stores, e.reads, e.moved = false, false, false, nil
}

// A farther is the state of the server's side before a message whose number is far ahead.
type farther struct {
	world  *world.World
	before values
}

// newFarther copies the state before the message that was read last.
func newFarther(c *conversation) *farther {
	f, e := &farther{}, &c.effects
	if e.saved {
		f.before = e.before
		f.before.gamename, f.before.fsGame = slices.Clone(e.before.gamename), slices.Clone(e.before.fsGame)
		f.before.gameVersion, f.before.joined = slices.Clone(e.before.gameVersion), slices.Clone(e.before.joined)
	} else {
		f.before.set(c)
	}
	w := c.world
	if e.world != nil {
		w = e.world
	}
	f.world, _ = w.Clone()
	return f
}

// revert returns to the state before a message that was far ahead: the server continues from the one before it.
func (c *conversation) revert(m *message) {
	f := c.effects.far
	if m.fromClient || f == nil {
		return
	}
	c.effects.far = nil
	c.leaveWorld()
	c.world, c.snapshots.World = f.world, f.world
	f.before.restore(c)
}
