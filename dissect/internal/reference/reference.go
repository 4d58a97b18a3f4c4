// Package reference opens files for tests: those of the reference folder, which is not part of the repository, and
// packed ones.
package reference

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Folder returns the path of a folder of the reference folder: $Q3DISSECT_REFERENCE, else the folder shared beside the
// repository. The test is skipped if it does not exist, and in short runs.
func Folder(tb testing.TB, elem ...string) string {
	tb.Helper()
	if testing.Short() {
		tb.Skip("the reference folder is left out of short runs")
	}
	dir := path(tb, elem)
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no reference files: %v", err)
	}
	return dir
}

// Long reports whether the test is one of make long, which leaves nothing out.
func Long() bool { return os.Getenv("Q3DISSECT_LONG") != "" }

// Most returns how many records of a file of the reference folder are compared with what others say of it: some, which
// have every kind, and in make long all.
func Most(some int) int {
	if Long() {
		return math.MaxInt
	}
	return some
}

// UpTo returns the files that are not larger than this, and in make long all.
func UpTo(tb testing.TB, most int64, names []string) (kept []string) {
	tb.Helper()
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			tb.Fatal(err)
		}
		if info.Size() <= most || Long() {
			kept = append(kept, name)
		}
	}
	return kept
}

// FirstOfEach returns the first of some files of each ending, which for recordings is each generation of the games, and
// in make long all.
func FirstOfEach(names []string) (first []string) {
	seen := map[string]bool{}
	for _, name := range names {
		if ending := filepath.Ext(name); !seen[ending] || Long() {
			seen[ending] = true
			first = append(first, name)
		}
	}
	return first
}

// Or returns the path of a file of the reference folder, or where there is none of the file of the samples that was cut
// out of it; whole reports which.
func Or(tb testing.TB, sample string, elem ...string) (name string, whole bool) {
	tb.Helper()
	if name := path(tb, elem); exists(name) {
		return name, true
	}
	return filepath.Join(Repository(tb), "samples", filepath.FromSlash(sample)), false
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func path(tb testing.TB, elem []string) string {
	tb.Helper()
	root := os.Getenv("Q3DISSECT_REFERENCE")
	if root == "" {
		root = filepath.Join(Repository(tb), "..", "shared")
	}
	return filepath.Join(append([]string{root}, elem...)...)
}

// Repository returns the root of the repository: the nearest folder above the test's own that has a go.mod.
func Repository(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for !exists(filepath.Join(dir, "go.mod")) {
		parent := filepath.Dir(dir)
		if parent == dir {
			tb.Fatal("no go.mod above the test's folder")
		}
		dir = parent
	}
	return dir
}

// Glob returns the files of the reference folder that match a pattern, the last of elem. There must be some if the
// folder exists; the test is skipped as in Folder.
func Glob(tb testing.TB, elem ...string) []string {
	tb.Helper()
	last := len(elem) - 1
	dir := Folder(tb, elem[:last]...)
	files, err := filepath.Glob(filepath.Join(dir, elem[last]))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no %s in %s: %v", elem[last], dir, err)
	}
	return files
}

// Capture returns the reference capture of a game that has a name, given without its suffix.
func Capture(tb testing.TB, game, base string) string {
	tb.Helper()
	dir := Folder(tb, "captures", game)
	for _, suffix := range []string{".pcap", ".pcapng", ".pcap.gz"} {
		if name := filepath.Join(dir, base+suffix); exists(name) {
			return name
		}
	}
	tb.Fatalf("no capture %s", base)
	return ""
}

// Base returns the name of a file without the folder and without everything after the first dot.
func Base(name string) string {
	name, _, _ = strings.Cut(filepath.Base(name), ".")
	return name
}

// Unpack opens a file packed with gzip, until the test ends.
func Unpack(tb testing.TB, name string) io.Reader {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	return z
}

// Read returns the content of a file packed with gzip.
func Read(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := io.ReadAll(Unpack(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// Lines opens a file packed with gzip for reading its lines, which may be long, until the test ends.
func Lines(tb testing.TB, name string) *bufio.Scanner {
	tb.Helper()
	lines := bufio.NewScanner(Unpack(tb, name))
	lines.Buffer(nil, 16<<20)
	return lines
}

// Decode reads a file of JSON packed with gzip.
func Decode(tb testing.TB, name string, v any) {
	tb.Helper()
	if err := json.NewDecoder(Unpack(tb, name)).Decode(v); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
}
