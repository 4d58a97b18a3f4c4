package timeline

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// rates count bytes by protocol and direction, in at most maxSteps steps.
type rates struct {
	step   float64
	series map[rateKey]*RateSeries
}

type rateKey struct {
	protocol  string
	direction dissect.Direction
}

const maxSteps = 1500

func (r *rates) add(rec *dissect.Record, c *clock) {
	if !c.known {
		return
	}
	if r.series == nil {
		r.step, r.series = 1, map[rateKey]*RateSeries{}
	}
	for c.now >= r.step*maxSteps {
		r.fold()
	}
	key := rateKey{"unknown", rec.Direction}
	if rec.Protocol != nil {
		key.protocol = rec.Protocol.Name
		if rec.Reading != nil {
			key.protocol = rec.Reading.Reader.Name
		}
	}
	s := r.series[key]
	if s == nil {
		s = &RateSeries{Protocol: key.protocol, Direction: key.direction.String()}
		r.series[key] = s
	}
	at := max(0, int(c.now/r.step))
	for len(s.Bytes) <= at {
		s.Bytes, s.Packets = append(s.Bytes, 0), append(s.Packets, 0)
	}
	s.Bytes[at] += uint64(rec.Length)
	s.Packets[at]++
}

// fold makes steps twice as long.
func (r *rates) fold() {
	r.step *= 2
	half := func(list []uint64) []uint64 {
		for i := range (len(list) + 1) / 2 {
			list[i] = list[2*i]
			if 2*i+1 < len(list) {
				list[i] += list[2*i+1]
			}
		}
		return list[:(len(list)+1)/2]
	}
	for _, s := range r.series {
		s.Bytes, s.Packets = half(s.Bytes), half(s.Packets)
	}
}

func (r *rates) data() Rate {
	d := Rate{Step: r.step, Series: []RateSeries{}}
	for _, s := range r.series {
		d.Series = append(d.Series, *s)
	}
	slices.SortFunc(d.Series, func(a, b RateSeries) int {
		return cmp.Or(cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Direction, b.Direction))
	})
	return d
}
