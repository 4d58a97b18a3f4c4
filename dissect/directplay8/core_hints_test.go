package directplay8_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// TestCoreHints shows the names of players whom DirectPlay's messages have by their numbers alone.
func TestCoreHints(t *testing.T) {
	t.Parallel()
	peer, host := &wire.Peer8{Session: 5, Minor: 6}, &wire.Peer8{Session: 5, Minor: 6, Listener: true}
	core := func(kind uint32, name string, values map[string]any) enginetest.Datagram {
		b, err := wire.CoreMessage(name, values)
		if err != nil {
			t.Fatal(err)
		}
		return enginetest.Datagram{Payload: host.Core(kind, b)}
	}
	id := func(n uint32) map[string]any { return map[string]any{"dpnid": n} }
	records := enginetest.All(t, protocols(), "directplay8",
		enginetest.Datagram{FromClient: true, Payload: peer.Connect()},
		core(0xd1, "destroy_player", id(7)),
		core(0xd0, "add_player", map[string]any{"dpnid": uint32(7), "name": wire.Wide("Ann")}),
		core(0xc6, "instruct_connect", id(7)),
		core(0xdb, "update_info", map[string]any{"dpnid": uint32(7), "info_flags": uint32(1), "name": wire.Wide("Anna")}),
		core(0xdb, "update_info", map[string]any{"dpnid": uint32(7), "info_flags": uint32(2), "name": wire.Wide("no name")}),
		core(0xd1, "destroy_player", id(7)),
		core(0xd1, "destroy_player", id(8)))
	for i, want := range []any{nil, nil, nil, "Ann", "Ann", "Anna", "Anna", nil} {
		if _, body := coreOf(records[i]); body["player_hint"] != want {
			t.Errorf("datagram %d: player_hint %v, want %v", i, body["player_hint"], want)
		}
	}
}
