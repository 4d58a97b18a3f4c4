package rapidseed_test

import (
	"flag"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

const (
	root = "../../.."
	ours = "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// Every package whose tests use rapid imports the fixed seed.
func TestEveryUserImportsIt(t *testing.T) {
	t.Parallel()
	uses, imports := map[string]bool{}, map[string]bool{} // by directory: its test files are one program
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && file != root {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			switch path, err := strconv.Unquote(spec.Path.Value); {
			case err != nil:
				return err
			case path == "pgregory.net/rapid":
				uses[filepath.Dir(file)] = true
			case path == ours:
				imports[filepath.Dir(file)] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(uses) < 15 {
		t.Errorf("only %d packages use rapid", len(uses))
	}
	for dir := range uses {
		if !imports[dir] {
			t.Errorf("the tests in %s use rapid and do not import %s", dir, ours)
		}
	}
	for dir := range imports {
		if !uses[dir] {
			t.Errorf("the tests in %s import %s and do not use rapid", dir, ours)
		}
	}
}

// Two checks draw the same, unless chance was asked for.
func TestChecksRepeat(t *testing.T) {
	if flag.Lookup("rapid.seed").Value.String() == "0" {
		t.Skip("chance was asked for")
	}
	draw := func() (values []uint64) {
		rapid.Check(t, func(r *rapid.T) { values = append(values, rapid.Uint64().Draw(r, "value")) })
		return values
	}
	first, second := draw(), draw()
	for i, v := range first {
		if v != second[i] {
			t.Fatalf("check %d drew %d, then %d", i, v, second[i])
		}
	}
}
