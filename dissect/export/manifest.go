package export

import (
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
)

// A Manifest lists what was written, with its origin.
type Manifest struct {
	Demos   []Demo           `json:"demos"`
	Skipped []SkippedSession `json:"skipped,omitempty"`
	// Incomplete is what the inputs did not give, see Lacks.
	Incomplete incomplete.List `json:"incomplete,omitempty"`
	Error      string          `json:"error,omitempty"` // why the export ended early: there may be more demos than listed
}

// A Demo is one file. In texts from the wire that are not UTF-8, bytes become the characters of the same
// number.
type Demo struct {
	File      string `json:"file"`            // within the folder of the manifest
	Input     string `json:"input,omitempty"` // where there are several
	Stream    int    `json:"stream"`
	Session   int    `json:"session"`
	Server    string `json:"server,omitempty"`       // address and port; absent where the input is a recording
	Client    string `json:"client,omitempty"`       // when the demo begins
	ClientNum int    `json:"client_num"`             // -1: not known
	Player    string `json:"player,omitempty"`       // name in the game
	Clean     string `json:"player_clean,omitempty"` // without colours: recorded_by of the catalogue
	Map       string `json:"map"`
	Protocol  int    `json:"protocol"`
	Begins    string `json:"begins"` // "gamestate": as it was sent; "rebuilt"; "pieces": what is known without a gamestate
	// Unknown lists what a beginning of pieces lacks.
	Unknown []string `json:"unknown,omitempty"`

	Moments []extract.DemoMoment `json:"moments,omitempty"` // those that the part was chosen for

	Ticks     *Ticks               `json:"ticks,omitempty"`      // of the server, of games that count them
	Players   []extract.DemoPlayer `json:"players,omitempty"`    // of a recording of everybody
	MapInside bool                 `json:"map_inside,omitempty"` // the map is in the demo
	Computed  []string             `json:"computed,omitempty"`   // what was worked out from the input
	Missing   []string             `json:"missing,omitempty"`    // what the input does not have
	Repaired  []string             `json:"repaired,omitempty"`   // what the input, a recording, has in another way
	Lost      []extract.DemoLost   `json:"lost,omitempty"`       // what could not be read of it

	Frames       *Span     `json:"frames,omitempty"`        // of the capture
	DemoMessages *Span     `json:"demo_messages,omitempty"` // of the recording
	ServerTime   *TimeSpan `json:"server_time,omitempty"`   // of the snapshots, in ms

	Messages  uint64   `json:"messages"`            // in the file
	Recoded   uint64   `json:"recoded,omitempty"`   // snapshots coded in full because their bases were cut off
	Reordered []uint32 `json:"reordered,omitempty"` // messages whose fragments a client may not have reassembled
	Gaps      []Gap    `json:"gaps,omitempty"`
	// LeftOut counts the session's messages that are in none of its demos, by reason; it is in the last demo of
	// the session.
	LeftOut map[extract.DemoLeft]uint64 `json:"left_out,omitempty"`

	Bytes  uint64 `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// A Span is a run of packets or messages, both ends included.
type Span struct {
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
}

// Ticks are the first and last tick of a demo.
type Ticks struct {
	First int32 `json:"first"`
	Last  int32 `json:"last"`
}

// A TimeSpan is the first and last time of the game's clock.
type TimeSpan struct {
	First int32 `json:"first"`
	Last  int32 `json:"last"`
}

// A Gap is a run of messages that the demo does not have.
type Gap struct {
	After   uint32 `json:"after"` // sequence number of the message before
	Missing uint32 `json:"missing"`
}

// A SkippedSession is a session without any demo.
type SkippedSession struct {
	Input    string                      `json:"input,omitempty"`
	Stream   int                         `json:"stream"`
	Session  int                         `json:"session"`
	Server   string                      `json:"server,omitempty"`
	Client   string                      `json:"client,omitempty"`
	Reason   extract.DemoLeft            `json:"reason"` // the most frequent one of the messages left out
	Messages uint64                      `json:"messages"`
	LeftOut  map[extract.DemoLeft]uint64 `json:"left_out,omitempty"`
	// ServerTime is the server's clock from the first to the last of its snapshots, where a range leaves nothing.
	ServerTime *TimeSpan `json:"server_time,omitempty"`
}
