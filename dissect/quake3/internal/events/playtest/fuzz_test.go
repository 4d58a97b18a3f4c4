package playtest

import (
	"reflect"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// FuzzEvents gives two server messages and a client's to a session in which a game is on. Events leave the
// session's state unchanged, every event is whole and has a kind, and none comes from a damaged message.
func FuzzEvents(f *testing.F) {
	command := func(number uint32, text string) []byte {
		return serverMessage(func(w *huffcodec.Writer) {
			w.Bits(svcServerCommand, 8)
			w.Bits(number, 32)
			w.String(text)
		})
	}
	gamestate := serverMessage(func(w *huffcodec.Writer) { writeGamestate(w, 100, testConfigstrings()) })
	snapshot := serverMessage(func(w *huffcodec.Writer) {
		writeSnapshot(w, 5000, shown(map[uint32]map[string]uint32{80: obituary(1, 0, 10)}))
	})
	f.Add(gamestate, snapshot, clientMessage(2, 1, "say hello"))
	f.Add(command(101, "print \"Anna^7 got the RED flag!\n\""), command(102, `chat "x`), clientMessage(1, 1, "disconnect"))
	f.Fuzz(func(t *testing.T, first, second, client []byte) {
		with := newTestGameWith(t, dissect.Options{Events: true, State: true})
		without := newTestGameWith(t, dissect.Options{State: true})
		for _, g := range []*testGame{with, without} {
			g.gamestate(testConfigstrings())
			g.deliverAny(dissect.ServerToClient, append(nativeHeader(2, false), first...))
			g.deliverAny(dissect.ServerToClient, append(nativeHeader(3, false), second...))
			g.deliverAny(dissect.ClientToServer, append(nativeHeader(1, true), client...))
		}
		if !reflect.DeepEqual(with.trees, without.trees) {
			t.Error("events change what is shown")
		}
	})
}

// deliverAny passes a datagram to the session, damaged or not, and checks its events.
func (g *testGame) deliverAny(direction dissect.Direction, payload []byte) {
	g.Helper()
	rec := g.dissect(direction, payload)
	t := &rec.Events
	if rec.Damaged && len(t.Nodes) > 0 {
		g.Fatalf("a damaged message tells %q", eventLines(t))
	}
	for i := range t.Nodes {
		if end := int(t.Nodes[i].End); end <= i || end > len(t.Nodes) {
			g.Fatalf("node %d of %d ends at %d", i, len(t.Nodes), end)
		}
	}
	for i := 0; i < len(t.Nodes); i = int(t.Nodes[i].End) {
		if t.Nodes[i].Field != quake3.New().EventRoot || t.Child(i, &dissect.EventKind) != i+1 {
			g.Fatalf("event %d is none", i)
		}
	}
	g.events = append(g.events, eventLines(t)...)
}
