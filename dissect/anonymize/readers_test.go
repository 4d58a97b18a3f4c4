package anonymize_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of the readers' words")

// readers are the packages that say what happened, and the rules of games that they ask.
var readers = []string{
	"quake3/internal/events", "quake3/internal/tables/*.go", "teeworlds/internal/events", "view/internal/match",
	"view/catalogue",
}

// readersOwn are words that no reader has and that a copy keeps nevertheless: the values of g_gameState in Quake Live.
const readersOwn = "pre_game count_down in_progress"

// The list of words that copies without names keep is that of the readers. go test ./dissect/anonymize -run Readers
// -update writes it.
func TestReaders(t *testing.T) {
	t.Parallel()
	set := map[string]bool{}
	addWords(set, readersOwn)
	for _, pattern := range readers {
		names, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no reader; %v", pattern, err)
		}
		for _, name := range names {
			err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() && filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go") {
					err = addLiterals(set, path)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, want := range []string{"time", "reached", "performed", "df_promode", "pre", "progress"} {
		if !set[want] {
			t.Errorf("no reader has %q", want) // literals are not found any more
		}
	}
	text := strings.Join(slices.Sorted(maps.Keys(set)), "\n") + "\n"
	const name = "../internal/readerwords/words.txt"
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != text {
		t.Error("a reader has other words than dissect/internal/readerwords: -update writes the list")
	}
}

// addLiterals adds the words of the strings in a file, without those that document something.
func addLiterals(set map[string]bool, path string) error {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			return !ok || key.Name != "Doc" && key.Name != "Source"
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				addWords(set, s)
			}
		}
		return true
	})
	return nil
}

var wordPattern = regexp.MustCompile(`[A-Za-z0-9_]+`)

// addWords adds the words of a text in lower case: those with underscores are keys, their parts are words of texts.
func addWords(set map[string]bool, text string) {
	for _, key := range wordPattern.FindAllString(strings.ToLower(text), -1) {
		for _, word := range append(strings.Split(key, "_"), key) {
			if strings.Trim(word, "0123456789") != "" {
				set[word] = true
			}
		}
	}
}
