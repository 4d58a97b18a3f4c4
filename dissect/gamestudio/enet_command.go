package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

// enetCommands reads the commands of a packet, and counts them.
func (c *conversation) enetCommands(rec *dissect.Record, r *reader, list *dissect.Field, g generation, h hint) (count int) {
	r.enter(list)
	defer r.leave()
	for ; r.rest() > 0 && !r.failed(); count++ {
		a := enetArrived{at: r.at}
		number := enetNumberOf(r.b[r.at], g)
		if number == 0 {
			r.malformed(list, r.at, "command %d does not exist in ENet %s", r.b[r.at]&enetOpMask, generationNames[g])
			return count
		}
		a.command = enetCommandTable[number]
		a.shape = a.command.shapes[g]
		r.enter(&a.command.field)
		r.enetHead(&a.head, g)
		a.body = r.at
		for _, s := range a.shape.slots {
			r.slot(s)
		}
		if !r.failed() {
			c.enetCommand(rec, r, &a, h)
		}
		r.leave()
	}
	return count
}

// enetHead reads what every command begins with.
func (r *reader) enetHead(h *enetHead, g generation) {
	at := r.at
	whole := h.parse(r.b[at:r.end], g)
	if g != enet10 {
		r.tree.AddBool(&enetWantsAck, r.b[at]&enetAckFlag != 0, at<<3, 1)
		r.tree.AddBool(&enetNoOrder, r.b[at]&enetUnsequencedFlag != 0, at<<3+1, 1)
		r.at++
		r.network(&enetChannelF)
		r.slot(enetSlot{&enetSequence, 2})
		return
	}
	if !whole {
		r.fail(&enetSize, at, dissect.ErrTruncated)
		return
	}
	r.tree.AddBool(&enetWantsAck, h.flags&enetAckFlag != 0, (at+2)<<3+7, 1)
	r.tree.AddBool(&enetNoOrder, h.flags&enetUnsequencedFlag != 0, (at+2)<<3+6, 1)
	r.tree.Add(&enetChannelF, uint64(h.channel), (at+1)<<3, 8)
	r.at += 4 // the last of them is a byte that means nothing
	r.network(&enetSize)
	r.slot(enetSlot{&enetSequence, 4})
}

// slot reads a number of a command, whose width the field may leave open.
func (r *reader) slot(s enetSlot) {
	if s.field.Kind == dissect.Hex {
		r.hex(s.field, s.size)
		return
	}
	at := r.at
	b := r.take(s.field, s.size)
	if b != nil {
		r.tree.Add(s.field, big(b), at<<3, s.size<<3)
	}
}

// big is the big-endian number of so many bytes.
func big(b []byte) (v uint64) {
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

// An enetArrived is a command whose numbers were read.
type enetArrived struct {
	head    enetHead
	command *enetCommand
	shape   *enetShape
	at      int // where the command begins
	body    int // where its numbers begin
}

// value finds one of the numbers.
func (a *enetArrived) value(b []byte, f *dissect.Field) uint64 {
	at := a.body
	for _, s := range a.shape.slots {
		if s.field == f {
			return big(b[at : at+s.size])
		}
		at += s.size
	}
	return 0
}

// enetCommand takes a command for what it says of the connection, and shows the application's bytes.
func (c *conversation) enetCommand(rec *dissect.Record, r *reader, a *enetArrived, h hint) {
	e := c.enet
	e.connection(a, r.b[a.body:r.at])
	side := &e.sides[sideOf(rec)]
	duplicate := a.head.flags&enetAckFlag != 0 && a.command.repeated && side.arrive(a.head.channel, uint16(a.head.sequence))
	if duplicate {
		r.tree.AddBool(&enetDuplicate, true, 0, 0)
	}
	at, size, told, toldAt := r.at, int(a.value(r.b, enetLength)), enetLength, a.at+a.shape.lengthAt
	if e.generation == enet10 {
		size, told, toldAt = a.head.size-a.shape.size, &enetSize, a.at+4
	}
	switch {
	case size < 0 || !a.command.data && size > 0:
		r.malformed(told, toldAt, "%d bytes, and the command has %d", a.head.size, a.shape.size)
		return
	case !a.command.data:
		return
	case size > r.rest() && !r.cut:
		r.malformed(told, toldAt, "%d bytes of data, and %d are left", size, r.rest())
		return
	case size > r.rest():
		if r.rest() > 0 {
			r.tree.AddBytes(&enetData, r.b[at:r.end], at<<3, r.rest()<<3)
		}
		r.at = r.end
		r.fail(&enetData, r.end, dissect.ErrTruncated)
		return
	}
	r.at += size
	switch {
	case a.head.number == enetFragment || a.head.number == enetUnreliableFragment:
		c.enetFragment(rec, r, a, side, duplicate, at, size, h)
	case h&isGame != 0 && size > 0:
		c.addPayload(r.b, part{at: at, end: at + size, again: duplicate})
	default:
		r.tree.AddBytes(&enetData, r.b[at:at+size], at<<3, size<<3)
	}
}

// connection takes from a command what it says of the connection: its number, that it is asked for, or its end. In 1.0 it is the challenge that every
// packet has.
func (e *enet) connection(a *enetArrived, body []byte) {
	var id [4]byte
	switch {
	case a.head.number == enetVerify && e.generation == enet13 && !e.hasID:
		e.id, e.hasID = [4]byte(body[len(body)-4:]), true
		return
	case a.head.number == enetDisconnect:
		e.ended = true
		return
	case a.head.number != enetConnect:
		return
	case e.generation == enet13:
		id = [4]byte(body[len(body)-8:])
	case e.generation == enet12:
		id = [4]byte(body[len(body)-4:])
	default:
		id = e.challenge
	}
	e.asked = true
	if !e.hasID || id != e.id {
		e.id, e.hasID, e.sides = id, true, [2]enetSide{}
	}
}
