package modeltest

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A live is an engine whose output can be looked at while it runs. In a bubble of synctest: Close leaves
// no goroutine, or the test fails.
type live struct {
	*testing.T
	*engine.Engine
	out     strings.Builder
	flushed int // bytes that were written when Flush was called
}

func runLive(t *testing.T, cfg engine.Config, do func(*live)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := &live{T: t}
		cfg.Output = func(b []byte) error {
			l.out.Write(b)
			return nil
		}
		cfg.Flush = func() error {
			if l.flushed == l.out.Len() {
				t.Error("Flush, although nothing was written")
			}
			l.flushed = l.out.Len()
			return nil
		}
		var err error
		if l.Engine, err = engine.New(cfg); err != nil {
			t.Fatal(err)
		}
		do(l)
		if _, err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func (l *live) feed(ins ...input) {
	l.Helper()
	for i := range ins {
		if err := l.Packet(&ins[i].Packet); err != nil {
			l.Fatal(err)
		}
	}
}

// shows checks which records are written and flushed when all goroutines have come to rest.
func (l *live) shows(what string, want ...string) {
	l.Helper()
	synctest.Wait()
	var got []string
	for line := range strings.Lines(l.out.String()) {
		frame, _, _ := strings.Cut(line, " ")
		got = append(got, frame)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		l.Errorf("%s (-want +got):\n%s", what, diff)
	}
	if l.flushed != l.out.Len() {
		l.Errorf("%s: %d of %d bytes flushed", what, l.flushed, l.out.Len())
	}
}

func TestIdleShowsWhatIsThere(t *testing.T) {
	t.Parallel()
	ins := sequence(
		sent{c2s, 0, 2}, sent{c2s.with(func(d *toyDatagram) { d.needs = 1 }), 0, 1},
		sent{s2c, 0, 1}, sent{s2c.with(func(d *toyDatagram) { d.brings = 1 }), 0, 1},
	)
	for workers := range 4 {
		runLive(t, engine.Config{Protocols: toys(), Workers: workers, Finish: toyLine}, func(l *live) {
			l.feed(ins[0])
			l.shows("before Idle")
			l.Idle()
			l.shows("after Idle", "#1")
			l.Idle()
			l.feed(ins[1:4]...)
			l.Idle()
			l.shows("while the third waits", "#1", "#2")
			l.feed(ins[4])
			l.Idle()
			l.shows("when it is answered", "#1", "#2", "#3", "#4", "#5")
		})
	}
}

func TestNoWait(t *testing.T) {
	t.Parallel()
	ins := sequence(
		sent{c2s.with(func(d *toyDatagram) { d.kind, d.brings = toyWeak, 1 }), 0, 1},
		sent{c2s.with(func(d *toyDatagram) { d.needs = 1 }), 0, 1},
		sent{c2s.with(func(d *toyDatagram) { d.kind, d.conv = toyWeak, 2 }), 0, 1},
		sent{c2s, 0, 1},
	)
	runLive(t, engine.Config{Protocols: toys(), Finish: toyLine, NoWait: true}, func(l *live) {
		want := []string{"#1", "#2", "#4"}
		for i, shown := range []int{1, 2, 2, 3} {
			l.feed(ins[i])
			l.Idle()
			l.shows("datagram "+ins[i].Note, want[:shown]...)
		}
	})
}

// What waits for too long goes out although only other people's datagrams follow: without Idle when there
// are many, with it at once.
func TestOverdueRecordsGoOutAmongForeignTraffic(t *testing.T) {
	t.Parallel()
	foreign := toyDatagram{kind: toyForeign, conv: 8, size: 1000}
	runLive(t, engine.Config{Protocols: toys(), Workers: 2, Finish: toyLine}, func(l *live) {
		l.feed(sequence(sent{c2s.with(func(d *toyDatagram) { d.needs = 1 }), 0, 1}, sent{foreign, 0, 1},
			sent{foreign, 900, 1000})...)
		l.shows("within a second")
		l.feed(sequence(sent{foreign, 1001, 1000})...)
		l.shows("later", "#1")
	})
	runLive(t, engine.Config{Protocols: toys(), Workers: 2, Finish: toyLine}, func(l *live) {
		l.feed(sequence(sent{c2s.with(func(d *toyDatagram) { d.needs = 1 }), 0, 1}, sent{foreign, 0, 1})...)
		l.Idle()
		l.feed(sequence(sent{foreign, 1001, 2})...)
		l.shows("not yet")
		l.Idle()
		l.shows("when the input is idle", "#1")
	})
}

func TestAllShowsEveryPacketInOrder(t *testing.T) {
	t.Parallel()
	foreign := toyDatagram{kind: toyForeign, conv: 8}
	weak := c2s.with(func(d *toyDatagram) { d.kind = toyWeak })
	ins := sequence(sent{foreign, 0, 1}, sent{weak, 0, 1}, sent{foreign, 0, 1}, sent{c2s, 0, 1}, sent{c2s, 0, 1})
	ins[4].Packet = dissect.Packet{Frame: 5, Note: "ARP", Length: 60}
	cfg := engine.Config{Protocols: toys(), Workers: 2, Finish: toyLine, All: true}
	var links []dissect.Link
	cfg.Finish = func(worker int, dst []byte, r *dissect.Record) ([]byte, error) {
		if r.Protocol == nil && worker != 0 {
			t.Errorf("#%d: on worker %d", r.Frame, worker)
		}
		if r.Link != nil {
			links = append(links, *r.Link)
		}
		return toyLine(worker, dst, r)
	}
	ins[2].Link = &dissect.Link{Interface: "eth0", VLAN: []uint16{3, 4}, TTL: 64}
	ins[2].IPFragments = []uint64{2, 3}
	out, stats := runEngine(t, cfg, ins)
	want := "#1 - -1 \n#2 even 0 client_to_server\n#3 - -1 \n#4 even 0 client_to_server\n#5 - -1 \n"
	var got strings.Builder
	for line := range strings.Lines(out) {
		head, _, _ := strings.Cut(line, " hint")
		got.WriteString(head + "\n")
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]dissect.Link{*ins[2].Link}, links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	wantStats := engine.Stats{Packets: 5, Datagrams: 4, Game: 2, Unknown: 2, ByProtocol: map[string]uint64{"even": 2}}
	if diff := cmp.Diff(wantStats, stats); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}

// What is not selected counts, and changes the conversation, but nobody sees it.
func TestSelect(t *testing.T) {
	t.Parallel()
	ins := sequence(sent{c2s.with(func(d *toyDatagram) { d.flags = toyMessage | toyDamaged }), 0, 5})
	cfg := engine.Config{Protocols: toys(), Finish: toyLine}
	all, wantStats := runEngine(t, cfg, ins)
	if wantStats.Messages != 5 || wantStats.Damaged != 5 || wantStats.Game != 5 {
		t.Errorf("stats %+v", wantStats)
	}
	trees := 0
	cfg.Protocols = []*dissect.Protocol{(&toy{name: "even", dissected: func(r *dissect.Record, _ bool) {
		if r.Decoding() != nil {
			trees++
		}
	}}).protocol()}
	cfg.Select = func(frame uint64) bool { return frame == 4 }
	one, stats := runEngine(t, cfg, ins)
	if want := strings.SplitAfter(all, "\n")[3]; one != want || trees != 1 {
		t.Errorf("%d trees, got %q, want %q", trees, one, want)
	}
	cfg.Select, cfg.Finish = nil, nil
	none, noStats := runEngine(t, cfg, ins)
	if none != "" || trees != 1 {
		t.Errorf("without Finish: %q, %d trees", none, trees-1)
	}
	for _, got := range []engine.Stats{stats, noStats} {
		if diff := cmp.Diff(wantStats, got); diff != "" {
			t.Errorf("stats (-want +got):\n%s", diff)
		}
	}
}
