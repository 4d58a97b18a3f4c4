package demos

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// findPart finds the part that the message is in, and reports whether the demo of an earlier one ends before it.
func (d *Reader) findPart(rec *dissect.Record) (ends bool) {
	if d.parts == nil {
		d.parts = d.wanted.Parts[max(rec.Stream, 0)]
	}
	for len(d.parts) > 0 && d.parts[0].Last < rec.Frame {
		d.parts, d.within = d.parts[1:], false
	}
	if ends = d.phase == writing && !d.within; ends {
		d.phase = waiting
	}
	d.within = len(d.parts) > 0 && d.parts[0].First <= rec.Frame
	return ends
}

// isAfterWanted reports whether a snapshot is after the wanted part.
func (d *Reader) isAfterWanted(s *world.Snapshot) bool {
	return d.wanted.HasTo && inGame(s) && s.Time() > d.wanted.To
}

// tooEarly returns why a demo cannot begin with the last message yet, or "".
func (d *Reader) tooEarly(snap *world.Snapshot) extract.DemoLeft {
	switch w := &d.wanted; {
	case !w.HasFrom:
		return ""
	case w.Parts != nil && !d.within:
		return extract.DemoOutside
	case snap.Time() < w.From:
		return extract.DemoOutside
	case inGame(snap):
		return ""
	case w.HasTo && snap.Time() > w.To:
		return extract.DemoOutside
	}
	return extract.DemoNotInGame
}

// beginOrEnd decides whether a demo begins with the last message, or ends before it.
func (d *Reader) beginOrEnd(p *extract.Demo, snap *world.Snapshot) {
	if d.isAfterWanted(snap) {
		p.End = p.End || d.phase == writing
		d.phase = past
		p.Left = extract.DemoOutside
		return
	}
	if p.Left = d.tooEarly(snap); p.Left == "" {
		d.begin(p, snap)
	}
}
