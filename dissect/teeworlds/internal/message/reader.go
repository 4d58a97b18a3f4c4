// Package message reads the messages of chunks and the objects of snapshots according to their
// tables. It also defines the protocol's expert codes.
package message

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Fields of a chunk that identify its message, and those for bytes that no table describes.
var (
	idField = dissect.Field{
		Key: "id", Kind: dissect.Int, Source: "CMsgPacker, src/engine/message.h",
		Doc: "number of the message among the system or the game messages; 0 with a uuid",
	}
	systemField = dissect.Field{
		Key: "system", Kind: dissect.Bool, Source: "CMsgPacker, src/engine/message.h",
		Doc: "true: a message of the engine; false: one of the game; lowest bit of the first int",
	}
	uuidField = dissect.Field{
		Key: "uuid", Kind: dissect.Hex, Bits: tables.UUIDBytes << 3,
		Source: "UnpackMessageId, DDNet's src/engine/shared/protocol_ex.cpp",
		Doc:    "which extended message it is",
	}
	UnknownField = dissect.Field{
		Key: "unknown", Kind: dissect.Object, Doc: "a message that no table describes",
		Children: []*dissect.Field{&UnknownData},
	}
	UnknownData = dissect.Field{Key: "data", Kind: dissect.Hex, Doc: "what follows the id"}
	RestField   = dissect.Field{
		Key: "rest", Kind: dissect.Hex, Doc: "bytes after the last known field; the game ignores them",
		Source: "messages grew optional fields over time",
	}
)

// Fields returns the children of a chunk that a Reader can add: the message's id, every message of
// every dialect under its own key, and the rest.
func Fields() []*dissect.Field {
	return slices.Concat([]*dissect.Field{&idField, &systemField, &uuidField}, tables.Messages().Fields,
		[]*dissect.Field{&UnknownField, &RestField, &dissect.Undecoded})
}

// A Message is the result of Decode for callers that need more than the tree.
type Message struct {
	id      int32
	System  bool
	uuid    tables.UUID     // of an extended message, known or not
	Def     *tables.Message // nil if unknown, or if there is not even an id
	Failed  bool            // the bytes end too early or break the format; earlier values are valid
	Refused bool            // a value is out of its range: the game drops the message

	Ints [tables.NumKept]int32 // by kept
	Text []byte                // the first string: net_version of INFO, map_name of MAP_CHANGE
	Data []byte                // raw bytes: of SNAP and SNAPSINGLE, MAP_DATA
}

// key returns the key of the message's object in a chunk.
func (m *Message) key() string {
	if m.Def == nil {
		return UnknownField.Key
	}
	return m.Def.Key
}

// A Reader decodes the messages of chunks. TuneValues is its only state between messages.
type Reader struct {
	Demo bool // the messages are from a demo file
	Cut  bool // the payload was cut by the capture
	// FromClients means that only messages of the game which clients send are known: a server stores no others.
	FromClients bool

	TuneValues int // length of the server's list of tuning values, laser_damage included; 0: not known

	u        Unpacker
	tree     *dissect.Tree
	rec      *dissect.Record // nil if expert entries are not wanted
	msg      Message
	at       int            // position of the field being read, in bits
	bad      *dissect.Field // the field that could not be read
	reported bool           // the fault was reported
}

// Decode decodes the payload of one chunk into the chunk's object, which is open in t: id and
// system, uuid, then the message's object under its own key, and the remaining bytes. at is the
// position of the payload in bits. t may be nil if only the returned message is wanted; rec may
// then be nil too. Slices of the message alias the payload.
//
// UnpackMessageId in DDNet's src/engine/shared/protocol_ex.cpp.
func (m *Reader) Decode(t *dissect.Tree, rec *dissect.Record, d tables.Dialect, fromClient bool,
	payload []byte, at int,
) Message {
	m.u.Reset(payload, at)
	m.tree, m.rec, m.msg, m.at, m.bad, m.reported = t, rec, Message{}, at, nil, false
	if m.readID(d) {
		m.checkSender(fromClient)
		m.readBody()
	}
	m.fault()
	m.noteInts()
	m.tree, m.rec = nil, nil
	m.msg.Failed = m.u.Failed()
	return m.msg
}

// readID reads the id or UUID of the message. It reports whether the fields can be read.
func (m *Reader) readID(d tables.Dialect) bool {
	m.bad = &idField
	at := m.u.Bit()
	v := m.u.Int()
	if v < 0 {
		m.u.pos = 0
		m.u.Malformed("%d is no message", v)
	}
	if m.u.Failed() {
		return false
	}
	m.msg.id, m.msg.System = v>>1, v&1 != 0
	m.tree.AddInt(&idField, int64(m.msg.id), at, m.u.Bit()-at)
	m.tree.AddBool(&systemField, m.msg.System, at, m.u.Bit()-at)
	if m.msg.id == 0 && (d == tables.DDNet || m.u.Left() >= tables.UUIDBytes) {
		at = m.u.Bit()
		m.bad = &uuidField
		b := m.u.Raw(tables.UUIDBytes)
		if len(b) > 0 {
			m.tree.AddBytes(&uuidField, b, at, len(b)<<3)
		}
		if m.u.Failed() {
			return false
		}
		m.msg.uuid = tables.UUID(b)
		m.msg.Def = m.known(tables.LookupExtended(m.msg.System, m.msg.uuid))
		return true
	}
	m.msg.Def = m.known(tables.LookupMessage(d, m.msg.System, m.msg.id))
	if def := m.msg.Def; def != nil && def.Orders != nil {
		m.msg.Def = m.chooseTuneOrder(def)
	}
	return true
}

// known returns def, or nil if FromClients leaves it out.
func (m *Reader) known(def *tables.Message) *tables.Message {
	if m.FromClients && def != nil && !def.ByClient() {
		return nil
	}
	return def
}

// checkSender adds an entry for a message from the wrong side.
func (m *Reader) checkSender(fromClient bool) {
	if m.tree == nil || m.msg.Def == nil || m.Demo {
		return
	}
	from, who := tables.SentByServer, "server"
	if fromClient {
		from, who = tables.SentByClient, "client"
	}
	switch def := m.msg.Def; {
	case def.From == tables.OnlyInDemos:
		m.addExpert(dissect.Note, expertDemoOnly, &idField, m.at, "%s is a message of demo files, and this is a packet",
			def.Field.EngineName())
	case def.From != tables.SentByNobody && def.From&from == 0:
		m.addExpert(dissect.Note, expertWrongDirection, &idField, m.at, "%s is no message that a %s sends",
			def.Field.EngineName(), who)
	}
}

// readBody reads the fields of the message.
func (m *Reader) readBody() {
	def, t := m.msg.Def, m.tree
	if def == nil {
		at, rest := m.u.Bit(), m.u.Rest()
		t.Open(&UnknownField, at)
		t.AddBytes(&UnknownData, rest, at, len(rest)<<3)
		t.Close(at + len(rest)<<3)
		if t != nil {
			m.addExpert(dissect.Note, ExpertUnknownMessage, &idField, m.at, "%s", m.unknown())
		}
		return
	}
	t.Open(def.Field, m.u.Bit())
	m.readParts(def.Parts)
	m.fault()
	t.Close(m.u.Bit())
	if !m.u.Failed() && m.u.Left() > 0 {
		t.AddBytes(&RestField, m.u.Rest(), m.u.Bit(), m.u.Left()<<3)
	}
}

// unknown adds an entry for an unknown message.
func (m *Reader) unknown() string {
	what := "game"
	if m.msg.System {
		what = "system"
	}
	if m.msg.uuid != (tables.UUID{}) {
		return "no known " + what + " message has the UUID " + m.msg.uuid.String()
	}
	return "no known " + what + " message has this id"
}

// Rest returns the bytes after the known fields of the last message, or nil if it could not be
// decoded.
func (m *Reader) Rest() []byte {
	if m.u.Failed() {
		return nil
	}
	return m.u.Rest()
}

// addExpert adds an expert entry.
func (m *Reader) addExpert(s dissect.Severity, code string, f *dissect.Field, bit int, format string, args ...any) {
	if m.rec != nil && m.tree != nil {
		m.rec.Expert(s, code, f, bit, format, args...)
	}
}

// noteInts adds entries for ints that are not encoded as the games do.
func (m *Reader) noteInts() {
	if m.tree == nil {
		return
	}
	if at := m.u.Overlong(); at >= 0 {
		m.addExpert(dissect.Note, expertIntOverlong, nil, at, "an int has more bytes than it needs; no game writes it so")
	}
	if at := m.u.Padded(); at >= 0 {
		m.addExpert(dissect.Warning, expertIntPadding, nil, at,
			"the padding of an int is not zero; 0.7.5 and older read another number than later games")
	}
}

// fault reports why reading stopped, once and in the innermost object, and adds the bytes that were
// not decoded.
func (m *Reader) fault() {
	if !m.u.Failed() || m.reported {
		return
	}
	m.reported = true
	if rest := m.u.Rest(); len(rest) > 0 {
		m.tree.AddBytes(&dissect.Undecoded, rest, m.u.Bit(), len(rest)<<3)
	}
	if m.rec == nil {
		return
	}
	severity, code := dissect.Fault, FaultCode(m.u.Err())
	if m.Cut && code == ExpertTruncated {
		severity, code = dissect.Warning, ExpertTruncatedByCapture
	}
	if m.tree == nil {
		m.rec.Damaged = m.rec.Damaged || severity == dissect.Fault
		return
	}
	m.rec.ExpertError(severity, code, &dissect.Error{
		Proto: "teeworlds", Field: string(m.tree.AppendOpenPath(nil, m.bad)), Bit: m.u.Bit(), Err: m.u.Err(),
	})
}
