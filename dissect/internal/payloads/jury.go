package payloads

import "github.com/q3dissect/q3dissect/dissect"

// A Jury has the readers that may be asked about the payloads of a transport's connections.
type Jury struct {
	readers []*dissect.Protocol
	judges  []dissect.PayloadJudge
}

// NewJury asks the readers for judges of a transport's payloads.
func NewJury(transport string, readers []*dissect.Protocol) Jury {
	var j Jury
	for _, r := range readers {
		if judge := r.NewPayloadJudge(transport); judge != nil {
			j.readers, j.judges = append(j.readers, r), append(j.judges, judge)
		}
	}
	return j
}

// Empty reports whether no reader can be asked.
func (j *Jury) Empty() bool { return len(j.judges) == 0 }

// A Case is the decision about the reader of one connection's payloads. The zero Case is open.
type Case struct {
	Decided bool
	Reading *dissect.Reading // the reader; nil: not decided, or none

	hearing *hearing // nil before Open, and once it is decided
}

// A hearing is the readers' evidence about the payloads so far.
type hearing struct {
	trials []dissect.PayloadTrial // by reader
	frame  uint64                 // newest packet that was tried
}

// Open starts the trials, if that has not been done.
func (j *Jury) Open(c *Case) {
	if c.hearing != nil {
		return
	}
	c.hearing = &hearing{}
	for _, judge := range j.judges {
		c.hearing.trials = append(c.hearing.trials, judge.NewTrial())
	}
}

// Hear returns the payloads of a packet, which are in b, to all readers, and reports whether the case is decided.
// A packet that waits is routed again; the second time it is no evidence.
func (j *Jury) Hear(c *Case, p *dissect.Packet, direction dissect.Direction, b []byte, found []dissect.Payload) bool {
	j.Open(c)
	h := c.hearing
	if p.Frame > h.frame {
		h.frame = p.Frame
		for i := range found {
			found[i].Direction = direction
			for _, t := range h.trials {
				t.Try(b, &found[i])
			}
		}
	}
	if reading, done := j.verdict(h.trials); done {
		*c = Case{Decided: true, Reading: reading}
	}
	return c.Decided
}

// verdict returns the first reader that is certain. done and nil mean that no reader is.
func (j *Jury) verdict(trials []dissect.PayloadTrial) (reading *dissect.Reading, done bool) {
	done = true
	for i, t := range trials {
		switch v, hint := t.Verdict(); v {
		case dissect.Mine:
			return &dissect.Reading{Reader: j.readers[i], Hint: hint}, true
		case dissect.Undecided:
			done = false
		}
	}
	return nil, done
}
