// Package report makes one page of captures and demos: it asks the statistics and pictures of dissect/view in one pass,
// says in sentences what came of them, and puts all of it with the parts of cmd/internal/web into one file.
package report

import (
	"maps"
	"os"
	"slices"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/evidence"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/pictures"
)

// Options say what is shown.
type Options struct {
	Secrets bool
	Filter  string // of -Y, which is said in the report
	Map     string // file of --map; "" for none
}

// A Report takes the records of all inputs. It is the view.Statistic and the run.Exporter of the verb.
type Report struct {
	opts     Options
	document document
	now      *collector // of the present input
}

// asked are the statistics in a report. Those of loss come with the pictures.
var asked = [...]string{"match", "players", "proto", "fields", "input", "rcon", "drdos", "servers", "expert"}

// New begins. The error is that of the map.
func New(o Options) (*Report, error) {
	r := &Report{opts: o}
	r.document = document{SchemaVersion: schemaVersion, Secrets: o.Secrets, Filter: o.Filter}
	if o.Map != "" {
		p, err := readPlan(o.Map)
		if err != nil {
			return nil, err
		}
		r.document.Plan = p
	}
	return r, nil
}

// Needs are what the records must have been made with.
func Needs() view.Needs {
	needs := pictures.Needs()
	for _, name := range asked {
		kind, _, err := view.Find(name)
		if err != nil {
			panic(err) // the names stand above
		}
		needs.Link = needs.Link || kind.Needs.Link
	}
	return needs
}

// A collector takes the records of one input.
type collector struct {
	name       string
	statistics map[string]view.Statistic
	pictures   *pictures.Collector
	catalogue  *view.Catalogue
	file       file
	protocols  map[string]uint64
}

// Prepare begins an input.
func (r *Report) Prepare(_ *dissect.Config, name string, _ bool) {
	c := &collector{
		name: name, statistics: map[string]view.Statistic{}, pictures: pictures.New(pictures.Options{Secrets: r.opts.Secrets}),
		catalogue: view.NewCatalogue(), protocols: map[string]uint64{},
	}
	env := view.Env{Secrets: r.opts.Secrets}
	for _, name := range asked {
		kind, _, _ := view.Find(name)
		s, err := kind.New(nil, &env)
		if err != nil {
			panic(err) // none of them takes arguments
		}
		c.statistics[name] = s
	}
	r.now = c
}

// Add takes a record.
func (r *Report) Add(rec *dissect.Record) {
	c := r.now
	file := rec.File
	rec.File = "" // every input has statistics of its own
	defer func() { rec.File = file }()
	c.pictures.Add(rec)
	c.catalogue.Add(rec)
	for _, name := range asked {
		if !rec.Closing || name == "match" || name == "players" || name == "rcon" || name == "input" {
			c.statistics[name].Add(rec)
		}
	}
	if rec.Closing || rec.Protocol == nil {
		return
	}
	c.file.Game++
	c.file.Recording = c.file.Recording || rec.Recorded()
	if rec.MessageDone {
		c.file.Messages++
	}
	if rec.Damaged {
		c.file.Damaged++
	}
	name := rec.Protocol.Name()
	if rec.Reading != nil {
		name = rec.Reading.Reader.Name() + " over " + name
	}
	c.protocols[name]++
}

// Tables gives nothing: the report is a page.
func (r *Report) Tables() []view.Table { return nil }

// EndInput completes an input.
func (r *Report) EndInput() error {
	if r.now == nil {
		return nil
	}
	c := r.now
	r.now = nil
	f := &c.file
	f.Name, f.Statistics = c.name, map[string]*table{}
	f.Protocols = slices.SortedFunc(maps.Keys(c.protocols), func(a, b string) int { return int(c.protocols[b]) - int(c.protocols[a]) })
	for name, s := range c.statistics {
		f.Statistics[name] = tableOf(&s.Tables()[0])
	}
	loss := c.pictures.Loss()
	f.Statistics["loss"] = tableOf(&loss)
	f.Pictures = c.pictures.Data()
	about := view.CatalogueFile{Name: c.name, Demo: f.Recording}
	if info, err := os.Stat(c.name); err == nil {
		about.Modified = info.ModTime()
	}
	f.Matches = f.matches(c.catalogue.Listings(about))
	f.Words, f.Unknown = f.sentences(), f.unknown()
	r.document.Files = append(r.document.Files, f)
	return nil
}

// Witness takes which bytes were read.
func (r *Report) Witness(e *evidence.Evidence) { r.document.Evidence = e }

// Empty reports whether no input could be read.
func (r *Report) Empty() bool { return len(r.document.Files) == 0 }
