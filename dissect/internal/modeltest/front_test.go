package modeltest

import (
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

func TestDecodeAs(t *testing.T) {
	t.Parallel()
	ins := sequence(
		sent{toyDatagram{kind: toyForeign, direction: dissect.ClientToServer}, 0, 1},
		// without the claim it would be the first protocol's
		sent{toyDatagram{kind: toyMine, direction: dissect.ServerToClient}, 0, 1},
	)
	cfg := engine.Config{Protocols: toys(), Finish: toyLine}
	if out, _ := runEngine(t, cfg, ins); !strings.HasPrefix(out, "#2 even 0 server_to_client") {
		t.Errorf("without a claim: %q", out)
	}
	for _, port := range []uint16{1000, 2000} {
		cfg.DecodeAs = []engine.DecodeAs{{Port: port, Name: "odd-variant"}}
		out, stats := runEngine(t, cfg, append([]input{{file: "a"}}, ins...))
		if diff := cmp.Diff(map[string]uint64{"odd": 2}, stats.ByProtocol); diff != "" {
			t.Errorf("port %d (-want +got):\n%s%s", port, diff, out)
		}
	}
}

func TestNewEngineErrors(t *testing.T) {
	t.Parallel()
	_, err := engine.New(engine.Config{Protocols: toys(), DecodeAs: []engine.DecodeAs{{Port: 1, Name: "nobody"}}})
	if err == nil || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("unknown dissector: %v", err)
	}
	if _, err := engine.New(engine.Config{Protocols: make([]*dissect.Protocol, 65)}); err == nil {
		t.Error("65 protocols: no error")
	}
}

// A router is asked once about every datagram, again about those it was undecided about, and never again about
// those that are foreign to it.
func TestWhoIsAsked(t *testing.T) {
	t.Parallel()
	weak := toyDatagram{kind: toyWeak, direction: dissect.ClientToServer}
	mine := weak.with(func(d *toyDatagram) { d.kind = toyMine })
	other := mine.with(func(d *toyDatagram) { d.conv = 1 })
	giveUp := weak.with(func(d *toyDatagram) { d.kind = toyGiveUp })
	for _, tt := range []struct {
		name      string
		noWait    bool
		ins       []input
		even, odd string
	}{
		{"first come", false, sequence(sent{mine, 0, 2}), "1 2", ""},
		{"the second's", false, sequence(sent{other, 0, 2}), "1 2", "1 2"},
		{"decided later", false, sequence(sent{weak, 0, 2}, sent{mine, 0, 1}), "1 2 3 1 2", "1 2"},
		{"decided by nobody", false, sequence(sent{weak, 0, 2}), "1 2 1! 2 2!", "1 2"},
		{"asked again when something else is known", false, sequence(sent{weak, 0, 1}, sent{other, 0, 1}), "1 2 1 1!", "1 2"},
		{"given up", false, sequence(sent{weak, 0, 2}, sent{giveUp, 0, 1}), "1 2 3 1 2", "1 2 3"},
		{"nothing waits", true, sequence(sent{weak, 0, 1}, sent{mine, 0, 1}), "1! 2!", "1!"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var even, odd *toyRouter
			cfg := engine.Config{NoWait: tt.noWait, Protocols: []*dissect.Protocol{
				(&toy{name: "even", made: func(r *toyRouter) { even = r }}).protocol(),
				(&toy{name: "odd", odd: 1, made: func(r *toyRouter) { odd = r }}).protocol(),
			}}
			runEngine(t, cfg, tt.ins)
			if got := strings.Join(even.asked, " "); got != tt.even {
				t.Errorf("even: %s, want %s", got, tt.even)
			}
			if got := strings.Join(odd.asked, " "); got != tt.odd {
				t.Errorf("odd: %s, want %s", got, tt.odd)
			}
		})
	}
}

// A later protocol that is certain wins over an earlier one that is undecided.
func TestCertainBeforeUndecided(t *testing.T) {
	t.Parallel()
	weak := toyDatagram{kind: toyWeak, direction: dissect.ClientToServer}
	cfg := engine.Config{
		Protocols: []*dissect.Protocol{(&toy{name: "even"}).protocol(), (&toy{name: "claims"}).protocol()},
		DecodeAs:  []engine.DecodeAs{{Port: 7, Name: "claims"}},
		Finish:    toyLine,
	}
	ins := sequence(sent{weak, 0, 1})
	ins[0].Src = netip.AddrPortFrom(ins[0].Src.Addr(), 7)
	if out, _ := runEngine(t, cfg, ins); !strings.HasPrefix(out, "#1 claims 0") {
		t.Errorf("got %q", out)
	}
}

func TestExpire(t *testing.T) {
	t.Parallel()
	var router *toyRouter
	cfg := engine.Config{Protocols: []*dissect.Protocol{(&toy{name: "even", made: func(r *toyRouter) { router = r }}).
		protocol()}}
	runEngine(t, cfg, sequence(
		sent{c2s, 5_000, 2}, sent{c2s, 124_999, 4}, sent{c2s, 125_000, 1}, sent{c2s, 134_900, 2},
		sent{c2s, 135_000, 3}, sent{c2s, 130_000, 1}, sent{c2s, 200_000, 4},
	))
	// At 124.999 s nothing can be idle yet; the next time is ten seconds later.
	want := []int64{10_000e6, 75_000e6} // since the input's first datagram
	if diff := cmp.Diff(want, router.expired); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStreamsAreNumberedOverAllProtocols(t *testing.T) {
	t.Parallel()
	at := func(conv byte, kind byte) sent {
		return sent{toyDatagram{kind: kind, conv: conv, direction: dissect.ClientToServer}, 0, 1}
	}
	ins := sequence(at(4, toyMine), at(3, toyWeak), at(2, toyMine), at(3, toyMine), at(4, toyMine))
	ins = append(ins, input{file: "b"})
	ins = append(ins, sequence(at(3, toyMine), at(4, toyMine))...)
	out, _ := runEngine(t, engine.Config{Protocols: toys(), Finish: toyLine, Workers: 2}, ins)
	var got []string
	for line := range strings.Lines(out) {
		got = append(got, strings.Join(strings.Fields(line)[:3], " "))
	}
	want := []string{
		"#1 even 0", "#2 odd 1", "#3 even 2", "#4 odd 1", "#5 even 0",
		"b#1 odd 0", "b#2 even 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFirstTime(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	e, err := engine.New(engine.Config{Protocols: toys(), Finish: toyLine, Output: func(b []byte) error {
		out.Write(b)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	ins := sequence(sent{c2s, 70, 1}, sent{c2s, 60, 1})
	e.FirstTime(5)
	for _, name := range []string{"", "b"} {
		if name != "" {
			e.File(name)
		}
		for i := range ins {
			if err := e.Packet(&ins[i].Packet); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n#2 even 0 client_to_server hint 0 first 5 ",
		"\nb#2 even 0 client_to_server hint 0 first 70000000 ",
	} {
		if !strings.Contains("\n"+out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
}

// A conversation that is idle for two minutes, or a sixteenth more, is notified once, although no datagram of it ever
// comes again.
func TestIdleConversationsShrink(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shrinks := 0
		e, err := engine.New(engine.Config{Protocols: []*dissect.Protocol{
			(&toy{name: "even", shrunk: func() { shrinks++ }}).protocol(), (&toy{name: "odd", odd: 1}).protocol(),
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			conv byte
			msec int64
			want int
		}{
			{0, 1_000, 0},
			{1, 121_000, 0},
			{1, 128_501, 1},
			{1, 300_000, 1},
			{0, 600_000, 1},
			{1, 720_001, 1},
			{1, 727_501, 2},
		} {
			foreign := sent{toyDatagram{kind: toyForeign}, step.msec, 3} // time moves with several packets
			for _, in := range sequence(foreign, sent{c2s.with(func(d *toyDatagram) { d.conv = step.conv }), step.msec, 1}) {
				if err := e.Packet(&in.Packet); err != nil {
					t.Fatal(err)
				}
			}
			e.Idle()
			synctest.Wait()
			if shrinks != step.want {
				t.Errorf("at %d ms: shrunk %d times, want %d", step.msec, shrinks, step.want)
			}
		}
		if _, err := e.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
