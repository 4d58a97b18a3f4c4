// Package truth_test compares what becomes of Quake III captures and demos with the games' own account of them: truth
// files, written by the engines' code run over the capture; demos, written by the clients while they were captured; and
// the servers' logs.
package truth_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

var shown = flag.Int("differences", 3, "differences from a truth file that are shown in full")

// departures are where records may differ from a truth file, and why. Everything else must be equal.
var departures = map[string]departure{
	// The capture holds other paths of the recording host, of the same length, than the text whose checksum the
	// truth gives.
	"q3-68-connect-play":     {redacted: []uint64{5216}},
	"q3-68-ipfrag-mtu576":    {redacted: []uint64{363}},
	"q3-71-connect-play":     {redacted: []uint64{5207}},
	"q3-71-ipv6":             {redacted: []uint64{1878}},
	"q3-68-loss-clientside":  {redacted: []uint64{1556}},
	"q3-68-loss-serverside":  {redacted: []uint64{1551}},
	"q3-oa-wrapper-71legacy": {redacted: []uint64{1792}},

	// Slices from the middle of a session, which the truth was given the keys for.
	"q3-68-connect-play-mid": {midgame: true, experts: []string{"warning key_unknown"}},
	"q3-71-connect-play-mid": {midgame: true, experts: []string{"note base_missing", "note key_unknown"}},

	// Passwords in quotes, which the game splits at their blanks.
	"q3-oob": {experts: []string{"note rcon_password_split"}},
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
	experts   []string // expert entries, by severity and code; all others have none
}

// TestTruth compares every record of every capture, field by field and both ways, with the truth.
func TestTruth(t *testing.T) {
	t.Parallel()
	for _, name := range reference.Glob(t, "captures", "quake3", "*.truth.jsonl.gz") {
		t.Run(reference.Base(name), func(t *testing.T) {
			t.Parallel()
			compareTruth(t, reference.Capture(t, "quake3", reference.Base(name)), name, departures[reference.Base(name)])
		})
	}
}

// compareTruth compares every record of a capture with its truth file.
func compareTruth(t *testing.T, capture, truth string, d departure) {
	t.Helper()
	c := newComparison(t, truth, d)
	reftest.Dissect(t, capture, reftest.Run{Finish: finishTruth, Output: reftest.Lines(c.record)})
	c.end()
}

// TestTruthGames does the same for the games made from Quake III.
func TestTruthGames(t *testing.T) {
	t.Parallel()
	folder := reference.Folder(t, "captures", "idtech3")
	for name, departure := range map[string]departure{
		"et-84-play":       {game: "et"},
		"et-84-badconnect": {game: "et", stale: true, experts: []string{"note userinfo_cut"}},
		// Frame 34 is an answer of the authorize server that a client forged: it has the direction of its word. A datagram of no
		// session (35) is taken for one that began before the capture, and goes on in 36. The game decompresses the plain
		// connect of 37, which is shown as text.
		"jka-26-oob":              {game: "jka", apart: []uint64{34, 35, 36, 37}, experts: []string{"error malformed"}},
		"ettv-284":                {game: "et"},
		"rtcw-60-61-play":         {game: "rtcw"},
		"jka-26-play":             {game: "jka"},
		"jka-26-full":             {game: "jka"},
		"jka-26-vehicle":          {game: "jka"},
		"jka-26-download":         {game: "jka"},
		"jka-26-download-refused": {game: "jka"},
		"jo-15-v102-synth":        {game: "jo"},
		"jo-15-v103-synth":        {game: "jo"},
		"jo-16-synth":             {game: "jo"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
	dst = fmt.Appendf(dst, "%d\t%08x\t%x\t", consumed(rec.Tree), crc32.ChecksumIEEE(payload[min(oobMarkerLen, len(payload)):]), payload)
	dst = append(appendChanges(dst, rec), '\t')
	return render.AppendJSON(dst, rec, render.JSON{NoNames: true})
}

// consumed gives the end of what was read of a message, in bits; -1 without one.
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
	sessions    map[int]node   // what the last message of each stream says of its session
	began       map[int]int    // sessions of each stream so far
	fragments   map[uint64]int // bytes of the message in a packet that completes none, by frame
	experts     []string       // by severity and code, each once
	records     int
	differences int

	enciphered, deciphered map[string]int // messages by direction, of a session whose keys are recovered
	valued                 int            // of them, those whose user commands have all values
	unsaid                 int            // things that are marked as unknown
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

// message gives the object of the message, or nil.
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

// asJediReads replaces what the truth files of Jedi Knight have not as it was on the wire but as the engine reads it.
func asJediReads(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "%", ".")
	case []any:
		for i := range v {
			v[i] = asJediReads(v[i])
		}
	case node:
		for key := range v {
			if v[key] = asJediReads(v[key]); strings.HasSuffix(key, "_raw") {
				v[key] = percentRead(v[key])
			}
		}
	}
	return v
}

// percentRead does the same in hexadecimal digits.
func percentRead(v any) any {
	if list, ok := v.([]any); ok {
		for i := range list {
			list[i] = percentRead(list[i])
		}
	}
	text, ok := v.(string)
	if !ok {
		return v
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return v
	}
	return hex.EncodeToString(bytes.ReplaceAll(b, []byte{'%'}, []byte{'.'}))
}

// line reads a record and takes out of it what the truth does not tell.
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
	for ; c.truth.more; c.truth.next(c) {
		c.differ("frame %d: no record", c.truth.line.Frame)
	}
	if c.differences > 0 {
		c.Errorf("%d differences in %d records", c.differences, c.records)
	}
	slices.Sort(c.experts)
	if diff := cmp.Diff(c.departure.experts, c.experts); diff != "" {
		c.Errorf("expert entries (-want +got):\n%s", diff)
	}
}

// want builds the whole record that a line of the truth stands for.
func (c *comparison) want(t *truthLine, l *line) node {
	want := node{
		"frame": decimal(t.Frame), "protocol": "quake3", "direction": "client_to_server",
		"src_port": decimal(t.ClientPort), "dst_port": decimal(t.ServerPort), "stream": l.got["stream"], "length": l.got["length"],
	}
	if t.Dir == "s2c" {
		want["direction"] = "server_to_client"
		want["src_port"], want["dst_port"] = want["dst_port"], want["src_port"]
	}
	if t.Kind == "oob" {
		want["length"] = decimal(t.Len + oobMarkerLen)
		want["quake3"] = c.wantPacket(t, l)
	} else {
		c.wantSession(t, l, want)
	}
	return want
}

// oobMarkerLen is how many bytes FF begin an out-of-band packet.
const oobMarkerLen = 4

// wantPacket builds the object quake3 of an out-of-band packet.
func (c *comparison) wantPacket(t *truthLine, l *line) node {
	c.model.oob(t, reftest.Number(l.got["stream"]))
	want := c.wantGoingOn(l)
	if t.Text != nil {
		text := wire(*t.Text)
		if l.cut && c.departure.stale {
			text = text[:len(text)-1]
		}
		oob := wantOOB(t, text)
		if l.cut {
			delete(oob, "info_raw") // what the cut left of the last pair is not part of info
		}
		want["oob"] = oob
		return want
	}
	// The truth gives the size and checksum of the text alone: it is put together again from the record.
	oob, _ := l.game["oob"].(node)
	command, _ := oob["command"].(string)
	body, _ := oob["text"].(string)
	text, sum := []byte(command+"\n"+body), t.TextCRC32
	if slices.Contains(c.departure.redacted, t.Frame) {
		sum = l.payloadCRC
	}
	if got := fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)); got != sum || len(text) != t.TextLen || command != *t.Redacted {
		c.differ("frame %d: %s text of %d bytes, CRC-32 %s; want %s, %d, %s", t.Frame, command, len(text), got, *t.Redacted, t.TextLen, sum)
	}
	want["oob"] = wantOOB(t, text)
	return want
}

// wantGoingOn begins the object of an out-of-band packet with the session that goes on in its stream, if
// any: that of the last message, or one that connectResponse has just begun.
func (c *comparison) wantGoingOn(l *line) node {
	stream := reftest.Number(l.got["stream"])
	if last := c.sessions[stream]; last != nil && last["session"] == l.game["session"] {
		return maps.Clone(last)
	}
	want := node{}
	if next := c.began[stream]; l.game["session"] != nil {
		want["session"] = decimal(next)
		for _, connect := range c.model.connects {
			if connect.stream == stream {
				want["version"] = json.Number(connect.version)
				if c.departure.game != "" {
					want["game"] = c.departure.game
				}
			}
		}
	}
	return want
}

// wantSession completes a record that holds a message.
func (c *comparison) wantSession(t *truthLine, l *line, want node) {
	s, first := c.model.session(t)
	if first {
		s.stream, s.session = reftest.Number(l.got["stream"]), reftest.Number(l.game["session"])
		for _, other := range c.model.sessions {
			if other != s && other.stream == s.stream && other.session >= s.session {
				c.differ("frame %d: session %d of stream %d is an old one", t.Frame, s.session, s.stream)
			}
		}
		if s.connect != nil && s.connect.stream != s.stream {
			c.differ("frame %d: session in stream %d, the connect is in %d", t.Frame, s.stream, s.connect.stream)
		}
	}
	want["stream"] = decimal(s.stream)
	game := node{"encoding": t.Encoding, "session": decimal(s.session), "netchan": c.wantNetchan(t, s, l)}
	if c.departure.game != "" && !(first && c.departure.recovered && t.Encoding == "native") { // the first message tells it
		game["game"] = c.departure.game
	}
	want["quake3"] = game
	if s.connect != nil {
		game["version"] = json.Number(s.connect.version)
	} else if v, ok := l.game["version"]; ok && c.departure.midgame {
		game["version"] = v // learnt from the server's settings
	}
	c.sessions[s.stream] = node{"encoding": game["encoding"], "session": game["session"]}
	if g, ok := game["game"]; ok {
		c.sessions[s.stream]["game"] = g
	}
	if v, ok := game["version"]; ok {
		c.sessions[s.stream]["version"] = v
	}
	c.began[s.stream] = s.session + 1
	keyed := s.keyed(t)
	key, message := s.wantMessage(t)
	game[key] = message
	markData(l.message())
	bits := t.Bits
	if c.departure.recovered && t.Encoding != "native" {
		if l.game["key"] != nil {
			game["key"] = "recovered"
		}
		bits = c.wantRecovered(t, l, message)
	} else if c.departure.midgame {
		bits = c.wantMidgame(t, l, keyed, message)
	}
	if changes := wantChanges(t); changes != l.changes && !l.keyUnknown {
		c.differ("frame %d: changes of user commands %q, want %q", t.Frame, l.changes, changes)
	}
	if l.bits != bits {
		c.differ("frame %d: %d bits were read of the message, the game reads %d", t.Frame, l.bits, bits)
	}
}

// wantNetchan builds the header's object. The lengths of all fragments together must be the message's.
func (c *comparison) wantNetchan(t *truthLine, s *truthSession, l *line) node {
	got, _ := l.game["netchan"].(node)
	want := node{"sequence": decimal(t.Sequence), "fragmented": t.Fragmented}
	size := reftest.Number(l.got["length"]) - 4
	if t.Qport != nil {
		want["qport"] = *t.Qport
		size -= 2
	}
	if t.Encoding == "native" {
		size -= 4
		want["checksum"], want["checksum_ok"] = got["checksum"], true
		if s.connect != nil {
			want["checksum"] = decimal(uint32(s.connect.challenge) ^ t.Sequence*uint32(s.connect.challenge))
		}
	}
	if t.Fragmented {
		frames := make([]any, len(t.Frames))
		size -= 4
		start := 0
		for i, f := range t.Frames {
			frames[i] = decimal(f)
			start += c.fragments[f]
		}
		want["reassembled_from"] = frames
		want["fragment"] = node{"start": decimal(start), "length": decimal(size), "last": true}
		size += start
	}
	if size != t.Len {
		c.differ("frame %d: message of %d bytes, want %d", t.Frame, size, t.Len)
	}
	if t.Duplicate {
		want["duplicate"] = true
	}
	if t.Late {
		want["late"] = true
	}
	if lost := s.lostBefore(t); lost > 0 {
		want["lost_before"] = decimal(lost)
	}
	return want
}

// fragment checks a record of which the truth does not speak: it must be a fragment that completes nothing.
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
