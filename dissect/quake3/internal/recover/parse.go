package recover

// A cursor parses one message as its bytes become known, and counts what they prove: how much more
// likely they are as a message of the game than as random bytes. It is a value, so that a search can try
// many continuations of the same beginning.
//
// The evidence is a logarithm of a likelihood ratio. Bits of a value of which nothing is expected count
// nothing: the code spends as many of them as the value is unlikely. What counts is structure: operations
// that exist, fields that seldom change and did not, entities in ascending order, times near those of the
// capture, an end where the message ends.
type cursor struct {
	buf   uint64
	count uint8 // bits in buf
	raw   uint8 // of the value being read: plain bits that are left
	syms  uint8 // symbols that are left
	shift uint8 // bits of acc
	coded uint8 // bits that the value took so far
	state state
	flags uint8
	field uint8
	last  uint8 // number of fields of the delta
	array uint8
	left  uint16 // things that are left to read: bytes, user commands
	mask  uint16
	prev  int16 // last entity number
	acc   uint32
	time  uint32 // server time of the snapshot, or of the first user command
	timed uint8  // symbols of the time that were weighed
	score int32  // evidence, as far as the message was what is expected
	floor int32  // evidence of its best beginning, if nothing is expected of the rest
	bits  uint32 // bits consumed
}

// evidence is what the message proves.
func (c *cursor) evidence() int32 { return max(c.score, c.floor) }

// Flags of a cursor.
const (
	inGamestate = 1 << iota
	hasTime
	inPlayer
	twoEnds // a download: the end stands twice
)

// A state is what the value being read is.
type state uint8

const (
	stAck state = iota
	stOp
	stCommandNumber
	stCommandChar
	stTime
	stDelta
	stFlags
	stAreaBytes
	stArea
	stPlayerCount
	stEntityCount
	stChanged
	stNonzero
	stFloat
	stValue
	stArrays
	stArray
	stArrayMask
	stArrayValue
	stEntity
	stRemoved
	stHasDelta
	stGameCommand
	stGameOp
	stGameIndex
	stGameChar
	stGameClient
	stGameFeed
	stDownBlock
	stDownFile
	stDownError
	stDownSize
	stDownData
	stServerID
	stMessageAck
	stCount
	stShort
	stDeltaTime
	stUserTime
	stAny
	stUserField
	stUserValue
	stVoipHead
	stVoipSize
	stVoipData
	stEnd  // behind the end of the message
	stDead // it cannot be a message
)

// deadWeight is what a message that breaks off loses: it may be one of a kind that is not known here, or
// damaged, once in 65,536.
const deadWeight = -16 * unit

// A scene is what is known of a message beside its bytes.
type scene struct {
	m          *model
	fromClient bool
	delta      int32 // expected distance to the base snapshot; 0: not known
	command    int32 // commands expected have higher numbers than this
	hasCommand bool
}

// begin gives the cursor of a message's first bit.
func begin(fromClient bool) cursor {
	c := cursor{floor: deadWeight}
	if fromClient {
		c.want(stServerID, 32)
	} else {
		c.want(stAck, 32)
	}
	return c
}

// want asks for a value of a width.
func (c *cursor) want(s state, width uint8) {
	c.state, c.raw, c.syms, c.shift, c.acc, c.coded = s, width&7, width>>3, 0, 0, 0
}

func (c *cursor) die() {
	if c.state != stDead {
		c.floor = max(c.floor, c.score+deadWeight)
		c.score, c.state = c.floor, stDead
	}
}

// feed parses one more byte of the message.
func (c *cursor) feed(s *scene, b byte) {
	switch c.state {
	case stDead:
		return
	case stEnd:
		c.count += 8 // counted by finish
		return
	}
	c.buf |= uint64(b) << c.count
	c.count += 8
	for c.ready(s.m) {
		c.handle(s)
	}
	c.floor = max(c.floor, c.score+deadWeight)
}

// ready reads on in the value and reports whether it is complete.
func (c *cursor) ready(m *model) bool {
	if c.state >= stEnd {
		return false
	}
	if c.raw > 0 {
		if c.count < c.raw {
			return false
		}
		c.acc = uint32(c.buf) & (1<<c.raw - 1)
		c.buf >>= c.raw
		c.count -= c.raw
		c.shift, c.coded, c.raw = c.raw, c.raw, 0
		c.bits += uint32(c.shift)
	}
	for c.syms > 0 {
		e := m.code.entry[c.buf&(1<<maxCode-1)]
		size := uint8(e & 15)
		if e == 0 {
			if c.count >= maxCode {
				c.die()
			}
			return false
		}
		if size > c.count {
			return false
		}
		c.acc |= uint32(e>>4) << c.shift
		c.buf >>= size
		c.count -= size
		c.shift += 8
		c.coded += size
		c.bits += uint32(size)
		c.syms--
	}
	return true
}

// finish weighs the end of a message that was fed whole. length is its size in bytes.
func (c *cursor) finish(length int) {
	switch c.state {
	case stDead:
		return
	case stEnd:
	default:
		c.die()
		return
	}
	used := int(c.bits>>3) + 1
	if used == length || c.flags&twoEnds != 0 && used+1 == length {
		return
	}
	c.die()
}

// good reports whether the message was read to its end.
func (c *cursor) good() bool { return c.state == stEnd }

// handle takes a complete value and says what comes next.
func (c *cursor) handle(s *scene) {
	m, v := s.m, c.acc
	switch c.state {
	case stServerID:
		c.want(stMessageAck, 32)
	case stMessageAck:
		c.want(stAck, 32)
	case stAck:
		c.want(stOp, 8)
	case stOp:
		if s.fromClient {
			c.clientOp(m, v)
		} else {
			c.serverOp(m, v)
		}
	case stCommandNumber:
		c.score += m.commandNumber(s, int32(v), c.coded)
		c.field = 0
		c.want(stCommandChar, 8)
	case stCommandChar, stGameChar:
		c.text(s, v)
	case stTime, stDelta, stFlags, stAreaBytes, stArea:
		c.snapshotHead(s, v)
	case stPlayerCount, stEntityCount, stChanged, stNonzero, stFloat, stValue:
		c.deltaField(s, v)
	case stArrays, stArray, stArrayMask, stArrayValue:
		c.arrays(m, v)
	case stEntity, stRemoved, stHasDelta:
		c.entity(m, v)
	case stGameCommand, stGameOp, stGameIndex, stGameClient, stGameFeed:
		c.gamestate(m, v)
	case stDownBlock, stDownFile, stDownError, stDownSize, stDownData:
		c.download(m, v)
	case stCount, stShort, stDeltaTime, stUserTime, stAny, stUserField, stUserValue:
		c.userCommand(m, v)
	case stVoipHead, stVoipSize, stVoipData:
		c.voip(v)
	}
}

// serverOp takes the operation of a server message.
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

// clientOp takes the operation of a client message.
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
		c.die() // voice of clients: rare enough not to be told from noise
	}
}

// end is the end of the message. The bits that are left in the byte are zero.
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

// text takes a character of a command or configstring.
func (c *cursor) text(s *scene, v uint32) {
	m := s.m
	g := &m.serverChar
	if s.fromClient {
		g = &m.clientChar
	}
	c.score += g[charClass(c.field)][v&0xff]
	if v == 0 {
		if c.state == stGameChar {
			c.want(stGameOp, 8)
		} else {
			c.want(stOp, 8)
		}
		return
	}
	c.field = byte(v)
	c.want(c.state, 8)
}

// snapshotHead takes what stands before the player's state.
func (c *cursor) snapshotHead(s *scene, v uint32) {
	m := s.m
	switch c.state {
	case stTime:
		c.time = v
		c.flags |= hasTime
		if s.fromClient {
			c.want(stAny, 1)
			return
		}
		c.want(stDelta, 8)
	case stDelta:
		c.score += m.deltaNumber(s.delta, v)
		c.want(stFlags, 8)
	case stFlags:
		c.score += m.snapFlags[v]
		c.want(stAreaBytes, 8)
	case stAreaBytes:
		c.score += m.areaBytes[v]
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
		if c.left--; c.left == 0 {
			c.want(stPlayerCount, 8)
			return
		}
		c.want(stArea, 8)
	}
}

// deltaField takes a part of a delta's fields.
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
		f := &table[c.field]
		if c.field+1 == c.last {
			c.score += m.certain[v] // the last field of the count is one that changed
		} else {
			c.score += f.changed[v]
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
	case stNonzero:
		f := &table[c.field]
		c.score += f.nonzero[v]
		if v == 0 {
			c.field++
			c.nextField()
			return
		}
		c.wantValue(f)
	case stFloat:
		c.score += table[c.field].full[v]
		if v == 0 {
			c.want(stValue, 13)
		} else {
			c.want(stValue, 32)
		}
	case stValue:
		if c.field == 0 && c.flags&inPlayer != 0 {
			c.score += m.commandTime(int32(c.time-v), c.coded)
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

func (c *cursor) wantValue(f *modelField) {
	if f.width == 0 {
		c.want(stFloat, 1)
		return
	}
	c.want(stValue, f.width)
}

// nextField goes on to the next field of a delta, or to what follows it.
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
func (c *cursor) arrays(m *model, v uint32) {
	switch c.state {
	case stArrays:
		c.score += m.arrays[v]
		if v == 0 {
			c.firstEntity()
			return
		}
		c.array = 0
		c.want(stArray, 1)
		return
	case stArray:
		c.score += m.array[c.array][v]
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
func (c *cursor) entity(m *model, v uint32) {
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
		c.score += m.removed[v]
		if v != 0 {
			c.next()
			return
		}
		c.want(stHasDelta, 1)
	case stHasDelta:
		c.score += m.hasDelta[v]
		if v == 0 {
			c.next()
			return
		}
		c.want(stEntityCount, 8)
	}
}

// next goes on to the next entity or baseline.
func (c *cursor) next() {
	if c.flags&inGamestate != 0 {
		c.want(stGameOp, 8)
		return
	}
	c.want(stEntity, 10)
}

// gamestate takes what stands between configstrings and baselines.
func (c *cursor) gamestate(m *model, v uint32) {
	switch c.state {
	case stGameCommand:
		c.want(stGameOp, 8)
	case stGameOp:
		switch v {
		case 3:
			c.want(stGameIndex, 16)
		case 4:
			c.want(stEntity, 10)
		case 8:
			c.flags &^= inGamestate
			c.want(stGameClient, 32)
			return
		default:
			c.die()
			return
		}
		c.score += 4 * unit
	case stGameIndex:
		if v > 1023 {
			c.die()
			return
		}
		c.field = 0
		c.want(stGameChar, 8)
	case stGameClient:
		if v > 127 {
			c.die()
			return
		}
		c.want(stGameFeed, 32)
	case stGameFeed:
		c.want(stOp, 8)
	}
}

// download takes a block of a file.
func (c *cursor) download(m *model, v uint32) {
	switch c.state {
	case stDownBlock:
		if v == 0 {
			c.want(stDownFile, 32)
			return
		}
		c.want(stDownSize, 16)
	case stDownFile:
		if int32(v) < 0 {
			c.want(stDownError, 8)
			return
		}
		c.want(stDownSize, 16)
	case stDownError:
		if v == 0 {
			c.want(stOp, 8)
			return
		}
		c.want(stDownError, 8)
	case stDownSize:
		if v > 2048 {
			c.die()
			return
		}
		if c.left = uint16(v); v == 0 {
			c.want(stOp, 8)
			return
		}
		c.want(stDownData, 8)
	case stDownData:
		if c.left--; c.left == 0 {
			c.want(stOp, 8)
			return
		}
		c.want(stDownData, 8)
	}
}

// userFields are the widths of a user command's fields, MSG_ReadDeltaUsercmdKey.
var userFields = [...]uint8{16, 16, 16, 8, 8, 8, 16, 8}

// userCommand takes a part of clc_move.
func (c *cursor) userCommand(m *model, v uint32) {
	switch c.state {
	case stCount:
		if v < 1 || v > 32 {
			c.die()
			return
		}
		c.score += m.userCount[v]
		c.left, c.mask = uint16(v), 0
		c.want(stShort, 1)
	case stShort:
		if c.flags&hasTime == 0 {
			c.score += m.certain[1-v]
		} else {
			c.score += m.likely[v]
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
		c.want(stAny, 1)
	case stUserTime:
		c.want(stAny, 1)
	case stAny:
		if v == 0 {
			c.nextUser()
			return
		}
		c.field = 0
		c.want(stUserField, 1)
	case stUserField:
		c.score += m.userChanged[c.mask][c.field][v]
		if v != 0 {
			c.want(stUserValue, userFields[c.field])
			return
		}
		c.nextUserField()
	case stUserValue:
		c.nextUserField()
	}
}

func (c *cursor) nextUserField() {
	if c.field++; int(c.field) < len(userFields) {
		c.want(stUserField, 1)
		return
	}
	c.nextUser()
}

// nextUser goes on to the next user command. mask is 1 from the second on.
func (c *cursor) nextUser() {
	c.mask = 1
	if c.left--; c.left == 0 {
		c.want(stOp, 8)
		return
	}
	c.want(stShort, 1)
}

// voip takes the voice of 71: sender, generation, sequence, frames, size, flags, data.
func (c *cursor) voip(v uint32) {
	switch c.state {
	case stVoipHead:
		switch c.left {
		case 5, 4:
			c.mask = c.left
			c.left = 3
			c.want(stVoipHead, 8)
		case 3:
			c.left = 2
			c.want(stVoipHead, 32)
		case 2:
			c.left = 1
			c.want(stVoipHead, 8)
		default:
			c.want(stVoipSize, 16)
		}
	case stVoipSize:
		if v > 4000 {
			c.die()
			return
		}
		c.left = uint16(v)
		c.want(stVoipData, 2)
	case stVoipData:
		if c.left == 0 {
			c.want(stOp, 8)
			return
		}
		c.left--
		c.want(stVoipData, 8)
	}
}
