package recover

import (
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// counts are how often things happen in messages of a game's servers, counted in recordings. They weigh the values
// of a message: see model. Fields are in the order of the wire.
type counts struct {
	player, entity               []fieldCount
	playerLengths, entityLengths symbolCounts // numbers of fields of a delta
	arrays                       []share      // by number of the bit, from bitArrays on
	removed, hasDelta            share
	gaps                         [11]uint32 // distances between entity numbers, by powers of two
}

// A fieldCount counts a field of a delta: how often its bit was seen, and was one; how many values were not
// zero, of how many; and for floats how many there were, and how many were sent whole.
type fieldCount struct {
	width                                     uint8
	ones, seen, nonzero, values, full, floats uint32
	// the highest symbol of values; of floats sent whole, and as small numbers
	top [2]symbolCounts
}

// symbolCounts are the counts of symbols: all, or the most frequent ones with manyOthers for the rest.
type symbolCounts []struct{ symbol, count uint32 }

// manyOthers is the place of all symbols that have no place of their own.
const manyOthers = 256

// dense returns the counts by symbol, and their sum.
func (c symbolCounts) dense() (counts [manyOthers + 1]uint32, sum float64) {
	for _, s := range c {
		counts[s.symbol] = s.count
		sum += float64(s.count)
	}
	return counts, sum
}

// A share is how often a bit was one, and was seen.
type share struct{ ones, seen uint32 }

// userShares are how many of 100 user commands have a field: the first of a message, and the later ones. The
// base of the first is all zero. Estimated.
var userShares = [2][8]uint32{{95, 95, 3, 60, 25, 15, 40, 97}, {50, 65, 1, 8, 8, 6, 6, 2}}

// enoughSeen is how often a field's bit must have been seen for its counts to be used.
const enoughSeen = 30

// usualFields is how often, of 100 times, the first field of a table changes where nothing was counted; each field
// after it changes once less.
const usualFields = 30

// A fieldTable holds the counts of fields by their names: those of the game, or of one with the same field.
type fieldTable map[string]fieldCount

func (t fieldTable) add(layout *tables.Layout, list []fieldCount) {
	for i := range list {
		if f := &layout.Wire[i]; list[i].seen >= enoughSeen {
			t[f.Name] = list[i]
		}
	}
}

// fields returns the counts of a layout's fields. One that is not known is rare.
func (t fieldTable) fields(layout *tables.Layout) (list []fieldCount) {
	for i := range layout.Wire {
		f := &layout.Wire[i]
		width := uint8(max(f.Bits, -f.Bits))
		c, ok := t[f.Name]
		switch {
		case layout.Values != nil: // the engine's tables have the fields by how often they change; estimated
			c = fieldCount{ones: uint32(max(usualFields-i, 2)), seen: 100, nonzero: 3, values: 4, full: 1, floats: 2}
		case !ok:
			c = fieldCount{ones: 1, seen: 50, nonzero: 3, values: 4, full: 1, floats: 2}
		case c.width != width:
			c.top = [2]symbolCounts{}
		}
		c.width = width
		list = append(list, c)
	}
	return list
}

// countsOf are the counts by the protocol number of the recordings.
var countsOf = map[int]*counts{tables.LastLegacy: &counts68, 84: &counts84, 26: &counts26}

// gameCounts returns the counts of a generation: of its game's recordings, or of those of the game that is most like
// it.
func gameCounts(gen *tables.Generation) (c counts, pilot, vehicle []fieldCount) {
	shared, like := countsOf[tables.LastLegacy], countsOf[gen.Counted]
	quake, of := tables.GenerationOf(tables.LastLegacy), tables.GenerationOf(gen.Counted)
	if gen.Rules == quake.Rules {
		return *like, nil, nil
	}
	players, entities := fieldTable{}, fieldTable{}
	players.add(quake.Player, shared.player)
	entities.add(quake.Entity, shared.entity)
	players.add(of.Player, like.player)
	entities.add(of.Entity, like.entity)
	c = *like
	c.player, c.entity = players.fields(gen.Player), entities.fields(gen.Entity)
	if gen.Rules != of.Rules {
		c.playerLengths, c.entityLengths = nil, nil
	}
	if gen.Arrays == tables.ArraysActive {
		c.arrays = nil
	}
	if gen.Pilot != nil {
		pilot, vehicle = players.fields(gen.Pilot), players.fields(gen.Vehicle)
	}
	return c, pilot, vehicle
}

// place returns the number of a field in the order of the wire, or -1.
func place(layout *tables.Layout, name string) int {
	if layout != nil {
		for i := range layout.Wire {
			if layout.Wire[i].Name == name {
				return i
			}
		}
	}
	return -1
}

// setUserCommand takes the form of a generation's user commands.
func (m *model) setUserCommand(gen *tables.Generation) {
	m.weapon = -1
	for i, f := range operation.UserCommandForms[gen.UserCommand] {
		m.user = append(m.user, uint8(f.Bits))
		switch f.Key {
		case "buttons":
			m.buttons = i
		case "weapon":
			m.weapon = i
		}
	}
}

// candidates are the protocols whose sessions may be recovered, the most frequent first.
var candidates = slices.Concat(tables.LegacyCandidates[:], tables.SidedCandidates[:])

// models are made when they are first needed.
type models [len(tables.LegacyCandidates) + len(tables.SidedCandidates)]struct {
	once sync.Once
	m    *model
}

func (f *Finder) model(k int) *model {
	e := &f.models[k]
	e.once.Do(func() {
		gen := tables.GenerationOf(candidates[k])
		if candidates[k] == tables.LastLegacy { // with voice, which 71 has in the legacy encoding too
			voice := *gen
			voice.ServerOps = tables.GenerationOf(71).ServerOps
			gen = &voice
		}
		e.m = newModel(gen)
	})
	return e.m
}
