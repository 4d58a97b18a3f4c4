package eventtree

// A Way remembers how far a player went in the time before now: the announcement of a finish has how long a race was,
// and comes when it is over. The zero Way is empty.
type Way struct {
	step  int64 // ms that a part covers
	last  int64 // time of the end of the last move
	parts []wayPart
}

// A wayPart is the path in a piece of time, which begins at a time in milliseconds.
type wayPart struct {
	begin         int64
	seen          int32 // ms
	distance, top float32
}

// Limits of a Way. When it is full, each two parts become one.
const (
	firstWayStep = 100 // ms
	maxWayParts  = 512
)

// Add adds a move that took some time, up to the time end, both in milliseconds.
func (w *Way) Add(end, ms int64, distance float64) {
	if ms <= 0 {
		return
	}
	begin := end - ms
	top := float32(distance * 1000 / float64(ms))
	if w.parts == nil || begin < w.last-firstWayStep { // the clock went back: another map
		w.step, w.parts = firstWayStep, w.parts[:0]
	}
	w.last = end
	if n := len(w.parts); n > 0 && begin < w.parts[n-1].begin+w.step {
		p := &w.parts[n-1]
		p.seen, p.distance, p.top = p.seen+int32(ms), p.distance+float32(distance), max(p.top, top)
		return
	}
	if len(w.parts) == maxWayParts {
		w.fold()
	}
	w.parts = append(w.parts, wayPart{begin, int32(ms), float32(distance), top})
}

// fold joins each two parts.
func (w *Way) fold() {
	w.step *= 2
	kept := w.parts[:0]
	for i := 0; i+1 < len(w.parts); i += 2 {
		p, q := w.parts[i], w.parts[i+1]
		kept = append(kept, wayPart{p.begin, p.seen + q.seen, p.distance + q.distance, max(p.top, q.top)})
	}
	w.parts = kept
}

// Since returns the path since a time; of the part in which it lies, the share after it.
func (w *Way) Since(from int64) (sum Pace) {
	if w == nil {
		return Pace{}
	}
	end := w.last
	for i := len(w.parts) - 1; i >= 0 && end > from; i-- {
		p, share := &w.parts[i], 1.0
		if end = min(end, p.begin+max(w.step, int64(p.seen))); p.begin < from {
			if end <= from {
				break
			}
			share = float64(end-from) / float64(end-p.begin)
		}
		sum.Join(Pace{
			Distance: float64(p.distance) * share, Seen: int64(float64(p.seen)*share + 0.5), Top: float64(p.top),
		})
		end = p.begin
	}
	return sum
}
