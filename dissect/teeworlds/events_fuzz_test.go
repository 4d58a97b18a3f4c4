package teeworlds

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// FuzzEvents sends a message twice in the same vital chunk, in every dialect: the second one causes no event.
func FuzzEvents(f *testing.F) {
	seed := newEventGame(f, tables.V07)
	f.Add(false, seed.message("sv_chat", 1, 0, -1, "hi"))
	f.Add(false, seed.message("sv_killmsg", 0, 63, -3, 3))
	f.Add(false, seed.message("sv_gamemsg", 9, 1, 63, 100))
	f.Add(false, seed.message("sv_clientdrop", 63, "bye", 0))
	f.Add(false, seed.snapshot(100, flags07(63, -1)))
	f.Add(true, seed.message("rcon_auth", "secret"))
	seed.d = tables.DDNet
	f.Add(false, seed.message("sv_voteset", 25, "x", ""))
	f.Add(false, seed.message("sv_race_finish", 127, 1, 2, 1, 1))
	f.Add(false, seed.snapshot(100, player06(127, 1, -1, "Anna")...))
	f.Fuzz(func(t *testing.T, fromClient bool, payload []byte) {
		if len(payload) > 800 {
			return
		}
		for d := tables.V07; d < tables.NumDialects; d++ {
			g := newEventGame(quietTB{t}, d)
			g.send(true, g.message("info", "0", "", 0))
			g.send(false, g.message("map_change", "a", 1, 2, 3, 4, make([]byte, 32)))
			g.send(fromClient, payload)
			g.events = nil
			sequence := g.sequence[tables.SystemIndex(fromClient)]
			g.deliver(fromClient, sequence, payload)
			if len(g.events) > 0 {
				t.Errorf("%v: a repeat tells %q", d, g.events)
			}
		}
	})
}

// quietTB ignores expert entries.
type quietTB struct{ testing.TB }

func (quietTB) Errorf(string, ...any) {}
