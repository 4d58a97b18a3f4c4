package enet

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// dissectCommands reads the commands of a packet, and counts them.
func (c *conversation) dissectCommands(rec *dissect.Record, r *reader, list *dissect.Field, g generation) (count int) {
	r.Enter(list)
	defer r.Leave()
	for ; r.Rest() > 0 && !r.Failed(); count++ {
		a := arrived{at: r.At}
		number := opOf(r.B[r.At], g)
		if number == 0 {
			r.Malformed(list, r.At, "command %d does not exist in ENet %s", r.B[r.At]&opMask, generationNames[g])
			return count
		}
		a.command = commandTable[number]
		a.shape = a.command.shapes[g]
		r.Enter(&a.command.field)
		r.readCommandHead(&a.head, g)
		a.body = r.At
		for _, s := range a.shape.slots {
			r.readSlot(s)
		}
		if !r.Failed() {
			c.dissectCommand(rec, r, &a)
		}
		r.Leave()
	}
	return count
}

// readCommandHead reads the head that every command begins with.
func (r *reader) readCommandHead(h *commandHead, g generation) {
	at := r.At
	whole := h.parse(r.B[at:r.End], g)
	if !g.long() {
		r.Tree.AddBool(&wantsAckField, r.B[at]&ackFlag != 0, at<<3, 1)
		r.Tree.AddBool(&noOrderField, r.B[at]&unsequencedFlag != 0, at<<3+1, 1)
		r.frameHead(at, h, g)
		r.At++
		r.Network(&channelField)
		r.readSlot(slot{&sequenceField, 2})
		return
	}
	if !whole {
		r.Fail(&sizeField, at, dissect.ErrTruncated)
		return
	}
	if h.number == opOther {
		r.Tree.Add(&otherNumberField, uint64(r.B[at]), at<<3, 8)
		r.Tree.Add(&otherFlagsField, uint64(r.B[at+2]), (at+2)<<3, 8)
	} else {
		r.Tree.AddBool(&wantsAckField, h.flags&ackFlag != 0, (at+2)<<3+7, 1)
		r.Tree.AddBool(&noOrderField, h.flags&unsequencedFlag != 0, (at+2)<<3+6, 1)
	}
	r.frameHead(at, h, g)
	if g == photon && h.number == opDisconnect {
		r.Tree.Add(&reasonField, uint64(r.B[at+reservedAt]), (at+reservedAt)<<3, 8)
	}
	r.Tree.Add(&channelField, uint64(h.channel), (at+1)<<3, 8)
	r.At += 4 // the last of them is a reserved byte
	r.Network(&sizeField)
	r.readSlot(slot{&sequenceField, 4})
}

// readSlot reads one number of a command, whose width may depend on the generation.
func (r *reader) readSlot(s slot) {
	if s.field.Kind == dissect.Hex {
		r.Hex(s.field, s.size)
		return
	}
	at := r.At
	b := r.Take(s.field, s.size)
	if b != nil {
		r.Tree.Add(s.field, big(b), at<<3, s.size<<3)
	}
}

// big returns the big-endian number in b.
func big(b []byte) (v uint64) {
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

// An arrived is a command whose numbers have been read.
type arrived struct {
	head    commandHead
	command *command
	shape   *shape
	at      int // where the command begins
	body    int // where its numbers begin
}

// value finds one of the numbers.
func (a *arrived) value(b []byte, f *dissect.Field) uint64 {
	at := a.body
	for _, s := range a.shape.slots {
		if s.field == f {
			return big(b[at : at+s.size])
		}
		at += s.size
	}
	return 0
}

// end returns where the command ends, or what there is of it.
func (a *arrived) end(r *reader, g generation) int {
	if g.long() {
		return min(max(a.at+a.head.size, r.At), r.End)
	}
	return min(r.At+int(a.value(r.B, lengthField)), r.End)
}

// dissectCommand records the connection's facts in a command, and shows the application's bytes.
func (c *conversation) dissectCommand(rec *dissect.Record, r *reader, a *arrived) {
	e := &c.conn
	from := flows.Sender(&rec.Packet).Index()
	side := e.connection(a, r.B[a.body:r.At], from)
	switch a.head.number {
	case opConnect, opVerify:
		e.expect(a, r.B, from)
	case opAcknowledge:
		e.sides[1-from].answered(uint16(a.head.channel), uint16(a.value(r.B, gotSequenceField)))
	}
	counts := a.head.flags&ackFlag != 0 && a.command.repeated
	command := r.B[a.at:a.end(r, e.generation)]
	had := counts && side.had(a, command)
	duplicate := had || counts && side.arrive(a.head.line(), uint16(a.head.sequence), command)
	if had {
		rec.Expert(dissect.Warning, dissect.ExpertNotAccepted, nil, a.at<<3, hadAnother)
	}
	if duplicate {
		r.Tree.AddBool(&duplicateField, true, 0, 0)
	}
	at, size, claimed, claimedAt := r.At, int(a.value(r.B, lengthField)), lengthField, a.at+a.shape.lengthAt
	if e.generation.long() {
		size, claimed, claimedAt = a.head.size-a.shape.size, &sizeField, a.at+4
	}
	switch {
	case size < 0 || !a.command.data && size > 0:
		r.Malformed(claimed, claimedAt, "%d bytes, and the command has %d", a.head.size, a.shape.size)
		return
	case !a.command.data:
		return
	case size > r.Rest() && !r.Cut:
		r.Malformed(claimed, claimedAt, "%d bytes of data, and %d are left", size, r.Rest())
		return
	case size > r.Rest():
		if r.Rest() > 0 {
			r.Tree.AddBytes(&dataField, r.B[at:r.End], at<<3, r.Rest()<<3)
		}
		r.At = r.End
		r.Fail(&dataField, r.End, dissect.ErrTruncated)
		return
	}
	r.At += size
	switch {
	case a.command.fragment:
		c.dissectFragment(rec, r, a, side, duplicate, at, size)
	case !a.command.carries && size > 0:
		r.Tree.AddBytes(&otherDataField, r.B[at:at+size], at<<3, size<<3)
	case !a.command.carries:
	case c.read && size > 0 && !had:
		c.carried.Add(r.B, dissect.Payload{
			At: at, End: at + size, Direction: rec.Direction,
			Reliable: a.head.flags&ackFlag != 0, Repeated: duplicate,
		})
	default:
		r.Tree.AddBytes(&dataField, r.B[at:at+size], at<<3, size<<3)
	}
}

// connection records the connection's facts in a command of a side: its number, the request for it, or its end. In
// 1.0 the number is the challenge that every packet has. It returns what is known of the commands of the side.
func (e *connection) connection(a *arrived, body []byte, from int) *side {
	if a.head.number == opConnect {
		return e.ask(e.idOf(body), from)
	}
	if e.next != nil && e.next.by != from && e.answers(a, body) {
		e.change()
	}
	e.carries = true
	switch {
	case a.head.number == opVerify && e.generation.recent() && !e.hasID:
		e.id, e.hasID = [4]byte(body[len(body)-4:]), true
	case a.head.number == opDisconnect:
		e.ended = true
	}
	return &e.sides[from]
}

// change makes the connection that was asked for the current one.
func (e *connection) change() {
	e.id, e.sides, e.next, e.begins = e.next.id, e.next.sides, nil, true
	e.names = [2]name{}
}

// idOf returns the number of the connection that a command asks for.
func (e *connection) idOf(body []byte) [4]byte {
	switch e.generation {
	case v13, v20:
		return [4]byte(body[len(body)-8:])
	case v12:
		return [4]byte(body[len(body)-4:])
	}
	return e.challenge
}

// answers reports whether a command answers the request for another connection.
func (e *connection) answers(a *arrived, body []byte) bool {
	switch {
	case e.generation.long():
		return e.challenge == e.next.id
	case a.head.number != opVerify:
		return false
	}
	return !e.generation.recent() || [4]byte(body[len(body)-4:]) == e.next.id
}

// ask records that a side asks for a connection.
func (e *connection) ask(id [4]byte, from int) *side {
	switch {
	case e.hasID && id == e.id:
		e.begins = e.begins || !e.carries
		return &e.sides[from]
	case !e.hasID || !e.carries:
		e.id, e.hasID, e.sides, e.begins = id, true, [2]side{}, true
		e.names = [2]name{}
		return &e.sides[from]
	case e.next == nil || e.next.id != id || e.next.by != from:
		e.next = &request{id: id, by: from}
	}
	return &e.next.sides[from]
}
