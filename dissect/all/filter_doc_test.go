package all_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

var filterBlock = regexp.MustCompile("(?ms)^```filter( events)?\n(.*?)^```$")

// Every filter of docs/filters.md is one.
func TestFiltersOfTheDocument(t *testing.T) {
	t.Parallel()
	records, events := filter.Records(all.Protocols()), filter.Events(all.Protocols())
	count := 0
	for _, block := range filterBlock.FindAllStringSubmatch(document(t, "filters.md"), -1) {
		names := records
		if block[1] != "" {
			names = events
		}
		for line := range strings.Lines(block[2]) {
			count++
			if _, err := names.Compile(strings.TrimSpace(line)); err != nil {
				t.Errorf("%s%v", line, err)
			}
		}
	}
	if count < 25 {
		t.Errorf("%d filters", count)
	}
}

// Each name that --list-fields lists is one that filters know, but for what is only in JSON.
func TestFiltersKnowEveryField(t *testing.T) {
	t.Parallel()
	for _, list := range []struct {
		names *filter.Names
		paths []string
	}{
		{filter.Records(all.Protocols()), recordPaths()},
		{filter.Events(all.Protocols()), eventPaths()},
	} {
		known := map[string]bool{}
		for name := range list.names.All() {
			known[name] = true
		}
		for _, path := range list.paths {
			if strings.HasPrefix(path, "positions") || strings.HasPrefix(path, "file_error") ||
				strings.HasPrefix(path, "incomplete") {
				continue
			}
			if _, err := list.names.Compile(path); err != nil || !known[path] {
				t.Errorf("%s: %v, listed: %v", path, err, known[path])
			}
		}
	}
}

func recordPaths() []string { return pathsOf(schema.ListFields(all.Protocols(), false)) }
func eventPaths() []string  { return pathsOf(schema.ListEventFields(all.Protocols())) }

func pathsOf(list []schema.FieldInfo) []string {
	var paths []string
	for _, f := range list {
		paths = append(paths, f.Path)
	}
	return paths
}
