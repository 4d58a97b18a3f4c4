package gamestudio

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/directplay8"
	"github.com/q3dissect/q3dissect/dissect/enet"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// TestDissectAllocatesNothing runs the steady state of a session for its state alone, over every transport:
// nothing is allocated per datagram. With a tree only notes about undetermined bytes are.
func TestDissectAllocatesNothing(t *testing.T) {
	reference, err := wire.Reference()
	if err != nil {
		t.Fatal(err)
	}
	steps, err := wire.Session(reference, wire.Late, wire.Coding{})
	if err != nil {
		t.Fatal(err)
	}
	client, server := &wire.Peer8{Session: 1, Minor: 6}, &wire.Peer8{Session: 1, Minor: 6, Listener: true}
	peer := wire.NewEPeer(false, false, 1, 0, 3)
	var plain, framed, coalesced, packets [][]byte
	for _, s := range steps[14:34] {
		if s.FromClient {
			continue
		}
		plain = append(plain, s.Payload)
		framed = append(framed, server.Data(false, s.Payload))
		coalesced = append(coalesced, server.Coalesce(s.Payload, s.Payload))
		packets = append(packets, peer.Packet(peer.Unreliable(1, s.Payload), peer.Reliable(0, s.Payload)))
	}
	for _, tt := range []struct {
		name    string
		over    *dissect.Protocol
		reads   bool
		begin   []byte
		packets [][]byte
	}{
		{"raw", New(), true, nil, plain},
		{"directplay8", directplay8.New(), true, client.Connect(), framed},
		{"directplay8 coalesced", directplay8.New(), true, client.Connect(), coalesced},
		{"enet", enet.New(), true, nil, packets},
		{"enet alone", enet.New(), false, nil, packets},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newBoth(tt.over, tt.reads, 0, dissect.Options{})
			if tt.begin != nil {
				c.dissect(enginetest.RecordOf(tt.begin, true, 0, 0))
			}
			rec := enginetest.RecordOf(nil, false, 0, 0)
			rec.NoTree = true
			step := func() {
				for _, p := range tt.packets {
					rec.Payload, rec.Length, rec.Damaged = p, len(p), false
					if c.dissect(rec); rec.Damaged {
						t.Fatalf("%x: damaged", p)
					}
				}
			}
			for range 3 {
				step()
			}
			if n := testing.AllocsPerRun(100, step); n != 0 {
				t.Errorf("%v allocations for %d datagrams", n, len(tt.packets))
			}
		})
	}
}
