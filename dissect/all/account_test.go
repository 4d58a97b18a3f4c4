package all_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
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
func (f *flood) run(t *testing.T, cfg engine.Config, clients int) (seen []byte, peak int, stats engine.Stats) {
	t.Helper()
	cfg.Protocols, cfg.Workers = all.Protocols(), 1
	first := f.genuine[0]
	cfg.Finish = func(_ int, b []byte, rec *dissect.Record) ([]byte, error) {
		if ends := [2]netip.AddrPort{rec.Src, rec.Dst}; ends != [2]netip.AddrPort{first.Src, first.Dst} &&
			ends != [2]netip.AddrPort{first.Dst, first.Src} {
			return b, nil
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
	sizes, step := []int{1000}, 6 // each sixth sample, where there is little time
	if os.Getenv("Q3DISSECT_LONG") != "" {
		sizes, step = []int{1000, 10_000, 65_536}, 1
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
				alone, _, _ := f.run(t, cfg, 0)
				seen, peak, stats := f.run(t, cfg, clients)
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
