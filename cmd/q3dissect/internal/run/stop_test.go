package run

import (
	"math"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

func TestStop(t *testing.T) {
	datagram := func(frame uint64, at time.Duration) *dissect.Packet {
		return &dissect.Packet{Frame: frame, UDP: true, HasTime: true, Time: int64(at)}
	}
	for _, c := range []struct {
		name    string
		stop    stop
		packets []*dissect.Packet
		want    int // packets read
	}{
		{"by count", stop{packets: 2, frame: math.MaxUint64}, []*dissect.Packet{datagram(1, 0), datagram(2, 0), datagram(3, 0)}, 2},
		{"nothing can change", stop{packets: 9, frame: 1}, []*dissect.Packet{
			datagram(1, time.Second), datagram(2, 2*time.Second), datagram(3, 3*time.Second), datagram(4, 3*time.Second+1),
			datagram(5, 4*time.Second),
		}, 4},
		{"the newest time counts", stop{packets: 9, frame: 2}, []*dissect.Packet{
			datagram(1, 5*time.Second), datagram(2, 0), datagram(3, 4*time.Second), datagram(4, 8*time.Second),
			datagram(5, 9*time.Second),
		}, 4},
		{"times of other packets do not", stop{packets: 9, frame: 1}, []*dissect.Packet{
			datagram(1, 0), {Frame: 2, HasTime: true, Time: int64(time.Hour)}, {Frame: 3, UDP: true}, datagram(4, time.Second),
		}, 4},
		{"without times to the end", stop{packets: 9, frame: 1}, []*dissect.Packet{{Frame: 1, UDP: true}, {Frame: 2, UDP: true}}, 2},
		{"times at both ends", stop{packets: 9, frame: 1}, []*dissect.Packet{
			datagram(1, math.MinInt64), datagram(2, math.MaxInt64), datagram(3, 0),
		}, 2},
	} {
		read := 0
		for _, p := range c.packets {
			read++
			if c.stop.after(p) {
				break
			}
		}
		if read != c.want {
			t.Errorf("%s: %d packets read, want %d", c.name, read, c.want)
		}
	}
}
