package eventtree

import "math"

// A Pace measures how far and how fast a player went while snapshots showed him.
type Pace struct {
	Distance float64 // in units
	Seen     int64   // ms
	Top      float64 // units a second
}

// Join adds another part of the path.
func (p *Pace) Join(o Pace) {
	p.Distance, p.Seen, p.Top = p.Distance+o.Distance, p.Seen+o.Seen, max(p.Top, o.Top)
}

// Pace adds distance, time and speed, if snapshots showed the player.
func (w *Writer) Pace(p Pace) {
	if p.Seen == 0 {
		return
	}
	float := func(v float64) uint64 { return uint64(math.Float32bits(float32(v))) }
	w.Tree.Add(&Distance, float(p.Distance), 0, 0)
	w.Number(&SeenTime, p.Seen)
	w.Tree.Add(&Speed, float(p.Distance*1000/float64(p.Seen)), 0, 0)
	w.Tree.Add(&TopSpeed, float(p.Top), 0, 0)
}
