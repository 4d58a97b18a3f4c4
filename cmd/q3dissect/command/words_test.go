package command

import (
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// hardWords do not appear in texts for users, each with the words to write instead.
var hardWords = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\bstands?\b`), "is, means, is shown"},
	{regexp.MustCompile(`(?i)\bfits?\b`), "matches"},
	{regexp.MustCompile(`(?i)\btells?\b`), "shows, reports, distinguishes"},
	{regexp.MustCompile(`(?i)\b(everybody's|player's|his|their|whose|the) ways?\b|\bon the way\b|\bways get\b`), "path, run, route, in between"},
	{regexp.MustCompile(`(?i)\bbehind\b`), "after, beyond"},
	{regexp.MustCompile(`(?i)\bof which\b`), "whose; begin a sentence of its own"},
}

// plainUses are right uses of these words.
var plainUses = regexp.MustCompile(`(?i)\bfits? (one|the|a|an|into|in|on|within|between)\b|\bbehind (a |the )?(NAT|proxy|router|walls?|corners?)|s behind [A-Z]'s|` +
	`\btell people\b|^chat: say, team, tell,|^tell: |\bthe way (down|up|back)\b|\bfall behind\b|\bthe way that\b`)

// What is between backquotes, and what is indented or between fences, is code.
var codeText = regexp.MustCompile("(?ms)^```.*?^```|`[^`]*`|^    .*?$")

// captionText is a text of a page for people: a literal that begins with a capital letter and has several words.
var captionText = regexp.MustCompile("[\"`]([A-Z][^\"`\\n]* [^\"`\\n]*)[\"`]")

// captions returns the texts of the viewer and the report, by file.
func captions(t *testing.T) iter.Seq2[string, string] {
	t.Helper()
	root := "../../internal/web"
	return func(yield func(string, string) bool) {
		found := 0
		for _, pattern := range []string{"viewer/*.js", "assets/*.js", "assets/report/*.js"} {
			files, err := filepath.Glob(filepath.Join(root, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range files {
				text := file(t, "cmd/internal/web/"+filepath.ToSlash(name[len(root)+1:]))
				for _, m := range captionText.FindAllStringSubmatch(text, -1) {
					found++
					if !yield(filepath.Base(name), m[1]) {
						return
					}
				}
			}
		}
		if found < 100 {
			t.Errorf("only %d captions", found)
		}
	}
}

// TestWords keeps texts for users free of words that are hard to read: pages, help, fields, columns of statistics, captions of
// the viewer and the report.
func TestWords(t *testing.T) {
	t.Parallel()
	check := func(place, text string) {
		text = plainUses.ReplaceAllString(text, "")
		for _, w := range hardWords {
			if at := w.pattern.FindStringIndex(text); at != nil {
				around := text[max(0, at[0]-50):min(len(text), at[1]+30)]
				t.Errorf("%s: %q; write: %s", place, strings.ReplaceAll(around, "\n", " "), w.instead)
			}
		}
	}
	texts := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/README.md"}
	for _, page := range pages(t) {
		texts = append(texts, "docs/"+page)
	}
	for _, page := range texts {
		for paragraph := range strings.SplitSeq(codeText.ReplaceAllString(file(t, page), ""), "\n\n") {
			check(page, paragraph)
		}
	}
	for place, caption := range captions(t) {
		check(place, caption)
	}
	for _, f := range append(schema.ListFields(all.Protocols(), true), schema.ListEventFields(all.Protocols())...) {
		check(f.Path, f.Doc)
	}
	for _, kind := range append(view.Kinds(), view.FollowKind()) {
		check("-z "+kind.Name, kind.Doc)
		for _, c := range kind.Columns {
			check("-z "+kind.Name+" "+c.Key, c.Doc)
		}
	}
	p := &program{
		Console:   &console.Console{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr},
		protocols: all.Protocols(),
	}
	for _, cmd := range help.Tree(newRoot(p)) {
		check(cmd.CommandPath()+" --help-all", string(help.Text(cmd, true)))
	}
}
