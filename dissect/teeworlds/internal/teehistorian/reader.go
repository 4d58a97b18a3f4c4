package teehistorian

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A Reader decodes the records of one file, in order.
type Reader struct {
	wants    Options
	u        message.Unpacker
	ex       message.Unpacker // over the content of an extra
	messages message.Reader
	clients  []client
	Chunks   []events.Chunk    // of the last record, for events; their texts alias the record
	head     map[string]string // texts of the header, for a demo
	offset   int64             // of the record in the file
	tick     int32
	timed    bool // tick is known
	rec      *dissect.Record
	tree     *dissect.Tree
}

// maxClients is one more than the highest client number whose state is kept. MAX_CLIENTS of DDNet 20.1 is 128,
// src/engine/shared/protocol.h.
const maxClients = 1024

// A client is what later chunks about a client refer to.
type client struct {
	dialect  tables.Dialect // of its messages; Unknown: none of its joinver extras and messages shows it
	alive    bool           // x and y are set
	hasInput bool
	x, y     int32
	input    [InputInts]int32
}

// Options are what a Reader makes of a file, apart from the trees.
type Options struct {
	State  bool // show positions and inputs that the file has as differences as values too
	Inputs bool // fill Record.Inputs
	Scenes bool // fill Record.Scene
	Events bool // fill Reader.Chunks
	Demo   bool // keep what a Demo needs
}

// NewReader returns a reader for a file.
func NewReader(o Options) *Reader {
	Complete()
	return &Reader{wants: o, messages: message.Reader{FromClients: true}}
}

// Clone returns an independent copy with its approximate size in bytes.
func (r *Reader) Clone() (clone *Reader, size int) {
	c := NewReader(r.wants)
	c.clients = append([]client(nil), r.clients...)
	c.offset = r.offset
	return c, len(c.clients) * clientSize
}

// clientSize is about how many bytes a client takes.
const clientSize = 64

// at returns the state of a client, or nil if the number is none that a server has.
func (r *Reader) at(number int32) *client {
	if number < 0 || number >= maxClients {
		return nil
	}
	if int(number) >= len(r.clients) {
		r.clients = append(r.clients, make([]client, int(number)+1-len(r.clients))...)
	}
	return &r.clients[number]
}

// Dissect decodes a record into the protocol's object, which is open in t.
func (r *Reader) Dissect(rec *dissect.Record, t *dissect.Tree) {
	h, b := Hint(rec.Hint), rec.Payload
	r.rec, r.tree, r.tick = rec, t, h.tick()
	t.Open(&Field, 0)
	t.Add(&offsetField, uint64(r.offset), 0, 0)
	r.offset += int64(len(b))
	r.Chunks = r.Chunks[:0]
	switch h.part() {
	case partHeader:
		r.header(b, h&hintShort != 0)
	case partTick:
		t.AddInt(&tickField, int64(r.tick), 0, 0)
		r.timed = h&hintUntimed == 0
		if h&hintLeap != 0 {
			rec.Expert(dissect.Warning, leap.ExpertTimeUnknown, &tickField, 0,
				"the file skips more ticks than can be: this tick is not known, nor are those that count from it")
		}
		if h&hintContinued != 0 {
			t.AddBool(&continuedField, true, 0, 0)
		}
		r.chunks(b)
		if r.wants.Scenes && r.timed {
			r.addScene()
		}
	case partTrailing:
		t.AddBytes(&trailingField, b, 0, len(b)<<3)
		rec.Expert(dissect.Warning, message.ExpertTrailing, &trailingField, 0, "%d bytes follow the end mark", len(b))
	}
	rec.MessageDone = !rec.Damaged
	r.rec, r.tree = nil, nil
}

// chunks reads the chunks of a tick.
func (r *Reader) chunks(b []byte) {
	u := &r.u
	u.Reset(b, 0)
	r.tree.Open(&chunksField, 0)
	known := true
	for u.Left() > 0 && !u.Failed() {
		known = r.chunk()
	}
	r.tree.Close(u.Bit())
	if !known {
		r.fault(u, &chunksField)
	}
}

// chunk reads one chunk. It returns false if its type is not there, or not known.
func (r *Reader) chunk() bool {
	u, t := &r.u, r.tree
	from := u.Pos()
	kind := chunkType(u.Int())
	c := &chunkTable[0]
	switch {
	case u.Failed():
		return false
	case kind == chunkEx:
		r.extra(from)
		return true
	case kind >= 0:
		u.SetPos(from) // the number is the client's
	case int(-kind) < len(chunkTable):
		c = &chunkTable[-kind]
	default:
		u.SetPos(from)
		u.Malformed("a chunk of the unknown type %d", int32(kind))
		return false
	}
	t.Open(&c.field, from<<3)
	if t.Framed() && kind < 0 {
		t.AddInt(&typeField, int64(kind), from<<3, u.Bit()-from<<3)
	}
	v := r.parts(u, c.parts)
	if !u.Failed() {
		r.apply(c, &v)
	}
	r.fault(u, &c.field)
	t.Close(u.Bit())
	return true
}

// values are the first numbers of a chunk, and its text.
type values struct {
	ints [3]int32
	text []byte
	uuid []byte
}

// parts reads the values of a chunk.
func (r *Reader) parts(u *message.Unpacker, parts []part) (v values) {
	count := 0
	for i := range parts {
		p := &parts[i]
		at := u.Bit()
		switch p.kind {
		case partInt, partFlag:
			n := u.Int()
			if u.Failed() {
				return v
			}
			if count < len(v.ints) {
				v.ints[count] = n
				count++
			}
			if p.kind == partFlag {
				r.tree.AddBool(p.field, n != 0, at, u.Bit()-at)
			} else {
				r.tree.AddInt(p.field, int64(n), at, u.Bit()-at)
			}
		case partText:
			v.text = u.String()
			r.addBytes(u, p.field, v.text, at)
		case partUUID:
			v.uuid = u.Raw(tables.UUIDBytes)
			r.addBytes(u, p.field, v.uuid, at)
		case partRaw:
			r.addBytes(u, p.field, u.Raw(u.Left()), at)
		}
	}
	return v
}

// addBytes adds text or bytes, or as many as there are.
func (r *Reader) addBytes(u *message.Unpacker, f *dissect.Field, b []byte, at int) {
	if len(b) > 0 || !u.Failed() {
		r.tree.AddBytes(f, b, at, u.Bit()-at)
	}
}

// fault reports why u stopped in the container that is open, and adds the bytes that were not decoded.
func (r *Reader) fault(u *message.Unpacker, f *dissect.Field) {
	if !u.Failed() {
		return
	}
	if rest := u.Rest(); len(rest) > 0 {
		r.tree.AddBytes(&dissect.Undecoded, rest, u.Bit(), len(rest)<<3)
	}
	r.rec.Expert(dissect.Fault, message.FaultCode(u.Err()), nil, u.Bit(), "%s: %v", f.Key, u.Err())
}

// apply reads what a chunk has beside its parts, and keeps what later chunks refer to.
func (r *Reader) apply(c *chunk, v *values) {
	number := v.ints[0]
	switch c.kind {
	case chunkMessage:
		r.message(number, v.ints[1])
	case chunkConsoleCommand:
		args := r.arguments()
		if r.note(c.field.Key, v); r.wants.Events {
			r.Chunks[len(r.Chunks)-1].Args = args
		}
	case chunkDrop:
		r.note(c.field.Key, v)
		if cl := r.at(number); cl != nil {
			cl.dialect, cl.hasInput = tables.Unknown, false
		}
	case chunkInputDiff, chunkInputNew:
		r.input(number, c.kind == chunkInputNew)
	case chunkPlayerNew, chunkPlayerOld, 0:
		r.player(c.kind, v)
	}
}

// player follows the position of a player.
func (r *Reader) player(kind chunkType, v *values) {
	cl := r.at(v.ints[0])
	if cl == nil {
		return
	}
	switch kind {
	case chunkPlayerNew:
		cl.alive, cl.x, cl.y = true, v.ints[1], v.ints[2]
		r.noteLife("player_new", v.ints[0], cl)
	case chunkPlayerOld:
		if cl.alive {
			r.showPlace(cl)
			r.noteLife("player_old", v.ints[0], cl)
		}
		cl.alive = false
		return
	default:
		if !cl.alive {
			return
		}
		cl.x += v.ints[1]
		cl.y += v.ints[2]
		r.showPlace(cl)
	}
	if r.wants.Inputs {
		r.addPlace(v.ints[0], cl)
	}
}

// noteLife adds for events that a character appears, is killed by its client, or is gone.
func (r *Reader) noteLife(key string, number int32, cl *client) {
	if r.wants.Events {
		r.Chunks = append(r.Chunks, events.Chunk{Key: key, Client: number, X: cl.x, Y: cl.y})
	}
}

// showPlace adds a position that was worked out.
func (r *Reader) showPlace(cl *client) {
	if r.wants.State {
		r.tree.AddInt(&xField, int64(cl.x), 0, 0)
		r.tree.AddInt(&yField, int64(cl.y), 0, 0)
	}
}

// input reads the numbers of an input.
func (r *Reader) input(number int32, first bool) {
	u, t := &r.u, r.tree
	cl := r.at(number)
	if cl == nil {
		cl = new(client)
	}
	f := &diffField
	if first {
		f, cl.input = &inputField, [InputInts]int32{}
	}
	t.Open(f, u.Bit())
	known := first || cl.hasInput
	for i := range cl.input {
		at := u.Bit()
		n := u.Int()
		if u.Failed() {
			known = false
			break
		}
		t.AddInt(f.Children[i], int64(n), at, u.Bit()-at)
		cl.input[i] += n
	}
	cl.hasInput = known
	t.Close(u.Bit())
	if !known {
		return
	}
	if !first && r.wants.State {
		t.Open(&inputField, 0)
		for i, n := range cl.input {
			t.AddInt(inputField.Children[i], int64(n), 0, 0)
		}
		t.Close(0)
	}
	if r.wants.Inputs {
		r.addInput(number, cl)
	}
}

// Numbers of the messages that show a client's protocol: NETMSGTYPE_CL_STARTINFO in datasrc/network.py of 0.6 and 0.7.
const (
	startInfo06 = 20
	startInfo07 = 27
)

// message reads what a client sent.
func (r *Reader) message(number, size int32) {
	u := &r.u
	at := u.Bit()
	b := r.content(u, size)
	if u.Failed() {
		return
	}
	dialect := tables.Unknown
	cl := r.at(number)
	if cl != nil {
		dialect = cl.dialect
	}
	if dialect == tables.Unknown {
		switch dialect = dialectOf(b); {
		case dialect == tables.Unknown:
			dialect = tables.DDNet
			r.rec.Expert(dissect.Note, message.ExpertDialectUnknown, nil, at,
				"the file does not show whether client %d has 0.6 or 0.7; read as 0.6", number)
		case cl != nil:
			cl.dialect = dialect
		}
	}
	m := r.messages.Decode(r.tree, r.rec, dialect, true, b, at)
	switch {
	case m.Def == nil || m.Failed:
	case m.Def.Key == "cl_kill" && cl != nil && cl.alive:
		r.noteLife(m.Def.Key, number, cl)
	case eventfulMessages[m.Def.Key], r.wants.Demo && m.Def.Key == "cl_emoticon":
		if r.note(m.Def.Key, &values{ints: [3]int32{number, m.Ints[0]}, text: m.Text}); r.wants.Events {
			r.Chunks[len(r.Chunks)-1].Body = b
		}
	}
}

// eventfulMessages are the messages that events are made of.
var eventfulMessages = map[string]bool{
	"cl_startinfo": true, "cl_changeinfo": true, "cl_vote": true, "cl_setteam": true,
}

// dialectOf returns the dialect of a client's messages, or Unknown.
func (r *Reader) dialectOf(number int32) tables.Dialect {
	if cl := r.at(number); cl != nil {
		return cl.dialect
	}
	return tables.Unknown
}

// dialectOf returns the dialect of a message that shows it, or Unknown.
func dialectOf(b []byte) tables.Dialect {
	var u message.Unpacker
	u.Reset(b, 0)
	switch u.Int() {
	case startInfo06 << 1:
		return tables.DDNet
	case startInfo07 << 1:
		return tables.V07
	}
	return tables.Unknown
}

// arguments reads the arguments of a command.
func (r *Reader) arguments() (args [][]byte) {
	u, t := &r.u, r.tree
	at := u.Bit()
	count := u.Int()
	if u.Failed() {
		return nil
	}
	t.AddInt(&countField, int64(count), at, u.Bit()-at)
	t.Open(&ArgumentsField, u.Bit())
	for i := int32(0); i < count && !u.Failed(); i++ {
		at = u.Bit()
		a := u.String()
		if r.addBytes(u, &argumentField, a, at); r.wants.Events {
			args = append(args, a)
		}
	}
	t.Close(u.Bit())
	return args
}
