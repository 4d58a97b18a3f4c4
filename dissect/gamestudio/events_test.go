package gamestudio_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/gamestudio"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// eventsOf gives the events of datagrams in words.
func eventsOf(t *testing.T, as string, list []wire.Datagram) []string {
	t.Helper()
	var told []string
	e, err := dissect.NewEngine(dissect.Config{
		Protocols: protocols(), Workers: 1, Options: dissect.Options{Events: true},
		DecodeAs: []dissect.DecodeAs{{Port: server.Port(), Name: as}},
		Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
			for n := 0; n < len(rec.Events.Nodes); n = int(rec.Events.Nodes[n].End) {
				told = append(told, string(gamestudio.Protocol{}.AppendEvent(nil, &rec.Events, n)))
			}
			return dst
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range list {
		p := dissect.Packet{Frame: uint64(i + 1), UDP: true, Src: server, Dst: client, Payload: d.Payload, Length: len(d.Payload)}
		if d.FromClient {
			p.Src, p.Dst = client, server
		}
		if err := e.Packet(&p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return told
}

// TestEvents tells what happens in a generated session, over every transport the same.
func TestEvents(t *testing.T) {
	t.Parallel()
	want := []string{
		"SyntheticSue asks to join",
		"a client has loaded office.wmb",
		"a client asks for guard.mdl",
		"entity 7 created",
		"entity 8 created",
		"entity 9 (guard.mdl) created",
		"a client asks to remove entity 9 (guard.mdl)",
		"entity 9 (guard.mdl) removed",
	}
	for _, c := range carriers {
		got := eventsOf(t, "gamestudio", c.make(sessionOf(t, wire.Late, wire.Coding{})))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	// The 2002 edition has no public row for CLS_LEVEL, and names entities to remove by a DirectPlay id.
	old := append(append([]string{want[0]}, want[2:6]...), want[7])
	if diff := cmp.Diff(old, eventsOf(t, "gamestudio-2002", wire.OverDirectPlay4(sessionOf(t, wire.Old2002, wire.Coding{})))); diff != "" {
		t.Errorf("2002 edition (-want +got):\n%s", diff)
	}
}

// TestEventsOnce tells what a retransmission repeats once.
func TestEventsOnce(t *testing.T) {
	t.Parallel()
	for _, c := range carriers[2:] {
		list := c.make(sessionOf(t, wire.Late, wire.Coding{}))
		var doubled []wire.Datagram
		for i, d := range list {
			doubled = append(doubled, d)
			if i > 4 {
				doubled = append(doubled, d)
			}
		}
		if diff := cmp.Diff(eventsOf(t, "gamestudio", list), eventsOf(t, "gamestudio", doubled)); diff != "" {
			t.Errorf("%s: (-once +twice):\n%s", c.name, diff)
		}
	}
}
