package recover

import (
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A fieldCoding is how the values of a field are written, as far as their length goes.
type fieldCoding struct {
	width uint8    // of a value with one form
	zero  bool     // a bit precedes it that is clear for zero
	forms [2]uint8 // the widths of two forms; a bit selects one
}

// Widths of the two forms of values in Quake III and Medal of Honor, see ValueCoding.
var (
	floatForms      = [2]uint8{13, 32}
	coordForms      = [2]uint8{16, 8}
	coordExtraForms = [2]uint8{18, 10}
)

// Widths of values that have one in every table.
const (
	coordWidth    = 19
	velocityWidth = 17
)

// codingOf returns the coding of a field. entity means that, in tables without codings, a bit marks zero.
func codingOf(layout *tables.Layout, i int, entity bool) fieldCoding {
	width := uint8(max(layout.Wire[i].Bits, -layout.Wire[i].Bits))
	if layout.Values == nil {
		c := fieldCoding{width: width, zero: entity}
		if width == 0 {
			c.forms = floatForms
		}
		return c
	}
	v := &layout.Values[i]
	switch v.Coding {
	case tables.ValueInt:
		return fieldCoding{width: v.Bits}
	case tables.ValueIntZero, tables.ValueIntZigzag:
		return fieldCoding{width: v.Bits, zero: true}
	case tables.ValueFloat:
		return fieldCoding{forms: floatForms}
	case tables.ValueFloatZero, tables.ValueFloatRotated:
		return fieldCoding{zero: true, forms: floatForms}
	case tables.ValueCoord:
		return fieldCoding{width: coordWidth}
	case tables.ValueCoordStep:
		return fieldCoding{forms: coordForms}
	case tables.ValueCoordExtraStep:
		return fieldCoding{forms: coordExtraForms}
	case tables.ValueTimeFrame:
		return fieldCoding{forms: [2]uint8{0, v.Bits}}
	case tables.ValueVelocity:
		return fieldCoding{width: velocityWidth}
	}
	return fieldCoding{width: v.Bits} // angles, with their sign, times, fractions, scales
}

// plain returns the character of a byte of a text, and the byte.
func (m *model) plain(wire uint32) (c, b uint32) {
	b = wire & 0xff
	if m.gen.Unscramble != nil {
		return uint32(m.gen.Unscramble[b]), b
	}
	return b, b
}

// activeCounts are how many elements the arrays of ArraysActive have.
var activeCounts = [...]uint8{32, 8, 16, 16, 16}

// activeArrays takes the arrays of a player in ArraysActive: each has a mask as wide as it has elements, of 16 bits.
func (c *cursor) activeArrays(s *scene, v uint32) {
	switch c.state {
	case stArrays:
		if c.score += s.bit(bitArrays, v); v == 0 {
			c.endPlayer(s)
			return
		}
	case stArray:
		if c.score += s.bit(bitArrays+1+int(c.array), v); v != 0 {
			c.want(stArrayMask, activeCounts[c.array])
			return
		}
		c.array++
	case stArrayMask:
		if c.left = uint16(bits.OnesCount32(v)); v == 0 {
			c.die()
			return
		}
		c.want(stArrayValue, 16)
		return
	case stArrayValue:
		if c.left--; c.left > 0 {
			c.want(stArrayValue, 16)
			return
		}
		c.array++
	}
	if int(c.array) == len(activeCounts) {
		c.endPlayer(s)
		return
	}
	c.want(stArray, 1)
}

// A step is a value of a structure, and the step that follows a one and a zero; 0: none, the structure ends.
type step struct {
	width    uint8
	one, not uint8
	weighed  uint8 // the number of the bit, from model.effects on, + 1; 0: it is not weighed
}

// Numbers of bits, from model.effects on.
const (
	effectEyes = iota + 1
	effectEye
	effectSounds
	effectStop
	effectSoundValue
	effectMore
	numEffects = effectMore
)

// eyeSteps are the eyes of a player: offsets and angles, MSG_ReadDeltaEyeInfo in code/qcommon/msg.cpp of openmohaa.
var eyeSteps = []step{
	{1, 1, 0, effectEyes},
	{1, 2, 3, effectEye},
	{8, 3, 3, 0},
	{1, 4, 5, effectEye},
	{8, 5, 5, 0},
	{1, 6, 7, effectEye},
	{8, 7, 7, 0},
	{1, 8, 9, effectEye},
	{32, 9, 9, 0},
	{1, 10, 0, effectEye},
	{32, 0, 0, 0},
}

// Steps of soundSteps after which a sound ends, and the first of a sound.
const (
	soundFirst = 2
	soundNext  = 0xff
)

// soundSteps are the sounds at the end of a snapshot: whether there are any, their number, and each of them,
// MSG_ReadSounds in code/qcommon/msg.cpp of openmohaa.
var soundSteps = []step{
	{1, 1, 0, effectSounds},
	{7, soundFirst, soundFirst, 0},
	{1, 17, 3, effectStop},
	{1, 4, 4, effectSoundValue}, // streamed
	{1, 5, 8, effectSoundValue}, // an origin
	{32, 6, 6, 0},
	{32, 7, 7, 0}, // two of its coordinates
	{32, 8, 8, 0},
	{11, 9, 9, 0},
	{7, 10, 10, 0},
	{9, 11, 11, 0}, // entity, channel, index
	{1, 12, 13, effectSoundValue},
	{32, 13, 13, 0}, // volume
	{1, 14, 15, effectSoundValue},
	{32, 15, 15, 0}, // least distance
	{1, 16, 19, effectSoundValue},
	{32, 19, 19, 0}, // pitch
	{10, 18, 18, 0},
	{7, soundNext, soundNext, 0},  // of one that stops
	{32, soundNext, soundNext, 0}, // most distance
}

// begins starts a structure.
func (c *cursor) begins(st state, list []step) {
	c.array = 0
	c.want(st, list[0].width)
}

// steps takes a value of a structure.
func (c *cursor) steps(s *scene, v uint32) {
	list := eyeSteps
	if c.state == stSound {
		list = soundSteps
	}
	at := &list[c.array]
	if at.weighed > 0 {
		c.score += s.bit(s.m.effects+int(at.weighed)-1, v)
	}
	if c.state == stSound && c.array == 1 {
		if c.left = uint16(v); v == 0 || v > 64 {
			c.die()
			return
		}
	}
	next := at.one
	if v == 0 {
		next = at.not
	}
	if next == soundNext {
		if next = soundFirst; c.left == 1 {
			next = 0
		}
		c.left--
	}
	switch {
	case next != 0:
		c.array = next
		c.want(c.state, list[next].width)
	case c.state == stEye:
		c.want(stShort, 1)
	default:
		c.want(stOp, 8)
	}
}

// print takes a value of a text on the screen: two places before it, or none, and the text.
func (c *cursor) print(m *model, v uint32) {
	if c.left > 0 {
		if c.left--; c.left > 0 {
			c.want(stPrint, 16)
			return
		}
		c.want(stPrint, 8)
		return
	}
	if v, _ = m.plain(v); v == 0 {
		c.want(stOp, 8)
		return
	}
	c.want(stPrint, 8)
}

// cgameTypeBits is the width of the type of a message for the game's module.
const cgameTypeBits = 6

// cgameWidths are the widths of the letters of a CGameMessages body; P is three coordinates, n a number of them, a
// an alpha after a bit, t a text.
var cgameWidths = [128]uint8{
	'P': coordWidth, 'd': 8, 's': 1, 'S': 2, 'v': 6, 'a': 1, 'n': 6, 'k': 8, 'm': 8, 'i': 8, 'h': 2, 'j': 2,
	'x': 16, 'y': 16, 'w': 16, 'z': 16, 'f': 1, 'r': 8, 'g': 8, 'b': 8, 'o': 8, 't': 8, 'l': 1, 'c': 6,
}

// States of a cgame message, in cursor.last.
const (
	cgameType = iota
	cgameLetter
	cgamePoints // left coordinates are to be read
	cgameAlpha
	cgameMore
)

// cgame takes a value of the messages for the game's module: the letters of the body of the type. field is the type and
// array the letter.
func (c *cursor) cgame(s *scene, v uint32) {
	bodies := s.m.gen.CGame
	switch c.last {
	case cgameType:
		if int(v) >= len(bodies) || bodies[v] == tables.CGameUnknown {
			c.die()
			return
		}
		c.field, c.array = uint8(v), 0
		c.nextLetter(bodies)
		return
	case cgameMore:
		if c.score += s.bit(s.m.effects+effectMore-1, v); v == 0 {
			c.want(stOp, 8)
			return
		}
		c.last = cgameType
		c.want(stCGame, cgameTypeBits)
		return
	case cgamePoints:
		if c.left--; c.left > 0 {
			c.want(stCGame, coordWidth)
			return
		}
	case cgameLetter:
		switch bodies[c.field][c.array] {
		case 'P':
			c.last, c.left = cgamePoints, 2
			c.want(stCGame, coordWidth)
			return
		case 'n':
			if v > 0 {
				c.last, c.left = cgamePoints, 3*uint16(v)
				c.want(stCGame, coordWidth)
				return
			}
		case 'a':
			if v != 0 {
				c.last = cgameAlpha
				c.want(stCGame, 10)
				return
			}
		case 't':
			if v != 0 {
				c.want(stCGame, 8)
				return
			}
		}
	}
	c.array++
	c.nextLetter(bodies)
}

// nextLetter advances to a letter of the body, or to the bit after the body.
func (c *cursor) nextLetter(bodies tables.CGameMessages) {
	body := bodies[c.field]
	if int(c.array) == len(body) {
		c.last = cgameMore
		c.want(stCGame, 1)
		return
	}
	c.last = cgameLetter
	c.want(stCGame, cgameWidths[body[c.array]])
}

// setEffects weighs what only some engines have. Estimated.
func (m *model) setEffects() {
	m.eyes = m.gen.UserCommand == tables.UserCommandButtons
	m.effects = len(m.bits)
	for range numEffects {
		m.bits = append(m.bits, newAdaptive(share{1, 4}))
	}
	m.residual = symbols(m.code, symbolCounts{{0, 30}, {1, 20}, {2, 30}, {3, 30}, {4, 20}, {5, 10}, {6, 10}, {7, 5}}, .5)
}
