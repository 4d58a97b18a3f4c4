package records_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// stampBits are the bits of a record's header in a pcap file that are flipped: of the seconds, and of the microseconds.
var stampBits = []struct {
	nanoseconds int64 // of one unit
	bit         int
}{{1e9, 31}, {1e9, 24}, {1e9, 13}, {1e9, 7}, {1e9, 4}, {1e9, 1}, {1000, 19}, {1000, 16}}

// TestWrongStamp flips a bit of one packet's time stamp, which moves it into the future or the past by up to 68 years.
// No other record may differ. It does so at some packets of every sample, in make whole at every packet.
func TestWrongStamp(t *testing.T) {
	t.Parallel()
	step := 97
	if os.Getenv("Q3DISSECT_LONG") == "whole" {
		step = 1
	}
	wrongStamps(t, filepath.Join(root, "samples", "*", "*.pcap"), step)
}

// TestWrongStampOfRecordings does so at a packet of every reference recording.
func TestWrongStampOfRecordings(t *testing.T) {
	if os.Getenv("Q3DISSECT_LONG") != "whole" {
		t.Skip("takes minutes")
	}
	wrongStamps(t, filepath.Join(reference.Folder(t, "captures"), "*", "*.pcap"), 2503)
}

// wrongStamps makes stamps of every step-th packet wrong, one at a time.
func wrongStamps(t *testing.T, pattern string, step int) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) < 10 {
		t.Fatalf("%d captures: %v", len(names), err)
	}
	lies, records := 0, 0
	for _, name := range names {
		packets := reftest.PacketsIn(t, name)
		want := reftest.RecordsByFrame(t, packets)
		records += len(want)
		for i := lies % min(step, len(packets)); i < len(packets); i += step {
			at := packets[i].Time
			if pauses(packets[max(0, i-4):min(i+2, len(packets))]) {
				continue // a wrong stamp after a pause makes its end be noticed a packet later
			}
			for n, b := range stampBits {
				if !packets[i].HasTime || step > 1 && (n+i)%3 != 0 {
					continue
				}
				lies++
				seconds, micros := at/1e9, at%1e9/1000
				if b.nanoseconds == 1000 {
					micros ^= 1 << b.bit
				} else {
					seconds ^= 1 << b.bit
				}
				packets[i].Time = seconds*1e9 + micros*1000 + at%1000
				if others := differ(want, reftest.RecordsByFrame(t, packets), packets[i].Frame); len(others) > 0 {
					t.Errorf("%s: bit %d of the time of packet %d (%d ns) changes %d other records:\n%s",
						name, b.bit, packets[i].Frame, packets[i].Time-at, len(others), strings.Join(others[:min(3, len(others))], "\n"))
				}
			}
			packets[i].Time = at
		}
	}
	t.Logf("%d wrong stamps in %d captures of %d records", lies, len(names), records)
}

// pauses reports whether there are ten seconds between two packets.
func pauses(packets []dissect.Packet) bool {
	for i := 1; i < len(packets); i++ {
		if step := packets[i].Time - packets[i-1].Time; max(step, -step) > 10e9 {
			return true
		}
	}
	return false
}

// differ lists the frames whose records differ, but for one.
func differ(want, got map[string]string, but uint64) (frames []string) {
	for frame, line := range want {
		if got[frame] != line && frame != fmt.Sprintf(`{"frame":%d`, but) {
			frames = append(frames, fmt.Sprintf("%s: %.200s", frame, got[frame]))
		}
	}
	slices.Sort(frames)
	return frames
}
