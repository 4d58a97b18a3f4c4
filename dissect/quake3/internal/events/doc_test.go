package events

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEventsDocument compares docs/events.md with the kinds and keys in the program.
func TestEventsDocument(t *testing.T) {
	b, err := os.ReadFile("../../../../docs/events.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	_, section, _ := strings.Cut(page, "\n## Kinds\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var documented []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(section, -1) {
		documented = append(documented, m[1])
	}
	if diff := cmp.Diff(eventKinds(t), slices.Sorted(slices.Values(documented))); diff != "" {
		t.Errorf("kinds of events in the program and in docs/events.md (-program +document)\n%s", diff)
	}
	for _, f := range Field.Children {
		if !strings.Contains(page, "`"+f.Key+"`") {
			t.Errorf("docs/events.md does not tell of %s", f.Key)
		}
	}
}

// eventKinds reads the constants whose names begin with kind.
func eventKinds(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "fields.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "kind") {
			kind, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, kind)
		}
		return true
	})
	slices.Sort(kinds)
	return kinds
}
