package export

import (
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Manifest lists what was written, and where it came from.
type Manifest struct {
	Demos   []Demo           `json:"demos"`
	Skipped []SkippedSession `json:"skipped,omitempty"`
	Error   string           `json:"error,omitempty"` // why the export ended early: there may be more than what is listed
}

// A Demo is one file. Text from the wire that is no UTF-8 has each byte as the character of its number.
type Demo struct {
	File      string `json:"file"`            // within the folder of the manifest
	Input     string `json:"input,omitempty"` // where there are several
	Stream    int    `json:"stream"`
	Session   int    `json:"session"`
	Server    string `json:"server,omitempty"` // address and port; absent where the input is a recording
	Client    string `json:"client,omitempty"` // when the demo begins
	ClientNum int    `json:"client_num"`       // -1: not known
	Player    string `json:"player,omitempty"` // name in the game
	Map       string `json:"map"`
	Protocol  int    `json:"protocol"`
	Begins    string `json:"begins"` // "gamestate": as it was sent; "rebuilt": put together

	Frames       *Span     `json:"frames,omitempty"`        // of the capture
	DemoMessages *Span     `json:"demo_messages,omitempty"` // of the recording
	ServerTime   *TimeSpan `json:"server_time,omitempty"`   // of the snapshots, in ms

	Messages  uint64   `json:"messages"`            // in the file
	Recoded   uint64   `json:"recoded,omitempty"`   // snapshots that are full ones here, as their bases were cut off
	Reordered []uint32 `json:"reordered,omitempty"` // messages whose fragments a client may not have put together
	Gaps      []Gap    `json:"gaps,omitempty"`
	// LeftOut counts the session's messages that are in none of its demos, by reason; it stands with the last.
	LeftOut map[dissect.DemoLeft]uint64 `json:"left_out,omitempty"`

	Bytes  uint64 `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// A Span is a run of packets or messages, both ends included.
type Span struct {
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
}

// A TimeSpan is what the clock of a game showed first and last.
type TimeSpan struct {
	First int32 `json:"first"`
	Last  int32 `json:"last"`
}

// A Gap is a run of messages that the demo does not have.
type Gap struct {
	After   uint32 `json:"after"` // sequence number of the message before
	Missing uint32 `json:"missing"`
}

// A SkippedSession is one of which nothing could be written.
type SkippedSession struct {
	Input    string                      `json:"input,omitempty"`
	Stream   int                         `json:"stream"`
	Session  int                         `json:"session"`
	Server   string                      `json:"server,omitempty"`
	Client   string                      `json:"client,omitempty"`
	Reason   dissect.DemoLeft            `json:"reason"` // what most of the messages were left out for
	Messages uint64                      `json:"messages"`
	LeftOut  map[dissect.DemoLeft]uint64 `json:"left_out,omitempty"`
}

// text makes a text of bytes from the wire: UTF-8 is kept, of anything else each byte that is none becomes
// the character of its number.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out []rune
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			r = rune(b[0])
		}
		out = append(out, r)
		b = b[size:]
	}
	return string(out)
}
