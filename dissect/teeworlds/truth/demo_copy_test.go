package truth_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// Demos that the games wrote are damaged, and the copies of export demo compared with what they were.

// A recorded is a demo of the game.
type recorded struct {
	name   string
	b      []byte
	chunks int   // where they begin
	keys   []int // where the markers of keyframes are
	ends   []int // where chunks end

	see   sync.Once
	seen  *player
	notes []string
}

// times returns how often a random damage is made, more often in long tests.
func times(n int) int { return n * min(reference.Most(1), 10) }

// theDemos returns some of those that end as the game ends them, and have keyframes; the smallest of DDNet is one.
func theDemos(t *testing.T, some int) (chosen []*recorded) {
	t.Helper()
	list := wholeDemos(t)
	if len(list) < 10 {
		t.Fatalf("%d demos", len(list))
	}
	ddnet := slices.IndexFunc(list, func(d *recorded) bool { return d.b[7] == 6 })
	step := max(1, len(list)/reference.Most(some))
	for i, d := range list {
		if i%step == 0 || i == ddnet {
			chosen = append(chosen, theDemo(t, d))
		}
	}
	return chosen
}

// theDemo plays a demo, once.
func theDemo(t *testing.T, d *recorded) *recorded {
	t.Helper()
	d.see.Do(func() {
		d.seen, d.notes = &player{states: map[int]uint64{}}, notesOf(t, d.b)
		if err := play(t, d.b, d.seen); err != nil {
			t.Error(err)
		}
	})
	return d
}

var allWhole struct {
	sync.Once
	list []*recorded
}

func wholeDemos(t *testing.T) []*recorded {
	t.Helper()
	names := demosOf(t, "*.d/*.demo")
	allWhole.Do(func() {
		for _, name := range names {
			if d := readRecorded(t, name); len(d.keys) > 2 && playable(t, d.b) == nil {
				allWhole.list = append(allWhole.list, d)
			}
		}
		slices.SortFunc(allWhole.list, func(a, b *recorded) int { return len(a.b) - len(b.b) })
	})
	return allWhole.list
}

// readRecorded reads a demo, and finds its keyframes and chunks.
func readRecorded(t *testing.T, name string) *recorded {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return recordedOf(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), b)
}

func recordedOf(name string, b []byte) *recorded {
	d := &recorded{name: name, b: b}
	d.chunks = [...]int{3: 176, 4: 436, 5: 436, 6: 484}[b[7]] + int(binary.BigEndian.Uint32(b[136:]))
	for at := d.chunks; at < len(b); {
		switch c := b[at]; {
		case c&0xc0 == 0xc0:
			d.keys = append(d.keys, at)
			at += 5
		case c&0x80 != 0 && b[7] >= 5 && c&0x20 == 0, c == 0x80 && b[7] < 5:
			at += 5
		case c&0x80 != 0:
			at++
		default:
			size, n := int(c&0x1f), 1
			if size == 30 {
				size, n = int(b[at+1]), 2
			} else if size == 31 {
				size, n = int(binary.LittleEndian.Uint16(b[at+1:])), 3
			}
			at += n + size
			d.ends = append(d.ends, at)
		}
	}
	return d
}

// copyOf makes the demo of a demo, and returns it with what the manifest has; nil: there is none.
func copyOf(t *testing.T, b []byte, wants extract.DemoRange) (out []byte, told *extract.DemoTold, end error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.demo")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Demos: &wants}) {
		if err != nil {
			end = err
			break
		}
		if rec.Demo.Begin != nil {
			told = rec.Demo.Begin.Told
		}
		out = append(out, rec.Demo.Data...)
	}
	if told != nil {
		copy(out, told.Header)
	}
	return out, told, end
}

// notesOf returns the expert entries of a demo, each once.
func notesOf(t *testing.T, b []byte) (notes []string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "y.demo")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{}) {
		if err != nil {
			notes = append(notes, err.Error())
			break
		}
		for _, e := range rec.Experts {
			if note := fmt.Sprint(e.Severity, " ", e.Code); !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// checkCopy checks a copy against the demo that was damaged: it plays, has no notes that the demo has not, and every
// snapshot in it is that of the same tick, and every message is one of the demo. It returns how many snapshots it has.
func checkCopy(t *testing.T, what string, d *recorded, out []byte) int {
	t.Helper()
	return checkCopyBut(t, what, d, out, nil)
}

// checkCopyBut is checkCopy but for the snapshots and messages of some ticks, and for notes, if there are such ticks.
func checkCopyBut(t *testing.T, what string, d *recorded, out []byte, doubtful func(tick int) bool) int {
	t.Helper()
	got := &player{states: map[int]uint64{}}
	if err := play(t, out, got); err != nil {
		t.Errorf("%s, %s: %v", d.name, what, err)
	}
	for _, note := range notesOf(t, out) {
		if doubtful == nil && !slices.Contains(d.notes, note) {
			t.Errorf("%s, %s: %s", d.name, what, note)
		}
	}
	differ := 0
	for tick, state := range got.states {
		if state != d.seen.states[tick] && (doubtful == nil || !doubtful(tick)) {
			differ++
		}
	}
	if differ > 0 {
		t.Errorf("%s, %s: %d of %d snapshots are not those of their ticks", d.name, what, differ, len(got.states))
	}
	rest := d.seen.messages
	for i, m := range got.messages {
		n := slices.Index(rest, m)
		if n < 0 && doubtful != nil && doubtful(got.ticks[i]) {
			continue
		}
		if n < 0 {
			t.Errorf("%s, %s: a message that was not there, or not then: %q", d.name, what, m)
			break
		}
		rest = rest[n+1:]
	}
	return len(got.states)
}

// TestDemoCopies copies every demo: one that plays stays as it is, byte for byte.
func TestDemoCopies(t *testing.T) {
	t.Parallel()
	same := 0
	for _, name := range demosOf(t, "*.d/*.demo") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out, told, _ := copyOf(t, b, extract.DemoRange{})
		wrong := playable(t, b)
		switch {
		case told == nil:
			if len(readRecorded(t, name).keys) > 0 {
				t.Errorf("%s: no demo", name)
			}
		case wrong == nil && !bytes.Equal(out, b):
			t.Errorf("%s: it plays, and the copy is another: %q", name, told.Repaired)
		case wrong == nil:
			same++
		default:
			t.Logf("%s: %v; repaired: %q", name, wrong, told.Repaired)
			if err := playable(t, out); err != nil || len(told.Repaired) == 0 {
				t.Errorf("%s: %v, %q", name, err, told.Repaired)
			}
		}
	}
	if t.Logf("%d demos are the same", same); same < 20 {
		t.Errorf("%d demos are the same", same)
	}
}

// TestDemoCuts cuts demos anywhere: the copy has every whole chunk before the cut, byte for byte.
func TestDemoCuts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(47, 1))
	cuts := 0
	for _, d := range theDemos(t, 3) {
		for range times(24) {
			cut := d.keys[0] + 5 + random.IntN(len(d.b)-d.keys[0]-5)
			out, told, end := copyOf(t, d.b[:cut], extract.DemoRange{})
			whole := 0
			for _, at := range d.ends {
				if at <= cut {
					whole = at
				}
			}
			if whole <= d.keys[0]+5 {
				continue
			}
			cuts++
			if err := playable(t, out); err != nil {
				t.Fatalf("%s, %d bytes: %v", d.name, cut, err)
			}
			var broken *dissect.FileError
			if end != nil && !errors.As(end, &broken) {
				t.Error(end)
			}
			if told == nil || len(out) > cut || len(out) < whole || !bytes.Equal(out[d.chunks:whole], d.b[d.chunks:whole]) {
				t.Fatalf("%s, %d bytes: the copy has %d, and %d are whole", d.name, cut, len(out), whole)
			}
		}
	}
	t.Logf("%d cuts", cuts)
	if cuts < 40 {
		t.Errorf("%d cuts", cuts)
	}
}

// TestDemoTicks damages the ticks of keyframes, each by itself.
func TestDemoTicks(t *testing.T) {
	t.Parallel()
	damaged, same := 0, 0
	for _, d := range theDemos(t, 2) {
		for i, at := range d.keys {
			later := int32(binary.BigEndian.Uint32(d.b[at+1:])) + 1<<22
			for _, tick := range []int32{-1524740773, -1, 0x6ffffff0, later} {
				b := slices.Clone(d.b)
				binary.BigEndian.PutUint32(b[at+1:], uint32(tick))
				out, told, _ := copyOf(t, b, extract.DemoRange{})
				damaged++
				switch {
				case told == nil:
					t.Fatalf("%s: no demo with tick %d", d.name, tick)
				case bytes.Equal(out, d.b):
					same++
				default:
					if err := playable(t, out); err != nil {
						t.Errorf("%s, tick %d of keyframe %d: %v", d.name, tick, i, err)
					}
				}
				if len(told.Repaired) == 0 {
					t.Errorf("%s, tick %d of keyframe %d: nothing is repaired", d.name, tick, i)
				}
			}
		}
	}
	t.Logf("%d damaged ticks, %d copies are the demo as it was", damaged, same)
	if damaged < 40 || same*10 < damaged*8 {
		t.Errorf("%d of %d copies are the demo as it was", same, damaged)
	}
}

// after reports whether a tick is not before that of the keyframe before a place: noise there can be a step by chance.
func (d *recorded) after(tick, place int) bool {
	key := 0
	for _, at := range d.keys {
		if at <= place {
			key = at
		}
	}
	return tick >= int(binary.BigEndian.Uint32(d.b[key+1:]))
}

// TestDemoHoles overwrites or removes a part of demos.
func TestDemoHoles(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(47, 2))
	kinds := []struct {
		name string
		make func(b []byte, from, to int) []byte
	}{
		{"zeros", func(b []byte, from, to int) []byte { clear(b[from:to]); return b }},
		{"ones", func(b []byte, from, to int) []byte {
			for i := from; i < to; i++ {
				b[i] = 0xff
			}
			return b
		}},
		{"noise", func(b []byte, from, to int) []byte {
			for i := from; i < to; i++ {
				b[i] = byte(random.Uint32())
			}
			return b
		}},
	}
	for _, d := range theDemos(t, 2) {
		for _, kind := range kinds {
			for range times(2) {
				size := 200 + random.IntN(3000)
				from := d.keys[1] + random.IntN(d.keys[len(d.keys)-1]-d.keys[1])
				to := min(from+size, len(d.b))
				out, told, _ := copyOf(t, kind.make(slices.Clone(d.b), from, to), extract.DemoRange{})
				what := fmt.Sprintf("%s from %d to %d", kind.name, from, to)
				if told == nil || len(told.Lost) == 0 {
					t.Errorf("%s, %s: nothing is lost", d.name, what)
					continue
				}
				var doubtful func(tick int) bool
				if kind.name == "noise" {
					doubtful = func(tick int) bool { return d.after(tick, from) }
				}
				n := checkCopyBut(t, what, d, out, doubtful)
				t.Logf("%s, %s: %d snapshots, lost %+v", d.name, what, n, told.Lost)
				kept := d.ends[0] // what is before the chunk with the hole, and from the next keyframe on
				for _, at := range d.ends {
					if at <= from {
						kept = at
					}
				}
				if next := slices.IndexFunc(d.keys, func(at int) bool { return at >= to }); next >= 0 {
					kept += len(d.b) - d.keys[next]
				}
				if len(out) < kept && (kind.name != "noise" || len(out) < kept*3/4) {
					t.Errorf("%s, %s: the copy has %d bytes of %d that are whole", d.name, what, len(out), kept)
				}
			}
		}
	}
}
