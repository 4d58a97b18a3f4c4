package teeworlds

import (
	"math"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A rowKind says how a field travels.
type rowKind uint8

// The kinds.
const (
	kindNumber  rowKind = iota // a variable length int
	kindBool                   // the same, 0 or 1
	kindText                   // bytes up to a NUL
	kindRaw                    // bytes, as many as size says
	kindIntText                // text in ints of an object, 4 bytes in each; size is the number of ints
	kindObject                 // the ints of the object whose key is in of
)

// Sizes and numbers of elements that are not fixed.
const (
	single         = iota  // no list
	toEnd          = -iota // up to the end of the message
	asCounted              // the number kept last as keepCount
	asCountedBytes         // the same, but it counts 4 bytes for each int
	byGameMsg              // what gameMsgParams says for the number kept as keepCount
)

// A row describes one field of a message or object in one dialect.
type row struct {
	key      string // output key
	name     string // the game's own spelling; empty: the same
	kind     rowKind
	min, max int32 // what the game accepts
	enum     *dissect.Enum
	unit     string
	optional bool   // may be missing at the end
	secret   bool   // a password
	size     int    // raw: bytes; intText: ints; object: ints
	times    int    // number of elements of a list; single: no list
	keep     kept   // number that more than the tree needs
	of       string // key of an object

	// enums are the names that hold by the value of the object's int number decider.
	enums   map[int32]*dissect.Enum
	decider int
}

// What follows makes rows: the output key, then the game's own spelling where it has one.

// num is a number of any value, see between and least.
func num(key string, name ...string) row {
	return row{key: key, name: strings.Join(name, ""), min: math.MinInt32, max: math.MaxInt32}
}

// named is a number whose values have names.
func named(enum *dissect.Enum, key string, name ...string) row {
	r := num(key, name...)
	r.enum = enum
	return r
}

// tick is a number of game ticks, 50 a second.
func tick(key string, name ...string) row { return num(key, name...).in("ticks") }

// tune is a value of the physics.
func tune(key string, name ...string) row { return num(key, name...).in("1/100") }

// flag is 0 or 1.
func flag(key string, name ...string) row {
	r := num(key, name...).between(0, 1)
	r.kind = kindBool
	return r
}

// str is a string.
func str(key string, name ...string) row {
	r := num(key, name...)
	r.kind = kindText
	return r
}

// bin is size bytes; size may also be toEnd or asCounted.
func bin(key string, size int) row { return row{key: key, kind: kindRaw, size: size} }

// packed is text in ints of an object.
func packed(ints int, key string, name ...string) row {
	r := num(key, name...)
	r.kind, r.size = kindIntText, ints
	return r
}

// ints is an object inside a message, size ints long; size may also be asCountedBytes.
func ints(key, of string, size int) row { return row{key: key, kind: kindObject, of: of, size: size} }

func (r row) between(low, high int32) row { r.min, r.max = low, high; return r }
func (r row) least(low int32) row         { r.min = low; return r }
func (r row) in(unit string) row          { r.unit = unit; return r }
func (r row) opt() row                    { r.optional = true; return r }
func (r row) masked() row                 { r.secret = true; return r }
func (r row) list(times int) row          { r.times = times; return r }
func (r row) depends(on int, enums map[int32]*dissect.Enum) row {
	r.decider, r.enums = on, enums
	return r
}
func (r row) kept(as kept) row { r.keep = as; return r }

// A messageRow describes one message of one dialect.
type messageRow struct {
	name   string // the game's constant
	key    string // output key; empty: the constant without its prefix, in lower case
	id     int32
	uuid   string // name that the UUID is made of, instead of an id
	from   sender
	fields []row
}

// An objectRow describes one object of snapshots in one dialect.
type objectRow struct {
	name   string // the game's constant
	key    string // as in a messageRow
	id     int
	uuid   string
	fields []row
}
