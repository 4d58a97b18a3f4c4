// Package highlights lists the remarkable moments of many files, the rarest first. What is rare is counted, and not
// valued: a moment is as rare as moments of its kind that are at least as remarkable are few in all the files.
//
//	list := highlights.NewList()
//	list.Add(moments) // of each file
//	for _, h := range list.Sorted() {
//		fmt.Println(h.AsRare, h.File, h.Info)
//	}
package highlights

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/members"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Highlight is a remarkable moment: an event of kind multikill, midair or flick.
type Highlight struct {
	AsRare       int64    `json:"as_rare" doc:"how many of this kind, in all the files, are at least as remarkable, with this one: by kills or by kills of one shot, distance or angle"`
	Event        string   `json:"event" words:"multikill,midair,flick" doc:"what it is, docs/highlights.md"`
	File         string   `json:"file" doc:"name of the file"`
	AlsoIn       []string `json:"also_in,omitempty" doc:"other files that show the same moment, or some of its kills"`
	Protocol     string   `json:"protocol" doc:"the game's"`
	Map          string   `json:"map,omitempty" doc:"name of the map, where the input shows it"`
	Server       string   `json:"server,omitempty" doc:"endpoint of the server, of captures"`
	Stream       *int64   `json:"stream,omitempty" doc:"the one that shows it, of captures"`
	Frame        *uint64  `json:"frame,omitempty" doc:"of the capture, that told it"`
	DemoMessage  *uint64  `json:"demo_message,omitempty" doc:"of the recording, that told it"`
	Time         string   `json:"time,omitempty" doc:"of the frame, as RFC 3339"`
	MatchTime    *int64   `json:"match_time,omitempty" unit:"ms" doc:"of the match, at which q3dissect events tells it: of a multikill, when it is over"`
	StartTime    int64    `json:"start_time" unit:"ms" doc:"server time of the first kill, of the shot, or of the beginning of the turn"`
	EndTime      int64    `json:"end_time" unit:"ms" doc:"server time of the last kill"`
	Player       string   `json:"player" doc:"who did it, without colours"`
	Client       int64    `json:"client_num" doc:"the server's number of the player"`
	Bot          bool     `json:"bot,omitempty" doc:"present for bots"`
	Viewed       bool     `json:"viewed,omitempty" doc:"present where the view is the player's"`
	Victim       string   `json:"victim,omitempty" doc:"who was killed, without colours; of one kill"`
	MeansOfDeath string   `json:"means_of_death,omitempty" doc:"the game's name of the weapon's kill"`
	Kills        int64    `json:"kills,omitempty" doc:"of a multikill"`
	Window       int64    `json:"window,omitempty" unit:"ms" doc:"from its first kill to the last"`
	OneShot      int64    `json:"one_shot,omitempty" doc:"how many of them one shot killed; absent below two"`
	Distance     float64  `json:"distance,omitempty" unit:"units" doc:"of a midair: from where it was shot"`
	AirTime      int64    `json:"air_time,omitempty" unit:"ms" doc:"of a midair: how long snapshots had shown the victim in the air"`
	Angle        float64  `json:"angle,omitempty" unit:"degrees" doc:"of a flick: how far the view turned"`
	TurnSpeed    float64  `json:"turn_speed,omitempty" unit:"degrees/s" doc:"of a flick"`
	Info         string   `json:"info" doc:"the sentence that q3dissect events has"`
}

var row = members.Of[Highlight]()

// Fields describe the members of a Highlight that AppendFields adds to a tree.
func Fields() []*dissect.Field { return row.Fields() }

// AppendFields adds the members that the moment has to a tree, as fields at its top.
func (h *Highlight) AppendFields(t *dissect.Tree) { row.Append(t, h) }

// Cell returns a function for the cells of a table with a member.
func Cell(key string) func(*Highlight) string { return row.Cell(key) }

// Schema returns the JSON Schema of a Highlight.
func Schema() []byte {
	return row.Schema("q3dissect highlights", "one line of q3dissect highlights --json: a remarkable moment of a file")
}

// maxOfFile is the most moments that are kept of one file.
const maxOfFile = 20_000

// A Collector finds the moments of one file. Its records must have been made with dissect.Options.Events and
// Highlights. The zero value is ready.
type Collector struct {
	list List           // those of several streams are one
	maps map[int]string // by stream
}

// Add reads a record and keeps no reference to it.
func (c *Collector) Add(rec *dissect.Record) {
	for e := range event.Of(rec) {
		switch e.Kind {
		case event.MapStart:
			if c.maps == nil {
				c.maps = map[int]string{}
			}
			c.maps[rec.Stream] = e.Get("map").String()
		case event.Multikill, event.Midair, event.Flick:
			c.moment(&e)
		}
	}
}

// moment adds an event.
func (c *Collector) moment(e *event.Event) {
	rec, player := e.Record, e.Player("client")
	h := Highlight{
		Event: e.Kind, Protocol: rec.EventSource().Name, Map: c.maps[rec.Stream],
		StartTime: e.Get("start_time").Int(), EndTime: e.Get("end_time").Int(),
		Player: player.Name, Client: int64(player.Client), Bot: player.Bot, Viewed: e.Get("viewed").Bool(),
		Victim: e.Player("victim").Name, MeansOfDeath: e.Get("means_of_death").Name(),
		Kills: e.Get("kills").Int(), Window: e.Get("window").Int(), OneShot: e.Get("one_shot").Int(),
		Distance: rounded(e, "distance"), AirTime: e.Get("air_time").Int(),
		Angle: rounded(e, "angle"), TurnSpeed: rounded(e, "turn_speed"),
		Info: wiretext.String([]byte(e.Text())),
	}
	if server, ok := rec.Server(); ok {
		h.Server = server.String()
	}
	if v := e.Get("match_time"); v.Exists() {
		at := v.Int()
		h.MatchTime = &at
	}
	number := rec.Number()
	if rec.Recorded() {
		h.DemoMessage = &number
	} else {
		stream := int64(rec.Stream)
		h.Frame, h.Stream = &number, &stream
	}
	if at, ok := e.Time(); ok {
		h.Time = at.Format(time.RFC3339Nano)
	}
	c.list.add(h, maxOfFile)
}

// rounded returns a number of an event to three places: it has single precision.
func rounded(e *event.Event, key string) float64 { return math.Round(e.Get(key).Float()*1000) / 1000 }

// Highlights returns the moments in the order of the file, and how many more there were than are kept.
func (c *Collector) Highlights() (list []Highlight, left int64) { return c.list.list, c.list.left }

// maxKept is the most moments that are kept of all files.
const maxKept = 200_000

// NewList returns an empty list.
func NewList() *List { return &List{} }

// A List has the moments of many files. A moment that several streams or files show is one row: that with most kills;
// of several that of the player's own view, else the first.
type List struct {
	list []Highlight
	seen map[same]int // index of a row
	kept int          // rows, and names of other files
	left int64
}

// A same is what a moment has in common wherever it is shown.
type same struct {
	event, mapName, server, player, victim string
	client, start                          int64
}

// Add adds the moments of a file, and how many it had beyond those.
func (l *List) Add(list []Highlight, left int64) {
	for i := range list {
		l.add(list[i], maxKept)
	}
	l.left += left
}

func (l *List) add(h Highlight, most int) {
	key := same{h.Event, h.Map, h.Server, h.Player, h.Victim, h.Client, h.StartTime}
	anywhere := key
	anywhere.server = ""
	at, found := l.seen[key]
	if !found { // one of the two may be a recording, which does not know the server
		at, found = l.seen[anywhere]
		found = found && l.list[at].Server == ""
	}
	if found && !h.besides(&l.list[at]) {
		l.join(&l.list[at], h, most)
		return
	}
	if l.kept == most {
		l.left++
		return
	}
	if l.seen == nil {
		l.seen = map[same]int{}
	}
	if !found {
		l.seen[key] = len(l.list)
		if _, known := l.seen[anywhere]; !known {
			l.seen[anywhere] = len(l.list)
		}
	}
	l.kept++
	l.list = append(l.list, h)
}

// besides reports whether two moments are of one stream, which shows each once: one shot can hit two of one name.
func (h *Highlight) besides(o *Highlight) bool {
	return h.File == o.File && (h.Stream == nil || o.Stream == nil || *h.Stream == *o.Stream)
}

// join adds another file's view of a moment to its row.
func (l *List) join(row *Highlight, h Highlight, most int) {
	if h.Kills > row.Kills || h.Kills == row.Kills && h.Viewed && !row.Viewed {
		h.AlsoIn, row.AlsoIn = row.AlsoIn, nil
		*row, h = h, *row
	}
	// Files come one after the other.
	if n := len(row.AlsoIn); h.File == row.File || n > 0 && row.AlsoIn[n-1] == h.File {
		return
	}
	if l.kept == most {
		l.left++
		return
	}
	l.kept++
	row.AlsoIn = append(row.AlsoIn, h.File)
}

// Left returns how many moments are not in the list, for their number.
func (l *List) Left() int64 { return l.left }

// measures are what is remarkable about moments of a kind. A negative number: nothing in this one.
var measures = []struct {
	kind string
	of   func(*Highlight) float64
}{
	{event.Multikill, func(h *Highlight) float64 { return float64(h.Kills) }},
	{event.Multikill, func(h *Highlight) float64 {
		if h.OneShot == 0 {
			return -1
		}
		return float64(h.OneShot)
	}},
	{event.Midair, func(h *Highlight) float64 { return h.Distance }},
	{event.Flick, func(h *Highlight) float64 { return h.Angle }},
}

// Sorted counts how rare the moments are, and returns them, the rarest first: of those that are equally rare the kind
// with fewer moments in all the files, then by file and time.
func (l *List) Sorted() []Highlight {
	kinds := map[string]int{}
	for i := range l.list {
		kinds[l.list[i].Event]++
	}
	for _, measure := range measures {
		var all []float64 // ascending
		for i := range l.list {
			h := &l.list[i]
			if v := measure.of(h); h.Event == measure.kind && v >= 0 {
				all = append(all, v)
			}
		}
		slices.Sort(all)
		for i := range l.list {
			h := &l.list[i]
			if v := measure.of(h); h.Event == measure.kind && v >= 0 {
				less, _ := slices.BinarySearch(all, v)
				if n := int64(len(all) - less); h.AsRare == 0 || n < h.AsRare {
					h.AsRare = n
				}
			}
		}
	}
	slices.SortStableFunc(l.list, func(a, b Highlight) int {
		return cmp.Or(cmp.Compare(a.AsRare, b.AsRare), cmp.Compare(kinds[a.Event], kinds[b.Event]),
			cmp.Compare(a.File, b.File), cmp.Compare(a.StartTime, b.StartTime))
	})
	return l.list
}
