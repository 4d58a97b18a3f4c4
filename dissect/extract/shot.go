package extract

import (
	"cmp"
	"math"
)

// A Shot is one shot of the player whose view a conversation has: what the input shows of it, what the shooter's screen
// showed, and what the server answered. With dissect.Options.Shots, a conversation of a game that has shots puts them
// into dissect.Record.Shots, with the state of the game that shows them.
type Shot struct {
	Shooter int    // number of the client
	Time    int64  // of the state of the game that shows the shot, in milliseconds
	Weapon  string // the game's name, "" if it is not known
	Number  int    // of the weapon
	Unseen  bool   // its event was displaced by later ones; the replay of the weapon's timer shows the shot

	// Command is the user command that fired.
	Command      int64  // its time; see Found
	CommandFrame uint64 // number of the record that brought it first
	Found        bool
	Replayed     bool // the weapon's timer, replayed over the commands, ends as the next state shows it
	// Had is the time of the newest state that the client had acknowledged when the command left.
	Had    int64
	HasHad bool

	Muzzle      [3]float64
	MuzzleError float64 // units, at most
	HasMuzzle   bool
	Pitch, Yaw  float64 // of the view, in degrees
	HasView     bool
	// Rays are directions of unit length, one for each bullet. Spread is how far a bullet may be from its ray, in units
	// for each unit of way: 0 where the direction is known.
	Rays   [][3]float64
	Spread float64
	Range  float64 // units; 0: unlimited

	// Rule is how the server places others for the trace, "" if it is not known, and Why is why nothing can be said of
	// the trace of this shot; "": it can.
	Rule string
	Why  string

	Targets []Target

	// What the server answered, between the states before and after the shot.
	// Hits are by the counter of hits: enemies less team mates, of all shots between the two states.
	Hits      int
	HasHits   bool // the game is known to count hits; mods may count damage
	Damage    int  // points that all shots between the two states did, in games that count these instead
	HasDamage bool
	Between   int      // shots between the two states
	Impacts   []Impact // of this weapon and shooter
	// Killed are the players that the shooter killed.
	Killed []int
	// Lost is how many events of the shooter between the two states are not in the input.
	Lost int
}

// Shots are the shots of one record. A record has a pointer to them: many records may wait.
type Shots struct{ list []Shot }

// Add appends shots.
func (s *Shots) Add(list ...Shot) { s.list = append(s.list, list...) }

// All returns the shots; a nil Shots has none.
func (s *Shots) All() []Shot {
	if s == nil {
		return nil
	}
	return s.list
}

// Nearer compares two targets of a shot: the one whom it came nearer is less. What counts is the trace, or else the
// screen.
func Nearer(a, b *Target) int {
	margin := func(t *Target) float64 {
		switch {
		case t.HasTraced:
			return t.Traced
		case t.OnScreen:
			return t.Screen
		}
		return math.Inf(1)
	}
	return cmp.Or(cmp.Compare(margin(a), margin(b)), cmp.Compare(a.Player, b.Player))
}

// An Impact is where a bullet ended, or a missile began, by the server.
type Impact struct {
	Kind   ImpactKind
	Place  [3]float64
	Target int // the player who was hit; -1: none, or not known
	Entity int // number of the entity that shows it
	Seed   int // of pellets; -1: none
}

// An ImpactKind is what the server shows of a shot.
type ImpactKind uint8

// The kinds.
const (
	ImpactFlesh ImpactKind = iota
	ImpactWall
	ImpactRail
	ImpactPellets
	ImpactMissile
)

// String returns the word that rows use.
func (k ImpactKind) String() string {
	return [...]string{"flesh", "wall", "rail", "pellets", "missile"}[k]
}

// A Target is another living player near a shot.
type Target struct {
	Player int
	// Angle is between the view and the middle of the player, as the shooter's screen showed him, in degrees, and Screen
	// how far the nearest bullet would have passed beside his box there, in units; negative: through it, so deep.
	Angle, Screen float64
	Away          float64 // units from the muzzle
	OnScreen      bool
	// Traced is the same against the place that the server traced against, and Error how much it may be wrong, in units.
	Traced, Error float64
	Entry         [3]float64 // where the nearest bullet enters the box, or passes it
	Place         [3]float64 // that the server traced against
	// Apart is how far the muzzle is from the box of the trace, in units; negative: inside it, so deep. A trace that
	// begins inside a box and leaves it does not stop there: CM_TraceThroughBrush, code/qcommon/cm_trace.c.
	Apart     float64
	HasTraced bool
	Why       string  // why Traced is not known; "": it is
	Moved     float64 // units between the places on the screen and in the trace
}
