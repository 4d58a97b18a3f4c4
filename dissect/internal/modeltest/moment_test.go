package modeltest

import (
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// sent is a datagram with its time in milliseconds, and how often it comes.
type sent struct {
	toyDatagram
	msec  int64
	times int
}

func sequence(list ...sent) []input {
	var ins []input
	for _, s := range list {
		for range max(1, s.times) {
			p := s.packet(uint64(len(ins) + 1))
			p.Time, p.HasTime = s.msec*1e6, true
			ins = append(ins, input{Packet: p})
		}
	}
	return ins
}

var (
	c2s = toyDatagram{kind: toyMine, direction: dissect.ClientToServer}
	s2c = toyDatagram{kind: toyMine, direction: dissect.ServerToClient}
)

func (d toyDatagram) with(change func(*toyDatagram)) toyDatagram {
	change(&d)
	return d
}

// The numbers are the contract's: 256 datagrams of the stream, one second, and a bound on all together.
func TestHeldRecordsWaitAsLongAsPromised(t *testing.T) {
	t.Parallel()
	waits := c2s.with(func(d *toyDatagram) { d.needs = 1 })
	answers := s2c.with(func(d *toyDatagram) { d.brings = 1 })
	other := s2c.with(func(d *toyDatagram) { d.conv = 2 })
	big := other.with(func(d *toyDatagram) { d.size = 8<<10 - idle.DatagramCost })
	last := 8<<10 - idle.DatagramCost - (toyHeader + idle.DatagramCost) // with waits itself: 8 MiB
	for _, tt := range []struct {
		name  string
		ins   []input
		final bool // goes out without what it waits for
	}{
		{"answered at once", sequence(sent{waits, 0, 1}, sent{answers, 0, 1}), false},
		{"255 between", sequence(sent{waits, 0, 1}, sent{s2c, 0, 255}, sent{answers, 0, 1}), false},
		{"256 between", sequence(sent{waits, 0, 1}, sent{s2c, 0, 256}, sent{answers, 0, 1}), true},
		{"256 of the own direction", sequence(sent{waits, 0, 1}, sent{c2s, 0, 256}, sent{answers, 0, 1}), true},
		{"300 of another stream", sequence(sent{waits, 0, 1}, sent{other, 0, 300}, sent{answers, 0, 1}), false},
		{"one second", sequence(sent{waits, 0, 1}, sent{answers, 1000, 1}), false},
		{"more", sequence(sent{waits, 0, 1}, sent{other, 0, 1}, sent{other, 1001, 2}, sent{answers, 1001, 1}), true},
		{"more, and time runs back", sequence(sent{waits, 0, 1}, sent{other, 0, 1}, sent{other, 1001, 2}, sent{answers, 500, 1}), true},
		{"one wrong time", sequence(sent{waits, 0, 1}, sent{other, 1 << 40, 1}, sent{answers, 1, 1}), false},
		{"8 MiB", sequence(sent{waits, 0, 1}, sent{big, 0, 1023}, sent{
			big.with(func(d *toyDatagram) { d.size = last }), 0, 1,
		}, sent{answers, 0, 1}), false},
		{"8 MiB and a byte", sequence(sent{waits, 0, 1}, sent{big, 0, 1023}, sent{
			big.with(func(d *toyDatagram) { d.size = last + 1 }), 0, 1,
		}, sent{answers, 0, 1}), true},
		{"8 MiB of other people's", sequence(sent{waits, 0, 1}, sent{
			big.with(func(d *toyDatagram) { d.kind = toyForeign }), 0, 1025,
		}, sent{answers, 0, 1}), true},
		{"never answered", sequence(sent{waits, 0, 1}), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for workers := range 4 {
				final, done := false, uint64(0)
				p := (&toy{name: "even", dissected: func(r *dissect.Record, ok bool) {
					if r.Frame == 1 && ok {
						final = r.Final
						done++
					}
				}}).protocol()
				cfg := engine.Config{Protocols: []*dissect.Protocol{p}, Workers: workers, Finish: toyLine}
				out, stats := runEngine(t, cfg, tt.ins)
				if final != tt.final || done != 1 {
					t.Errorf("%d workers: final %t, finished %d times, want final %t, once", workers, final, done, tt.final)
				}
				if first, _, _ := strings.Cut(out, " "); first != "#1" || strings.Count(out, "\n") != int(stats.Game) {
					t.Errorf("%d workers: %d lines for %d datagrams, the first is %s", workers,
						strings.Count(out, "\n"), stats.Game, first)
				}
			}
		})
	}
}

// The router decides with "!" when the waiting is over.
func TestUndecidedDatagramsWaitAsLongAsPromised(t *testing.T) {
	t.Parallel()
	weak := c2s.with(func(d *toyDatagram) { d.kind = toyWeak })
	mine := s2c
	foreign := s2c.with(func(d *toyDatagram) { d.kind = toyForeign })
	elsewhere := foreign.with(func(d *toyDatagram) { d.conv = 16 })
	big := elsewhere.with(func(d *toyDatagram) { d.size = 8<<10 - idle.DatagramCost })
	last := 8<<10 - idle.DatagramCost - (toyHeader + idle.DatagramCost)
	for _, tt := range []struct {
		name string
		ins  []input
		over bool
	}{
		{"at once", sequence(sent{weak, 0, 1}, sent{mine, 0, 1}), false},
		{"255 of the flow", sequence(sent{weak, 0, 1}, sent{foreign, 0, 255}, sent{mine, 0, 1}), false},
		{"256 of the flow", sequence(sent{weak, 0, 1}, sent{foreign, 0, 256}, sent{mine, 0, 1}), true},
		{"300 elsewhere", sequence(sent{weak, 0, 1}, sent{elsewhere, 0, 300}, sent{mine, 0, 1}), false},
		{"one second", sequence(sent{weak, 0, 1}, sent{mine, 1000, 1}), false},
		{"more", sequence(sent{weak, 0, 1}, sent{elsewhere, 0, 1}, sent{elsewhere, 1001, 2}, sent{mine, 1001, 1}), true},
		{"one wrong time", sequence(sent{weak, 0, 1}, sent{elsewhere, 1 << 40, 1}, sent{mine, 1, 1}), false},
		{"8 MiB", sequence(sent{weak, 0, 1}, sent{big, 0, 1023}, sent{
			big.with(func(d *toyDatagram) { d.size = last }), 0, 1,
		}, sent{mine, 0, 1}), false},
		{"8 MiB and a byte", sequence(sent{weak, 0, 1}, sent{big, 0, 1023}, sent{
			big.with(func(d *toyDatagram) { d.size = last + 1 }), 0, 1,
		}, sent{mine, 0, 1}), true},
		{"the end", sequence(sent{weak, 0, 1}), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var router *toyRouter
			p := (&toy{name: "even", made: func(r *toyRouter) { router = r }}).protocol()
			runEngine(t, engine.Config{Protocols: []*dissect.Protocol{p}}, tt.ins)
			var over bool
			for _, a := range router.asked {
				over = over || a == "1!"
			}
			if over != tt.over {
				t.Errorf("asked for the last time: %t, want %t; asked: %q", over, tt.over, router.asked)
			}
		})
	}
}

// Everything that waits, in the workers and in the front, for datagrams as small as they come. Not parallel:
// it measures the heap.
func TestWhatWaitsTakesLessThan64MB(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	synctest.Test(t, func(t *testing.T) {
		var finished uint64
		dissected := func(_ *dissect.Record, ok bool) {
			if ok {
				finished++
			}
		}
		p := (&toy{name: "even", dissected: dissected}).protocol()
		q := (&toy{name: "odd", odd: 1, dissected: dissected}).protocol()
		e, err := engine.New(engine.Config{Protocols: []*dissect.Protocol{p, q}, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		before := heap()
		const perDatagram = toyHeader + idle.DatagramCost
		sent := uint64(0)
		send := func(d toyDatagram) {
			sent++
			packet := d.packet(sent)
			if err := e.Packet(&packet); err != nil {
				t.Fatal(err)
			}
		}
		// As many as may wait in the workers, then as many after one that is undecided.
		const each = 8 << 20 / perDatagram
		for i := range each {
			send(c2s.with(func(d *toyDatagram) { d.needs, d.conv = 1, byte(i%250) }))
		}
		send(c2s.with(func(d *toyDatagram) { d.kind, d.conv = toyWeak, 252 }))
		for i := range each - 2 {
			send(c2s.with(func(d *toyDatagram) { d.needs, d.conv = 1, byte(i%250) }))
		}
		e.Idle()
		synctest.Wait()
		waiting := sent - finished
		if used := int64(heap() - before); used > 64e6 {
			t.Errorf("%d datagrams wait in %d bytes, more than 64 MB", waiting, used)
		} else {
			t.Logf("%d datagrams wait in %d bytes", waiting, used)
		}
		if waiting < 2*each-10 {
			t.Errorf("only %d datagrams wait", waiting)
		}
		if _, err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if finished != sent-1 {
			t.Errorf("%d of %d finished", finished, sent)
		}
	})
}
