package recover

// A cursor parses one message as its bytes become known, and counts their evidence: how much more
// likely they are as a message of the game than as random bytes. It is a value, so that a search can try many
// continuations of the same beginning.
//
// The evidence is the logarithm of a likelihood ratio. A value that cannot be predicted has none: the code
// spends as many bits on it as it is unlikely. Evidence comes from structure: operations that exist, fields
// that seldom change and did not, entities in ascending order, times near those of the capture, an end where
// the message ends.
type cursor struct {
	buf       uint64
	count     uint8 // bits in buf
	raw       uint8 // of the value being read: plain bits that are left
	syms      uint8 // symbols that are left
	shift     uint8 // bits of acc
	coded     uint8 // bits that the value took so far
	state     state
	flags     uint16
	field     uint8
	last      uint8 // number of fields of the delta
	array     uint8
	left      uint16 // bytes or user commands that are left
	mask      uint16
	prev      int16 // last entity number
	acc       uint32
	time      uint32 // server time of the snapshot, or of the first user command
	now       uint32 // time of the user command
	ack       uint32 // message acknowledged
	timeScore int32  // what its time was worth so far
	timed     uint8  // symbols of the time that were weighed
	areas     uint32 // a hash of the area mask
	areaBits  uint8  // how many bits it took
	score     int32  // evidence, as far as the message was what is expected
	valued    int32  // its worth when a search saw it last
	floor     int32  // evidence of its best beginning, if nothing is expected of the rest
	bits      uint32 // bits consumed
	said      uint64 // the last characters of the command that is read, the newest in the lowest byte
}

// evidence is the evidence of the message.
func (c *cursor) evidence() int32 { return max(c.score, c.floor) }

// worth is the evidence, with an estimate for bits that were read but wait for the rest of their value. Without the
// estimate, a hypothesis under which the same bits begin a longer code would seem ahead.
func (c *cursor) worth(m *model) int32 {
	switch {
	case c.state >= stEnd:
		return c.evidence()
	case c.expectsMuch():
		return c.evidence() + int32(c.count)*surePerBit
	case c.state == stValue && c.field == 0 && c.flags&(inPlayer|inVehicle) == inPlayer && c.syms < 4:
		return c.evidence() + int32(c.count)*surePerBit + commandTimeWeight(c.time-c.acc, 4-c.syms, c.coded)
	case c.state == stValue:
		return c.evidence() + c.valueWorth(m)
	case c.state == stUserValue || c.state == stArrayValue || c.state == stArrayMask || c.state == stUserTime:
		return c.evidence()
	}
	return c.evidence() + int32(c.count+c.coded)*usualPerBit
}

// valueWorth is the average evidence of the value of a field, as far as its bits were read.
func (c *cursor) valueWorth(m *model) int32 {
	f := &c.table(m)[c.field]
	width, kind := int32(c.shift+c.raw+8*c.syms), 0
	if width == 13 {
		kind = 1
	}
	return f.gain[kind] * min(int32(c.coded)+int32(c.count), width) / width
}

// The evidence of a bit of a message.
const (
	usualPerBit = unit / 2      // on average
	surePerBit  = unit * 9 / 10 // where hardly anything changes (expectsMuch)
)

// expectsMuch reports whether the next values are ones that hardly change from message to message.
func (c *cursor) expectsMuch() bool {
	return c.state >= stTime && c.state <= stPlayerCount || c.state == stChanged && c.field == 0 && c.flags&inPlayer != 0
}

// Flags of a cursor.
const (
	inGamestate = 1 << iota
	hasTime
	inPlayer
	twoEnds       // a download: the end marker comes twice
	hasAreas      // the area mask was read
	comparedAreas // the area mask was compared with that of another message
	inPilot       // the player's state is coded as a pilot's
	inVehicle     // the state is that of the player's vehicle
	rides         // a vehicle's state follows
	knowsRiding   // the message has a flag for it
	inAmmo        // the bit of all ammunition is next, or was read
)

// A state is the kind of value that is being read.
type state uint8

const (
	stAck state = iota
	stOp
	stCommandNumber
	stCommandChar
	stTime
	stResidual
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
	stGameMap
	stSetGame
	stPilot
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
	stEye
	stSound
	stPrint
	stCGame
	stEnd  // after the end of the message
	stDead // it cannot be a message
)

// deadWeight is the penalty of a message that cannot be parsed: it may be of a kind that is not known here, or
// damaged, once in 65,536.
const deadWeight = -16 * unit

// A scene is what is known about a message apart from its bytes.
type scene struct {
	m          *model
	fromClient bool
	delta      int32 // expected distance to the base snapshot; 0: not known
	command    int32 // commands expected have higher numbers than this
	hasCommand bool
	shared     *commonBits // what the messages of the group have in common; nil: not known
	frozen     bool        // shared is read and not changed
	lex        *lexicon    // predicts the text of commands; nil: not known
	riding     bool        // where the message has no flag for it: a vehicle's state follows the player's
}

// begin returns a cursor at a message's first bit.
func begin(fromClient bool) cursor {
	c := cursor{floor: deadWeight}
	if fromClient {
		c.want(stServerID, 32)
	} else {
		c.want(stAck, 32)
	}
	return c
}

// want starts reading a value of a width.
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

// ready reads more of the value and reports whether it is complete.
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

// finish scores the end of a message that was fed completely. length is its size in bytes.
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

// handle processes a complete value and chooses the next one.
func (c *cursor) handle(s *scene) {
	m, v := s.m, c.acc
	switch c.state {
	case stServerID:
		c.want(stMessageAck, 32)
	case stMessageAck:
		c.ack = v
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
	case stCommandChar, stGameChar, stSetGame:
		c.text(s, v)
	case stTime, stResidual, stDelta, stFlags, stAreaBytes, stArea:
		c.snapshotHead(s, v)
	case stPlayerCount, stEntityCount, stChanged, stNonzero, stFloat, stValue:
		c.deltaField(s, v)
	case stPilot:
		c.pilot(s, v)
	case stArrays, stArray, stArrayMask, stArrayValue:
		c.arrays(s, v)
	case stEntity, stRemoved, stHasDelta:
		c.entity(s, v)
	case stGameCommand, stGameOp, stGameIndex, stGameClient, stGameFeed, stGameMap:
		c.gamestate(m, v)
	case stDownBlock, stDownFile, stDownError, stDownSize, stDownData:
		c.download(v)
	case stCount, stShort, stDeltaTime, stUserTime, stAny, stUserField, stUserValue:
		c.userCommand(s, v)
	case stVoipHead, stVoipSize, stVoipData:
		c.voip(v)
	case stEye, stSound:
		c.steps(s, v)
	case stPrint:
		c.print(m, v)
	case stCGame:
		c.cgame(s, v)
	}
}
