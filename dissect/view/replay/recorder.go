// Package replay packs who and what was where, of all that the states of a game show, so that a page can play it. It
// does not draw.
//
// Players have a place up to 20 times a second, as whole units. What flies has one only where it changes its way. The
// states of several streams of a game with the same time are one. A place that is not in a state is not made up: a run
// of places ends where no stream shows the player any more, where states are missing, and where a teleporter or a new
// life moves the player.
//
// Memory is bounded: after each 8 MB places are taken half as often, and after 24 MB no more.
package replay

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

const (
	every = 50  // milliseconds between two places of a player
	hole  = 500 // milliseconds without a state: what happened in them is not known
	quiet = 200 // milliseconds after which a state without anything new is kept
	// apart is the difference of two clocks, in milliseconds, from which they are other clocks.
	apart     = 2000
	unseen    = 150 // milliseconds after which a thing is gone
	maxWait   = 16  // states that wait for those of other streams
	maxThings = 150_000
	maxNames  = 500
)

// A Budget is the memory that all recorders of an input share.
type Budget struct {
	used   int
	slower uint // how often the rate was halved
	full   bool
}

// Limits of memory.
const (
	halveAfter = 8 << 20
	mostBytes  = 24 << 20

	// What each takes beside its lists, about.
	recorderBytes, trackBytes, thingBytes, knotBytes = 1 << 10, 400, 256, 16
)

// Full reports whether places were left out at the end, and Halved how many times fewer there are.
func (b *Budget) Full() bool { return b.full }

// Halved reports how often the rate of places was halved.
func (b *Budget) Halved() int { return int(b.slower) }

func (b *Budget) use(n int) {
	b.used += n
	b.full = b.full || b.used > mostBytes
	for b.used > halveAfter<<b.slower && b.slower < 6 {
		b.slower++
	}
}

// A Recorder packs the states of a game on one map.
type Recorder struct {
	mapNumber int
	heights   bool
	budget    *Budget

	offset  int64 // of the axis to the game's clock, in milliseconds
	started bool
	clocks  int // how many there were
	still   bool
	waiting []*state
	spare   []*state
	streams map[int]*stream

	count          int
	now            int64 // time of the last state
	record         uint64
	times, records packed
	names          []string
	tracks         []*track
	byPlayer       map[int]*track
	open           map[thingKey]*thing
	things         []*thing
}

// A stream is what one stream showed last.
type stream struct {
	time    int64
	players []int
	last    []extract.Thing // of a stream that is still between its states
	owners  []int
}

// A state is one moment of the game, as one or more streams show it.
type state struct {
	time   int64 // of the game
	record uint64
	shown  []shown
	cut    []int // players whose runs end before it
	exact  bool  // nobody moves after it, or until it: all places count, and those of the next state
}

// exact makes the waiting state of a time count.
func (r *Recorder) exact(time int64) {
	for _, st := range r.waiting {
		st.exact = st.exact || st.time == time
	}
}

// A shown is a thing of a state with the index of its player, or of its owner.
type shown struct {
	extract.Thing
	player int // -1: nobody who is known
}

// New begins a map. Places have a height where the game is not seen from the side.
func New(mapNumber int, heights bool, b *Budget) *Recorder {
	b.use(recorderBytes)
	return &Recorder{
		mapNumber: mapNumber, heights: heights, budget: b, streams: map[int]*stream{}, byPlayer: map[int]*track{},
		open: map[thingKey]*thing{}, names: []string{""},
	}
}

// Players return the index of the player with a number.
type Players func(client int32) (index int, ok bool)

// Add adds the scene of a record: the number of its stream, its time on the axis in seconds, and its own number.
func (r *Recorder) Add(number int, now float64, record uint64, s *extract.Scene, player Players) {
	if r.budget.full {
		return
	}
	axis := int64(now*1000 + 0.5)
	if off := axis - s.Time - r.offset; !r.started || off > apart || off < -apart {
		r.flush(0)
		r.cutAll()
		r.offset, r.started = axis-s.Time, true
		r.clocks++
	}
	in := r.streams[number]
	if in == nil {
		in = &stream{time: s.Time}
		r.streams[number] = in
	}
	missing := s.Time-in.time > hole || s.Time < in.time
	const tick = 20 // of a stream that says so
	if s.Still && s.Time-in.time > every && len(in.last) > 0 {
		r.exact(in.time)
		r.addState(in, s.Time-tick, record, in.last, in.owners, false)
		r.exact(s.Time - tick)
		missing = false
	}
	missing = missing && !s.Still
	r.still = s.Still
	owners := in.owners[:0]
	for i := range s.Things {
		owner := -1
		if t := &s.Things[i]; t.Kind == extract.ThingPlayer || t.Owner >= 0 {
			if p, ok := player(t.Owner); ok {
				owner = p
			}
		}
		owners = append(owners, owner)
	}
	in.owners = owners
	r.addState(in, s.Time, record, s.Things, owners, missing)
	if s.Still {
		in.last = append(in.last[:0], s.Things...)
	}
	r.flush(maxWait)
}

// addState adds what a stream shows to the state of its time.
func (r *Recorder) addState(in *stream, time int64, record uint64, things []extract.Thing, owners []int, missing bool) {
	st := r.at(time, record)
	if st == nil { // the states after it are packed
		return
	}
	in.time = time
	before := in.players
	in.players = make([]int, 0, len(before))
	for i := range things {
		t := &things[i]
		if t.Kind != extract.ThingPlayer {
			st.add(t, owners[i])
			continue
		}
		if owners[i] < 0 || slices.Contains(in.players, owners[i]) {
			continue
		}
		in.players = append(in.players, owners[i])
		tr := r.track(owners[i])
		if missing || tr.watches == 0 {
			st.cut = append(st.cut, owners[i])
		}
		if !slices.Contains(before, owners[i]) {
			tr.watches++
		}
		st.add(t, owners[i])
	}
	for _, p := range before {
		if !slices.Contains(in.players, p) {
			tr := r.track(p)
			if tr.watches--; tr.watches == 0 {
				st.cut = append(st.cut, p)
			}
		}
	}
}

// add adds a thing that no other stream has shown in the state.
func (st *state) add(t *extract.Thing, player int) {
	for i := range st.shown {
		o := &st.shown[i]
		if o.Kind != t.Kind || o.Number != t.Number || o.player != player {
			continue
		}
		if t.OfView && !o.OfView { // a player's own state says more
			jump := o.Jump
			o.Thing = *t
			o.Jump = o.Jump || jump
		}
		return
	}
	st.shown = append(st.shown, shown{*t, player})
}

// at returns the waiting state of a time, or a new one; nil: a later one is packed.
func (r *Recorder) at(time int64, record uint64) *state {
	i := len(r.waiting)
	for i > 0 && r.waiting[i-1].time > time {
		i--
	}
	if i > 0 && r.waiting[i-1].time == time {
		return r.waiting[i-1]
	}
	if r.count > 0 && time+r.offset <= r.now {
		return nil
	}
	var st *state
	if n := len(r.spare); n > 0 {
		st, r.spare = r.spare[n-1], r.spare[:n-1]
		*st = state{shown: st.shown[:0], cut: st.cut[:0]}
	} else {
		st = &state{}
	}
	st.time, st.record = time, record
	r.waiting = slices.Insert(r.waiting, i, st)
	return st
}

func (r *Recorder) track(player int) *track {
	t := r.byPlayer[player]
	if t == nil {
		r.budget.use(trackBytes)
		t = &track{player: player, heights: r.heights}
		r.byPlayer[player] = t
		r.tracks = append(r.tracks, t)
	}
	return t
}

// flush packs the oldest states until so many wait.
func (r *Recorder) flush(left int) {
	n := max(0, len(r.waiting)-left)
	for _, st := range r.waiting[:n] {
		r.pack(st)
		r.spare = append(r.spare, st)
	}
	r.waiting = slices.Delete(r.waiting, 0, n)
}

// cutAll ends everything: another clock follows.
func (r *Recorder) cutAll() {
	for _, t := range r.tracks {
		r.end(t)
		t.watches, t.due = 0, 0
	}
	clear(r.streams)
	for key, t := range r.open {
		t.close()
		delete(r.open, key)
	}
}
