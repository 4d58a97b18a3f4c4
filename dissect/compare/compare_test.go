package compare_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/compare"
)

// A link is a path with known properties, between a client's clock and a server's.
type link struct {
	offset, drift float64 // of the server's clock: seconds, and seconds in a second
	shortest      [2]float64
	jitter        float64
	loss, doubled float64
	nat           bool
}

// made are two captures of a link, with what it did in each direction.
type made struct {
	a, b  *compare.Place
	lost  [2][]uint64
	delay [2][]float64
	twice [2]int
}

const begin = 1_795_000_000

// run sends datagrams over the link for as many seconds.
func (l *link) run(t *testing.T, seed uint64, seconds int) *made {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	m := &made{a: compare.NewPlace("client.pcap"), b: compare.NewPlace("server.pcap")}
	type seen struct {
		at      float64
		payload []byte
		from    int
		sent    int // its number among those of the sender, from 1; 0: an arrival
	}
	var atClient, atServer []seen
	for from, every := range []float64{0.02, 0.05} {
		near, far := &atClient, &atServer
		if from == 1 {
			near, far = far, near
		}
		n := 0
		for at := 0.5; at < float64(seconds)-0.5; at += every * (0.8 + 0.4*random.Float64()) {
			n++
			payload := []byte{byte(from), byte(n), byte(n >> 8), byte(n >> 16)}
			*near = append(*near, seen{at, payload, from, n})
			if random.Float64() < l.loss && at < float64(seconds)-1.5 { // who knows whether the last ones would have arrived
				continue
			}
			delay := l.shortest[from] + l.jitter*random.ExpFloat64()
			if n%50 == 0 {
				delay = l.shortest[from] // now and then there is nothing between them
			}
			m.delay[from] = append(m.delay[from], delay)
			*far = append(*far, seen{at: at + delay, payload: payload, from: from})
			if random.Float64() < l.doubled {
				m.twice[from]++
				*far = append(*far, seen{at: at + delay + 0.0004, payload: payload, from: from})
			}
		}
	}
	arrived := map[string]bool{}
	for _, list := range [][]seen{atClient, atServer} {
		for _, s := range list {
			if s.sent == 0 {
				arrived[string(s.payload)] = true
			}
		}
	}
	fill := func(p *compare.Place, list []seen, clock func(float64) float64, client string) {
		slices.SortStableFunc(list, func(x, y seen) int { return int(math.Copysign(1, x.at-y.at)) })
		rec := dissect.NewRecord()
		for i, s := range list {
			rec.Reset()
			rec.Frame, rec.HasTime = uint64(i+1), true
			rec.Time = begin*1e9 + int64(clock(s.at)*1e9)
			rec.Payload, rec.Length, rec.UDP = s.payload, len(s.payload), true
			rec.Protocol, rec.Stream = all.Protocols()[0], 0
			rec.Src, rec.Dst, rec.Direction = netip.MustParseAddrPort(client), netip.MustParseAddrPort("10.0.0.2:27960"),
				dissect.ClientToServer
			if s.from == 1 {
				rec.Src, rec.Dst, rec.Direction = rec.Dst, rec.Src, dissect.ServerToClient
			}
			if s.sent > 0 && !arrived[string(s.payload)] {
				m.lost[s.from] = append(m.lost[s.from], rec.Frame)
			}
			if err := p.Add(rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	outside := "10.0.0.1:27960"
	if l.nat {
		outside = "192.0.2.7:61234"
	}
	fill(m.a, atClient, func(at float64) float64 { return at }, "10.0.0.1:27960")
	fill(m.b, atServer, func(at float64) float64 { return at + l.offset + l.drift*(at-float64(seconds)/2) }, outside)
	return m
}

// TestLinks compares what is found with what made links did: exact losses, clocks and delays within the uncertainty.
func TestLinks(t *testing.T) {
	for name, l := range map[string]link{
		"loss":     {shortest: [2]float64{0.02, 0.02}, jitter: 0.004, loss: 0.05, doubled: 0.03},
		"NAT":      {shortest: [2]float64{0.011, 0.02}, jitter: 0.002, loss: 0.01, nat: true, offset: -3},
		"drift":    {shortest: [2]float64{0.03, 0.03}, jitter: 0.005, loss: 0.02, offset: 7200.25, drift: 80e-6},
		"backward": {shortest: [2]float64{0.004, 0.009}, jitter: 0.05, offset: -0.4, drift: -150e-6, doubled: 0.1},
		"quiet":    {shortest: [2]float64{0.0001, 0.0001}},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(5) {
				m := l.run(t, seed, 120)
				r := compare.Compare(m.a, m.b)
				if len(r.Pairs) != 1 || !r.Pairs[0].AtClient || !r.Pairs[0].Placed || !r.Clock.Known || r.Clock.Stepped {
					t.Fatalf("seed %d: %+v", seed, r)
				}
				c := r.Clock
				uncertainty := float64(c.Uncertainty)/1e9 + 1e-6
				middle := float64(c.Middle-begin*1e9) / 1e9
				if want := l.offset + l.drift*(middle-60); math.Abs(float64(c.Offset)/1e9-want) > uncertainty {
					t.Errorf("seed %d: offset %d, want %v ± %v", seed, c.Offset, want, uncertainty)
				}
				if l.drift < c.DriftLow-1e-9 || l.drift > c.DriftHigh+1e-9 {
					t.Errorf("seed %d: drift %v between %v and %v, want %v", seed, c.Drift, c.DriftLow, c.DriftHigh, l.drift)
				}
				if math.Abs(c.Drift-l.drift) > 20e-6 {
					t.Errorf("seed %d: drift %v, want %v", seed, c.Drift, l.drift)
				}
				for from, p := range r.Pairs[0].Paths {
					if diff := cmp.Diff(m.lost[from], p.LostFrames); diff != "" || p.Duplicated != m.twice[from] || p.Uncaptured != 0 {
						t.Errorf("seed %d: %+v\n-link +found:\n%s", seed, p, diff)
					}
					delays := slices.Sorted(slices.Values(m.delay[from]))
					for what, pair := range map[string][2]float64{
						"shortest": {delays[0], float64(p.Delay.Min) / 1e9},
						"median":   {delays[len(delays)/2], float64(p.Delay.Median) / 1e9},
						"longest":  {delays[len(delays)-1], float64(p.Delay.Max) / 1e9},
					} {
						// A wrong drift adds to the offset's error with the distance from the middle.
						if got, want := pair[1], pair[0]; math.Abs(got-want) > uncertainty+60*math.Abs(c.Drift-l.drift) {
							t.Errorf("seed %d: %s delay %v, want %v ± %v", seed, what, got, want, uncertainty)
						}
					}
				}
			}
		})
	}
}

// TestSwapped compares the same captures in the other order: the same is lost, from the same end.
func TestSwapped(t *testing.T) {
	l := link{shortest: [2]float64{0.02, 0.02}, jitter: 0.004, loss: 0.05}
	m := l.run(t, 9, 30)
	r := compare.Compare(m.b, m.a)
	if r.Pairs[0].AtClient {
		t.Error("A is taken for the client's end")
	}
	for from, p := range r.Pairs[0].Paths {
		if diff := cmp.Diff(m.lost[from], p.LostFrames); diff != "" || p.FromA != (from == 1) {
			t.Errorf("from A %v, -link +found:\n%s", p.FromA, diff)
		}
	}
}

// TestNothingInCommon compares captures of different sessions, and empty ones.
func TestNothingInCommon(t *testing.T) {
	l := link{shortest: [2]float64{0.02, 0.02}, nat: true}
	m := l.run(t, 1, 10)
	empty := compare.NewPlace("empty.pcap")
	r := compare.Compare(m.a, empty)
	if len(r.Pairs) != 0 || len(r.OnlyA) != 1 || len(r.OnlyB) != 0 || r.OnlyA[0].Datagrams == 0 {
		t.Errorf("%+v", r)
	}
	if r := compare.Compare(empty, empty); len(r.Pairs)+len(r.OnlyA)+len(r.OnlyB) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestSentences holds the words of the issue that the verb was made for.
func TestSentences(t *testing.T) {
	at := func(second int64) int64 { return (1_795_000_000 + second) * 1e9 } // 11:06:40 UTC
	p := compare.Path{
		Direction: dissect.ServerToClient, Sent: 9204, Arrived: 9192, Lost: 12, First: at(0), Last: at(600),
		Bursts: []compare.Burst{
			{Time: at(83), Until: at(84), Frames: make([]uint64, 9)},
			{Time: at(89), Until: at(89), Frames: make([]uint64, 3)},
		},
	}
	got := strings.Join(p.Sentences(), " ")
	want := "12 of 9,204 datagrams from server to client were lost between B and A (0.1 %), " +
		"all between 11:08:03Z and 11:08:09Z, at most 9 in a row. The server sent steadily."
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestJSON reads the lines as a program would.
func TestJSON(t *testing.T) {
	l := link{shortest: [2]float64{0.02, 0.02}, loss: 0.05}
	m := l.run(t, 3, 10)
	kinds := map[string]int{}
	for line := range strings.Lines(string(compare.Compare(m.a, m.b).AppendJSON(nil, true))) {
		var v struct {
			Compare string
			Sent    int
			Lost    []uint64 `json:"lost_frames"`
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		kinds[v.Compare]++
		kinds[v.Compare+" sent"] += v.Sent
	}
	if kinds["clock"] != 1 || kinds["path"] != 2 || kinds["second"] < 18 || kinds["path sent"] == 0 ||
		kinds["path sent"] != kinds["second sent"] {
		t.Error(kinds)
	}
}
