package timeline

import "github.com/q3dissect/q3dissect/dissect/view/replay"

// Data is everything that pictures of one input show. Times are seconds on the axis that Clock describes. What is not
// known is absent, or null within lists.
type Data struct {
	Clock     Clock    `json:"clock"`
	Games     []*Game  `json:"games"`
	Lagometer []Course `json:"lagometer"`
	Rate      Rate     `json:"rate"`
	Aim       []Aim    `json:"aim"`
	Excerpt   []Line   `json:"excerpt,omitempty"` // of the records that pictures lead to, by frame
	Notes     []string `json:"notes,omitempty"`   // what was left out
}

// A Clock is the axis of time. It begins at 0.
type Clock struct {
	// Kind is "capture": seconds since the first packet, or "game": seconds of the game's clock since the recording
	// began, one map after the other.
	Kind   string   `json:"kind"`
	Start  *float64 `json:"start,omitempty"` // Unix time of 0, in seconds
	Length float64  `json:"length"`
}

// A Game is a game on a server, as all streams of the input together show it.
type Game struct {
	Server   string    `json:"server,omitempty"` // endpoint; absent for recordings
	Protocol string    `json:"protocol"`
	View     string    `json:"view"` // how the map is seen: "above", with heights, or "side", where y goes down
	Unit     float64   `json:"unit,omitempty"`
	Streams  []int     `json:"streams,omitempty"`
	Sides    [2]string `json:"sides"` // what the game calls the red and the blue team
	Players  []*Player `json:"players"`
	Maps     []Map     `json:"maps,omitempty"`
	Matches  []Match   `json:"matches,omitempty"`
	Events   []Event   `json:"events"`
	Tracks   []Track   `json:"tracks"`
	Missing  []string  `json:"missing,omitempty"`

	Replays []*replay.Replay `json:"replays,omitempty"` // one for each map, with Options.Replay

	// Pauses are the times from and to which matches were halted.
	Pauses [][2]float64 `json:"pauses,omitempty"`

	damage    []damageAt
	recorders []*replay.Recorder // one for each map, as it was played
	recorded  int                // the map of the last one
	roster    map[int64]int      // player by client number
	byName    map[string]int
	own       int          // the last player whose own stream is in the input, + 1; 0: none
	ways      map[int]*way // by player, on the present map
	done      []*way
}

// A Player is somebody with a number on the server, from when he came until somebody of another name had the number.
type Player struct {
	Client int64      `json:"client"` // number on the server, -1 where it is not known
	Name   string     `json:"name"`   // as the game has it, the last one
	Clean  string     `json:"name_clean"`
	Names  []NameFrom `json:"names,omitempty"` // where he had several
	Team   string     `json:"team,omitempty"`  // red or blue: the one in most of the events that name him
	Bot    bool       `json:"bot,omitempty"`
	Own    bool       `json:"own,omitempty"` // his own stream is in the input

	sides map[string]int // events by team
}

// A NameFrom is a name and when it was first seen.
type NameFrom struct {
	Time float64 `json:"t"`
	Name string  `json:"name"`

	Clean string `json:"-"` // without colours
}

// A Map is the map that was played from a time on.
type Map struct {
	Time float64 `json:"t"`
	Name string  `json:"map"`
}

// A Match is from when to when it was played, with its course. Number and streams are those of the statistic match.
type Match struct {
	From      float64 `json:"from"`
	To        float64 `json:"to"`
	Number    int64   `json:"match"`
	StartTime int64   `json:"start_time"` // of the game's clock, ms
	Map       string  `json:"map,omitempty"`
	Ended     bool    `json:"ended"` // its end was seen
	Scores    []Score `json:"scores,omitempty"`
	// Kind is the kind of points in Scores: "score" is the score of the game, "kills" are kills less own deaths.
	Kind string `json:"kind,omitempty"`
	// Damage is how much each player had done to others, each time at which the game announced it.
	Damage []Score `json:"damage,omitempty"`
}

// A Score is how many points a team or player had from when on.
type Score struct {
	Name   string       `json:"name"`
	Team   string       `json:"team,omitempty"`
	Player *int         `json:"player,omitempty"`
	Points [][2]float64 `json:"points"` // time, points from then on
}

// An Event is what happened. Players are indices into Game.Players.
type Event struct {
	Time   float64 `json:"t"`
	Frame  uint64  `json:"frame"` // number of the packet, or of the message of a recording
	Kind   string  `json:"event"`
	Info   string  `json:"info,omitempty"` // in words
	Player *int    `json:"player,omitempty"`
	Other  *int    `json:"other,omitempty"` // the victim; who a private line goes to
	Place  []int32 `json:"place,omitempty"` // of the victim, or of the item
	From   []int32 `json:"from,omitempty"`  // of the killer
	// means of death, item, what became of a flag or vote, channel of a line
	What      string      `json:"what,omitempty"`
	Team      string      `json:"team,omitempty"`
	OldTeam   string      `json:"old_team,omitempty"`   // of who changed his team
	Text      string      `json:"text,omitempty"`       // of chat, as the game has it
	Clock     *float64    `json:"match_time,omitempty"` // seconds
	Match     *int64      `json:"match,omitempty"`
	Scores    *[2]float64 `json:"scores,omitempty"`
	Streams   []int       `json:"streams,omitempty"`
	NotSeenBy []int       `json:"not_seen_by,omitempty"`

	Finish    *float64 `json:"finish,omitempty"` // of a race, in seconds
	Course    string   `json:"course,omitempty"` // of a run: race or flag
	Run       *Run     `json:"run,omitempty"`
	Split     *float64 `json:"split,omitempty"`  // of a checkpoint: seconds since the start of the race
	Diff      *float64 `json:"diff,omitempty"`   // of a checkpoint: seconds to the player's best race
	Damage    [][2]int `json:"damage,omitempty"` // of a scoreboard: player, damage done so far
	StartTime *int64   `json:"start_time,omitempty"`
	TeamGame  bool     `json:"team_game,omitempty"`
}

// A Run is how long and how fast a run was. Distance and speeds are absent where snapshots did not show it.
type Run struct {
	Time     float64 `json:"time"` // seconds
	Distance int64   `json:"distance,omitempty"`
	Speed    int64   `json:"speed,omitempty"` // units a second
	Top      int64   `json:"top,omitempty"`
}

// A Track is where a player was, each time at which that is known. All but Start are differences to the value before.
type Track struct {
	Player int     `json:"player"`
	Map    int     `json:"map"`   // index into Game.Maps; -1: not known
	Step   float64 `json:"step"`  // seconds, the unit of Times
	Times  []int32 `json:"times"` // the first counts from 0
	X      []int32 `json:"x"`
	Y      []int32 `json:"y"`
	Z      []int32 `json:"z,omitempty"`
}

// A Course is how messages travelled in one direction of a session. The lists have a value for each piece of time in
// which there was something.
type Course struct {
	Stream      int        `json:"stream"`
	Session     int        `json:"session"`
	Direction   string     `json:"direction"`
	Player      string     `json:"player,omitempty"`
	Server      string     `json:"server,omitempty"`
	Unnumbered  bool       `json:"unnumbered,omitempty"` // what was lost is not known, and 0 in Lost
	Step        float64    `json:"step"`
	Times       []float64  `json:"times"`
	Frames      []uint64   `json:"frames"` // the first of each piece; 0: of none
	Messages    []uint32   `json:"messages"`
	Lost        []uint32   `json:"lost"`
	Behind      []uint32   `json:"lost_behind"`
	Resent      []uint32   `json:"resent"`
	Interval    []*float64 `json:"interval"`
	IntervalMax []*float64 `json:"interval_max"`
	BaseAge     []*float64 `json:"base_age"`
	RoundTrip   []*float64 `json:"round_trip"`
	Words       string     `json:"words,omitempty"`
}

// A Rate is the bandwidth over time.
type Rate struct {
	Step   float64      `json:"step"`
	Series []RateSeries `json:"series"`
}

// A RateSeries is the bandwidth of one protocol in one direction, for each step from 0 on.
type RateSeries struct {
	Protocol  string   `json:"protocol"`
	Direction string   `json:"direction,omitempty"`
	Bytes     []uint64 `json:"bytes"`
	Packets   []uint64 `json:"packets"`
}
