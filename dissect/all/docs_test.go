package all_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

var update = flag.Bool("update", false, "write docs/fields.md, docs/fields and each api.txt again")

// document returns a page of docs.
func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// docs/fields.md and the pages of docs/fields are what the field descriptions make of them: make docs.
func TestFieldsDocument(t *testing.T) {
	t.Parallel()
	docs := filepath.Join(root, "docs")
	pages := map[string]bool{}
	for _, page := range schema.Pages(all.Protocols()) {
		pages[page.Name] = true
		if *update {
			if err := os.WriteFile(filepath.Join(docs, filepath.FromSlash(page.Name)), page.Text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		lines := func(s string) []string { return strings.SplitAfter(s, "\n") }
		if diff := cmp.Diff(lines(string(page.Text)), lines(document(t, page.Name))); diff != "" {
			t.Errorf("docs/%s is old, make docs writes it again (-want +got)\n%s", page.Name, diff)
		}
	}
	files, err := filepath.Glob(filepath.Join(docs, "fields", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := "fields/" + filepath.Base(file); !pages[name] {
			t.Errorf("docs/%s is the page of no protocol", name)
		}
	}
}

// A docCode is a row of docs/expert.md.
type docCode struct{ code, severity string }

var codeRow = regexp.MustCompile("(?m)^\\| `([a-z_0-9]+)` \\| (note|warning|error) \\| \\S.*\\S \\| \\S.*\\S \\|$")

// documentedCodes are the rows that have a code and a severity.
func documentedCodes(t *testing.T) map[docCode]bool {
	t.Helper()
	rows := map[docCode]bool{}
	for _, m := range codeRow.FindAllStringSubmatch(document(t, "expert.md"), -1) {
		rows[docCode{m[1], m[2]}] = true
	}
	return rows
}

// Every code that the program can give has a row in docs/expert.md, and every row a code. A game that is
// not in the list of protocols is not in the program.
func TestExpertDocument(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("all.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	files := token.NewFileSet()
	goFiles(t, func(dir, file string) {
		r, _ := roomOf(dir)
		linked := strings.Contains(string(list), modulePath+"/dissect/"+gameOf(dir)+"\"")
		if !strings.HasPrefix(dir+"/", "dissect/") || r.name == games && !linked {
			return
		}
		parsed, err := parser.ParseFile(files, file, nil, 0)
		if err != nil {
			t.Error(err)
			return
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			collectCodes(n, used)
			return true
		})
	})
	documented := map[string]bool{}
	for row := range documentedCodes(t) {
		documented[row.code] = true
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(documented))); diff != "" {
		t.Errorf("codes in the program and in docs/expert.md (-program +document)\n%s", diff)
	}
}

// collectCodes records the constants called expert... or Expert..., and of literals where a call of Expert or
// ExpertError has its code.
func collectCodes(n ast.Node, used map[string]bool) {
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if code, err := strconv.Unquote(lit.Value); err == nil {
				used[code] = true
			}
		}
	}
	switch n := n.(type) {
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if strings.HasPrefix(strings.ToLower(name.Name), "expert") && i < len(n.Values) {
				add(n.Values[i])
			}
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Expert" || f.Sel.Name == "ExpertError") &&
			len(n.Args) > 1 {
			add(n.Args[1])
		}
	}
}

// The codes of a broken input are in docs/expert.md too.
func TestFileErrorDocument(t *testing.T) {
	t.Parallel()
	_, section, found := strings.Cut(document(t, "expert.md"), "\n## file_error\n")
	if !found {
		t.Fatal("no section file_error")
	}
	for _, code := range []string{dissect.TruncatedFile, dissect.MalformedFile, dissect.ReadFailed} {
		if !strings.Contains(section, fmt.Sprintf("| `%s` | ", code)) {
			t.Errorf("%s is not there", code)
		}
	}
}

// The codes of what inputs did not give are in docs/expert.md, there or as those of a broken input.
func TestIncompleteDocument(t *testing.T) {
	t.Parallel()
	_, section, found := strings.Cut(document(t, "expert.md"), "\n## file_error\n")
	if !found || len(incomplete.Codes) < 9 {
		t.Fatalf("no section, or only %d codes", len(incomplete.Codes))
	}
	for code := range incomplete.Codes {
		if !strings.Contains(section, fmt.Sprintf("| `%s` | ", code)) {
			t.Errorf("%s is not there", code)
		}
	}
}

// Every entry that the samples give is listed in docs/expert.md with its severity.
func TestExpertSeverities(t *testing.T) {
	t.Parallel()
	documented, seen := documentedCodes(t), map[docCode]bool{}
	for _, sample := range sampleFiles(t) {
		reftest.Dissect(t, sample, reftest.Run{Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
			for _, e := range rec.Experts {
				seen[docCode{e.Code, e.Severity.String()}] = true
			}
			return dst
		}})
	}
	for row := range seen {
		if !documented[row] {
			t.Errorf("%s with severity %s is not documented", row.code, row.severity)
		}
	}
	if len(seen) < 4 {
		t.Errorf("the samples give only %v", seen)
	}
}

// sampleFiles are the captures that come with the project.
func sampleFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "samples", "*", "*.pcap"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	return files
}
