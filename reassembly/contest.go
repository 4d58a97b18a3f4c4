package reassembly

import (
	"bytes"
	"slices"
)

// Anybody can send a fragment in the name of a sender, and before it does. Fragments that contradict those held are
// kept beside them, so that a caller who can recognise a good message finds it among the possible ones.

// Limits of what is kept for a message: fragments that contradict what is held one by one, and those with what was
// held.
const (
	maxContradictions = 4
	maxOthers         = 64 // a message has up to 51
)

// An other is a fragment that contradicts one in the store.
type other struct {
	piece
	data []byte
}

// contradict keeps a fragment that contradicts the store.
func (a *assembly) contradict(f *Fragment, data []byte) {
	if a.contradictions < maxContradictions {
		a.contradictions++
		a.addOther(piece{start: f.Start, length: f.Length, held: len(data), frame: f.Frame}, data)
	}
}

// setAside moves piece i of the store and all after it, whose bytes begin at position at, to the others.
func (a *assembly) setAside(i, at int) {
	from := at
	for _, p := range a.pieces[i:] {
		a.addOther(p, a.data[from:from+p.held])
		from += p.held
	}
	a.cutOff(i, at)
}

func (a *assembly) addOther(p piece, data []byte) {
	same := func(o other) bool { return o.start == p.start && o.length == p.length && bytes.Equal(o.data, data) }
	if len(a.others) < maxOthers && !slices.ContainsFunc(a.others, same) {
		a.others = append(a.others, other{p, slices.Clone(data)})
	}
}

// Another returns the message that the last fragment added completes when other fragments are chosen where some
// contradict each other: for n of 0, 1 and so on those that there are, and then none. It finishes the message as Add
// does.
func (m *Messages) Another(n int) (r Result, ok bool) {
	a := m.done
	if a == nil {
		if a = m.touch(m.last.Sequence); a == nil {
			return r, false
		}
	}
	var path []other
	if path = a.choose(nil, m.config.FragmentSize, m.last.Frame, &n); path == nil {
		return r, false
	}
	r = Result{Message: []byte{}, Contested: true, ReceiverDropped: !a.delivered}
	from := len(m.frames)
	for _, o := range path {
		if !r.Truncated {
			r.Message = append(r.Message, o.data...)
		}
		r.Truncated = r.Truncated || o.held < o.length
		r.Length += o.length
		m.frames = append(m.frames, o.frame)
	}
	r.Frames = m.frames[from:len(m.frames):len(m.frames)]
	slices.Sort(r.Frames)
	if m.done == nil {
		m.close(a)
	}
	return r, true
}

// choose appends to a path of fragments, which begin a message, those that complete it, in the n-th way that has the
// fragment of a frame.
func (a *assembly) choose(path []other, size int, frame uint64, n *int) []other {
	start := len(path) * size
	at := 0
	for _, p := range a.pieces {
		data := a.data[at : at+p.held]
		at += p.held
		if p.start == start {
			if found := a.chosen(append(path, other{p, data}), size, frame, n); found != nil {
				return found
			}
		}
	}
	for _, o := range a.others {
		if o.start == start {
			if found := a.chosen(append(path, o), size, frame, n); found != nil {
				return found
			}
		}
	}
	return nil
}

// chosen is choose for a path with at least one fragment.
func (a *assembly) chosen(path []other, size int, frame uint64, n *int) []other {
	if path[len(path)-1].length == size {
		return a.choose(path, size, frame, n)
	}
	has := slices.ContainsFunc(path, func(o other) bool { return o.frame == frame })
	if !has {
		return nil
	}
	if *n > 0 {
		*n--
		return nil
	}
	return path
}

// Refuse reverts the conclusion of the last call, because its message is not the sender's: the caller could not read
// it. The fragments stay, and others may complete the message.
func (m *Messages) Refuse() {
	m.receiver = m.before
	a := m.done
	if a == nil {
		return
	}
	if m.delivered {
		a.delivered = false
	}
	m.done, a.refused = nil, true
	a.setAside(0, 0)
	m.free = m.free[:len(m.free)-1]
	m.live = append(m.live, a)
	if i := slices.Index(m.finished[:m.finishedLen], a.sequence); i >= 0 {
		m.finished[i] = nobody
	}
}

// nobody is no message's sequence: those have 31 bits.
const nobody = 1 << 31
