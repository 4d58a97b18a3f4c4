package recover

// serverOp processes the operation of a server message.
func (c *cursor) serverOp(m *model, v uint32) {
	if v >= uint32(len(m.serverOp)) || m.serverOp[v] == impossible {
		c.die()
		return
	}
	c.score += m.serverOp[v]
	switch v {
	case 1:
		c.want(stOp, 8)
	case 2:
		c.flags |= inGamestate
		c.want(stGameCommand, 32)
	case 5:
		c.want(stCommandNumber, 32)
	case 6:
		c.flags |= twoEnds
		c.want(stDownBlock, 16)
	case 7:
		c.want(stTime, 32)
	case 8:
		c.end()
	default: // voice
		c.left = 4
		if v == 10 {
			c.left = 5
		}
		c.want(stVoipHead, 16)
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
			c.want(stPlayerCount, 8)
			return
		}
		c.want(stArea, 8)
	case stArea:
		c.areas = c.areas*31 + v + 1
		c.areaBits = min(c.areaBits, 200) + c.coded
		if c.left--; c.left == 0 {
			c.flags |= hasAreas
			c.want(stPlayerCount, 8)
			return
		}
		c.want(stArea, 8)
	}
}

// deltaField processes a value of a delta's fields.
func (c *cursor) deltaField(s *scene, v uint32) {
	m := s.m
	table := m.entity
	if c.flags&inPlayer != 0 || c.state == stPlayerCount {
		table = m.player
	}
	switch c.state {
	case stPlayerCount, stEntityCount:
		if int(v) > len(table) {
			c.die()
			return
		}
		if c.state == stPlayerCount {
			c.flags |= inPlayer
			c.score += m.playerCount[v]
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
		if c.field == 0 && c.flags&inPlayer != 0 {
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
		c.flags &^= inPlayer
		c.want(stArrays, 1)
	case c.flags&inGamestate != 0:
		c.want(stGameOp, 8)
	default:
		c.want(stEntity, 10)
	}
}

// arrays takes stats, persistant, ammo and powerups.
func (c *cursor) arrays(s *scene, v uint32) {
	switch c.state {
	case stArrays:
		c.score += s.bit(bitArrays, v)
		if v == 0 {
			c.firstEntity()
			return
		}
		c.array = 0
		c.want(stArray, 1)
		return
	case stArray:
		c.score += s.bit(bitArrays+1+int(c.array), v)
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
		c.arrayValue()
		return
	case stArrayValue:
		c.mask &= c.mask - 1
		if c.mask != 0 {
			c.arrayValue()
			return
		}
		c.array++
	}
	if c.array == 4 {
		c.firstEntity()
		return
	}
	c.want(stArray, 1)
}

func (c *cursor) arrayValue() {
	if c.array == 3 {
		c.want(stArrayValue, 32)
		return
	}
	c.want(stArrayValue, 16)
}

func (c *cursor) firstEntity() {
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
