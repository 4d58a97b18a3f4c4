package modeltest

import (
	"fmt"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A free protocol costs nothing, so that what is measured is the engine.
type free struct {
	streams [256]dissect.Stream
}

func (f *free) protocol() *dissect.Protocol {
	p := (&toy{}).protocol()
	p.NewRouter = func() dissect.Router { return f }
	p.NewConversation = func(dissect.Options) dissect.Conversation { return f }
	return p
}

func (f *free) Claim(uint16, string)         {}
func (f *free) Expire(int64)                 {}
func (f *free) Shrink() (kept any)           { return f }
func (f *free) Dissect(*dissect.Record) bool { return true }

func (f *free) Route(p *dissect.Packet, _ int64, _ bool) dissect.Route {
	if p.Payload[0] == toyForeign {
		return dissect.Route{}
	}
	return dissect.Route{
		Decision: dissect.Mine, Stream: &f.streams[p.Payload[1]],
		Direction: dissect.Direction(p.Payload[2]),
	}
}

// BenchmarkEngine measures what a packet costs in all stages together, beside routing, dissecting and
// rendering.
func BenchmarkEngine(b *testing.B) {
	line := make([]byte, 500)
	for _, bench := range []struct {
		name    string
		workers int
		kind    byte
		finish  bool
	}{
		{"j1", 1, toyMine, true},
		{"j2", 2, toyMine, true},
		{"state", 1, toyMine, false},
		{"foreign", 1, toyForeign, true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			cfg := engine.Config{
				Protocols: []*dissect.Protocol{(&free{}).protocol()}, Workers: bench.workers,
				Output: func([]byte) error { return nil },
			}
			if bench.finish {
				cfg.Finish = func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return append(dst, line...), nil }
			}
			e, err := engine.New(cfg)
			if err != nil {
				b.Fatal(err)
			}
			var packets []dissect.Packet
			for i := range 64 {
				p := toyDatagram{kind: bench.kind, conv: byte(i % 5), direction: dissect.ClientToServer, size: 60 + i*4}.packet(0)
				p.HasTime = true
				packets = append(packets, p)
			}
			b.SetBytes(int64(len(packets[32].Payload)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				p := &packets[n%len(packets)]
				n++
				p.Frame, p.Time = uint64(n), int64(n)*1e5
				if err := e.Packet(p); err != nil {
					b.Fatal(err)
				}
			}
			stats, err := e.Close()
			if err != nil || stats.Packets != uint64(n) {
				b.Fatal(fmt.Errorf("%d packets of %d: %w", stats.Packets, n, err))
			}
		})
	}
}
