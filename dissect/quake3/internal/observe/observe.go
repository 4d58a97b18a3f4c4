// Package observe is a conversation's interface to its observers: the effects of a message, in order, and the
// state of the session after it. Whatever follows a game (events, demos, files) is an Observer and needs
// nothing else of a conversation.
package observe

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// An Observer follows one conversation. Arguments are valid during the call.
type Observer interface {
	// Restart is called when a session begins. greeted reports whether its handshake is in the capture.
	Restart(greeted bool)
	// Idle is called after a long pause, to give memory back. The world of the session is gone then.
	Idle()
	// OutOfBand is called after each out-of-band packet.
	OutOfBand(s *Session, p *oob.Packet, rec *dissect.Record)
	// Message is called after each complete message, whether it could be read or not.
	Message(m *Message, rec *dissect.Record)
}

// A Session is the known state of the session.
type Session struct {
	Number       int // of the session in the stream, -1 before the first
	Version      int // protocol number; 0: not known
	Native       bool
	Recorded     bool
	Family       uint8
	ServerID     int32
	HearsServer  bool // the capture has messages from the server
	Acknowledged int32
	World        *world.World // nil before the first message, and after a pause
	Reader       *world.Reader
}

// A Message is a message with its effects.
type Message struct {
	Session
	*Log
	FromClient bool
	Sequence   uint32
	Body       []byte           // deciphered
	End        int              // position after the last operation that was read, in bits
	Refused    bool             // the receiver would not act on it
	Counts     bool             // the message could be read, and is not refused: its effects count
	Keeps      bool             // it was the newest message: it changed the world and the configstrings
	Left       extract.DemoLeft // why a client does not accept the message or cannot be given it; "": it does
	Reordered  bool             // its fragments came out of order
}

// A Change is one effect of a message.
type Change struct {
	Kind   Kind
	Repeat bool  // Command: an earlier message carried it
	First  bool  // Block: the size of the file came with it
	Index  int   // Configstring: its index; Block: number modulo 65536
	Number int32 // Command: its number; Gamestate: of the last command before; Snapshot: of the message
	Client int32 // Gamestate: number of the client, -1: not given
	Feed   int32 // Gamestate: checksum feed
	Size   int64 // Block: of the file, if First
	End    int   // Snapshot and Gamestate: position after it, in bits

	start, end int // of the text
}

// A Kind of change.
type Kind uint8

// The kinds. All but Command are logged for observers only, and only from messages that keep.
const (
	Command       Kind = iota // a reliable command; the text is all of it
	Configstring              // a configstring was set; the text is its value
	GamestateHead             // a gamestate begins: the state of the map before is void
	Gamestate                 // a complete gamestate was read
	Snapshot                  // a snapshot was stored in the world
	Block                     // a block of a download; the text is its bytes
	Refusal                   // a download is refused; the text is the reason
	// a command of the other side that is not in the input, which enciphers the message; the text is what is known of it
	KeyText
	Voice // a client's voice is heard (Medal of Honor); the text is the name of the message
)

// A Log lists the effects of a message, in order.
type Log struct {
	Changes  []Change
	Commands []UserCommand // those of a client that no earlier message carried
	Received int32         // of a client's message: the newest message of the server that it acknowledges
	text     []byte
}

// A UserCommand is the part of a usercmd_t that observers need.
type UserCommand struct {
	Time       int32  // of the server, in milliseconds
	Pitch, Yaw uint16 // 65536 to the circle
	Buttons    uint32
	Up         int8
	Weapon     uint8
	Known      bool // of pitch, yaw and buttons
	KnownUp    bool // of Up
	KnownArm   bool // of Weapon
}

// Reset empties the log and keeps its memory.
func (l *Log) Reset() { l.Changes, l.Commands, l.text = l.Changes[:0], l.Commands[:0], l.text[:0] }

// Add logs a change with a copy of its text.
func (l *Log) Add(c Change, text []byte) {
	c.start = len(l.text)
	l.text = append(l.text, text...)
	c.end = len(l.text)
	l.Changes = append(l.Changes, c)
}

// Text returns the text of a change. It is valid until Reset.
func (l *Log) Text(c *Change) []byte { return l.text[c.start:c.end:c.end] }

// Has reports whether the message carried a reliable command of a number.
func (l *Log) Has(number int32) bool {
	for i := range l.Changes {
		if c := &l.Changes[i]; c.Kind == Command && c.Number == number {
			return true
		}
	}
	return false
}
