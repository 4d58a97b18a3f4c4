package all_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// topLevel is what the root of the repository holds; folders end with a slash. Everything else has its place below one
// of them.
var topLevel = []string{
	"CHANGES.md", "CONTRIBUTING.md", "SECURITY.md", "Containerfile", "LICENSE", "Makefile", "README.md",
	"go.mod", "go.sum",
	"cmd/", "dissect/", "docs/", "huffcodec/", "reassembly/", "samples/",
}

// ignoredHere are the patterns of .gitignore for what builds and the commands of README leave in the root.
var ignoredHere = []string{
	"q3dissect", "bin/", "dist/", "site/", "play.pcapng", "q3dissect.lua", "report.html", "demos/", "files/",
	"evidence.pcapng",
}

// TestTopLevel: the root holds what the layout names, and nothing else: it is the first page that a visitor sees. Names
// that begin with a dot are the tools'.
func TestTopLevel(t *testing.T) {
	t.Parallel()
	list, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range list {
		name := entry.Name()
		if entry.IsDir() {
			name += "/"
		}
		found = append(found, name)
		built := strings.HasSuffix(name, ".prof") || strings.HasSuffix(name, ".test") || slices.Contains(ignoredHere, name)
		if !built && !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) {
			t.Errorf("%s is not part of the layout", name)
		}
	}
	for _, name := range topLevel {
		if !slices.Contains(found, name) {
			t.Errorf("%s is missing", name)
		}
	}
}
