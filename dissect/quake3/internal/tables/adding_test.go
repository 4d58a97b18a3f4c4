package tables

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestAddingAGame: the code in docs/adding-a-game.md is that of the files it names, line by line.
func TestAddingAGame(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/adding-a-game.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n// (\\w+\\.go)\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if n := strings.Count(string(page), "```go"); n != len(blocks) || n < 5 {
		t.Errorf("%d pieces of code, %d with a file", n, len(blocks))
	}
	for _, block := range blocks {
		src, err := os.ReadFile(block[1])
		if err != nil {
			t.Error(err)
			continue
		}
		file := "\n" + string(src)
		for line := range strings.Lines(block[2]) {
			if !strings.Contains(file, "\n"+line) {
				t.Errorf("%s has no line %q", block[1], line)
			}
		}
	}
}
