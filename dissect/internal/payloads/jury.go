package payloads

import "github.com/q3dissect/q3dissect/dissect"

// A Jury knows the readers that may be asked about the payloads of a transport's connections.
type Jury struct {
	readers []dissect.PayloadReader
	judges  []dissect.PayloadJudge
}

// NewJury asks the readers who takes payloads of a transport without being told.
func NewJury(transport string, readers []dissect.PayloadReader) Jury {
	var j Jury
	for _, r := range readers {
		if judge := r.NewPayloadJudge(transport); judge != nil {
			j.readers, j.judges = append(j.readers, r), append(j.judges, judge)
		}
	}
	return j
}

// Empty reports whether there is nobody to ask.
func (j *Jury) Empty() bool { return len(j.judges) == 0 }

// A Hearing is about the payloads of one connection.
type Hearing struct {
	trials []dissect.PayloadTrial // by reader
	frame  uint64                 // newest packet that was tried
}

// Begin begins a hearing.
func (j *Jury) Begin() *Hearing {
	h := &Hearing{}
	for _, judge := range j.judges {
		h.trials = append(h.trials, judge.NewTrial())
	}
	return h
}

// News reports whether a packet comes up for the first time. One that waits is asked about again, and proves
// nothing then.
func (h *Hearing) News(frame uint64) bool {
	news := frame > h.frame
	h.frame = max(h.frame, frame)
	return news
}

// Try shows all readers a payload.
func (h *Hearing) Try(b []byte, p *dissect.Payload) {
	for _, t := range h.trials {
		t.Try(b, p)
	}
}

// Verdict says who reads the payloads: the first reader that is sure. done and nil mean that nobody does.
func (j *Jury) Verdict(h *Hearing) (reading *dissect.Reading, done bool) {
	done = true
	for i, t := range h.trials {
		switch v, hint := t.Verdict(); v {
		case dissect.Mine:
			return &dissect.Reading{Reader: j.readers[i], Hint: hint}, true
		case dissect.Undecided:
			done = false
		}
	}
	return nil, done
}
