package recover

import (
	"embed"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// counts are how often things happen in messages of a game's servers, counted in recordings. They weigh the values
// of a message: see model. Fields are in the order of the wire.
type counts struct {
	Of            string       `json:"of"` // which recordings
	Player        []fieldCount `json:"player"`
	Entity        []fieldCount `json:"entity"`
	PlayerLengths symbolCounts `json:"player_lengths"` // numbers of fields of a delta
	EntityLengths symbolCounts `json:"entity_lengths"`
	Arrays        []share      `json:"arrays"` // by number of the bit, from bitArrays on
	Removed       share        `json:"removed"`
	HasDelta      share        `json:"has_delta"`
	Gaps          [11]uint32   `json:"gaps"` // distances between entity numbers, by powers of two
}

// A fieldCount counts a field of a delta.
type fieldCount struct {
	Width   uint8 `json:"width"`
	Changed share `json:"changed"` // the bit that says so
	Nonzero share `json:"nonzero"`
	Full    share `json:"full"` // of a float: it was sent whole
	// the highest symbol of values; of floats sent whole, and as small numbers
	Top [2]symbolCounts `json:"top"`
}

// symbolCounts are symbols and their counts: all, or the most frequent ones with manyOthers for the rest.
type symbolCounts [][2]uint32

// manyOthers is the place of all symbols that have no place of their own.
const manyOthers = 256

// dense returns the counts by symbol, and their sum.
func (c symbolCounts) dense() (counts [manyOthers + 1]uint32, sum float64) {
	for _, s := range c {
		counts[s[0]] = s[1]
		sum += float64(s[1])
	}
	return counts, sum
}

// A share is how often a bit was one, and was seen.
type share [2]uint32

// userShares are how many of 100 user commands have a field: the first of a message, and the later ones. The
// base of the first is all zero. Estimated.
var userShares = [2][8]uint32{{95, 95, 3, 60, 25, 15, 40, 97}, {50, 65, 1, 8, 8, 6, 6, 2}}

// rare is the share of a bit that was never counted. Estimated.
var rare = share{1, 50}

// enoughSeen is how often a field's bit must have been seen for its counts to be used.
const enoughSeen = 30

// usualFields is how often, of 100 times, the first field of a table changes where nothing was counted; each field
// after it changes once less.
const usualFields = 30

// A fieldTable holds the counts of fields by their names: those of the game, or of one with the same field.
type fieldTable map[string]fieldCount

func (t fieldTable) add(layout *tables.Layout, list []fieldCount) {
	for i := range list {
		if f := &layout.Wire[i]; list[i].Changed[1] >= enoughSeen {
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
			c = fieldCount{Changed: share{uint32(max(usualFields-i, 2)), 100}, Nonzero: share{3, 4}, Full: share{1, 2}}
		case !ok:
			c = fieldCount{Changed: rare, Nonzero: share{3, 4}, Full: share{1, 2}}
		case c.Width != width:
			c.Top = [2]symbolCounts{}
		}
		c.Width = width
		list = append(list, c)
	}
	return list
}

// countFiles are counts by the protocol number of the recordings. TestTrain writes them.
//
//go:embed counts
var countFiles embed.FS

// countsOf are the counts of a protocol number, read when they are first needed.
var countsOf = map[int]func() *counts{
	tables.LastLegacy: countsIn(tables.LastLegacy), 84: countsIn(84), 26: countsIn(26),
}

func countFile(version int) string { return "counts/" + strconv.Itoa(version) + ".json" }

func countsIn(version int) func() *counts {
	return sync.OnceValue(func() *counts {
		c := new(counts)
		b, err := countFiles.ReadFile(countFile(version))
		if err == nil {
			err = json.Unmarshal(b, c)
		}
		if err != nil {
			panic(err) // the file is part of the program
		}
		return c
	})
}

// gameCounts returns the counts of a generation: of its game's recordings, or of those of the game that is most like
// it.
func gameCounts(gen *tables.Generation) (c counts, pilot, vehicle []fieldCount) {
	shared, like := countsOf[tables.LastLegacy](), countsOf[gen.Counted]()
	quake, of := tables.GenerationOf(tables.LastLegacy), tables.GenerationOf(gen.Counted)
	if gen.Rules == quake.Rules {
		return *like, nil, nil
	}
	players, entities := fieldTable{}, fieldTable{}
	players.add(quake.Player, shared.Player)
	entities.add(quake.Entity, shared.Entity)
	players.add(of.Player, like.Player)
	entities.add(of.Entity, like.Entity)
	c = *like
	c.Player, c.Entity = players.fields(gen.Player), entities.fields(gen.Entity)
	if gen.Rules != of.Rules {
		c.PlayerLengths, c.EntityLengths = nil, nil
	}
	if gen.Arrays == tables.ArraysActive {
		c.Arrays = nil
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
