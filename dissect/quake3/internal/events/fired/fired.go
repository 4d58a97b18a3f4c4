// Package fired writes the event of a shot: what the input shows of it, margins and reasons, and no result.
package fired

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// Shared are the fields of the game's events that a shot has too.
type Shared struct {
	Client, Target, Weapon, Reason, Players *dissect.Field
}

// Fields are the fields that only shots have.
var Fields = []*dissect.Field{
	&commandTime, &commandFrame, &timerAgrees, &snapshotTime, &displaced, &muzzle, &muzzleError, &pitch, &yaw,
	&directions, &rule, &hits, &damage, &shotsBetween, &eventsLost, &impact, &impactPlace, &impactEntity, &seed,
	&killed,
}

// PlayerFields are the fields that only players near a shot have.
var PlayerFields = []*dissect.Field{
	&away, &screenAngle, &screen, &traced, &tracedError, &moved, &place, &playerReason,
}

var (
	commandTime = dissect.Field{
		Key: "command_time", Kind: dissect.Int, Unit: "ms",
		Doc: "shot: the time of the user command that fired, by the game's clock",
	}
	commandFrame = dissect.Field{
		Key: "command_frame", Kind: dissect.Uint, Doc: "shot: number of the frame that brought the command first",
	}
	timerAgrees = dissect.Field{
		Key: "timer_agrees", Kind: dissect.Bool,
		Doc: "shot: the weapon's timer, replayed over the commands, ends as the next state has it; absent without commands",
	}
	snapshotTime = dissect.Field{
		Key: "snapshot_time", Kind: dissect.Int, Unit: "ms",
		Doc: "shot: of the newest state of the game that the client had acknowledged when the command left",
	}
	displaced = dissect.Field{
		Key: "displaced", Kind: dissect.Bool,
		Doc: "shot: true where later events displaced that of the shot, and the timer shows it; absent otherwise",
	}
	muzzle      = vector("muzzle", "shot: where it begins")
	muzzleError = dissect.Field{
		Key: "muzzle_error", Kind: dissect.Float, Unit: "units",
		Doc: "shot: how far the muzzle may be wrong, apart from rounding",
	}
	pitch = dissect.Field{
		Key: "pitch", Kind: dissect.Float, Unit: "deg",
		Doc: "shot: of the view; down is positive",
	}
	yaw        = dissect.Field{Key: "yaw", Kind: dissect.Float, Unit: "deg", Doc: "shot: of the view"}
	directions = dissect.Field{
		Key: "directions", Kind: dissect.List,
		Doc:      "shot: of each bullet, of length 1; absent where they are known to the weapon's spread alone",
		Children: []*dissect.Field{{Kind: dissect.Object, Children: []*dissect.Field{&directionX, &directionY, &directionZ}}},
	}
	directionX = dissect.Field{Key: "x", Kind: dissect.Float}
	directionY = dissect.Field{Key: "y", Kind: dissect.Float}
	directionZ = dissect.Field{Key: "z", Kind: dissect.Float}

	rule = dissect.Field{
		Key: "rule", Kind: dissect.Label,
		Doc: "shot: what the server traces others against: command time, one frame ago, arrival; absent: not known",
	}
	hits = dissect.Field{
		Key: "hits", Kind: dissect.Int,
		Doc: "shot: change of the server's counter of hits, over all shots_between: enemies less team mates; absent where " +
			"the game's module is not known to count so",
		Source: "G_Damage, code/game/g_combat.c",
	}
	damage = dissect.Field{
		Key: "damage", Kind: dissect.Int, Doc: "shot: the same in games that count points of damage there: OSP, CPMA",
	}
	shotsBetween = dissect.Field{
		Key: "shots_between", Kind: dissect.Uint, Doc: "shot: how many shots the two states around it show",
	}
	eventsLost = dissect.Field{
		Key: "events_lost", Kind: dissect.Uint,
		Doc: "shot: events of the player between these states that they do not show; absent: none",
	}
	impact = dissect.Field{
		Key: "impact", Kind: dissect.Label, Doc: "shot: what the server shows of it: flesh, wall, rail, pellets, missile",
	}
	impactPlace  = vector("impact_place", "shot: where")
	impactEntity = dissect.Field{
		Key: "impact_entity", Kind: dissect.Uint,
		Doc: "shot: number of the entity that shows it",
	}
	seed   = dissect.Field{Key: "seed", Kind: dissect.Uint, Doc: "shot: of the pellets' directions"}
	killed = dissect.Field{
		Key: "killed", Kind: dissect.List, Doc: "shot: numbers of the players whom the shooter kills between these states",
		Children: []*dissect.Field{{Kind: dissect.Uint}},
	}

	away = dissect.Field{
		Key: "away", Kind: dissect.Float, Unit: "units",
		Doc: "shot: how far the player is from the muzzle",
	}
	screenAngle = dissect.Field{
		Key: "screen_angle", Kind: dissect.Float, Unit: "deg",
		Doc: "shot: between the view and the middle of the player, as the shooter's screen showed him",
	}
	screen = dissect.Field{
		Key: "screen", Kind: dissect.Float, Unit: "units",
		Doc: "shot: how far the nearest bullet would have passed beside the player's box there; negative: " +
			"through it, so deep",
	}
	traced = dissect.Field{
		Key: "traced", Kind: dissect.Float, Unit: "units", Doc: "shot: the same against the place that the server traced",
	}
	tracedError = dissect.Field{
		Key: "traced_error", Kind: dissect.Float, Unit: "units",
		Doc: "shot: how far that may be wrong",
	}
	moved = dissect.Field{
		Key: "moved", Kind: dissect.Float, Unit: "units",
		Doc: "shot: between the player's places on the screen and in the trace",
	}
	place        = vector("place", "shot: that the server traced")
	playerReason = dissect.Field{Key: "reason", Kind: dissect.Label, Doc: "shot: why the trace is not known"}
)

func vector(key, doc string) dissect.Field {
	return dissect.Field{
		Key: key, Kind: dissect.Object, Unit: "units", Doc: doc, Children: []*dissect.Field{&vectorX, &vectorY, &vectorZ},
	}
}

var (
	vectorX = dissect.Field{Key: "x", Kind: dissect.Float, Unit: "units"}
	vectorY = dissect.Field{Key: "y", Kind: dissect.Float, Unit: "units"}
	vectorZ = dissect.Field{Key: "z", Kind: dissect.Float, Unit: "units"}
)

// A writer adds the fields of a shot.
type writer struct{ *eventtree.Writer }

func (w writer) vector(f *dissect.Field, v [3]float64) {
	w.Tree.Open(f, 0)
	for i, c := range f.Children {
		w.Float(c, v[i])
	}
	w.Tree.Close(0)
}

// Write adds the event of a shot. identify adds who a player is, by number, to the object that is open.
func Write(to *eventtree.Writer, shared *Shared, s *extract.Shot, identify func(number int)) {
	w := writer{to}
	player := func(f *dissect.Field, number int) {
		w.Tree.Open(f, 0)
		identify(number)
		w.Tree.Close(0)
	}
	w.Begin(event.Shot)
	player(shared.Client, s.Shooter)
	if s.Weapon != "" {
		w.Label(shared.Weapon, s.Weapon)
	}
	w.command(s)
	if s.HasMuzzle {
		w.vector(&muzzle, s.Muzzle)
		w.Float(&muzzleError, s.MuzzleError)
	}
	if s.HasView {
		w.Float(&pitch, s.Pitch)
		w.Float(&yaw, s.Yaw)
	}
	if len(s.Rays) > 0 && (s.Spread == 0 || len(s.Impacts) > 0) {
		w.Tree.Open(&directions, 0)
		for _, ray := range s.Rays {
			w.vector(directions.Children[0], ray)
		}
		w.Tree.Close(0)
	}
	if s.Rule != "" {
		w.Label(&rule, s.Rule)
	}
	if s.Why != "" {
		w.Label(shared.Reason, s.Why)
	}
	w.players(shared.Players, s, identify)
	w.answer(s, func(number int) { player(shared.Target, number) })
	w.End()
}

// command adds which command fired.
func (w writer) command(s *extract.Shot) {
	if s.Found {
		w.Number(&commandTime, s.Command)
		w.Tree.Add(&commandFrame, s.CommandFrame, 0, 0)
	}
	if s.Found || s.Replayed {
		w.Tree.AddBool(&timerAgrees, s.Replayed, 0, 0)
	}
	if s.HasHad {
		w.Number(&snapshotTime, s.Had)
	}
	w.Flag(&displaced, s.Unseen)
}

// players adds the players near a shot, the nearest one first.
func (w writer) players(list *dissect.Field, s *extract.Shot, identify func(number int)) {
	if len(s.Targets) == 0 {
		return
	}
	order := make([]*extract.Target, len(s.Targets))
	for i := range s.Targets {
		order[i] = &s.Targets[i]
	}
	slices.SortStableFunc(order, extract.Nearer)
	w.Tree.Open(list, 0)
	for _, t := range order {
		w.Tree.Open(list.Children[0], 0)
		identify(t.Player)
		w.Float(&away, t.Away)
		if t.OnScreen {
			w.Float(&screenAngle, t.Angle)
			w.Float(&screen, t.Screen)
		}
		if t.HasTraced {
			w.Float(&traced, t.Traced)
			w.Float(&tracedError, t.Error)
			if t.OnScreen {
				w.Float(&moved, t.Moved)
			}
			w.vector(&place, t.Place)
		}
		if t.Why != "" {
			w.Label(&playerReason, t.Why)
		}
		w.Tree.Close(0)
	}
	w.Tree.Close(0)
}

// answer adds what the server answered.
func (w writer) answer(s *extract.Shot, target func(number int)) {
	if s.HasHits {
		w.Number(&hits, int64(s.Hits))
	}
	if s.HasDamage {
		w.Number(&damage, int64(s.Damage))
	}
	w.Tree.Add(&shotsBetween, uint64(s.Between), 0, 0)
	if s.Lost > 0 {
		w.Tree.Add(&eventsLost, uint64(s.Lost), 0, 0)
	}
	if len(s.Impacts) > 0 {
		i := &s.Impacts[0]
		w.Label(&impact, i.Kind.String())
		w.vector(&impactPlace, i.Place)
		if i.Target >= 0 {
			target(i.Target)
		}
		w.Tree.Add(&impactEntity, uint64(i.Entity), 0, 0)
		if i.Seed >= 0 {
			w.Tree.Add(&seed, uint64(i.Seed), 0, 0)
		}
	}
	if len(s.Killed) > 0 {
		w.Tree.Open(&killed, 0)
		for _, number := range s.Killed {
			w.Tree.Add(killed.Children[0], uint64(number), 0, 0)
		}
		w.Tree.Close(0)
	}
}
