package view

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A top is exact as long as it has room, and then keeps frequent keys, with known errors.
func TestTop(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(1, 12).Draw(t, "capacity")
		keys := rapid.SliceOfN(rapid.IntRange(0, 30), 1, 300).Draw(t, "keys")
		top, exact := newTop[int, int](capacity), map[int]uint64{}
		for _, k := range keys {
			exact[k]++
			*top.add(k, 1)++
		}
		if len(top.byKey) > capacity {
			t.Fatalf("%d keys", len(top.byKey))
		}
		for k, n := range exact {
			c := top.byKey[k]
			switch {
			case len(exact) <= capacity && (c == nil || c.weight != n || c.excess != 0 || top.notes("x") != nil):
				t.Fatalf("key %d: %+v, want %d", k, c, n)
			case c == nil && n > uint64(len(keys)/capacity):
				t.Fatalf("key %d was there %d of %d times and is lost", k, n, len(keys))
			case c != nil && (c.weight < n || c.weight-c.excess > n):
				t.Fatalf("key %d: %+v, and was there %d times", k, c, n)
			case c != nil && uint64(c.value) > n:
				t.Fatalf("key %d: %d counted of %d", k, c.value, n)
			}
		}
		if len(exact) > capacity && top.notes("x") == nil {
			t.Fatal("nothing is said of the keys that are lost")
		}
		seen := 0
		for range top.inOrder() {
			seen++
		}
		if seen != len(top.byKey) {
			t.Fatalf("%d of %d keys in order", seen, len(top.byKey))
		}
	})
}

func TestTableJSON(t *testing.T) {
	t.Parallel()
	table := Table{
		Name: "x", Columns: []Column{
			{Key: "name", Type: "string"},
			{Key: "n", Type: "integer"},
			{Key: "none", Type: "number"},
		},
		Rows: [][]any{{"a\x1b\u202eb", int64(5), nil}, {"é", uint64(1234), nil}},
	}
	json := "{\"statistic\":\"x\",\"name\":\"a\\u001b\u202eb\",\"n\":5}\n{\"statistic\":\"x\",\"name\":\"é\",\"n\":1234}\n"
	if got := string(table.AppendJSON(nil)); got != json {
		t.Errorf("got\n%s\nwant\n%s", got, json)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"conv": "", "conv,udp": "", "conv,tcp": "conv takes no arguments", "io": "io needs", "io,x": "number of seconds",
		"io,0": "", "io,stat,0": "", "io,0.5": "", "io,phs": "", "io,1,SUM(length)": "for the command line",
		"io,1,LOAD(length)": "CALCULATION(FIELD)FILTER", "nothing": "no statistic is called",
		"plen,tree": "lengths are calculated", "proto,colinfo,udp,udp.port": "columns are chosen",
	} {
		kind, args, err := Find(value)
		if err == nil {
			_, err = kind.New(args, &Env{})
		}
		if got := fmt.Sprint(err); (err == nil) != (want == "") || want != "" && !strings.Contains(got, want) {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
	}
	if got := fmt.Sprint(joinFilters([]string{"a in {1", " 2}", `b == "x`, `y"`, "c"})); got != `[a in {1, 2} b == "x,y" c]` {
		t.Error(got)
	}
}
