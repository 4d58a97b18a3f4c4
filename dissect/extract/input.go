package extract

// An InputKind is the source of an Input.
type InputKind uint8

// The kinds.
const (
	InputCommand InputKind = iota // a client's own input, sent for one of its frames
	InputView                     // the player whose view a state of the game shows
	InputSeen                     // another player in a state of the game
)

// String returns the word that the statistics use.
func (k InputKind) String() string { return [...]string{"command", "view", "seen"}[k] }

// An Input is what a player does at a moment of the game, or what is seen of it. With dissect.Options.Inputs, a
// conversation of a game whose players have a direction of view puts the inputs of each datagram into
// dissect.Record.Inputs, in order. Repetitions by the client or the server are left out; messages that arrive twice or
// late have no inputs.
type Input struct {
	Kind   InputKind
	Player int   // number of the client; -1: not known
	Time   int64 // the game's clock, in milliseconds

	// The direction of view in degrees. In a game with two dimensions Pitch is 0.
	Pitch, Yaw float32
	HasView    bool
	Switched   bool // of a view: the one before was another player's

	Attack    bool // of a command: the button is held
	HasAttack bool // Attack is known

	Jump    bool // of a command: the player wants to go up
	HasJump bool // Jump is known

	// Lead is how far the clock of a command is ahead of the newest state of the game that the client acknowledges
	// received, in milliseconds.
	Lead    int32
	HasLead bool

	// Place is where the player is, in the game's units: east, north, up in games with three dimensions, as far as the
	// maps go; right and down, and 0, in games that are seen from the side.
	Place    [3]float32
	HasPlace bool
	// PlaceTime is when the player was there, by the clock of Time, if the state shows an earlier place; else 0.
	PlaceTime int64

	// Sum is the same for commands that are equal in every value which the server keeps; 0: not known.
	Sum uint64

	// Eye and Middle are how high the eyes and the middle of the body are above Place, in games with three dimensions.
	Eye, Middle float32

	Ground    bool // the player is on the ground
	HasGround bool

	Speed    float32 // over ground, in the game's units per second
	HasSpeed bool

	// Strafe is how far the player pushes from the direction that gains most speed, in degrees, of a player in the air who
	// is faster than he can run: without the jump key, and with it, which the state does not show.
	Strafe    [2]float32
	HasStrafe bool

	Noise bool // since the moment before something happened to the player that others can hear; of those seen

	Shots int // since the moment before, as far as the moment shows
	Hits  int // shots that hit somebody; of a view alone, in games that count hits

	Struck bool // at least one shot hit somebody, also in games that count damage; of a view alone

	// OffTarget is the angle, in degrees, between the crosshair and the middle of the nearest other player; of
	// a view alone.
	OffTarget float32
	HasTarget bool
}
