package recover

import (
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// serverOp processes the operation of a server message.
func (c *cursor) serverOp(m *model, v uint32) {
	if v >= uint32(len(m.serverOp)) || m.serverOp[v] == impossible {
		c.die()
		return
	}
	c.score += m.serverOp[v]
	switch m.gen.Op(v) {
	case tables.OpNop, tables.OpMapChange:
		c.want(stOp, 8)
	case tables.OpGamestate:
		c.flags |= inGamestate
		c.want(stGameCommand, 32)
	case tables.OpServerCommand:
		c.want(stCommandNumber, 32)
	case tables.OpDownload:
		c.flags |= twoEnds
		c.want(stDownBlock, 16)
	case tables.OpSnapshot:
		c.want(stTime, 32)
	case tables.OpEOF:
		c.end()
	case tables.OpSetGame:
		c.want(stSetGame, 8)
	case tables.OpVoipOpus:
		c.left = 5
		c.want(stVoipHead, 16)
	case tables.OpVoipSpeex:
		c.left = 4
		c.want(stVoipHead, 16)
	default:
		c.die()
	}
}

// end processes the end of the message. The remaining bits of the byte are zero.
func (c *cursor) end() {
	if c.count < 8 && c.flags&twoEnds == 0 {
		if c.buf != 0 {
			c.die()
			return
		}
		c.score += int32(c.count) * unit
	}
	c.state = stEnd
}

// text processes a character of a command or configstring.
func (c *cursor) text(s *scene, v uint32) {
	m := s.m
	g := &m.serverChar
	if s.fromClient {
		g = &m.clientChar
	}
	if s.lex != nil && c.state == stCommandChar {
		c.score += s.lex.weigh(c.said, byte(v)) + m.code.length[v&0xff]*unit
	} else {
		c.score += g[charClass(c.field)][v&0xff]
	}
	if v == 0 {
		c.said = 0
		if c.state == stGameChar {
			c.want(stGameOp, 8)
		} else {
			c.want(stOp, 8)
		}
		return
	}
	c.field, c.said = byte(v), (c.said<<8|uint64(v))&(1<<(8*order)-1)
	c.want(c.state, 8)
}

// snapshotHead processes a value before the player's state.
func (c *cursor) snapshotHead(s *scene, v uint32) {
	m := s.m
	switch c.state {
	case stTime:
		c.time = v
		c.flags |= hasTime
		if s.fromClient {
			c.now = v
			c.want(stAny, 1)
			return
		}
		c.want(stDelta, 8)
	case stDelta:
		c.score += s.either(recentDelta, uint8(v), m.code.length[v&0xff], m.deltaNumber(s.delta, v))
		c.want(stFlags, 8)
	case stFlags:
		c.score += s.either(recentFlags, uint8(v), m.code.length[v&0xff], m.snapFlags[v&0xff])
		c.want(stAreaBytes, 8)
	case stAreaBytes:
		c.score += s.either(recentAreas, uint8(v), m.code.length[v&0xff], m.areaBytes[v&0xff])
		if v > 32 {
			c.die()
			return
		}
		if c.left = uint16(v); v == 0 {
			c.wantPlayer(m)
			return
		}
		c.want(stArea, 8)
	case stArea:
		c.areas = c.areas*31 + v + 1
		c.areaBits = min(c.areaBits, 200) + c.coded
		if c.left--; c.left == 0 {
			c.flags |= hasAreas
			c.wantPlayer(m)
			return
		}
		c.want(stArea, 8)
	}
}

// wantPlayer begins the player's state.
func (c *cursor) wantPlayer(m *model) {
	if m.pilot != nil {
		c.want(stPilot, 1)
		return
	}
	c.want(stPlayerCount, 8)
}

// pilot takes the bit that says by which table a player is coded.
func (c *cursor) pilot(s *scene, v uint32) {
	c.score += s.bit(bitPilot, v)
	if v != 0 {
		c.flags |= inPilot
	}
	c.want(stPlayerCount, 8)
}

// table returns the fields of the delta that is read.
func (c *cursor) table(m *model) []modelField {
	switch {
	case c.flags&inPlayer == 0 && c.state != stPlayerCount:
		return m.entity
	case c.flags&inVehicle != 0:
		return m.vehicle
	case c.flags&inPilot != 0:
		return m.pilot
	}
	return m.player
}

// deltaField processes a value of a delta's fields.
func (c *cursor) deltaField(s *scene, v uint32) {
	m := s.m
	table := c.table(m)
	switch c.state {
	case stPlayerCount, stEntityCount:
		if int(v) > len(table) {
			c.die()
			return
		}
		if c.state == stPlayerCount {
			c.flags |= inPlayer
			if c.flags&(inPilot|inVehicle) == 0 {
				c.score += m.playerCount[v]
			}
		} else {
			c.score += m.entityCount[v]
		}
		c.field, c.last = 0, uint8(v)
		c.nextField()
	case stChanged:
		c.changedBit(s, &table[c.field], v)
	case stNonzero:
		f := &table[c.field]
		c.score += s.bit(f.nonzero, v)
		if v == 0 {
			c.field++
			c.nextField()
			return
		}
		c.wantValue(f)
	case stFloat:
		c.score += s.bit(table[c.field].full, v)
		if v == 0 {
			c.want(stValue, 13)
		} else {
			c.want(stValue, 32)
		}
	case stValue:
		if m.vehicle != nil && c.flags&(inPlayer|inVehicle) == inPlayer {
			c.notesRiding(m, v)
		}
		if c.field == 0 && c.flags&(inPlayer|inVehicle) == inPlayer {
			c.score += s.commandTime(c, v)
		} else if c.shift >= 8 {
			top := table[c.field].top[0]
			if c.shift == 13 {
				top = table[c.field].top[1]
			}
			if top != nil {
				c.score += top[v>>(c.shift-8)]
			}
		}
		c.field++
		c.nextField()
	}
}

// changedBit takes the bit that says whether a field changed.
func (c *cursor) changedBit(s *scene, f *modelField, v uint32) {
	if c.field+1 == c.last {
		c.score += s.bit(bitCertain, v) // the last field of the count is one that changed
	} else {
		c.score += s.bit(f.changed, v)
	}
	switch {
	case v == 0:
		c.field++
		c.nextField()
	case c.flags&inPlayer == 0:
		c.want(stNonzero, 1)
	default:
		c.wantValue(f)
	}
}

func (c *cursor) wantValue(f *modelField) {
	if f.width == 0 {
		c.want(stFloat, 1)
		return
	}
	c.want(stValue, f.width)
}

// nextField advances to the next field of a delta, or to what follows it.
func (c *cursor) nextField() {
	switch {
	case c.field < c.last:
		c.want(stChanged, 1)
	case c.flags&inPlayer != 0:
		c.flags &^= inPlayer | inAmmo
		c.array = 0
		c.want(stArrays, 1)
	case c.flags&inGamestate != 0:
		c.want(stGameOp, 8)
	default:
		c.want(stEntity, 10)
	}
}

// notesRiding looks at the number of the player's vehicle.
func (c *cursor) notesRiding(m *model, v uint32) {
	pilot := 0
	if c.flags&inPilot != 0 {
		pilot = 1
	}
	if int(c.field) != m.riding[pilot] {
		return
	}
	if c.flags |= knowsRiding | rides; v == 0 {
		c.flags &^= rides
	}
}

// Arrays by number: stats, persistant, ammo or holdable, powerups; in Wolfenstein four of ammunition and four of
// clips more.
const (
	statsArray, powerupsArray = 0, 3
	ammoArrays, clipArrays    = 4, 8
	wolfArrays                = 12
	weaponsStat               = 4 // of Jedi Academy, which has 19 bits
)

// arrays takes the arrays of a player.
func (c *cursor) arrays(s *scene, v uint32) {
	switch c.state {
	case stArrays:
		bit, next := bitArrays, uint8(ammoArrays)
		if c.array >= ammoArrays {
			bit, next = bitAmmo, clipArrays
		}
		if c.score += s.bit(bit, v); v == 0 {
			c.array = next
		}
		c.nextArray(s)
		return
	case stArray:
		bit := bitArrays + 1 + int(c.array)
		if c.array >= ammoArrays {
			bit = bitAmmo + 1 + int(c.array) - ammoArrays
		}
		c.score += s.bit(bit, v)
		if v != 0 {
			c.want(stArrayMask, 16)
			return
		}
		c.array++
	case stArrayMask:
		c.mask = uint16(v)
		if v == 0 {
			c.die()
			return
		}
		c.arrayValue(s.m)
		return
	case stArrayValue:
		c.mask &= c.mask - 1
		if c.mask != 0 {
			c.arrayValue(s.m)
			return
		}
		c.array++
	}
	c.nextArray(s)
}

// nextArray advances to the next array, or to the bit for several of them.
func (c *cursor) nextArray(s *scene) {
	wolf := s.m.gen.Arrays == tables.ArraysWolf
	switch {
	case !wolf && c.array >= ammoArrays, c.array == wolfArrays:
		c.endPlayer(s)
	case wolf && c.array == ammoArrays && c.flags&inAmmo == 0:
		c.flags |= inAmmo
		c.want(stArrays, 1)
	default:
		c.want(stArray, 1)
	}
}

func (c *cursor) arrayValue(m *model) {
	switch {
	case c.array == powerupsArray:
		c.want(stArrayValue, 32)
	case c.array == statsArray && m.gen.Arrays == tables.ArraysJediAcademy && bits.TrailingZeros16(c.mask) == weaponsStat:
		c.want(stArrayValue, 19)
	default:
		c.want(stArrayValue, 16)
	}
}

// endPlayer ends a player's state: that of the vehicle may follow.
func (c *cursor) endPlayer(s *scene) {
	if s.m.vehicle != nil && c.flags&inVehicle == 0 {
		riding := c.flags&rides != 0
		if c.flags&knowsRiding == 0 {
			riding = s.riding || c.flags&inPilot != 0
		}
		if riding {
			c.flags |= inVehicle
			c.want(stPlayerCount, 8)
			return
		}
	}
	c.prev = -1
	c.want(stEntity, 10)
}

// lastEntity ends the list of entities.
const lastEntity = 1023

// entity takes the beginning of an entity's record, or a baseline's.
func (c *cursor) entity(s *scene, v uint32) {
	m := s.m
	switch c.state {
	case stEntity:
		if c.flags&inGamestate != 0 {
			c.want(stRemoved, 1)
			return
		}
		if v == lastEntity {
			c.score += m.entityEnd
			c.want(stOp, 8)
			return
		}
		if int16(v) <= c.prev {
			c.die()
			return
		}
		c.score += m.entityGap(int(v)-int(c.prev), c.coded)
		c.prev = int16(v)
		c.want(stRemoved, 1)
	case stRemoved:
		c.score += s.bit(bitRemoved, v)
		if v != 0 {
			c.next()
			return
		}
		c.want(stHasDelta, 1)
	case stHasDelta:
		c.score += s.bit(bitHasDelta, v)
		if v == 0 {
			c.next()
			return
		}
		c.want(stEntityCount, 8)
	}
}

// next advances to the next entity or baseline.
func (c *cursor) next() {
	if c.flags&inGamestate != 0 {
		c.want(stGameOp, 8)
		return
	}
	c.want(stEntity, 10)
}
