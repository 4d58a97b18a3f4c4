package world

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestPersistantByName: the places are those of persEnum_t in the sources of each game, code/game/bg_public.h; in OSP
// and CPMA the place of hits is damage.
func TestPersistantByName(t *testing.T) {
	for _, tt := range []struct {
		family uint8
		index  int
		name   string // "": none
	}{
		{tables.Module([]byte("baseq3")), 1, "hits"},
		{tables.Module([]byte("baseq3")), 15, ""},
		{tables.FamilyOpenArena, 8, "killed"},
		{tables.FamilyCPMA, 1, "damage"},
		{tables.FamilyOSP, 1, "damage"},
		{tables.FamilyOSP, 0, "score"},
		{tables.FamilyPadman, 2, "hits"},
		{tables.FamilyPadman, 15, "sprayawards_count"},
		{tables.FamilyET, 9, "revive_count"},
		{tables.FamilyET, 1, ""},
		{0, 1, ""},
	} {
		family := tt.family
		r := Reader{Family: &family}
		tree := &dissect.Tree{Family: family}
		tree.Open(&playerField, 0)
		tree.Open(&playerArrays[persistantArray], 0)
		tree.AddAt(playerArrays[persistantArray].Children[0], tt.index, 77, 8, 16)
		tree.Close(24)
		r.addPersistantNamed(tree, 1)
		tree.Close(24)
		named := tree.Top().Get("player_state").Get("persistant_by_name")
		if named.Exists() != (tt.name != "") || tt.name != "" && named.Get(tt.name).Int() != 77 {
			t.Errorf("family %d, element %d: %v, want %q", family, tt.index, named, tt.name)
		}
	}
}
