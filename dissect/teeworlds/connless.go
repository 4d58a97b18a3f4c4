package teeworlds

import (
	"encoding/binary"
	"net/netip"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// A cKind says how a field of a connless message travels.
type cKind uint8

const (
	cNumber    cKind = iota // size bytes, most significant first
	cVarint                 // a variable length int
	cString                 // bytes up to a NUL
	cNumeral                // a decimal number as such a string
	cPaddedStr              // size bytes, the last of them NUL
	cBytes                  // size bytes
	cRemainder              // text to the end
	cRepeat                 // a group, as often as counted or to the end
)

// A cRow describes one field of a connless message.
type cRow struct {
	key      string
	kind     cKind
	size     int
	enum     *dissect.Enum
	optional bool
	counts   bool // says how often a group stands, or does so
	address  bool // an address is complete with it
	rows     []cRow

	field, text, joined *dissect.Field // text: what a cNumeral holds that is no number; joined: the address
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

// A connlessRow describes one connless message of one dialect.
type connlessRow struct {
	tag  string
	key  string
	from dissect.Direction
	rows []cRow
}

// A connlessDef is a connlessRow with its fields.
type connlessDef struct {
	from  dissect.Direction
	field *dissect.Field
	rows  []cRow
}

var (
	connlessTables = makeConnless()
	connlessField  = dissect.Field{
		Key: "connless", Kind: dissect.Object, Doc: "a message without connection",
		Source:   "CNetBase::SendPacketConnless, src/engine/shared/network.cpp",
		Children: append(connlessTables.fields, &unknownConnlessField, &dissect.Undecoded),
	}
	unknownConnlessField = dissect.Field{
		Key: "unknown", Kind: dissect.Object, Doc: "a connless message with a tag that is not known, or without one",
		Children: []*dissect.Field{&unknownTagField, &unknownConnlessData},
	}
	unknownTagField     = dissect.Field{Key: "tag", Kind: dissect.Text, Doc: "the four characters behind the mark ffffffff"}
	unknownConnlessData = dissect.Field{Key: "data", Kind: dissect.Hex, Doc: "what follows"}
	connlessRestField   = dissect.Field{Key: "rest", Kind: dissect.Hex, Doc: "bytes behind the last known field"}
)

// A connlessSet holds what the tables describe.
type connlessSet struct {
	fields []*dissect.Field
	defs   [2]map[uint32]*connlessDef // by tag; the second are those of 0.7
}

func makeConnless() connlessSet {
	var set connlessSet
	for i, table := range [...][]connlessRow{connless06, connless07} {
		set.defs[i] = map[uint32]*connlessDef{}
		for _, r := range table {
			f := find(set.fields, r.key)
			if f == nil {
				f = &dissect.Field{
					Key: r.key, Name: r.tag, Kind: dissect.Object, Doc: connlessDocs[r.key],
					Source: "src/mastersrv/mastersrv.h, src/versionsrv/versionsrv.h", Children: []*dissect.Field{&connlessRestField, &dissect.Undecoded},
				}
				set.fields = append(set.fields, f)
			}
			set.defs[i][binary.BigEndian.Uint32([]byte(r.tag))] = &connlessDef{from: r.from, field: f, rows: connlessRows(f, r.rows)}
		}
	}
	return set
}

var connlessKinds = [...]dissect.Kind{
	cNumber: dissect.Int, cVarint: dissect.Int, cString: dissect.Text, cNumeral: dissect.Int, cPaddedStr: dissect.Text,
	cBytes: dissect.Hex, cRemainder: dissect.Text, cRepeat: dissect.List,
}

// connlessRows gives rows their fields below a parent, new ones or those that another dialect has made.
func connlessRows(parent *dissect.Field, rows []cRow) []cRow {
	made := make([]cRow, len(rows))
	for i, r := range rows {
		r.field = connlessChild(parent, r.key, connlessKinds[r.kind])
		r.field.Enum = joinEnums(r.field.Enum, r.enum)
		switch {
		case r.kind == cNumeral:
			r.text = connlessChild(parent, r.key+"_text", dissect.Text)
			r.text.Doc = "text in place of the number " + r.key
		case r.kind == cRepeat:
			if r.field.Children == nil {
				r.field.Children = []*dissect.Field{{Kind: dissect.Object, Children: []*dissect.Field{&dissect.Undecoded}}}
			}
			r.rows = connlessRows(r.field.Children[0], r.rows)
		case r.address:
			r.joined = connlessChild(parent, "address", dissect.Label)
		}
		made[i] = r
	}
	return made
}

// connlessChild gives a child of parent, before rest and undecoded.
func connlessChild(parent *dissect.Field, key string, kind dissect.Kind) *dissect.Field {
	if f := find(parent.Children, key); f != nil {
		return f
	}
	f := &dissect.Field{Key: key, Kind: kind, Doc: connlessDocs[key]}
	if kind == dissect.Label {
		f.Doc = connlessDocs["address"]
	}
	end := len(parent.Children)
	for end > 0 && (parent.Children[end-1] == &dissect.Undecoded || parent.Children[end-1] == &connlessRestField) {
		end--
	}
	parent.Children = append(parent.Children[:end:end], append([]*dissect.Field{f}, parent.Children[end:]...)...)
	return f
}

// lookupConnless gives the message of a tag, or nil.
func lookupConnless(d dialect, tag uint32) *connlessDef {
	if d == v07 {
		return connlessTables.defs[1][tag]
	}
	return connlessTables.defs[0][tag]
}

// A connlessReader reads a connless message.
type connlessReader struct {
	u      unpacker
	rec    *dissect.Record
	tree   *dissect.Tree
	groups int // how often a counted group stands
	bad    *dissect.Field
	ip     netip.Addr
	buf    []byte
	told   bool
}

// dissectConnless decodes a packet without connection.
func (c *conversation) dissectConnless(rec *dissect.Record, t *dissect.Tree) {
	p := &c.packet
	at := p.header << 3
	t.Open(&connlessField, at)
	defer t.Close(len(rec.Payload) << 3)
	tag, ok := tagOf(p.payload)
	def := lookupConnless(p.dialect, tag)
	if !ok || def == nil {
		c.showUnknownConnless(rec, t, ok, at)
		return
	}
	if c.connless == nil {
		c.connless = new(connlessReader)
	}
	mark := len(connlessMark) + tagLen
	c.connless.read(rec, t, def, p.payload[mark:], at+mark<<3)
}

// showUnknownConnless shows a packet that no table describes.
func (c *conversation) showUnknownConnless(rec *dissect.Record, t *dissect.Tree, tagged bool, at int) {
	b := c.packet.payload
	t.Open(&unknownConnlessField, at)
	if tagged {
		n := len(connlessMark)
		t.AddBytes(&unknownTagField, b[n:n+tagLen], at+n<<3, tagLen<<3)
		b, at = b[n+tagLen:], at+(n+tagLen)<<3
	}
	t.AddBytes(&unknownConnlessData, b, at, len(b)<<3)
	if rec.Truncated() {
		rec.Expert(dissect.Warning, expertTruncatedByCapture, nil, at, "the capture has %d of the datagram's %d bytes", len(rec.Payload), rec.Length)
	} else {
		rec.Expert(dissect.Note, expertUnknownMessage, nil, at, "no connless message is known by this tag")
	}
	t.Close(at + len(b)<<3)
}

// read reads the message's body into the object that is open.
func (r *connlessReader) read(rec *dissect.Record, t *dissect.Tree, def *connlessDef, body []byte, at int) {
	r.u.Reset(body, at)
	r.rec, r.tree, r.groups, r.told = rec, t, 0, false
	t.Open(def.field, at)
	r.readRows(def.rows)
	r.fault()
	if rest := r.u.Rest(); !r.u.Failed() && len(rest) > 0 {
		t.AddBytes(&connlessRestField, rest, r.u.Bit(), len(rest)<<3)
	}
	t.Close(r.u.Bit())
	r.rec, r.tree = nil, nil
}

func (r *connlessReader) readRows(rows []cRow) {
	for i := range rows {
		row := &rows[i]
		if row.optional && r.u.Left() == 0 || r.u.Failed() {
			return
		}
		r.bad = row.field
		if row.kind == cRepeat {
			r.readGroups(row)
		} else {
			r.readRow(row)
		}
	}
}

// readGroups reads a group again and again. Each takes at least a byte.
func (r *connlessReader) readGroups(row *cRow) {
	r.tree.Open(row.field, r.u.Bit())
	i := 0
	for ; r.u.Left() > 0 && (!row.counts || i < r.groups) && !r.u.Failed(); i++ {
		r.tree.Open(row.field.Children[0], r.u.Bit())
		r.readRows(row.rows)
		r.fault()
		r.tree.Close(r.u.Bit())
	}
	r.tree.Close(r.u.Bit())
	if row.counts && i < r.groups {
		r.bad = row.field
		r.u.Fail(dissect.ErrTruncated)
	}
}

// readRow reads one field.
func (r *connlessReader) readRow(row *cRow) {
	at := r.u.Bit()
	switch row.kind {
	case cNumber:
		b := r.u.Raw(row.size)
		if r.u.Failed() {
			return
		}
		var n uint32
		for _, c := range b {
			n = n<<8 | uint32(c)
		}
		r.tree.AddInt(row.field, int64(n), at, r.u.Bit()-at)
		if row.address {
			r.buf = netip.AddrPortFrom(r.ip.Unmap(), uint16(n)).AppendTo(r.buf[:0])
			r.tree.AddLabel(row.joined, string(r.buf), 0, 0)
		}
	case cVarint:
		n := r.u.Int()
		if r.u.Failed() {
			return
		}
		if row.counts {
			r.groups = int(n)
		}
		r.tree.AddInt(row.field, int64(n), at, r.u.Bit()-at)
	case cNumeral:
		r.addNumeral(row, at)
	default:
		r.addBytes(row, at)
	}
}

// addNumeral adds a number that travels as text.
func (r *connlessReader) addNumeral(row *cRow, at int) {
	b := r.u.String()
	if r.u.Failed() {
		return
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err == nil {
		r.buf = strconv.AppendInt(r.buf[:0], n, 10)
	}
	if err == nil && string(r.buf) == string(b) {
		r.tree.AddInt(row.field, n, at, r.u.Bit()-at)
		return
	}
	r.tree.AddBytes(row.text, b, at, r.u.Bit()-at)
	r.rec.Expert(dissect.Note, expertNumberText, row.text, at, "the game writes a decimal number here")
}

// addBytes adds text or bytes.
func (r *connlessReader) addBytes(row *cRow, at int) {
	var b []byte
	switch row.kind {
	case cString:
		b = r.u.String()
	case cRemainder:
		b = r.u.Raw(r.u.Left())
	default:
		b = r.u.Raw(row.size)
	}
	if r.u.Failed() && len(b) == 0 {
		return
	}
	if row.kind == cPaddedStr {
		b = trimNULs(b)
	}
	if row.kind == cBytes && len(b) == 16 {
		r.ip = netip.AddrFrom16([16]byte(b))
	}
	r.tree.AddBytes(row.field, b, at, r.u.Bit()-at)
}

// trimNULs takes off the zero bytes that fill a field up.
func trimNULs(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return b
}

// fault tells once why reading stopped, and adds what was not decoded.
func (r *connlessReader) fault() {
	if !r.u.Failed() || r.told {
		return
	}
	r.told = true
	if rest := r.u.Rest(); len(rest) > 0 {
		r.tree.AddBytes(&dissect.Undecoded, rest, r.u.Bit(), len(rest)<<3)
	}
	severity, code := dissect.Fault, faultCode(r.u.Err())
	if r.rec.Truncated() {
		severity, code = dissect.Warning, expertTruncatedByCapture
	}
	r.rec.Expert(severity, code, r.bad, r.u.Bit(), "%v", r.u.Err())
}
