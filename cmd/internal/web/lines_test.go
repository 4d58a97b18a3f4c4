package web_test

import (
	"bufio"
	"bytes"
	"io/fs"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/cmd/internal/web"
	"github.com/q3dissect/q3dissect/cmd/internal/web/viewer"
)

// longestLine is the most characters that a line of a script or a style sheet has.
const longestLine = 120

// TestLines keeps lines of the pages' scripts and style sheets as short as lines of Go.
func TestLines(t *testing.T) {
	t.Parallel()
	count := 0
	for _, files := range []fs.FS{web.Files(), viewer.Files()} {
		err := fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
			ext := path.Ext(name)
			if err != nil || ext != ".js" && ext != ".css" || strings.HasPrefix(name, "libraries/") {
				return err
			}
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			lines := bufio.NewScanner(bytes.NewReader(text))
			for n := 1; lines.Scan(); n++ {
				if length := utf8.RuneCount(lines.Bytes()); length > longestLine {
					t.Errorf("%s:%d: %d characters, at most %d", name, n, length, longestLine)
				}
				count++
			}
			return lines.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if count < 5000 {
		t.Errorf("only %d lines were found", count)
	}
}
