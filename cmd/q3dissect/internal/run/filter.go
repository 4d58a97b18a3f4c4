package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/jq"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// FilterFlags declares the flags that select or transform records or events.
func (s *Settings) FilterFlags(f *pflag.FlagSet) {
	f.StringVarP(&s.Filter, "display-filter", "Y", "",
		"`FILTER` of records or events; -Y may be left out for the last argument")
	f.StringVar(&s.JQ, "jq", "", "run a jq `PROGRAM` on each record or event")
}

// Objects returns the keys of the protocols' objects in records.
func Objects(protocols []*dissect.Protocol) []string {
	var keys []string
	for _, known := range protocols {
		keys = append(keys, known.Name)
	}
	return keys
}

// chooseObjects prepares -O, which is -V with the objects of some protocols.
func (pl *plan) chooseObjects() error {
	known := Objects(pl.protocols)
	for _, given := range pl.Only {
		for key := range strings.SplitSeq(given, ",") {
			if !slices.Contains(known, key) {
				return exit.Usagef("-O: no protocol is called %q; %s", key, schema.Choices(key, known))
			}
			pl.tables.Only = append(pl.tables.Only, key)
		}
	}
	pl.Table = pl.Table || len(pl.Only) > 0
	return nil
}

// expandFields replaces each name of -e that ends in .* by the leaves below, unless the name is itself a
// field's: stats.* and info.* are.
func expandFields(fields []string, protocols []*dissect.Protocol) ([]string, error) {
	if !slices.ContainsFunc(fields, func(f string) bool { return strings.HasSuffix(f, ".*") }) {
		return fields, nil
	}
	list := schema.ListFields(protocols, false)
	var all []string
	for _, name := range fields {
		prefix, ok := strings.CutSuffix(name, "*")
		if !ok || slices.ContainsFunc(list, func(f schema.FieldInfo) bool { return f.Path == name }) {
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
			return nil, exit.Usagef("-e: there is no field below %s", strings.TrimSuffix(prefix, "."))
		}
	}
	return all, nil
}

// names are the names that filters can use here.
func (pl *plan) names() *filter.Names { return pl.namesOf(pl.protocols) }

// Compile checks --jq before any file is opened.
func (pl *plan) compileJQ() (err error) {
	if pl.Settings.JQ != "" {
		pl.query, err = jq.Compile(pl.Settings.JQ, terminal.Is(pl.Stdout))
		pl.note(schema.JQHints(pl.Settings.JQ))
	}
	return err
}

// compileFilter checks -Y before any file is opened.
func (pl *plan) compileFilter() error {
	if pl.Settings.Filter == "" {
		return nil
	}
	f, err := pl.names().Compile(pl.Settings.Filter)
	if err != nil {
		return exit.FilterError("-Y", err)
	}
	pl.display = f
	pl.needs(f)
	return nil
}

// needs prepares for a filter.
func (pl *plan) needs(f *filter.Filter) {
	pl.linked, pl.framed = pl.linked || f.NeedsLink(), pl.framed || f.NeedsRaw()
	pl.framing = pl.framing || f.NeedsFraming()
	pl.note(f.Notes())
}

// TakeFilter finds the filter among the arguments: the last ones that are not files and, with blanks between them, are
// a filter, as in tshark. Arguments that can only be meant as a filter, but are none, are an error.
func (s *Settings) TakeFilter(inputs []string, names *filter.Names) ([]string, error) {
	first := len(inputs)
	for first > 0 && missing(inputs[first-1]) {
		first--
	}
	if s.Filter != "" {
		return inputs, splitFilter(inputs[first:])
	}
	if first = max(first, 1); first >= len(inputs) {
		return inputs, nil
	}
	for at := first; at < len(inputs); at++ {
		text := strings.Join(inputs[at:], " ")
		if _, err := names.Compile(text); err == nil {
			s.Filter = text
			return inputs[:at], nil
		}
	}
	if text := strings.Join(inputs[first:], " "); splitFilter(inputs[first:]) != nil {
		_, err := names.Compile(text)
		return nil, exit.FilterError("not files; as a filter", err)
	}
	last := inputs[len(inputs)-1]
	if strings.ContainsAny(last, "<>=!&|()\"{}") || strings.Contains(last, " ") && !strings.ContainsAny(last, `/\`) ||
		first == len(inputs)-1 && !missing(inputs[0]) && fieldLike(last) {
		_, err := names.Compile(last)
		return nil, exit.FilterError("not a file; as a filter", err)
	}
	return inputs, nil
}

// fieldLike reports whether an argument looks like a field rather than a file: a word without the ending of a capture,
// a demo or a number.
func fieldLike(argument string) bool {
	const letters, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
	if argument == "" || !strings.Contains(letters, argument[:1]) || strings.Trim(argument, letters+digits+"_.") != "" {
		return false
	}
	ending := strings.TrimPrefix(filepath.Ext(argument), ".")
	return (ending == "" || strings.Trim(ending, digits) != "") && !strings.HasSuffix(argument, ".") &&
		!strings.HasPrefix(ending, "dm_") && !slices.Contains(fileEndings, ending)
}

// fileEndings are endings of names that are meant as files.
var fileEndings = []string{
	"pcap", "pcapng", "cap", "ntar", "snoop", "gz", "zst", "lz4", "bz2", "xz", "zip", "demo", "gho", "teehistorian",
	"json", "ndjson", "jsonl", "csv", "txt", "log", "hex", "bin", "html", "parquet",
}

// missing reports whether an argument names nothing that is there.
func missing(argument string) bool {
	_, err := os.Stat(argument)
	return argument != input.Standard && errors.Is(err, fs.ErrNotExist)
}

// splitFilter refuses words of a filter that the shell divided, for lack of quotes.
func splitFilter(words []string) error {
	for _, word := range words {
		if filter.IsOperator(word) {
			return exit.Usagef("%s is no file: put all of the filter in one pair of quotes", word)
		}
	}
	return nil
}

// before is the engine's Before. With --frames the summary counts the selected packets, so all of them are
// dissected; events have numbers of matches, which count those of all streams.
func (pl *plan) before() func(*engine.Routed) engine.Fate {
	if len(pl.Frames) > 0 || pl.Settings.Events {
		return nil
	}
	var before func(*engine.Routed) engine.Fate
	if pl.display != nil {
		before = pl.display.Before()
	}
	if !pl.Window.Given() {
		return before
	}
	return func(r *engine.Routed) engine.Fate {
		fate := engine.Shown
		if before != nil {
			fate = before(r)
		}
		if fate == engine.Shown && !r.Recorded() && !pl.Window.Has(r.Time, r.FirstTime, r.HasTime) {
			fate = engine.StateOnly
		}
		return fate
	}
}

// An accepter decides for each worker whether a record is shown, and removes the events that do not match.
type accepter struct {
	events   bool
	window   *flags.Window
	matchers []*filter.Matcher // by worker; nil: no filter
	times    []gameTimes       // by worker; nil: no window
}

// newAccepter makes the accepter of an engine. It is nil without a filter or a window: then everything is shown.
func (r *pass) newAccepter() *accepter {
	pl := r.plan
	if r.accepter = nil; pl.display == nil && !pl.Window.Given() {
		return nil
	}
	a := &accepter{events: pl.Settings.Events, window: &pl.Window}
	r.accepter = a
	if pl.Window.Given() {
		a.times = make([]gameTimes, pl.Workers.Value)
	}
	for range pl.Workers.Value {
		if pl.display == nil {
			break
		}
		a.matchers = append(a.matchers, pl.display.Matcher())
	}
	return a
}

func (a *accepter) accepts(worker int, rec *dissect.Record) bool {
	switch {
	case a == nil:
		return true
	case !a.recorded(rec) && !a.inWindow(worker, rec):
		return false
	case a.matchers == nil && !a.recorded(rec):
		return true
	case !a.events:
		return a.matchers[worker].Match(rec)
	}
	events := &rec.Events
	left := 0 // nodes that stay: they move to the front, since the record is not used after this
	for i := 0; i < len(events.Nodes); {
		end := int(events.Nodes[i].End)
		if a.acceptsEvent(worker, rec, i) {
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

// inWindow reports whether the window has a record.
func (a *accepter) inWindow(worker int, rec *dissect.Record) bool {
	switch {
	case !a.window.Given():
		return true
	case rec.Recorded():
		return a.times[worker].has(a.window, rec)
	}
	return a.window.Has(rec.Time, rec.FirstTime, rec.HasTime)
}

// recorded reports whether the window selects a record's events by the clocks of the game.
func (a *accepter) recorded(rec *dissect.Record) bool {
	return a.events && a.window.Given() && rec.Recorded()
}

// acceptsEvent decides about one event, by its node.
func (a *accepter) acceptsEvent(worker int, rec *dissect.Record, node int) bool {
	return (!a.recorded(rec) || a.hasEvent(worker, rec, node)) &&
		(a.matchers == nil || a.matchers[worker].MatchEvent(rec, node))
}

// hasEvent reports whether the window has an event of a recording.
func (a *accepter) hasEvent(worker int, rec *dissect.Record, node int) bool {
	server, match := int64(-1), int64(-1)
	if n := rec.Events.Child(node, &dissect.EventServerTime); n >= 0 {
		server = rec.Events.Nodes[n].Int()
	}
	if e := rec.Events.At(node).Get("match_time"); e.Exists() {
		match = e.Int()
	}
	return a.times[worker].choose(a.window, server, match)
}
