package dissect

// A DemoSource is a Protocol whose clients can record what they are sent and play it again. With
// Options.Demos its conversations say of each datagram what it adds to such a file, in Record.Demo.
type DemoSource interface {
	Protocol
	// DemoEnd is what stands after the last message of a demo.
	DemoEnd() []byte
}

// A DemoRange is the part of every demo that is wanted, by the server's clock, both ends included. It is a
// part of each map: where the clock begins anew, so does the range.
type DemoRange struct {
	From, To       int32 // in milliseconds
	HasFrom, HasTo bool
}

// A DemoPart is what one datagram, or message of a recording, adds to the demos of its conversation. The
// zero value is that of a datagram that has nothing to do with them.
type DemoPart struct {
	Session  int  // of the conversation, from 0
	Message  bool // it completed a message of the server
	Sequence uint32

	// Begin says that a demo begins here, before Data; End that one ended before this datagram. The one
	// before Begin has ended too.
	Begin *DemoHead
	End   bool

	// Data is to be appended: so many messages, one but where a demo begins. It is the conversation's and valid
	// as Record.Message is.
	Data     []byte
	Messages int
	// Recoded says that the message is not as it was sent, but says the same without its base, which the demo
	// does not hold.
	Recoded bool
	// Reordered says that the message was written although its fragments came in an order in which a client
	// does not put them together: whether the client saw them so is not known.
	Reordered bool

	// ServerTime is the clock of the message's snapshot, in milliseconds, where that shows the game.
	ServerTime int32
	HasTime    bool

	// Left says why the message is in no demo; empty if it is in one, or will be when that begins.
	Left DemoLeft
}

// A DemoHead describes a demo that begins.
type DemoHead struct {
	Extension string // "dm_68"
	Protocol  int    // number of the protocol
	Map       string // as the server calls it
	Client    int    // number of the client whose view it is, -1: not known
	Player    []byte // what the client is called in the game, with the game's own codes
	// Rebuilt says that the first message was put together from what is known of the game, as a client does it
	// that begins to record in the middle; otherwise it is as it was sent.
	Rebuilt bool
	// Frame is that of the first message, as in Packet; 0 for one that was put together.
	Frame uint64
	// Again says that the server sent the beginning of the same game once more before the client was in it.
	// What the demo holds until now is superseded.
	Again bool
}

// A DemoLeft is a reason why a message is in no demo.
type DemoLeft string

// The reasons.
const (
	DemoNoGame     DemoLeft = "no_gamestate"  // the beginning of the game was not seen, or not whole
	DemoNoSnapshot DemoLeft = "no_snapshot"   // it came before the first snapshot that needs no other
	DemoOutside    DemoLeft = "outside_range" // by DemoRange
	DemoNotInGame  DemoLeft = "not_in_game"   // with DemoRange: a snapshot of that time, but the client is not in the game yet
	DemoDuplicate  DemoLeft = "duplicate"     // a client drops it
	DemoLate       DemoLeft = "late"          // a client drops it
	DemoChecksum   DemoLeft = "bad_checksum"  // a client drops it
	DemoNoKey      DemoLeft = "key_unknown"   // it cannot be deciphered
	DemoCut        DemoLeft = "truncated"     // the capture does not hold all of it
	DemoDamaged    DemoLeft = "damaged"       // a client gives up at it
	DemoTooLarge   DemoLeft = "too_large"     // what would have to be put together is longer than a message can be
)
