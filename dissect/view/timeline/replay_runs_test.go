package timeline_test

import (
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/view/replay"
)

// A moment is what a stream shows at a time: the places of clients along the first axis.
type moment struct {
	stream int
	time   int64
	at     map[int32]float32
	jump   bool
}

// runsOf packs moments, and returns how many places each run of a client's has.
func runsOf(moments []moment, client int) (runs []int) {
	var b replay.Budget
	r := replay.New(0, true, &b)
	for i, m := range moments {
		s := extract.Scene{Known: true, Time: m.time}
		for c, x := range m.at {
			s.Things = append(s.Things, extract.Thing{
				Kind: extract.ThingPlayer, Number: c, Owner: c, Place: [3]float32{x}, Jump: m.jump,
			})
		}
		r.Add(m.stream, float64(m.time)/1000, uint64(i), &s, func(c int32) (int, bool) { return int(c), true })
	}
	for _, t := range r.Data(nil).Tracks {
		list := unpacker(t.Runs)
		for t.Player == client && list != "" {
			list.next()
			runs = append(runs, int(list.next()))
		}
	}
	return runs
}

// every50 are moments of one stream, 50 ms apart, with one client who moves.
func every50(from, to int64) (list []moment) {
	for t := from; t < to; t += 50 {
		list = append(list, moment{time: t, at: map[int32]float32{1: float32(t) / 10}})
	}
	return list
}

// A run of places ends at a jump, at a hole, and where a player leaves the view, and nowhere else.
func TestRunsOfAReplay(t *testing.T) {
	t.Parallel()
	whole := every50(0, 1000)
	jumps := every50(0, 1000)
	jumps[7].jump = true
	leaves := every50(0, 1000)
	leaves[5].at, leaves[6].at = nil, nil
	// Another stream sees him while the first does not: its moments are at the same times.
	other := slices.Clone(leaves)
	for _, m := range every50(0, 1000) {
		m.stream = 1
		other = append(other, m)
	}
	slices.SortStableFunc(other, func(a, b moment) int { return int(a.time - b.time) })
	// Two streams that take turns.
	turns := every50(0, 1000)
	for i := range turns {
		turns[i].stream = i % 2
	}
	for name, c := range map[string]struct {
		moments []moment
		want    []int
	}{
		"whole":          {whole, []int{20}},
		"a jump":         {jumps, []int{7, 13}},
		"a short loss":   {slices.Delete(every50(0, 1000), 5, 9), []int{16}},
		"a hole":         {slices.Delete(every50(0, 2000), 10, 25), []int{10, 15}},
		"out of view":    {leaves, []int{5, 13}},
		"seen by others": {other, []int{20}},
		"two by turns":   {turns, []int{20}},
		"too often":      {append(every50(0, 500), slices.Concat(every50(510, 700), every50(720, 900))...), nil},
	} {
		got := runsOf(c.moments, 1)
		if name == "too often" { // at most 20 a second
			if n := got[0]; len(got) != 1 || n > 19 {
				t.Errorf("%s: runs of %v places in 0.9 s", name, got)
			}
			continue
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: runs of %v places, want %v", name, got, c.want)
		}
	}
}
