package viewer_test

import (
	"io/fs"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/cmd/internal/web/viewer"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// How the page asks: by a name in the call, or by one of those of a panel ("question: every ? "follow" : "talk"").
var (
	askedName  = regexp.MustCompile(`\bask\("(\w+)"`)
	panelNames = regexp.MustCompile(`\bquestion: (.*),\n`)
	quotedName = regexp.MustCompile(`"(\w+)"`)
)

// The page asks every question that can be asked, and no other. The page without a server also asks for the report,
// which its worker makes.
func TestQuestions(t *testing.T) {
	t.Parallel()
	var asked []string
	add := func(pattern *regexp.Regexp, text string) {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			asked = append(asked, m[1])
		}
	}
	names, err := fs.Glob(viewer.Files(), "*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(viewer.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		add(askedName, string(text))
		for _, m := range panelNames.FindAllStringSubmatch(string(text), -1) {
			add(quotedName, m[1])
		}
	}
	slices.Sort(asked)
	want := append(browse.Questions(), "report")
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Compact(asked)); diff != "" {
		t.Errorf("questions (-package browse +page)\n%s", diff)
	}
}
