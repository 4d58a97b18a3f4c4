package records_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// A recordCheck validates records and notes the paths in them.
type recordCheck struct {
	schema *jsonschema.Schema
	mu     sync.Mutex
	listed map[string]bool
	seen   map[string]bool // paths, arrays skipped
}

func newRecordCheck(t testing.TB) *recordCheck {
	t.Helper()
	check := &recordCheck{
		schema: reftest.Schema(t, schema.Records(all.Protocols(), false)), listed: map[string]bool{},
		seen: map[string]bool{},
	}
	for _, f := range schema.ListFields(all.Protocols(), false) {
		check.listed[f.Path] = true
	}
	return check
}

// line checks one record.
func (c *recordCheck) line(t *testing.T, line []byte) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		t.Fatalf("%v in %.200s", err, line)
	}
	if err := c.schema.Validate(value); err != nil {
		t.Fatalf("%v in %.400s", err, line)
	}
	seen := map[string]bool{}
	c.notePaths(seen, "", value)
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.seen, seen)
}

// notePaths notes the paths of a value. Keys of infostrings and of sparse arrays are all alike.
func (c *recordCheck) notePaths(seen map[string]bool, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			if c.listed[path+".*"] {
				key = "*"
			}
			sub := strings.TrimPrefix(path+"."+key, ".")
			seen[sub] = true
			c.notePaths(seen, sub, member)
		}
	case []any:
		for _, element := range v {
			c.notePaths(seen, path, element)
		}
	}
}

// checkFile dissects a capture or recording with everything shown that can be, and checks the records.
//
// With a novelty the records that show nothing new are not looked at.
func (c *recordCheck) checkFile(t *testing.T, name string, state, everything bool, novelty *dissecttest.Novelty) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	opts := render.JSON{Bits: everything, Link: everything, CommunityID: everything}
	engine := reftest.NewEngine(t, reftest.Run{
		State:   state,
		Recover: true,
		Quotes:  true,
		Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
			if novelty != nil && !novelty.Add(rec) {
				return dst
			}
			return render.AppendJSON(dst, rec, opts)
		},
		Output: reftest.Lines(func(line []byte) { c.line(t, line) }),
	})
	n := 0
	for p, err := range reftest.PacketsOf(t, f, name, everything) {
		if n++; err != nil || n > reference.Most(shownPackets) {
			break // the broken recordings are there for others
		}
		if err := engine.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	reftest.Close(t, engine)
}

// shownPackets is how many packets of a file are looked at in go test.
const shownPackets = 500

// TestRecordsFitTheSchema validates the records of every sample and of every reference capture that show something new,
// of the captures all in make whole. No path in them is not listed, and in make long, which reads the captures to their
// ends, no listed path is in none of them.
func TestRecordsFitTheSchema(t *testing.T) {
	check := newRecordCheck(t)
	var names []string
	samples, err := filepath.Glob(filepath.FromSlash("../../../samples/*/*.pcap*"))
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	t.Run("samples", func(t *testing.T) {
		var novelty dissecttest.Novelty
		for _, name := range samples {
			check.checkFile(t, name, true, true, &novelty)
		}
	})
	t.Run("captures", func(t *testing.T) {
		names = append(reference.Glob(t, "captures", "quake3", "*.pcap*"),
			reference.Glob(t, "demos", "quake3", "*.dm*[0-9]")...)
		names = append(names, reference.Glob(t, "captures", "quake3", "../teeworlds/tw07-[ijs]*.pcap")...)
		names = append(names, reference.Glob(t, "captures", "mohaa", "mohaa-*-play.pcap")...)
		for _, name := range []string{
			"et-84-play.pcap", "ettv-284.*", "rtcw-60-61-play.pcap", "jka-26-[pv]*[ye].pcap",
			"jka-26-download*.pcap", "jo-*.pcap",
		} {
			names = append(names, slices.DeleteFunc(reference.Glob(t, "captures", "idtech3", ""+name), func(name string) bool {
				return strings.HasSuffix(name, ".log") || strings.HasSuffix(name, ".gz")
			})...)
		}
		for _, name := range names {
			t.Run(filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				var novelty *dissecttest.Novelty // nil: every record
				if os.Getenv("Q3DISSECT_LONG") != "whole" {
					novelty = &dissecttest.Novelty{}
				}
				// Two files show what only other options and link layers do.
				check.checkFile(t, name, false, strings.Contains(name, "vlan") || strings.HasSuffix(name, ".pcapng"), novelty)
			})
		}
	})
	for _, path := range slices.Sorted(maps.Keys(check.seen)) {
		if !check.listed[path] {
			t.Errorf("%s is in the records, but not listed", path)
		}
	}
	if len(names) == 0 || !reference.Long() {
		return // the samples and the beginnings do not show everything
	}
	used := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(check.listed)) {
		if check.seen[path] || strings.HasPrefix(path, "teeworlds.") {
			continue // of the tables of that family, most messages are in no capture at hand
		}
		i := slices.IndexFunc(unseen, func(u unseenPaths) bool { return u.pattern.MatchString(path) })
		if i < 0 {
			t.Errorf("%s is listed, but in no record", path)
			continue
		}
		used[unseen[i].reason] = true
	}
	for _, u := range unseen {
		if !used[u.reason] {
			t.Errorf("every path of %s was seen: %s", u.pattern, u.reason)
		}
	}
}

// unseenPaths are listed paths that no reference file has, and why.
type unseenPaths struct {
	pattern *regexp.Regexp
	reason  string
}

var unseen = []unseenPaths{
	{regexp.MustCompile(`^(file|file_error.*|incomplete.*)$`), "of runs over several files, and of files that break off: script tests of the command"},
	{regexp.MustCompile(`^link\.(comment|interface)$`), "no reference capture has comments or names of interfaces: tests of the capture reader"},
	{regexp.MustCompile(`_raw$`), "no reference file has this text in bytes that are no UTF-8"},
	{regexp.MustCompile(`^enet\.packets`), "no reference capture has packets of Photon that were joined: TestJoinedPackets of enet"},
	{regexp.MustCompile(`^enet\.checksum64`), "no reference capture of ENet 2 has checksums: TestCSharp of enet"},
	{regexp.MustCompile(`^quake3\.oob\.players\.team$`), "of servers of DarkPlaces' kind: the table test of oob"},
	{regexp.MustCompile(`^quake3\.netchan\.header$`), "of sessions that are not read: TestUnknownFraming of quake3"},
	{regexp.MustCompile(`^quake3\.gamespy`), "no capture has queries of GameSpy: TestGameSpy of quake3"},
	{regexp.MustCompile(`\.undecoded$`), "the reference files are intact but for a few: tests of damaged messages"},
	{regexp.MustCompile(`\.(nop|download\.error)$|^quake3\.oob\.key$`), "no capture has them; only the engines' sources vouch for them"},
	{
		regexp.MustCompile(`\.gamestate\.baselines\.`),
		"a baseline can hold every field of an entity; those of these maps differ from zero in few",
	},
	{
		regexp.MustCompile(`\.(misc(\.\*)?|weapon_anim|weapon_ammo|clips|taunt_timer|player_state\.(state\.)?other_entity_num)$`),
		"of Tremulous, of which there is no capture: TestSessions of quake3",
	},
	{regexp.MustCompile(`\.player_state\.(grapple_point.*|viewangles\.roll)$`), "nobody used the hook, and no view was tilted"},
	{
		regexp.MustCompile(`\.(a?pos_gravity|armor|health|location|jump_time|double_jumped|crouch_(slide_)?time|fov|(forward|right|up)move|weapon_primary(_name)?)$`),
		"of Quake Live, where the recordings at hand do not use them or are not read with --state here",
	},
	{
		regexp.MustCompile(`\.(vehicle_state|ettv_playerstates|current_states)\.`),
		"of states that only Jedi Academy's vehicles and TV servers have: vectors of the engines have every field",
	},
	{
		regexp.MustCompile(`\.(player_state|entities)\.(state\.)?(fd\.)?(viewlocked|veh_|user_|true_|server_cursor|saber_|rag_|on_fire|next_weapon|move_dir|i_model|hyper_space|` +
			`holdable|held_by|hacking|gunfx|grenade|force_|e_flags2|bone_|effect|npc_|cs_sounds|surfaces|bolt|tricked|shared|custom_rgba|dl_intensity|` +
			`density|dmg_flags|ai_|anim_movetype|team|owner|emplaced|generic|look_target|has_|m_i|is_|loop_is|maxhealth|sound_set|broken|g2radius|fireflag|` +
			`active_force|should|model_ghoul2|jetpack|cloak|electrify|falling|holocron|rocket|zoom|duel|using|atst|dual|last_hit|damage_type|cur_weap|` +
			`class_weapon|identify|aim_spread|sprint|run_speed|crouch|stand|dead_view|weapons|weap|leanf|friction|mins|maxs|in_air|torso_flip|legs_flip|basespeed|speed|time2?)`),
		"fields of the games made from Quake III that these captures leave as they are: vectors of the engines have every " +
			"field",
	},
	{regexp.MustCompile(`^quake3\.server_message\.(binary|ops\.(download\.(url|flags.*|block_name)|gamestate\.random_map\..*|gamestate\.current_states.*))$`), "no capture at hand has them"},
	{regexp.MustCompile(`^directplay8\..*\.unreferenced$`), "bytes that nothing points to, which the encoder does not make: tests of the core messages"},
	{regexp.MustCompile(`^enet\.compressed_data$`), "all programs at hand compress with the library's own coder: tests of packets that it did not make"},
	{regexp.MustCompile(`^gamestudio\.messages\.cls_remove\.file_hint$`), "no client of the samples removes what was created with a file: changed packets do, in the conformance test"},
	{regexp.MustCompile(`\.persistant_by_name\.`), "of games whose captures leave it as it is: TestPersistantByName of world"},
	{regexp.MustCompile(`\.state\.external_event_parm_name$`), "no sample has a pick-up as an external event"},
}

// TestSchemaIsJSON keeps the schema a schema.
func TestSchemaIsJSON(t *testing.T) {
	if !json.Valid(schema.Records(all.Protocols(), false)) {
		t.Error("the schema is no JSON")
	}
	if err := schema.Check(all.Protocols()); err != nil {
		t.Error(err)
	}
}
