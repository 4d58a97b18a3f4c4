package merge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
)

// A Join combines recordings of one match, by several players or by a player and a capture: each happening once, with
// the recordings that show it. Each recording is combined by a Merge of its own.
//
// Games of two recordings are one if map and server agree and most of what both must have shown is in both, at one
// difference of their clocks.
type Join struct {
	render     func(rec *dissect.Record, event int) ([]byte, int)
	selected   func(rec *dissect.Record, event int) bool
	recordings []*recording
	count      int
}

// A recording is one input.
type recording struct {
	name  string
	merge *Merge
	games *games
	list  []*Happening
	rec   *dissect.Record // that is being read
	event int
}

// maxJoined is the most events that are joined: they are kept until all inputs were read.
const maxJoined = 500_000

// NewJoin returns an empty Join. render is that of a Merge; selected reports whether an event is to be shown, nil: all.
func NewJoin(render func(*dissect.Record, int) ([]byte, int), selected func(*dissect.Record, int) bool) *Join {
	return &Join{render: render, selected: selected}
}

// Begin begins the next recording.
func (j *Join) Begin(name string) {
	r := &recording{name: name, merge: NewMerge()}
	r.games = newGames(len(j.recordings), func() bool { return j.selected == nil || j.selected(r.rec, r.event) })
	r.merge.games = r.games
	r.merge.Render = func(rec *dissect.Record, event int) ([]byte, int) {
		r.rec, r.event = rec, event
		return j.render(rec, event)
	}
	r.merge.Show = func(dst []byte, h *Happening) []byte {
		if j.count++; j.count <= maxJoined {
			r.list = append(r.list, h)
		}
		return dst
	}
	j.recordings = append(j.recordings, r)
}

// Add reads the events of a record of the present recording, as Merge.Add does.
func (j *Join) Add(rec *dissect.Record) { j.recordings[len(j.recordings)-1].merge.Add(nil, rec) }

// A Joined is a happening with the recordings that show it.
type Joined struct {
	*Happening       // as the first recording shows it
	Recordings []int // that show it, rising
	NotIn      []int // that should have shown it: see Happening.NotSeenBy
}

// JoinHeader is the line above those of AppendText.
const JoinHeader = "   server  recordings  event            what happened\n"

// AppendText appends the happening as a line, as that of Happening does.
func (h *Joined) AppendText(dst []byte, width int) []byte {
	return h.appendLine(dst, h.Recordings, len("recordings"), width)
}

// A joint is a game as all recordings show it.
type joint struct {
	games  []*game
	list   []*Joined
	byKind map[string][]*Joined // by detail.same
	byDeed map[string][]*Joined // by detail.deed
	starts []int64              // of its matches, by number
}

// Result returns the happenings in the order of the game, and what is known of the recordings in words. The error
// is the reason why the recordings are not of one match.
func (j *Join) Result() (list []*Joined, summary []string, err error) {
	if j.count > maxJoined {
		return nil, nil, fmt.Errorf("more than %d events: too many to be joined", maxJoined)
	}
	for i, r := range j.recordings {
		r.merge.Flush(nil)
		r.games.end()
		for _, h := range r.list {
			h.detail.game.list = append(h.detail.game.list, h)
		}
		for _, g := range r.games.list {
			g.settle()
		}
		if i == 0 {
			for _, g := range r.games.list {
				g.joint = newJoint(g)
			}
			continue
		}
		lines, err := j.fit(i)
		if err != nil {
			return nil, nil, err
		}
		summary = append(summary, lines...)
	}
	number := int64(0)
	for _, t := range j.order() {
		list = append(list, t.finish(j, &number)...)
	}
	return list, summary, nil
}

// settle gives all happenings of a game a time: that of the next one that has one.
func (g *game) settle() {
	at := g.last
	for _, h := range slices.Backward(g.list) {
		if h.Timed {
			at = h.Time
		}
		h.detail.at = at
	}
}

// fit finds the games of the recordings before it that a recording shows.
func (j *Join) fit(number int) (summary []string, err error) {
	r := j.recordings[number]
	var best *fitted
	fits := false
	for _, g := range r.games.list {
		var own *fitted
		for _, before := range j.recordings[:number] {
			for _, other := range before.games.list {
				f := compareGames(other, g)
				if f.better(best) {
					best = &f
				}
				if f.fits() && f.better(own) {
					own = &f
				}
			}
		}
		if own == nil {
			continue
		}
		fits = true
		g.joint, g.ahead = own.a.joint, own.a.ahead+own.ahead
		summary = append(summary, fmt.Sprintf("%s (%d) joins %s (%d): %s", r.name, number,
			j.recordings[own.a.recording].name, own.a.recording, own))
	}
	if !fits {
		if best == nil {
			return nil, fmt.Errorf("%s has no events of a game", r.name)
		}
		return nil, fmt.Errorf("%s and %s do not show one match: %s", j.recordings[best.a.recording].name, r.name, best.why())
	}
	for _, g := range r.games.list {
		if g.joint == nil {
			g.joint = newJoint(g)
		} else {
			g.joint.games = append(g.joint.games, g)
		}
	}
	return summary, nil
}

func newJoint(g *game) *joint {
	return &joint{games: []*game{g}, byKind: map[string][]*Joined{}, byDeed: map[string][]*Joined{}}
}

// order returns the games in their order: as in the first recording, with those of others before the ones that follow
// them there.
func (j *Join) order() (list []*joint) {
	for _, r := range j.recordings {
		at := 0
		for _, g := range r.games.list {
			if i := slices.Index(list, g.joint); i >= 0 {
				at = i + 1
				continue
			}
			list = slices.Insert(list, at, g.joint)
			at++
		}
	}
	return list
}

// finish joins the happenings of a game. number is that of the next match.
func (t *joint) finish(j *Join, number *int64) []*Joined {
	first := *number
	numbers := make([]map[int64]int64, len(t.games))
	for _, late := range [...]bool{false, true} { // whose start is not known is the one that is on
		for i, g := range t.games {
			if numbers[i] == nil {
				numbers[i] = map[int64]int64{}
			}
			for _, h := range g.list {
				d := h.detail
				if (h.Kind != event.MatchStart && h.Kind != event.MatchEnd) || d.match < 0 || d.late != late {
					continue
				}
				if _, ok := numbers[i][d.match]; !ok {
					numbers[i][d.match] = first + t.match(d.start-g.ahead, late)
				}
			}
		}
	}
	for i, g := range t.games {
		for _, h := range g.list {
			t.add(g, h, numbers[i])
		}
	}
	*number = first + int64(len(t.starts))
	slices.SortStableFunc(t.list, func(a, b *Joined) int { return cmp.Compare(a.detail.at, b.detail.at) })
	list := t.list[:0]
	for _, h := range t.list {
		if h.detail.selected {
			t.missing(h)
			list = append(list, h)
		}
	}
	return list
}

// match returns the number of a match in the game, by its start; of a late one by its first sign.
func (t *joint) match(start int64, late bool) int64 {
	on := -1
	for i, s := range t.starts {
		if late && s <= start+usualMoment && (on < 0 || s > t.starts[on]) {
			on = i
		}
	}
	if on >= 0 {
		return int64(on)
	}
	for i, s := range t.starts {
		if apart(s, start) <= usualMoment {
			return int64(i)
		}
	}
	t.starts = append(t.starts, start)
	return int64(len(t.starts) - 1)
}

// add adds a happening of a recording, to the one that another recording has shown if there is one.
func (t *joint) add(g *game, h *Happening, matches map[int64]int64) {
	d := h.detail
	d.at -= g.ahead
	h.shift(-g.ahead)
	same := d.same
	if number, ok := matches[d.match]; ok {
		h.Text, h.At = replaceNumber(h.Text, h.At, "match", func(int64) int64 { return number })
		if h.Kind == event.MatchStart || h.Kind == event.MatchEnd {
			same = fmt.Sprint(same, number)
		}
	}
	best := nearest(t.byKind[same], g, h, func(*Joined) bool { return true })
	if best == nil && d.deed != "" {
		best = nearest(t.byDeed[d.deed], g, h, func(o *Joined) bool { return g.isRecord || o.detail.game.isRecord })
	}
	if best == nil {
		best = &Joined{Happening: h, Recordings: []int{g.recording}}
		t.list = append(t.list, best)
		t.byKind[same] = append(t.byKind[same], best)
		if d.deed != "" {
			t.byDeed[d.deed] = append(t.byDeed[d.deed], best)
		}
		return
	}
	best.Recordings = append(best.Recordings, g.recording)
	if o := best.Happening; o.cut && !h.cut || h.own && !o.own && !h.cut {
		best.Happening = h
	}
}

// nearest returns the happening of other recordings that is nearest to one of a game and may be the same; nil: none is.
func nearest(list []*Joined, g *game, h *Happening, may func(*Joined) bool) (best *Joined) {
	for _, o := range list {
		if slices.Contains(o.Recordings, g.recording) || !may(o) {
			continue
		}
		distance := apart(o.detail.at, h.detail.at)
		if h.Kind != event.MatchStart && h.Kind != event.MatchEnd && distance > h.moment() {
			continue
		}
		if best == nil || distance < apart(best.detail.at, h.detail.at) {
			best = o
		}
	}
	return best
}

// missing finds the recordings that should have shown a happening.
func (t *joint) missing(h *Joined) {
	slices.Sort(h.Recordings)
	h.Recordings = slices.Compact(h.Recordings)
	if !h.Timed || !toAll[h.Kind] {
		return
	}
	for _, g := range t.games {
		if g.timed && g.first-g.ahead < h.detail.at && g.last-g.ahead > h.detail.at &&
			!slices.Contains(h.Recordings, g.recording) && !slices.Contains(h.NotIn, g.recording) {
			h.NotIn = append(h.NotIn, g.recording)
		}
	}
	slices.Sort(h.NotIn)
}
