package reassembly

import "bytes"

// An assembly is a message in assembly. Its last piece is the message's end if
// its length is not the fragment size; all others have that length. So the
// pieces never hold more bytes than the largest message.
type assembly struct {
	store
	others         []other // fragments that contradict those in the store
	contradictions int     // that were kept among them
	refused        bool    // it was complete, and not the sender's message
	sequence       uint32
	age            int  // messages that came up since the last fragment
	delivered      bool // the receiver has handed it on
}

// hold keeps a fragment, or sets in r the reason why not. added reports whether it is in the store.
func (a *assembly) hold(f *Fragment, size int, r *Result) (added bool) {
	data := f.Data[:min(len(f.Data), f.Length)]
	if n := len(a.pieces); n > 0 && a.pieces[n-1].length != size && a.pieces[n-1].start < f.Start {
		r.Conflict = true // beyond the end
		a.contradict(f, data)
		return false
	}
	i, at := a.find(f.Start)
	if i < len(a.pieces) && a.pieces[i].start == f.Start {
		p := &a.pieces[i]
		n := min(p.held, len(data))
		r.Duplicate = p.length == f.Length && bytes.Equal(a.data[at:at+n], data[:n])
		if r.Conflict = !r.Duplicate; r.Conflict {
			a.contradict(f, data)
		}
		return false
	}
	if i < len(a.pieces) && f.Length != size {
		r.Conflict = true // an end before what is held
		a.setAside(i, at)
	}
	a.insert(i, at, piece{start: f.Start, length: f.Length, held: len(data), frame: f.Frame}, data)
	return true
}

// complete reports whether the end and all before it is held.
func (a *assembly) complete(size int) bool {
	n := len(a.pieces)
	return a.total(size) >= 0 && a.pieces[n-1].start == (n-1)*size
}

// total returns the length of the message in bytes, -1 while unknown.
func (a *assembly) total(size int) int {
	n := len(a.pieces)
	if n == 0 || a.pieces[n-1].length == size {
		return -1
	}
	return a.pieces[n-1].end()
}

// missing returns the start of the first fragment that is not held.
func (a *assembly) missing(size int) int {
	for i := range a.pieces {
		if a.pieces[i].start != i*size {
			return i * size
		}
	}
	return len(a.pieces) * size
}
