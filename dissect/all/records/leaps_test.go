package records_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// leapKinds make values of a clock wrong, from one on.
var leapKinds = map[string]func(values []int32, at int, second int32){
	"one, far ahead":      func(v []int32, at int, s int32) { v[at] += 50_000 * s },
	"one, garbage":        func(v []int32, at int, _ int32) { v[at] = -1524740773 }, // of DDNet's issue 7349
	"one, 0":              func(v []int32, at int, _ int32) { v[at] = 0 },
	"one, minutes ahead":  func(v []int32, at int, s int32) { v[at] += 400 * s },
	"one, minutes before": func(v []int32, at int, s int32) { v[at] -= 400 * s },
	"some, garbage": func(v []int32, at int, _ int32) {
		for i := at; i < min(at+3, len(v)); i++ {
			v[i] = 0x12345678 * int32(i%7+1)
		}
	},
	"some, shifted": func(v []int32, at int, s int32) {
		for i := at; i < min(at+3, len(v)); i++ {
			v[i] += 50_000 * s
		}
	},
	"all that follow, shifted": func(v []int32, at int, s int32) {
		for i := at; i < len(v); i++ {
			v[i] += 50_000 * s
		}
	},
}

// TestLeaps makes values of the clock of every recording wrong. These have an entry and no time; the events of the
// others have the times of the recording as it was, and no event has a length that none had.
func TestLeaps(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(root, "samples", "*", "*.[dg][hem]*"))
	if err != nil {
		t.Fatal(err)
	}
	if folder := os.Getenv("Q3DISSECT_LONG"); folder != "" {
		for _, pattern := range []string{
			"demos/*/*.dm*", "captures/*/*.d/*.dem*", "captures/*/*.d/*.dm*", "captures/teehistorian/*/*.gho",
		} {
			more, _ := filepath.Glob(filepath.Join(reference.Folder(t, ""), pattern))
			names = append(names, more...)
		}
	}
	files, done := 0, 0
	for _, name := range names {
		if strings.Contains(name, "truth") || strings.HasSuffix(name, "gz") || strings.Contains(name, "synth") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f timedFile
		switch ext := filepath.Ext(name); {
		case ext == ".demo":
			f = timedDemo(b)
		case ext == ".gho":
			f = timedGhost(b)
		case strings.HasPrefix(ext, ".dm"):
			f = timedQuake(t, b, recordedIn(t, name, b))
		}
		if len(f.values) < 3 {
			continue
		}
		files++
		want := readLeaps(t, name, b)
		if len(want.leaps) > 0 {
			t.Errorf("%s: %d values leap", name, len(want.leaps))
		}
		n := len(f.values)
		for _, v := range f.values {
			want.values = append(want.values, int(v)*1000/int(f.second))
		}
		for _, kind := range slices.Sorted(maps.Keys(leapKinds)) {
			for _, at := range []int{0, n / 3, n - 1} {
				if strings.HasPrefix(kind, "all") && at != n/3 || !strings.HasPrefix(kind, "one") && n < 12 {
					continue
				}
				done++
				values := slices.Clone(f.values)
				leapKinds[kind](values, at, f.second)
				got := readLeaps(t, name, f.write(values))
				ahead := f.second == 50 && (at == n-1 || n < 30) && strings.HasSuffix(kind, "minutes ahead")
				zero := at == 0 && strings.HasSuffix(kind, "0") && f.values[at] < leap.Longest/1000*f.second
				if ahead || zero {
					continue // it may be so
				}
				if faults := want.compare(&got); faults != "" {
					t.Errorf("%s: %s, value %d of %d: %s", filepath.Base(name), kind, at, n, faults)
				}
			}
		}
	}
	if files < 4 {
		t.Errorf("%d recordings", files)
	}
	t.Logf("%d recordings, %d ways", files, done)
}

// A leaping is what a recording gives.
type leaping struct {
	leaps  map[uint64]bool // frames with an entry
	events []string        // without times
	times  map[int]bool
	values []int // of the clock, in ms
	length int   // the longest of an event
}

var (
	eventTimes   = regexp.MustCompile(`"(server_time|start_time|end_time)":(-?\d+),?`)
	eventLengths = regexp.MustCompile(`"(duration|match_time|time|run_time|seen_time|frozen_time)":(-?\d+)`)
)

// recordedIn returns the packets of a recording with a name.
func recordedIn(t *testing.T, name string, b []byte) (packets []dissect.Packet) {
	t.Helper()
	in, err := open.New(bytes.NewReader(b), name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for p, err := range in.Packets() {
		if err != nil {
			break
		}
		own, _ := p.Clone(nil)
		packets = append(packets, own)
	}
	return packets
}

func readLeaps(t *testing.T, name string, b []byte) (l leaping) {
	t.Helper()
	l.leaps, l.times = map[uint64]bool{}, map[int]bool{}
	out, _ := reftest.DissectPackets(t, recordedIn(t, name, b), engine.Config{
		Protocols: all.Protocols(), Workers: 1, Options: dissect.Options{Events: true},
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			for i := range rec.Experts {
				if rec.Experts[i].Code == leap.ExpertTimeUnknown {
					l.leaps[rec.Frame] = true
				}
			}
			return render.AppendEventsJSON(dst, rec, render.JSON{}), nil
		},
	})
	for line := range strings.Lines(string(out)) {
		_, event, _ := strings.Cut(line, `"event"`)
		for _, m := range eventTimes.FindAllStringSubmatch(event, -1) {
			at, _ := strconv.Atoi(m[2])
			l.times[at] = true
		}
		for _, m := range eventLengths.FindAllStringSubmatch(event, -1) {
			n, _ := strconv.Atoi(m[2])
			l.length = max(l.length, n)
		}
		if event, _, _ = strings.Cut(event, `,"client`); !strings.Contains(event, "position") {
			l.events = append(l.events, eventTimes.ReplaceAllString(event, ""))
		}
	}
	return l
}

// compare says what is wrong with a damaged recording.
func (l *leaping) compare(damaged *leaping) string {
	var faults []string
	if len(damaged.leaps) == 0 {
		faults = append(faults, "no entry")
	}
	others, example := 0, 0
	for at := range damaged.times {
		if (at < slices.Min(l.values) || at > slices.Max(l.values)+10_000) && !l.times[at] {
			others, example = others+1, at
		}
	}
	if others > 0 {
		faults = append(faults, fmt.Sprintf("%d other times: %d", others, example))
	}
	if damaged.length > l.length+10_000 {
		faults = append(faults, fmt.Sprintf("a length of %d ms, was %d", damaged.length, l.length))
	}
	// Where times are not known, what is told by them is missing: teleports, the second of two close together.
	if d := len(damaged.events) - len(l.events); d > 0 || -d*10 > len(l.events) {
		faults = append(faults, fmt.Sprintf("%+d of %d events", d, len(l.events)))
	}
	return strings.Join(faults, "; ")
}
