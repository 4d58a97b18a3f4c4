package compare

import (
	"cmp"
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/event"
)

// at returns where the server has a player at a time.
func (p *player) at(time int64) (at spot, ok bool) {
	i, _ := slices.BinarySearchFunc(p.places, time+1, func(s spot, t int64) int { return cmp.Compare(s.time, t) })
	if i == 0 {
		return spot{}, false
	}
	return p.places[i-1], true
}

// isAt reports whether the server has a player in a place.
func (p *player) isAt(s *spot) bool {
	at, ok := p.at(s.time)
	return ok && at.x == s.x && at.y == s.y
}

// addPlaces compares the places that a client's snapshots show on one map. c is what its inputs show; nil: nothing.
func (s *Session) addPlaces(v *View, st *seat, c *Client) {
	record := s.recordOf(st, c)
	if record == nil {
		return
	}
	i := slices.IndexFunc(s.Places, func(p *Places) bool { return p.Record == record })
	if i < 0 {
		i = len(s.Places)
		s.Places = append(s.Places, &Places{Record: record, seen: map[placeKey]struct{}{}})
	}
	into := s.Places[i]
	for _, number := range slices.Sorted(maps.Keys(st.places)) {
		list := st.places[number]
		if p, _ := nearest(record, list); p != nil {
			into.add(v, p, number, list)
		}
	}
}

// recordOf returns the record of the map that a client's snapshots show: that of its inputs, else the one with most of
// the places.
func (s *Session) recordOf(st *seat, c *Client) (record *View) {
	if c != nil && c.Record != nil {
		return c.Record
	}
	best := 0
	for _, r := range s.Records {
		equal := 0
		for _, list := range st.places {
			_, n := nearest(r, list)
			equal += n
		}
		if equal > best {
			best, record = equal, r
		}
	}
	return record
}

// nearest returns the recorded player with most of some places, and how many of those looked at are equal.
func nearest(record *View, list []spot) (chosen *player, best int) {
	step := max(1, len(list)/votes)
	for _, p := range record.sorted() {
		equal := 0
		for i := 0; i < len(list); i += step {
			if p.isAt(&list[i]) {
				equal++
			}
		}
		if equal > best {
			chosen, best = p, equal
		}
	}
	return chosen, best
}

// add compares places of a player, who has a number in the snapshots, each once.
func (c *Places) add(v *View, p *player, number int, list []spot) {
	for i := range list {
		at := &list[i]
		key := keyOf(number, at)
		if _, seen := c.seen[key]; seen {
			continue
		}
		c.seen[key] = struct{}{}
		c.Compared++
		if p.isAt(at) {
			c.Equal++
		} else if len(c.Different) < maxDifferent {
			recorded, _ := p.at(at.time)
			c.Different = append(c.Different, Differing{
				View: v, Frame: at.frame, Time: at.time, Number: p.number, X: at.x, Y: at.y, RecordedX: recorded.x,
				RecordedY: recorded.y,
			})
		}
	}
}

// explain finds the packets of the recorded inputs of clients that are in a capture.
func (s *Session) explain() {
	for _, r := range s.Records {
		for _, p := range r.sorted() {
			isIt := func(c *Client) bool { return c.Record == r && c.Number == p.number }
			if len(p.inputs) > 0 && slices.ContainsFunc(s.Clients, isIt) {
				s.Players = append(s.Players, s.player(r, p))
			}
		}
	}
}

// player finds the packets of the inputs of a player.
func (s *Session) player(r *View, p *player) *Player {
	sent := map[uint64][]int64{} // times by sum
	var words []said
	for _, c := range s.Clients {
		if c.Record == r && c.Number == p.number {
			st := c.View.seats[seatKey{c.Stream, c.Part}]
			for _, in := range st.inputs {
				sent[in.sum] = append(sent[in.sum], in.time)
			}
			words = append(words, st.said...)
		}
	}
	out := &Player{Record: r, Number: p.number, Name: r.names[p.number], Changes: len(p.inputs)}
	out.Chat = compareCommands(words, p.said, event.ChatCommand)
	out.Rcon = compareCommands(words, p.said, event.Rcon)
	for _, in := range p.inputs {
		times := sent[in.sum]
		switch {
		case slices.Contains(times, in.time):
			out.InTime++
		case slices.ContainsFunc(times, func(t int64) bool { return t < in.time && in.time-t <= maxLate }):
			out.Late++
		default:
			out.Without++
		}
	}
	return out
}
