package recover

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestTrain writes model_table.go from the demos of the reference folder, when asked to.
func TestTrain(t *testing.T) {
	out := os.Getenv("Q3DISSECT_TRAIN")
	if out == "" {
		t.Skip("writes a table when Q3DISSECT_TRAIN names a file")
	}
	var files []string
	for _, ext := range []string{"66", "67", "68"} {
		for _, dir := range []string{"quake3", "matches"} {
			found, _ := filepath.Glob(filepath.Join(reference.Folder(t, "demos", dir), "*.dm_"+ext))
			files = append(files, found...)
		}
	}
	gen := tables.GenerationOf(setting("VERSION", tables.LastLegacy))
	if gen.Game != tables.Quake3 {
		files, _ = filepath.Glob(filepath.Join(reference.Folder(t, "demos", "idtech3"), "*.dm_"+strconv.Itoa(gen.Version)))
	}
	m := newModel(gen)
	var tl tally
	messages := 0
	for _, file := range files {
		n := 0
		for body := range demoMessages(t, file) {
			if n++; n > 3000 {
				break
			}
			tl.count(m, body)
			messages++
		}
	}
	t.Logf("%d files, %d messages, %d not read to their end", len(files), messages, tl.bad)
	text := tl.source(m)
	if gen.Game != tables.Quake3 {
		text = tl.gameSource(m)
	}
	if err := os.WriteFile(out, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func demoMessages(t *testing.T, file string) func(func([]byte) bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func([]byte) bool) {
		for len(data) >= 8 {
			n := int(int32(binary.LittleEndian.Uint32(data[4:])))
			if n < 0 || n > len(data)-8 || !yield(data[8:8+n]) {
				return
			}
			data = data[8+n:]
		}
	}
}

// A fieldTally counts a field: its bits, and the highest symbol of its values; for floats those sent whole and
// those sent as small numbers separately.
type fieldTally struct {
	changed, nonzero, full ratio
	top                    [2]map[uint32]uint32
}

type ratio struct{ ones, seen uint32 }

func (r *ratio) add(v uint32) {
	r.seen++
	r.ones += v
}

// A tally counts the contents of messages.
type tally struct {
	bad               int
	player, entity    [160]fieldTally
	playerLen, entLen map[uint32]uint32
	arrays            [bitRemoved]ratio
	removed, hasDelta ratio
	gaps              [11]uint32
}

func (tl *tally) count(m *model, body []byte) {
	if tl.playerLen == nil {
		tl.playerLen, tl.entLen = map[uint32]uint32{}, map[uint32]uint32{}
	}
	c, s := begin(false), scene{m: m}
	for _, b := range body {
		if c.state >= stEnd {
			break
		}
		c.buf |= uint64(b) << c.count
		c.count += 8
		for c.ready(m) {
			tl.addValue(&c)
			c.handle(&s)
		}
	}
	if !c.good() {
		tl.bad++
	}
}

func (tl *tally) addValue(c *cursor) {
	if c.flags&(inGamestate|inPilot|inVehicle) != 0 {
		return
	}
	set, v := &tl.entity, c.acc
	if c.flags&inPlayer != 0 {
		set = &tl.player
	}
	switch c.state {
	case stPlayerCount:
		tl.playerLen[v]++
	case stEntityCount:
		tl.entLen[v]++
	case stChanged:
		if c.field+1 != c.last {
			set[c.field].changed.add(v)
		}
	case stNonzero:
		set[c.field].nonzero.add(v)
	case stFloat:
		set[c.field].full.add(v)
	case stValue:
		f, kind, shift := &set[c.field], 0, c.shift-8
		if c.shift == 13 {
			kind = 1
		}
		if c.shift < 8 {
			return
		}
		if f.top[kind] == nil {
			f.top[kind] = map[uint32]uint32{}
		}
		f.top[kind][v>>shift]++
	case stArrays:
		tl.arrays[arrayBit(c, 0)].add(v)
	case stArray:
		tl.arrays[arrayBit(c, 1+int(c.array))].add(v)
	case stRemoved:
		tl.removed.add(v)
	case stHasDelta:
		tl.hasDelta.add(v)
	case stEntity:
		if v != lastEntity && int16(v) > c.prev {
			i := 0
			for gap := int(v) - int(c.prev); gap>>(i+1) != 0; i++ {
			}
			tl.gaps[i]++
		}
	}
}

func (tl *tally) source(m *model) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("package recover\n\n// How often things happen in messages of servers: counts over recordings of protocols 66 to 68 (18 demos of\n// id Software's game, CPMA and OSP). The order of fields is the wire's.\n// Made by TestTrain (Q3DISSECT_TRAIN=model_table.go go test -run TestTrain).\n\n")
	p("// A fieldCount counts a field of a delta: how often its bit was seen, and was one; how many values were\n// not zero, of how many; and for floats how many there were, and how many were sent whole.\ntype fieldCount struct {\n\twidth uint8\n\tones, seen, nonzero, values, full, floats uint32\n\ttop [2]symbolCounts // the highest symbol of values; of floats sent whole, and as small numbers\n}\n\n// symbolCounts are how often the most frequent symbols came; 256 is all others.\ntype symbolCounts map[uint32]uint32\n\n")
	p("// A share is how often a bit was one, and was seen.\ntype share struct{ ones, seen uint32 }\n\n")
	write := func(name, doc string, fields []modelField, set *[160]fieldTally) {
		p("// %s %s\nvar %s = []fieldCount{\n", name, doc, name)
		for i, f := range fields {
			s := &set[i]
			p("\t{%d, %d, %d, %d, %d, %d, %d, [2]symbolCounts{%s, %s}},\n", f.width, s.changed.ones, s.changed.seen, s.nonzero.ones, s.nonzero.seen, s.full.ones, s.full.seen, topSymbols(s.top[0]), topSymbols(s.top[1]))
		}
		p("}\n\n")
	}
	write("playerCounts", "are the fields of playerState_t.", m.player, &tl.player)
	write("entityCounts", "are the fields of entityState_t.", m.entity, &tl.entity)
	lengths := func(name, doc string, counts map[uint32]uint32) {
		p("// %s %s\nvar %s = map[uint32]uint32{\n\t", name, doc, name)
		for v := range uint32(256) {
			if counts[v] > 0 {
				p("%d: %d, ", v, counts[v])
			}
		}
		p("\n}\n\n")
	}
	lengths("playerLengths", "are how many fields a player's delta has.", tl.playerLen)
	lengths("entityLengths", "are how many fields an entity's delta has.", tl.entLen)
	p("// arrayCounts are the bit before the arrays of a player, and those of the four.\nvar arrayCounts = [5]share{")
	for _, r := range tl.arrays[:bitAmmo] {
		p("{%d, %d}, ", r.ones, r.seen)
	}
	p("}\n\nvar (\n\tremovedCount = share{%d, %d}\n\thasDeltaCount = share{%d, %d}\n)\n\n", tl.removed.ones, tl.removed.seen, tl.hasDelta.ones, tl.hasDelta.seen)
	p("// gapCounts are the distances between entity numbers, by powers of two.\nvar gapCounts = [11]uint32{")
	for _, n := range tl.gaps {
		p("%d, ", n)
	}
	p("}\n\n// userShares are how many of 100 user commands have a field, the first of a message and the later ones.\n// The first is a delta of nothing. Estimated.\nvar userShares = [2][8]uint32{{95, 95, 3, 60, 25, 15, 40, 97}, {50, 65, 1, 8, 8, 6, 6, 2}}\n")
	return b.String()
}

// arrayBit is the number of the bit that says whether arrays changed, or one of them.
func arrayBit(c *cursor, quake3 int) int {
	switch {
	case c.array < ammoArrays:
		return quake3
	case c.state == stArrays:
		return bitAmmo
	}
	return bitAmmo + 1 + int(c.array) - ammoArrays
}

// gameSource writes the counts of another game.
func (tl *tally) gameSource(m *model) string {
	name, title := "etCounts", "Enemy Territory: counts over a recording of ET: Legacy (protocol 84)"
	if m.gen.Game == tables.JediAcademy {
		name, title = "academyCounts", "Jedi Academy: counts over two recordings (protocol 26)"
	}
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("package recover\n\n// %s is of %s.\n// Made by TestTrain (Q3DISSECT_TRAIN=FILE VERSION=%d go test -run TestTrain).\nvar %s = counts{\n", name, title, m.gen.Version, name)
	write := func(name string, fields []modelField, set *[160]fieldTally) {
		p("\t%s: []fieldCount{\n", name)
		for i, f := range fields {
			s := &set[i]
			p("\t\t{%d, %d, %d, %d, %d, %d, %d, [2]symbolCounts{%s, %s}},\n", f.width, s.changed.ones, s.changed.seen, s.nonzero.ones, s.nonzero.seen, s.full.ones, s.full.seen, topSymbols(s.top[0]), topSymbols(s.top[1]))
		}
		p("\t},\n")
	}
	write("player", m.player, &tl.player)
	write("entity", m.entity, &tl.entity)
	lengths := func(name string, counts map[uint32]uint32) {
		p("\t%s: map[uint32]uint32{", name)
		for v := range uint32(256) {
			if counts[v] > 0 {
				p("%d: %d, ", v, counts[v])
			}
		}
		p("},\n")
	}
	lengths("playerLengths", tl.playerLen)
	lengths("entityLengths", tl.entLen)
	p("\tarrays: []share{")
	for _, r := range tl.arrays {
		if r.seen == 0 {
			r = ratio{1, 50}
		}
		p("{%d, %d}, ", r.ones, r.seen)
	}
	p("},\n\tremoved: share{%d, %d}, hasDelta: share{%d, %d},\n\tgaps: [11]uint32{", tl.removed.ones, tl.removed.seen, tl.hasDelta.ones, tl.hasDelta.seen)
	for _, n := range tl.gaps {
		p("%d, ", n)
	}
	p("},\n}\n")
	return b.String()
}

// topSymbols writes the most frequent symbols.
func topSymbols(counts map[uint32]uint32) string {
	if len(counts) == 0 {
		return "nil"
	}
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b uint32) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	var b strings.Builder
	b.WriteString("{")
	var rest uint32
	for i, v := range keys {
		if i < 16 && counts[v] > 3 {
			fmt.Fprintf(&b, "%d: %d, ", v, counts[v])
		} else {
			rest += counts[v]
		}
	}
	fmt.Fprintf(&b, "256: %d}", rest)
	return b.String()
}
