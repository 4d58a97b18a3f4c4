package dissect

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A twig is a part of a tree as pointers, to compare the flat one with.
type twig struct {
	Key       string
	Value     uint64
	Bytes     string
	Bit, Bits int
	Index     int
	Kids      []*twig
}

var (
	treeRoot  = &Field{Key: "root", Kind: Object}
	treeList  = &Field{Key: "list", Kind: List}
	treeBox   = &Field{Kind: Object} // the element of a list has no key
	treeUint  = &Field{Key: "uint", Kind: Uint}
	treeInt   = &Field{Key: "int", Kind: Int}
	treeBool  = &Field{Key: "bool", Kind: Bool}
	treeFloat = &Field{Key: "float", Kind: Float}
	treeText  = &Field{Key: "text", Kind: Text}
	treeLabel = &Field{Key: "label", Kind: Label}
	treeCell  = &Field{Key: "cell", Kind: Uint}
)

// drawTwigs draws the content of one container, adds it to the tree, and returns the position after it.
func drawTwigs(t *rapid.T, tree *Tree, bit, depth int) (twigs []*twig, end int) {
	for range rapid.IntRange(0, 5).Draw(t, "children") {
		w := &twig{Bit: bit, Bits: rapid.IntRange(0, 64).Draw(t, "bits")}
		number := rapid.Uint64().Draw(t, "number")
		switch kind := rapid.IntRange(0, 8).Draw(t, "kind"); {
		case kind <= 2 && depth < 4:
			f := []*Field{treeRoot, treeList, treeBox}[kind]
			tree.Open(f, bit)
			w.Key = f.Key
			w.Kids, end = drawTwigs(t, tree, bit, depth+1)
			w.Bits = end - bit
			tree.Close(end)
		case kind == 3:
			w.Key, w.Value = "int", number
			tree.AddInt(treeInt, int64(number), bit, w.Bits)
		case kind == 4:
			w.Key, w.Value = "bool", number&1
			tree.AddBool(treeBool, number&1 != 0, bit, w.Bits)
		case kind == 5:
			w.Key, w.Value = "float", number&math.MaxUint32
			tree.AddFloat(treeFloat, math.Float32frombits(uint32(number)), bit, w.Bits)
		case kind == 6:
			w.Key, w.Bytes = "text", rapid.String().Draw(t, "bytes")
			tree.AddBytes(treeText, []byte(w.Bytes), bit, w.Bits)
		case kind == 7:
			w.Key, w.Bytes = "label", rapid.String().Draw(t, "bytes")
			tree.AddLabel(treeLabel, w.Bytes, bit, w.Bits)
		case kind == 8:
			w.Key, w.Value, w.Index = "cell", number, rapid.IntRange(0, 1000).Draw(t, "index")
			tree.AddAt(treeCell, w.Index, number, bit, w.Bits)
		default:
			w.Key, w.Value = "uint", number
			tree.Add(treeUint, number, bit, w.Bits)
		}
		bit += w.Bits
		twigs = append(twigs, w)
	}
	return twigs, bit
}

// twigsOf reads the nodes from..to as every view does.
func twigsOf(tree *Tree, from, to int) (twigs []*twig) {
	for i := from; i < to; i = int(tree.Nodes[i].End) {
		n := &tree.Nodes[i]
		w := &twig{Key: n.Field.Key, Bit: int(n.Bit), Bits: int(n.Bits), Index: int(n.Index)}
		switch {
		case n.Field.Kind.Container():
			w.Kids = twigsOf(tree, i+1, int(n.End))
		case n.Field.Kind == Text || n.Field.Kind == Label:
			w.Bytes = string(tree.Bytes(n))
		default:
			w.Value = n.Uint()
		}
		twigs = append(twigs, w)
	}
	return twigs
}

// A flat tree holds what a tree of pointers holds, again after Reset and Rollback, and a nil one nothing.
func TestTreeIsATree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var tree Tree
		drawTwigs(t, &tree, 0, 0)
		tree.Family = 1
		tree.Reset()
		if len(tree.Nodes) != 0 || tree.Depth() != 0 || tree.Family != 0 {
			t.Fatalf("after Reset: %+v", tree)
		}
		want, end := drawTwigs(t, &tree, 0, 0)
		if rapid.Bool().Draw(t, "rollback") {
			mark := tree.Mark()
			drawTwigs(t, &tree, end, 0)
			tree.Open(treeRoot, 0)
			tree.Rollback(mark)
		}
		if diff := cmp.Diff(want, twigsOf(&tree, 0, len(tree.Nodes))); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if tree.Depth() != 0 || tree.Innermost() != nil {
			t.Fatalf("%d containers are open", tree.Depth())
		}
		checkLookups(t, &tree)
		drawTwigs(t, nil, 0, 0)
	})
}

// checkLookups compares Find, Child, Len and Children with a walk. In nothing they find nothing.
func checkLookups(t *rapid.T, tree *Tree) {
	for parent := TopLevel; parent < len(tree.Nodes); parent++ {
		from, to := 0, len(tree.Nodes)
		if parent == -1 {
			to = 0
		} else if parent >= 0 {
			if !tree.Nodes[parent].Field.Kind.Container() {
				continue
			}
			from, to = parent+1, int(tree.Nodes[parent].End)
		}
		first, children := map[*Field]int{}, []int(nil)
		for i := from; i < to; i = int(tree.Nodes[i].End) {
			if _, ok := first[tree.Nodes[i].Field]; !ok {
				first[tree.Nodes[i].Field] = i
			}
			children = append(children, i)
		}
		for _, f := range []*Field{treeRoot, treeList, treeBox, treeUint, treeText, treeCell} {
			want, ok := first[f]
			if !ok {
				want = -1
			}
			if got := tree.Find(parent, f.Key); got != want {
				t.Fatalf("Find(%d, %q) = %d, want %d", parent, f.Key, got, want)
			}
			if got := tree.Child(parent, f); got != want {
				t.Fatalf("Child(%d, %q) = %d, want %d", parent, f.Key, got, want)
			}
		}
		if tree.Len(parent) != len(children) {
			t.Fatalf("Len(%d) = %d, want %d", parent, tree.Len(parent), len(children))
		}
		if diff := cmp.Diff(children, slices.Collect(tree.Children(parent))); diff != "" {
			t.Fatalf("Children(%d) (-want +got):\n%s", parent, diff)
		}
	}
}

// What is not there has no members, although something at the top has the name.
func TestFindInNothing(t *testing.T) {
	t.Parallel()
	var tree Tree
	tree.Open(treeRoot, 0)
	tree.Add(treeUint, 1, 0, 8)
	tree.Close(8)
	tree.Add(treeUint, 2, 8, 8)
	missing := tree.Find(tree.Find(TopLevel, "root"), "missing")
	if i := tree.Find(missing, "uint"); missing != -1 || i != -1 {
		t.Errorf("missing is node %d, uint in it node %d, want neither", missing, i)
	}
	if i := tree.Child(tree.Child(0, treeText), treeUint); i != -1 {
		t.Errorf("a child of what is not there is node %d", i)
	}
	if n := tree.Len(missing); n != 0 {
		t.Errorf("what is not there has %d children", n)
	}
	if i := tree.Find(TopLevel, "uint"); i != 2 {
		t.Errorf("uint at the top is node %d, want 2", i)
	}
}

func TestNodeValues(t *testing.T) {
	t.Parallel()
	var tree Tree
	tree.Add(treeUint, math.MaxUint64, 0, 64)
	tree.AddInt(treeInt, -1, 64, 32)
	tree.AddBool(treeBool, true, 96, 1)
	tree.AddBool(treeBool, false, 97, 1)
	tree.AddFloat(treeFloat, -0.5, 98, 32)
	tree.AddFloat(treeFloat, float32(math.Inf(1)), 130, 32)
	n := tree.Nodes
	if n[0].Uint() != math.MaxUint64 || n[1].Int() != -1 || !n[2].Bool() || n[3].Bool() ||
		n[4].Float() != -0.5 || !math.IsInf(float64(n[5].Float()), 1) {
		t.Errorf("values of %+v", n)
	}
}

// Bytes are the tree's own, and appending to them does not reach the next ones.
func TestTreeBytes(t *testing.T) {
	t.Parallel()
	var tree Tree
	wire := []byte("abc")
	tree.AddBytes(treeText, wire, 0, 24)
	tree.AddBytes(treeText, nil, 24, 0)
	tree.AddLabel(treeLabel, "def", 24, 24)
	clear(wire)
	_ = append(tree.Bytes(&tree.Nodes[0]), 'x')
	for i, want := range []string{"abc", "", "def"} {
		if got := string(tree.Bytes(&tree.Nodes[i])); got != want {
			t.Errorf("node %d: %q, want %q", i, got, want)
		}
	}
}

func TestOpenContainers(t *testing.T) {
	t.Parallel()
	var tree Tree
	path := func(f *Field, want string) {
		t.Helper()
		if got := string(tree.AppendOpenPath([]byte("> "), f)); got != "> "+want {
			t.Errorf("path %q, want %q", got, want)
		}
	}
	path(nil, "")
	path(treeUint, "uint")
	tree.Open(treeRoot, 8)
	tree.Open(treeList, 10)
	path(nil, "root.list")
	tree.Open(treeBox, 12)
	path(nil, "root.list")
	path(treeUint, "root.list.uint")
	path(treeBox, "root.list")
	if tree.Depth() != 3 || tree.Innermost() != treeBox {
		t.Errorf("depth %d, innermost %+v", tree.Depth(), tree.Innermost())
	}
	tree.Close(12) // empty
	tree.CloseAll(20)
	path(treeUint, "uint")
	want := []Node{
		{Field: treeRoot, Bit: 8, Bits: 12, End: 3},
		{Field: treeList, Bit: 10, Bits: 10, End: 3},
		{Field: treeBox, Bit: 12, Bits: 0, End: 3},
	}
	if diff := cmp.Diff(want, tree.Nodes, cmp.AllowUnexported(Node{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A nil tree is what a decoder has that runs for its state alone.
func TestNilTree(t *testing.T) { // not parallel: it counts allocations
	var tree *Tree
	tree.Open(treeRoot, 0)
	tree.AddLabel(treeLabel, "x", 0, 8)
	tree.Rollback(tree.Mark())
	if tree.Depth() != 0 || tree.Innermost() != nil {
		t.Error("a nil tree has open containers")
	}
	if got := string(tree.AppendOpenPath(nil, treeUint)); got != "uint" {
		t.Errorf("path %q, want the field alone", got)
	}
	tree.CloseAll(8)
	tree.Close(8)
	tree.Reset()
	if n := testing.AllocsPerRun(10, func() { tree.AddBytes(treeText, []byte("text"), 0, 32) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind              Kind
		name              string
		container, number bool
	}{
		{Object, "object", true, false},
		{List, "list", true, false},
		{Choices, "choices", true, false},
		{Sparse, "sparse", true, false},
		{Bool, "bool", false, false},
		{Uint, "uint", false, true},
		{Int, "int", false, true},
		{Float, "float", false, false},
		{Text, "text", false, false},
		{Label, "label", false, false},
		{Hex, "hex", false, false},
		{Info, "info", false, false},
		{Info + 1, "unknown", false, false},
	} {
		if tt.kind.String() != tt.name || tt.kind.Container() != tt.container || tt.kind.Number() != tt.number {
			t.Errorf("kind %d: %s, container %t, number %t", tt.kind, tt.kind, tt.kind.Container(), tt.kind.Number())
		}
	}
}

func TestEngineName(t *testing.T) {
	t.Parallel()
	if got := (&Field{Key: "pm_flags"}).EngineName(); got != "pm_flags" {
		t.Errorf("the same spelling: %q", got)
	}
	if got := (&Field{Key: "delta_num", Name: "deltaNum"}).EngineName(); got != "deltaNum" {
		t.Errorf("its own spelling: %q", got)
	}
}

// A table can begin below 0: the team of spectators is -1 in some games.
func TestEnumOfNegativeNumbers(t *testing.T) {
	t.Parallel()
	e := &Enum{First: -1, Tables: [][]string{{"spectators", "red", "blue"}}}
	for v, want := range map[int64]string{-2: "", -1: "spectators", 0: "red", 1: "blue", 2: ""} {
		if got := e.Name(0, uint64(v)); got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
}

// The toggle bits of an entity's event are not part of its number (EV_EVENT_BITS, bg_public.h).
func TestEnum(t *testing.T) {
	t.Parallel()
	e := &Enum{Ignore: 0x300, Tables: [][]string{nil, {"none", "footstep", ""}, {}}}
	for _, tt := range []struct {
		family uint8
		value  uint64
		want   string
		known  bool
	}{
		{0, 1, "", false},
		{1, 0, "none", true},
		{1, 1, "footstep", true},
		{1, 0x301, "footstep", true},
		{1, 2, "", true},
		{1, 3, "", true},
		{1, 0x401, "", true},
		{1, 1 << 63, "", true},
		{2, 0, "", true},
		{3, 0, "", false},
	} {
		if got, known := e.Name(tt.family, tt.value), e.Known(tt.family); got != tt.want || known != tt.known {
			t.Errorf("family %d, value %#x: %q, %t; want %q, %t", tt.family, tt.value, got, known, tt.want, tt.known)
		}
	}
}

// The words are the output's.
func TestWords(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Undecidable.String():    "",
		ClientToServer.String(): "client_to_server",
		ServerToClient.String(): "server_to_client",
		Note.String():           "note",
		Warning.String():        "warning",
		Fault.String():          "error",
		Datagram.String():       "datagram",
		Message.String():        "message",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
