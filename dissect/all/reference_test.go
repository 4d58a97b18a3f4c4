package all_test

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestMain collects garbage less often: the tests make much of it and keep little, and a fifth of their time went there.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// captures returns the folder of the Quake III reference captures. Tests that need it are skipped where it is absent.
func captures(tb testing.TB) string {
	tb.Helper()
	return reftest.Folder(tb, "captures", "quake3")
}

// glob returns the files there that match a pattern. There must be some.
func glob(tb testing.TB, pattern string) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(captures(tb), pattern))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no %s in the reference folder: %v", pattern, err)
	}
	return files
}
