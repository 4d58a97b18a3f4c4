package truth_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// signedFields are numbers that uberdemotools reads unsigned and the engine signed, with their widths in
// bits: of the player state, and of entities.
var signedFields = map[int]struct{ player, entity map[string]int }{
	43: {player: map[string]int{"viewheight": 8, "weaponTime": 16, "pm_time": 16}},
	91: {
		player: map[string]int{"forwardmove": 8, "rightmove": 8, "upmove": 8},
		entity: map[string]int{"health": 16},
	},
}

// damagedDemos are those that are not as a client writes them.
var damagedDemos = map[string]struct {
	fault  int    // message with the fault that ends the truth; -1: none
	field  string // that it is in
	broken string // how the file ends, if not with the end mark
}{
	"invalid_area_mask_length.dm_68": {
		fault: 6, field: "quake3.server_message.ops.snapshot.area_mask",
		broken: "malformed_file",
	},
	"invalid_command_byte.dm_68": {
		fault: 0, field: "quake3.server_message.ops.gamestate",
		broken: "malformed_file",
	},
	"invalid_entity_state_field_count.dm_68": {
		fault: 363, field: "quake3.server_message.ops.snapshot.entities",
		broken: "malformed_file",
	},
	"invalid_entity_state_field_count_2.dm_68": {
		fault: 393, field: "quake3.server_message.ops.snapshot.entities",
		broken: "malformed_file",
	},
	"truncated.dm_68": {fault: -1, broken: "truncated_file"},
	"truncated.dm_73": {fault: -1, broken: "truncated_file"},
}

// TestRecordings compares every record of public demos of all generations, field by field and both ways,
// with another decoder's account of them.
func TestRecordings(t *testing.T) {
	t.Parallel()
	for _, name := range recordingsWithTruth(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			c := newDemoComparison(t, name)
			stats, broken := dissectDemoBytes(t, name, b, reftest.Run{
				Finish: func(worker int, dst []byte, rec *dissect.Record) []byte {
					if int(rec.Frame) > c.most {
						return append(dst, '\n')
					}
					return finishDemo(worker, dst, rec)
				},
				Output: reftest.Lines(c.record),
			})
			c.end(b, stats, broken)
		})
	}
}

// finishDemo writes where a message was read to, and its record.
func finishDemo(_ int, dst []byte, rec *dissect.Record) []byte {
	dst = fmt.Appendf(dst, "%d\t", consumed(rec.Tree))
	return render.AppendJSON(dst, rec, render.JSON{NoNames: true})
}

// A demoComparison compares the records of one demo with its truth.
type demoComparison struct {
	testing.TB
	name        string
	version     int
	truth       *demoTruth
	session     *truthSession
	most        int // messages that are compared
	records     int
	differences int
}

// comparedMessages is how many messages of demos go test compares.
const comparedMessages = 800

func newDemoComparison(tb testing.TB, name string) *demoComparison {
	session, _ := newTruthModel().session(&truthLine{})
	return &demoComparison{
		TB: tb, name: filepath.Base(name), version: versionOf(name),
		truth: openDemoTruth(tb, name), session: session, most: reference.Most(comparedMessages),
	}
}

const (
	firstHuffman = 66 // protocols before it have no code for symbols, and no operation that ends a message
	eofBits      = 5  // svc_EOF in the static code
)

// versionOf returns the protocol that a demo is named after.
func versionOf(name string) int {
	if filepath.Ext(name) == ".dm3" {
		return 43
	}
	return reftest.Number(strings.TrimPrefix(filepath.Ext(name), ".dm_"))
}

// record compares the next record.
func (c *demoComparison) record(b []byte) {
	index := c.records
	if c.records++; index >= c.most {
		return
	}
	bits, rest, _ := bytes.Cut(b, []byte{'\t'})
	got, err := reftest.Object(rest)
	if err != nil {
		c.Errorf("%v in %.300s", err, b)
		return
	}
	if v, ok := got["info"].(string); !ok || v == "" {
		c.differ("message %d: no info", index)
	}
	delete(got, "info")
	if c.truth.line == nil || c.truth.line.Index != index || c.truth.line.Len != reftest.Number(got["length"]) {
		if fault := damagedDemos[c.name]; fault.fault < 0 || index <= fault.fault {
			c.differ("message %d: the truth has %v", index, c.truth.line)
		}
		return
	}
	line := c.truth.line
	defer c.truth.next()
	if !line.OK {
		c.faulty(line, got)
		return
	}
	want := c.want(line, got)
	if !equal(want, got) {
		c.differ("message %d (-want +got):\n%s", index, cmp.Diff(want, got, cmp.Comparer(sameNumber)))
	}
	wantBits := line.EndBit
	if c.version >= firstHuffman {
		wantBits += eofBits // the truth does not count it
	}
	if end := reftest.Number(string(bits)); end != wantBits {
		c.differ("message %d: %d bits were read, want %d", index, end, wantBits)
	}
}

// faulty compares a record of the message that the other decoder gives up at: it must be marked, and what
// was decoded before must be the same.
func (c *demoComparison) faulty(line *demoLine, got node) {
	damage := damagedDemos[c.name]
	experts := reftest.List(got["expert"])
	if line.Index != damage.fault || len(experts) != 1 {
		c.differ("message %d: fault %q, expert entries %v", line.Index, line.Err, experts)
		return
	}
	if e := experts[0].(node); e["severity"] != "error" || !strings.HasPrefix(e["field"].(string), damage.field) {
		c.differ("message %d: %v, want an error in %s", line.Index, e, damage.field)
	}
	delete(got, "expert")
	want := c.want(line, got)
	if _, ok := cutUndecoded(got["quake3"]); !ok || !begins(want, got) {
		c.differ("message %d with a fault: %v\nis not the beginning of %v", line.Index, got, want)
	}
}

func (c *demoComparison) differ(format string, args ...any) {
	c.Helper()
	if c.differences++; c.differences <= *shown {
		c.Errorf(format, args...)
	}
}

// end checks that there is a record for each message of the container, and how the file ends.
func (c *demoComparison) end(b []byte, stats engine.Stats, broken *dissect.FileError) {
	damage := damagedDemos[c.name]
	for ; c.truth.line != nil && c.truth.line.Index < c.most; c.truth.next() {
		if line := c.truth.line; line.OK || line.Index != c.records || damage.broken == "" {
			c.differ("message %d: no record", line.Index)
		} else if broken == nil || broken.Offset != line.Offset {
			c.differ("the file breaks off at %d, want %d", broken.Offset, line.Offset)
		}
	}
	messages, ended := container(b)
	if c.records != messages {
		c.Errorf("%d records of %d messages", c.records, messages)
	}
	code := ""
	if broken != nil {
		code = broken.Code
	}
	if code != damage.broken || ended != (broken == nil) {
		c.Errorf("file error %v, want %q; end mark: %v", broken, damage.broken, ended)
	}
	if (stats.Damaged > 0) != (damage.field != "") {
		c.Errorf("%d damaged messages", stats.Damaged)
	}
	if c.differences > 0 {
		c.Errorf("%d differences in %d records", c.differences, c.records)
	}
}

// want builds the whole record that a line of the truth describes.
func (c *demoComparison) want(line *demoLine, got node) node {
	t := &truthLine{Dir: "s2c", Sequence: line.Sequence}
	netchan := node{"sequence": decimal(line.Sequence)}
	if lost := c.session.lostBefore(t); lost > 0 {
		netchan["lost_before"] = decimal(lost)
	}
	message, ops := node{}, []any{}
	if line.ReliableAck != "" {
		message["reliable_acknowledge"] = line.ReliableAck
	}
	game, _ := got["quake3"].(node)
	shown, _ := game["server_message"].(node)
	for i := range line.Ops {
		var place any
		if all := reftest.List(shown["ops"]); i < len(all) {
			place = all[i]
		}
		ops = append(ops, c.wantOp(t, &line.Ops[i], place))
		t.Ops = append(t.Ops, line.Ops[i].truthOp)
	}
	if c.version >= firstHuffman && line.OK {
		ops = append(ops, node{"eof": node{}})
	}
	if len(ops) > 0 {
		message["ops"] = ops
	}
	c.session.after(t)
	return node{
		"demo_message": decimal(line.Index), "length": decimal(line.Len), "protocol": "quake3",
		"direction": "server_to_client",
		"quake3": node{
			"version": decimal(c.version), "encoding": "demo", "netchan": netchan, "server_message": message,
		},
	}
}

func (c *demoComparison) wantOp(t *truthLine, op *demoOp, got any) node {
	switch op.Op {
	case "gamestate":
		return node{"gamestate": c.wantGamestate(op, got)}
	case "servercommand":
		return node{"server_command": c.wantCommand(t, op)}
	case "snapshot":
		return node{"snapshot": c.wantSnapshot(t, op)}
	}
	return node{"unknown " + op.Op: nil}
}

func (c *demoComparison) wantCommand(t *truthLine, op *demoOp) node {
	op.Text = latin1(op.Text)
	cmd := c.session.wantCommand(t, &op.truthOp)
	if cs, ok := cmd["configstring"].(node); ok {
		c.players(cs)
	} else if name, _ := cmd["name"].(string); strings.HasPrefix(name, "bcs") {
		arguments := reftest.List(cmd["arguments"])
		part := node{"index": json.Number(arguments[0].(string))}
		reftest.AddText(part, "value", []byte(arguments[1].(string)))
		cmd["configstring"] = part
	}
	return cmd
}

// latin1 returns a text whose characters are the bytes of s, as the truth of captures has it. That of demos is
// UTF-8.
func latin1(s string) string {
	var b []rune
	for i := range len(s) {
		b = append(b, rune(s[i]))
	}
	return string(b)
}

func (c *demoComparison) wantGamestate(op *demoOp, got any) node {
	g := node{"server_command_sequence": op.CommandSequence}
	if c.version >= firstHuffman && !op.Partial {
		g["client_num"], g["checksum_feed"] = op.ClientNum, op.ChecksumFeed
	}
	var configstrings, baselines []any
	// The truth has the configstrings in no order: the record's is taken over.
	for _, cs := range reftest.List(member(got, "configstrings")) {
		index := fmt.Sprint(cs.(node)["index"])
		value, ok := op.Configstrings[index]
		if !ok {
			continue
		}
		delete(op.Configstrings, index)
		want := c.session.wantConfigstring(index, []byte(value))
		c.players(want)
		configstrings = append(configstrings, want)
	}
	for index, value := range op.Configstrings {
		configstrings = append(configstrings, node{"index": index, "value": value})
	}
	for i := range op.Baselines {
		b := &op.Baselines[i]
		signed(b.Fields, signedFields[c.version].entity)
		baselines = append(baselines, b.Fields.add(node{"number": b.Number}))
	}
	if configstrings != nil {
		g["configstrings"] = configstrings
	}
	if baselines != nil {
		g["baselines"] = baselines
	}
	return g
}

// players makes an infostring of the configstrings that are the players' in the protocol.
func (c *demoComparison) players(cs node) {
	first, count := csPlayers, maxClients
	switch {
	case c.version == 43:
		count = 128
	case c.version > 71: // Quake Live
		first = 529
	}
	index, value := reftest.Number(cs["index"]), cs["value"].(string)
	delete(cs, "info")
	delete(cs, "info_raw")
	if strings.HasPrefix(value, `\`) || index >= first && index < first+count && strings.Contains(value, `\`) {
		addInfo(cs, "info", []byte(value))
	}
}

func (c *demoComparison) wantSnapshot(t *truthLine, op *demoOp) node {
	for i := range op.Entities {
		signed(op.Entities[i].Fields, signedFields[c.version].entity)
	}
	if op.Player == nil { // a fault comes before
		op.Player = &truthPlayer{}
	}
	signed(op.Player.Fields, signedFields[c.version].player)
	snap := c.session.wantSnapshot(t, &op.truthOp)
	if c.version == 43 {
		snap["client_command_sequence"] = op.ClientCommand
	}
	return snap
}

// signed makes numbers negative that the truth reads unsigned.
func signed(fields truthFields, widths map[string]int) {
	for name, width := range widths {
		if v, ok := fields[name]; ok && reftest.Number(v) >= 1<<(width-1) {
			fields[name] = decimal(reftest.Number(v) - 1<<width)
		}
	}
}
