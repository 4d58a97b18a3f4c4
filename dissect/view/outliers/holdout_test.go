package outliers

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
)

// A holdOut compares measures on one half of the players and scores the chosen one on the other half. Players with one
// name are in one half, whatever the recording.
type holdOut struct {
	change string
	list   []heldOut
}

// heldOut are the values of a player, by candidate, unchanged and changed.
type heldOut struct {
	half          int
	before, after [len(candidates)]float64
	enough        [len(candidates)]bool
}

// candidates are the measures and percentiles that an aim snap could be found by.
var candidates = [...]struct {
	of      measure
	percent int
}{
	{shotCentre, 5},
	{shotCentre, 10},
	{shotCentre, 25},
	{shotCentre, 50},
	{shotOffTarget, 5},
	{shotOffTarget, 25},
	{shotOffTarget, 50},
	{snapReturn, 50},
	{snapReturn, 75},
	{snapReturn, 95},
	{snapGain, 50},
	{snapGain, 95},
	{shotTurn, 50},
	{shotTurn, 95},
}

// halfOf puts a player into a half by the name.
func halfOf(name string) int {
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(name)))
	return int(h.Sum32() >> 16 & 1)
}

// add takes the players of a recording that was played with a change.
func (h *holdOut) add(tp *tape, changed []Player, c *Collector) {
	for i := range changed {
		p := &changed[i]
		at := tp.find(p)
		if at < 0 || tp.class[at] != People || p.Clean == "" && tp.players[at].Clean == "" {
			continue
		}
		was := &tp.players[at]
		one, any := heldOut{half: halfOf(was.Clean)}, false
		before := tp.of.players[playerKey{streamKey{was.File, was.Stream}, was.Kind, was.Number}]
		after := c.players[playerKey{streamKey{p.File, p.Stream}, p.Kind, p.Number}]
		for j, k := range candidates {
			b, a := &before.series[k.of], &after.series[k.of]
			if least := int64(Measures[k.of].Least); b.count < least || a.count < least {
				continue
			}
			one.before[j], one.after[j], one.enough[j] = b.percentile(k.percent), a.percentile(k.percent), true
			any = true
		}
		if any {
			h.list = append(h.list, one)
		}
	}
}

// score returns how many players of a half are beyond 95 % of the unchanged players of a half, changed and as they are.
// A player of that half is compared with the others.
func (h *holdOut) score(candidate, half, with int) (n, found, unchanged int) {
	side := Measures[candidates[candidate].of].Side
	for i := range h.list {
		p := &h.list[i]
		if p.half != half || !p.enough[candidate] {
			continue
		}
		others, beyond, asIs := 0, 0, 0
		for j := range h.list {
			o := &h.list[j]
			if j == i || o.half != with || !o.enough[candidate] {
				continue
			}
			others++
			if side.before(p.after[candidate], o.before[candidate]) {
				beyond++
			}
			if side.before(p.before[candidate], o.before[candidate]) {
				asIs++
			}
		}
		if others < least {
			continue
		}
		n++
		if 100*beyond >= 95*others {
			found++
		}
		if 100*asIs >= 95*others {
			unchanged++
		}
	}
	return n, found, unchanged
}

// choose returns the candidate that finds most in a half, of those with at most 10 % false ones; the first of equal
// ones.
func (h *holdOut) choose(half int) (best int) {
	most := -1.0
	for i := range candidates {
		n, found, unchanged := h.score(i, half, half)
		if n == 0 || 10*unchanged > n {
			continue
		}
		if share := float64(found) / float64(n); share > most {
			best, most = i, share
		}
	}
	return best
}

// holdOutTable writes and compares the table of docs/input.md: what is chosen by one half of the players, and what it
// finds there and in the other half, whose players are compared with those of the first.
func holdOutTable(t *testing.T, list []*holdOut) {
	t.Helper()
	var b strings.Builder
	b.WriteString("| change | chosen by | measure | there: found | false | others: found | false |\n" +
		"| --- | --- | --- | --- | --- | --- | --- |\n")
	share := func(k, n int) string {
		return fmt.Sprintf("%d of %d (%.0f %%)", k, n, 100*float64(k)/float64(max(n, 1)))
	}
	for _, h := range list {
		for half := range 2 {
			best := h.choose(half)
			n, found, unchanged := h.score(best, half, half)
			m, others, wrong := h.score(best, 1-half, half)
			fmt.Fprintf(&b, "| %s | half %d | `%s` p%d | %s | %s | %s | %s |\n", h.change, half+1,
				Measures[candidates[best].of].Key, candidates[best].percent, share(found, n), share(unchanged, n),
				share(others, m), share(wrong, m))
			if n == 0 || m == 0 {
				t.Errorf("%s: %d and %d players", h.change, n, m)
			}
		}
	}
	t.Log("\n" + b.String())
	block(t, "hold-out", b.String())
}
