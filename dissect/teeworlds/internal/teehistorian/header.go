package teehistorian

import (
	"slices"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

const headerSource = "WriteHeader, " + writerSource

// headerField is the header: a UUID, then JSON up to a NUL. All values of the JSON are strings.
var headerField = dissect.Field{
	Key: "header", Kind: dissect.Object, Doc: "properties of the server and of the map that it loaded",
	Source: headerSource, Children: append(headerFields(), &configField, &tuningField, &uuidsField,
		&otherField, &dissect.Undecoded),
	Frame: []*dissect.Field{&syntaxField},
}

// headerRows are the members of the JSON that are texts or numbers, by their keys.
var headerRows = [...]dissect.Field{
	{Key: "comment", Kind: dissect.Text, Doc: "name of the format"},
	{Key: "version", Kind: dissect.Uint, Doc: "version of the format: 2, and 1 before there were extras"},
	{Key: "version_minor", Kind: dissect.Uint, Doc: "grows with every new extra; absent in files before 2.1"},
	{Key: "game_uuid", Kind: dissect.Text, Doc: "random number of this map load, which the file is named after"},
	{Key: "prev_game_uuid", Kind: dissect.Text, Doc: "game_uuid of the map before, if the same server process played it; newer servers only"},
	{Key: "server_version", Kind: dissect.Text, Doc: "version of the server"},
	{Key: "start_time", Kind: dissect.Text, Doc: "when the map was loaded, in the server's time zone; the only time in the file"},
	{Key: "server_name", Kind: dissect.Text, Doc: "name of the server (sv_name)"},
	{Key: "server_port", Kind: dissect.Uint, Doc: "UDP port of the server"},
	{Key: "game_type", Kind: dissect.Text, Doc: "name of the game type, such as DDraceNetwork"},
	{Key: "map_name", Kind: dissect.Text, Doc: "name of the map"},
	{Key: "map_size", Kind: dissect.Uint, Unit: "bytes", Doc: "length of the map's file"},
	{Key: "map_sha256", Kind: dissect.Text, Doc: "SHA-256 of the map's file"},
	{Key: "map_crc", Kind: dissect.Text, Doc: "CRC-32 of the map, in hexadecimal"},
	{Key: "prng_description", Kind: dissect.Text, Doc: "random number generator and its state"},
}

// Fields of a header that are not in headerRows.
var (
	magicField = dissect.Field{
		Key: "uuid", Kind: dissect.Hex, Bits: tables.UUIDBytes << 3, Doc: "teehistorian@ddnet.tw, which marks the format",
		Source: headerSource,
	}
	configField = pairs("config", dissect.Field{Key: "value", Kind: dissect.Text, Doc: "its value", Source: headerSource},
		"settings of the server that differ from their defaults, without passwords")
	tuningField = pairs("tuning", dissect.Field{
		Key: "value", Kind: dissect.Int, Unit: "1/100", Doc: "its value",
		Source: headerSource,
	},
		"values of the physics that differ from their defaults when the map was loaded")
	uuidsField = dissect.Field{
		Key: "uuids", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Text}},
		Doc: "names of the extensions that the server knows", Source: headerSource,
	}
	otherField = pairs("other", dissect.Field{Key: "value", Kind: dissect.Text, Doc: "its JSON", Source: headerSource},
		"members that are not known, or hold another kind of value than usual")
)

func headerFields() []*dissect.Field {
	fields := []*dissect.Field{&magicField}
	for i := range headerRows {
		headerRows[i].Source = headerSource
		fields = append(fields, &headerRows[i])
	}
	return fields
}

// pairs makes a list of names with values.
func pairs(key string, value dissect.Field, doc string) dissect.Field {
	name := &dissect.Field{Key: "name", Kind: dissect.Text, Doc: "its name", Source: headerSource}
	entry := &dissect.Field{Kind: dissect.Object, Doc: "one of them", Children: []*dissect.Field{name, &value}}
	return dissect.Field{Key: key, Kind: dissect.List, Doc: doc, Source: headerSource, Children: []*dissect.Field{entry}}
}

// A headerReader reads the JSON of a header.
type headerReader struct {
	*Reader
	s     jsonScanner
	seen  [len(headerRows) + len(headerLists)]bool
	other []entry // members that go into otherField

	mapName, date []byte // for events; nil: absent
}

// An entry is a member of the JSON with the place of its value.
type entry struct {
	name     jsonString
	from, to int
}

// headerLists are the keys of members that hold others.
var headerLists = [...]string{"config", "tuning", "uuids"}

// header reads the header. short means that the file ends inside it.
func (r *Reader) header(b []byte, short bool) {
	t, head := r.tree, min(len(b), tables.UUIDBytes)
	t.Open(&headerField, 0)
	first := 0
	if t.Framed() {
		first = len(t.Nodes)
	}
	t.AddBytes(&magicField, b[:head], 0, head<<3)
	text := b
	if !short {
		text = b[:len(b)-1] // without the NUL
	}
	h := headerReader{Reader: r, s: jsonScanner{b: text, pos: head}}
	if r.wants.Demo {
		r.head = map[string]string{}
	}
	s := &h.s
	s.object(h.member)
	if h.mapName != nil && r.wants.Events {
		r.Chunks = append(r.Chunks, events.Chunk{Key: "header", Text: h.mapName, Date: h.date})
	}
	h.addOther()
	if s.space(); s.bad || s.pos < len(text) {
		t.AddBytes(&dissect.Undecoded, b[s.pos:], s.pos<<3, (len(b)-s.pos)<<3)
		if short {
			r.rec.Expert(dissect.Fault, message.ExpertTruncated, nil, s.pos<<3, "the file ends inside its header")
		} else {
			r.rec.Expert(dissect.Fault, message.ExpertMalformed, nil, s.pos<<3, "the header is no JSON from here on")
		}
	}
	frameHeader(t, b, first)
	t.Close(len(b) << 3)
}

// member reads a member of the JSON. The first of several with one name counts.
func (h *headerReader) member(name jsonString) {
	s, key := &h.s, string(name.text)
	index := memberIndex(key)
	at, c := s.pos, s.peek()
	if index >= 0 && !h.seen[index] {
		h.seen[index] = true
		switch {
		case key == "config" && c == '{':
			h.pairs(&configField)
			return
		case key == "tuning" && c == '{':
			h.pairs(&tuningField)
			return
		case key == "uuids" && c == '[':
			h.uuids()
			return
		case c == '"' && index >= len(headerLists) && h.scalar(&headerRows[index-len(headerLists)]):
			return
		}
		s.pos = at
	}
	if s.skip(0); !s.bad {
		h.other = append(h.other, entry{name, at, s.pos})
	}
}

// memberIndex returns the place of a known member: among the lists, then among the rows. -1: it is not known.
func memberIndex(key string) int {
	if i := slices.Index(headerLists[:], key); i >= 0 {
		return i
	}
	for i := range headerRows {
		if headerRows[i].Key == key {
			return len(headerLists) + i
		}
	}
	return -1
}

// uuids reads the names of extensions.
func (h *headerReader) uuids() {
	s, t := &h.s, h.tree
	t.Open(&uuidsField, s.pos<<3)
	s.array(func() {
		if v := s.string(); !s.bad {
			t.AddBytes(uuidsField.Children[0], v.text, v.at<<3, v.size<<3)
		}
	})
	t.Close(s.pos << 3)
}

// scalar reads a text, or a number in a text. It returns false, and adds nothing, if it is no number.
func (h *headerReader) scalar(f *dissect.Field) bool {
	v := h.s.string()
	if h.s.bad {
		return false
	}
	if f.Kind == dissect.Text {
		if h.wants.Demo && f.Key != "value" {
			h.head[f.Key] = string(v.text)
		}
		switch f.Key {
		case "map_name":
			h.mapName = v.text
		case "start_time":
			h.date = v.text
		}
		h.tree.AddBytes(f, v.text, v.at<<3, v.size<<3)
		return true
	}
	n, err := strconv.ParseInt(string(v.text), 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != string(v.text) || n < 0 && f.Kind == dissect.Uint {
		return false
	}
	h.tree.AddInt(f, n, v.at<<3, v.size<<3)
	return true
}

// pairs reads an object of texts. Values of another kind are left out, with an expert entry.
func (h *headerReader) pairs(f *dissect.Field) {
	s, t, pair := &h.s, h.tree, f.Children[0]
	t.Open(f, s.pos<<3)
	s.object(func(name jsonString) {
		t.Open(pair, name.at<<3)
		t.AddBytes(pair.Children[0], name.text, name.at<<3, name.size<<3)
		at := s.pos
		if s.peek() != '"' || !h.scalar(pair.Children[1]) && !s.bad {
			s.pos = at
			if s.skip(0); !s.bad {
				h.rec.Expert(dissect.Note, message.ExpertNumberText, pair.Children[1], at<<3,
					"the server writes another kind of value here: %.40q", s.b[at:s.pos])
			}
		}
		t.Close(s.pos << 3)
	})
	t.Close(s.pos << 3)
}

// addOther adds the members that are not known.
func (h *headerReader) addOther() {
	if len(h.other) == 0 {
		return
	}
	t, pair := h.tree, otherField.Children[0]
	t.Open(&otherField, 0)
	for _, e := range h.other {
		t.Open(pair, e.name.at<<3)
		t.AddBytes(pair.Children[0], e.name.text, e.name.at<<3, e.name.size<<3)
		t.AddBytes(pair.Children[1], h.s.b[e.from:e.to], e.from<<3, (e.to-e.from)<<3)
		t.Close(e.to << 3)
	}
	t.Close(0)
}
