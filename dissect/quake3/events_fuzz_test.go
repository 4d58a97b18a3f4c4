package quake3

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events"
)

// FuzzEvents gives two server messages and a client's to a session in which a game is on. Events change
// nothing that is remembered, every event is whole and has a kind, and none comes from a message that is
// damaged.
func FuzzEvents(f *testing.F) {
	f.Add(serverSample(), deltaSnapshot(5000, 10), unhex(f, plainClientMessage))
	f.Add(serverPrint(0, 101, "print \"Anna^7 got the RED flag!\n\""), serverPrint(0, 102, `chat "x`), clientSay(0, 1, "disconnect"))
	f.Fuzz(func(t *testing.T, first, second, client []byte) {
		with, without := newTestGame(t), newTestGame(t)
		without.c = nativeSession(dissect.Options{})
		for _, g := range []*testGame{with, without} {
			g.gamestate(testConfigstrings())
			g.deliverAny(dissect.ServerToClient, datagram(nativeHeader(2, false), first))
			g.deliverAny(dissect.ServerToClient, datagram(nativeHeader(3, false), second))
			g.deliverAny(dissect.ClientToServer, datagram(nativeHeader(1, true), client))
		}
		if fingerprint(with.c) != fingerprint(without.c) {
			t.Error("events change what is remembered")
		}
	})
}

// deliverAny gives a datagram to the session, damaged or not, and checks what is told of it.
func (g *testGame) deliverAny(direction dissect.Direction, payload []byte) {
	g.Helper()
	rec := deliver(g.c, direction, payload)
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
		if t.Nodes[i].Field != &events.Field || t.Child(i, &dissect.EventKind) != i+1 {
			g.Fatalf("event %d is none", i)
		}
	}
	g.told = append(g.told, eventLines(t)...)
}
