package reassembly

// A receiver is what Netchan_Process in code/qcommon/net_chan.c remembers of one
// direction. It decides only on order: whole and last fragments move last, and a
// fragment that does not start where the previous one ended is ignored.
type receiver struct {
	last     uint32 // highest sequence handed on; a new channel expects 1
	sequence uint32 // of the message in assembly
	length   int    // bytes of it, a multiple of the fragment size
}

// fragment takes a fragment and reports whether it completes a message. sound
// states that its lengths are possible; a fragment which is not still makes the
// receiver give up the message before it.
func (v *receiver) fragment(f *Fragment, size int, sound bool) bool {
	if f.Sequence <= v.last {
		return false
	}
	if f.Sequence != v.sequence {
		v.sequence, v.length = f.Sequence, 0
	}
	if f.Start != v.length || !sound {
		return false
	}
	if f.Length == size {
		v.length += size
		return false
	}
	v.last = f.Sequence
	return true
}

// unfragmented takes a message that is not fragmented. One in assembly stays.
func (v *receiver) unfragmented(sequence uint32) {
	v.last = max(v.last, sequence)
}
