package dissect

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Fields of a message as games have them: a choice of operations, lists of objects, of numbers and of lists,
// sparse numbers and sparse objects, and a key at two places.
var (
	valRoot = &Field{Key: "game", Kind: Object, Children: []*Field{
		valTime, valOps, valWords, valPairs,
		valStats, valPlaces, valName, valFlags, valInfo, valHeld,
	}}
	valTime    = &Field{Key: "time", Kind: Int}
	valOps     = &Field{Key: "ops", Kind: Choices, Children: []*Field{valMove, valSnap}}
	valMove    = &Field{Key: "move", Kind: Object, Children: []*Field{valTime, valItems}}
	valSnap    = &Field{Key: "snapshot", Kind: Object, Children: []*Field{valTime, valWeapon, valOther}}
	valItems   = &Field{Key: "items", Kind: List, Children: []*Field{{Kind: Object, Children: []*Field{valTime}}}}
	valWords   = &Field{Key: "words", Kind: List, Children: []*Field{valWord}}
	valWord    = &Field{Kind: Text}
	valPairs   = &Field{Key: "pairs", Kind: List, Children: []*Field{valPair}}
	valPair    = &Field{Kind: List, Children: []*Field{valNumber}}
	valNumber  = &Field{Kind: Uint}
	valStats   = &Field{Key: "stats", Kind: Sparse, Children: []*Field{valNumber}}
	valPlaces  = &Field{Key: "places", Kind: Sparse, Children: []*Field{{Kind: Object, Children: []*Field{valTime}}}}
	valName    = &Field{Key: "name", Kind: Text}
	valWeapon  = &Field{Key: "weapon", Kind: Uint, Enum: &Enum{Tables: [][]string{nil, {"", "gauntlet", "railgun"}}}}
	valOther   = &Field{Key: "weapon", Kind: Uint, Enum: &Enum{Tables: [][]string{nil, {"", "knife"}}}}
	valFlags   = &Field{Key: "flags", Kind: Uint, Enum: &Enum{Mask: true, Tables: [][]string{nil, {"a", "b"}}}}
	valFactor  = &Field{Key: "factor", Kind: Float}
	valEnabled = &Field{Key: "enabled", Kind: Bool}
	valData    = &Field{Key: "data", Kind: Hex}
	valInfo    = &Field{Key: "info", Kind: Info}
	valLabel   = &Field{Key: "label", Kind: Label}
	valHeld    = &Field{Key: "held_name", Kind: Text} // ends like a key beside another
)

// valueTree is
//
//	game: time 1
//	  ops: move{time 2, items[{time 3}, {time 4}]}, snapshot{time 5, weapon 2}, snapshot{time 6, weapon 1}
//	  words: "a", "b"   pairs: [[7, 8], [9]]   stats: {3: 30, 11: 110}   places: {2: {time 12}}
//	name: "n"
func valueTree() *Tree {
	t := new(Tree)
	t.Family = 1
	t.Open(valRoot, 0)
	t.AddInt(valTime, 1, 0, 8)
	t.Open(valOps, 8)
	t.Open(valMove, 8)
	t.AddInt(valTime, 2, 8, 8)
	t.Open(valItems, 16)
	for v := int64(3); v <= 4; v++ {
		t.Open(valItems.Children[0], 16)
		t.AddInt(valTime, v, 16, 8)
		t.Close(24)
	}
	t.Close(24)
	t.Close(24)
	for v, weapon := range []*Field{valWeapon, valOther} {
		t.Open(valSnap, 24)
		t.AddInt(valTime, 5+int64(v), 24, 8)
		t.Add(weapon, uint64(2-v), 32, 8)
		t.Close(40)
	}
	t.Close(40)
	t.Open(valWords, 40)
	t.AddBytes(valWord, []byte("a"), 40, 8)
	t.AddBytes(valWord, []byte("b"), 48, 8)
	t.Close(56)
	t.Open(valPairs, 56)
	for _, pair := range [][]uint64{{7, 8}, {9}} {
		t.Open(valPair, 56)
		for _, v := range pair {
			t.Add(valNumber, v, 56, 8)
		}
		t.Close(64)
	}
	t.Close(64)
	t.Open(valStats, 64)
	t.AddAt(valNumber, 3, 30, 64, 8)
	t.AddAt(valNumber, 11, 110, 72, 8)
	t.Close(80)
	t.Open(valPlaces, 80)
	t.Open(valPlaces.Children[0], 80)
	t.Nodes[len(t.Nodes)-1].Index = 2
	t.AddInt(valTime, 12, 80, 8)
	t.Close(88)
	t.Close(88)
	t.Close(88)
	t.AddBytes(valName, []byte("n"), 88, 8)
	return t
}

func texts(values iter.Seq[Value]) string {
	var list []string
	for v := range values {
		s := v.String()
		if v.Field().Kind.Container() {
			s = v.Key() + "(" + strconv.Itoa(v.Len()) + ")"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

func TestPaths(t *testing.T) {
	t.Parallel()
	tree := valueTree()
	roots := []*Field{valRoot, valName}
	for _, tt := range []struct {
		path  string
		first string // a container by key and number of children
		all   string
	}{
		{"game", "game(6)", "game(6)"},
		{"game.time", "1", "1"},
		{"game.ops", "ops(3)", "move(2) snapshot(2) snapshot(2)"},
		{"game.ops.snapshot", "snapshot(2)", "snapshot(2) snapshot(2)"},
		{"game.ops.snapshot.time", "5", "5 6"},
		{"game.ops.snapshot.weapon", "2", "2 1"},
		{"game.ops.move.items", "items(2)", "(1) (1)"},
		{"game.ops.move.items.time", "3", "3 4"},
		{"game.words", "words(2)", "a b"},
		{"game.pairs", "pairs(2)", "7 8 9"},
		{"game.stats", "stats(2)", "stats(2)"},
		{"game.stats.11", "110", "110"},
		{"game.stats.*", "30", "30 110"},
		{"game.stats.12", "", ""},
		{"game.places.*.time", "12", "12"},
		{"game.places.2.time", "12", "12"},
		{"game.name", "", ""}, // it can be there, and is at the top
		{"name", "n", "n"},
	} {
		p, err := CompilePath(tt.path, roots...)
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
		}
		if p.String() != tt.path {
			t.Errorf("%s: written as %s", tt.path, p)
		}
		for i, first := range []Value{tree.Top().Lookup(tt.path), p.First(tree.Top())} {
			if got := texts(func(yield func(Value) bool) { _ = first.Exists() && yield(first) }); got != tt.first {
				t.Errorf("%s, compiled %t: first is %q, want %q", tt.path, i == 1, got, tt.first)
			}
		}
		for i, all := range []iter.Seq[Value]{tree.Top().All(tt.path), p.All(tree.Top())} {
			if got := texts(all); got != tt.all {
				t.Errorf("%s, compiled %t: all are %q, want %q", tt.path, i == 1, got, tt.all)
			}
			for range all { // a loop that ends early
				break
			}
		}
	}
	move := tree.Top().Lookup("game.ops.move")
	if got := texts(move.All("items.time")); got != "3 4" {
		t.Errorf("from a move: %q", got)
	}
	items := move.Get("items")
	if got := texts(items.All("time")); got != "3 4" {
		t.Errorf("from a list: %q", got)
	}
	weapon, err := CompilePath("weapon", valSnap.Children...)
	if err != nil || len(weapon.Fields()) != 2 {
		t.Errorf("the fields of a weapon: %d, %v", len(weapon.Fields()), err)
	}
}

// Paths that no record can have lead nowhere, and compiling one reports which part is wrong.
func TestPathMistakes(t *testing.T) {
	t.Parallel()
	tree := valueTree()
	for path, want := range map[string]string{
		"":                                "an empty path",
		"gane.time":                       `the top level has no field "gane"`,
		"game.ops.snap.time":              `ops has no field "snap"`,
		"game.ops.0.time":                 `ops has no field "0"`,
		"game.time.weapon":                `time has no field "weapon"`,
		"game.stats.health":               `stats has elements with numbers and no "health"`,
		"game.stats.-1":                   `stats has elements with numbers and no "-1"`,
		"game.stats.99999999999999":       `stats has elements with numbers`,
		"game.words.a":                    `words has no field "a"`,
		"game..time":                      `game has no field ""`,
		"game.time.":                      `time has no field ""`,
		"game.time_name":                  `game has no field "time_name"`,
		"game.flags_name":                 `game has no field "flags_name"`,
		"game.ops.snapshot.weapon_names":  `snapshot has no field "weapon_names"`,
		"game.ops.snapshot.weapon_name.x": `snapshot has no field "weapon_name"`,
		"game._name":                      `game has no field "_name"`,
		"time":                            `the top level has no field "time"`,
	} {
		if v := tree.Top().Lookup(path); v.Exists() {
			t.Errorf("%q leads to %s", path, v.Key())
		}
		p, err := CompilePath(path, valRoot, valName)
		if err == nil || !strings.Contains(err.Error(), want) || p.First(tree.Top()).Exists() {
			t.Errorf("%q: %v, want %s", path, err, want)
		}
	}
}

// Keys that records write beside a field's own, and keys of infostrings, are found like fields.
func TestKeysBesideFields(t *testing.T) {
	t.Parallel()
	tree := new(Tree)
	tree.Family = 1
	tree.Open(valRoot, 0)
	tree.Open(valOps, 0)
	for _, v := range []uint64{2, 7, 1} { // 7 has no name
		tree.Open(valSnap, 0)
		tree.Add(valWeapon, v, 0, 8)
		tree.Close(8)
	}
	tree.Close(8)
	tree.AddBytes(valName, []byte("caf\xe9"), 0, 32)
	tree.Add(valFlags, 5, 0, 8)
	tree.AddBytes(valInfo, []byte(`\sv_hostname\arena\x.y\1\\blank\sv_hostname\other\last`), 0, 64)
	tree.AddBytes(valHeld, []byte("axe"), 0, 24)
	tree.Close(8)
	tree.AddBytes(valName, []byte("plain"), 0, 40)
	for _, tt := range []struct{ path, keys, all string }{
		{"game.ops.snapshot.weapon_name", "weapon_name weapon_name", "railgun gauntlet"},
		{"game.ops.snapshot.weapon", "weapon weapon weapon", "2 7 1"},
		{"game.flags_names", "flags_names", "a,0x4"},
		{"game.name_raw", "name_raw", "636166e9"},
		{"name_raw", "", ""},
		{"game.held_name", "held_name", "axe"},
		{"game.info.sv_hostname", "sv_hostname", "arena"},
		{"game.info.x.y", "x.y", "1"},
		{"game.info.", "", "blank"},
		{"game.info.last", "last", ""},
		{"game.info.Last", "", ""},
		{"game.info.*", "sv_hostname x.y  sv_hostname last", "arena 1 blank other "},
		{"game.info_raw", "", ""},
	} {
		p, err := CompilePath(tt.path, valRoot, valName)
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		for i, all := range []iter.Seq[Value]{tree.Top().All(tt.path), p.All(tree.Top())} {
			var keys, values []string
			for v := range all {
				keys, values = append(keys, v.Key()), append(values, v.String())
				if p.Derived() && (v.Int() != 0 || v.Name() != "" || v.Bool() || v.Len() != 0 || v.Get("x").Exists()) {
					t.Errorf("%s: %s is more than a text", tt.path, v)
				}
			}
			if strings.Join(keys, " ") != tt.keys || strings.Join(values, " ") != tt.all {
				t.Errorf("%s, compiled %t: %q with keys %q, want %q, %q", tt.path, i == 1, values, keys, tt.all, tt.keys)
			}
			for range all { // a loop that ends early
				break
			}
		}
	}
	game := tree.Top().Get("game")
	if got := game.Get("flags_names").String(); got != "a,0x4" {
		t.Errorf("Get of the names of bits: %q", got)
	}
	if got := game.Get("info").Get("sv_hostname"); string(got.Bytes()) != "arena" || got.Node().Field != valInfo {
		t.Errorf("Get of a key of an infostring: %q", got)
	}
	if game.Get("time_name").Exists() || game.Get("_name").Exists() {
		t.Error("Get finds what is not there")
	}
}

// Find reports what can never be found, and finds nothing without an error where a field is absent.
func TestFind(t *testing.T) {
	t.Parallel()
	game := valueTree().Top().Get("game")
	if v, err := game.Find("ops.move.items.time"); err != nil || v.Int() != 3 {
		t.Errorf("found %v, %v", v, err)
	}
	if v, err := game.Find("name"); err != nil || v.Exists() {
		t.Errorf("an absent field: %v, %v", v, err)
	}
	if _, err := game.Find("ops.moved.time"); err == nil || !strings.Contains(err.Error(), `ops has no field "moved"`) {
		t.Errorf("an unknown field: %v", err)
	}
	if _, err := (Value{}).Find("time"); err == nil {
		t.Error("a path below nothing")
	}
	rec := NewRecord()
	rec.Protocol = &Protocol{Name: "game", Root: func() *Field { return valRoot }}
	*rec.Tree = *valueTree()
	if v, err := rec.Find("game.time"); err != nil || v.Int() != 1 {
		t.Errorf("of a record: %v, %v", v, err)
	}
	for _, path := range []string{"info", "frame", "gane.time"} {
		if _, err := rec.Find(path); err == nil || !strings.Contains(err.Error(), "field") {
			t.Errorf("%s of a record: %v", path, err)
		}
	}
	if _, err := NewRecord().Find("game.time"); err == nil {
		t.Error("a path in a record of no protocol")
	}
}

func TestNothingIsAValue(t *testing.T) {
	t.Parallel()
	tree := valueTree()
	for name, v := range map[string]Value{
		"zero":                 {},
		"not found":            tree.Top().Get("missing"),
		"in what is not found": tree.Top().Get("missing").Get("name"),
		"below it":             tree.Top().Get("missing").Lookup("name"),
		"in a number":          tree.Top().Lookup("game.time").Get("name"),
		"node -1":              tree.At(-1),
		"no protocol":          NewRecord().Root(),
	} {
		if v.Exists() || v.Node() != nil || v.Field() != nil || v.Key() != "" || v.Index() != 0 || v.Len() != 0 ||
			v.Int() != 0 || v.Uint() != 0 || v.Float() != 0 || v.Bool() || v.Bytes() != nil ||
			v.Name() != "" || v.String() != "" ||
			len(slices.Collect(v.Children())) != 0 || len(slices.Collect(v.All("name"))) != 0 {
			t.Errorf("%s: %+v is something", name, v)
		}
	}
}

func TestGetters(t *testing.T) {
	t.Parallel()
	type getters struct {
		Int    int64
		Uint   uint64
		Float  float64
		Bool   bool
		Bytes  string
		Name   string
		String string
	}
	for _, tt := range []struct {
		name string
		add  func(*Tree)
		want getters
	}{
		{"int", func(t *Tree) { t.AddInt(treeInt, -2, 0, 8) }, getters{-2, math.MaxUint64 - 1, -2, true, "", "", "-2"}},
		{"uint", func(t *Tree) { t.Add(valWeapon, 2, 0, 8) }, getters{2, 2, 2, true, "", "railgun", "2"}},
		{"large", func(t *Tree) { t.Add(treeUint, math.MaxUint64, 0, 64) }, getters{-1, math.MaxUint64, math.MaxUint64, true, "", "", "18446744073709551615"}},
		{"unknown name", func(t *Tree) { t.Add(valWeapon, 3, 0, 8) }, getters{3, 3, 3, true, "", "", "3"}},
		{"bits", func(t *Tree) { t.Add(valFlags, 1, 0, 8) }, getters{1, 1, 1, true, "", "", "1"}},
		{"zero", func(t *Tree) { t.Add(treeUint, 0, 0, 8) }, getters{String: "0"}},
		{"float", func(t *Tree) { t.AddFloat(valFactor, 0.1, 0, 32) }, getters{0, 0, float64(float32(0.1)), true, "", "", "0.1"}},
		{"large float", func(t *Tree) { t.AddFloat(valFactor, -1e30, 0, 32) }, getters{0, 0, float64(float32(-1e30)), true, "", "", "-1e+30"}},
		{"whole float", func(t *Tree) { t.AddFloat(valFactor, -7.9, 0, 32) }, getters{-7, 0, float64(float32(-7.9)), true, "", "", "-7.9"}},
		{"true", func(t *Tree) { t.AddBool(valEnabled, true, 0, 1) }, getters{1, 1, 1, true, "", "", "true"}},
		{"false", func(t *Tree) { t.AddBool(valEnabled, false, 0, 1) }, getters{String: "false"}},
		{"text", func(t *Tree) { t.AddBytes(valName, []byte("\x80é"), 0, 8) }, getters{Bytes: "\x80é", String: "\x80é"}},
		{"label", func(t *Tree) { t.AddLabel(valLabel, "x", 0, 8) }, getters{Bytes: "x", String: "x"}},
		{"info", func(t *Tree) { t.AddBytes(valInfo, []byte(`\n\x`), 0, 8) }, getters{Bytes: `\n\x`, String: `\n\x`}},
		{"hex", func(t *Tree) { t.AddBytes(valData, []byte{0xca, 1}, 0, 16) }, getters{Bytes: "\xca\x01", String: "ca01"}},
		{"container", func(t *Tree) { t.Open(valRoot, 0); t.Close(0) }, getters{}},
	} {
		tree := new(Tree)
		tree.Family = 1
		tree.AddLabel(valLabel, "before", 0, 0)
		tt.add(tree)
		v := tree.At(1)
		got := getters{v.Int(), v.Uint(), v.Float(), v.Bool(), string(v.Bytes()), v.Name(), v.String()}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	stats := valueTree().Top().Lookup("game.stats")
	for v := range stats.Children() {
		if v.Index()*10 != int(v.Uint()) || v.Key() != "" {
			t.Errorf("element %d with key %q is %d", v.Index(), v.Key(), v.Uint())
		}
	}
}

// Looking something up allocates nothing.
func TestLookupAllocations(t *testing.T) { // not parallel: it counts allocations
	tree := valueTree()
	p, err := CompilePath("game.ops.snapshot.time", valRoot)
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for name, look := range map[string]func(){
		"Lookup": func() { sum += tree.Top().Lookup("game.ops.snapshot.time").Int() },
		"Path":   func() { sum += p.First(tree.Top()).Int() },
		"Get":    func() { sum += tree.Top().Get("game").Get("time").Int() },
		"Children": func() {
			for i := range tree.Children(0) {
				sum += int64(i)
			}
		},
		"Values": func() {
			for v := range tree.At(0).Children() {
				sum += v.Int()
			}
		},
		"All": func() {
			for v := range p.All(tree.Top()) {
				sum += v.Int()
			}
		},
	} {
		if n := testing.AllocsPerRun(100, look); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

func TestBitName(t *testing.T) {
	t.Parallel()
	e := Enum{Mask: true, Tables: [][]string{{"ducked", "", "held"}, nil}}
	for _, tt := range []struct {
		family uint8
		bit    int
		want   string
	}{
		{0, 0, "ducked"},
		{0, 1, "0x2"},
		{0, 2, "held"},
		{0, 3, "0x8"},
		{0, 10, "0x400"},
		{0, 63, "0x8000000000000000"},
		{1, 0, "0x1"},
		{2, 4, "0x10"},
	} {
		if got := e.BitName(tt.family, tt.bit); got != tt.want {
			t.Errorf("family %d, bit %d: %s, want %s", tt.family, tt.bit, got, tt.want)
		}
	}
}
