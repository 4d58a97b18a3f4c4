package truth_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// BenchmarkTeeworlds decodes the reference capture of a match with one worker, from memory to nowhere.
func BenchmarkTeeworlds(b *testing.B) {
	var all []dissect.Packet
	reftest.Packets(b, teeworldsCapture(b, "tw07-ctf3"), func(p *dissect.Packet) {
		c, _ := p.Clone(nil)
		all = append(all, c)
	})
	for _, way := range reftest.Ways {
		b.Run(way.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e := newTeeworlds(b, reftest.Run{Finish: way.Finish, Output: reftest.Discard})
				for i := range all {
					if err := e.Packet(&all[i]); err != nil {
						b.Fatal(err)
					}
				}
				reftest.Close(b, e)
			}
			b.ReportMetric(float64(len(all)*b.N)/b.Elapsed().Seconds(), "packets/s")
		})
	}
}
