package timeline

import (
	"cmp"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// Limits and steps of aiming.
const (
	aimPlayers = 256
	aimShots   = 1500 // of a player, whose frames are kept
	aimReach   = 300  // ms before and after a shot
	aimStep    = 25   // ms
	aimBins    = 2 * aimReach / aimStep
	aimGap     = 250 // ms: two views further apart are not compared
	aimTurn    = 100 // ms before a shot, over which its turn is measured
)

// An Aim is how fast a player's view turns around his shots. Shots are presses of the attack button where commands of
// the client show them, and the game's shots otherwise.
type Aim struct {
	Stream int    `json:"stream"`
	Kind   string `json:"kind"` // of the statistic input: command, view, seen
	Client int    `json:"client"`
	Name   string `json:"name,omitempty"`
	Game   *int   `json:"game,omitempty"`
	Count  int    `json:"count"` // shots

	// Mean is the mean speed of turning in degrees a second, for each Step milliseconds from -Reach to Reach; Usual is
	// that of all the time.
	Step  int        `json:"step"`
	Reach int        `json:"reach"`
	Mean  []*float64 `json:"mean"`
	Usual float64    `json:"usual"`

	Times  []float64 `json:"times"` // of shots
	Frames []uint64  `json:"frames"`
	Turns  []float64 `json:"turns"` // degrees in the tenth of a second before
}

type aimKey struct {
	stream int
	kind   extract.InputKind
	player int
}

// An aimer follows the view of one player.
type aimer struct {
	game  *Game
	last  extract.Input
	any   bool
	turns []turnAt // of the last aimReach
	shots []int64  // that are still followed
	sum   [aimBins]float64
	count [aimBins]float64
	out   Aim

	allTurned, allTime float64
}

// A turnAt is how fast the view turned between two moments of the game's clock, in ms.
type turnAt struct {
	from, to int64
	speed    float64 // degrees a second
}

// aims follow the views of all players.
type aims map[aimKey]*aimer

// add adds the inputs of a record, and reports whether a player shoots in it.
func (a aims) add(g *Game, rec *dissect.Record, c *clock, notes *notes) (shot bool) {
	for i := range rec.Inputs {
		in := &rec.Inputs[i]
		if !in.HasView {
			continue
		}
		key := aimKey{rec.Stream, in.Kind, in.Player}
		one := a[key]
		if one == nil {
			if len(a) >= aimPlayers {
				notes.add("Aiming of more than %d players: those who came later are left out.", aimPlayers)
				continue
			}
			one = &aimer{game: g, out: Aim{Stream: rec.Stream, Kind: in.Kind.String(), Client: in.Player}}
			a[key] = one
		}
		shot = one.add(in, rec, c) || shot
	}
	return shot
}

// add adds an input, and reports whether it has a shot.
func (a *aimer) add(in *extract.Input, rec *dissect.Record, c *clock) (shot bool) {
	passed := in.Time - a.last.Time
	if a.any && passed <= 0 && passed > -aimGap {
		return false // seen before
	}
	if !a.any || passed < 0 || passed > aimGap {
		a.turns, a.shots = a.turns[:0], a.shots[:0]
	} else {
		degrees := math.Hypot(math.Remainder(float64(in.Pitch-a.last.Pitch), 360),
			math.Remainder(float64(in.Yaw-a.last.Yaw), 360))
		t := turnAt{a.last.Time, in.Time, degrees * 1000 / float64(passed)}
		a.allTurned, a.allTime = a.allTurned+degrees, a.allTime+float64(passed)/1000
		a.turns = append(a.turns, t)
		for len(a.turns) > 0 && in.Time-a.turns[0].to > aimReach {
			a.turns = a.turns[1:]
		}
		for _, shot := range a.shots {
			a.spreadOver(t, shot)
		}
		a.shots = slices.DeleteFunc(a.shots, func(shot int64) bool { return in.Time-shot >= aimReach })
	}
	pressed := in.HasAttack && in.Attack && a.any && a.last.HasAttack && !a.last.Attack
	if shot = a.any && (pressed || in.Kind != extract.InputCommand && in.Shots > 0); shot {
		a.shoot(in, rec, c)
	}
	a.last, a.any = *in, true
	return shot
}

// shoot adds a shot.
func (a *aimer) shoot(in *extract.Input, rec *dissect.Record, c *clock) {
	a.out.Count++
	turn := 0.0
	for _, t := range a.turns {
		a.spreadOver(t, in.Time)
		if over := t.to - max(t.from, in.Time-aimTurn); over > 0 {
			turn += t.speed * float64(over) / 1000
		}
	}
	a.shots = append(a.shots, in.Time)
	if len(a.out.Times) < aimShots && c.known {
		a.out.Times, a.out.Frames, a.out.Turns = append(a.out.Times, thousandths(c.now)), append(a.out.Frames, rec.Number()),
			append(a.out.Turns, math.Round(turn*10)/10)
	}
}

// spreadOver counts a turn in the bins around a shot that it reaches into, by how much of it lies there.
func (a *aimer) spreadOver(t turnAt, shot int64) {
	for bin := range aimBins {
		from := shot - aimReach + int64(bin)*aimStep
		if over := min(t.to, from+aimStep) - max(t.from, from); over > 0 {
			a.sum[bin] += t.speed * float64(over)
			a.count[bin] += float64(over)
		}
	}
}

// data returns the aim of the players who shot.
func (a aims) data(own map[int]string, games []*Game) []Aim {
	list := []Aim{}
	for _, one := range a {
		if one.out.Count == 0 {
			continue
		}
		out := one.out
		out.Step, out.Reach = aimStep, aimReach
		for bin := range aimBins {
			var mean *float64
			if one.count[bin] > 0 {
				v := math.Round(one.sum[bin]/one.count[bin]*10) / 10
				mean = &v
			}
			out.Mean = append(out.Mean, mean)
		}
		if one.allTime > 0 {
			out.Usual = math.Round(one.allTurned/one.allTime*10) / 10
		}
		if i := slices.Index(games, one.game); i >= 0 {
			out.Game = &i
		}
		if one.game != nil && out.Client >= 0 {
			if player, ok := one.game.roster[int64(out.Client)]; ok {
				out.Name = one.game.Players[player].Clean
			}
		}
		if out.Name == "" && one.out.Kind != extract.InputSeen.String() {
			out.Name = own[out.Stream]
		}
		list = append(list, out)
	}
	slices.SortFunc(list, func(a, b Aim) int {
		return cmp.Or(cmp.Compare(a.Stream, b.Stream), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Client, b.Client))
	})
	return list
}
