package message

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// payloadField replaces the chunk that the message is in.
var payloadField = dissect.Field{Kind: dissect.Object, Children: Fields()}

// A reading is what decodeMessage made of a payload.
type reading struct {
	Message
	lines   []string // leaves of the chunk
	experts []string // code, path and bit
	rec     *dissect.Record
}

// readWith decodes a payload that begins at a bit position.
func readWith(m *Reader, d tables.Dialect, fromClient bool, payload []byte, at int) reading {
	rec := dissect.NewRecord()
	tree := rec.Decoding()
	tree.Family = uint8(d)
	tree.Open(&payloadField, at)
	r := reading{Message: m.Decode(tree, rec, d, fromClient, payload, at), rec: rec}
	tree.Close(at + len(payload)<<3)
	r.lines = wiretest.Leaves(tree)
	for _, e := range rec.Experts {
		r.experts = append(r.experts, fmt.Sprintf("%s %s %d", e.Code, e.Field, e.BitOffset))
	}
	return r
}

func readMessage(d tables.Dialect, fromClient bool, payload []byte) reading {
	return readWith(new(Reader), d, fromClient, payload, 0)
}

// eachMessage runs a test for every message of 0.7 and of DDNet, which has all of 0.6.
func eachMessage(t *testing.T, test func(t *testing.T, d tables.Dialect, def *tables.Message)) {
	t.Parallel()
	for _, d := range []tables.Dialect{tables.V07, tables.DDNet} {
		for _, def := range tables.AllMessages(d) {
			if def.Key == "ex" {
				continue // a prefix, not a message
			}
			t.Run(d.String()+"/"+def.Field.EngineName(), func(t *testing.T) { test(t, d, def) })
		}
	}
}

// sent is from which side a message comes.
func sent(def *tables.Message) (fromClient bool) { return def.From&tables.SentByClient != 0 }

// Every message of the tables, with values that the game accepts, gives its fields again and nothing else.
func TestEveryMessage(t *testing.T) {
	eachMessage(t, func(t *testing.T, d tables.Dialect, def *tables.Message) {
		rapid.Check(t, func(t *rapid.T) {
			e := encode(t, def, true)
			got := readWith(&Reader{Demo: true}, d, sent(def), e.payload, 40)
			if diff := cmp.Diff(e.lines, got.lines); diff != "" {
				t.Fatalf("%x (-want +got)\n%s", e.payload, diff)
			}
			if len(got.experts) > 0 || got.Failed || got.Refused || got.Def != def || got.id != def.ID ||
				got.System != def.System {
				t.Fatalf("%x: failed %t, refused %t, %s %v", e.payload, got.Failed, got.Refused, got.key(), got.experts)
			}
			checkPlaces(t, got.rec, 40, len(e.payload))
		})
	})
}

// A value that the game does not accept is shown all the same, with a note.
func TestEveryMessageOutOfRange(t *testing.T) {
	eachMessage(t, func(t *testing.T, d tables.Dialect, def *tables.Message) {
		rapid.Check(t, func(t *rapid.T) {
			e := encode(t, def, false)
			got := readWith(&Reader{Demo: true}, d, sent(def), e.payload, 0)
			if diff := cmp.Diff(e.lines, got.lines); diff != "" {
				t.Fatalf("%x (-want +got)\n%s", e.payload, diff)
			}
			var odd []string
			for _, x := range got.rec.Experts {
				if x.Code != expertOutOfRange || x.Severity != dissect.Note {
					t.Fatalf("%x: %v", e.payload, got.experts)
				}
				odd = append(odd, x.Field)
			}
			for i := range e.odd { // an entry's path has no indices
				e.odd[i] = indices.ReplaceAllString(e.odd[i], "")
			}
			if diff := cmp.Diff(e.odd, odd); diff != "" || got.Refused != (len(odd) > 0) || got.Failed {
				t.Fatalf("%x: refused %t, failed %t (-want +got)\n%s", e.payload, got.Refused, got.Failed, diff)
			}
		})
	})
}

// A server of DDNet fills the list of votes of 0.7 up with empty strings.
func TestFilledList(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		demo    bool
		filling string
		strings int
		rest    bool
	}{
		{"as many as counted", false, "", 2, false},
		{"all of them", false, strings.Repeat("\x00", 13), 15, false},
		{"one too few", false, strings.Repeat("\x00", 12), 2, true},
		{"another text", false, strings.Repeat("\x00", 12) + "x\x00", 2, true},
		{"padding of a demo", true, "\x00\x00\x00", 2, true},
		{"both", true, strings.Repeat("\x00", 15), 15, true},
	} {
		got := readWith(&Reader{Demo: tt.demo}, tables.V07, false, []byte("\x18\x02a\x00b\x00"+tt.filling), 0)
		count, rest := 0, false
		for _, line := range got.lines {
			if strings.Contains(line, "descriptions") {
				count++
			}
			rest = rest || strings.HasPrefix(line, "rest")
		}
		if count != tt.strings || rest != tt.rest || got.Failed {
			t.Errorf("%s: %d strings, rest %t: %q", tt.name, count, rest, got.lines)
		}
	}
}

var indices = regexp.MustCompile(`\[[0-9]+\]`)

// Every proper prefix of a message ends too early, at the cut or at the int that the cut goes through, unless what is
// missing may be. What comes before the cut is found.
func TestEveryMessageCut(t *testing.T) {
	eachMessage(t, func(t *testing.T, d tables.Dialect, def *tables.Message) {
		open := slices.ContainsFunc(def.Parts, func(p tables.Part) bool {
			return p.Times == tables.ToEnd || p.Kind == tables.KindRaw && p.Size == tables.ToEnd
		})
		rapid.Check(t, func(t *rapid.T) {
			e := encode(t, def, true)
			n := rapid.IntRange(0, len(e.payload)-1).Draw(t, "cut")
			got := readMessage(d, sent(def), e.payload[:n])
			if slices.Contains(e.cuts, n) && !got.Failed {
				return
			}
			if open && !got.Failed || def.ID == 0 && def.UUID != (tables.UUID{}) && d != tables.DDNet && n <= tables.UUIDBytes {
				return // any length will do; only DDNet's own dialect has no message 0
			}
			if !got.Failed || !got.rec.Damaged {
				t.Fatalf("%x cut at %d is taken: %v", e.payload, n, got.lines)
			}
			x := got.rec.Experts[len(got.rec.Experts)-1]
			if x.Code != ExpertTruncated || x.Severity != dissect.Fault || x.BitOffset > n<<3 ||
				x.BitOffset < (n-maxIntBytes)<<3 {
				t.Fatalf("%x cut at %d: %+v", e.payload, n, x)
			}
			for i, line := range got.lines {
				if slices.Contains(e.lines, line) || strings.Contains(line, "undecoded ") {
					continue
				}
				if i >= len(got.lines)-2 && (i >= len(e.lines) || strings.HasPrefix(e.lines[i], line)) {
					continue // the beginning of a text, or a list or object without elements
				}
				t.Fatalf("%x cut at %d: line %d is %q, of %q", e.payload, n, i, line, e.lines)
			}
		})
	})
}

// Bytes after a message are kept.
func TestEveryMessageRest(t *testing.T) {
	eachMessage(t, func(t *testing.T, d tables.Dialect, def *tables.Message) {
		if slices.ContainsFunc(def.Parts, func(p tables.Part) bool {
			return p.Optional || p.Times == tables.ToEnd || p.Kind == tables.KindRaw && p.Size == tables.ToEnd
		}) || def.Orders != nil {
			t.Skip("the message takes all that follows")
		}
		rapid.Check(t, func(t *rapid.T) {
			e := encode(t, def, true)
			got := readWith(&Reader{Demo: true}, d, sent(def), append(e.payload, 0xDE, 0xAD), 8)
			if diff := cmp.Diff(append(e.lines, "rest dead"), got.lines); diff != "" || len(got.experts) > 0 {
				t.Fatalf("%v (-want +got)\n%s", got.experts, diff)
			}
		})
	})
}

// checkPlaces asserts that all positions are inside the payload, that what one field of an object claims the next
// does not say again, and that together the leaves are the payload.
func checkPlaces(t interface {
	Helper()
	Fatalf(string, ...any)
}, rec *dissect.Record, at, size int,
) {
	t.Helper()
	next := at
	for i := range rec.Tree.Nodes {
		n := &rec.Tree.Nodes[i]
		bit, bits := int(n.Bit), int(n.Bits)
		if bit < at || bit+bits > at+size<<3 {
			t.Fatalf("%s is at bit %d, %d bits long, outside of the %d bytes at %d", n.Field.Key, bit, bits, size, at)
		}
		if n.Field.Kind.Container() || n.Field == &systemField {
			continue // the id holds it
		}
		if n.Field.Aside { // another field holds it
			if bits != 0 {
				t.Fatalf("%s has %d bits of its own", n.Field.Key, bits)
			}
			continue
		}
		if bit != next {
			t.Fatalf("%s is at bit %d, want %d", n.Field.Key, bit, next)
		}
		next += bits
	}
	if next != at+size<<3 {
		t.Fatalf("the fields end at bit %d, want %d", next, at+size<<3)
	}
}

// Single messages, with what is to be said about them. The bytes of the first two are those of a page about the
// protocol and of a test of teeworlds-go; the next ones are of capture tw07-synth, whose makers used the
// game's own packers.
func TestMessageVectors(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		name    string
		d       tables.Dialect
		client  bool
		payload string
		want    []string
		experts []string
	}{
		{"sv_team", tables.V07, false, "\x08\x00\x40\x00\x91\x3b", []string{
			"id 4", "system false", "sv_team.client_id 0", "sv_team.team -1", "sv_team.silent false",
			"sv_team.cooldown_tick 3793",
		}, nil},
		{"info", tables.V07, true, "\x030.7 802f1be60a05665f\x00\x00\x85\x1c", []string{
			"id 1", "system true", "info.net_version 0.7 802f1be60a05665f", "info.password ", "info.client_version 1797",
		}, nil},
		{"rest", tables.V07, false, "\x12\x05\xde\xad", []string{"id 9", "system false", "sv_weaponpickup.weapon 5", "rest dead"}, nil},
		{
			"out of range", tables.V07, false, "\x12\x06",
			[]string{"id 9", "system false", "sv_weaponpickup.weapon 6"},
			[]string{"out_of_range sv_weaponpickup.weapon 8"},
		},
		{"cut", tables.V07, false, "\x08\x00", []string{"id 4", "system false", "sv_team.client_id 0"}, []string{"truncated sv_team.team 16"}},
		{"no NUL", tables.V07, false, "\x02abc", []string{"id 1", "system false", "sv_motd.message abc"}, []string{"truncated sv_motd.message 32"}},
		{
			"unknown game message", tables.V07, false, "\x90\x01abc",
			[]string{"id 40", "system false", "unknown.data 616263"},
			[]string{"unknown_message id 0"},
		},
		{
			"unknown system message", tables.V07, false, "\xbf\x00",
			[]string{"id 31", "system true", "unknown.data "},
			[]string{"unknown_message id 0", "int_overlong  0"},
		},
		{"negative id", tables.V07, false, "\x41ab", []string{"undecoded 416162"}, []string{"malformed id 0"}},
		{"nothing", tables.V07, false, "", []string{""}, []string{"truncated id 0"}},
		{
			"half an int", tables.V07, false, "\x08\x00\x80",
			[]string{"id 4", "system false", "sv_team.client_id 0", "sv_team.undecoded 80"},
			[]string{"truncated sv_team.team 16"},
		},
		{"demo only", tables.V07, false, "\x2cde\x00\x01\x00", []string{
			"id 22", "system false", "de_cliententer.name de", "de_cliententer.client_id 1", "de_cliententer.team 0",
		}, []string{"demo_only id 0"}},
		{"wrong side", tables.V07, true, "\x10", []string{"id 8", "system false", "sv_readytoenter"}, []string{"wrong_direction id 0"}},
		{
			"padding", tables.V07, false, "\x88\x01\xff\xff\xff\xff\x1f",
			[]string{"id 36", "system false", "sv_checkpoint.diff -2147483648"},
			[]string{"int_padding  16"},
		},
		{"message 0 of 0.7", tables.V07, false, "\x01ab", []string{"id 0", "system true", "null", "rest 6162"}, nil},
		{"UUID cut", tables.DDNet, false, "\x01ab", []string{"id 0", "system true", "uuid 6162"}, []string{"truncated uuid 24"}},
		{"UUID of the other kind", tables.DDNet, false, "\x00" + string(rconType[:]) + "\x01", []string{
			"id 0", "system false", "uuid 12810e1fa1db3378b4fb164ed6505926", "unknown.data 01",
		}, []string{"unknown_message id 0"}},
		{"UUID on 0.7", tables.V07, false, "\x01" + string(rconType[:]) + "\x01", []string{
			"id 0", "system true", "uuid 12810e1fa1db3378b4fb164ed6505926", "rcontype.username_required true",
		}, nil},
		{"too long an input", tables.DDNet, true, "\x21\x00\x00\x84\x08\x00", []string{
			"id 16", "system true", "input.ack_snapshot_tick 0", "input.intended_tick 0", "input.size 516",
			"input.input.undecoded 00",
		}, []string{"malformed input.input 40"}},
		{"negative part_size", tables.V07, false, "\x11\x00\x00\x00\x40\x00", []string{
			"id 8", "system true", "snapsingle.tick 0", "snapsingle.delta_tick_offset 0", "snapsingle.crc 0",
			"snapsingle.part_size -1",
			"snapsingle.undecoded 00",
		}, []string{"out_of_range snapsingle.part_size 32", "malformed snapsingle.data 40"}},
		// The server's log of tw07-ctf3.pcap: "flag_capture player='2:..." time=38.76", in ticks of 1/50 s.
		{"GAMEMSG_CTF_CAPTURE", tables.V07, false, "\x2a\x09\x01\x02\x92\x1e", []string{
			"id 21", "system false", "sv_gamemsg.game_msg_id 9", "sv_gamemsg.params[0] 1", "sv_gamemsg.params[1] 2",
			"sv_gamemsg.params[2] 1938", "sv_gamemsg.flag_team 1", "sv_gamemsg.client_id 2", "sv_gamemsg.capture_ticks 1938",
		}, nil},
		{"GAMEMSG_CTF_CAPTURE cut", tables.V07, false, "\x2a\x09\x01\x92", []string{
			"id 21", "system false", "sv_gamemsg.game_msg_id 9", "sv_gamemsg.params[0] 1", "sv_gamemsg.flag_team 1",
			"sv_gamemsg.undecoded 92",
		}, []string{"truncated sv_gamemsg.params 24"}},
		{"unknown GAMEMSG", tables.V07, false, "\x2a\x0b\x01", []string{
			"id 21", "system false", "sv_gamemsg.game_msg_id 11", "sv_gamemsg.params", "rest 01",
		}, []string{"out_of_range sv_gamemsg.game_msg_id 8"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			got := readMessage(v.d, v.client, []byte(v.payload))
			if diff := cmp.Diff(v.want, got.lines); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(v.experts, got.experts); diff != "" {
				t.Errorf("entries (-want +got)\n%s", diff)
			}
		})
	}
}

var rconType = tables.UUIDOf("rcon-type@ddnet.tw")

// The number of values shows which order a server uses. DDNet's own list has laser_damage at 30, and a server that
// speaks 0.7 leaves it out for a client that has a character: SendTuningParams in src/game/server/gamecontext.cpp of
// DDNet. The list grew: 33, 37, 38 and 44 values in src/game/server/gamecontext.cpp of 2020, then 45 and 47 in
// src/game/tuning.h.
func TestTuneParams(t *testing.T) {
	t.Parallel()
	const damage, unnamed = "sv_tuneparams.laser_damage 30", "sv_tuneparams.undetermined[0] 30"
	for _, v := range []struct {
		before, ints int    // values of the message before (0: none), and of this one
		at30, last   string // the lines of value 30 and of the last
	}{
		{0, 32, "sv_tuneparams.player_collision 30", "sv_tuneparams.player_hooking 31"}, // vanilla, or 33 without
		{0, 33, damage, "sv_tuneparams.player_hooking 32"},
		{0, 36, "sv_tuneparams.player_collision 30", "sv_tuneparams.hammer_strength 35"},
		{0, 38, damage, "sv_tuneparams.hook_duration 37"},
		{0, 43, "sv_tuneparams.player_collision 30", "sv_tuneparams.ninja_fire_delay 42"},
		{0, 45, damage, "sv_tuneparams.hammer_hit_fire_delay 44"}, // 16.4
		{0, 46, "sv_tuneparams.player_collision 30", "sv_tuneparams.ground_elasticity_y 45"},
		{0, 47, damage, "sv_tuneparams.ground_elasticity_y 46"},

		// The whole of one list, or of the next one without laser_damage: what the server sent before decides.
		{0, 37, unnamed, "sv_tuneparams.undetermined[6] 36"},
		{37, 37, unnamed, "sv_tuneparams.undetermined[6] 36"},
		{36, 37, damage, "sv_tuneparams.hammer_strength 36"},
		{38, 37, "sv_tuneparams.player_collision 30", "sv_tuneparams.hook_duration 36"},
		{0, 44, unnamed, "sv_tuneparams.undetermined[13] 43"},
		{32, 44, unnamed, "sv_tuneparams.undetermined[13] 43"},
		{43, 44, damage, "sv_tuneparams.ninja_fire_delay 43"},
		{45, 44, "sv_tuneparams.player_collision 30", "sv_tuneparams.hammer_hit_fire_delay 43"},

		// Lists that no known server sends.
		{0, 34, unnamed, "sv_tuneparams.undetermined[3] 33"},
		{47, 48, unnamed, "sv_tuneparams.undetermined[17] 47"},
	} {
		reader := new(Reader)
		if v.before > 0 {
			readWith(reader, tables.V07, false, tunePayload(v.before), 0)
		}
		got := readWith(reader, tables.V07, false, tunePayload(v.ints), 0)
		want := []string{"sv_tuneparams.laser_bounce_cost 29", v.at30, v.last}
		if len(got.lines) != v.ints+2 {
			t.Errorf("%d values after %d: %q", v.ints, v.before, got.lines)
			continue
		}
		if diff := cmp.Diff(want, []string{got.lines[31], got.lines[32], got.lines[len(got.lines)-1]}); diff != "" {
			t.Errorf("%d values after %d (-want +got)\n%s", v.ints, v.before, diff)
		}
		var experts []string
		if v.at30 == unnamed {
			experts = []string{"undetermined id 0"}
		}
		if diff := cmp.Diff(experts, got.experts); diff != "" {
			t.Errorf("%d values after %d: entries (-want +got)\n%s", v.ints, v.before, diff)
		}
	}
}

// Demos fill messages up to whole ints: zeros after the values are none.
func TestTuneParamsOfDemos(t *testing.T) {
	t.Parallel()
	for padding := range 4 {
		payload := append(tunePayload(32), make([]byte, padding)...)
		got := readWith(&Reader{Demo: true}, tables.V07, false, payload, 0)
		if want := "sv_tuneparams.player_hooking 31"; got.lines[33] != want || len(got.experts) > 0 {
			t.Errorf("%d bytes: %q, want %q; %v", padding, got.lines[33], want, got.experts)
		}
	}
}

// tunePayload is a message of n values, 0 and up: 8 bits each.
func tunePayload(n int) []byte {
	payload := wiretest.AppendInt(nil, tables.TuneParamsID<<1)
	for i := range n {
		payload = wiretest.AppendInt(payload, int32(i))
	}
	return payload
}

// A message that the capture cut shows no number of values, so nothing from laser_damage on is named.
func TestTuneParamsCut(t *testing.T) {
	t.Parallel()
	got := readWith(&Reader{Cut: true}, tables.V07, false, tunePayload(32), 0)
	if want := "sv_tuneparams.undetermined[1] 31"; got.lines[len(got.lines)-1] != want {
		t.Errorf("the last line is %q, want %q", got.lines[len(got.lines)-1], want)
	}
}
