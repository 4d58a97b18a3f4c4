package dissect

// An InputKind says where an Input comes from.
type InputKind uint8

// The kinds.
const (
	InputCommand InputKind = iota // a client's own input, as it sent it for one of its frames
	InputView                     // the player whose view a state of the game is
	InputSeen                     // another player, as a state of the game shows him
)

// String gives the word of the statistics.
func (k InputKind) String() string { return [...]string{"command", "view", "seen"}[k] }

// An Input is what a player does at a moment of the game, or what is seen of it. With Options.Inputs a conversation
// of a game that has players with a direction of view puts those of each datagram into Record.Inputs, in order.
// What the client or the server repeats comes once; messages that come doubled or late have none.
type Input struct {
	Kind   InputKind
	Player int   // number of the client; -1: not known
	Time   int64 // the game's clock, in milliseconds

	// The direction of view in degrees: where the crosshair is. Of a game without a third dimension Pitch is 0.
	Pitch, Yaw float32
	HasView    bool

	Attack    bool // of a command: the button is held
	HasAttack bool // Attack is known

	// Place is where the player is, in the game's units: east, north, up in games with three dimensions, as far as the
	// maps go; right and down, and 0, in games that are seen from the side.
	Place    [3]float32
	HasPlace bool

	Speed    float32 // over ground, in the game's units per second
	HasSpeed bool

	Shots int // since the moment before, as far as the moment shows
	Hits  int // shots that hit somebody; of a view alone

	// OffTarget is the angle, in degrees, between the crosshair and the middle of the other player who is nearest to
	// it; of a view alone.
	OffTarget float32
	HasTarget bool
}
