package recover

// clientOp processes the operation of a client message.
func (c *cursor) clientOp(m *model, v uint32) {
	if v >= uint32(len(m.clientOp)) || m.clientOp[v] == impossible {
		c.die()
		return
	}
	c.score += m.clientOp[v]
	switch v {
	case 2, 3:
		c.want(stCount, 8)
	case 4:
		c.want(stCommandNumber, 32)
	case 5:
		c.end()
	default:
		c.die() // voice of clients: too rare to distinguish it from noise
	}
}

// userCommand takes a part of clc_move.
func (c *cursor) userCommand(s *scene, v uint32) {
	m := s.m
	switch c.state {
	case stCount:
		if v < 1 || v > 32 {
			c.die()
			return
		}
		c.score += m.userCount[v]
		c.left, c.mask = uint16(v), 0
		if m.eyes {
			c.begins(stEye, eyeSteps)
			return
		}
		c.want(stShort, 1)
	case stShort:
		if c.flags&hasTime == 0 {
			c.score += s.bit(bitCertain, 1-v)
		} else {
			c.score += s.bit(bitShort, v)
		}
		switch {
		case v != 0:
			c.want(stDeltaTime, 8)
		case c.flags&hasTime == 0:
			c.want(stTime, 32)
		default:
			c.want(stUserTime, 32)
		}
	case stDeltaTime:
		c.score += m.stepTime[v]
		c.now += v
		c.want(stAny, 1)
	case stUserTime:
		c.now = v
		c.want(stAny, 1)
	case stAny:
		if v == 0 {
			c.nextUser()
			return
		}
		c.field = 0
		c.want(stUserField, 1)
	case stUserField:
		c.score += s.bit(bitUser+int(c.mask)*maxUser+int(c.field), v)
		if v != 0 {
			c.want(stUserValue, m.user[c.field])
			return
		}
		c.nextUserField(m)
	case stUserValue:
		c.userValue(s, v)
		c.nextUserField(m)
	}
}

// userValue scores a value of a user command. All of a group are keyed with the same number, beside the time and the
// message acknowledged: what the player keeps doing reads the same again.
func (c *cursor) userValue(s *scene, v uint32) {
	v ^= uint32(c.ack) ^ c.now
	high := s.m.code.length[c.acc>>8&0xff]
	switch i := int(c.field); {
	case i == 0 || i == yawField:
		c.score += s.again(recentPitch+i, uint8(v>>8), high)
	case i >= 3 && i < 6:
		c.score += s.again(recentForward+i-3, uint8(v), int32(c.coded))
	case i == s.m.buttons && s.m.user[i] == 8:
		c.score += s.again(recentButtonsLow, uint8(v), int32(c.coded))
	case i == s.m.buttons:
		c.score += s.again(recentButtonsHigh, uint8(v>>8), high)
		c.score += s.again(recentButtonsLow, uint8(v), int32(c.coded)-high)
	case i == s.m.weapon:
		c.score += s.again(recentWeapon, uint8(v), int32(c.coded))
	}
}

func (c *cursor) nextUserField(m *model) {
	if c.field++; int(c.field) < len(m.user) {
		c.want(stUserField, 1)
		return
	}
	c.nextUser()
}

// nextUser advances to the next user command. mask is 1 from the second on.
func (c *cursor) nextUser() {
	c.mask = 1
	if c.left--; c.left == 0 {
		c.want(stOp, 8)
		return
	}
	c.want(stShort, 1)
}
