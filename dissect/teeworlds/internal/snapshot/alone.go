package snapshot

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// ReadAlone decodes the data of a snapshot, without the message that has its tick and sum, into the open chunk: of a
// complete one, or of a difference to one that is not there.
func (p *Reader) ReadAlone(rec *dissect.Record, t *dissect.Tree, d tables.Dialect, complete bool, data []byte) {
	p.dialect = d
	s := snapshotHead{data: data, parts: 1}
	t.Open(&Field, 0)
	defer t.Close(len(data) << 3)
	delta := &p.delta
	delta.reset(&p.none, d, t != nil)
	delta.read(data, 0)
	if complete {
		if delta.fault == nil {
			delta.apply(&p.history)
			t.AddInt(&crcField, int64(delta.crc), 0, 0)
			p.learnTypes(delta)
		}
		p.showItems(rec, t, &s)
	} else {
		t.AddBool(&baseMissingField, true, 0, 0)
		p.showPartial(rec, t, &s, p.assume(&s, d))
	}
	if delta.fault != nil {
		p.fault(rec, t, &s)
		return
	}
	p.showLeft(rec, t, &s)
}
