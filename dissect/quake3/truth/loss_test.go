package truth_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A harm changes which packets of a capture there are, and their order.
type harm struct {
	name string
	do   func(rng *rand.Rand, list []dissect.Packet) []dissect.Packet
}

// lose drops packets at random.
func lose(percent int) harm {
	return harm{fmt.Sprintf("%d %% lost", percent), func(rng *rand.Rand, list []dissect.Packet) []dissect.Packet {
		return slices.DeleteFunc(slices.Clone(list), func(dissect.Packet) bool { return rng.IntN(100) < percent })
	}}
}

// shuffle moves packets by so many places at most.
func shuffle(places int) harm {
	return harm{fmt.Sprintf("reordered by %d", places), func(rng *rand.Rand, list []dissect.Packet) []dissect.Packet {
		type placed struct {
			at int
			p  dissect.Packet
		}
		order := make([]placed, len(list))
		for i := range list {
			order[i] = placed{i + rng.IntN(places+1), list[i]}
		}
		slices.SortStableFunc(order, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
		out := make([]dissect.Packet, len(list))
		for i := range order {
			out[i] = order[i].p
			out[i].Time = list[i].Time // captures are in the order of time
		}
		return out
	}}
}

// A wholeCapture is a capture with the records of all its messages, which TestTruth compares with the truth.
type wholeCapture struct {
	testing.TB
	packets  []dissect.Packet
	messages []wholeMessage
	of       map[uint64]int // message by the frame of a fragment
	keys     []keys.Key     // of the packets that were tried last
}

type wholeMessage struct {
	frames          []uint64
	record, message []byte // JSON
}

// loadWhole dissects a capture without harm.
func loadWhole(tb testing.TB, name string) *wholeCapture {
	tb.Helper()
	w := &wholeCapture{TB: tb, of: map[uint64]int{}}
	reftest.Packets(tb, name, func(p *dissect.Packet) {
		c, _ := p.Clone(nil)
		w.packets = append(w.packets, c)
	})
	w.dissect(w.packets, false, func(line []byte) {
		o, err := reftest.Object(line)
		if err != nil {
			tb.Fatal(err)
		}
		if message, _ := messageIn(o); message == nil || hasUndecoded(message) {
			return
		}
		frames := framesIn(o)
		for _, f := range frames {
			w.of[f] = len(w.messages)
		}
		var parts struct{ Quake3 map[string]json.RawMessage }
		if err := json.Unmarshal(line, &parts); err != nil {
			tb.Fatal(err)
		}
		for _, key := range messageKeys {
			if raw := parts.Quake3[key]; raw != nil {
				w.messages = append(w.messages, wholeMessage{frames, bytes.Clone(line), raw})
			}
		}
	})
	return w
}

// dissect dissects packets with the keys that are found in them, and calls each with every record of the game.
func (w *wholeCapture) dissect(packets []dissect.Packet, live bool, each func(line []byte)) (list []keys.Key) {
	w.Helper()
	var found keys.Table
	run := func(r reftest.Run) {
		e := reftest.NewEngine(w, r)
		for i := range packets {
			if err := e.Packet(&packets[i]); err != nil {
				w.Fatal(err)
			}
		}
		reftest.Close(w, e)
	}
	r := reftest.Run{
		State: true, Recover: live, Finish: reftest.JSON(render.JSON{NoNames: true}),
		Output: reftest.Lines(each),
	}
	if asked := false; !live {
		r.Keys = func(k keys.Key) *keys.Key {
			if !asked {
				asked = true
				run(reftest.Run{KeyFound: found.Add})
			}
			return found.Find(k)
		}
	}
	run(r)
	return found.List()
}

// messageIn returns the message of a record.
func messageIn(o node) (message node, key string) {
	game, _ := o["quake3"].(node)
	for _, key := range messageKeys {
		if m, ok := game[key].(node); ok {
			return m, key
		}
	}
	return nil, ""
}

// framesIn returns the frames of a record's message.
func framesIn(o node) (frames []uint64) {
	game, _ := o["quake3"].(node)
	netchan, _ := game["netchan"].(node)
	for _, f := range reftest.List(netchan["reassembled_from"]) {
		frames = append(frames, uint64(reftest.Number(f)))
	}
	if frames == nil {
		frames = []uint64{uint64(reftest.Number(o["frame"]))}
	}
	return frames
}

func hasUndecoded(v any) bool {
	switch v := v.(type) {
	case node:
		for key, inner := range v {
			if key == "undecoded" || hasUndecoded(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasUndecoded)
	}
	return false
}

// A harmed counts what came out of harmed captures.
type harmed struct {
	total, whole, wrong int
}

func (h *harmed) add(o harmed) {
	h.total += o.total
	h.whole += o.whole
	h.wrong += o.wrong
}

func (h harmed) String() string {
	return fmt.Sprintf("%d of %d (%.1f %%), %d wrong", h.whole, h.total,
		100*float64(h.whole)/float64(max(h.total, 1)), h.wrong)
}

// share is how many in 1,000 messages are whole.
func (h harmed) share() int { return 1000 * h.whole / max(h.total, 1) }

// try dissects packets of the capture and compares their messages with those of the whole one. Messages are counted
// that have all their packets.
func (w *wholeCapture) try(packets []dissect.Packet, live bool) (h harmed) {
	w.Helper()
	origin := make([]uint64, len(packets)+1) // frames of the whole capture
	there := map[uint64]bool{}
	packets = slices.Clone(packets)
	for i := range packets {
		origin[i+1], there[packets[i].Frame] = packets[i].Frame, true
		packets[i].Frame = uint64(i + 1)
	}
	complete := make([]bool, len(w.messages))
	for i, m := range w.messages {
		if complete[i] = !slices.ContainsFunc(m.frames, func(f uint64) bool { return !there[f] }); complete[i] {
			h.total++
		}
	}
	w.keys = w.dissect(packets, live, func(line []byte) {
		number, _, _ := bytes.Cut(line[len(`{"frame":`):], []byte(","))
		place, err := strconv.Atoi(string(number))
		if err != nil {
			w.Fatal(err)
		}
		frame := origin[place]
		at, ok := w.of[frame]
		switch {
		case !ok:
			return
		case complete[at] && bytes.Contains(line, w.messages[at].message):
			h.whole++
			return
		}
		o, err := reftest.Object(line)
		if err != nil {
			w.Fatal(err)
		}
		message, key := messageIn(o)
		if message == nil {
			return
		}
		want, err := reftest.Object(w.messages[at].record)
		if err != nil {
			w.Fatal(err)
		}
		game, _ := want["quake3"].(node)
		wanted, _ := game[key].(node)
		if where := differs(wanted, message, key); where != "" {
			if h.wrong++; h.wrong <= *shown {
				w.Errorf("frame %d of the whole capture, %s:\n%.3000s\nwant\n%.3000s", frame, where, line, w.messages[at].record)
			}
			return
		}
		if complete[at] && !hasUndecoded(message) {
			h.whole++
		}
	})
	return h
}

// differs returns the path of a value that is another than in the whole capture; what is not known may be left out.
func differs(want, got any, path string) string {
	switch g := got.(type) {
	case node:
		w, ok := want.(node)
		if !ok {
			return path
		}
		for key, v := range g {
			switch {
			case key == "undecoded" || key == "repeat" || key == "update" && v == "unknown":
			case key == "entities":
				if at := differentEntities(reftest.List(w[key]), reftest.List(v), path); at != "" {
					return at
				}
			case w[key] == nil:
				return path + "." + key
			default:
				if at := differs(w[key], v, path+"."+key); at != "" {
					return at
				}
			}
		}
		return ""
	case []any:
		w, ok := want.([]any)
		if !ok || len(g) > len(w) || len(g) < len(w) && !hasUndecoded(got) {
			return path
		}
		for i := range g {
			if at := differs(w[i], g[i], path+"["+strconv.Itoa(i)+"]"); at != "" {
				return at
			}
		}
		return ""
	}
	if !equal(want, got) {
		return path
	}
	return ""
}

// differentEntities compares the entities of snapshots: unchanged ones may not be known.
func differentEntities(want, got []any, path string) string {
	byNumber := map[any]any{}
	for _, e := range got {
		byNumber[e.(node)["number"]] = e
	}
	left := len(byNumber)
	for _, e := range want {
		number, update := e.(node)["number"], e.(node)["update"]
		g, ok := byNumber[number]
		if ok {
			left--
			if at := differs(e, g, fmt.Sprintf("%s.entity %v", path, number)); at != "" {
				return at
			}
		} else if update != "unchanged" && !hasUndecoded(got) {
			return fmt.Sprintf("%s: no entity %v", path, number)
		}
	}
	if left > 0 {
		return path + ": more entities"
	}
	return ""
}

// harms are what the captures of harmedCaptures suffer.
var harms = []harm{lose(1), lose(5), lose(10), shuffle(5)}

var harmedCaptures = []string{
	"q3-68-connect-play", "q3-68-download", "q3-oa-wrapper-71legacy", "q3-multi-3clients-2servers",
	"rtcw-60-61-play", "et-84-play", "jka-26-play", "jka-26-full", "jka-26-download", "jka-26-vehicle",
}

// harmedSamples are the legacy samples. go test has the first three.
var harmedSamples = []string{
	"68-loss", "rtcw-60-61-play", "jka-26-vehicle", "68-connect-play", "68-download", "et-84-play", "jo-16-synth",
}

// TestHarmed takes packets out of the samples, and changes their order. What is read is what is read of the whole
// sample.
func TestHarmed(t *testing.T) {
	t.Parallel()
	for _, name := range harmedSamples[:min(len(harmedSamples), reference.Most(3))] {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := loadWhole(t, filepath.Join(samples, name+".pcap"))
			list, all, recovered := slices.Clone(harms), harmed{}, 0
			for i := range 8 { // the handshake, gamestate and first commands
				list = append(list, without(i))
			}
			for _, harm := range list {
				h := w.try(harm.do(rand.New(rand.NewPCG(1, 1)), w.packets), false)
				if all.add(h); h.share() < 700 {
					t.Errorf("%s: %v, want 700 in 1,000", harm.name, h)
				}
				for _, k := range w.keys {
					for _, c := range k.Commands {
						if k.Known == keys.Handshake && !c.Read {
							recovered++
						}
					}
				}
			}
			if recovered == 0 && name == "jka-26-vehicle" { // the others repeat what they lose, or have too few messages
				t.Error("no key has a recovered command beside the handshake")
			}
			if all.share() < 970 {
				t.Errorf("altogether %v, want 970 in 1,000", all)
			}
			// Further out of order than messages wait, nothing is wrong; what comes out of a few messages is luck.
			w.try(shuffle(300).do(rand.New(rand.NewPCG(1, 1)), w.packets), false)
			if h := w.try(lose(10).do(rand.New(rand.NewPCG(1, 1)), w.packets), true); h.share() < 700 {
				t.Errorf("from a pipe: %v, want 700 in 1,000", h)
			}
			// Without the connect the game is found by the first messages.
			unasked := slices.DeleteFunc(slices.Clone(w.packets),
				func(p dissect.Packet) bool { return bytes.HasPrefix(p.Payload, []byte("\xff\xff\xff\xffconnect ")) })
			if h := w.try(unasked, false); h.whole != h.total || len(unasked) == len(w.packets) {
				t.Errorf("without connect: %v, of %d packets %d", h, len(w.packets), len(unasked))
			}
		})
	}
}

// without takes out one packet.
func without(i int) harm {
	return harm{fmt.Sprintf("without packet %d", i+1), func(_ *rand.Rand, list []dissect.Packet) []dissect.Packet {
		return slices.Delete(slices.Clone(list), i, i+1)
	}}
}

// worstCold returns the worst that comes out of a capture which begins in mid-game.
func (w *wholeCapture) worstCold(cuts int) (worst harmed) {
	for i := range cuts {
		from := len(w.packets) * (i + 1) / (cuts + 2)
		if h := w.try(w.packets[from:], false); i == 0 || h.share() < worst.share() {
			worst = h
		}
	}
	return worst
}

// TestHarmedLong is TestHarmed over the reference captures: SEEDS is how often (20 times), ONLY picks captures by
// name. With -v it prints what docs/protocols/cold-start-figures.md has.
func TestHarmedLong(t *testing.T) {
	if os.Getenv("Q3DISSECT_LONG") != "whole" {
		t.Skip("takes an hour: Q3DISSECT_LONG=whole")
	}
	seeds, only := 20, os.Getenv("ONLY")
	if n, err := strconv.Atoi(os.Getenv("SEEDS")); err == nil {
		seeds = n
	}
	for _, name := range harmedCaptures {
		if !strings.Contains(name, only) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			folder := reference.Folder(t, "captures", "quake3")
			if !strings.HasPrefix(name, "q3-") {
				folder = reference.Folder(t, "captures", "idtech3")
			}
			w := loadWhole(t, filepath.Join(folder, name+".pcap"))
			for _, harm := range harms {
				sum, worst := harmed{}, 1000
				for seed := range seeds {
					h := w.try(harm.do(rand.New(rand.NewPCG(uint64(seed), uint64(len(name)))), w.packets), false)
					sum.add(h)
					worst = min(worst, h.share())
				}
				t.Logf("%s: %v; the worst %d in 1,000", harm.name, sum, worst)
			}
			t.Logf("cold, at the worst of four places: %v", w.worstCold(4))
		})
	}
}
