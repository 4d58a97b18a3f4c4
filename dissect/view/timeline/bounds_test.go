package timeline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// A rate keeps every byte when its steps become longer.
func TestRateFolds(t *testing.T) {
	t.Parallel()
	var r rates
	rec := dissect.NewRecord()
	rec.Length = 10
	const n = 10_000 // seconds, more than there are steps
	for i := range n {
		r.add(rec, &clock{known: true, now: float64(i)})
	}
	d := r.data()
	var bytes uint64
	for _, b := range d.Series[0].Bytes {
		bytes += b
	}
	if len(d.Series[0].Bytes) > maxSteps || bytes != 10*n || d.Step != 8 || d.Series[0].Bytes[0] != 80 {
		t.Errorf("%d steps of %v s with %d bytes, first %d", len(d.Series[0].Bytes), d.Step, bytes, d.Series[0].Bytes[0])
	}
}

// Ways have half as many places when there are too many, and the same ones.
func TestTracksHalve(t *testing.T) {
	t.Parallel()
	g := &Game{View: "above", roster: map[int64]int{}, byName: map[string]int{}, ways: map[int]*way{}}
	var tr tracks
	rec := dissect.NewRecord()
	const n = 1000
	for i := range n {
		rec.Inputs = append(rec.Inputs[:0], extract.Input{
			Kind: extract.InputSeen, Player: 3,
			Place: [3]float32{float32(i), float32(-i), 7}, HasPlace: true,
		})
		tr.add(g, rec, float64(i)*trackStep+trackStep/2)
	}
	tr.halve()
	tr.halve()
	g.draw(tr.step())
	track := g.Tracks[0]
	if len(track.Times) != n/4 || track.Step != 4*trackStep || tr.samples != n/4 {
		t.Fatalf("%d places %v s apart, %d counted", len(track.Times), track.Step, tr.samples)
	}
	for i := range track.Times {
		if i > 0 && (track.Times[i] != 1 || track.X[i] != 4 || track.Y[i] != -4 || track.Z[i] != 0) {
			t.Fatalf("place %d is %d later at %d, %d, %d", i, track.Times[i], track.X[i], track.Y[i], track.Z[i])
		}
	}
	if track.Times[0] != 0 || track.X[0] != 0 || track.Y[0] != 0 || track.Z[0] != 7 {
		t.Errorf("the first place is %d, %d, %d at %d", track.X[0], track.Y[0], track.Z[0], track.Times[0])
	}
}

// Somebody who changes his name stays the same player; another one with his number is another.
func TestRoster(t *testing.T) {
	t.Parallel()
	g := &Game{roster: map[int64]int{}, byName: map[string]int{}}
	for _, step := range []struct{ kind, name string }{
		{"connect", "first"},
		{"rename", "second"},
		{"enter", "second"},
		{"connect", "third"},
	} {
		var e dissect.Tree
		e.Open(&clientField, 0)
		e.Add(&numberField, 4, 0, 0)
		e.AddBytes(&nameField, []byte(step.name), 0, 0)
		e.AddBytes(&cleanField, []byte(step.name), 0, 0)
		e.CloseAll(0)
		g.come(e.At(0), step.kind, 1)
	}
	if len(g.Players) != 2 || g.Players[0].Name != "second" || len(g.Players[0].Names) != 2 ||
		g.Players[1].Name != "third" {
		t.Errorf("players %+v, %+v", g.Players[0], g.Players[len(g.Players)-1])
	}
}

// Who is known by name alone and later gets a number is one player, unless several have the name.
func TestNumberless(t *testing.T) {
	t.Parallel()
	index := func(i int) *int { return &i }
	g := &Game{
		Players: []*Player{
			{Client: -1, Name: "^1Sarge", Clean: "Sarge", sides: map[string]int{"blue": 3}},
			{Client: -1, Name: "Two", Clean: "Two"},
			{Client: 2, Name: "Two", Clean: "Two"},
			{Client: 1, Name: "Sarge", Clean: "Sarge", sides: map[string]int{"red": 1}, Team: "red"},
			{Client: 3, Name: "Two", Clean: "Two"},
			{Client: 4},
			{Client: -1, Name: "Only", Clean: "Only"},
		},
		Events: []Event{{Player: index(0), Other: index(3)}, {Player: index(1), Other: index(4)}, {Other: index(6)}, {}},
		damage: []damageAt{{player: 3}, {player: 99}},
		done:   []*way{{player: 3}, {player: 5}},
		roster: map[int64]int{1: 3, 4: 5},
	}
	g.joinNumberless()
	var names []string
	for _, p := range g.Players {
		names = append(names, fmt.Sprint(p.Client, p.Clean, p.Team))
	}
	const want = "-1Two,2Two,1Sargeblue,3Two,4,-1Only"
	if got := strings.ReplaceAll(strings.Join(names, ","), " ", ""); got != want {
		t.Errorf("players %s, want %s", got, want)
	}
	at := func(i *int) string { return g.Players[*i].Clean }
	if e := g.Events; at(e[0].Player) != "Sarge" || *e[0].Player != *e[0].Other || *e[1].Player != 0 || *e[1].Other != 3 ||
		at(e[2].Other) != "Only" || e[3].Player != nil {
		t.Errorf("events lead to others: %+v", e)
	}
	if g.roster[1] != 2 || g.roster[4] != 4 {
		t.Errorf("numbers lead to %v", g.roster)
	}
	if g.damage[0].player != 2 || g.damage[1].player != 99 || g.done[0].player != 2 || g.done[1].player != 4 {
		t.Errorf("damage %v, ways %v %v", g.damage, g.done[0], g.done[1])
	}
}

var (
	clientField = dissect.Field{Key: "client", Kind: dissect.Object, Children: []*dissect.Field{&numberField, &nameField, &cleanField}}
	numberField = dissect.Field{Key: "client_num", Kind: dissect.Uint}
	nameField   = dissect.Field{Key: "name", Kind: dissect.Text}
	cleanField  = dissect.Field{Key: "name_clean", Kind: dissect.Text}
)

// Events are left out beyond the limit of a game and beyond that of all games, which the notes say.
func TestEventsAreBounded(t *testing.T) {
	t.Parallel()
	c := New(Options{})
	const games = 3
	for i := range games {
		key := gameKey{stream: i}
		c.games[key] = &Game{}
		c.order = append(c.order, key)
	}
	for i := range games {
		h := merge.Happening{Text: fmt.Appendf(nil, `{"game":%d,"event":{"t":1,"frame":1,"event":"chat"}}`, i)}
		for range maxEvents + i {
			c.show(&h)
		}
	}
	for i, want := range []int{maxEvents, maxAll - maxEvents, 0} {
		if n := len(c.games[c.order[i]].Events); n != want {
			t.Errorf("game %d has %d events, want %d", i, n, want)
		}
	}
	if notes := strings.Join(c.notes.list, "\n"); !strings.Contains(notes, "90000 events of all games") {
		t.Errorf("notes are %q", notes)
	}
}
