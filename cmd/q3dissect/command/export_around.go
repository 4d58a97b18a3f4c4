package command

import (
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/around"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// aroundFlags are the flags that choose parts around events.
type aroundFlags struct {
	filter        string
	before, after flags.Length
	search        *around.Search // nil: no parts are chosen
	files         []string       // that are read, those of folders too
}

func (a *aroundFlags) add(f *pflag.FlagSet) {
	f.StringVar(&a.filter, "around", "", "`FILTER` over events: a demo for each moment, overlapping ones joined")
	a.before, a.after = flags.Length(5*time.Second), flags.Length(3*time.Second)
	f.Var(&a.before, "before", "with --around: how long a demo begins before the event, `LENGTH` in seconds or as 500ms")
	f.Var(&a.after, "after", "with --around: how long it goes on after it, `LENGTH`")
}

// find looks for the events in a run of its own: what is wrong with the inputs is reported by the one that writes.
func (a *aroundFlags) find(p *program, s *run.Settings, e *demoExport, f *pflag.FlagSet, inputs []string) error {
	switch {
	case a.before < 0 || a.after < 0:
		return exit.Usagef("--before and --after are lengths of time: none is negative")
	case !f.Changed("around") && (f.Changed("before") || f.Changed("after")):
		return exit.Usagef("--before and --after need --around: before and after what?")
	case !f.Changed("around"):
		return nil
	case e.from.given || e.to.given || e.runs.given():
		return exit.Usagef("--around chooses parts, and so do --from, --to and runs: give one of them")
	case slices.Contains(inputs, input.Standard):
		return exit.Usagef("events are looked for before demos are made: standard input can be read only once")
	}
	events, err := filter.Events(p.protocols).Compile(a.filter)
	if err != nil {
		return exit.FilterError("--around selects events", err)
	}
	silent, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return exit.Unwritable(os.DevNull, err)
	}
	defer silent.Close()
	paths, _ := input.Files(p.Console, inputs, nil) // the run says what cannot be read
	for _, path := range paths {
		a.files = append(a.files, path.Name)
	}
	s.Recursive = true
	quiet := *s
	quiet.JSON, quiet.ExitStatus, quiet.Quiet, quiet.Color = false, false, true, "never"
	pl, err := run.NewPlan(&console.Console{Stdin: p.Stdin, Stdout: silent, Stderr: silent}, p.protocols, &quiet)
	if err != nil {
		return err
	}
	search := &around.Search{
		Filter: events, Rules: s.Highlights.Rules(a.filter), Before: time.Duration(a.before), After: time.Duration(a.after),
		Parts: map[string]map[int][]extract.DemoPart{},
	}
	pl.ExportTo(search)
	if err := pl.Run(inputs); exit.StatusOf(err) > exit.BrokenOff { // interrupted
		return err
	}
	a.search = search
	return nil
}

// limit sets the parts of an input.
func (a *aroundFlags) limit(part *extract.DemoRange, name string) {
	if a.search == nil {
		return
	}
	if part.Parts = a.search.Parts[name]; part.Parts == nil { // it was not read then
		part.Parts = map[int][]extract.DemoPart{}
	}
}

// note adds to the result what was found.
func (a *aroundFlags) note(x *exportResult) {
	switch {
	case a.search == nil:
	case a.search.Moments == 0:
		x.notes = append(x.notes, "no event matches --around "+a.filter)
	default:
		x.summary += ", around " + quantity.Count(a.search.Moments, "event")
		x.notes = append(x.notes, a.search.Notes...)
	}
}
