//go:build !race

package modeltest

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A warm engine allocates nothing for a packet, whatever becomes of it. Not parallel: it counts what
// the whole process allocates.
func TestEngineAllocatesNothing(t *testing.T) {
	const perRun = 8192
	for _, tt := range []struct {
		name string
		list []sent
	}{
		{"in order", []sent{{c2s, 0, 1}, {s2c, 0, 1}}},
		{"foreign", []sent{{toyDatagram{kind: toyForeign}, 0, 1}}},
		{"held", []sent{
			{c2s.with(func(d *toyDatagram) { d.needs = 1 }), 0, 1},
			{s2c, 0, 20},
			{s2c.with(func(d *toyDatagram) { d.brings = 1 }), 0, 1},
			{s2c, 200_000, 1},
		}},
		{"undecided", []sent{
			{c2s.with(func(d *toyDatagram) { d.kind = toyWeak }), 0, 20},
			{c2s, 0, 1},
			{c2s.with(func(d *toyDatagram) { d.kind = toyGiveUp }), 0, 1},
		}},
		{"kept", []sent{{c2s, 0, 1}, {s2c, 0, 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			line := make([]byte, 300)
			discard := func([]byte) error { return nil }
			cfg := engine.Config{
				Protocols: []*dissect.Protocol{(&toy{name: "even"}).protocol()},
				Finish:    func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return append(dst, line...), nil },
				Output:    discard,
			}
			if tt.name == "kept" {
				cfg.Lanes = []func([]byte) error{discard}
				cfg.InOrder = func(dst []byte, k *engine.Kept) ([]byte, error) { return append(dst, k.Bytes...), nil }
				cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
					out.Bytes = append(out.Bytes, line...)
					out.Lane(1)
					k := out.Keep(rec)
					k.Bytes = append(k.Bytes, line...)
					return nil
				}
			}
			e, err := engine.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			ins := sequence(tt.list...)
			sent, round := 0, int64(0)
			var p dissect.Packet
			run := func() {
				for range perRun {
					p = ins[sent%len(ins)].Packet
					if sent++; sent%len(ins) == 0 {
						round++
					}
					p.Time += round * 200_001e6
					if err := e.Packet(&p); err != nil {
						t.Fatal(err)
					}
				}
				e.Idle()
			}
			run()
			run()
			// How many buffers are under way depends on the scheduler, so a few may still come.
			if allocs := testing.AllocsPerRun(5, run); allocs > perRun/200 {
				t.Errorf("%g allocations for %d packets", allocs, perRun)
			}
			if _, err := e.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
