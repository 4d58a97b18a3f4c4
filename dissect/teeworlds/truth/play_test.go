package truth_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"testing"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// playAsClient makes the checks of DDNet's player, one by one: without each of them 16.4 or 20.1 refuses a demo, or
// stops in it. CDemoPlayer::Load, ScanFile and DoTick, src/engine/shared/demo.cpp; CDemoHeader::Valid,
// src/engine/demo.h; CSnapshot::IsValid and CSnapshotDelta::UnpackDelta, src/engine/shared/snapshot.cpp.
func playAsClient(t *testing.T, name string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const head = 484
	if len(b) < head || string(b[:7]) != "TWDEMO\x00" || b[7] != 6 {
		t.Fatalf("%s: no demo of version 6", name)
	}
	for _, at := range [][2]int{{8, 72}, {72, 136}, {144, 152}, {156, 176}} { // texts end, and are UTF-8 (20.1)
		text, _, ended := bytes.Cut(b[at[0]:at[1]], []byte{0})
		if !ended || !utf8.Valid(text) || len(text) == 0 {
			t.Errorf("%s: the text at %d is %q", name, at[0], text)
		}
	}
	if kind := string(b[144:151]); kind != "client\x00" && kind != "server\x00" {
		t.Errorf("%s: recorded by %q", name, kind)
	}
	if n := binary.BigEndian.Uint32(b[176:]); n > 64 {
		t.Errorf("%s: %d markers", name, n)
	}
	if want := "\x6b\xe6\xda\x4a\xce\xbd\x38\x0c\x9b\x5b\x12\x89\xc8\x42\xd7\x80"; string(b[436:452]) != want {
		t.Errorf("%s: no mark of a SHA-256: % x", name, b[436:452])
	}
	size := int(binary.BigEndian.Uint32(b[136:]))
	if len(b) < head+size {
		t.Fatalf("%s: a map of %d bytes", name, size)
	}
	if sum := binary.BigEndian.Uint32(b[140:]); size > 0 && crc32.ChecksumIEEE(b[head:head+size]) != sum {
		t.Errorf("%s: the map in the file is another one", name)
	}
	first, last := (&player{t: t, name: name, b: b[head+size:], tick: -1, key: -1}).play()
	if length := binary.BigEndian.Uint32(b[152:]); int(length) != (last-first)/50 {
		t.Errorf("%s: %d s in the header, %d ticks", name, length, last-first)
	}
}

// A player follows the chunks of a demo.
type player struct {
	t         *testing.T
	name      string
	b         []byte
	tick, key int
	sizes     map[int32]int // of the items of the last snapshot, in ints, by key
}

// play reads all chunks, and returns the first and last tick.
func (p *player) play() (first, last int) {
	first = -1
	for len(p.b) > 0 {
		c := p.b[0]
		p.b = p.b[1:]
		if c&0x80 != 0 {
			p.marker(c)
			if first < 0 {
				first = p.tick
			}
			continue
		}
		kind, size, n := c>>5&3, int(c&0x1f), 0
		switch size {
		case 30:
			size, n = int(p.b[0]), 1
		case 31:
			size, n = int(binary.LittleEndian.Uint16(p.b)), 2
		}
		if p.tick < 0 || len(p.b) < n+size || size == 0 {
			p.t.Fatalf("%s: a chunk of %d bytes at tick %d", p.name, size, p.tick)
		}
		data, _, err := huffcodec.DecodeTeeworlds(nil, p.b[n:n+size], 64<<10)
		if err != nil {
			p.t.Fatalf("%s: tick %d: %v", p.name, p.tick, err)
		}
		p.b = p.b[n+size:]
		ints := p.unpack(data)
		switch kind {
		case 1:
			p.snapshot(ints)
		case 2: // a message begins with its number
			if len(ints) == 0 {
				p.t.Errorf("%s: tick %d: an empty message", p.name, p.tick)
			}
		case 3:
			p.delta(ints)
		default:
			p.t.Errorf("%s: a chunk of type %d", p.name, kind)
		}
	}
	if p.key < 0 {
		p.t.Errorf("%s: no keyframe", p.name)
	}
	return first, p.tick
}

// marker reads a tick. The first is a full one, and each later than the one before.
func (p *player) marker(c byte) {
	before := p.tick
	if c&0x20 != 0 {
		if p.tick += int(c & 0x1f); before < 0 {
			p.t.Fatalf("%s: begins with a step", p.name)
		}
	} else {
		p.tick = int(int32(binary.BigEndian.Uint32(p.b)))
		p.b = p.b[4:]
	}
	if p.tick <= before || p.tick < 0 {
		p.t.Fatalf("%s: tick %d after %d", p.name, p.tick, before)
	}
	if c&0x40 != 0 {
		p.key = p.tick
	} else if p.key < 0 {
		p.t.Fatalf("%s: the first tick is no keyframe", p.name)
	}
}

// unpack reads ints of variable length, which end with the data.
func (p *player) unpack(data []byte) (ints []int32) {
	for i := 0; i < len(data); {
		first := data[i]
		v, shift := int32(first&0x3f), 6
		for more := first & 0x80; more != 0; shift += 7 {
			if i++; i == len(data) || shift > 27 {
				p.t.Fatalf("%s: tick %d: an int breaks off", p.name, p.tick)
			}
			v |= int32(data[i]&0x7f) << shift
			more = data[i] & 0x80
		}
		i++
		if first&0x40 != 0 {
			v = ^v
		}
		ints = append(ints, v)
	}
	return ints
}

// snapshot checks a complete one: its sizes, and the place of each item.
func (p *player) snapshot(v []int32) {
	size, count := int(v[0]), int(v[1])
	if count > 1024 || size > 64<<10 || len(v) != 2+count+size/4 || size%4 != 0 || p.key != p.tick {
		p.t.Fatalf("%s: tick %d: %d items of %d bytes in %d ints", p.name, p.tick, count, size, len(v))
	}
	p.sizes = map[int32]int{}
	for i := range count {
		from, to := int(v[2+i]), size
		if i+1 < count {
			to = int(v[3+i])
		}
		key := v[2+count+from/4]
		if _, twice := p.sizes[key]; twice || to <= from || from%4 != 0 {
			p.t.Fatalf("%s: tick %d: item %x from %d to %d", p.name, p.tick, key, from, to)
		}
		p.sizes[key] = (to-from)/4 - 1
	}
}

// staticSizes are the sizes of 0.6's objects, in ints: datasrc/network.py.
var staticSizes = [...]int{1: 10, 6, 5, 4, 3, 8, 4, 15, 22, 5, 17, 3, 2, 2, 2, 2, 3, 3, 3, 3}

// delta checks the difference to the snapshot before.
func (p *player) delta(v []int32) {
	removed, updated := int(v[0]), int(v[1])
	v = v[3:]
	for _, key := range v[:removed] {
		if _, there := p.sizes[key]; !there {
			p.t.Fatalf("%s: tick %d: removes %x, which is not there", p.name, p.tick, key)
		}
		delete(p.sizes, key)
	}
	v = v[removed:]
	for range updated {
		key, n := v[0]<<16|v[1], 2
		size := int(v[2])
		if v[0] > 0 && int(v[0]) < len(staticSizes) {
			size = staticSizes[v[0]]
		} else {
			n++
		}
		if before, there := p.sizes[key]; there && before != size || len(v) < n+size {
			p.t.Fatalf("%s: tick %d: %d ints for %x, %d before", p.name, p.tick, size, key, before)
		}
		p.sizes[key] = size
		v = v[n+size:]
	}
	total := 0
	for _, size := range p.sizes {
		total += 4 * (1 + size)
	}
	if len(v) > 0 || len(p.sizes) > 1024 || total > 64<<10 {
		p.t.Fatalf("%s: tick %d: %d ints are left, %d items of %d bytes", p.name, p.tick, len(v), len(p.sizes), total)
	}
}
