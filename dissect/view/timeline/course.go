package timeline

import (
	"math"
	"time"
)

// courses returns the courses of the lagometer.
func (c *Collector) courses() []Course {
	list := []Course{}
	for _, v := range c.lagometer.Courses() {
		if len(v.Pieces) == 0 {
			continue
		}
		d := Course{
			Stream: v.Stream, Session: v.Session, Direction: v.Direction.String(), Unnumbered: v.Unnumbered,
			Step: time.Duration(v.Step).Seconds(),
		}
		for _, p := range v.Pieces {
			d.Times, d.Frames = append(d.Times, float64(p.Number)*d.Step), append(d.Frames, c.frame(p.Frame))
			d.Messages, d.Lost, d.Behind = append(d.Messages, p.Messages), append(d.Lost, p.Lost), append(d.Behind, p.Behind)
			d.Resent = append(d.Resent, p.Resent)
			d.Interval, d.IntervalMax = append(d.Interval, known(p.Interval)), append(d.IntervalMax, known(p.IntervalMax))
			d.BaseAge, d.RoundTrip = append(d.BaseAge, known(p.BaseAge)), append(d.RoundTrip, known(p.RoundTrip))
		}
		list = append(list, d)
	}
	c.describe(list)
	return list
}

// known is a number with three decimals; nil for one that is not known.
func known(f float64) *float64 {
	if math.IsNaN(f) {
		return nil
	}
	f = thousandths(f)
	return &f
}

// frame is the number of a record as it is shown: messages of recordings are counted from 0.
func (c *Collector) frame(number uint64) uint64 {
	if c.clock.capture || number == 0 {
		return number
	}
	return number - 1
}
