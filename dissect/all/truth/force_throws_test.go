package truth_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// TestForcePushesAndPulls compares the pushes and pulls that match_end has of the player who recorded a demo of Jedi
// Academy with another field of the player state, which the events do not read: every push and pull extends a hand.
func TestForcePushesAndPulls(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "demos", "idtech3")
	const push, pull = 1, 2 // HANDEXTEND_FORCEPUSH and _FORCEPULL, codemp/game/bg_public.h of OpenJK
	in, err := open.File(filepath.Join(dir, "staind.dm_26"), open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Skip(err)
	}
	defer in.Close()
	extended, own := map[int64]int64{}, int64(-1)
	counted := map[string]int64{}
	hand := int64(math.MinInt64)
	for rec, err := range in.Records(dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for top := range rec.Tree.Top().Children() {
			for message := range top.Children() {
				if v := find(message, "force_hand_extend"); v.Exists() && v.Int() != hand {
					hand = v.Int()
					extended[hand]++
				}
			}
		}
		for e := range rec.Events.Top().Children() {
			if e.Get("own").Bool() && e.Get("client").Get("client_num").Exists() {
				own = e.Get("client").Get("client_num").Int()
			}
			for p := range e.Get("players").Children() {
				if e.Get("event").String() != "match_end" || p.Get("client_num").Int() != own {
					continue
				}
				for power := range p.Get("force_powers").Children() {
					counted[power.Get("force_power").Name()] += power.Get("uses").Int()
				}
			}
		}
	}
	if counted["push"] != extended[push] || counted["pull"] != extended[pull] ||
		extended[push]+extended[pull] < 40 {
		t.Errorf("%d pushes and %d pulls, of client %d; hands: %d and %d", counted["push"], counted["pull"], own,
			extended[push], extended[pull])
	}
}

// find returns the first value with a key below another one.
func find(v dissect.Value, key string) dissect.Value {
	for c := range v.Children() {
		if c.Key() == key {
			return c
		}
		if f := find(c, key); f.Exists() {
			return f
		}
	}
	return dissect.Value{}
}
