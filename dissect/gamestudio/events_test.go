package gamestudio_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/gamestudio"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// eventsOf returns the events of datagrams in words.
func eventsOf(t *testing.T, as string, list []wire.Datagram) []string {
	t.Helper()
	var told []string
	e, err := engine.New(engine.Config{
		Protocols: protocols(), Workers: 1, Options: dissect.Options{Events: true},
		DecodeAs: []engine.DecodeAs{{Port: enginetest.Server.Port(), Name: as}},
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			for n := 0; n < len(rec.Events.Nodes); n = int(rec.Events.Nodes[n].End) {
				told = append(told, string(gamestudio.New().AppendEvent(nil, &rec.Events, n)))
			}
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range list {
		p := dissect.Packet{
			Frame: uint64(i + 1), UDP: true, Src: enginetest.Server, Dst: enginetest.Client,
			Payload: d.Payload, Length: len(d.Payload),
		}
		if d.FromClient {
			p.Src, p.Dst = enginetest.Client, enginetest.Server
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

// TestEvents reads what happens in a generated session: the same over every transport.
func TestEvents(t *testing.T) {
	t.Parallel()
	want := []string{
		"SyntheticSue asks to join",
		"SyntheticSue has loaded office.wmb",
		"SyntheticSue asks for guard.mdl",
		"entity 7 created",
		"entity 8 created",
		"entity 9 (guard.mdl) created",
		"SyntheticSue asks to remove entity 9 (guard.mdl)",
		"entity 9 (guard.mdl) removed",
	}
	for _, c := range carriers {
		got := eventsOf(t, "gamestudio", c.make(sessionOf(t, wire.Late, wire.Coding{})))
		want := want
		if c.name != "raw" && c.name != "directplay4" { // which have no connection
			want = append(slices.Clone(want), "SyntheticSue leaves")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	// The 2002 edition has no public row for CLS_LEVEL, and names entities to remove by a DirectPlay id.
	old := append(append([]string{want[0]}, want[2:6]...), want[7])
	if diff := cmp.Diff(old, eventsOf(t, "gamestudio-2002",
		wire.OverDirectPlay4(sessionOf(t, wire.Old2002, wire.Coding{})))); diff != "" {
		t.Errorf("2002 edition (-want +got):\n%s", diff)
	}
}

// TestDisconnects reports the end of a connection once, however it ends and however often that is said, and the end of
// the next one again.
func TestDisconnects(t *testing.T) {
	t.Parallel()
	connection := func(session uint32, join string, end func(client, server *wire.Peer8) []wire.Datagram) []wire.Datagram {
		client, server := &wire.Peer8{Session: session, Minor: 6}, &wire.Peer8{Session: session, Minor: 6, Listener: true}
		list := []wire.Datagram{
			{FromClient: true, Payload: client.Connect()},
			{Payload: server.Connected()},
			{FromClient: true, Payload: client.Connected()},
		}
		if join != "" {
			list = append(list, wire.Datagram{FromClient: true, Payload: client.Data(true, append([]byte("\x02"+join), 0))})
		}
		return append(list, end(client, server)...)
	}
	hard := func(client, _ *wire.Peer8) []wire.Datagram {
		b := client.Connect()
		b[0], b[1] = 0x80, 4
		d := wire.Datagram{FromClient: true, Payload: b}
		return []wire.Datagram{d, d, d, {Payload: b}}
	}
	terminate := func(_, server *wire.Peer8) []wire.Datagram {
		b, err := wire.CoreMessage("terminate_session", map[string]any{"terminate_data": []byte("bye")})
		if err != nil {
			t.Fatal(err)
		}
		return []wire.Datagram{{Payload: server.Core(0xdf, b)}, {Payload: server.End()}}
	}
	stream := func(client, server *wire.Peer8) []wire.Datagram {
		return []wire.Datagram{
			{FromClient: true, Payload: client.End()},
			{Payload: server.End()},
			{FromClient: true, Payload: client.Sack()},
		}
	}
	list := slices.Concat(connection(1, "Ann", hard), connection(2, "Bob", terminate), connection(3, "Cho", stream),
		connection(4, "", stream))
	want := []string{
		"Ann asks to join", "Ann leaves", "Bob asks to join", "Bob leaves, sent away by the server", "Cho asks to join",
		"Cho leaves", "a client leaves",
	}
	if diff := cmp.Diff(want, eventsOf(t, "gamestudio", list)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A connection that carries something else has players of its own, who are not told.
	if got := eventsOf(t, "directplay8", list); len(got) > 0 {
		t.Errorf("of another game: %v", got)
	}
}

// TestDirectPlayNames takes the name from DirectPlay where the game has not told one.
func TestDirectPlayNames(t *testing.T) {
	t.Parallel()
	list := wire.OverDirectPlay8(sessionOf(t, wire.Late, wire.Coding{}))
	list = slices.DeleteFunc(list, func(d wire.Datagram) bool { return slices.Contains(d.Messages, "CLS_JOIN") })
	want := []string{
		"Synthetic Sue asks for guard.mdl", "Synthetic Sue asks to remove entity 9 (guard.mdl)",
		"Synthetic Sue leaves",
	}
	var got []string
	for _, line := range eventsOf(t, "gamestudio", list) {
		if strings.Contains(line, "Sue") {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPlayerHints shows a player's name with what it sends after its CLS_JOIN, and with nothing of the server's.
func TestPlayerHints(t *testing.T) {
	t.Parallel()
	for _, edition := range []string{wire.Late, wire.Old2002} {
		joined := false
		for _, r := range enginetest.All(t, protocols(), asEdition(edition),
			sent(wire.Raw(sessionOf(t, edition, wire.Coding{})))...) {
			for i, name := range r.Names() {
				want := any(nil)
				if joined && strings.HasPrefix(name, "cls_") {
					want = "SyntheticSue"
				}
				if got := r.Message(i)["player_hint"]; got != want {
					t.Errorf("%s: player_hint of %s is %v, want %v", edition, name, got, want)
				}
				joined = joined || name == "cls_join"
			}
		}
	}
	// In the 2002 edition the DirectPlay id identifies the sender of a message.
	records := enginetest.All(t, protocols(), "gamestudio-2002",
		enginetest.Datagram{FromClient: true, Payload: []byte("\x02\x01\x00\x03\x00Ann\x00")},
		enginetest.Datagram{FromClient: true, Payload: []byte("\x02\x02\x00\x03\x00Bob\x00")},
		enginetest.Datagram{FromClient: true, Payload: []byte(
			"\x07\x01\x00\x03\x00\x07\x02\x00\x03\x00\x07\x09\x00\x03\x00")})
	for i, want := range []any{"Ann", "Bob", nil} {
		if got := records[2].Message(i)["player_hint"]; got != want {
			t.Errorf("ping %d: player_hint %v, want %v", i, got, want)
		}
	}
}

// TestEventsOnce reports once what a retransmission repeats.
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
