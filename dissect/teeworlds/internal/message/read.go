package message

import (
	"bytes"
	"errors"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// maxInputInts is MAX_INPUT_SIZE, src/engine/shared/protocol.h: the ints of an INPUT's object.
const maxInputInts = 128

// readParts reads fields of the message in wire order.
func (m *Reader) readParts(parts []tables.Part) {
	for i := range parts {
		p := &parts[i]
		if p.Optional && m.u.Left() == 0 {
			return // so are all the following
		}
		m.bad = p.Field
		if p.Times != tables.Single {
			m.readList(p)
		} else {
			m.readValue(p, p.Field)
		}
		if m.u.Failed() {
			return
		}
	}
}

// readList reads the elements of a list. Each takes at least one byte, so the data bounds their
// number.
func (m *Reader) readList(p *tables.Part) {
	m.tree.Open(p.Field, m.u.Bit())
	count := p.Times
	switch p.Times {
	case tables.AsCounted:
		count = int(m.msg.Ints[tables.KeepCount])
	case tables.ByGameMsg:
		m.readMeanings(p)
		return
	}
	for i := 0; (p.Times == tables.ToEnd && m.u.Left() > 0 || i < count) && !m.u.Failed(); i++ {
		m.readValue(p, p.Elem)
	}
	if p.Filled > 0 && m.isFilled(p.Filled-count) {
		for range p.Filled - count {
			m.readValue(p, p.Elem)
		}
	}
	m.tree.Close(m.u.Bit())
}

// isFilled reports whether so many empty strings are all that is left. In a demo up to three zeros follow that make the
// length a multiple of 4, and as many may be no more than these.
func (m *Reader) isFilled(n int) bool {
	least, spare := 1, 0
	if m.Demo {
		least, spare = 4, 3
	}
	left := m.u.Left()
	return n >= least && left >= n && left <= n+spare && len(bytes.Trim(m.u.Rest(), "\x00")) == 0
}

// maxMeanings is the most elements of a list whose elements have names.
const maxMeanings = 3

// readMeanings reads the elements of the open list, and adds each beside it under its name.
func (m *Reader) readMeanings(p *tables.Part) {
	var (
		values [maxMeanings]int32
		at     [maxMeanings]int
		fields []*dissect.Field
	)
	if id := m.msg.Ints[tables.KeepCount]; id >= 0 && int(id) < len(p.Meanings) {
		fields = p.Meanings[id]
	}
	read := 0
	for ; read < len(fields); read++ {
		at[read] = m.u.Bit()
		m.readValue(p, p.Elem)
		if m.u.Failed() {
			break
		}
		values[read] = m.msg.Ints[p.Keep]
	}
	m.tree.Close(m.u.Bit())
	for i := range read {
		m.tree.AddInt(fields[i], int64(values[i]), at[i], 0)
	}
}

// readValue reads one value into field f.
func (m *Reader) readValue(p *tables.Part, f *dissect.Field) {
	at := m.u.Bit()
	switch p.Kind {
	case tables.KindNumber, tables.KindBool:
		v := m.u.Int()
		if m.u.Failed() {
			return
		}
		m.msg.Ints[p.Keep] = v
		addNumber(m.tree, f, v, at, m.u.Bit()-at)
		if picture, text := p.Picture(v); picture != nil {
			m.tree.AddLabel(picture, text, at, 0)
		}
		if v < p.Min || v > p.Max {
			m.msg.Refused = true
			outOfRange(m.tree, m.rec, p, f, v, at)
		}
	case tables.KindText:
		s := m.u.String()
		if m.msg.Text == nil {
			m.msg.Text = s
		}
		m.addBytes(f, s, at)
	case tables.KindRaw:
		m.msg.Data = m.u.Raw(m.length(p))
		m.addBytes(f, m.msg.Data, at)
	case tables.KindObject:
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

// addBytes adds bytes, or as many as there are.
func (m *Reader) addBytes(f *dissect.Field, b []byte, at int) {
	if len(b) > 0 || !m.u.Failed() {
		m.tree.AddBytes(f, b, at, m.u.Bit()-at)
	}
}

// length returns the number of bytes of a raw field.
func (m *Reader) length(p *tables.Part) int {
	switch p.Size {
	case tables.ToEnd:
		return m.u.Left()
	case tables.AsCounted:
		return int(m.msg.Ints[tables.KeepCount])
	}
	return p.Size
}

// readObject reads a snapshot object inside a message: its ints in order. Ints after the known
// fields go to extra_ints; if there are fewer, the last fields are absent.
func (m *Reader) readObject(p *tables.Part, f *dissect.Field) {
	m.tree.Open(f, m.u.Bit())
	m.bad = nil // a fault here is the object's own
	count := p.Size
	if count == tables.AsCountedBytes {
		if count = int(m.msg.Ints[tables.KeepCount]) / 4; count < 0 || count > maxInputInts {
			m.u.Malformed("an object of %d bytes; 0 to %d are possible", m.msg.Ints[tables.KeepCount], 4*maxInputInts)
		}
	}
	for i := 0; i < len(p.Inner) && i < count && !m.u.Failed(); i++ {
		m.bad = p.Inner[i].Field
		m.readValue(&p.Inner[i], p.Inner[i].Field)
	}
	if count > len(p.Inner) && !m.u.Failed() {
		m.bad = &tables.ExtraIntsField
		m.tree.Open(&tables.ExtraIntsField, m.u.Bit())
		for i := len(p.Inner); i < count && !m.u.Failed(); i++ {
			at := m.u.Bit()
			if v := m.u.Int(); !m.u.Failed() {
				m.tree.AddInt(tables.ExtraIntsField.Children[0], int64(v), at, m.u.Bit()-at)
			}
		}
		m.tree.Close(m.u.Bit())
	}
	m.fault()
	m.tree.Close(m.u.Bit())
}

// outOfRange adds an entry for a value of field f that the game does not accept.
func outOfRange(t *dissect.Tree, rec *dissect.Record, p *tables.Part, f *dissect.Field, v int32, at int) {
	if t != nil && rec != nil {
		rec.Expert(dissect.Note, expertOutOfRange, f, at, "%d; the game accepts %d to %d and drops the whole otherwise",
			v, p.Min, p.Max)
	}
}

// FaultCode returns the expert code of a failure.
func FaultCode(err error) string {
	if errors.Is(err, dissect.ErrTruncated) {
		return ExpertTruncated
	}
	return ExpertMalformed
}
