package all_test

import (
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// captures gives the folder of the Quake III reference captures. Tests that need it are skipped where it is absent.
func captures(tb testing.TB) string {
	tb.Helper()
	return reftest.Folder(tb, "captures", "quake3")
}

// glob gives the files there that match a pattern. There must be some.
func glob(tb testing.TB, pattern string) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(captures(tb), pattern))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no %s in the reference folder: %v", pattern, err)
	}
	return files
}
