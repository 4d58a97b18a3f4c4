package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A bench is the flags that choose among records, or make something else of them.
type bench struct {
	filter string   // -Y
	only   []string // -O
	jq     string   // --jq

	statistics []string // -z
}

// define declares the flags that concern records and events.
func (b *bench) define(f *pflag.FlagSet) {
	f.StringVarP(&b.filter, "display-filter", "Y", "", "`FILTER`: records or events that fit; it may stand last without -Y")
	f.StringVar(&b.jq, "jq", "", "`PROGRAM`: what a jq program makes of each record or event")
}

// objects are the keys of the protocols' objects in records.
func (p *program) objects() []string {
	var keys []string
	for _, known := range p.protocols {
		keys = append(keys, known.Root().Key)
	}
	return keys
}

// chooseObjects prepares -O, which is -V with the objects of some protocols.
func (pl *plan) chooseObjects() error {
	known := pl.objects()
	for _, given := range pl.only {
		for key := range strings.SplitSeq(given, ",") {
			if !slices.Contains(known, key) {
				return usageError("-O: no protocol is called %q; there are %s", key, strings.Join(known, ", "))
			}
			pl.tables.Only = append(pl.tables.Only, key)
		}
	}
	pl.table = pl.table || len(pl.only) > 0
	return nil
}

// expandFields replaces each name of -e that ends in .* by the leaves below, unless the name is a field's already:
// stats.* and info.* are.
func expandFields(fields []string, protocols []dissect.Protocol) ([]string, error) {
	if !slices.ContainsFunc(fields, func(f string) bool { return strings.HasSuffix(f, ".*") }) {
		return fields, nil
	}
	list := render.ListFields(protocols)
	var all []string
	for _, name := range fields {
		prefix, ok := strings.CutSuffix(name, "*")
		if !ok || slices.ContainsFunc(list, func(f render.FieldInfo) bool { return f.Path == name }) {
			all = append(all, name)
			continue
		}
		before := len(all)
		for i, f := range list {
			leaf := i+1 == len(list) || !strings.HasPrefix(list[i+1].Path, f.Path+".")
			if leaf && strings.HasPrefix(f.Path, prefix) && !strings.HasSuffix(f.Path, "_raw") {
				all = append(all, f.Path)
			}
		}
		if len(all) == before {
			return nil, usageError("-e: there is no field below %s", strings.TrimSuffix(prefix, "."))
		}
	}
	return all, nil
}

// listSome is --list-fields with the beginning of names.
func (p *program) listSome(list []render.FieldInfo, prefix string, asJSON bool) error {
	var paths []string
	for _, f := range list {
		paths = append(paths, f.Path)
	}
	kept := slices.DeleteFunc(list, func(f render.FieldInfo) bool { return !strings.HasPrefix(f.Path, prefix) })
	if len(kept) > 0 {
		return p.print(listFields(kept, asJSON))
	}
	if best := render.Nearest(prefix, paths); best != "" {
		return usageError("no field begins with %q; did you mean %s?", prefix, best)
	}
	return usageError("no field begins with %q", prefix)
}

// excerptWidth is how much of a filter is shown above the carets.
const excerptWidth = 76

// filterError puts a fault in a filter into words; carets show the place.
func filterError(where string, err error) error {
	var fault *filter.Error
	if !errors.As(err, &fault) {
		return usageError("%s: %v", where, err)
	}
	return point(where, fault)
}

// pointAt shows the place of a fault in a text that is no filter.
func pointAt(where, text string, from, to int, message string) error {
	return point(where, &filter.Error{Filter: text, From: from, To: to, Message: message})
}

func point(where string, fault *filter.Error) error {
	err := usageError("%s, %v", where, fault)
	excerpt, carets := fault.Excerpt(excerptWidth)
	if strings.TrimSpace(excerpt) == "" {
		return err
	}
	return &pointed{err, []string{"  " + visible(excerpt), "  " + carets}}
}

// A pointed error has lines below it that show the place.
type pointed struct {
	error
	lines []string
}

// Unwrap gives the error without the lines.
func (e *pointed) Unwrap() error { return e.error }

// printLines writes the lines of an error that has some.
func (p *program) printLines(err error) {
	var e *pointed
	if errors.As(err, &e) {
		fmt.Fprintln(p.stderr, strings.Join(e.lines, "\n"))
	}
}

// names are what filters can name here.
func (pl *plan) names() *filter.Names {
	if pl.settings.events {
		return filter.Events(pl.protocols)
	}
	return filter.Records(pl.protocols)
}

// compileFilter checks -Y before any file is opened.
func (pl *plan) compileFilter() error {
	if pl.bench.filter == "" {
		return nil
	}
	f, err := pl.names().Compile(pl.bench.filter)
	if err != nil {
		return filterError("-Y", err)
	}
	pl.display = f
	pl.linked = pl.linked || f.NeedsLink()
	return nil
}

// takeFilter finds the filter among the arguments: the last one, if it is no file and reads as a filter, as tshark
// has it. What can only be meant as a filter and is none is an error.
func (p *program) takeFilter(s *settings, inputs []string, names *filter.Names) ([]string, error) {
	if s.bench.filter != "" || len(inputs) < 2 {
		return inputs, nil
	}
	last := inputs[len(inputs)-1]
	if _, err := os.Stat(last); last == standardInput || !errors.Is(err, fs.ErrNotExist) {
		return inputs, nil
	}
	_, err := names.Compile(last)
	switch {
	case err == nil:
		s.bench.filter = last
		return inputs[:len(inputs)-1], nil
	case strings.ContainsAny(last, "<>=!&|()\"{}") || strings.Contains(last, " ") && !strings.ContainsAny(last, `/\`):
		return nil, filterError("no such file, and as a filter", err)
	}
	return inputs, nil
}

// before is the engine's Before. With --frames the summary counts what was selected, so that all of it is dissected.
func (pl *plan) before() func(*dissect.Routed) dissect.Fate {
	if pl.display == nil || len(pl.frames) > 0 {
		return nil
	}
	return pl.display.Before()
}

// An accepter decides for each worker whether a record is shown. Of a record's events it leaves those that fit.
type accepter struct {
	events   bool
	matchers []*filter.Matcher // by worker
}

// newAccepter gives nil where there is no filter: then everything is shown.
func (pl *plan) newAccepter() *accepter {
	if pl.display == nil {
		return nil
	}
	a := &accepter{events: pl.settings.events}
	for range pl.workers.value {
		a.matchers = append(a.matchers, pl.display.Matcher())
	}
	return a
}

func (a *accepter) accepts(worker int, rec *dissect.Record) bool {
	switch {
	case a == nil:
		return true
	case !a.events:
		return a.matchers[worker].Match(rec)
	}
	m, events := a.matchers[worker], &rec.Events
	left := 0 // nodes that stay: they move to the front, as the record is used up after this
	for i := 0; i < len(events.Nodes); {
		end := int(events.Nodes[i].End)
		if m.MatchEvent(rec, i) {
			kept := copy(events.Nodes[left:], events.Nodes[i:end])
			for n := left; n < left+kept; n++ {
				events.Nodes[n].End -= int32(i - left)
			}
			left += kept
		}
		i = end
	}
	events.Nodes = events.Nodes[:left]
	return left > 0
}
