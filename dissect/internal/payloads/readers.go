package payloads

import "github.com/q3dissect/q3dissect/dissect"

// Readers are the readers that may read the payloads of a transport's connections.
type Readers struct {
	list      []*dissect.Protocol
	detectors []func() dissect.PayloadDetector // by reader
}

// NewReaders returns those of some readers that detect payloads of a transport.
func NewReaders(transport string, readers []*dissect.Protocol) Readers {
	var r Readers
	for _, p := range readers {
		if p.PayloadDetectors == nil {
			continue
		}
		if detector := p.PayloadDetectors(transport); detector != nil {
			r.list, r.detectors = append(r.list, p), append(r.detectors, detector)
		}
	}
	return r
}

// Empty reports whether there is no such reader.
func (r *Readers) Empty() bool { return len(r.list) == 0 }

// A Detection is the decision about the reader of one connection's payloads. The zero Detection is open.
type Detection struct {
	Decided bool
	Reading *dissect.Reading // the reader; nil: not decided, or none

	evidence *evidence // nil before Open, and once it is decided
}

// evidence is what was found in the payloads so far.
type evidence struct {
	detectors []dissect.PayloadDetector // by reader
	frame     uint64                    // newest packet that was examined
}

// Open makes the detectors, if that has not been done.
func (r *Readers) Open(d *Detection) {
	if d.evidence != nil {
		return
	}
	d.evidence = &evidence{}
	for _, newDetector := range r.detectors {
		d.evidence.detectors = append(d.evidence.detectors, newDetector())
	}
}

// Examine passes the payloads of a packet, which are in b, to all detectors, and reports whether the reader is decided:
// the first that is certain, or none if all are. A packet that waits is routed again; the second time it is no
// evidence.
func (r *Readers) Examine(d *Detection, p *dissect.Packet, direction dissect.Direction, b []byte,
	found []dissect.Payload,
) bool {
	r.Open(d)
	e := d.evidence
	if p.Frame > e.frame {
		e.frame = p.Frame
		for i := range found {
			found[i].Direction = direction
		}
	} else {
		found = nil
	}
	none := true
	var reading *dissect.Reading
	for i, detector := range e.detectors {
		switch decision, hint := detector.Examine(b, found); {
		case reading != nil:
		case decision == dissect.Mine:
			reading = &dissect.Reading{Reader: r.list[i], Hint: hint}
		case decision == dissect.Undecided:
			none = false
		}
	}
	if reading != nil || none {
		*d = Detection{Decided: true, Reading: reading}
	}
	return d.Decided
}
