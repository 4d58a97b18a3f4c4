package tables

// A DeathSentence is one way in which a game announces a death in words: those after the victim's name, and those
// after the killer's.
type DeathSentence struct {
	Words, Then string
	By          DeathBy
	Means       string // in the game's MeansOfDeath; "": the words do not name one
	Weapon      string // what killed, as far as the words name it
}

// DeathBy is who causes a death.
type DeathBy uint8

// The causes. A cause may be unknown: "died" and "cratered" are said of both falls and suicides.
const (
	DeathByUnknown DeathBy = iota
	DeathByPlayer          // the killer's name follows
	DeathBySelf
	DeathByWorld
)
