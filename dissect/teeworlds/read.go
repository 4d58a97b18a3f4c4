package teeworlds

import (
	"errors"

	"github.com/q3dissect/q3dissect/dissect"
)

// maxInputInts is MAX_INPUT_SIZE, src/engine/shared/protocol.h: the ints of an INPUT's object.
const maxInputInts = 128

// readParts reads fields of the message in wire order.
func (m *messageReader) readParts(parts []part) {
	for i := range parts {
		p := &parts[i]
		if p.optional && m.u.Left() == 0 {
			return // and so are all that follow
		}
		m.bad = p.field
		if p.times != single {
			m.readList(p)
		} else {
			m.readValue(p, p.field)
		}
		if m.u.Failed() {
			return
		}
	}
}

// readList reads the elements of a list. Each takes at least a byte, so their number is bounded by the data.
func (m *messageReader) readList(p *part) {
	m.tree.Open(p.field, m.u.Bit())
	count := p.times
	switch p.times {
	case asCounted:
		count = int(m.msg.ints[keepCount])
	case byGameMsg:
		count = 0
		if id := m.msg.ints[keepCount]; id >= 0 && int(id) < len(gameMsgParams) {
			count = gameMsgParams[id]
		}
	}
	for i := 0; (p.times == toEnd && m.u.Left() > 0 || i < count) && !m.u.Failed(); i++ {
		m.readValue(p, p.elem)
	}
	m.tree.Close(m.u.Bit())
}

// readValue reads one value into field f.
func (m *messageReader) readValue(p *part, f *dissect.Field) {
	at := m.u.Bit()
	switch p.kind {
	case kindNumber, kindBool:
		v := m.u.Int()
		if m.u.Failed() {
			return
		}
		m.msg.ints[p.keep] = v
		addNumber(m.tree, f, v, at, m.u.Bit()-at)
		if v < p.min || v > p.max {
			m.msg.refused = true
			outOfRange(m.tree, m.rec, p, f, v, at)
		}
	case kindText:
		s := m.u.String()
		if m.msg.text == nil {
			m.msg.text = s
		}
		m.addBytes(f, s, at)
	case kindRaw:
		m.msg.data = m.u.Raw(m.length(p))
		m.addBytes(f, m.msg.data, at)
	case kindObject:
		m.readObject(p, f)
	}
}

// addNumber adds an int, which may be one bit or part of a wider field.
func addNumber(t *dissect.Tree, f *dissect.Field, v int32, at, bits int) {
	if f.Kind == dissect.Bool {
		t.AddBool(f, v != 0, at, bits)
		return
	}
	t.AddInt(f, int64(v), at, bits)
}

// addBytes adds bytes; of those that break off, what there is.
func (m *messageReader) addBytes(f *dissect.Field, b []byte, at int) {
	if len(b) > 0 || !m.u.Failed() {
		m.tree.AddBytes(f, b, at, m.u.Bit()-at)
	}
}

// length is the number of bytes of a raw field.
func (m *messageReader) length(p *part) int {
	switch p.size {
	case toEnd:
		return m.u.Left()
	case asCounted:
		return int(m.msg.ints[keepCount])
	}
	return p.size
}

// readObject reads an object of snapshots in a message: its ints one after the other. What is behind those that
// are known goes to extra_ints; where there are fewer, the last fields are absent.
func (m *messageReader) readObject(p *part, f *dissect.Field) {
	m.tree.Open(f, m.u.Bit())
	m.bad = nil // a fault here is the object's own
	count := p.size
	if count == asCountedBytes {
		if count = int(m.msg.ints[keepCount]) / 4; count < 0 || count > maxInputInts {
			m.u.Malformed("an object of %d bytes; 0 to %d are possible", m.msg.ints[keepCount], 4*maxInputInts)
		}
	}
	for i := 0; i < len(p.inner) && i < count && !m.u.Failed(); i++ {
		m.bad = p.inner[i].field
		m.readValue(&p.inner[i], p.inner[i].field)
	}
	if count > len(p.inner) && !m.u.Failed() {
		m.bad = &extraIntsField
		m.tree.Open(&extraIntsField, m.u.Bit())
		for i := len(p.inner); i < count && !m.u.Failed(); i++ {
			at := m.u.Bit()
			if v := m.u.Int(); !m.u.Failed() {
				m.tree.AddInt(extraIntsField.Children[0], int64(v), at, m.u.Bit()-at)
			}
		}
		m.tree.Close(m.u.Bit())
	}
	m.fault()
	m.tree.Close(m.u.Bit())
}

// outOfRange notes a value of field f that the game does not accept.
func outOfRange(t *dissect.Tree, rec *dissect.Record, p *part, f *dissect.Field, v int32, at int) {
	if t != nil && rec != nil {
		rec.Expert(dissect.Note, expertOutOfRange, f, at, "%d; the game accepts %d to %d and drops the whole otherwise", v, p.min, p.max)
	}
}

// faultCode is the code of an expert entry about a failure.
func faultCode(err error) string {
	if errors.Is(err, dissect.ErrTruncated) {
		return expertTruncated
	}
	return expertMalformed
}
