// Package truth_test compares what becomes of Quake III captures and demos with the games' own account of them: truth
// files, written by the engines' code run over the capture; demos, written by the clients while they were captured; and
// the servers' logs.
package truth_test

import (
	"bytes"
	"flag"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

var shown = flag.Int("differences", 3, "differences from a truth file that are shown in full")

// repeated is of a connectResponse that comes again: its client has a connection, and passes over it.
const repeated = "warning not_accepted"

// departures are where records may differ from a truth file, and why. Everything else must be equal.
var departures = map[string]departure{
	// The capture holds other paths of the recording host, of the same length, than the text whose checksum the
	// truth gives.
	"q3-68-connect-play":     {redacted: []uint64{5216}},
	"q3-68-ipfrag-mtu576":    {redacted: []uint64{363}},
	"q3-71-connect-play":     {redacted: []uint64{5207}},
	"q3-71-ipv6":             {redacted: []uint64{1878}},
	"q3-68-loss-clientside":  {redacted: []uint64{1556}, experts: []string{repeated}},
	"q3-68-loss-serverside":  {redacted: []uint64{1551}},
	"q3-oa-wrapper-71legacy": {redacted: []uint64{1792}},

	// Slices from the middle of a session, which the truth was given the keys for.
	"q3-68-connect-play-mid": {midgame: true, experts: []string{"warning key_unknown"}},
	"q3-71-connect-play-mid": {midgame: true, experts: []string{"note base_missing", "note key_unknown"}},

	// Passwords in quotes, which the game splits at their blanks.
	"q3-oob": {experts: []string{"note rcon_password_split", "warning attack_overlong_query"}},
}

// A departure is what is different in one capture.
type departure struct {
	redacted  []uint64 // out-of-band packets whose text has another checksum, by frame
	midgame   bool     // keys, baselines and the first snapshots are not in the capture
	recovered bool     // keys are recovered
	game      string   // one of the games made from Quake III
	stale     bool     // the game takes the last letter of a connect that was cut from what its buffer held before
	apart     []uint64 // packets that are not compared, by frame
	unordered bool     // configstrings are not in the order of their numbers
	most      int      // frames that are compared; 0 means all
	experts   []string // expert entries, by severity and code; all others have none
}

// TestTruth compares every record of every capture, field by field and both ways, with the truth.
func TestTruth(t *testing.T) {
	t.Parallel()
	for _, name := range reference.Glob(t, "captures", "quake3", "*.truth.jsonl.gz") {
		t.Run(reference.Base(name), func(t *testing.T) {
			t.Parallel()
			d := departures[reference.Base(name)]
			d.most = reference.Most(comparedFrames)
			compareTruth(t, reference.Capture(t, "quake3", reference.Base(name)), name, d)
		})
	}
}

// comparedFrames is how many frames of reference captures go test compares: connections, fragments, voice.
const comparedFrames = 800

// compareTruth compares every record of a capture with its truth file.
func compareTruth(t *testing.T, capture, truth string, d departure) {
	t.Helper()
	c := newComparison(t, truth, d)
	reftest.Dissect(t, capture, reftest.Run{
		Finish: func(worker int, dst []byte, rec *dissect.Record) []byte {
			if d.most > 0 && rec.Frame > uint64(d.most) {
				return dst
			}
			return finishTruth(worker, dst, rec)
		},
		Output: reftest.Lines(c.record),
	})
	c.end()
}

// TestTruthGames does the same for the games made from Quake III.
func TestTruthGames(t *testing.T) {
	t.Parallel()
	folder := reference.Folder(t, "captures", "idtech3")
	for name, departure := range map[string]departure{
		"et-84-play":       {game: "et"},
		"et-84-badconnect": {game: "et", stale: true, experts: []string{"note userinfo_cut"}},
		// Frame 34 is an answer of the authorize server that a client forged: it has the direction of its word. A datagram of
		// no session (35) is taken for a session that began before the capture, and continues in 36. The game decompresses
		// the plain connect of 37, which is shown as text.
		"jka-26-oob": {
			game: "jka", apart: []uint64{34, 35, 36, 37},
			experts: []string{"error malformed", "warning attack_overlong_query", repeated},
		},
		"ettv-284":                {game: "et"},
		"rtcw-60-61-play":         {game: "rtcw"},
		"jka-26-play":             {game: "jka"},
		"jka-26-full":             {game: "jka"},
		"jka-26-vehicle":          {game: "jka"},
		"jka-26-download":         {game: "jka"},
		"jka-26-download-refused": {game: "jka"},
		"jo-15-v102-synth":        {game: "jo"},
		// a program made up the times of commands, which contradict those of the second snapshot
		"jo-15-v103-synth": {game: "jo", experts: []string{"warning time_unknown"}},
		"jo-16-synth":      {game: "jo", experts: []string{"warning time_unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			departure.most = reference.Most(comparedFrames)
			compareTruth(t, filepath.Join(folder, name+".pcap"), filepath.Join(folder, name+".truth.jsonl.gz"), departure)
		})
	}
}

func newComparison(t *testing.T, truth string, d departure) *comparison {
	t.Helper()
	model := newTruthModel()
	if d.recovered {
		model.game = d.game
	}
	return &comparison{
		TB: t, truth: openTruth(t, truth), model: model, departure: d,
		sessions: map[int]node{}, began: map[int]int{}, fragments: map[uint64]int{},
		enciphered: map[string]int{}, deciphered: map[string]int{},
	}
}

// finishTruth writes a record as JSON, and before it what the comparison wants to know besides.
func finishTruth(_ int, dst []byte, rec *dissect.Record) []byte {
	payload := rec.Payload
	dst = fmt.Appendf(dst, "%d\t%08x\t%x\t", consumed(rec.Tree),
		crc32.ChecksumIEEE(payload[min(oobMarkerLen, len(payload)):]), payload)
	dst = append(appendChanges(dst, rec), '\t')
	return render.AppendJSON(dst, rec, render.JSON{NoNames: true})
}

// consumed returns the end of what was read of a message, in bits; -1 without one.
func consumed(t *dissect.Tree) int {
	for _, key := range messageKeys {
		if len(t.Nodes) == 0 {
			break // of no known protocol
		}
		if i := t.Find(0, key); i >= 0 {
			return int(t.Nodes[i].Bit + t.Nodes[i].Bits)
		}
	}
	return -1
}

// A comparison compares the records of one capture with its truth file as they come.
type comparison struct {
	testing.TB
	truth       *truthReader
	model       *truthModel
	departure   departure
	sessions    map[int]node   // the session of the last message of each stream
	began       map[int]int    // sessions of each stream so far
	fragments   map[uint64]int // bytes of the message in a packet that completes none, by frame
	experts     []string       // by severity and code, each once
	records     int
	differences int

	enciphered, deciphered map[string]int // messages by direction, of a session whose keys are recovered
	valued                 int            // of them, those whose user commands have all values
	unknown                int            // things that are marked as unknown
}

// A line is one record as finishTruth wrote it.
type line struct {
	frame      uint64
	bits       int
	payloadCRC string
	payload    string // in hexadecimal
	changes    string // of user commands, see appendChanges
	got        node   // the whole record
	game       node   // the object quake3 in it
	keyUnknown bool
	cut        bool // the sender cut a userinfo
}

// message returns the object of the message, or nil.
func (l *line) message() node {
	for _, key := range messageKeys {
		if m, ok := l.game[key].(node); ok {
			return m
		}
	}
	return nil
}

var messageKeys = []string{"server_message", "client_message"}

func (c *comparison) record(b []byte) {
	c.records++
	l, err := c.line(b)
	if err != nil {
		c.Errorf("%v in %.300s", err, b)
		return
	}
	for c.truth.more && c.truth.line.Frame < l.frame {
		c.differ("frame %d: no record of %s %s", c.truth.line.Frame, c.truth.line.Dir, c.truth.line.Kind)
		c.truth.next(c)
	}
	if !c.truth.more || c.truth.line.Frame > l.frame {
		c.fragment(l)
		return
	}
	if slices.Contains(c.departure.apart, l.frame) {
		c.truth.next(c)
		return
	}
	if c.departure.game != "" {
		c.truth.line.normalise(c.departure.game)
	}
	if !c.truth.line.OK {
		c.differ("frame %d: the game could not read it either", l.frame)
	}
	if g := c.departure.game; g == "jka" || g == "jo" {
		l.got, _ = asJediReads(l.got).(node)
		l.game, _ = l.got["quake3"].(node)
	}
	if c.departure.unordered {
		sortConfigstrings(l.message())
	}
	want := c.want(&c.truth.line, l)
	if !equal(want, l.got) {
		c.differ("frame %d (-want +got):\n%s", l.frame, cmp.Diff(want, l.got, cmp.Comparer(sameNumber)))
	}
	c.truth.next(c)
}

// sortConfigstrings puts the configstrings of gamestates in the order of their numbers.
func sortConfigstrings(message node) {
	for _, op := range reftest.List(message["ops"]) {
		gamestate, _ := op.(node)["gamestate"].(node)
		slices.SortFunc(reftest.List(gamestate["configstrings"]), func(a, b any) int {
			return reftest.Number(a.(node)["index"]) - reftest.Number(b.(node)["index"])
		})
	}
}

// line reads a record and takes out of it what the truth does not have.
func (c *comparison) line(b []byte) (*line, error) {
	part := bytes.SplitN(b, []byte{'\t'}, 5)
	got, err := reftest.Object(part[len(part)-1])
	if err != nil || len(part) != 5 {
		return nil, fmt.Errorf("line of %d parts: %w", len(part), err)
	}
	l := &line{payloadCRC: string(part[1]), payload: string(part[2]), changes: string(part[3]), got: got}
	l.bits, _ = strconv.Atoi(string(part[0]))
	l.frame, _ = strconv.ParseUint(fmt.Sprint(got["frame"]), 10, 64)
	l.game, _ = got["quake3"].(node)
	for _, key := range []string{"time", "time_epoch", "time_relative", "src", "dst", "info"} {
		if v, ok := got[key]; !ok || v == "" {
			c.differ("frame %d: no %s", l.frame, key)
		}
		delete(got, key)
	}
	list, _ := got["expert"].([]any)
	for _, e := range list {
		e := e.(node)
		if kind := fmt.Sprint(e["severity"], " ", e["code"]); !slices.Contains(c.experts, kind) {
			c.experts = append(c.experts, kind)
		}
		l.cut = l.cut || e["code"] == "userinfo_cut"
		l.keyUnknown = l.keyUnknown || e["code"] == "key_unknown"
	}
	delete(got, "expert")
	delete(got, "ip_fragments") // see TestFrames
	return l, nil
}

// differ reports a difference; the first ones in full, the others only count.
func (c *comparison) differ(format string, args ...any) {
	c.Helper()
	if c.differences++; c.differences <= *shown {
		c.Errorf(format, args...)
	}
}

func (c *comparison) end() {
	for most := c.departure.most; c.truth.more && (most == 0 || c.truth.line.Frame <= uint64(most)); c.truth.next(c) {
		c.differ("frame %d: no record", c.truth.line.Frame)
	}
	if c.differences > 0 {
		c.Errorf("%d differences in %d records", c.differences, c.records)
	}
	slices.Sort(c.experts)
	if c.truth.more { // some may come later
		c.departure.experts = slices.DeleteFunc(slices.Clone(c.departure.experts),
			func(kind string) bool { return !slices.Contains(c.experts, kind) })
	}
	if diff := cmp.Diff(c.departure.experts, c.experts); diff != "" {
		c.Errorf("expert entries (-want +got):\n%s", diff)
	}
}

// fragment checks a record that the truth does not mention: it must be a fragment that completes nothing.
func (c *comparison) fragment(l *line) {
	netchan, _ := l.game["netchan"].(node)
	fragment, _ := netchan["fragment"].(node)
	for _, key := range append([]string{"oob", "undecoded"}, messageKeys...) {
		if fragment == nil || l.game[key] != nil {
			c.differ("frame %d: the truth has nothing there, the record has: %v", l.frame, l.got)
			return
		}
	}
	c.fragments[l.frame] = reftest.Number(fragment["length"])
}
