package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/races"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// runContext is how much of the game a demo of a run has before and after it, in milliseconds.
const runContext = 1000

// runFlags are the flags that choose runs of races.
type runFlags struct {
	run    runNumber
	rank   bool
	chosen map[string]races.Run // by file
}

func (r *runFlags) add(f *pflag.FlagSet) {
	f.Var(&r.run, "run", "`best` or a number: a demo of the run of that rank, for each map, with a second before and after")
	f.BoolVar(&r.rank, "rank", false, "list all runs by map and time, and write no demo")
}

// given reports whether runs are wanted.
func (r *runFlags) given() bool { return r.rank || r.run > 0 }

// find returns the inputs that demos are made of: those with the chosen runs, or all if none are asked for. nil: there
// is nothing to write. The status is that of the search.
func (r *runFlags) find(p *program, s *run.Settings, e *demoExport, inputs []string) (
	files []string, status int, err error,
) {
	switch {
	case !r.given():
		return inputs, exit.Done, nil
	case r.rank && r.run > 0:
		return nil, 0, exit.Usagef("--rank lists runs, and --run makes a demo of one: give one of them")
	case e.from.given || e.to.given:
		return nil, 0, exit.Usagef("--from and --to choose a part, and so does a run")
	case slices.Contains(inputs, input.Standard):
		return nil, 0, exit.Usagef("runs are looked for before the demo is made: standard input can be read only once")
	}
	paths, unread := p.paths(inputs)
	interrupt := &input.Interrupt{}
	defer interrupt.Watch(false)()
	search := races.Search{
		Protocols: p.protocols, Workers: int(s.Workers.Value), Player: e.player, Most: int(r.run), Complain: p.Complain,
		Interrupt: interrupt,
	}
	if terminal.Is(p.Stderr) && !s.Quiet {
		search.Progress = input.NewFileProgress(p.Stderr, len(paths))
	}
	runs, status := search.Find(paths)
	status = max(status, unread)
	if r.rank {
		out := races.AppendJSON(nil, runs)
		if !s.JSON {
			out = races.AppendText(nil, runs, table.Style{Width: terminal.Width(p.Stdout)})
		}
		return nil, status, p.Print(out)
	}
	r.chosen = map[string]races.Run{}
	for _, one := range races.Choose(runs, int(r.run)) {
		if _, there := r.chosen[one.File]; !there {
			files = append(files, one.File)
			r.chosen[one.File] = one
		}
	}
	if len(files) == 0 {
		p.Complain(fmt.Sprintf("no run of rank %d in %s", int(r.run), quantity.Count(len(paths), "file")))
		if s.ExitStatus && status == exit.Done {
			status = exit.NoMatch
		}
	}
	return files, status, nil
}

// limit sets the part of an input that has the chosen run.
func (r *runFlags) limit(part *extract.DemoRange, file string) {
	if one, ok := r.chosen[file]; ok {
		if one.Start != nil {
			part.From, part.HasFrom = int32(*one.Start-runContext), true
		}
		part.To, part.HasTo = int32(one.Finish+runContext), true
		part.Player = one.Raw()
	}
}

// A runNumber is the value of --run: a rank, from 1. 0: none.
type runNumber int

func (n *runNumber) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

func (n *runNumber) Set(s string) error {
	if s == "best" {
		*n = 1
		return nil
	}
	rank, err := strconv.ParseUint(s, 10, 31)
	if err != nil || rank == 0 {
		return errors.New("want best, or a rank from 1")
	}
	*n = runNumber(rank)
	return nil
}

func (n *runNumber) Type() string { return "RANK" }
