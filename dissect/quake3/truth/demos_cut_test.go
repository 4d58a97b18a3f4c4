package truth_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// forgetful is a demo that lacks a configstring. When the client was told to record it had received commands
// that its game had not carried out: they count as received in the gamestate, and are missing from the
// configstrings. Played back, the engine takes them for repetitions. The dissector knows better.
const forgetful = "q3-68-ipfrag-mtu576.client.demo1.dm_68"

// otherGamestates are demos whose gamestates say less: the client wrote them when it was told to record, and
// commands came between that and the first full snapshot, which repeats them.
var otherGamestates = []string{forgetful, "q3-68-loss.client.demo2.dm_68"}

// TestRebuiltGamestates cuts captures where their clients began to record: the gamestate that is put together
// must be the one that the client put together.
func TestRebuiltGamestates(t *testing.T) {
	t.Parallel()
	for name, recorded := range demosByCapture(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, demo := range recorded {
				rebuiltGamestate(t, name, demo)
			}
		})
	}
}

func rebuiltGamestate(t *testing.T, name, demo string) {
	t.Helper()
	var times []int32
	dissectDemo(t, demo, reftest.Run{Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
		times = append(times, serverTimes(rec)...)
		return dst
	}})
	want := readDemo(t, demo)
	dir, manifest := exportDemos(t, reference.Capture(t, "quake3", name),
		extract.DemoRange{From: times[0], HasFrom: true}, 1)
	for _, m := range manifest.Demos {
		got := readDemo(t, filepath.Join(dir, m.File))
		if got[1].sequence != want[1].sequence || !bytes.Equal(got[1].data, want[1].data) {
			continue
		}
		if m.Begins != "rebuilt" {
			t.Errorf("%s begins as %s", m.File, m.Begins)
		}
		// The engine sends a byte that it never wrote where the bits end with a byte.
		// But for a byte that the engine never wrote, where the bits end with a byte.
		a, b := want[0].data, got[0].data
		if equal := len(a) == len(b) && bytes.Equal(a[:len(a)-1], b[:len(b)-1]); equal != !slices.Contains(otherGamestates,
			filepath.Base(demo)) {
			t.Errorf("%s: the gamestate equals the client's: %v", filepath.Base(demo), equal)
		}
		// The client numbers it by what it has received when the recording starts.
		if got[0].sequence < want[0].sequence || got[0].sequence >= got[1].sequence {
			t.Errorf("%s: gamestate %d, the client's is %d", filepath.Base(demo), got[0].sequence, want[0].sequence)
		}
		return
	}
	t.Errorf("%s: no demo begins with message %d", filepath.Base(demo), want[1].sequence)
}

// serverTimes returns the clocks of the snapshots in a record.
func serverTimes(rec *dissect.Record) (times []int32) {
	for i := range rec.Tree.Nodes {
		if rec.Tree.Nodes[i].Field.Key == "snapshot" {
			times = append(times, int32(rec.Tree.Nodes[rec.Tree.Find(i, "server_time")].Int()))
		}
	}
	return times
}

// TestCutDemos cuts the middle third out of demos of all generations, in make long out of all demos and whole ones:
// every snapshot must show the same absolute state as in the whole demo, and the gamestate the configstrings of that
// time.
func TestCutDemos(t *testing.T) {
	t.Parallel()
	captured := slices.DeleteFunc(reference.Glob(t, "captures", "quake3", "*.demo1.dm_??"),
		func(name string) bool { return filepath.Base(name) == forgetful })
	public := slices.DeleteFunc(recordingsWithTruth(t), func(name string) bool {
		_, damaged := damagedDemos[filepath.Base(name)]
		return damaged
	})
	for _, name := range append(reference.FirstOfEach(captured), reference.FirstOfEach(public)...) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			name := beginningOf(t, name, reference.Most(cutBytes))
			whole := viewDemo(t, name)
			first, last := whole.times[0], whole.times[len(whole.times)-1]
			part := extract.DemoRange{HasFrom: true, From: first + (last-first)/3, HasTo: true, To: last - (last-first)/3}
			dir, manifest := exportDemos(t, name, part, 1)
			if len(manifest.Demos) != 1 {
				t.Fatalf("%d demos", len(manifest.Demos))
			}
			cut := viewDemo(t, filepath.Join(dir, manifest.Demos[0].File))
			compareCut(t, whole, cut, part)
			if manifest.Demos[0].Recoded > 32 {
				t.Errorf("%d messages are not as they were sent", manifest.Demos[0].Recoded)
			}
			t.Logf("%d of %d messages, %d coded anew", manifest.Demos[0].Messages, len(whole.messages),
				manifest.Demos[0].Recoded)
		})
	}
}

// cutBytes is how much of each demo go test cuts: gamestates, commands, and snapshots of each kind.
const cutBytes = 200_000

// beginningOf writes the first messages of a demo, and the end mark.
func beginningOf(t *testing.T, name string, most int) string {
	t.Helper()
	var b []byte
	for _, m := range readDemo(t, name) {
		if len(b) > most {
			break
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(m.sequence))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(m.data)))
		b = append(b, m.data...)
	}
	beginning := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(beginning, append(b, bytes.Repeat([]byte{0xff}, 8)...), 0o666); err != nil {
		t.Fatal(err)
	}
	return beginning
}

// A demoView is what a demo shows.
type demoView struct {
	model    *worldModel
	messages []demoMessage
	states   map[int32]worldState
	times    []int32 // of the snapshots

	// What is known before each message.
	strings  map[int32]map[string]string
	commands map[int32]int32
}

func viewDemo(t *testing.T, name string) *demoView {
	t.Helper()
	v := &demoView{
		model: newWorldModel(t, versionOf(name)), messages: readDemo(t, name), states: map[int32]worldState{},
		strings: map[int32]map[string]string{}, commands: map[int32]int32{},
	}
	known, newest, joined := map[string]string{}, int32(0), ""
	dissectDemo(t, name, reftest.Run{State: true, Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
		tree, sequence := rec.Tree, int32(sequenceOf(rec))
		v.strings[sequence], v.commands[sequence] = known, newest
		if w, ok := v.model.shown(tree); ok {
			v.states[sequence] = w
		}
		v.times = append(v.times, serverTimes(rec)...)
		for i := range tree.Nodes {
			switch tree.Nodes[i].Field.Key {
			case "gamestate":
				newest = int32(tree.Nodes[tree.Find(i, "server_command_sequence")].Int())
				known = map[string]string{}
				list := tree.Find(i, "configstrings")
				for j := list + 1; j < int(tree.Nodes[list].End); j = int(tree.Nodes[j].End) {
					known[strconv.Itoa(int(tree.Nodes[tree.Find(j, "index")].Uint()))] = string(
						tree.Bytes(&tree.Nodes[tree.Find(j, "value")]))
				}
			case "server_command":
				if number := int32(tree.Nodes[tree.Find(i, "sequence")].Int()); number > newest {
					newest = number
					known, joined = command(known, joined, tokenize(tree.Bytes(&tree.Nodes[tree.Find(i, "command")])))
				}
			}
		}
		return dst
	}})
	v.strings[-1], v.commands[-1] = known, newest
	return v
}

// command returns the configstrings that a command sets, and what is there of one that comes in parts.
func command(known map[string]string, joined string, words [][]byte) (map[string]string, string) {
	if len(words) < 2 {
		return known, joined
	}
	value := join(words[2:], " ")
	switch string(words[0]) {
	case "bcs0":
		return known, value
	case "bcs1":
		return known, joined + value
	case "bcs2":
		value = joined + value
	case "cs":
	default:
		return known, joined
	}
	known = maps.Clone(known)
	if known[string(words[1])] = value; value == "" {
		delete(known, string(words[1]))
	}
	return known, joined
}

func compareCut(t *testing.T, whole, cut *demoView, part extract.DemoRange) {
	t.Helper()
	beginning := cut.messages[1].sequence
	if cut.messages[0].sequence >= beginning {
		t.Errorf("gamestate %d before message %d", cut.messages[0].sequence, beginning)
	}
	if diff := cmp.Diff(whole.strings[beginning], cut.strings[beginning]); diff != "" {
		t.Errorf("configstrings (-whole +cut):\n%s", diff)
	}
	if want, got := whole.commands[beginning], cut.commands[beginning]; want != got {
		t.Errorf("command %d was the last before, want %d", got, want)
	}
	if cut.times[0] < part.From || cut.times[len(cut.times)-1] > part.To {
		t.Errorf("times %d to %d are outside of %v", cut.times[0], cut.times[len(cut.times)-1], part)
	}
	start := slices.IndexFunc(whole.messages, func(m demoMessage) bool { return m.sequence == beginning })
	if start < 1 {
		t.Fatalf("no message %d in the whole demo", beginning)
	}
	for i, m := range cut.messages[1:] {
		if want := whole.messages[start+i].sequence; m.sequence != want {
			t.Fatalf("message %d instead of %d", m.sequence, want)
		}
		want, had := whole.states[m.sequence]
		got, has := cut.states[m.sequence]
		if had != has || had && !want.equal(&got) {
			t.Errorf("message %d (-whole +cut):\n%s", m.sequence, cmp.Diff(whole.model.named(&want), cut.model.named(&got)))
			return
		}
	}
	last := start + len(cut.messages) - 1
	if before := whole.times[len(whole.times)-1]; last < len(whole.messages) && before <= part.To {
		t.Errorf("the cut ends at message %d of %d", last, len(whole.messages))
	}
	if got := fmt.Sprint(cut.strings[-1]); got != fmt.Sprint(whole.strings[whole.sequenceAt(last)]) {
		t.Errorf("configstrings at the end: %s", strings.TrimSpace(got))
	}
}

// sequenceAt returns the sequence number of a message, -1 after the last.
func (v *demoView) sequenceAt(i int) int32 {
	if i >= len(v.messages) {
		return -1
	}
	return v.messages[i].sequence
}

// TestRangeCountsWhatIsOutside compares how many messages a part of demos leaves out for their time with how many
// snapshots have a time outside of it. Those of a client that is still loading are inside, and are left out as such.
func TestRangeCountsWhatIsOutside(t *testing.T) {
	t.Parallel()
	const from, to = 20000, 30000
	for _, name := range reference.Glob(t, "captures", "quake3", "q3-71-connect-play.pcap") {
		outside, loading, times := 0, 0, 0
		options := dissect.Options{Demos: &extract.DemoRange{From: from, HasFrom: true, To: to, HasTo: true}}
		for rec, err := range open.Records(name, all.Protocols(), options) {
			if err != nil {
				t.Fatal(err)
			}
			switch rec.Demo.Left {
			case extract.DemoOutside:
				outside++
			case extract.DemoNotInGame:
				loading++
			}
			for s := range rec.All("quake3.server_message.ops.snapshot.server_time") {
				if s.Int() < from || s.Int() > to {
					times++
				}
			}
		}
		if outside != times || times == 0 || loading == 0 {
			t.Errorf("%d left out for their time, and %d of a client that loads; %d snapshots are outside",
				outside, loading, times)
		}
	}
}
