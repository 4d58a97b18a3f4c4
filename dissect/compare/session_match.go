package compare

import (
	"cmp"
	"math"
	"slices"
)

// A Session is what several views of one session have in common.
type Session struct {
	Views   []*View // of clients: captures and demos
	Records []*View // what the server recorded, a file for each map
	Clients []*Client
	Players []*Player
	Places  []*Places
	Tick    int64 // ms
}

// A Client is a client's inputs and commands in a capture, and what the server recorded of them. Times are in ms of the
// game's clock.
type Client struct {
	View, Record *View // Record is nil if no recorded player has the inputs
	Stream, Part int   // Part counts the maps of the stream, from 0
	Number       int   // the client's, in the record
	Name         string

	Inputs     []Applied
	InTime     int // applied in the tick that they were meant for
	Late       int // applied in a later one
	NotApplied int
}

// A Player is the inputs that a server recorded of a player, which are changes, and the packets that they came in.
type Player struct {
	Record  *View
	Number  int
	Name    string
	Changes int
	InTime  int // with a packet for their tick
	Late    int // with one for an earlier tick
	Without int // with none in the captures

	Chat, Rcon Commands
}

// An Applied is an input in a packet, and when the server applied it.
type Applied struct {
	Frame             uint64
	Intended, Applied int64 // Applied is -1 if it never did
}

// Commands counts commands in packets, those that the server recorded, and those that are in both.
type Commands struct{ Sent, Recorded, Matched int }

// Places counts where players are in snapshots, on one map: each combination of tick, number in the snapshot and place
// once.
type Places struct {
	Record          *View
	Compared, Equal int
	Different       []Differing // the first ones

	seen map[placeKey]struct{}
}

// A Differing is a place that the server recorded otherwise.
type Differing struct {
	View   *View
	Frame  uint64
	Time   int64
	Number int // of the player, in the record
	X, Y   float32

	RecordedX, RecordedY float32 // where the server has the player
}

// A placeKey is a tick, a number in the snapshot and a place, as a hash: of ten million two are equal by chance with a
// probability of 3 in a million.
type placeKey uint64

func keyOf(number int, s *spot) placeKey {
	key := uint64(0xcbf29ce484222325) // FNV-1a, of words
	for _, v := range [...]uint64{
		uint64(s.time), uint64(number), uint64(math.Float32bits(s.x))<<32 | uint64(math.Float32bits(s.y)),
	} {
		key = (key ^ v) * 0x100000001b3
		key ^= key >> 32
	}
	return placeKey(key)
}

const (
	maxLate      = 2000 // ms after which an input is not late but another one
	votes        = 500  // inputs or places by which a player is recognised
	maxDifferent = 20
)

// CompareSession compares captures and demos of a session with what the server recorded of it. Clients and players are
// recognised by their inputs and places, since some servers number players differently for each client.
func CompareSession(views, records []*View) *Session {
	s := &Session{Views: views, Records: records}
	for _, r := range records {
		s.Tick = max(s.Tick, r.tick)
	}
	for _, v := range views {
		for _, seat := range v.order {
			var c *Client
			if len(seat.inputs) > 0 {
				c = s.client(v, seat)
				s.Clients = append(s.Clients, c)
			}
			s.addPlaces(v, seat, c)
		}
	}
	s.explain()
	return s
}

// client compares the inputs of a client.
func (s *Session) client(v *View, st *seat) *Client {
	c := &Client{View: v, Stream: st.stream, Part: st.part, Number: -1, Name: st.name}
	best := 0
	step := max(1, len(st.inputs)/votes)
	var chosen *player
	for _, r := range s.Records {
		for _, p := range r.sorted() {
			equal := 0
			for i := 0; i < len(st.inputs); i += step {
				if in := &st.inputs[i]; p.inForce(in.time) == in.sum {
					equal++
				}
			}
			if equal > best {
				best, chosen = equal, p
				c.Record, c.Number = r, p.number
			}
		}
	}
	if chosen == nil {
		c.NotApplied = len(st.inputs)
		return c
	}
	if name := c.Record.names[c.Number]; name != "" {
		c.Name = name
	}
	for i := range st.inputs {
		in := &st.inputs[i]
		a := Applied{Frame: in.frame, Intended: in.time, Applied: -1}
		if p := chosen; p.inForce(in.time) == in.sum {
			a.Applied = in.time
			c.InTime++
		} else if a.Applied = p.appliedAfter(in); a.Applied >= 0 {
			c.Late++
		} else {
			c.NotApplied++
		}
		c.Inputs = append(c.Inputs, a)
	}
	return c
}

// inForce returns the sum of the input that the server applies at a time; 0: none.
func (p *player) inForce(at int64) uint64 {
	if i := p.inputAfter(at); i > 0 {
		return p.inputs[i-1].sum
	}
	return 0
}

// inputAfter returns the index of the first recorded input after a time.
func (p *player) inputAfter(at int64) int {
	i, _ := slices.BinarySearchFunc(p.inputs, at+1, func(m moment, t int64) int { return cmp.Compare(m.time, t) })
	return i
}

// appliedAfter returns when the server first applied an input after the time that it was meant for; -1: never.
func (p *player) appliedAfter(in *moment) int64 {
	for i := p.inputAfter(in.time); i < len(p.inputs) && p.inputs[i].time-in.time <= maxLate; i++ {
		if p.inputs[i].sum == in.sum {
			return p.inputs[i].time
		}
	}
	return -1
}

// compareCommands counts commands of one kind. Both lists are in order.
func compareCommands(sent, recorded []said, kind string) (c Commands) {
	next := 0
	for i := range sent {
		if sent[i].kind == kind {
			c.Sent++
		}
	}
	for i := range recorded {
		if recorded[i].kind != kind {
			continue
		}
		c.Recorded++
		for k := next; k < len(sent); k++ {
			if sent[k].kind == kind && sent[k].words == recorded[i].words {
				c.Matched++
				next = k + 1
				break
			}
		}
	}
	return c
}
