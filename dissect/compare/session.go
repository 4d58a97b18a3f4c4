package compare

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A View is what one input has of a session: a capture or a demo, or what the server recorded of all players.
//
//	v := compare.NewView("server.teehistorian")
//	... v.Add(record) for every record, made with dissect.Options Events, Inputs and Secrets
type View struct {
	Name string

	tick    int64 // ms
	mapName string
	maps    map[int]int // how many maps each stream has begun
	seats   map[seatKey]*seat
	order   []*seat
	players map[int]*player // of a server's record, by number
	names   map[int]string
	total   int
}

// MaxMoments is how many inputs and places a View can have.
const MaxMoments = 10_000_000

// A seatKey is a client on one map: each map has a clock of its own.
type seatKey struct{ stream, part int }

// A seat is what a stream shows of a client on one map.
type seat struct {
	seatKey
	name   string
	inputs []moment
	places map[int][]spot // by the numbers of this client's snapshots
	said   []said
}

// A player is what the server recorded of a client's number.
type player struct {
	number int
	inputs []moment // changes
	places []spot   // changes
	said   []said
}

// A moment is an input: for a client when it is meant for, for the server when it applies it. Times are of the game's
// clock, in ms.
type moment struct {
	time  int64
	sum   uint64
	frame uint64
}

// A spot is where a player was.
type spot struct {
	time  int64
	x, y  float32
	frame uint64
}

// A said is a command, as words.
type said struct {
	kind  string // of the event
	words string
	frame uint64
}

// NewView returns a view without records.
func NewView(name string) *View {
	return &View{
		Name: name, maps: map[int]int{}, seats: map[seatKey]*seat{}, players: map[int]*player{}, names: map[int]string{},
	}
}

// IsRecord reports whether the view is a server's record: it has the inputs of players by number.
func (v *View) IsRecord() bool { return len(v.players) > 0 }

// Add adds a record, in the order of the input. The error means that there are more moments than MaxMoments.
func (v *View) Add(rec *dissect.Record) error {
	if rec.Protocol == nil || rec.Protocol.TickMsec == 0 || rec.Closing {
		return nil
	}
	v.tick = rec.Protocol.TickMsec
	for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
		v.event(rec, rec.Events.At(i))
	}
	for i := range rec.Inputs {
		if v.input(rec, &rec.Inputs[i]) {
			v.total++
		}
	}
	if v.total > MaxMoments {
		return fmt.Errorf("more than %d inputs and places: compare a part of the session", MaxMoments)
	}
	return nil
}

// seat returns what is known of the client of a record on the present map.
func (v *View) seat(rec *dissect.Record) *seat {
	key := seatKey{rec.Stream, max(v.maps[rec.Stream]-1, 0)}
	s := v.seats[key]
	if s == nil {
		s = &seat{seatKey: key, places: map[int][]spot{}}
		if last := v.seats[seatKey{key.stream, key.part - 1}]; last != nil {
			s.name = last.name
		}
		v.seats[key] = s
		v.order = append(v.order, s)
	}
	return s
}

func (v *View) player(number int) *player {
	p := v.players[number]
	if p == nil {
		p = &player{number: number}
		v.players[number] = p
	}
	return p
}

// input takes an input or a place, and reports whether it is kept.
func (v *View) input(rec *dissect.Record, in *extract.Input) bool {
	at := spot{time: in.Time, x: in.Place[0], y: in.Place[1], frame: rec.Number()}
	if in.PlaceTime != 0 {
		at.time = in.PlaceTime
	}
	switch {
	case in.Kind == extract.InputCommand && in.Player >= 0:
		p := v.player(in.Player)
		p.inputs = append(p.inputs, moment{in.Time, in.Sum, rec.Number()})
	case in.Kind == extract.InputCommand:
		s := v.seat(rec)
		s.inputs = append(s.inputs, moment{in.Time, in.Sum, rec.Number()})
	case !in.HasPlace:
		return false
	case rec.Direction == dissect.Undecidable && in.Player >= 0: // a server's record is sent to nobody
		p := v.player(in.Player)
		p.places = append(p.places, at)
	default:
		s := v.seat(rec)
		list := s.places[in.Player]
		if n := len(list); n > 0 && list[n-1].time == at.time && list[n-1].x == at.x && list[n-1].y == at.y {
			return false
		}
		s.places[in.Player] = append(list, at)
	}
	return true
}

// event takes what the comparison needs of an event: maps, names and commands.
func (v *View) event(rec *dissect.Record, e dissect.Value) {
	client := e.Get("client")
	number, numbered := int(client.Get("client_num").Int()), client.Get("client_num").Exists()
	name := client.Get("name_clean").String()
	switch kind := e.Get(dissect.EventKind.Key).String(); kind {
	case event.MapStart:
		v.maps[rec.Stream]++
		v.mapName = e.Get("map").String()
	case event.Connect, event.Rename:
		if numbered && name != "" {
			v.names[number] = name
		}
	case event.ChatCommand, event.Rcon:
		command := e.Get("command")
		switch {
		case !command.Exists():
		case rec.HasTime: // of a capture
			s := v.seat(rec)
			s.said = appendSaid(s.said, kind, command.Bytes(), rec.Number())
		case numbered && rec.Direction == dissect.Undecidable:
			p := v.player(number)
			p.said = appendSaid(p.said, kind, command.Bytes(), rec.Number())
		}
	}
	if rec.HasTime && e.Get("own").Bool() && name != "" {
		v.seat(rec).name = name
	}
}

// appendSaid appends the commands of a line. Several in one line are joined by semicolons; a server records them
// without quotes.
func appendSaid(list []said, kind string, line []byte, frame uint64) []said {
	lines := [][]byte{line}
	if kind == event.Rcon {
		lines = bytes.Split(line, []byte{';'})
	}
	for _, l := range lines {
		words := strings.Fields(strings.ReplaceAll(string(l), `"`, ""))
		if len(words) > 0 {
			words[0] = strings.ToLower(words[0])
			list = append(list, said{kind, strings.Join(words, " "), frame})
		}
	}
	return list
}

// sorted returns the players of a server's record by number.
func (v *View) sorted() (list []*player) {
	for _, p := range v.players {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *player) int { return a.number - b.number })
	return list
}
