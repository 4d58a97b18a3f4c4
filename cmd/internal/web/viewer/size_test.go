package viewer_test

import (
	"compress/gzip"
	"io/fs"
	"path"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/internal/web"
	"github.com/q3dissect/q3dissect/cmd/internal/web/viewer"
)

// mostBytes is how large all that a page can ask for may be, packed with gzip.
const mostBytes = 1_500_000

// A page with everything that it can ask for, the library of plots included, is small.
func TestPageIsSmall(t *testing.T) {
	t.Parallel()
	size, scripts := 0, 0
	for _, files := range []fs.FS{web.Files(), viewer.Files()} {
		err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			if path.Ext(name) == ".js" {
				scripts++
			}
			b, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			size += packed(t, b)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if scripts < 40 {
		t.Fatalf("%d scripts were found", scripts)
	}
	if size > mostBytes {
		t.Errorf("all files take %d bytes, want %d at most", size, mostBytes)
	}
	t.Logf("all files take %d bytes", size)
}

// packed returns the size of bytes that are packed with gzip.
func packed(t *testing.T, b []byte) int {
	t.Helper()
	var n counter
	w, err := gzip.NewWriterLevel(&n, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return int(n)
}

// A counter counts what is written.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
