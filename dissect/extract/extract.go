// Package extract has what one datagram adds to things that are longer than it: demos, files, and inputs of players.
package extract

// A DemoRange is the wanted part of every demo, by the server's clock, both ends included. It is applied to
// each map: where the clock restarts, so does the range.
type DemoRange struct {
	From, To       int32 // in milliseconds
	HasFrom, HasTo bool

	// Parts are wanted instead, by stream: in order and apart. Nil: none are chosen. A stream that is not in it has no
	// demo, and neither have recordings that a server made of everybody.
	Parts map[int][]DemoPart

	// Of recordings that a server made of everybody: the name of the player whose view the demo is; empty: nobody's.
	// Alone leaves out the others.
	Player string
	Alone  bool
	// Map returns the file of a map, which goes into demos that can hold it; nil: it is not at hand. It is called on the
	// workers' goroutines.
	Map func(name string, sha256 [32]byte, crc32 uint32) []byte
}

// A DemoPart is a part of a stream around moments, by Packet.Frame, both ends included. Where another game begins in
// it, so does another demo.
type DemoPart struct {
	First, Last uint64
	Moments     []DemoMoment
}

// A DemoMoment is an event that a part was chosen for.
type DemoMoment struct {
	Event       string  `json:"event"`
	Frame       uint64  `json:"frame,omitempty"`        // of the capture
	DemoMessage *uint64 `json:"demo_message,omitempty"` // of the recording
	ServerTime  int64   `json:"server_time"`            // in milliseconds
	Info        string  `json:"info"`                   // the sentence about it
}

// A Demo is what one datagram, or message of a recording, adds to the demos of its conversation. The zero
// value means that it has nothing to do with them.
type Demo struct {
	Session  int  // of the conversation, from 0
	Message  bool // it completed a message of the server
	Sequence uint32

	// Begin means that a demo begins here, before Data; End that one ended before this datagram. Begin also
	// ends the previous demo.
	Begin *DemoHead
	End   bool

	// Data is to be appended: one message, or several at the beginning of a demo. It is the conversation's and
	// valid as long as dissect.Record.Message.
	Data     []byte
	Messages int
	// Recoded means that the message differs from the one sent: it has the same content without a base, which
	// the demo does not contain.
	Recoded bool
	// Reordered means that the message was written although its fragments arrived in an order in which a client
	// does not reassemble them: whether they arrived at the client in that order is not known.
	Reordered bool

	// ServerTime is the clock of the message's snapshot, in milliseconds, if that shows the game.
	ServerTime int32
	HasTime    bool

	// Left is the reason why the message is in no demo; empty if it is in one, or will be when that begins.
	Left DemoLeft
}

// A DemoHead describes a demo that begins.
type DemoHead struct {
	Extension string // "dm_68"
	Protocol  int    // number of the protocol
	Map       string // the server's name of it
	Client    int    // number of the client that recorded, -1: not known
	Player    []byte // name of the client in the game, with the game's own codes
	Clean     []byte // the same without them
	// Rebuilt means that the first message was made from the known state of the game, like that of a client
	// which begins to record in the middle; otherwise it is as it was sent.
	Rebuilt bool
	// Unknown lists what the first message lacks where the gamestate is not in the input. The message then has what
	// earlier messages contained, and nothing that is guessed. Nil otherwise.
	Unknown []string
	// Frame is that of the first message, as in Packet; 0 for one that was rebuilt.
	Frame uint64
	// Again means that the server sent the beginning of the same game once more before the client was in it. It
	// supersedes the present content of the demo.
	Again bool
	// Part is the one that the demo is of; nil: DemoRange has no parts.
	Part *DemoPart
	// Told is what is known in the end. It is the conversation's, which changes it while the demo grows. Nil: nothing.
	Told *DemoTold
}

// A DemoTold is what is known of a demo when it is complete.
type DemoTold struct {
	Header              []byte // the first bytes of the file, as they are in the end
	FirstTick, LastTick int32
	Players             []DemoPlayer // every name that the part shows, or one before it did
	MapInside           bool
	Computed            []string   // what is worked out from the input, in words
	Missing             []string   // what the input does not have
	Repaired            []string   // what the input, a recording, has in another way, in words
	Lost                []DemoLost // what could not be read of it, in order
}

// A DemoLost is a part of a recording that is not in the demo.
type DemoLost struct {
	FirstTick int32 `json:"first_tick"`
	LastTick  int32 `json:"last_tick"`
	Snapshots int   `json:"snapshots,omitempty"`
	Messages  int   `json:"messages,omitempty"`
	Bytes     int   `json:"bytes"` // of the recording
}

// A DemoPlayer is a player of a demo.
type DemoPlayer struct {
	Client int    `json:"client"`
	Name   string `json:"name"`
}

// A DemoLeft is a reason why a message is in no demo.
type DemoLeft string

// The reasons.
const (
	DemoNoGame     DemoLeft = "no_gamestate"  // no gamestate was seen, or not a complete one
	DemoNoSnapshot DemoLeft = "no_snapshot"   // it came before the first full snapshot
	DemoOutside    DemoLeft = "outside_range" // by DemoRange
	// with DemoRange: a snapshot of that time, but the client is not in the game yet
	DemoNotInGame DemoLeft = "not_in_game"
	DemoNoPlayer  DemoLeft = "no_player"    // the wanted player is not there yet, or never
	DemoDuplicate DemoLeft = "duplicate"    // a client drops it
	DemoLate      DemoLeft = "late"         // a client drops it
	DemoChecksum  DemoLeft = "bad_checksum" // a client drops it
	DemoNoKey     DemoLeft = "key_unknown"  // it cannot be deciphered
	DemoCut       DemoLeft = "truncated"    // the capture has only a part of it
	DemoDamaged   DemoLeft = "damaged"      // a client stops reading in it
	DemoTooLarge  DemoLeft = "too_large"    // the rebuilt message would be longer than a message can be
)

// A File is what one datagram adds to a file that its conversation transfers: a download, a map. With
// dissect.Options.Files the conversations fill dissect.Record.Files.
type File struct {
	Session int // of the conversation, from 0

	// Begin means that another file begins here, before Data, which ends the previous one. Data always belongs
	// to a file that has begun.
	Begin bool
	// File is what is known of the file so far; nil: unchanged. It belongs to the record and is not modified.
	File *FileHead

	// Data are bytes of the file and Offset is their position. They can come in any order, and repeatedly. They
	// are the conversation's and valid as long as dissect.Record.Message.
	Offset int64
	Data   []byte
	// Assumed means that Offset is right only if the data missing in the capture belong to the file too.
	Assumed bool

	// End means that the sender has sent everything: Offset bytes, after Data. Assumed then holds for the whole
	// file, whatever it was for its parts.
	End bool
	// Refused is the reason why the sender does not send the file.
	Refused []byte
}

// A FileHead is a sender's description of a file.
type FileHead struct {
	Name      []byte // as it was sent or asked for, raw; nil: not known
	Extension string // of the name, which is sent without it: "map"
	Size      int64  // bytes; negative: not known
	CRC32     uint32 // IEEE
	HasCRC32  bool
	SHA256    []byte // 32 bytes; nil: not known
}
