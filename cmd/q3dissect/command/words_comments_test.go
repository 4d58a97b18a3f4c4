package command

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// plainInComments are right uses of hard words in comments, besides those in texts for users: names of functions and
// chat commands, a place of flags, the ground below a player, and clocks and counters that lag.
var plainInComments = regexp.MustCompile(`^(tells?|Tells|behind|Behind) |\btell gets\b|\b(of a|TEXT|\?) tell\b|\bits stand\b|` +
	`\bplayer stand on\b|\b(lag|is|stays) behind\b|\bbehind the node\b|\bthe ways times\b`)

// Things fit in comments: a text into a line, a number into 32 bits, a packet a layout.
const ofSizes = `(?i)\bfits?\b`

// TestWordsOfComments keeps comments of the Go code free of words that are hard to read.
func TestWordsOfComments(t *testing.T) {
	t.Parallel()
	root, files := "../../..", 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "dist" || d.Name() == "site" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		files++
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range f.Comments {
			text := strings.Join(strings.Fields(group.Text()), " ")
			text = plainUses.ReplaceAllString(plainInComments.ReplaceAllString(text, ""), "")
			for _, w := range hardWords {
				if w.pattern.String() == ofSizes {
					continue
				}
				if at := w.pattern.FindStringIndex(text); at != nil {
					t.Errorf("%s: %q; write: %s", strings.TrimPrefix(set.Position(group.Pos()).String(), "../../../"),
						text[max(0, at[0]-50):min(len(text), at[1]+30)], w.instead)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 1000 {
		t.Errorf("only %d files", files)
	}
}
