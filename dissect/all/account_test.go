package all_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/mapfiles"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// replayed is how many datagrams of a sample the clients of a flood send and get.
const replayed = 44

// A flood is a sample's first conversation, and its beginning from many other addresses.
type flood struct {
	genuine []dissect.Packet
	clients int
}

// loadFlood returns the flood of a sample, or false if it is not a capture of two endpoints.
func loadFlood(t *testing.T, name string, clients int) (f flood, ok bool) {
	t.Helper()
	in, err := open.File(name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f.clients = clients
	var a, b netip.AddrPort
	for p, err := range in.Packets() {
		if err != nil {
			break // the samples have some that break off
		}
		if !p.UDP || p.Recorder != "" || p.Partial || p.Quote != nil {
			continue
		}
		if len(f.genuine) == 0 {
			a, b = p.Src, p.Dst
		}
		if p.Src == a && p.Dst == b || p.Src == b && p.Dst == a {
			kept := *p
			kept.Payload, kept.Link, kept.Raw = bytes.Clone(p.Payload), nil, nil
			f.genuine = append(f.genuine, kept)
		}
	}
	return f, len(f.genuine) > 8
}

// from returns a datagram as another client sends or gets it.
func (f *flood) from(p *dissect.Packet, client int) dissect.Packet {
	c := *p
	own := netip.AddrFrom4([4]byte{10, byte(client >> 16), byte(client >> 8), byte(client)})
	server := netip.AddrFrom4([4]byte{11, 0, 0, 1})
	if p.Src == f.genuine[0].Src {
		c.Src, c.Dst = netip.AddrPortFrom(own, p.Src.Port()), netip.AddrPortFrom(server, p.Dst.Port())
	} else {
		c.Src, c.Dst = netip.AddrPortFrom(server, p.Src.Port()), netip.AddrPortFrom(own, p.Dst.Port())
	}
	return c
}

// run dissects the genuine datagrams, with the flood between them, and returns what was seen of the genuine ones, and
// how much memory was in use at most.
func (f *flood) run(t *testing.T, cfg engine.Config, clients int, into collector,
) (seen []byte, peak int, stats engine.Stats) {
	t.Helper()
	cfg.Protocols, cfg.Workers = all.Protocols(), 1
	if into != nil {
		cfg.Collected = into
	}
	first := f.genuine[0]
	cfg.Finish = func(_ int, b []byte, rec *dissect.Record) ([]byte, error) {
		if into != nil && !rec.Uncollected {
			into.Add(rec)
		}
		if ends := [2]netip.AddrPort{rec.Src, rec.Dst}; ends != [2]netip.AddrPort{first.Src, first.Dst} &&
			ends != [2]netip.AddrPort{first.Dst, first.Src} {
			return b, nil
		}
		if rec.Uncollected {
			t.Errorf("frame %d of the genuine session has no place in what is collected", rec.Frame)
		}
		b = fmt.Appendf(b, "%d %v %v %v", rec.Frame, rec.MessageDone, rec.Damaged, rec.Tree.Nodes)
		return append(b, '\n'), nil
	}
	cfg.Output = func(b []byte) error { seen = append(seen, b...); return nil }
	e, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	heap := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before, frame, client := heap(), uint64(0), 0
	time := first.Time
	each := (clients + len(f.genuine) - 1) / len(f.genuine)
	for i := range f.genuine {
		p := f.genuine[i]
		p.Frame, p.Time = uint64(i+1), time
		if err := e.Packet(&p); err != nil {
			t.Fatal(err)
		}
		for range min(each, clients-client) {
			client++
			for j := range min(replayed, len(f.genuine)) {
				q := f.from(&f.genuine[j], client)
				frame, time = frame+1, time+1000
				q.Frame, q.Time = 1_000_000+frame, time
				if err := e.Packet(&q); err != nil {
					t.Fatal(err)
				}
			}
			if client%(1+clients/8) == 0 {
				peak = max(peak, heap()-before)
			}
		}
	}
	stats, err = e.Close()
	if err != nil {
		t.Fatal(err)
	}
	return seen, peak, stats
}

// The beginning of every sample from many addresses takes no more memory than is allowed, in the state of conversations
// and of everything that observes them, and changes nothing of the session that goes on.
func TestFloodOfSessions(t *testing.T) {
	names, err := filepath.Glob("../../samples/*/*.pcap")
	if err != nil || len(names) < 40 {
		t.Fatal(names, err)
	}
	sizes, step := []int{1000}, 15 // some samples, where there is little time
	switch os.Getenv("Q3DISSECT_LONG") {
	case "":
	case "whole":
		sizes, step = []int{1000, 10_000, 65_536}, 1
	default:
		step = 4
	}
	limit := 16 << 20
	const besides = 40 << 20 // routers, batches, waiting records
	forgot := 0
	for i := 0; i < len(names); i += step {
		for _, events := range []bool{false, true} {
			cfg := engine.Config{Memory: limit, Options: dissect.Options{Events: events, Inputs: events}}
			for _, clients := range sizes {
				f, ok := loadFlood(t, names[i], clients)
				if !ok {
					continue
				}
				alone, _, _ := f.run(t, cfg, 0, nil)
				seen, peak, stats := f.run(t, cfg, clients, nil)
				if stats.Forgotten > 0 {
					forgot++
				}
				t.Logf("%-55s events %-5v %6d addresses: %3d MB, %d forgotten", names[i], events, clients, peak>>20,
					stats.Forgotten)
				if peak > limit+besides {
					t.Errorf("%s, events %v, %d addresses: %d MB in use, %d are allowed", names[i], events, clients,
						peak>>20, (limit+besides)>>20)
				}
				if !bytes.Equal(alone, seen) {
					t.Errorf("%s, events %v, %d addresses: the genuine session is read otherwise", names[i], events, clients)
				}
			}
		}
	}
	if forgot == 0 {
		t.Error("no flood reached the limit")
	}
}

// A collector keeps something of records.
type collector interface{ Add(rec *dissect.Record) }

// collectors are all that collect from records: every statistic, what the catalogue and the report keep, and events
// that are merged.
func collectors(t *testing.T) map[string]func() collector {
	list := map[string]func() collector{
		"catalogue": func() collector {
			c := catalogue.New()
			c.Prove()
			return c
		},
		"pictures": func() collector { return timeline.New(timeline.Options{}) },
		"maps":     func() collector { return new(mapfiles.Maps) },
		"merge": func() collector {
			m := merge.NewMerge()
			m.Render = func(*dissect.Record, int) ([]byte, int) { return nil, 0 }
			m.Show = func(dst []byte, _ *merge.Happening) []byte { return dst }
			return merged{m}
		},
	}
	for _, kind := range view.Kinds() {
		list["-z "+kind.Name] = func() collector {
			var args []string
			if kind.Name == "io" {
				args = []string{"1"}
			}
			s, err := kind.New(args, &view.Env{})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	return list
}

type merged struct{ *merge.Merge }

func (m merged) Add(rec *dissect.Record) { m.Merge.Add(nil, rec) }

// What is collected from the records of a flood is bounded with the streams, and the genuine session keeps its place in
// it.
func TestFloodOfResults(t *testing.T) {
	names := []string{"../../samples/quake3/68-connect-play.pcap"}
	chosen, sizes := []string{"catalogue"}, []int{1500}
	if os.Getenv("Q3DISSECT_LONG") == "whole" {
		chosen, sizes = nil, []int{1000, 10_000, 65_536}
		names = append(names, "../../samples/quake3/jka-26-vehicle.pcap", "../../samples/teeworlds/ddnet-join.pcap",
			"../../samples/gamestudio/enet-godot3.pcap")
	}
	const limit, besides = 6 << 20, 60 << 20
	left := uint64(0)
	for _, name := range names {
		for of, begin := range collectors(t) {
			if chosen != nil && !slices.Contains(chosen, of) {
				continue
			}
			for _, clients := range sizes {
				f, ok := loadFlood(t, name, clients)
				if !ok {
					t.Fatal(name)
				}
				o := dissect.Options{Events: true, Inputs: true, Files: true}
				cfg := engine.Config{Memory: limit, Options: o}
				_, peak, stats := f.run(t, cfg, clients, begin())
				left += stats.Uncollected
				t.Logf("%-45s %-14s %6d addresses: %3d MB, %d datagrams are left out", name, of, clients, peak>>20,
					stats.Uncollected)
				if peak > limit+besides {
					t.Errorf("%s, %s, %d addresses: %d MB in use, %d are allowed", name, of, clients, peak>>20,
						(limit+besides)>>20)
				}
			}
		}
	}
	if left == 0 {
		t.Error("nothing was left out of any result")
	}
}

// A hoard keeps a text for each record.
type hoard struct{ texts [][]byte }

// What has no place in what is collected depends on the input alone, wherever it is collected.
func TestUncollectedByWorkers(t *testing.T) {
	f, ok := loadFlood(t, "../../samples/quake3/68-connect-play.pcap", 400)
	if !ok {
		t.Fatal("no flood")
	}
	var want []byte
	for _, workers := range []int{1, 0, 3} {
		var h hoard
		var frames []byte
		e, err := engine.New(engine.Config{
			Protocols: all.Protocols(), Workers: workers, Memory: 16 << 20, Collected: &h, Quotes: true,
			FinishTo: func(out *engine.Out, rec *dissect.Record) error { out.Keep(rec); return nil },
			InOrder: func(dst []byte, k *engine.Kept) ([]byte, error) {
				if k.Uncollected {
					if k.Quote != nil {
						t.Errorf("%d workers: %d is left out, and is of no stream", workers, k.Frame)
					}
					frames = fmt.Appendf(frames, "%d ", k.Frame)
					return dst, nil
				}
				h.texts = append(h.texts, make([]byte, 1500))
				return dst, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.clients {
			for j := range replayed {
				p := f.from(&f.genuine[j], i)
				p.Frame = uint64(i*replayed + j + 1)
				if err := e.Packet(&p); err != nil {
					t.Fatal(err)
				}
			}
			p := f.from(&f.genuine[0], i) // an ICMP error quotes it
			p.Quote = &dissect.Quote{Src: p.Src, Dst: p.Dst, Payload: p.Payload, Length: p.Length}
			p.Frame, p.UDP, p.Payload = uint64((i+1)*replayed), false, nil
			if err := e.Packet(&p); err != nil {
				t.Fatal(err)
			}
		}
		stats, err := e.Close()
		if err != nil || stats.Uncollected == 0 || stats.Quoted == 0 {
			t.Fatal(stats, err)
		}
		if want == nil {
			want = frames
		}
		if !bytes.Equal(frames, want) {
			t.Errorf("with %d workers other records are left out", workers)
		}
	}
}
