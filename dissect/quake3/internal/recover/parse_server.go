package recover

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

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
	case tables.OpCenterPrint:
		c.left = 0
		c.want(stPrint, 8)
	case tables.OpLocPrint:
		c.left = 2
		c.want(stPrint, 16)
	case tables.OpCGame:
		c.last = 0
		c.want(stCGame, cgameTypeBits)
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
	v, wire := m.plain(v)
	g := &m.serverChar
	if s.fromClient {
		g = &m.clientChar
	}
	if s.lex != nil && c.state == stCommandChar {
		c.score += s.lex.weigh(c.said, byte(v)) + m.code.length[wire]*unit
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
		if m.gen.Sounds {
			c.want(stResidual, 8)
			return
		}
		c.want(stDelta, 8)
	case stResidual:
		c.score += s.either(recentResidual, uint8(v), m.code.length[v&0xff], m.residual[v&0xff])
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
		f := &table[c.field]
		c.score += s.bit(f.full, v)
		if f.forms[v] == 0 {
			c.field++
			c.nextField()
			return
		}
		c.want(stValue, f.forms[v])
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

// changedBit takes the bit that is set if a field changed.
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
	case f.zero:
		c.want(stNonzero, 1)
	default:
		c.wantValue(f)
	}
}

func (c *cursor) wantValue(f *modelField) {
	if f.forms[1] != 0 {
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
		if v = (v - m.gen.EntityBias) & lastEntity; v == lastEntity {
			c.score += m.entityEnd
			if m.gen.Sounds {
				c.begins(stSound, soundSteps)
				return
			}
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
