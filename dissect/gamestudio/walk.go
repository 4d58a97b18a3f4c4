package gamestudio

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// An edition is one of the two public descriptions of the protocol.
type edition uint8

const (
	late        edition = iota // the vendor's online manual; the default
	edition2002                // the A5 Programmer's Manual of July 2002
	editions
)

func (e edition) String() string { return [...]string{"late", "a5-2002"}[e] }

// A dialect is what one must know to find where messages begin and end, but is not on the wire.
type dialect struct {
	edition     edition
	fromClient  bool
	width       int // bytes per coordinate in an update: 3 or 4
	coordinates int // coordinates of an update's position: 3, or 2 without z
	removeLong  bool
}

// A stop is why a walk ended.
type stop uint8

const (
	atEnd       stop = iota // everything was read
	unknownCode             // a command that no public table has
	unknownRow              // a command whose row no public copy of the 2002 edition shows
	unknownBits             // a bit of an update that no public table assigns
	fault                   // the bytes violate the format, or end early
)

// A walker goes through the messages of one application packet.
type walker struct {
	r      reader
	d      dialect
	hints  *hints           // what messages say about numbers; nil in a trial
	rec    *dissect.Record  // takes expert entries
	events eventtree.Writer // without a tree if no events are wanted

	stop     stop
	stopAt   int  // byte where the walk stopped: the command, or the parameters that cannot be read
	messages int  // messages read completely
	depends  int  // byte of the first message whose length the dialect decides, or -1
	angle    bool // the record already has the note that the byte order of angles is undetermined
	// set of the kinds of messages read whole: a bit for each code below 0x40, and 61 to 63 for the updates
	commands uint64
}

// walk reads messages until the end of the packet, until something stops it, or until byte limit.
func (w *walker) walk(limit int) {
	w.stop, w.stopAt, w.depends, w.messages = atEnd, w.r.At, -1, 0
	w.commands = 0
	for w.r.At < min(w.r.End, limit) {
		at := w.r.At
		code := w.r.B[at]
		if !w.message(code, at) {
			return
		}
		w.messages++
		w.commands |= 1 << min(code, 60+code>>6)
	}
	w.stopAt = w.r.At
}

// message reads one message, and reports whether the next can be found.
func (w *walker) message(code byte, at int) bool {
	if !w.d.fromClient && code >= 0x40 {
		w.r.At++
		return w.update(updates[code>>6-1], code, at)
	}
	table := serverMessages
	if w.d.fromClient {
		table = clientMessages
	}
	for _, m := range table {
		if m.code != code {
			continue
		}
		if args := m.arguments[w.d.edition]; args != nil {
			w.r.At++
			return w.arguments(m, args, at)
		}
		if m.arguments[edition2002] == nil && w.d.edition == edition2002 && w.d.fromClient {
			return w.end(unknownRow, at)
		}
	}
	return w.end(unknownCode, at)
}

func (w *walker) end(why stop, at int) bool {
	w.stop, w.stopAt = why, at
	return false
}

// arguments reads a message of fixed arguments.
func (w *walker) arguments(m *message, args []argument, at int) bool {
	r := &w.r
	if m.field.Key == "cls_remove" && w.d.edition == late {
		w.depend(at)
		if !w.d.removeLong {
			args = shortRemove
		}
	}
	r.EnterAt(&m.field, at)
	w.frame(at)
	for i := range args {
		w.argument(&args[i])
	}
	if w.hints != nil && !r.Failed() {
		body := r.B[at+1 : r.At]
		if w.events.Tree != nil && m.code == codeRemove {
			w.addEvent(m.code, body)
		}
		w.learn(m.code, args, body)
		if w.events.Tree != nil && m.code != codeRemove {
			w.addEvent(m.code, body)
		}
	}
	r.Leave()
	if r.Failed() {
		return w.end(fault, at)
	}
	return true
}

var shortRemove = []argument{number(&entityIndex)}

// learn takes hints from a message, and shows the hints about its player and its entity.
func (w *walker) learn(code byte, args []argument, body []byte) {
	if w.d.fromClient && code != codeFill && w.r.Tree != nil {
		dpid, _ := w.dpid(code, body)
		if name := w.hints.who(dpid); name != "" {
			w.r.Tree.AddLabel(&playerHint, name, 0, 0)
		}
	}
	switch {
	case w.d.fromClient && code == codeJoin:
		dpid, name := w.dpid(code, body)
		w.hints.joined(dpid, terminated(name))
		return
	case w.d.fromClient && code == codeCreate:
		_, body = w.dpid(code, body)
		w.hints.wanted(int16(cursor.Little(body[len(body)-2:])), terminated(body))
		return
	case !w.d.fromClient && code == codeCreate:
		w.hints.created(int16(cursor.Little(body[:2])), int16(cursor.Little(body[2:])))
	}
	if len(args) > 0 && args[0].field == &entityIndex {
		index := int16(cursor.Little(body[:2]))
		w.hints.show(index, w.r.Tree)
		if code == codeRemove && !w.d.fromClient {
			w.hints.remove(index)
		}
	}
}

// dpid returns the player's DirectPlay id at the start of a client message's arguments, or nil if
// there is none.
func (w *walker) dpid(code byte, body []byte) (dpid, rest []byte) {
	if w.d.edition == edition2002 && (code == codeJoin || code == codeCreate || code == codePing) {
		return body[:4], body[4:]
	}
	return nil, body
}

// Codes that hints and events are taken from.
const (
	codeFill   = 0x01
	codeJoin   = 0x02
	codeCreate = 0x03
	codeRemove = 0x04
	codePing   = 0x07
	codeLevel  = 0x09
)

func (w *walker) depend(at int) {
	if w.depends < 0 {
		w.depends = at
	}
}

// argument reads one value.
func (w *walker) argument(a *argument) {
	r := &w.r
	if r.Failed() {
		return
	}
	switch a.kind {
	case kindNumber:
		r.Number(a.field)
	case kindFloat:
		r.Float(a.field)
	case kindFixed:
		r.fixed(a.field)
	case kindFixed3:
		w.fixeds(a.field, 3)
	case kindString:
		r.Text(a.field)
	case kindScale:
		r.scaled(a.field, a.scale)
	case kindPosition:
		r.position(a.field, 3, 3)
	case kindVelocity:
		r.position(a.field, 4, 3)
		r.exact(&velocityFixed, 4, 3)
	case kindVar:
		w.variable()
	case kindSync:
		at := r.At
		if v := r.Number(a.field); !r.Failed() && v != sync2002 {
			r.Malformed(a.field, at, "%#x is not the constant %#x", v, uint32(sync2002))
		}
	}
}

// sync2002 is the constant at the start of SVC_INFO in the 2002 edition.
const sync2002 = 0x11191218

// variable reads a count and that many Fixed.
func (w *walker) variable() {
	r := &w.r
	at := r.At
	count := int(int64(r.Number(&varLength)))
	if r.Failed() {
		return
	}
	if count < 0 {
		r.Malformed(&varLength, at, "var_length out of range: %d elements", count)
		return
	}
	if 4*count > r.Rest() && !r.Cut {
		r.Malformed(&varLength, at, "var_length out of range: %d elements, and %d bytes are left", count, r.Rest())
		return
	}
	w.fixeds(&varValues, count)
}

// fixeds reads a list of Fixed.
func (w *walker) fixeds(f *dissect.Field, count int) {
	r := &w.r
	r.Enter(f)
	for i := 0; i < count && !r.Failed(); i++ {
		r.fixed(&fixedElement)
	}
	r.Leave()
}

// update reads an entity's changed parameters.
func (w *walker) update(u *update, code byte, at int) bool {
	r := &w.r
	parameters := &u.parameters[w.d.edition]
	r.EnterAt(&u.field, at)
	w.frame(at)
	index := int16(r.Number(&entityIndex))
	if !r.Failed() {
		w.hints.show(index, r.Tree)
	}
	done, known := byte(0), true
	for i := range updateBits {
		p := &parameters[i]
		switch bit := byte(1) << i; {
		case r.Failed() || code&^done&bit == 0:
		case p.field == nil:
			known = false
		case p.field == &skin && w.d.edition == late && code&lightBits != 0:
			r.disordered(code)
			done = lightBits
		default:
			w.parameter(p, at, index)
		}
	}
	if !known && !r.Failed() {
		r.unassigned(parameters, code, at)
	}
	r.Leave()
	switch {
	case r.Failed():
		return w.end(fault, at)
	case !known:
		return w.end(unknownBits, r.At)
	}
	return true
}

// unassigned returns the bits of the command that no public table has. They are the highest bits,
// so the parameters that the other bits select come first.
func (r *reader) unassigned(parameters *[updateBits]argument, code byte, at int) {
	r.EnterAt(&undeterminedBits, at)
	for i := range updateBits {
		if code>>i&1 != 0 && parameters[i].field == nil {
			r.Tree.Add(undeterminedBits.Children[0], uint64(i), at<<3, 8)
		}
	}
	r.Tree.Close((at + 1) << 3)
}

// parameter reads one parameter of the update that begins at byte at.
func (w *walker) parameter(p *argument, at int, index int16) {
	r := &w.r
	switch p.kind {
	case kindCPosition:
		w.depend(at)
		r.position(p.field, w.d.width, w.d.coordinates)
		if w.d.width == 4 {
			r.exact(&positionFixed, 4, w.d.coordinates)
		}
	case kindAngle:
		if place := r.At; r.angle(p.field) && !w.angle && w.rec != nil {
			w.angle = true
			w.rec.Expert(dissect.Note, expertUndetermined, p.field, place<<3,
				"byte order of angles undetermined: the manual's text asks for little-endian, its sample for big-endian")
		}
	case kindScale3:
		r.scale(p.field)
	case kindColor:
		r.color(p.field, w.d.edition)
	case kindFrame:
		r.frame(p.field, w.d.edition)
	case kindFixedUV:
		r.pair(p.field, &uFixed, &vFixed, 4)
	case kindShortUV:
		r.pair(p.field, &uShort, &vShort, 2)
	case kindString:
		if name := r.Text(p.field); name != nil {
			w.hints.file(index, name)
		}
	default:
		w.argument(p)
	}
}
