package main

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
)

func TestParseFrames(t *testing.T) {
	const end = math.MaxUint64
	for _, c := range []struct {
		text string
		want frameSet // nil: refused
	}{
		{"7", frameSet{{7, 7}}},
		{"100-200,1042", frameSet{{100, 200}, {1042, 1042}}},
		{"1042, 100-200", frameSet{{100, 200}, {1042, 1042}}},
		{"5-9,7-12,12", frameSet{{5, 12}}},
		{"1-9,3-4", frameSet{{1, 9}}},
		{"5-", frameSet{{5, end}}},
		{"-5", frameSet{{1, 5}}},
		{"5-,1-2", frameSet{{1, 2}, {5, end}}},
		{"18446744073709551615", frameSet{{end, end}}},
		{"18446744073709551616", nil},
		{"", nil},
		{"-", nil},
		{",", nil},
		{"1,", nil},
		{"0", nil},
		{"0-3", nil},
		{"7-3", nil},
		{"1-2-3", nil},
		{"+1", nil},
		{"0x10", nil},
		{"frames", nil},
	} {
		got, err := parseFrames(c.text)
		if (err != nil) != (c.want == nil) {
			t.Errorf("%q: error %v", c.text, err)
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(frameSpan{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

// A set contains what any of its ranges contains, in whatever order and however they overlap.
func TestFrameSetContains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint64Range(1, 40)
		spans := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) frameSpan {
			first := number.Draw(t, "first")
			return frameSpan{first, first + rapid.Uint64Range(0, 10).Draw(t, "more")}
		}), 1, 8).Draw(t, "spans")
		var parts []string
		var last uint64
		for _, s := range spans {
			parts = append(parts, strconv.FormatUint(s.first, 10)+"-"+strconv.FormatUint(s.last, 10))
			last = max(last, s.last)
		}
		set, err := parseFrames(strings.Join(parts, ","))
		if err != nil {
			t.Fatal(err)
		}
		if set.last() != last {
			t.Fatalf("last is %d, want %d", set.last(), last)
		}
		for frame := range uint64(60) {
			want := false
			for _, s := range spans {
				want = want || frame >= s.first && frame <= s.last
			}
			if got := set.contains(frame); got != want {
				t.Fatalf("%v contains %d: %v", set, frame, got)
			}
		}
	})
}

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
			datagram(1, time.Second), datagram(2, 2*time.Second), datagram(3, 3*time.Second), datagram(4, 3*time.Second+1), datagram(5, 4*time.Second),
		}, 4},
		{"the newest time counts", stop{packets: 9, frame: 2}, []*dissect.Packet{
			datagram(1, 5*time.Second), datagram(2, 0), datagram(3, 4*time.Second), datagram(4, 8*time.Second), datagram(5, 9*time.Second),
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
