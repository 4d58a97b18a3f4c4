package outliers

import (
	"fmt"
	"iter"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A moment in a recording: what a Collector takes of a record.
type recorded struct {
	frame   uint64
	stream  int
	time    int64
	hasTime bool
	inputs  []extract.Input
}

// A tape is a recording that can be played again with changes.
type tape struct {
	records []recorded
	players []Player // as they are
	of      *Collector
	class   []Class // of each
}

// load reads a recording.
func load(t *testing.T, name string, captured bool) (tp tape) {
	t.Helper()
	in, err := open.File(name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		return tp
	}
	defer in.Close()
	c := New(nil)
	for rec, err := range in.Records(dissect.Options{Events: true, Inputs: true}) {
		if err != nil {
			break // what came before counts
		}
		c.Add(rec)
		if len(rec.Inputs) > 0 {
			tp.records = append(tp.records, recorded{
				rec.Number(), rec.Stream, rec.Time - rec.FirstTime, rec.HasTime, slices.Clone(rec.Inputs),
			})
		}
	}
	tp.players, tp.of = c.Players(), c
	for i := range tp.players {
		tp.class = append(tp.class, classOf(&tp.players[i], captured))
	}
	return tp
}

// A cheat changes the inputs of a player.
type cheat interface {
	// change reports whether the input stays.
	change(in *extract.Input, of *eyes) bool
}

// Eyes are what a player sees at an input.
type eyes struct {
	scene *scene
	list  []sight
}

// targets returns where the targets are, or were some ms before, as the screen of a player with that delay shows. They
// are valid until the next call.
func (e *eyes) targets(in *extract.Input, ago int64) []sight {
	if !in.HasView || in.Kind == extract.InputCommand {
		return nil
	}
	at := *in
	at.Time -= ago
	e.list = e.scene.sights(e.list[:0], &at, in.Player)
	return e.list
}

// play plays the tape with a cheat for every player.
func (tp *tape) play(make func() cheat) ([]Player, *Collector) {
	c, scenes, cheats := New(nil), map[int]*scene{}, map[playerKey]cheat{}
	rec := dissect.NewRecord()
	var of eyes
	for i := range tp.records {
		r := &tp.records[i]
		rec.Frame, rec.Stream, rec.Time, rec.HasTime = r.frame, r.stream, r.time, r.hasTime
		rec.Inputs = append(rec.Inputs[:0], r.inputs...)
		if scenes[r.stream] == nil {
			scenes[r.stream] = newScene()
		}
		s := scenes[r.stream]
		of.scene = s
		for i := range rec.Inputs {
			if in := &rec.Inputs[i]; in.Kind != extract.InputCommand && in.HasPlace && in.Player >= 0 {
				s.set(in)
			}
		}
		kept := rec.Inputs[:0]
		for i := range rec.Inputs {
			in := &rec.Inputs[i]
			key := playerKey{streamKey{"", r.stream}, in.Kind, in.Player}
			if cheats[key] == nil {
				cheats[key] = make()
			}
			if cheats[key].change(in, &of) {
				kept = append(kept, *in)
			}
		}
		rec.Inputs = kept
		c.Add(rec)
	}
	list := c.Players()
	for i := range list {
		if j := tp.find(&list[i]); j >= 0 {
			list[i].Group = tp.players[j].Group
		}
	}
	return list, c
}

// A playedTape is a tape with the players and collectors of each change.
type playedTape struct {
	tape
	changed map[string][]Player
	by      map[string]*Collector
}

// played plays recordings with changes, several recordings at once, and gives them in their order.
func played(t *testing.T, names []string, captured bool, changes map[string]func() cheat) iter.Seq[*playedTape] {
	return func(yield func(*playedTape) bool) {
		workers := make(chan struct{}, runtime.GOMAXPROCS(0))
		done := make([]chan *playedTape, len(names))
		for i := range done {
			done[i] = make(chan *playedTape, 1)
		}
		go func() {
			for i, name := range names {
				workers <- struct{}{}
				go func() {
					defer func() { <-workers }()
					p := &playedTape{load(t, name, captured), map[string][]Player{}, map[string]*Collector{}}
					for change, make := range changes {
						p.changed[change], p.by[change] = p.play(make)
					}
					p.records = nil
					done[i] <- p
				}()
			}
		}()
		for i := range done {
			if !yield(<-done[i]) {
				return
			}
		}
	}
}

// find returns the index of the same player among the unchanged ones.
func (tp *tape) find(p *Player) int {
	return slices.IndexFunc(tp.players, func(o Player) bool {
		return o.Stream == p.Stream && o.Kind == p.Kind && o.Number == p.Number
	})
}

// valuesOf returns the values of a measure.
func valuesOf(p *Player, m measure) *Values {
	for i := range p.Values {
		if p.Values[i].Measure == &Measures[m] {
			return &p.Values[i]
		}
	}
	return nil
}

// A snapper turns onto the nearest target within 30 degrees for the snapshot of every nth shot.
type snapper struct {
	every, shots int
	late         bool
}

func (c *snapper) change(in *extract.Input, of *eyes) bool {
	if in.Shots == 0 {
		return true
	}
	ago := int64(0)
	if c.late {
		ago = 50
	}
	sights := of.targets(in, ago)
	if len(sights) == 0 {
		return true
	}
	nearest := slices.MinFunc(sights, func(a, b sight) int { return int((a.off - b.off) * 1e6) })
	if nearest.off > 30 {
		return true
	}
	if c.shots++; c.shots%c.every == 0 {
		in.Pitch, in.Yaw = float32(nearest.pitch), float32(nearest.yaw)
	}
	return true
}

// A trigger shoots when the crosshair comes onto a body, twice a second at most, and never else.
type trigger struct {
	on   [maxScene]bool
	last int64
}

func (c *trigger) change(in *extract.Input, of *eyes) bool {
	in.Shots = 0
	sights := of.targets(in, 0)
	for i := range sights {
		s := &sights[i]
		on := s.off <= s.size
		if on && !c.on[s.number] && (in.Time-c.last >= 500 || in.Time < c.last) {
			in.Shots, c.last = 1, in.Time
		}
		c.on[s.number] = on
	}
	return true
}

// A hurry lets a client's clock run a tenth too fast.
type hurry struct {
	began int64
	any   bool
}

func (c *hurry) change(in *extract.Input, _ *eyes) bool {
	if in.Kind != extract.InputCommand {
		return true
	}
	if !c.any {
		c.began, c.any = in.Time, true
	}
	in.Time = c.began + (in.Time-c.began)*11/10
	return true
}

// A nudge shows a client the game 20 ms earlier: cl_timenudge -20.
type nudge struct{}

func (nudge) change(in *extract.Input, _ *eyes) bool {
	if in.Kind == extract.InputCommand {
		in.Time += 20
		in.Lead += 20
	}
	return true
}

// A strafer keeps the keys within some degrees of the best direction, to one side and the other in turn.
type strafer struct {
	off float32
	n   int
}

func (c *strafer) change(in *extract.Input, _ *eyes) bool {
	if in.HasStrafe {
		between := in.Strafe[1] - in.Strafe[0]
		in.Strafe[0] = c.off
		if c.n++; c.n%2 == 0 {
			in.Strafe[0] = -c.off
		}
		in.Strafe[1] = in.Strafe[0] + between
	}
	return true
}

// A throttle halves com_maxfps for ten seconds out of twenty.
type throttle struct{ n int }

func (c *throttle) change(in *extract.Input, _ *eyes) bool {
	if in.Kind != extract.InputCommand || in.Time/10_000%2 == 0 {
		return true
	}
	c.n++
	return c.n%2 == 0
}

// without returns the cohorts without one value of a player.
func without(p *Player, class Class, m measure, value float64) []cohort {
	list := slices.Clone(cohorts())
	for i := range list {
		o := &list[i]
		if o.of(p, class, Measures[m].Key) {
			for j, v := range o.Values {
				if near := float64(v) - value; near < 1e-3*max(1, value) && near > -1e-3*max(1, value) {
					o.Values = slices.Delete(slices.Clone(o.Values), j, j+1)
					break
				}
			}
		}
	}
	return list
}

// A rate counts players whose measure is beyond that of all others of the class, or of 95 % of them.
type rate struct{ n, all, most int }

func (r *rate) add(c Comparison, ok bool) {
	if !ok {
		return
	}
	r.n++
	if c.Beyond == 100 {
		r.all++
	}
	if c.Beyond >= 95 {
		r.most++
	}
}

func (r rate) String() string {
	if r.n == 0 {
		return "0 | | "
	}
	return fmt.Sprintf("%d | %d (%.0f %%) | %d (%.0f %%)", r.n, r.all, 100*float64(r.all)/float64(r.n), r.most,
		100*float64(r.most)/float64(r.n))
}

// TestSynthetic: known cheats are found in rewritten recordings, at the rates that docs/input.md states. Each player is
// compared with the others: his own values are left out.
func TestSynthetic(t *testing.T) {
	if os.Getenv("Q3DISSECT_LONG") == "" && !*update {
		t.Skip("it plays all recordings many times: make long")
	}
	demos, captures := recordings(t)
	rows := []struct {
		name  string
		of    measure
		class Class
		kinds []extract.InputKind
		make  func() cheat
		least int // percent that must be found
	}{
		{"aim snap, every 3rd shot", shotCentre, People, seenToo, func() cheat { return &snapper{every: 3} }, 80},
		{"aim snap, every 10th shot", shotCentre, People, seenToo, func() cheat { return &snapper{every: 10} }, 70},
		{"aim snap, every 30th shot", shotCentre, People, seenToo, func() cheat { return &snapper{every: 30} }, 0},
		{
			"aim snap, every 3rd shot, 50 ms late", shotCentre, People, seenToo,
			func() cheat { return &snapper{every: 3, late: true} }, 0,
		},
		{"aim snap, every 3rd shot", snapReturn, People, seenToo, func() cheat { return &snapper{every: 3} }, 0},
		{"trigger script", shotOffTarget, People, seenToo, func() cheat { return &trigger{} }, 90},
		{"trigger script", timeOnTarget, People, seenToo, func() cheat { return &trigger{} }, 0},
		{"strafe script, to 2 degrees", strafeError, People, seenToo, func() cheat { return &strafer{off: 2} }, 80},
		{"strafe script, to 8 degrees", strafeError, People, seenToo, func() cheat { return &strafer{off: 8} }, 0},
		{"com_maxfps halved and back", frameStep, Clients, commandsOnly, func() cheat { return &throttle{} }, 0},
		{"clock 1.1 times as fast", clockRate, Clients, commandsOnly, func() cheat { return &hurry{} }, 90},
		{"time nudge of 20 ms", snapshotLead, Clients, commandsOnly, func() cheat { return nudge{} }, 0},
	}
	found, unchanged := make([]rate, len(rows)), make([]rate, len(rows))
	halves := []*holdOut{
		{change: "aim snap, every 3rd shot"},
		{change: "aim snap, every 10th shot"},
		{change: "aim snap, every 3rd shot, 50 ms late"},
	}
	each := func(names []string, captured bool) {
		changes := map[string]func() cheat{}
		for _, row := range rows {
			if (row.class == Clients) == captured {
				changes[row.name] = row.make
			}
		}
		for tp := range played(t, names, captured, changes) {
			for _, h := range halves {
				h.add(&tp.tape, tp.changed[h.change], tp.by[h.change])
			}
			for i, row := range rows {
				changed := tp.changed[row.name]
				if (row.class == Clients) != captured {
					continue
				}
				for j := range changed {
					p := &changed[j]
					at := tp.find(p)
					if at < 0 || tp.class[at] != row.class || !slices.Contains(row.kinds, p.Kind) {
						continue
					}
					before, after := valuesOf(&tp.players[at], row.of), valuesOf(p, row.of)
					if before == nil || after == nil || !before.Enough || !after.Enough {
						continue
					}
					others := without(&tp.players[at], row.class, row.of, before.Summary)
					unchanged[i].add(tp.players[at].compareWith(others, row.class.String(), before))
					p.Rate = tp.players[at].Rate
					found[i].add(p.compareWith(others, row.class.String(), after))
				}
			}
		}
	}
	each(demos, false)
	each(captures, true)
	var b strings.Builder
	b.WriteString("| change | measure | players | found: beyond all others | beyond 95 % of them | " +
		"unchanged: beyond all others | beyond 95 % of them |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for i, row := range rows {
		_, asTheyAre, _ := strings.Cut(unchanged[i].String(), " | ")
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", row.name, Measures[row.of].Key, found[i], asTheyAre)
		if found[i].n == 0 || 100*found[i].most < row.least*found[i].n {
			t.Errorf("%s by %s: found %s", row.name, Measures[row.of].Key, found[i])
		}
	}
	t.Log("\n" + b.String())
	block(t, "rates", b.String())
	holdOutTable(t, halves)
}

var (
	seenToo      = []extract.InputKind{extract.InputView, extract.InputSeen}
	commandsOnly = []extract.InputKind{extract.InputCommand}
)
