package events

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestObjectives reports popup messages of Enemy Territory. The names are those of the map in demo01_legacy.tv_84; what
// the numbers mean is in CG_GetPMItemText of ET: Legacy.
func TestObjectives(t *testing.T) {
	g := newGameView(nil)
	g.family = tables.FamilyET
	for index, name := range map[int]string{
		769: "the Door controls", 770: "the Allied CP",
		911: "The depth charge fuel is damaged.", 912: "the documents",
	} {
		g.setName(index, []byte(name))
	}
	rec := dissect.NewRecord()
	rec.Events.Family = g.family
	w := newEventWriter()
	w.use(rec, g)
	for _, popup := range [][4]int32{
		{0, 0, 0, 0},
		{0, 1, 0, 0},
		{1, 0, 1, 2},
		{1, -1, 0, 1},
		{6, 0, 1, 1},
		{6, 1, 1, 2},
		{5, 2, 1, 0},
		{5, 1, 1, 1},
		{6, 1, 9, 2},
		{7, 1, 3, 0},
		{2, 1, 3, 0},
		{0, 2, 0, 0},
		{5, 1, 1, 2},
		{0, 0, -1, 0}, // of players and mines, and what does not exist
	} {
		g.reportObjective(&w, &popup)
	}
	g.announce(&w, []byte("^1Allies^7 have breached the wall!\n"), []byte("2"))
	for _, icon := range []string{"", "x", "11", "14"} { // PM_CONNECT, PM_DISCONNECT: the capture et-84-play has the first
		if g.announce(&w, []byte("^7LabTwo^7 connected\n"), []byte(icon)) {
			t.Errorf("a sentence with icon %q is announced", icon)
		}
	}
	g.reportSiege(&w, &scene.Event{Kind: scene.Siege, Client: 4, Team: 2, Value: 3, KnowsValue: true})
	g.reportSiege(&w, &scene.Event{Kind: scene.Siege, Client: 4, Team: 9, Value: 3, KnowsValue: true})
	g.reportSiege(&w, &scene.Event{Kind: scene.Siege, Client: -1, Team: 1})
	if g.match.mapWinner != 1 {
		t.Errorf("team %d has won the siege", g.match.mapWinner)
	}
	var got []string
	for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
		got = append(got, string(AppendSentence(nil, &rec.Events, i)))
	}
	want := []string{
		"dynamite planted at the Door controls", "dynamite defused at the Door controls", "allies: the Allied CP constructed",
		"axis: The depth charge fuel is damaged. constructed", "axis: the Allied CP damaged",
		"allies: the Allied CP destroyed", "allies: the documents stolen", "axis: the documents returned",
		"allies: something destroyed", "Allies have breached the wall!", "allies: 3 completed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
