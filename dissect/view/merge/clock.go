package merge

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// A fitted is how well the games of two recordings agree.
type fitted struct {
	a, b      *game
	why1      string // why they cannot be one game; "": by their events
	ahead     int64  // how far b's clock is ahead of a's, ms
	low, high int64  // of the events that both have, less ahead
	common    int    // events that both have
	could     int    // events that both could have: the fewer of both in the time that both show
	apart     int    // with a server's record: events of what it sends that agree, but not in their tick
}

const (
	LeastCommon  = 3    // events that two recordings of one match must have in common
	clockWindow  = 1000 // ms by which the clocks' difference may vary: snapshots are not sent at the same moments
	ServerWindow = 2000 // ms: recordings of one server have its clock, so their clocks do not differ by more
	// The same where the clocks differ: more must agree.
	leastCommonApart = 10
	// recordWindow is by how much what a server sends may differ from its own record of it, which has the same clock, in
	// ms: the tick of the newest snapshot is used for a message.
	recordWindow = 150
)

// compareGames compares the games of two recordings.
func compareGames(a, b *game) fitted {
	f := fitted{a: a, b: b}
	switch {
	case a.mapName != "" && b.mapName != "" && a.mapName != b.mapName:
		f.why1 = fmt.Sprintf("another map (%s, %s)", a.mapName, b.mapName)
	case a.hostname != "" && b.hostname != "" && a.hostname != b.hostname:
		f.why1 = fmt.Sprintf("another server (%s, %s)", a.hostname, b.hostname)
	default:
		f.clock()
	}
	return f
}

// proof returns what proves that both games have an event; "": nothing.
func (f *fitted) proof(h *Happening) string {
	if f.withRecord() {
		return h.detail.deed
	}
	return h.detail.proof
}

// withRecord reports whether one of the games is as its server recorded it.
func (f *fitted) withRecord() bool { return f.a.isRecord || f.b.isRecord }

// clock finds the difference of the clocks at which most events agree.
func (f *fitted) clock() {
	if f.withRecord() { // the clock is the server's
		f.count()
		return
	}
	const most = 16 // equal events of a game, so that many do not take long
	times := map[string][]int64{}
	for _, h := range f.a.list {
		if p := f.proof(h); p != "" && h.Timed && len(times[p]) < most {
			times[p] = append(times[p], h.Time)
		}
	}
	var differences []int64
	for _, h := range f.b.list {
		if p := f.proof(h); p != "" && h.Timed {
			for _, t := range times[p] {
				differences = append(differences, h.Time-t)
			}
		}
	}
	slices.Sort(differences)
	from, to := densest(differences)
	if from == to {
		return
	}
	f.ahead = differences[from+(to-from)/2]
	f.count()
}

// densest returns the part of sorted values within clockWindow that has most of them; of equal ones that nearest to 0.
func densest(sorted []int64) (from, to int) {
	left := 0
	for right := range sorted {
		for sorted[right]-sorted[left] > clockWindow {
			left++
		}
		n := right + 1 - left
		if n > to-from || n == to-from && apart(sorted[left], 0) < apart(sorted[from], 0) {
			from, to = left, right+1
		}
	}
	return from, to
}

// count counts the events that both games have, each once, and those that they could have.
func (f *fitted) count() {
	first, last := max(f.a.first, f.b.first-f.ahead), min(f.a.last, f.b.last-f.ahead)
	within := func(t int64) bool { return t >= first && t <= last }
	times := map[string][]int64{}
	inA, inB := 0, 0
	for _, h := range f.a.list {
		if p := f.proof(h); p != "" && h.Timed && within(h.Time) {
			times[p] = append(times[p], h.Time)
			if toAll[h.Kind] {
				inA++
			}
		}
	}
	common := 0
	for _, h := range f.b.list {
		p, t := f.proof(h), h.Time-f.ahead
		if p == "" || !h.Timed || !within(t) {
			continue
		}
		if toAll[h.Kind] {
			inB++
		}
		at := slices.IndexFunc(times[p], func(other int64) bool { return apart(other, t) <= clockWindow })
		if at < 0 {
			continue
		}
		d := t - times[p][at]
		times[p] = slices.Delete(times[p], at, at+1)
		if f.withRecord() && !fromClient[h.Kind] && apart(d, 0) > recordWindow {
			f.apart++
			continue
		}
		if common++; common == 1 {
			f.low, f.high = d, d
		}
		f.low, f.high = min(f.low, d), max(f.high, d)
	}
	f.common, f.could = common, max(min(inA, inB), 1)
}

// fits reports whether both are one game.
func (f *fitted) fits() bool {
	if f.withRecord() && f.common < 4*f.apart {
		return false
	}
	if apart(f.ahead, 0) > ServerWindow {
		return f.common >= leastCommonApart && 5*f.common >= 4*f.could
	}
	return f.common >= LeastCommon && 2*f.common >= f.could
}

// better reports whether f has more in common than another, which may be nil.
func (f *fitted) better(other *fitted) bool {
	return other == nil || f.common > other.common || f.common == other.common && f.why1 == "" && other.why1 != ""
}

// why returns why both are not one game.
func (f *fitted) why() string {
	if f.why1 != "" {
		return f.why1
	}
	switch {
	case f.common == 0:
		return "no events in common"
	case f.withRecord() && f.common < 4*f.apart:
		return fmt.Sprintf("events in common: %d, and %d in other ticks", f.common, f.apart)
	case f.common < LeastCommon:
		return fmt.Sprintf("events in common: %d, where %d are needed", f.common, LeastCommon)
	case apart(f.ahead, 0) > ServerWindow && f.common < leastCommonApart:
		return fmt.Sprintf("events in common: %d, where %d are needed for clocks that differ by %d ms", f.common,
			leastCommonApart, f.ahead)
	}
	return fmt.Sprintf("events in common: %d, of %d that both should have", f.common, f.could)
}

// String describes the clocks.
func (f *fitted) String() string {
	text := fmt.Sprintf("%s, %d events in both, its clock %+d ms (%+d to %+d ms)", f.a.mapName, f.common, f.ahead, f.low,
		f.high)
	if d, ok := f.captured(); ok {
		text += fmt.Sprintf(", that of its capture %+d ms", d)
	}
	return text
}

// captured returns how far the clock of the machine that captured b is ahead of that of a, by the median of the events
// that both have, in milliseconds.
func (f *fitted) captured() (ahead int64, ok bool) {
	times := map[string]*Happening{}
	for _, h := range f.a.list {
		if p := f.proof(h); p != "" && h.Timed {
			times[p] = h
		}
	}
	var list []int64
	for _, h := range f.b.list {
		o := times[f.proof(h)]
		if o != nil && h.Timed && h.arrived != 0 && o.arrived != 0 && apart(h.Time-f.ahead, o.Time) <= clockWindow {
			list = append(list, h.arrived-o.arrived)
		}
	}
	if len(list) == 0 {
		return 0, false
	}
	slices.Sort(list)
	return list[len(list)/2], true
}

// shift moves a happening to another clock.
func (h *Happening) shift(by int64) {
	if by == 0 {
		return
	}
	h.Time += by
	for _, key := range [...]string{"server_time", "start_time", "end_time", "starts_at"} {
		h.Text, h.At = replaceNumber(h.Text, h.At, key, func(n int64) int64 { return n + by })
	}
}

// replaceNumber replaces the value of the first member with a key in JSON. at is an index in the text, which is moved
// with it. Texts have their quotes escaped, so only a key is found.
func replaceNumber(text []byte, at int, key string, value func(int64) int64) (changed []byte, moved int) {
	_, rest, ok := bytes.Cut(text, []byte(`"`+key+`":`))
	if !ok {
		return text, at
	}
	from := len(text) - len(rest)
	to := from
	for to < len(text) && (text[to] == '-' || text[to] >= '0' && text[to] <= '9') {
		to++
	}
	n, err := strconv.ParseInt(string(text[from:to]), 10, 64)
	if err != nil {
		return text, at
	}
	changed = strconv.AppendInt(slices.Clip(text[:from:from]), value(n), 10)
	if at >= to {
		at += len(changed) - to
	}
	return append(changed, text[to:]...), at
}

func apart(a, b int64) int64 { return max(a-b, b-a) }

// SameStart reports whether two recordings show the start of one match, by the server's clock in milliseconds.
func SameStart(a, b int64) bool { return apart(a, b) <= ServerWindow }

// SameMoment reports whether an event of one match can have these two times in two recordings, in milliseconds.
func SameMoment(a, b int64) bool { return apart(a, b) <= clockWindow }
