package truth_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// playAsClient makes the checks of DDNet's player, one by one, see playable.
func playAsClient(t *testing.T, name string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := playable(t, b); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// What a player refuses, or does not show.
var (
	errHeader   = errors.New("header")
	errText     = errors.New("text of the header")
	errLength   = errors.New("length in the header")
	errTimeline = errors.New("marks of the time line")
	errMap      = errors.New("map")
	errTick     = errors.New("tick")
	errChunk    = errors.New("chunk")
	errUnpack   = errors.New("packed data")
	errSnapshot = errors.New("snapshot")
	errDelta    = errors.New("difference")
)

// playable returns why DDNet 16.4 or 20.1 refuses a demo, stops in it, or leaves out a snapshot; nil: it plays.
// CDemoPlayer::GetDemoInfo, Load, ScanFile and DoTick, src/engine/shared/demo.cpp; CDemoHeader::Valid,
// src/engine/demo.h; CSnapshot::IsValid and CSnapshotDelta::UnpackDelta, src/engine/shared/snapshot.cpp.
func playable(tb testing.TB, b []byte) error { return play(tb, b, &player{}) }

// play plays a demo, which p then has seen.
func play(tb testing.TB, b []byte, p *player) error {
	if len(b) < 176 || string(b[:7]) != "TWDEMO\x00" || b[7] < 3 || b[7] > 6 {
		return fmt.Errorf("%w: no demo of version 3 to 6", errHeader)
	}
	head := [...]int{3: 176, 4: 436, 5: 436, 6: 484}[b[7]]
	if len(b) < head {
		return fmt.Errorf("%w: it breaks off", errHeader)
	}
	const mark = "\x6b\xe6\xda\x4a\xce\xbd\x38\x0c\x9b\x5b\x12\x89\xc8\x42\xd7\x80"
	if b[7] == 6 && string(b[436:452]) != mark {
		head = 436 // no SHA-256
	}
	for _, at := range [][2]int{{8, 72}, {72, 136}, {144, 152}, {156, 176}} { // texts end, and are UTF-8 (20.1)
		if text, _, ended := bytes.Cut(b[at[0]:at[1]], []byte{0}); !ended || !utf8.Valid(text) {
			return fmt.Errorf("%w: %q", errText, text)
		}
	}
	if kind := string(b[144:151]); kind != "client\x00" && kind != "server\x00" {
		return fmt.Errorf("%w: recorded by %q", errText, kind)
	}
	size := int(binary.BigEndian.Uint32(b[136:]))
	if len(b) < head+size {
		return fmt.Errorf("%w: %d bytes", errMap, size)
	}
	if sum := binary.BigEndian.Uint32(b[140:]); size > 0 && crc32.ChecksumIEEE(b[head:head+size]) != sum {
		return fmt.Errorf("%w: another checksum", errMap)
	}
	p.b, p.tick, p.key, p.legacy, p.sizes = b[head+size:], -1, -1, b[7] < 5, staticSizes[:]
	if string(b[8:11]) == "0.7" {
		p.sizes = sizes07(tb)
	}
	first, err := p.play()
	if err != nil {
		return fmt.Errorf("tick %d: %w", p.tick, err)
	}
	if length := binary.BigEndian.Uint32(b[152:]); int(length) != (p.tick-first)/50 {
		return fmt.Errorf("%w: %d s, %d ticks", errLength, length, p.tick-first)
	}
	if b[7] < 4 {
		return nil
	}
	n, before := binary.BigEndian.Uint32(b[176:]), first
	for i := range min(n, 64) {
		at := int(int32(binary.BigEndian.Uint32(b[180+4*i:])))
		if at < before || at > p.tick {
			return fmt.Errorf("%w: tick %d of %d to %d", errTimeline, at, first, p.tick)
		}
		before = at
	}
	if n > 64 {
		return fmt.Errorf("%w: %d", errTimeline, n)
	}
	return nil
}

// A player follows the chunks of a demo.
type player struct {
	b         []byte
	legacy    bool // markers of versions 3 and 4
	tick, key int
	sizes     []int
	items     map[int32][]int32 // of the last snapshot: values by key

	states   map[int]uint64 // if wanted: a sum of all values, by tick
	messages []string       // if states are wanted: all of them, in order
	ticks    []int          // of the messages
}

// see keeps the present snapshot.
func (p *player) see() bool {
	if p.states == nil {
		return true
	}
	sum := fnv.New64a()
	for _, key := range slices.Sorted(maps.Keys(p.items)) {
		fmt.Fprintln(sum, key, p.items[key])
	}
	p.states[p.tick] = sum.Sum64()
	return true
}

// play reads all chunks, and returns the first tick.
func (p *player) play() (first int, err error) {
	first = -1
	for len(p.b) > 0 && err == nil {
		c := p.b[0]
		p.b = p.b[1:]
		if c&0x80 != 0 {
			if err = p.marker(c); first < 0 {
				first = p.tick
			}
			continue
		}
		err = p.chunk(c)
	}
	if err == nil && p.key < 0 {
		err = fmt.Errorf("%w: no keyframe", errSnapshot)
	}
	return first, err
}

// chunk reads a chunk with data.
func (p *player) chunk(c byte) error {
	kind, size, n := c>>5&3, int(c&0x1f), 0
	switch {
	case size == 30 && len(p.b) > 0:
		size, n = int(p.b[0]), 1
	case size == 31 && len(p.b) > 1:
		size, n = int(binary.LittleEndian.Uint16(p.b)), 2
	}
	if len(p.b) < n+size || size == 0 || kind == 0 {
		return fmt.Errorf("%w: type %d, %d bytes", errChunk, kind, size)
	}
	data, _, err := huffcodec.DecodeTeeworlds(nil, p.b[n:n+size], 64<<10)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnpack, err)
	}
	p.b = p.b[n+size:]
	ints, ok := unpack(data)
	switch {
	case !ok:
		return fmt.Errorf("%w: an int breaks off", errUnpack)
	case kind == 2 && len(ints) == 0: // a message begins with its number
		return fmt.Errorf("%w: an empty message", errChunk)
	case kind == 2 && p.states != nil:
		p.messages, p.ticks = append(p.messages, string(data)), append(p.ticks, p.tick)
	case kind == 1 && !p.snapshot(ints):
		return fmt.Errorf("%w: %d", errSnapshot, ints)
	case kind == 3 && !p.delta(ints):
		return fmt.Errorf("%w: %d", errDelta, ints)
	}
	return nil
}

// marker reads a tick. The first is a full one, and each later than the one before.
func (p *player) marker(c byte) error {
	before, step, full := p.tick, int(c&0x1f), c&0x20 == 0
	if p.legacy {
		step = int(c & 0x3f)
		full = step == 0
	}
	switch {
	case full && len(p.b) < 4:
		return fmt.Errorf("%w: it breaks off", errTick)
	case full:
		p.tick = int(int32(binary.BigEndian.Uint32(p.b)))
		p.b = p.b[4:]
	default:
		p.tick += step
	}
	if before < 0 && !full || p.tick <= before || p.tick < 0 || p.tick >= 0x6fffffff {
		return fmt.Errorf("%w: %d after %d", errTick, p.tick, before)
	}
	if c&0x40 != 0 {
		p.key = p.tick
	} else if p.key < 0 {
		return fmt.Errorf("%w: the first tick is no keyframe", errSnapshot)
	}
	return nil
}

// unpack reads ints of variable length, of 5 bytes at most, which end with the data: CVariableInt::Unpack,
// src/engine/shared/compression.cpp.
func unpack(data []byte) (ints []int32, ok bool) {
	for i := 0; i < len(data); {
		first := data[i]
		v, shift := int32(first&0x3f), 6
		for more := first & 0x80; more != 0 && shift <= 27; shift += 7 {
			if i++; i == len(data) {
				return nil, false
			}
			mask := byte(0x7f)
			if shift == 27 {
				mask = 0x0f
			}
			v |= int32(data[i]&mask) << shift
			more = data[i] & 0x80
		}
		i++
		if first&0x40 != 0 {
			v = ^v
		}
		ints = append(ints, v)
	}
	return ints, true
}

// snapshot checks a complete one: its sizes, and the place of each item.
func (p *player) snapshot(v []int32) bool {
	if len(v) < 2 {
		return false
	}
	size, count := int(v[0]), int(v[1])
	if count < 0 || count > 1024 || size < 0 || size > 64<<10 || size%4 != 0 || len(v) != 2+count+size/4 ||
		p.key != p.tick {
		return false
	}
	p.items = map[int32][]int32{}
	for i := range count {
		from, to := int(v[2+i]), size
		if i+1 < count {
			to = int(v[3+i])
		}
		if from < 0 || to <= from || from%4 != 0 || to > size {
			return false
		}
		values := v[2+count+from/4 : 2+count+to/4]
		if _, twice := p.items[values[0]]; twice {
			return false
		}
		p.items[values[0]] = values[1:]
	}
	return p.see()
}

// staticSizes are the sizes of 0.6's objects, in ints: datasrc/network.py.
var staticSizes = [...]int{1: 10, 6, 5, 4, 3, 8, 4, 15, 22, 5, 17, 3, 2, 2, 2, 2, 3, 3, 3, 3}

var sizesOf07 struct {
	sync.Mutex
	list []int
}

// sizes07 returns those of 0.7.
func sizes07(tb testing.TB) []int {
	sizesOf07.Lock()
	defer sizesOf07.Unlock()
	if sizesOf07.list != nil {
		return sizesOf07.list
	}
	var objects struct {
		Sizes map[string]int `json:"static_sizes"`
	}
	b, err := os.ReadFile(filepath.Join(reference.Folder(tb, "reference", "teeworlds"), "objects-0.7.json"))
	if err == nil {
		err = json.Unmarshal(b, &objects)
	}
	if err != nil {
		tb.Fatal(err)
	}
	sizesOf07.list = make([]int, len(objects.Sizes)+1)
	for id, size := range objects.Sizes {
		n, err := strconv.Atoi(id)
		if err != nil {
			tb.Fatal(err)
		}
		sizesOf07.list[n] = size
	}
	return sizesOf07.list
}

// delta checks the difference to the snapshot before.
func (p *player) delta(v []int32) bool {
	if len(v) < 3 || p.items == nil || v[0] < 0 || int(v[0]) > len(v)-3 {
		return false
	}
	removed, updated := int(v[0]), int(v[1])
	v = v[3:]
	for _, key := range v[:removed] {
		if _, there := p.items[key]; !there {
			return false
		}
		delete(p.items, key)
	}
	v = v[removed:]
	for range updated {
		if len(v) < 3 {
			return false
		}
		key, n := v[0]<<16|v[1], 2
		size := int(v[2])
		if v[0] > 0 && int(v[0]) < len(p.sizes) {
			size = p.sizes[v[0]]
		} else {
			n++
		}
		before, there := p.items[key]
		if there && len(before) != size || size < 0 || len(v) < n+size {
			return false
		}
		values := slices.Clone(v[n : n+size])
		for i := range before {
			values[i] += before[i]
		}
		p.items[key] = values
		v = v[n+size:]
	}
	total := 0
	for _, values := range p.items {
		total += 4 * (1 + len(values))
	}
	return len(v) == 0 && len(p.items) <= 1024 && total <= 64<<10 && p.see()
}
