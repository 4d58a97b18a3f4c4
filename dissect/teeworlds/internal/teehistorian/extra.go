package teehistorian

import (
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// extra reads an extra chunk, whose type was read. Its content has a length, so that the rest of the tick can be read
// whatever is in it.
func (r *Reader) extra(from int) {
	u, t := &r.u, r.tree
	uuidAt := u.Bit()
	id := u.Raw(tables.UUIDBytes)
	e := lookupExtra(id)
	f := &unknownExField
	if e != nil {
		f = &e.field
	}
	t.Open(f, from<<3)
	defer func() { t.Close(u.Bit()) }()
	if t.Framed() {
		t.AddInt(&typeField, int64(chunkEx), from<<3, uuidAt-from<<3)
	}
	r.addBytes(u, &uuidField, id, uuidAt)
	at := u.Bit()
	size := u.Int()
	if !u.Failed() {
		t.Add(&sizeField, uint64(uint32(size)), at, u.Bit()-at)
	}
	at = u.Bit()
	b := r.content(u, size)
	switch {
	case u.Failed():
		r.fault(u, f)
		return
	case e == nil:
		t.AddBytes(&dataField, b, at, len(b)<<3)
		return
	}
	r.ex.Reset(b, at)
	v := r.parts(&r.ex, e.parts)
	if r.ex.Failed() {
		r.fault(&r.ex, f)
		return
	}
	if rest := r.ex.Rest(); len(rest) > 0 {
		t.AddBytes(&restField, rest, r.ex.Bit(), len(rest)<<3)
	}
	r.applyExtra(e, &v)
}

// content reads the bytes of a message or an extra. It reads none if not all of them are there.
func (r *Reader) content(u *message.Unpacker, size int32) []byte {
	at := u.Pos()
	b := u.Raw(int(size))
	if u.Failed() {
		u.SetPos(at)
	}
	return b
}

// extras has the rows of extraTable by their UUID.
var extras = func() map[tables.UUID]*extra {
	m := make(map[tables.UUID]*extra, len(extraTable))
	for i := range extraTable {
		m[extraTable[i].uuid] = &extraTable[i]
	}
	return m
}()

// lookupExtra returns the type of extras with a UUID, or nil.
func lookupExtra(id []byte) *extra {
	if len(id) != tables.UUIDBytes {
		return nil
	}
	return extras[tables.UUID(id)]
}

// note adds what a chunk has for events.
func (r *Reader) note(key string, v *values) {
	if r.wants.Events {
		r.Chunks = append(r.Chunks, events.Chunk{Key: key, Client: v.ints[0], Number: v.ints[1], Text: v.text})
	}
}

// eventful are the extras that events are made of.
var eventful = map[string]bool{
	"player_ready": true, "player_name": true, "auth_init": true, "auth_login": true, "auth_logout": true,
	"player_finish": true, "player_team": true, "save_success": true, "save_failure": true, "load_success": true,
	"load_failure": true,
}

// applyExtra keeps what later chunks refer to.
func (r *Reader) applyExtra(e *extra, v *values) {
	if r.wants.Events && eventful[e.field.Key] {
		r.note(e.field.Key, v)
	}
	cl := r.at(v.ints[0])
	switch {
	case cl == nil || len(e.parts) == 0:
	case e.field.Key == "joinver6":
		cl.dialect = tables.DDNet
	case e.field.Key == "joinver7":
		cl.dialect = tables.V07
	}
}
