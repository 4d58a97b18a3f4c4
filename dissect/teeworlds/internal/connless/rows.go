package connless

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A cKind is how a field of a connless message is encoded.
type cKind uint8

const (
	cNumber    cKind = iota // size bytes, big-endian
	cVarint                 // a variable length int
	cString                 // bytes up to a NUL
	cNumeral                // a decimal number in a cString
	cPaddedStr              // size bytes, the last of them NUL
	cBytes                  // size bytes
	cRemainder              // text to the end
	cRepeat                 // a group, repeated as counted or to the end
)

// A cRow describes one field of a connless message.
type cRow struct {
	key      string
	kind     cKind
	size     int
	enum     *dissect.Enum
	optional bool
	counts   bool // is the count of a repeated group, or is counted by one
	address  bool // the last field of an address
	rows     []cRow

	field, text, joined *dissect.Field // text: a cNumeral that is not a number; joined: the address
}

func cU8(key string) cRow                 { return cRow{key: key, kind: cNumber, size: 1} }
func cU16(key string) cRow                { return cRow{key: key, kind: cNumber, size: 2} }
func cU32(key string) cRow                { return cRow{key: key, kind: cNumber, size: 4} }
func cPort(key string) cRow               { return cRow{key: key, kind: cNumber, size: 2, address: true} }
func cInt(key string) cRow                { return cRow{key: key, kind: cVarint} }
func cText(key string) cRow               { return cRow{key: key, kind: cString} }
func cDecimal(key string) cRow            { return cRow{key: key, kind: cNumeral} }
func cPadded(key string, size int) cRow   { return cRow{key: key, kind: cPaddedStr, size: size} }
func cHex(key string, size int) cRow      { return cRow{key: key, kind: cBytes, size: size} }
func cRest(key string) cRow               { return cRow{key: key, kind: cRemainder} }
func cList(key string, rows ...cRow) cRow { return cRow{key: key, kind: cRepeat, rows: rows} }

func (r cRow) names(e *dissect.Enum) cRow { r.enum = e; return r }
func (r cRow) opt() cRow                  { r.optional = true; return r }
func (r cRow) count() cRow                { r.counts = true; return r }
func (r cRow) counted() cRow              { r.counts = true; return r }

// A messageRow describes one connless message of one dialect.
type messageRow struct {
	tag  string
	key  string
	from dissect.Direction
	rows []cRow
}

// A Message is a messageRow with its fields.
type Message struct {
	From  dissect.Direction
	field *dissect.Field
	rows  []cRow
}

var (
	messages = makeMessages()
	// Field is the object of a packet without connection.
	Field = dissect.Field{
		Key: "connless", Kind: dissect.Object, Doc: "a message without connection",
		Source:   "CNetBase::SendPacketConnless, src/engine/shared/network.cpp",
		Children: append(messages.fields, &unknownField, &dissect.Undecoded),
		Frame:    []*dissect.Field{&markField, &tagField},
	}
	unknownField = dissect.Field{
		Key: "unknown", Kind: dissect.Object, Doc: "a connless message with a tag that is not known, or without one",
		Children: []*dissect.Field{&unknownTagField, &unknownData},
	}
	unknownTagField = dissect.Field{Key: "tag", Kind: dissect.Text, Doc: "the four characters after the mark ffffffff"}
	unknownData     = dissect.Field{Key: "data", Kind: dissect.Hex, Doc: "what follows"}
	restField       = dissect.Field{Key: "rest", Kind: dissect.Hex, Doc: "bytes after the last known field"}
)

// A messageSet holds what the tables describe.
type messageSet struct {
	fields []*dissect.Field
	defs   [2]map[uint32]*Message // by tag; the second are those of 0.7
}

func makeMessages() messageSet {
	var set messageSet
	for i, table := range [...][]messageRow{messages06, messages07} {
		set.defs[i] = map[uint32]*Message{}
		for _, r := range table {
			f := tables.FindField(set.fields, r.key)
			if f == nil {
				f = &dissect.Field{
					Key: r.key, Name: r.tag, Kind: dissect.Object, Doc: docs[r.key],
					Source:   "src/mastersrv/mastersrv.h, src/versionsrv/versionsrv.h",
					Children: []*dissect.Field{&restField, &dissect.Undecoded},
				}
				set.fields = append(set.fields, f)
			}
			set.defs[i][binary.BigEndian.Uint32([]byte(r.tag))] = &Message{From: r.from, field: f, rows: makeRows(f, r.rows)}
		}
	}
	return set
}

var fieldKinds = [...]dissect.Kind{
	cNumber: dissect.Int, cVarint: dissect.Int, cString: dissect.Text, cNumeral: dissect.Int, cPaddedStr: dissect.Text,
	cBytes: dissect.Hex, cRemainder: dissect.Text, cRepeat: dissect.List,
}

// makeRows sets the fields of rows below a parent, and shares those that another dialect has made.
func makeRows(parent *dissect.Field, rows []cRow) []cRow {
	made := make([]cRow, len(rows))
	for i, r := range rows {
		r.field = child(parent, r.key, fieldKinds[r.kind])
		r.field.Enum = tables.JoinEnums(r.field.Enum, r.enum)
		switch {
		case r.kind == cNumeral:
			r.text = child(parent, r.key+"_text", dissect.Text)
			r.text.Doc = "text in place of the number " + r.key
		case r.kind == cRepeat:
			if r.field.Children == nil {
				r.field.Children = []*dissect.Field{{Kind: dissect.Object, Children: []*dissect.Field{&dissect.Undecoded}}}
			}
			r.rows = makeRows(r.field.Children[0], r.rows)
		case r.address:
			r.joined = child(parent, "address", dissect.Label)
		}
		made[i] = r
	}
	return made
}

// child returns a child of parent, before rest and undecoded.
func child(parent *dissect.Field, key string, kind dissect.Kind) *dissect.Field {
	if f := tables.FindField(parent.Children, key); f != nil {
		return f
	}
	f := &dissect.Field{Key: key, Kind: kind, Doc: docs[key]}
	if kind == dissect.Label {
		f.Doc = docs["address"]
	}
	end := len(parent.Children)
	for end > 0 && (parent.Children[end-1] == &dissect.Undecoded || parent.Children[end-1] == &restField) {
		end--
	}
	parent.Children = append(parent.Children[:end:end], append([]*dissect.Field{f}, parent.Children[end:]...)...)
	return f
}

// Lookup returns the message of a tag, or nil.
func Lookup(d tables.Dialect, tag uint32) *Message {
	if d == tables.V07 {
		return messages.defs[1][tag]
	}
	return messages.defs[0][tag]
}
