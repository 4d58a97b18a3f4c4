package truth_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// TestDamageByName: what CPMA counts in the place of hits is the damage that its own scoreboards give the player.
func TestDamageByName(t *testing.T) {
	t.Parallel()
	demos, matches := reference.Folder(t, "demos", "quake3"), reference.Folder(t, "demos", "matches")
	for _, name := range []string{
		demos + "/dm_68_cpma__sudden_death_over_time.dm_68",
		matches + "/dm_68_cpma__no_over_time_tied.dm_68",
		matches + "/dm_68_cpma__forfeit_with_comebacks.dm_68",
	} {
		var client, damage int64
		compared := 0
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true}) {
			if err != nil {
				t.Fatal(err)
			}
			for op := range rec.Tree.Top().Get("quake3").Get("server_message").Get("ops").Children() {
				player := op.Get("player_state")
				if v := player.Get("client_num"); v.Exists() {
					client = v.Int()
				}
				if v := player.Get("persistant_by_name").Get("damage"); v.Exists() {
					damage = v.Int()
				}
				if player.Get("persistant_by_name").Get("hits").Exists() {
					t.Fatalf("%s: frame %d has hits", name, rec.Number())
				}
			}
			for e := range event.Of(rec) {
				if e.Kind != event.Scoreboard || damage == 0 { // a match has begun
					continue
				}
				for s := range e.Get("scores").Children() {
					if given := s.Get("damage_given"); given.Exists() && s.Get("client_num").Int() == client {
						compared++
						if given.Int() != damage {
							t.Errorf("%s: frame %d: %d, the scoreboard has %d", name, rec.Number(), damage, given.Int())
						}
					}
				}
			}
		}
		if compared < 3 {
			t.Errorf("%s: %d scoreboards", name, compared)
		}
	}
}
