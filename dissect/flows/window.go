package flows

// WindowSize is how many numbers a Window records.
const WindowSize = 64

// A Window records which of the last 64 numbers of a sequence have arrived. The zero value has seen none.
type Window struct {
	newest  uint32
	arrived uint64 // bit k: newest-k was seen; 0: none was
}

// Newest returns the highest number so far.
func (w *Window) Newest() uint32 { return w.newest }

// Seen reports whether anything has arrived.
func (w *Window) Seen() bool { return w.arrived != 0 }

// Has reports whether a number of 1 to 32 bits is one of the last 64 and has arrived.
func (w *Window) Has(n uint32, bits int) bool {
	shift := 32 - bits
	behind := int32((w.newest-n)<<shift) >> shift
	return behind >= 0 && behind < WindowSize && w.arrived>>behind&1 != 0
}

// Arrive records a number of 1 to 32 bits, of a sequence that wraps there. It reports whether the number was
// seen before; a number that is 64 or more below the newest counts as new, and is not recorded.
func (w *Window) Arrive(n uint32, bits int) (duplicate bool) {
	if w.arrived == 0 {
		w.newest, w.arrived = n, 1
		return false
	}
	shift := 32 - bits
	switch ahead := int32((n-w.newest)<<shift) >> shift; {
	case ahead >= 64:
		w.newest, w.arrived = n, 1
	case ahead > 0:
		w.newest, w.arrived = n, w.arrived<<ahead|1
	case ahead > -64:
		bit := uint64(1) << -ahead
		duplicate = w.arrived&bit != 0
		w.arrived |= bit
	}
	return duplicate
}
