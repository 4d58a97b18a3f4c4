package catalogue

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/members"
)

// A Listing is one line of a catalogue: a match, or a file without matches.
type Listing struct {
	File       string          `json:"file" doc:"name of the file"`
	CopyOf     string          `json:"copy_of,omitempty" doc:"an earlier file with the same bytes"`
	Kind       string          `json:"kind" words:"capture,demo" doc:"what the file is"`
	Protocol   string          `json:"protocol,omitempty" doc:"of the match, or the most frequent one of the file"`
	Server     string          `json:"server,omitempty" doc:"endpoint of the server, of captures"`
	Servers    []string        `json:"servers,omitempty" doc:"its endpoints, of a server with an IPv4 and an IPv6 address; server is that of the stream which shows the most"`
	Hostname   string          `json:"hostname,omitempty" doc:"name of the server"`
	Match      *int64          `json:"match,omitempty" doc:"number of the match in the file, from 0, as they began; absent without a match"`
	Streams    []int64         `json:"streams,omitempty" doc:"streams of a capture that show the match"`
	Mod        string          `json:"mod,omitempty" doc:"the game or mod, as it calls itself"`
	Map        string          `json:"map,omitempty" doc:"name of the map"`
	Gametype   string          `json:"gametype,omitempty" doc:"what is played: its name, or its number"`
	Physics    string          `json:"physics,omitempty" words:"vq3,cpm" doc:"rules of movement, of DeFRaG"`
	Mode       string          `json:"mode,omitempty" doc:"how is run, of DeFRaG: offline or online, with _freestyle or _fastcaps"`
	Date       string          `json:"date,omitempty" doc:"when, as RFC 3339; without a zone in local time, and without a time of the day where there is none"`
	DateFrom   string          `json:"date_from,omitempty" words:"capture,game,name,file" doc:"what the date is: the time of the packets, what the game says, a date in the name of the file, or its last change"`
	StartTime  *int64          `json:"start_time,omitempty" unit:"ms" doc:"server time at which the match began"`
	Late       bool            `json:"began_before,omitempty" doc:"present for a match that began before the recording, nobody knows when: what happened since is counted"`
	Duration   *int64          `json:"duration,omitempty" unit:"ms" doc:"length of the match without pauses"`
	Players    []ListingPlayer `json:"players,omitempty" doc:"who played, by team and score"`
	RecordedBy string          `json:"recorded_by,omitempty" doc:"the client whose demo it is"`
	Reason     string          `json:"reason,omitempty" doc:"why the match ended, docs/matches.md"`
	Winner     string          `json:"winner,omitempty" doc:"team or player; absent for a draw and where it is not known"`
	Scores     []ListingScore  `json:"scores,omitempty" doc:"teams or players, best first, last those whose score is not known"`
	Finishes   []ListingFinish `json:"finishes,omitempty" doc:"the best times of players in a race, best first"`
	Race       *ListingRace    `json:"race,omitempty" doc:"what happened in a race"`
	FlagRuns   []ListingRun    `json:"flag_runs,omitempty" doc:"the fastest capture of each player"`
	Named      *ListingNamed   `json:"named,omitempty" doc:"what the name of a demo of DeFRaG says of its run: nothing of it is from the recording"`
	Complete   *bool           `json:"complete,omitempty" doc:"beginning and end of the match were seen"`
	Damaged    uint64          `json:"damaged" doc:"damaged datagrams or messages of the file"`
	Error      string          `json:"error,omitempty" doc:"why the file could not be read to its end"`
}

// A ListingPlayer is a player of a match.
type ListingPlayer struct {
	Name  string `json:"name" doc:"without colours"`
	Team  string `json:"team,omitempty" doc:"of games with teams"`
	Bot   bool   `json:"bot,omitempty" doc:"present for bots"`
	Kills *int64 `json:"kills,omitempty" doc:"absent where the input does not show kills"`
}

// A ListingScore is a final score.
type ListingScore struct {
	Name  string `json:"name" doc:"without colours"`
	Score *int64 `json:"score,omitempty" doc:"absent where it is not known"`
}

// A ListingFinish is the best time of a player in a race.
type ListingFinish struct {
	Name string `json:"name" doc:"without colours"`
	Time int64  `json:"time" unit:"ms"`
}

// A ListingRace is what happened in a race besides the best times.
type ListingRace struct {
	Starts      int           `json:"starts" doc:"starts that were seen"`
	Checkpoints int           `json:"checkpoints" doc:"checkpoints that were passed, as far as that was seen"`
	Finishes    int           `json:"finishes" doc:"finishes that were seen"`
	Runners     []ListingRun  `json:"runners" doc:"the best run of each player, best first"`
	Teams       []ListingTeam `json:"teams,omitempty" doc:"finishes of teams, best first"`
}

// A ListingRun is the best run of a player. Distance and speeds are absent where snapshots did not show it.
type ListingRun struct {
	Name     string `json:"name" doc:"without colours"`
	Flag     string `json:"flag,omitempty" doc:"of a run with a flag: whose it was"`
	Time     int64  `json:"time" unit:"ms"`
	Finishes int    `json:"finishes" doc:"of all runs of the player; of runs with a flag: captures"`
	Distance int64  `json:"distance,omitempty" unit:"units" doc:"of the run, as far as snapshots showed it"`
	Speed    int64  `json:"speed,omitempty" unit:"units/s" doc:"mean speed"`
	TopSpeed int64  `json:"top_speed,omitempty" unit:"units/s" doc:"highest speed between two snapshots"`
}

// A ListingTeam is the finish of a team.
type ListingTeam struct {
	Time    int64    `json:"time" unit:"ms"`
	Players []string `json:"players" doc:"who ran"`
}

// ListingNamed is the run that the name of a demo of DeFRaG describes: nothing of it is from the recording.
type ListingNamed struct {
	Map     string   `json:"map" doc:"name of the map"`
	Mode    string   `json:"mode" words:"df,mdf,fc,mfc" doc:"df, mdf (several players), fc, mfc (fast captures)"`
	Physics string   `json:"physics" words:"vq3,cpm" doc:"rules of movement"`
	Variant string   `json:"variant,omitempty" doc:"the rest of the mode: the number of a fast capture's rules, tr for a timer reset"`
	Time    int64    `json:"time" unit:"ms"`
	Player  string   `json:"player" doc:"who ran"`
	Country string   `json:"country,omitempty" doc:"of the player"`
	Check   string   `json:"check,omitempty" doc:"what is not as it must be for a record: sv_cheats=1, tool_assisted=true"`
	Tag     string   `json:"tag,omitempty" doc:"spect, or the number of a client, of demos that were made from others"`
	Differs []string `json:"differs,omitempty" words:"map,player,time" doc:"where the recording says something else"`
}

var listing = members.Of[Listing]()

// Fields describe the members of a Listing that AppendFields adds to a tree.
func Fields() []*dissect.Field { return listing.Fields() }

// AppendFields adds the members that the line has to a tree, as fields at its top.
func (l *Listing) AppendFields(t *dissect.Tree) { listing.Append(t, l) }

// Cell returns a function for the cells of a table with a member.
func Cell(key string) func(*Listing) string { return listing.Cell(key) }

// Schema returns the JSON Schema of a Listing.
func Schema() []byte {
	return listing.Schema("q3dissect catalogue",
		"one line of q3dissect catalogue --json: a match, or a file in which there is none")
}
