package snapshot

import (
	"bytes"
	"maps"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// renaming writes "anna" as "dora" and everything else as it is.
type renaming struct{}

func (renaming) AppendText(dst, text []byte) []byte { return append(dst, text...) }

func (renaming) AppendHarmless(dst, text []byte) []byte { return append(dst, text...) }

func (renaming) AppendChat(dst, text []byte) []byte { return append(dst, text...) }

func (renaming) AppendFile(dst, part []byte) []byte { return append(dst, part...) }

func (renaming) AppendPersonal(dst []byte, _ dissect.Personal, text []byte) []byte {
	if string(text) == "anna" {
		text = []byte("dora")
	}
	return append(dst, text...)
}

func (renaming) Addr(a netip.Addr) netip.Addr { return a }

// typeClient is NETOBJTYPE_CLIENTINFO of 0.6: name, clan, country, skin, and three numbers.
const typeClient = 11

// client is an item of a client with a name and a country.
func client(name string, country int32) []int32 {
	ints := make([]int32, 17)
	for _, part := range [][]int32{ints[:4], ints[4:7], ints[8:14]} {
		message.PutText(part, nil)
	}
	message.PutText(ints[:4], []byte(name))
	ints[7] = country
	return ints
}

// update is the difference of an item to an older one, or the whole item.
func difference(key Key, from, to []int32) []int32 {
	d := []int32{int32(key.Type()), int32(key.ID())}
	if key.Type() == typeDynamic {
		d = append(d, int32(len(to)))
	}
	for i, v := range to {
		if from != nil {
			v -= from[i]
		}
		d = append(d, v)
	}
	return d
}

// TestRewriteNames rewrites a session of snapshots. A reader that is given the new ones has the same items with the
// other name, and their sum is the old one with the shift.
func TestRewriteNames(t *testing.T) {
	t.Parallel()
	anna, bob, thing := makeKey(typeClient, 0), makeKey(typeClient, 1), makeKey(typeDynamic, 3)
	w, p := NewRewriter(renaming{}), NewReader(false)
	for _, step := range []struct {
		name       string
		tick, base int32
		removed    []Key
		changed    [][]int32
		want       state
	}{
		{"a complete one", 10, -1, nil, [][]int32{difference(anna, nil, client("anna", 1)), difference(thing, nil, []int32{7, 8})}, state{anna: client("dora", 1), thing: {7, 8}}},
		{"another country", 12, 10, nil, [][]int32{difference(anna, client("anna", 1), client("anna", 5))}, state{anna: client("dora", 5), thing: {7, 8}}},
		{"nothing about names", 14, 12, nil, [][]int32{difference(thing, []int32{7, 8}, []int32{9, 8})}, state{anna: client("dora", 5), thing: {9, 8}}},
		{"another name", 16, 14, nil, [][]int32{difference(anna, client("anna", 5), client("carl", 5))}, state{anna: client("carl", 5), thing: {9, 8}}},
		{"against an older one", 18, 10, nil, [][]int32{difference(anna, client("anna", 1), client("anna", 6)), difference(bob, nil, client("bob", 2))}, state{anna: client("dora", 6), bob: client("bob", 2), thing: {7, 8}}},
		{"removed", 20, 18, []Key{anna}, nil, state{bob: client("bob", 2), thing: {7, 8}}},
		{"back again", 22, 20, nil, [][]int32{difference(anna, nil, client("anna", 4)), difference(bob, client("bob", 2), client("anna", 2))}, state{anna: client("dora", 4), bob: client("dora", 2), thing: {7, 8}}},
		{"the same name, two that change", 24, 22, []Key{thing}, [][]int32{difference(anna, client("anna", 4), client("anna", 3)), difference(bob, client("anna", 2), client("anna", 1))}, state{anna: client("dora", 3), bob: client("dora", 1)}},
		{"nothing at all", 26, 24, nil, nil, state{anna: client("dora", 3), bob: client("dora", 1)}},
		{"after that", 28, 26, nil, [][]int32{difference(anna, client("anna", 3), client("carl", 3))}, state{anna: client("carl", 3), bob: client("dora", 1)}},
	} {
		want := maps.Clone(step.want)
		if values, has := want[thing]; has {
			want[thing] = make([]int32, len(values)) // nothing is known about it
		}
		data := packed(int32(len(step.removed)), int32(len(step.changed)), 0)
		for _, key := range step.removed {
			data = append(data, packed(int32(key))...)
		}
		for _, c := range step.changed {
			data = append(data, packed(c...)...)
		}
		if len(step.removed)+len(step.changed) == 0 {
			w.Same(step.tick, step.base)
		} else {
			out, shift, ok := w.Append([]byte("before"), tables.V06, step.tick, step.base, data)
			if !ok || string(out[:6]) != "before" {
				t.Fatalf("%s: not rewritten", step.name)
			}
			var sums int32
			for key, values := range step.want {
				sums += sum(want[key]) - sum(unnamed(key, values))
			}
			data = out[6:]
			if shift != sums {
				t.Errorf("%s: the sum changes by %d, want %d", step.name, shift, sums)
			}
		}
		m := single(step.tick, 0, data)
		if m.Ints[tables.KeepDelta] = step.tick - step.base; step.base < 0 {
			m.Ints[tables.KeepDelta] = step.tick + 1
		}
		for _, values := range want {
			m.Ints[tables.KeepCRC] += sum(values)
		}
		rec := dissect.NewRecord()
		if p.Take(rec, rec.Tree, tables.V06, m, m.Data, 0); len(rec.Experts) > 0 {
			t.Errorf("%s: %v", step.name, rec.Experts)
		}
		if diff := cmp.Diff(want, kept(p, step.tick)); diff != "" {
			t.Fatalf("%s (-want +rewritten):\n%s", step.name, diff)
		}
	}
}

// unnamed is an item as it was before its name was changed.
func unnamed(key Key, values []int32) []int32 {
	if key.Type() != typeClient || string(message.AppendText(nil, values[:4])) != "dora" {
		return values
	}
	return client("anna", values[7])
}

// TestRewriteFaults: what cannot be read, and a difference to names that are not known, is not rewritten.
func TestRewriteFaults(t *testing.T) {
	t.Parallel()
	anna, thing := makeKey(typeClient, 0), makeKey(typeDynamic, 3)
	named := difference(anna, nil, client("anna", 1))
	with := func(head []int32, rest ...int32) []byte { return packed(slices.Concat(head, rest)...) }
	long := make([]int32, 0, 4*maxSnapshotItems)
	for i := range int32(maxSnapshotItems) {
		long = append(long, typeDynamic, i, 0)
	}
	for _, v := range []struct {
		name string
		base int32
		data []byte
		ok   bool
	}{
		{"complete", -1, with([]int32{0, 1, 0}, named...), true},
		{"to a base that is known", 10, with([]int32{0, 1, 0}, difference(anna, client("anna", 1), client("anna", 2))...), true},
		{"to one that is not", 8, with([]int32{0, 1, 0}, named...), false},
		{"to one that is not, without names", 8, with([]int32{0, 1, 0}, difference(thing, nil, []int32{1})...), true},
		{"-1 removed", -1, packed(-1, 0, 0), false},
		{"-1 changed", -1, packed(0, -1, 0), false},
		{"1024 removed", -1, with([]int32{1024, 0, 0}, make([]int32, 1024)...), true},
		{"1025 removed", -1, with([]int32{1025, 0, 0}, make([]int32, 1025)...), false},
		{"1024 changed", -1, with([]int32{0, 1024, 0}, long...), true},
		{"1025 changed", -1, with([]int32{0, 1025, 0}, append(slices.Clone(long), typeDynamic, 1, 0)...), false},
		{"nothing", -1, nil, false},
		{"a key is missing", -1, packed(2, 0, 0, 5), false},
		{"an item is missing", -1, with([]int32{0, 2, 0}, named...), false},
		{"a value is missing", -1, with([]int32{0, 1, 0}, named[:18]...), false},
		{"size -1", -1, packed(0, 1, 0, typeDynamic, 0, -1), false},
		{"more values than bytes", -1, packed(0, 1, 0, typeDynamic, 0, 2, 0), false},
		{"bytes at the end", -1, packed(0, 0, 0, 7), true}, // they are left out
	} {
		w := NewRewriter(renaming{})
		if _, _, ok := w.Append(nil, tables.V06, 10, -1, with([]int32{0, 1, 0}, named...)); !ok {
			t.Fatal("the first one is not rewritten")
		}
		out, _, ok := w.Append([]byte("x"), tables.V06, 12, v.base, v.data)
		if ok != v.ok || out[0] != 'x' || ok && v.base < 0 && v.name != "complete" && !bytes.HasPrefix(v.data, out[1:]) {
			t.Errorf("%s: %v, want %v: %x", v.name, ok, v.ok, out)
		}
	}
	// A base that was not seen may have other names than the last one before it.
	w := NewRewriter(renaming{})
	w.Append(nil, tables.V06, 10, -1, with([]int32{0, 1, 0}, named...))
	w.Same(14, 12)
	if _, _, ok := w.Append(nil, tables.V06, 16, 14,
		with([]int32{0, 1, 0}, difference(anna, client("anna", 1), client("anna", 2))...)); ok {
		t.Error("rewritten against a snapshot that rests on one that is not known")
	}
	// So may all, when ticks begin anew.
	w.Append(nil, tables.V06, 10, -1, with([]int32{0, 1, 0}, named...))
	w.Forget()
	if _, _, ok := w.Append(nil, tables.V06, 12, 10,
		with([]int32{0, 1, 0}, difference(anna, client("anna", 1), client("anna", 2))...)); ok {
		t.Error("rewritten against a snapshot that is forgotten")
	}
}
