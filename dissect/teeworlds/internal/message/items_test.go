package message

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// itemTestField replaces the item that an object is in.
var itemTestField = dissect.Field{Kind: dissect.Object, Children: ItemFields()}

// showItem returns the leaves of an object.
func showItem(d tables.Dialect, def *tables.Object, ints []int32, at []Span) ([]string, *dissect.Record) {
	rec := dissect.NewRecord()
	tree := rec.Decoding()
	tree.Family = uint8(d)
	start := 0
	if len(at) > 0 {
		start = at[0].Bit
	}
	tree.Open(&itemTestField, start)
	AddItem(tree, rec, def, ints, at)
	tree.CloseAll(start)
	return wiretest.Leaves(tree), rec
}

// packText packs text into ints as the games do: 4 bytes in each, the last byte of all cut off.
//
// StrToInts in src/game/gamecore.h.
func packText(s string, n int) []int32 {
	ints := make([]int32, n)
	for i := range ints {
		var b [4]byte
		copy(b[:], s[min(4*i, len(s)):])
		ints[i] = int32(uint32(b[0]+128)<<24 | uint32(b[1]+128)<<16 | uint32(b[2]+128)<<8 | uint32(b[3]+128))
	}
	ints[n-1] &^= 0xff // and so the text ends
	ints[n-1] |= 0x80
	return ints
}

// Every object, whole, too short and too long, gives its fields in order.
func TestEveryObject(t *testing.T) {
	t.Parallel()
	for _, def := range tables.AllObjects() {
		t.Run(def.Field.EngineName(), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				var ints []int32
				var want, odd []string
				var ends []int
				for i := range def.Parts {
					p := &def.Parts[i]
					for j := range max(1, p.Times) {
						path := def.Key + "." + p.Key
						if p.Times != tables.Single {
							path += fmt.Sprintf("[%d]", j)
						}
						var value string
						switch p.Kind {
						case tables.KindIntText:
							s := rapid.StringOfN(rapid.RuneFrom([]rune("aé\xff\U0001F600")), 0, p.Size, 4*p.Size-1).Draw(t, p.Key)
							ints = append(ints, packText(s, p.Size)...)
							value = s
						case tables.KindRaw:
							u := tables.UUID(rapid.SliceOfN(rapid.Byte(), tables.UUIDBytes, tables.UUIDBytes).Draw(t, p.Key))
							for k := 0; k < tables.UUIDBytes; k += 4 {
								ints = append(ints, int32(u[k])<<24|int32(u[k+1])<<16|int32(u[k+2])<<8|int32(u[k+3]))
							}
							value = hex.EncodeToString(u[:])
						default:
							v := rapid.Int32().Draw(t, p.Key)
							if rapid.Bool().Draw(t, "accepted") {
								v = rapid.Int32Range(p.Min, p.Max).Draw(t, p.Key)
							}
							ints = append(ints, v)
							value = fmt.Sprint(v)
							if p.Kind == tables.KindBool && (p.Elem == nil && p.Field.Kind == dissect.Bool || p.Elem != nil) {
								value = fmt.Sprint(v != 0)
							}
							if v < p.Min || v > p.Max {
								odd = append(odd, indices.ReplaceAllString(path, ""))
							}
						}
						want = append(want, path+" "+value)
					}
					ends = append(ends, len(want))
				}
				at := make([]Span, len(ints))
				for i := range at {
					at[i] = Span{100 + 8*i, 8}
				}
				got, rec := showItem(tables.V07, def, ints, at)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("(-want +got)\n%s", diff)
				}
				checkPlaces(t, rec, 100, len(ints))
				var notes []string
				for _, e := range rec.Experts {
					notes = append(notes, e.Field)
				}
				if diff := cmp.Diff(odd, notes); diff != "" {
					t.Fatalf("notes (-want +got)\n%s", diff)
				}
				got, _ = showItem(tables.V07, def, append(ints, 7, -8), nil)
				if diff := cmp.Diff(append(want, def.Key+".extra_ints[0] 7", def.Key+".extra_ints[1] -8"), got); diff != "" {
					t.Fatalf("longer (-want +got)\n%s", diff)
				}
				n := rapid.IntRange(0, len(ints)-1).Draw(t, "cut")
				got, _ = showItem(tables.V07, def, ints[:n], nil)
				whole := 0 // fields that are all there
				for i, left := 0, n; i < len(def.Parts) && def.Parts[i].Ints <= left; i++ {
					left -= def.Parts[i].Ints
					whole = ends[i]
				}
				for i, line := range got {
					if i < whole && line != want[i] || i >= whole && line != def.Key &&
						!strings.HasPrefix(line, def.Key+".extra_ints[") {
						t.Fatalf("%d ints of %d: %q", n, len(ints), got)
					}
				}
			})
		})
	}
}

func TestUnknownObject(t *testing.T) {
	t.Parallel()
	got, rec := showItem(tables.DDNet, nil, []int32{1, -2}, []Span{{80, 8}, {88, 8}})
	if diff := cmp.Diff([]string{"unknown.ints[0] 1", "unknown.ints[1] -2"}, got); diff != "" || len(rec.Experts) > 0 {
		t.Errorf("(-want +got)\n%s", diff)
	}
	checkPlaces(t, rec, 80, 2)
	AddItem(nil, nil, tables.LookupObject(tables.V07, 10), make([]int32, 22), nil) // nobody is looking
}

func TestObjectSize(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		d          tables.Dialect
		itemType   int
		ints       int
		known, has bool
	}{
		{tables.V07, 0, 0, false, true},
		{tables.V07, 1, 10, true, true},
		{tables.V07, 22, 7, true, true},
		{tables.V07, 23, 0, false, true},
		{tables.V07, 24, 0, false, true},
		{tables.V07, 25, 0, false, false},
		{tables.V07, 0x7fff, 0, false, false},
		{tables.V07, -1, 0, false, false},
		{tables.V06, 9, 22, true, true},
		{tables.V06, 20, 3, true, true},
		{tables.V06, 21, 0, false, false},
		{tables.DDNet, 11, 17, true, true},
		{tables.DDNet, 4, 4, true, true},
		{tables.Unknown, 1, 0, false, false},
	} {
		ints, ok := tables.ObjectSize(v.d, v.itemType)
		if def := tables.LookupObject(v.d, v.itemType); ints != v.ints || ok != v.known || (def != nil) != v.has {
			t.Errorf("%s %d: %d, %t, %v", v.d, v.itemType, ints, ok, def)
		}
	}
}

// The subtype of a laser has names that its type decides.
func TestObjectNames(t *testing.T) {
	t.Parallel()
	laser := tables.LookupExtendedObject(tables.UUIDOf("laser@netobj.ddnet.tw"))
	for _, v := range []struct {
		kind int32
		want string
	}{{4, "strong"}, {5, ""}, {0, ""}} {
		_, rec := showItem(tables.DDNet, laser, []int32{0, 0, 0, 0, 0, 0, v.kind, 0, 4, 0}, nil)
		tree := rec.Tree
		n := &tree.Nodes[tree.Find(tree.Find(0, "ddnet_laser"), "subtype")]
		name := ""
		if n.Field.Enum != nil {
			name = n.Field.Enum.Name(tree.Family, n.Uint())
		}
		if name != v.want {
			t.Errorf("type %d: subtype 4 is %q, want %q", v.kind, name, v.want)
		}
	}
}

// The objects of real snapshots have the members that the games' own structures have, in their order.
func TestObjectsReference(t *testing.T) {
	t.Parallel()
	for _, capture := range []string{"tw07-synth", "tw07-join-chat", "dd06-full"} {
		t.Run(capture, func(t *testing.T) {
			t.Parallel()
			const enough = 50 // of each type
			count := map[string]int{}
			eachTruthLine(t, capture, func(line *truthLine) {
				d := map[string]tables.Dialect{"0.7": tables.V07, "ddnet": tables.DDNet}[line.Dialect]
				for i := range line.Chunks {
					if line.Chunks[i].Snap == nil {
						continue
					}
					for _, item := range line.Chunks[i].Snap.Items {
						if count[item.Name]++; count[item.Name] <= enough {
							compareItem(t, d, &item)
						}
					}
				}
			})
			if len(count) < 2 {
				t.Errorf("only %v", count)
			}
		})
	}
}

// compareItem makes the ints of an item again, and compares what they are called.
func compareItem(t *testing.T, d tables.Dialect, item *truthItem) {
	t.Helper()
	ints, members := truthInts(t, item.Fields)
	def := tables.LookupObject(d, item.Type)
	for _, extended := range tables.AllObjects() {
		if extended.UUID != (tables.UUID{}) && item.Name != "" && item.Type >= tables.ExtendedObjects &&
			strings.HasSuffix(extended.Field.Name, "_"+strings.ToUpper(item.Name)) {
			def = extended
		}
	}
	got, _ := showItem(d, def, ints, nil)
	if len(ints) == 0 { // a type that the truth does not know, without values
		return
	}
	if def == nil {
		for i := range ints {
			members[i] = fmt.Sprintf("unknown.ints[%d] %d", i, ints[i])
		}
	} else {
		for i := range members {
			members[i] = def.Key + "." + members[i]
		}
	}
	for i, line := range got { // the game's own code shows flags that are neither 0 nor 1
		if strings.HasPrefix(line, "damage.self ") {
			got[i] = fmt.Sprintf("damage.self %d", ints[i])
		}
	}
	if diff := cmp.Diff(members, got); diff != "" {
		t.Errorf("%s (-truth +got)\n%s", item.Name, diff)
	}
}

// truthInts takes the values of an item, in order, and returns what they should be called.
func truthInts(t *testing.T, fields json.RawMessage) (ints []int32, lines []string) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(fields))
	dec.UseNumber()
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	_ = json.Unmarshal(fields, &struct{ Text *map[string]string }{&text})
	for dec.More() {
		name, _ := dec.Token()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		key := truthKey(name.(string))
		switch v := v.(type) {
		case json.Number:
			n, _ := v.Int64()
			ints = append(ints, int32(n))
			lines = append(lines, key+" "+v.String())
		case []any:
			for i, e := range v {
				n, _ := e.(json.Number).Int64()
				ints = append(ints, int32(n))
				if _, ok := text[key]; !ok {
					lines = append(lines, fmt.Sprintf("%s[%d] %d", key, i, n))
				}
			}
			if s, ok := text[key]; ok {
				lines = append(lines, key+" "+s)
			}
		case string: // the UUID of an item of type 0
			if key == "uuid" {
				b, _ := hex.DecodeString(v)
				for i := 0; i < len(b); i += 4 {
					ints = append(ints, int32(b[i])<<24|int32(b[i+1])<<16|int32(b[i+2])<<8|int32(b[i+3]))
				}
				lines = append(lines, key+" "+v)
			}
		}
	}
	return ints, lines
}
