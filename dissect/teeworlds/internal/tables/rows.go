package tables

import (
	"math"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A rowKind is how a field is encoded.
type rowKind uint8

// The kinds.
const (
	KindNumber  rowKind = iota // a variable length int
	KindBool                   // the same, 0 or 1
	KindText                   // bytes up to a NUL
	KindRaw                    // size bytes
	KindIntText                // text in ints of an object, 4 bytes in each; size is the number of ints
	KindObject                 // the ints of the object whose key is in of
)

// Sizes and element counts that are not fixed.
const (
	Single         = iota  // no list
	ToEnd          = -iota // up to the end of the message
	AsCounted              // the number kept last as KeepCount
	AsCountedBytes         // the same, but it counts 4 bytes for each int
	ByGameMsg              // as many as meanings has for the number kept as KeepCount
)

// A row describes one field of a message or object in one dialect.
type row struct {
	Key      string // output key
	name     string // the game's own spelling; empty: the same
	Kind     rowKind
	Min, Max int32 // the range that the game accepts
	enum     *dissect.Enum
	unit     string
	Optional bool   // may be missing at the end
	secret   bool   // a password
	Size     int    // raw: bytes; intText: ints; object: ints
	Times    int    // number of elements of a list; single: no list
	Filled   int    // elements of a counted list with empty ones up to its end; 0: it has none
	Keep     role   // number that is needed outside the tree
	of       string // key of an object

	// meanings are what the elements of a list are, by the number kept as KeepCount: each is beside the list too.
	meanings [][]row
	// pictures are what the client shows for each value; nil: the names of the values are enough.
	pictures []string

	// enums are the names, selected by the value of the object's int with index decider.
	enums   map[int32]*dissect.Enum
	Decider int
}

// The functions below make rows from the output key and the game's own spelling if it differs.

// num is a number without limits, see between and least.
func num(key string, name ...string) row {
	return row{Key: key, name: strings.Join(name, ""), Min: math.MinInt32, Max: math.MaxInt32}
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
	r.Kind = KindBool
	return r
}

// str is a string.
func str(key string, name ...string) row {
	r := num(key, name...)
	r.Kind = KindText
	return r
}

// bin is size bytes; size may also be ToEnd or AsCounted.
func bin(key string, size int) row { return row{Key: key, Kind: KindRaw, Size: size} }

// packed is text in ints of an object.
func packed(ints int, key string, name ...string) row {
	r := num(key, name...)
	r.Kind, r.Size = KindIntText, ints
	return r
}

// ints is an object inside a message, size ints long; size may also be AsCountedBytes.
func ints(key, of string, size int) row { return row{Key: key, Kind: KindObject, of: of, Size: size} }

func (r row) between(low, high int32) row { r.Min, r.Max = low, high; return r }
func (r row) least(low int32) row         { r.Min = low; return r }
func (r row) in(unit string) row          { r.unit = unit; return r }
func (r row) opt() row                    { r.Optional = true; return r }
func (r row) masked() row                 { r.secret = true; return r }
func (r row) list(times int) row          { r.Times = times; return r }
func (r row) filled(to int) row           { r.Filled = to; return r }
func (r row) depends(on int, enums map[int32]*dissect.Enum) row {
	r.Decider, r.enums = on, enums
	return r
}
func (r row) kept(as role) row         { r.Keep = as; return r }
func (r row) meaning(by [][]row) row   { r.meanings = by; return r }
func (r row) shown(names []string) row { r.pictures = names; return r }

// A messageRow describes one message of one dialect.
type messageRow struct {
	name   string // the game's constant
	key    string // output key; empty: the constant without its prefix, in lower case
	id     int32
	uuid   string // name that the UUID is made of, instead of an id
	from   Sender
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
