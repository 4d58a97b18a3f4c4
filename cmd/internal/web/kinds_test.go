package web_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/internal/web"
	"github.com/q3dissect/q3dissect/cmd/internal/web/viewer"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
)

// How the pages choose events: by comparing the kind with a literal or with the first elements of the rows of a list,
// by a list that includes it, or by its beginning.
var (
	kindLiteral = regexp.MustCompile(`\.event\s*[!=]==?\s*"(\w+)"`)
	kindList    = regexp.MustCompile(`\[([^\[\]]*)\]\.includes\(\w+\.event\)`)
	kindPrefix  = regexp.MustCompile(`\.event\.startsWith\("(\w+)"\)`)
	kindElement = regexp.MustCompile(`\.event\s*[!=]==?\s*kind\b`)
	elementList = regexp.MustCompile(`\b(\w+)\.(?:filter|map|flatMap)\(\(\[kind\]`)
	listElement = regexp.MustCompile(`\["(\w+)"`)
	literal     = regexp.MustCompile(`"(\w+)"`)

	// choice is every way of choosing, those above among them.
	choice = regexp.MustCompile(`\.event\s*[!=]=|\.includes\(\w+\.event\)|\.event\.\w+\(|switch \(\w+\.event\)|[!=]==?\s*\w+\.event\b`)
)

// kindsIn returns the kinds of events, and beginnings of kinds, that a module compares with, and how many comparisons
// there are.
func kindsIn(t *testing.T, name, code string) (kinds, prefixes []string, count int) {
	t.Helper()
	first := func(pattern *regexp.Regexp, text string) (found []string) {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
		return found
	}
	kinds, prefixes = first(kindLiteral, code), first(kindPrefix, code)
	lists := first(kindList, code)
	count = len(kinds) + len(prefixes) + len(lists) + len(kindElement.FindAllString(code, -1))
	if all := len(choice.FindAllString(code, -1)); count != all {
		t.Errorf("%s: %d of %d comparisons of kinds of events were understood", name, count, all)
	}
	for _, list := range lists {
		kinds = append(kinds, first(literal, list)...)
	}
	for _, list := range first(elementList, code) {
		_, rows, _ := strings.Cut(code, "const "+list+" = [")
		rows, _, _ = strings.Cut(rows, "\n")
		if elements := first(listElement, "["+rows); len(elements) > 0 {
			kinds = append(kinds, elements...)
		} else {
			t.Errorf("%s: %s is not a list on one line", name, list)
		}
	}
	return kinds, prefixes, count
}

// Every kind of events that a page looks for is one that a protocol has.
func TestKindsOfEvents(t *testing.T) {
	t.Parallel()
	known := dissect.EventKinds(all.Protocols())
	found := 0
	for _, files := range []fs.FS{web.Files(), viewer.Files()} {
		err := fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".js") || strings.HasPrefix(name, "libraries/") {
				return err
			}
			code, err := fs.ReadFile(files, name)
			kinds, prefixes, count := kindsIn(t, name, string(code))
			for _, kind := range kinds {
				if !slices.Contains(known, kind) {
					t.Errorf("%s: %q is no kind of events", name, kind)
				}
			}
			for _, prefix := range prefixes {
				if !slices.ContainsFunc(known, func(kind string) bool { return strings.HasPrefix(kind, prefix) }) {
					t.Errorf("%s: no kind of events begins with %q", name, prefix)
				}
			}
			found += count
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if found < 10 {
		t.Errorf("only %d comparisons were found", found)
	}
}
