package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The captures in the repository are what the program makes.
func TestCaptures(t *testing.T) {
	t.Parallel()
	files, err := captures()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got, err := os.ReadFile(filepath.Join("..", f.name))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, f.data) {
			t.Errorf("%s is old: go run ./samples/gamestudio/gen", f.name)
		}
		if len(got) > 16<<10 {
			t.Errorf("%s has %d bytes", f.name, len(got))
		}
	}
}
