package infostring

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/texttest"
)

// many returns an infostring with a number of keys.
func many(keys int) string {
	var b strings.Builder
	for i := range keys {
		fmt.Fprintf(&b, `\key%d\%d`, i, i)
	}
	return b.String()
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{
		``, `\`, `\\1`, `\a\1\a\2`, `a\1\`, `\a`, `\a\`, `\a\\b\2`, "\\\xe9\\1\\é\\2", "\\a\\\xff",
		many(2 * maxKeys), many(maxKeys+1) + many(1), "\\\xff\\0" + many(maxKeys) + "\\ÿ\\1" + many(3),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		var r Reader
		r.Reset(s)
		got := map[string]any{}
		for key, value, ok := r.Next(); ok; key, value, ok = r.Next() {
			shown := texttest.Text(string(key))
			if _, double := got[shown]; double {
				t.Errorf("%q is repeated", shown)
			}
			got[shown] = texttest.Text(string(value))
			if first, ok := Value(s, string(key)); !ok || string(first) != string(value) {
				t.Errorf("the value of %q: %q, want %q", key, first, value)
			}
		}
		want, raw := texttest.Info(string(s))
		if diff := cmp.Diff(want, any(got)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", s, diff)
		}
		if r.Exact() != (raw == nil) || Exact(s) != r.Exact() {
			t.Errorf("%q: exact %v and %v, want %v", s, r.Exact(), Exact(s), raw == nil)
		}
	})
}

// Infostrings of ordinary size need no memory, in whatever bytes they are.
func TestAllocs(t *testing.T) {
	for _, s := range []string{many(maxKeys), "\\\xff\\0\\ÿ\\" + many(maxKeys-2)} {
		b := []byte(s)
		if n := testing.AllocsPerRun(10, func() { Exact(b) }); n != 0 {
			t.Errorf("%v allocations for %q", n, s)
		}
	}
}
