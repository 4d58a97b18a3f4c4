package extract

// A ThingKind is what a Thing is.
type ThingKind uint8

// The kinds, whose numbers and words replaydata.js of the report has.
const (
	ThingPlayer  ThingKind = iota // a player's body, alive or dead
	ThingMissile                  // what flies
	ThingItem                     // what can be picked up; a flag too
	ThingHook                     // the end of a hook or grapple, whose owner is at the other end
	ThingBeam                     // a line from Place to To
	ThingBlast                    // something that hit or exploded
)

// A Scene is what one state of the game shows: who and what is where. With dissect.Options.Scenes, a conversation puts
// the scene of each new state into dissect.Record.Scene. What the state does not show is not in it: it may be anywhere.
type Scene struct {
	Known  bool  // the record has a scene
	Time   int64 // the game's clock, in milliseconds
	Still  bool  // since the scene before nothing moved, until a tick before this one
	Things []Thing
}

// A Thing is somebody or something in a Scene.
type Thing struct {
	Kind   ThingKind
	Number int32  // of the client, or of the entity: among things of a kind it is one for as long as it is seen
	Owner  int32  // the client whose thing it is; -1: not known
	What   string // the weapon of a player or missile, the item: the games' words; "": not known

	// Place is where it is at the time of the scene, as Input.Place has it. PlaceTime is when it was there, if the state
	// shows an earlier place; else 0. To is the other end of a beam.
	Place, To [3]float32
	PlaceTime int64

	Yaw     float32 // the direction of view, in degrees
	HasView bool

	Health, Armor       int32
	HasHealth, HasArmor bool

	Dead      bool
	Firing    bool // the weapon is fired
	Jump      bool // other than in the scene before: the player was moved by a teleporter, or came to life again
	OfView    bool // the player whose view it is
	RedFlag   bool // the player carries it
	BlueFlag  bool
	OtherFlag bool // that of no team
}

// Reset empties a scene and keeps its memory.
func (s *Scene) Reset() { *s = Scene{Things: s.Things[:0]} }
