package replay

// A Replay is who and what was where on one map, over time. Its lists are packed: see packed. A list of places has of
// each the difference to the line through the two before.
type Replay struct {
	Map   int      `json:"map"`   // index into the game's maps; -1: not known
	Names []string `json:"names"` // of weapons and items; the first is ""
	// Clock is how far the game's clock is ahead of the axis, in milliseconds; absent where it is not one clock.
	Clock *int64 `json:"clock,omitempty"`
	// Still means that nothing moved between two states until just before the second: none is missing.
	Still bool `json:"still,omitempty"`

	// Count is how many states there are. Times has the milliseconds of each since the one before, the first since the
	// beginning of the axis; Records what the number of its packet or message grew by.
	Count   int    `json:"count"`
	Times   string `json:"times"`
	Records string `json:"records"`

	Tracks []Track `json:"tracks"`
	// Things are the others: of each kind, name, owner + 1, the state it is seen first in (since that of the thing
	// before), in how many states more, place, and how many places follow, each with its state and place since the one
	// before. A beam has its other end in place of that number, since its place.
	Things     string `json:"things,omitempty"`
	ThingCount int    `json:"thing_count,omitempty"`
}

// A Track is one player. A run of places is from one state to another without a jump: of each run, how many states it
// begins after the last one, and how many places it has; in a run, places have a column of their own: the states since
// the place before.
type Track struct {
	Player int    `json:"player"`
	Count  int    `json:"count"` // places of all runs
	Runs   string `json:"runs"`
	Steps  string `json:"steps,omitempty"` // states since the place before, less 1; absent where all are 0
	X      string `json:"x"`
	Y      string `json:"y"`
	Z      string `json:"z,omitempty"`
	Yaw    string `json:"yaw,omitempty"` // in 256ths of a turn, since the place before
	// Changes are of what a player has: places since the last change, a key and the value from then on.
	Changes string `json:"changes,omitempty"`
}

// Keys of changes.
const (
	keyWeapon = iota // index into Names
	keyHealth        // -1: not known
	keyArmor
	keyState // bits, the lowest first: dead, fires, carries the red, blue or other flag, of the view, direction not known
	numKeys
)
