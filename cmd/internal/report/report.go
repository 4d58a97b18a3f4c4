// Package report makes one page of captures and demos: it asks the statistics and pictures of dissect/view in one pass,
// sums the results up in sentences, and puts all of it with the parts of cmd/internal/web into one file.
package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/gamemap"
	"github.com/q3dissect/q3dissect/dissect/view/mapfiles"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// Options set what is shown.
type Options struct {
	Secrets bool
	Filter  string // of -Y, which is said in the report
	Echarts []byte // the library of plots; nil: web.Echarts, which a browser does not have
}

// A Report takes the records of all inputs. It is the view.Statistic and the run.Exporter of the verb.
type Report struct {
	opts     Options
	document document
	maps     gamemap.Library // of AddMap
	now      *collector      // of the present input
}

// asked are the statistics in a report, and whether they take closing records. Those of loss come with the pictures.
var asked = [...]struct {
	name    string
	closing bool
}{
	{"match", true},
	{"players", true},
	{"proto", false},
	{"fields", false},
	{"input", true},
	{"moments", false},
	{shots, false},
	{"rcon", true},
	{drdos, false},
	{"servers", false},
	{"expert", false},
}

// drdos is the statistic that takes packets quoted by ICMP errors.
const drdos = "drdos"

// New begins.
func New(o Options) *Report {
	return &Report{opts: o, document: document{SchemaVersion: schemaVersion, Secrets: o.Secrets, Filter: o.Filter}}
}

// AddMap adds a place where maps are looked for, before those that the inputs carry: a map file, a pk3 file or a
// folder.
func (r *Report) AddMap(name string) error { return r.maps.AddPath(name) }

// IsNoFile reports whether an error of AddMap means that the name is that of a device or a pipe.
func IsNoFile(err error) bool { return errors.Is(err, gamemap.ErrNoFile) }

// IsMap reports whether a file is looked at in a folder of AddMap.
func IsMap(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".bsp", ".map", ".pk3":
		return true
	}
	return false
}

// Needs are what the records must have been made with.
func Needs() view.Needs {
	needs := timeline.Needs()
	for _, one := range asked {
		kind, _, err := view.Find(one.name)
		if err != nil {
			panic(err) // the names are constants above
		}
		needs.Link = needs.Link || kind.Needs.Link
		needs.Quotes = needs.Quotes || kind.Needs.Quotes
		needs.Shots = needs.Shots || kind.Needs.Shots
	}
	return needs
}

// A collector takes the records of one input.
type collector struct {
	name       string
	statistics [len(asked)]view.Statistic
	pictures   *timeline.Collector
	catalogue  *catalogue.Catalogue
	file       file
	protocols  map[string]*protocolCount
	text       []byte
	carried    mapfiles.Maps
}

// Prepare begins an input.
func (r *Report) Prepare(cfg *engine.Config, name string, _ bool) {
	cfg.Options.Files, cfg.Options.Scenes, cfg.Options.Shots, cfg.Quotes = true, true, true, true
	c := &collector{
		name: name, pictures: timeline.New(timeline.Options{Secrets: r.opts.Secrets, Replay: true}),
		catalogue: catalogue.New(),
		protocols: map[string]*protocolCount{},
	}
	env := view.Env{Secrets: r.opts.Secrets, Walls: r.maps.Walls(func(error) {})} // draw reports it
	for i := range asked {
		kind, _, _ := view.Find(asked[i].name)
		env.Rows = maxRows
		if asked[i].name == shots {
			env.Rows = 4 * maxShots // those of unknown rules are not shown
		}
		s, err := kind.New(nil, &env)
		if err != nil {
			panic(err) // none of them takes arguments
		}
		c.statistics[i] = s
	}
	r.now = c
}

// Add takes a record.
func (r *Report) Add(rec *dissect.Record) {
	c := r.now
	file := rec.File
	rec.File = "" // every input has statistics of its own
	defer func() { rec.File = file }()
	quoted := rec.Quote != nil // no datagram of its own
	for i, s := range c.statistics {
		if quoted && asked[i].name == drdos || !quoted && (!rec.Closing || asked[i].closing) {
			s.Add(rec)
		}
	}
	if quoted {
		return
	}
	c.pictures.Add(rec)
	c.catalogue.Add(rec)
	c.carried.Add(rec)
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
	if rec.Unsupported {
		c.file.unsupported++
	}
	c.count(rec)
}

// A protocolCount is how many records a protocol has, and the game of them, where it is known.
type protocolCount struct {
	records uint64
	game    string
}

// maxProtocols is how many protocols and versions are named; a version may be any number that a client sends.
const maxProtocols = 200

// count counts a record of a protocol and version.
func (c *collector) count(rec *dissect.Record) {
	c.text = render.AppendProtocolCell(c.text[:0], rec)
	if rec.Reading != nil {
		c.text = append(append(append(c.text[:0], rec.Reading.Reader.Name...), " over "...), rec.Protocol.Name...)
	}
	p := c.protocols[string(c.text)]
	if p == nil && len(c.protocols) >= maxProtocols {
		return
	}
	if p == nil {
		p = new(protocolCount)
		c.protocols[string(c.text)] = p
	}
	p.records++
	if p.game == "" && p.records < 5000 {
		if game := rec.Root().Get("game"); game.Exists() {
			p.game = game.String()
		}
	}
}

// spoken returns the protocols, the most frequent first.
func (c *collector) spoken() []string {
	list := slices.SortedFunc(maps.Keys(c.protocols), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.protocols[b].records, c.protocols[a].records), cmp.Compare(a, b))
	})
	list = slices.DeleteFunc(list, func(name string) bool { // what belongs to no session has no version
		return slices.ContainsFunc(list, func(other string) bool { return strings.HasPrefix(other, name+" ") })
	})
	for i, name := range list {
		list[i] = protocolName(name, c.protocols[name].game)
	}
	return list
}

// AddIncomplete adds what the present input did not give, before EndInput.
func (r *Report) AddIncomplete(lacks incomplete.List) {
	lacks = lacks.Missing()
	r.document.Incomplete = append(r.document.Incomplete, lacks...)
	if r.now != nil {
		r.now.file.lacks = append(r.now.file.lacks, lacks...)
	}
}

// Tables returns nothing: the report is a page.
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
	f.Protocols = append([]string{}, c.spoken()...) // a list in JSON, where there is none, too
	for i, s := range c.statistics {
		t := &s.Tables()[0]
		if asked[i].name == shots {
			t = ruled(t)
		}
		f.Statistics[asked[i].name] = tableOf(t)
		c.statistics[i] = nil // it may be large
	}
	loss := c.pictures.Loss()
	f.Statistics["loss"] = tableOf(&loss)
	f.Pictures = c.pictures.Data()
	about := catalogue.File{Name: c.name, Demo: f.Recording}
	if info, err := os.Stat(c.name); err == nil {
		about.Modified = info.ModTime()
	}
	f.Matches = f.matches(c.catalogue.Listings(about))
	f.Words, f.Unknown = f.sentences(), f.unknown()
	r.draw(f, &c.carried)
	r.document.Files = append(r.document.Files, f)
	return nil
}

// draw finds the maps that are played in a file: in what --map names, else in what the input carries.
func (r *Report) draw(f *file, c *mapfiles.Maps) {
	own := c.Library()
	type question struct {
		mapName string
		alone   bool
	}
	asked := map[question]bool{}
	for _, g := range f.Pictures.Games {
		for _, m := range g.Maps {
			q := question{m.Name, len(g.Maps) == 1}
			if _, known := f.Plans[m.Name]; known || asked[q] || len(f.Plans) >= maxPlans {
				continue
			}
			if len(asked) >= maxMaps {
				f.tell("More than %d maps are played: the others were not looked for.", maxMaps)
				continue
			}
			asked[q] = true
			p, err := r.maps.Find(q.mapName, q.alone)
			if p == nil && err == nil {
				p, err = own.Find(q.mapName, q.alone)
			}
			switch {
			case err != nil:
				f.tell("The map %s is not drawn: %v.", m.Name, err)
			case p != nil:
				if f.Plans == nil {
					f.Plans = map[string]int{}
				}
				f.Plans[m.Name] = r.place(p)
			case !r.maps.Empty():
				f.tell("The map %s is not among those of --map.", m.Name)
			}
		}
	}
	if c.Dropped > 0 {
		f.tell("There was no place for %d of the files that the input carries: no map was looked for in them.", c.Dropped)
	}
}

// tell adds a sentence about what is not known, once.
func (f *file) tell(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(f.Unknown, s) {
		f.Unknown = append(f.Unknown, s)
	}
}

const (
	// maxPlans is how many maps of an input are drawn.
	maxPlans = 20
	// maxMaps is how many are looked for: each look may read a large archive.
	maxMaps = 100
)

// place returns the index of a plan among those of the document.
func (r *Report) place(p *gamemap.Map) int {
	for i, q := range r.document.Plans {
		if reflect.DeepEqual(p, q) {
			return i
		}
	}
	r.document.Plans = append(r.document.Plans, p)
	return len(r.document.Plans) - 1
}

// SetEvidence sets what describes the bytes that were read: a value that becomes a JSON object with the fields of the
// file of --evidence.
func (r *Report) SetEvidence(evidence any) { r.document.Evidence = evidence }

// WithoutGames returns the names of the inputs that were read and have no datagram or message of a game.
func (r *Report) WithoutGames() (names []string) {
	for _, f := range r.document.Files {
		if f.Game == 0 {
			names = append(names, f.Name)
		}
	}
	return names
}

// Inputs returns the number of inputs that were read.
func (r *Report) Inputs() int { return len(r.document.Files) }

// Empty reports whether no input could be read.
func (r *Report) Empty() bool { return len(r.document.Files) == 0 }
