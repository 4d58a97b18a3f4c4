package recover

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestTrain counts in the demos of the reference folder, and writes the counts of the protocol $Q3DISSECT_TRAIN.
func TestTrain(t *testing.T) {
	version := setting("Q3DISSECT_TRAIN", 0)
	if version == 0 {
		t.Skip("writes counts when Q3DISSECT_TRAIN is a protocol number")
	}
	var files []string
	for _, ext := range []string{"66", "67", "68"} {
		for _, dir := range []string{"quake3", "matches"} {
			found, _ := filepath.Glob(filepath.Join(reference.Folder(t, "demos", dir), "*.dm_"+ext))
			files = append(files, found...)
		}
	}
	gen := tables.GenerationOf(version)
	if !gen.Default() {
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
	text, err := tl.counts(m).text()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(countFile(version), text, 0o644); err != nil {
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

type ratio share

func (r *ratio) add(v uint32) {
	r[0] += v
	r[1]++
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

// arrayBit is the number of the bit that is set if arrays changed, or one of them.
func arrayBit(c *cursor, quake3 int) int {
	switch {
	case c.array < ammoArrays:
		return quake3
	case c.state == stArrays:
		return bitAmmo
	}
	return bitAmmo + 1 + int(c.array) - ammoArrays
}

// trainedOn are the recordings by the protocol number.
var trainedOn = map[int]string{
	tables.LastLegacy: "recordings of protocols 66 to 68: 26 demos of Quake III, CPMA and OSP",
	84:                "a recording of ET: Legacy, protocol 84",
	26:                "two recordings of Jedi Academy, protocol 26",
}

// counts returns what was counted.
func (tl *tally) counts(m *model) *counts {
	c := &counts{
		Of: trainedOn[m.gen.Version], Player: fieldCounts(m.player, &tl.player), Entity: fieldCounts(m.entity, &tl.entity),
		PlayerLengths: symbolsByNumber(tl.playerLen), EntityLengths: symbolsByNumber(tl.entLen),
		Removed: share(tl.removed), HasDelta: share(tl.hasDelta), Gaps: tl.gaps,
	}
	for _, r := range tl.arrays {
		if r[1] == 0 {
			r = ratio(rare)
		}
		c.Arrays = append(c.Arrays, share(r))
	}
	return c
}

func fieldCounts(fields []modelField, set *[160]fieldTally) (list []fieldCount) {
	for i, f := range fields {
		s := &set[i]
		list = append(list, fieldCount{
			f.width, share(s.changed), share(s.nonzero), share(s.full),
			[2]symbolCounts{topSymbols(s.top[0]), topSymbols(s.top[1])},
		})
	}
	return list
}

func symbolsByNumber(counts map[uint32]uint32) (list symbolCounts) {
	for v := range uint32(256) {
		if counts[v] > 0 {
			list = append(list, [2]uint32{v, counts[v]})
		}
	}
	return list
}

// topSymbols returns the most frequent symbols.
func topSymbols(counts map[uint32]uint32) (list symbolCounts) {
	if len(counts) == 0 {
		return nil
	}
	keys := slices.SortedFunc(maps.Keys(counts),
		func(a, b uint32) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	var rest uint32
	for i, v := range keys {
		if i < 16 && counts[v] > 3 {
			list = append(list, [2]uint32{v, counts[v]})
		} else {
			rest += counts[v]
		}
	}
	return append(list, [2]uint32{manyOthers, rest})
}

// text returns the counts as JSON with a line for each field of a delta.
func (c *counts) text() ([]byte, error) {
	b, err := json.Marshal(c)
	for _, mark := range []string{
		`{"width"`, `"player"`, `"entity"`, `"player_lengths"`, `"entity_lengths"`, `"arrays"`,
		`"removed"`, `"has_delta"`, `"gaps"`,
	} {
		b = bytes.ReplaceAll(b, []byte(mark), []byte("\n"+mark))
	}
	return append(b, '\n'), err
}

// TestCounts: the files are as TestTrain writes them.
func TestCounts(t *testing.T) {
	t.Parallel()
	for version, of := range trainedOn {
		c := countsOf[version]()
		text, err := c.text()
		if err != nil {
			t.Fatal(err)
		}
		if have, err := countFiles.ReadFile(countFile(version)); err != nil || !bytes.Equal(have, text) || c.Of != of {
			t.Errorf("%d: not as it is written (%v)", version, err)
		}
	}
}
