package netfields

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// fieldTables lists every delta table with the structure and the protocols it belongs to.
var fieldTables = []struct {
	structure string
	protocols []string
	table     []NetField
	rows      int // fieldCount of the engines
}{
	{"entityState", []string{"43"}, EntityFields43, 50},
	{"entityState", []string{"48"}, EntityFields48, 51},
	{"entityState", []string{"66", "67", "68", "71"}, EntityFields68, 51},
	{"entityState", []string{"73"}, EntityFields73, 53},
	{"entityState", []string{"90"}, EntityFields90, 55},
	{"entityState", []string{"91"}, EntityFields91, 58},
	{"playerState", []string{"43"}, PlayerFields43, 45},
	{"playerState", []string{"48"}, PlayerFields48, 48},
	{"playerState", []string{"66", "67", "68", "71", "73"}, PlayerFields68, 48},
	{"playerState", []string{"90"}, PlayerFields90, 50},
	{"playerState", []string{"91"}, PlayerFields91, 58},
}

// gameTables are those of Wolfenstein and Jedi Knight, with the file of the reference that has them.
var gameTables = []struct {
	file, structure string
	protocols       []string
	table           []NetField
}{
	{"fields-wolf.json", "entityState", []string{"57", "58", "59", "60", "61"}, EntityFieldsRTCW},
	{"fields-wolf.json", "playerState", []string{"57", "58", "59", "60", "61"}, PlayerFieldsRTCW},
	{"fields-wolf.json", "entityState", []string{"82", "83", "84", "284"}, EntityFieldsET},
	{"fields-wolf.json", "playerState", []string{"82", "83", "84", "284"}, PlayerFieldsET},
	{"fields-wolf.json", "sharedEntity", []string{"284"}, SharedFieldsETTV},
	{"fields-jk.json", "entityState", []string{"15"}, EntityFieldsJO15},
	{"fields-jk.json", "playerState", []string{"15"}, PlayerFieldsJO15},
	{"fields-jk.json", "entityState", []string{"16"}, EntityFieldsJO16},
	{"fields-jk.json", "playerState", []string{"16"}, PlayerFieldsJO16},
	{"fields-jk.json", "entityState", []string{"25", "26"}, EntityFieldsJA},
	{"fields-jk.json", "playerState", []string{"25", "26"}, PlayerFieldsJA},
	{"fields-jk.json", "pilotPlayerState", []string{"25", "26"}, PilotFieldsJA},
	{"fields-jk.json", "vehiclePlayerState", []string{"25", "26"}, VehicleFieldsJA},
}

// fieldDepartures are the rows in which the tables differ from uberdemotools' and therefore from the
// reference: it reads them unsigned, the engine's are signed. Its width and why it is known to be signed.
var fieldDepartures = map[string]struct {
	width int8
	why   string
}{
	"playerState 43 pm_time":     {16, "signed from 48 on; the engine's int counts down to zero and below"},
	"playerState 43 weaponTime":  {16, "signed from 48 on; recordings have 65529 to 65535 before a shot, -7 to -1"},
	"playerState 43 viewheight":  {8, "signed from 48 on; 240 of the dead is DEAD_VIEWHEIGHT, -16"},
	"playerState 91 forwardmove": {8, "signed byte of usercmd_t; recordings have 127 and 129, which is -127"},
	"playerState 91 rightmove":   {8, "signed byte of usercmd_t"},
	"playerState 91 upmove":      {8, "signed byte of usercmd_t"},
	"entityState 91 health":      {16, "health is below zero after death; recordings have 65452 to 65525"},
}

func TestFieldTables(t *testing.T) {
	t.Parallel()
	for _, ft := range fieldTables {
		name := ft.structure + " " + ft.protocols[0]
		if len(ft.table) != ft.rows {
			t.Errorf("%s: %d rows, want %d", name, len(ft.table), ft.rows)
		}
		if len(ft.table) > 64 {
			t.Errorf("%s: %d rows, more than a mask of changed fields holds", name, len(ft.table))
		}
		seen := map[string]bool{}
		for _, row := range ft.table {
			if seen[row.Name] {
				t.Errorf("%s: %s stands twice", name, row.Name)
			}
			seen[row.Name] = true
			if row.Bits < -16 || row.Bits > 32 {
				t.Errorf("%s: %s has %d bits", name, row.Name, row.Bits)
			}
		}
	}
}

// TestFieldRows has rows as they are in entityStateFields and playerStateFields of id's code/qcommon/msg.c
// and what the later tables put between and after them.
func TestFieldRows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		table []NetField
		at    int
		want  NetField
	}{
		{"entity 68", EntityFields68, 0, NetField{"pos.trTime", 32}},
		{"entity 68", EntityFields68, 9, NetField{"event", 10}},
		{"entity 68", EntityFields68, 17, NetField{"eFlags", 19}},
		{"entity 68", EntityFields68, 50, NetField{"frame", 16}},
		{"player 68", PlayerFields68, 0, NetField{"commandTime", 32}},
		{"player 68", PlayerFields68, 8, NetField{"weaponTime", -16}},
		{"player 68", PlayerFields68, 28, NetField{"viewheight", -8}},
		{"player 68", PlayerFields68, 47, NetField{"loopSound", 16}},
		{"entity 43", EntityFields43, 1, NetField{"eFlags", 16}},
		{"entity 48", EntityFields48, 1, NetField{"eFlags", 19}},
		{"entity 48", EntityFields48, 50, NetField{"generic1", 8}},
		{"entity 73", EntityFields73, 9, NetField{"pos_gravity", 32}},
		{"entity 91", EntityFields91, 54, NetField{"doubleJumped", 1}},
		{"entity 91", EntityFields91, 57, NetField{"location", 8}},
		{"player 90", PlayerFields90, 19, NetField{"pm_flags", 24}},
		{"player 91", PlayerFields91, 42, NetField{"weaponPrimary", 8}},
		{"player 91", PlayerFields91, 57, NetField{"upmove", -8}},
	} {
		if got := test.table[test.at]; got != test.want {
			t.Errorf("%s row %d: %v, want %v", test.name, test.at, got, test.want)
		}
	}
}

// TestFieldOrder checks what makes a table a successor: the common rows keep their order, and but for the
// widths that are known to have grown also their width.
func TestFieldOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		old, new []NetField
		added    []string
		wider    []string
	}{
		{"entity 43 to 48", EntityFields43, EntityFields48, []string{"generic1"}, []string{"eFlags"}},
		{"entity 68 to 73", EntityFields68, EntityFields73, []string{"pos_gravity", "apos_gravity"}, nil},
		{"entity 73 to 90", EntityFields73, EntityFields90, []string{"jumpTime", "doubleJumped"}, nil},
		{"entity 90 to 91", EntityFields90, EntityFields91, []string{"health", "armor", "location"}, nil},
		{"player 43 to 48", PlayerFields43, PlayerFields48, []string{"jumppad_ent", "loopSound", "generic1"}, []string{"externalEvent"}},
		{"player 68 to 90", PlayerFields68, PlayerFields90, []string{"jumpTime", "doubleJumped"}, []string{"pm_flags"}},
		{"player 90 to 91", PlayerFields90, PlayerFields91, []string{
			"weaponPrimary", "crouchTime", "crouchSlideTime", "location", "fov", "forwardmove", "rightmove", "upmove",
		}, nil},
	} {
		var added, wider []string
		rest := test.old
		for _, row := range test.new {
			if len(rest) > 0 && rest[0].Name == row.Name {
				if rest[0].Bits != row.Bits {
					wider = append(wider, row.Name)
				}
				rest = rest[1:]
			} else {
				added = append(added, row.Name)
			}
		}
		if len(rest) > 0 {
			t.Errorf("%s: %s is not in its place", test.name, rest[0].Name)
		}
		if diff := cmp.Diff(test.added, added); diff != "" {
			t.Errorf("%s: added rows (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.wider, wider); diff != "" {
			t.Errorf("%s: wider rows (-want +got):\n%s", test.name, diff)
		}
	}
	// 66 reordered 48's rows without adding or removing one.
	byName := func(a, b NetField) int { return strings.Compare(a.Name, b.Name) }
	for _, pair := range [][2][]NetField{{EntityFields48, EntityFields68}, {PlayerFields48, PlayerFields68}} {
		a, b := slices.SortedFunc(slices.Values(pair[0]), byName), slices.SortedFunc(slices.Values(pair[1]), byName)
		if !slices.Equal(a, b) {
			t.Errorf("48 and 68 have other rows (-48 +68):\n%s", cmp.Diff(a, b, cmp.AllowUnexported(NetField{})))
		}
	}
}

func TestPresetMasks43(t *testing.T) {
	t.Parallel()
	seen := map[[7]byte]int{}
	for i, mask := range PresetMasks43 {
		if j, ok := seen[mask]; ok {
			t.Errorf("masks %d and %d are the same", j, i)
		}
		seen[mask] = i
		if mask[6]>>3 != 0 { // 51 fields: six bytes and three bits
			t.Errorf("mask %d reaches beyond the fields of protocol 48: %x", i, mask)
		}
	}
	// The first is that of a player who walks and turns.
	var names []string
	for i, row := range EntityFields48 {
		if PresetMasks43[0][i>>3]>>(i&7)&1 != 0 {
			names = append(names, row.Name)
		}
	}
	if diff := cmp.Diff([]string{"pos.trBase[0]", "pos.trBase[1]", "apos.trBase[1]"}, names); diff != "" {
		t.Errorf("mask 0 (-want +got):\n%s", diff)
	}
}

// TestFieldTablesReference compares every table with the reference, which was made from the sources of the
// engines and of uberdemotools by other hands and tried on recordings of each protocol.
func TestFieldTablesReference(t *testing.T) {
	t.Parallel()
	var want struct {
		Masks     [][7]byte `json:"presetEntityMasks_43_48"`
		Protocols map[string]struct {
			SameAs                   string
			EntityState, PlayerState struct {
				SameAs string
				Fields []struct {
					Name string
					Bits int8
				}
			}
		}
	}
	readTruth(t, "fields.json", &want)
	tested := 0
	for _, ft := range fieldTables {
		for _, protocol := range ft.protocols {
			p := want.Protocols[protocol]
			if p.SameAs != "" {
				p = want.Protocols[p.SameAs]
			}
			state := p.EntityState
			if ft.structure == "playerState" {
				state = p.PlayerState
				if state.SameAs != "" {
					state = want.Protocols[state.SameAs].PlayerState
				}
			}
			rows := make([]NetField, len(state.Fields))
			for i, f := range state.Fields {
				rows[i] = NetField{f.Name, f.Bits}
				if d, ok := fieldDepartures[ft.structure+" "+protocol+" "+f.Name]; ok {
					if f.Bits != d.width {
						t.Errorf("%s %s %s: the reference has %d, not %d (%s)", ft.structure, protocol, f.Name, f.Bits, d.width, d.why)
					}
					rows[i].Bits = -d.width
					tested++
				}
			}
			if diff := cmp.Diff(rows, ft.table, cmp.AllowUnexported(NetField{})); diff != "" {
				t.Errorf("%s %s (-reference +ours):\n%s", ft.structure, protocol, diff)
			}
		}
	}
	if tested != len(fieldDepartures) {
		t.Errorf("%d departures met, %d listed", tested, len(fieldDepartures))
	}
	if diff := cmp.Diff(want.Masks, PresetMasks43[:]); diff != "" {
		t.Errorf("preset masks (-reference +ours):\n%s", diff)
	}
}

// TestGameTablesReference compares the tables of the other games row by row: most are derived from another game's.
func TestGameTablesReference(t *testing.T) {
	t.Parallel()
	type structure struct{ Fields []NetField }
	type protocol = map[string]json.RawMessage
	for _, file := range []string{"fields-wolf.json", "fields-jk.json"} {
		var want struct{ Protocols map[string]protocol }
		readTruth(t, file, &want)
		for _, gt := range gameTables {
			if gt.file != file {
				continue
			}
			for _, number := range gt.protocols {
				p := want.Protocols[number]
				if same := p["sameAs"]; same != nil && p[gt.structure] == nil {
					var other string
					unmarshal(t, same, &other)
					p = want.Protocols[other]
				}
				var s structure
				unmarshal(t, p[gt.structure], &s)
				if gt.structure == "sharedEntity" { // our names keep them apart from the entity's own
					for i := range s.Fields {
						s.Fields[i].Name = "shared." + s.Fields[i].Name
					}
				}
				if diff := cmp.Diff(s.Fields, gt.table); diff != "" {
					t.Errorf("%s %s (-reference +ours):\n%s", gt.structure, number, diff)
				}
			}
		}
	}
}

func unmarshal(t *testing.T, b []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatal(err)
	}
}

func TestDerivedTable(t *testing.T) {
	t.Parallel()
	table := []NetField{{"a", 1}, {"b", 2}, {"c", 3}}
	got := Derived(table, Changes{"a": {{"a", 4}}, "b": {}, "c": {{"c", 3}, {"d", 5}}, atEnd: {{"e", 6}}})
	if diff := cmp.Diff([]NetField{{"a", 4}, {"c", 3}, {"d", 5}, {"e", 6}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	defer func() {
		if recover() == nil {
			t.Error("a row that the other table lacks is changed without a word")
		}
	}()
	Derived(table, Changes{"x": {}})
}

// readTruth reads a file of tables as they were taken from the games' sources by other people.
func readTruth(t *testing.T, name string, v any) {
	t.Helper()
	reference.Decode(t, filepath.Join(reference.Repository(t), "samples", "quake3", "truth", name+".gz"), v)
}
