package truth_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A clientLine is one line of what ioquake3's own message code reads of a demo that a client recorded.
type clientLine struct {
	Sequence    json.Number `json:"seq"`
	Len         int         `json:"len"`
	ReliableAck json.Number `json:"relack"`
	Ops         []struct {
		Op string `json:"op"` // gamestate, serverCommand, snapshot, voip

		CommandSequence json.Number       `json:"serverCommandSequence"`
		Configstrings   map[string]string `json:"configstrings"`
		Baselines       int               `json:"baselines"`
		ClientNum       json.Number       `json:"clientNum"`
		ChecksumFeed    json.Number       `json:"checksumFeed"`

		Number json.Number `json:"n"`
		Text   string      `json:"s"`

		ServerTime json.Number     `json:"serverTime"`
		Delta      json.Number     `json:"delta"`
		Flags      json.Number     `json:"flags"` // of voip too
		AreaBytes  int             `json:"areabytes"`
		Valid      int             `json:"valid"`
		Count      int             `json:"entities"`
		Player     *clientPlayer   `json:"ps"`
		Entities   [][]json.Number `json:"ents"` // number, eType, pos.trBase, event, weapon

		Sender     json.Number `json:"sender"`
		Generation json.Number `json:"generation"`
		Sequence   json.Number `json:"sequence"`
		Frames     json.Number `json:"frames"`
		Size       json.Number `json:"size"`
	} `json:"ops"`
}

type clientPlayer struct {
	CommandTime json.Number    `json:"commandTime"`
	ClientNum   json.Number    `json:"clientNum"`
	PMType      json.Number    `json:"pm_type"`
	Origin      [3]json.Number `json:"origin"`
	ViewAngles  [3]json.Number `json:"viewangles"`
	Weapon      json.Number    `json:"weapon"`
	Health      json.Number    `json:"health"`
	Ping        json.Number    `json:"ping"` // not on the wire
	Score       json.Number    `json:"score"`
}

// TestClientDemos compares the demos that clients recorded with what ioquake3's own code reads of them:
// commands, voice, and the absolute states of snapshots. The first messages are compared, in make long all.
func TestClientDemos(t *testing.T) {
	t.Parallel()
	for _, name := range reference.Glob(t, "captures", "quake3", "*.dm_??") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			compareClientDemo(t, name, name+".jsonl.gz")
		})
	}
}

// compareClientDemo compares a demo with the file of what the game reads in it.
func compareClientDemo(t *testing.T, name, truthName string) {
	t.Helper()
	c := &clientComparison{TB: t, world: newWorldModel(t, versionOf(name))}
	truth := reference.Lines(t, truthName)
	stats, broken := dissectDemo(t, name, reftest.Run{
		State: true, Most: reference.Most(comparedOfClient),
		Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
			if !truth.Scan() {
				t.Errorf("message %d: no line for it: %v", rec.Frame-1, truth.Err())
				return dst
			}
			line := &clientLine{}
			strictJSON(t, truth.Bytes(), line)
			if want, got := c.want(line), c.got(rec); !slices.Equal(want, got) {
				t.Errorf("message %d (-want +got):\n%s", rec.Frame-1, cmp.Diff(want, got))
			}
			return dst
		},
	})
	if reference.Long() && truth.Scan() || broken != nil || stats.Damaged > 0 || stats.Messages == 0 {
		t.Errorf("message missing: %s; %v; %d damaged of %d", truth.Bytes(), broken, stats.Damaged, stats.Messages)
	}
}

// comparedOfClient is how many messages of each demo go test compares: commands, voice, whole and delta snapshots.
const comparedOfClient = 250

// A clientComparison puts lines and records into the same words.
type clientComparison struct {
	testing.TB
	world *worldModel
}

func (c *clientComparison) want(line *clientLine) []string {
	texts := []string{fmt.Sprintf("message %s of %d bytes, acknowledges %s", line.Sequence, line.Len, line.ReliableAck)}
	for i := range line.Ops {
		switch op := &line.Ops[i]; op.Op {
		case "gamestate":
			texts = append(texts, fmt.Sprintf("gamestate %s: %d baselines, client %s, feed %s, %v",
				op.CommandSequence, op.Baselines, op.ClientNum, op.ChecksumFeed, op.Configstrings))
		case "serverCommand":
			texts = append(texts, fmt.Sprintf("command %s: %q", op.Number, op.Text))
		case "voip":
			texts = append(texts, fmt.Sprintf("voip %s %s %s %s %s %s", op.Sender, op.Generation, op.Sequence,
				op.Frames, op.Size, op.Flags))
		case "snapshot":
			p := op.Player
			texts = append(texts, fmt.Sprintf("snapshot %s %s %s %d %d", op.ServerTime, op.Delta, op.Flags,
				op.AreaBytes, op.Count),
				fmt.Sprintf("player %s %s %s %s %s %s %s %s", p.CommandTime, p.ClientNum, p.PMType, p.Origin, p.ViewAngles,
					p.Weapon, p.Health, p.Score))
			for _, e := range op.Entities {
				texts = append(texts, fmt.Sprintf("entity %s", e))
			}
		default:
			texts = append(texts, op.Op)
		}
	}
	return append(texts, "eof")
}

func (c *clientComparison) got(rec *dissect.Record) []string {
	t := rec.Tree
	number := func(parent int, key string) string { return c.number(t, t.Find(parent, key)) }
	message := t.Find(0, "server_message")
	texts := []string{fmt.Sprintf("message %s of %d bytes, acknowledges %s",
		number(t.Find(0, "netchan"), "sequence"), rec.Length, number(message, "reliable_acknowledge"))}
	for _, e := range rec.Experts {
		texts = append(texts, fmt.Sprint(e))
	}
	ops := t.Find(message, "ops")
	for i := ops + 1; i < int(t.Nodes[ops].End); i = int(t.Nodes[i].End) {
		switch key := t.Nodes[i].Field.Key; key {
		case "gamestate":
			configstrings := map[string]string{}
			c.each(t, t.Find(i, "configstrings"), func(cs int) {
				configstrings[number(cs, "index")] = string(t.Bytes(&t.Nodes[t.Find(cs, "value")]))
			})
			texts = append(texts, fmt.Sprintf("gamestate %s: %d baselines, client %s, feed %s, %v",
				number(i, "server_command_sequence"),
				c.each(t, t.Find(i, "baselines"), func(int) {}), number(i, "client_num"),
				number(i, "checksum_feed"), configstrings))
		case "server_command":
			texts = append(texts, fmt.Sprintf("command %s: %q", number(i, "sequence"), t.Bytes(&t.Nodes[t.Find(i, "command")])))
		case "voip":
			texts = append(texts, fmt.Sprintf("voip %s %s %s %s %s %s", number(i, "sender"), number(i, "generation"),
				number(i, "sequence"),
				number(i, "frames"), number(i, "size"), number(i, "flags")))
		case "snapshot":
			texts = append(texts, c.gotSnapshot(t, i)...)
		default:
			texts = append(texts, key)
		}
	}
	return texts
}

func (c *clientComparison) gotSnapshot(t *dissect.Tree, at int) []string {
	number := func(key string) string { return c.number(t, t.Find(at, key)) }
	w, _ := c.world.shown(t)
	texts := []string{
		fmt.Sprintf("snapshot %s %s %s %d %d", number("server_time"), number("delta_num"), number("snap_flags"),
			len(t.Bytes(&t.Nodes[t.Find(at, "area_mask")])), len(w.entities)),
		"player" + c.world.player.write(w.player, "commandTime", "clientNum", "pm_type", "[", "origin[0]",
			"origin[1]", "origin[2]", "]",
			"[", "viewangles[0]", "viewangles[1]", "viewangles[2]", "]", "weapon", "stats[0]", "persistant[0]"),
	}
	c.each(t, t.Find(at, "entities"), func(e int) {
		n := int(t.Nodes[t.Find(e, "number")].Uint())
		if s := w.entities[n]; s != nil {
			texts = append(texts, fmt.Sprintf("entity [%d%s]", n,
				c.world.entity.write(s, "eType", "pos.trBase[0]", "pos.trBase[1]", "pos.trBase[2]", "event", "weapon")))
		}
	})
	return texts
}

// each calls f for the children of a node and counts them.
func (c *clientComparison) each(t *dissect.Tree, parent int, f func(child int)) (count int) {
	if parent < 0 {
		return 0
	}
	for i := parent + 1; i < int(t.Nodes[parent].End); i = int(t.Nodes[i].End) {
		f(i)
		count++
	}
	return count
}

func (c *clientComparison) number(t *dissect.Tree, i int) string {
	if i < 0 {
		return ""
	}
	return strconv.FormatInt(t.Nodes[i].Int(), 10)
}

// write writes some fields of a state as the lines have them. A bracket groups.
func (l *layout) write(s fullState, names ...string) string {
	var b []byte
	for _, name := range names {
		if name != "]" && (len(b) == 0 || b[len(b)-1] != '[') {
			b = append(b, ' ')
		}
		i, ok := l.index[name]
		switch {
		case !ok:
			b = append(b, name...)
		case l.floats[i]:
			b = strconv.AppendFloat(b, float64(math.Float32frombits(s[i])), 'f', 3, 32)
		default:
			b = strconv.AppendInt(b, int64(int32(s[i])), 10)
		}
	}
	return string(b)
}

// exportedBytes is how large a capture is at most whose demos go test compares: every kind of session, and loss.
const exportedBytes = 200_000

// TestExportedRecords reads exported demos back: their messages must be dissected as those of the capture,
// absolute states among it.
func TestExportedRecords(t *testing.T) {
	t.Parallel()
	for _, name := range reference.Glob(t, "captures", "quake3", "*.truth.jsonl.gz") {
		name := reference.Base(name)
		info, err := os.Stat(reference.Capture(t, "quake3", name))
		if err != nil || info.Size() > int64(reference.Most(exportedBytes)) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, manifest := exportDemos(t, reference.Capture(t, "quake3", name), extract.DemoRange{}, 1)
			if len(manifest.Demos) == 0 {
				t.Skip("nothing to export")
			}
			sessions := map[string][]byte{}
			reftest.Dissect(t, reference.Capture(t, "quake3", name),
				reftest.Run{State: true, Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
					netchan := rec.Tree.Find(0, "netchan")
					if rec.Direction == dissect.ServerToClient && rec.Message != nil &&
						rec.Tree.Find(netchan, "duplicate") < 0 && rec.Tree.Find(netchan, "late") < 0 {
						session := rec.Tree.Nodes[rec.Tree.Find(0, "session")].Int()
						sessions[fmt.Sprint(rec.Stream, session, sequenceOf(rec))] = serverMessage(rec)
					}
					return dst
				}})
			for _, demo := range manifest.Demos {
				messages := uint64(0)
				_, broken := dissectDemo(t, filepath.Join(dir, demo.File),
					reftest.Run{State: true, Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
						messages++
						want, got := sessions[fmt.Sprint(demo.Stream, demo.Session, sequenceOf(rec))], serverMessage(rec)
						if !bytes.Equal(want, got) {
							t.Errorf("%s: message %d (-capture +demo):\n%s", demo.File, sequenceOf(rec), cmp.Diff(string(want), string(got)))
						}
						return dst
					}})
				if broken != nil || messages != demo.Messages {
					t.Errorf("%s: %d messages, want %d; %v", demo.File, messages, demo.Messages, broken)
				}
			}
		})
	}
}

func sequenceOf(rec *dissect.Record) uint64 {
	return rec.Tree.Nodes[rec.Tree.Find(rec.Tree.Find(0, "netchan"), "sequence")].Uint()
}

// serverMessage returns the message of a record as JSON, and the expert entries after it. The marks
// of repeated commands are off: in a demo a command can come for the first time that the capture has
// seen before.
func serverMessage(rec *dissect.Record) []byte {
	_, message, _ := bytes.Cut(render.AppendJSON(nil, rec, render.JSON{}), []byte(`"server_message":`))
	return bytes.ReplaceAll(message, []byte(`"repeat":true,`), nil)
}
