package all_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is how wide a line of Go may be, with tabs as one column.
const maxColumns = 120

// longLines are the lines that may still be longer, by file.
var longLines = map[string]int{
	"dissect/all/arrows_test.go":                         13,
	"dissect/convert/example_test.go":                    1,
	"dissect/doc.go":                                     3,
	"dissect/gamestudio/example_test.go":                 1,
	"dissect/quake3/example_test.go":                     1,
	"dissect/quake3/games_test.go":                       1,
	"dissect/quake3/internal/events/board.go":            2,
	"dissect/quake3/internal/events/games_chat.go":       2,
	"dissect/quake3/internal/operation/usercmd_games.go": 12,
	"dissect/quake3/internal/tables/game.go":             5,
	"dissect/quake3/internal/tables/game_mods.go":        2,
	"dissect/quake3/internal/tables/game_padman.go":      2,
	"dissect/quake3/internal/tables/game_quakelive.go":   1,
	"dissect/quake3/internal/tables/game_smokinguns.go":  2,
	"dissect/quake3/internal/tables/game_tremulous.go":   7,
	"dissect/quake3/internal/tables/game_urbanterror.go": 4,
	"dissect/quake3/internal/tables/names.go":            16,
	"dissect/quake3/internal/tables/names_test.go":       3,
	"dissect/quake3/internal/token/rewrite_test.go":      1,
	"dissect/quake3/internal/world/player.go":            6,
	"dissect/quake3/recording.go":                        1,
	"dissect/quake3/session.go":                          1,
	"dissect/render/example_test.go":                     1,
	"huffcodec/adaptive_test.go":                         1,
}

var (
	tableFile = regexp.MustCompile(`_table(_[a-z0-9]+)?(_test)?\.go$`)
	fieldRow  = regexp.MustCompile(`^(var )?\w+\s*= (\w+\.)?Field\{`)
	generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
)

// inTable reports whether a line may be long: it is a row of a table, a text that is quoted as it is, or the output of
// an example.
func inTable(file, line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "{") || fieldRow.MatchString(line) || strings.Contains(line, "`") ||
		strings.HasPrefix(line, "//\t") || strings.HasPrefix(line, "//") && strings.HasSuffix(file, "example_test.go")
}

// TestLayoutLines: lines are as wide as a reader's window. Tables and generated files are not read line by line.
func TestLayoutLines(t *testing.T) {
	t.Parallel()
	err := eachGoFile(func(path string) error {
		if tableFile.MatchString(path) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || generated.Match(text) {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		long, first, number, quoted := 0, 0, 0, false
		for line := range bytes.Lines(text) {
			number++
			line = bytes.TrimRight(line, "\r\n")
			inside := quoted
			if bytes.Count(line, []byte("`"))%2 == 1 {
				quoted = !quoted
			}
			if utf8.RuneCount(line) > maxColumns && !inside && !inTable(name, string(line)) {
				if long++; first == 0 {
					first = number
				}
			}
		}
		if long > longLines[name] {
			t.Errorf("%s has %d lines of more than %d columns, the first is line %d", name, long, maxColumns, first)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eachGoFile calls f for every Go file of the repository, until it returns an error.
func eachGoFile(f func(path string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || d.Name() == "site" || d.Name() == "dist"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		return f(path)
	})
}
