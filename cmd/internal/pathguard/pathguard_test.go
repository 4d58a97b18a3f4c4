package pathguard_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/internal/pathguard"
)

// TestTarget: a file is written where its name leads to, through links to files that are there and to those that are
// not.
func TestTarget(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, folder := range []string{"a", "b/c"} {
		if err := os.MkdirAll(at(folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"a/next": "later", "a/up": "../b/c/x", "way": "b/c", "a/chain": "next",
		"a/round": "round",
	} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Skip(err) // not every system lets everybody make links
		}
	}
	for name, want := range map[string]string{
		"a/plain": "a/plain", "a/next": "a/later", "a/up": "b/c/x", "way/x": "b/c/x", "a/chain": "a/later",
	} {
		if got, err := pathguard.Target(at(name)); err != nil || got != at(want) {
			t.Errorf("%s: %s, %v, want %s", name, got, err, at(want))
		}
	}
	for _, name := range []string{"a/round", "missing/x"} {
		if got, err := pathguard.Target(at(name)); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}
