package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
)

// A hop is what a made path does between two places.
type hop struct {
	loss, twice    float64
	delay          [2]float64 // the shortest, by client and server as the sender; seconds
	jitter         float64
	offset, drift  float64 // of the clock after the hop against the one before it: seconds, and seconds in a second
	client, server string  // the addresses after the hop; "": as before
}

// A logged datagram is what a made path did with one: the truth.
type logged struct {
	from    int // 0: the client
	payload string
	sent    []float64 // true times at each place, in the order of the places
	frames  []uint64  // there
	copies  []int     // arrivals there
}

// makePath sends queries and answers over hops for ten minutes, and writes the capture of each place, from the client's
// end on. It returns the captures and the log.
func makePath(t *testing.T, seed uint64, hops []hop) (files []string, log []*logged) {
	t.Helper()
	const seconds = 600
	random := rand.New(rand.NewPCG(seed, 28))
	places := len(hops) + 1
	type sighting struct {
		at  float64
		of  *logged
		own bool // counts as the datagram's frame there
	}
	seen := make([][]sighting, places)
	for from := range 2 {
		n := 0
		for at := 1.0; at < seconds-2; at += 0.05 * (0.5 + random.Float64()) {
			n++
			d := &logged{
				from: from, sent: make([]float64, places), frames: make([]uint64, places), copies: make([]int, places),
				payload: fmt.Sprintf("\xff\xff\xff\xffgetinfo c%d", n),
			}
			if from == 1 {
				d.payload = fmt.Sprintf("\xff\xff\xff\xffinfoResponse\n\\challenge\\s%d\\hostname\\made", n)
			}
			log = append(log, d)
			order := make([]int, places) // the places in the order of the path
			for i := range order {
				if order[i] = i; from == 1 {
					order[i] = places - 1 - i
				}
			}
			now := at
			for i, place := range order {
				if i > 0 {
					h := hops[min(place, order[i-1])]
					if random.Float64() < h.loss {
						break
					}
					now += h.delay[from]
					if n%40 != 0 { // now and then there is nothing between them
						now += h.jitter * random.ExpFloat64()
					}
					if i == places-1 && random.Float64() < h.twice {
						d.copies[place]++
						seen[place] = append(seen[place], sighting{now + 0.0007, d, false})
					}
				}
				d.sent[place] = now
				d.copies[place]++
				seen[place] = append(seen[place], sighting{now, d, true})
			}
		}
	}
	client, server := netip.MustParseAddrPort("192.168.1.2:27960"), netip.MustParseAddrPort("198.51.100.9:27960")
	offset, drift := 0.0, 0.0
	for place, list := range seen {
		if place > 0 {
			h := hops[place-1]
			offset, drift = offset+h.offset, drift+h.drift
			if h.client != "" {
				client = netip.MustParseAddrPort(h.client)
			}
			if h.server != "" {
				server = netip.MustParseAddrPort(h.server)
			}
		}
		slices.SortStableFunc(list, func(x, y sighting) int { return cmp.Compare(x.at, y.at) })
		name := filepath.Join(t.TempDir(), fmt.Sprintf("place%d.pcapng", place))
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w := capture.NewWriter(f, "made")
		for i, s := range list {
			p := dissect.Packet{
				Frame: uint64(i + 1), HasTime: true, UDP: true, Src: client, Dst: server, Payload: []byte(s.of.payload),
				Length: len(s.of.payload),
				Time:   1_795_000_000e9 + int64((s.at+offset+drift*(s.at-seconds/2))*1e9),
			}
			if s.of.from == 1 {
				p.Src, p.Dst = server, client
			}
			if s.own {
				s.of.frames[place] = p.Frame
			}
			if err := w.Write(&p, ""); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	return files, log
}

// A comparedLine is a line of compare --json.
type comparedLine struct {
	Compare     string
	Between     []string
	Direction   string
	ClientB     string   `json:"client_b"`
	Offset      float64  `json:"offset_ms"`
	Uncertainty float64  `json:"uncertainty_ms"`
	Drift       float64  `json:"drift_ppm"`
	DriftLow    float64  `json:"drift_low_ppm"`
	DriftHigh   float64  `json:"drift_high_ppm"`
	Sent        int      `json:"sent"`
	Lost        []uint64 `json:"lost_frames"`
	Duplicated  int      `json:"duplicated"`
	Uncaptured  int      `json:"uncaptured"`
	Min         float64  `json:"delay_min_ms"`
	Median      float64  `json:"delay_median_ms"`
	P99         float64  `json:"delay_p99_ms"`
	Max         float64  `json:"delay_max_ms"`
}

// TestComparePairs compares made captures of a path with its log: losses and doubles exactly; clocks, drift and delays
// within the uncertainty that is stated.
func TestComparePairs(t *testing.T) {
	t.Parallel()
	for name, hops := range map[string][]hop{
		"loss": {{loss: 0.04, twice: 0.02, delay: [2]float64{0.02, 0.02}, jitter: 0.005}},
		"NAT": {{
			loss: 0.01, delay: [2]float64{0.012, 0.019}, jitter: 0.003, offset: -2.5, client: "203.0.113.77:61042",
		}},
		"drift": {{loss: 0.02, delay: [2]float64{0.03, 0.03}, jitter: 0.006, offset: 3600.125, drift: 90e-6}},
		"three places": {
			{loss: 0.03, delay: [2]float64{0.004, 0.004}, jitter: 0.001, offset: 1, client: "203.0.113.77:61042"},
			{loss: 0.01, twice: 0.01, delay: [2]float64{0.03, 0.025}, jitter: 0.004, offset: -7, drift: -40e-6},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, log := makePath(t, uint64(len(name)), hops)
			out, _ := runMain(t, append([]string{"compare", "--json"}, files...)...)
			lines := slices.Collect(strings.Lines(string(out)))
			if len(lines) != 3*len(hops) {
				t.Fatalf("%d lines:\n%s", len(lines), out)
			}
			for i, h := range hops {
				var clock comparedLine
				if err := json.Unmarshal([]byte(lines[3*i]), &clock); err != nil {
					t.Fatal(err)
				}
				if clock.Compare != "clock" || (len(hops) > 1) != (len(clock.Between) == 2) {
					t.Errorf("%s", lines[3*i])
				}
				const rounding = 0.002 // ms
				unsure := clock.Uncertainty + rounding
				if math.Abs(clock.Offset-h.offset*1e3) > unsure+1e3*math.Abs(h.drift) {
					t.Errorf("offset %v, want %v ± %v", clock.Offset, h.offset*1e3, unsure)
				}
				if ppm := h.drift * 1e6; ppm < clock.DriftLow-0.01 || ppm > clock.DriftHigh+0.01 {
					t.Errorf("drift %v to %v, want %v", clock.DriftLow, clock.DriftHigh, ppm)
				}
				unsure += 300 * 1e-3 * math.Abs(clock.Drift-h.drift*1e6) // at the ends of ten minutes
				for from := range 2 {
					var path comparedLine
					if err := json.Unmarshal([]byte(lines[3*i+1+from]), &path); err != nil {
						t.Fatal(err)
					}
					comparePath(t, log, i, from, unsure, &path)
				}
			}
		})
	}
}

// comparePath compares one direction over a hop with the log.
func comparePath(t *testing.T, log []*logged, hop, from int, unsure float64, path *comparedLine) {
	t.Helper()
	near, far := hop, hop+1
	if from == 1 {
		near, far = far, near
	}
	var lost []uint64
	var delays []float64
	sent, twice := 0, 0
	for _, d := range log {
		if d.from != from || d.copies[near] == 0 {
			continue
		}
		sent++
		if d.copies[far] == 0 {
			lost = append(lost, d.frames[near])
			continue
		}
		twice += d.copies[far] - 1
		delays = append(delays, (d.sent[far]-d.sent[near])*1e3)
	}
	slices.Sort(lost)
	slices.Sort(delays)
	if diff := gocmp.Diff(lost, path.Lost); diff != "" || path.Sent != sent || path.Duplicated != twice ||
		path.Uncaptured != 0 || len(lost) == 0 {
		t.Errorf("%s: %d sent, %d doubled, %d not captured; want %d, %d, 0; lost -log +found:\n%s", path.Direction,
			path.Sent, path.Duplicated, path.Uncaptured, sent, twice, diff)
	}
	n := len(delays)
	for what, pair := range map[string][2]float64{
		"shortest": {delays[0], path.Min}, "median": {delays[n/2], path.Median}, "99 %": {delays[n*99/100], path.P99},
		"longest": {delays[n-1], path.Max},
	} {
		if math.Abs(pair[1]-pair[0]) > unsure {
			t.Errorf("%s: %s delay %v ms, want %v ± %v", path.Direction, what, pair[1], pair[0], unsure)
		}
	}
}

// TestCompareMerge reads the merged list of a made path: every datagram at each place, in the order in which they truly
// happened as far as the clocks are known, and the lost ones with the reason.
func TestCompareMerge(t *testing.T) {
	t.Parallel()
	files, log := makePath(t, 5, []hop{
		{loss: 0.05, delay: [2]float64{0.01, 0.01}, jitter: 0.002, offset: 100, drift: 30e-6},
		{delay: [2]float64{0.02, 0.02}, jitter: 0.002, offset: -3000},
	})
	out, _ := runMain(t, append([]string{"compare", "--merge"}, files...)...)
	want := map[string]int{}
	reasons := 0
	for _, d := range log {
		for place, n := range d.copies {
			want[string(rune('A'+place))] += n
		}
		if d.copies[1] == 0 || d.copies[0] == 0 {
			reasons++
		}
	}
	got, told := map[string]int{}, 0
	before := -1.0
	for line := range strings.Lines(string(out)) {
		got[line[:1]]++
		var frame int
		var at float64
		if _, err := fmt.Sscan(line[1:], &frame, &at); err != nil || at < before {
			t.Fatalf("%v, after %v: %s", err, before, line)
		}
		before = at
		if strings.Contains(line, "[lost between ") {
			told++
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" || told != reasons {
		t.Errorf("%d lost, want %d; lines (-log +list):\n%s", told, reasons, diff)
	}
	if before > 600 {
		t.Errorf("the list takes %v s: clocks are not brought together", before)
	}
}
