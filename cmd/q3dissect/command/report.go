package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/internal/report"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/evidence"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
)

const reportHelp = `q3dissect report writes a self-contained HTML report of captures and demos.

  q3dissect report -o report.html demo.dm_68
  q3dissect report -o report.html server.pcap client.pcap
  q3dissect report -o report.html capture.pcap -Y 'stream == 3'
  q3dissect report -o report.html client.pcap server.pcap --compare

Matches and scores, a time line, the map with all paths, how messages
travelled, where the bits go, input, queries, chat, and which bytes were read.
The file opens from disk in any browser and loads nothing from a network. Each
picture has its numbers as a table and as CSV. docs/report.md goes through it.
`

// reportFlags are those of the verb.
type reportFlags struct {
	output  output.Name
	maps    input.Places
	compare bool
}

// A reportRun is a report that takes the evidence of a run.
type reportRun struct{ *report.Report }

func (r reportRun) TakeEvidence(e *evidence.Evidence) { r.SetEvidence(e) }

func (r reportRun) EndInput(lacks incomplete.List) error {
	r.AddIncomplete(lacks)
	return r.Report.EndInput()
}

// newReportCommand makes the verb report.
func newReportCommand(p *program) *cobra.Command {
	s, o := run.NewSettings(), &reportFlags{maps: input.Places{Holds: report.IsMap}}
	cmd := &cobra.Command{
		Use:   "report [FLAGS] -o FILE FILE... [FILTER]",
		Short: "a self-contained HTML report",
		Long:  reportHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			inputs, err := s.TakeFilter(s.Inputs(args), filter.Records(p.protocols))
			if err != nil {
				return err
			}
			return p.writeReport(s, o, inputs)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.VarP(&o.output, "output", "o", "`FILE`: the page; - is standard output")
	f.Var(&o.maps, "map", "`FILE`: map to draw below the paths: BSP, pk3, Teeworlds map, or a folder with them; repeatable")
	f.BoolVar(&o.compare, "compare", false, "captures of one path: loss and delay from each to the next")
	f.BoolVar(&s.Secrets, "show-secrets", false, "include passwords in the page")
	f.BoolVarP(&s.Quiet, "quiet", "q", false, "no summary: errors only")
	f.StringVarP(&s.Filter, "display-filter", "Y", "", "`FILTER`: use matching records only; -Y may be left out for the last argument")
	s.ChoiceFlags(f)
	s.InputFlags(f, "there was no game datagram")
	for _, name := range []string{"line-buffered", "workers"} {
		f.Lookup(name).Hidden = true // the pictures take the records one by one
	}
	help.MarkMain(f, "output", "display-filter", "show-secrets")
	return cmd
}

// check refuses inputs and flags that make no report.
func (o *reportFlags) check(s *run.Settings, inputs []string) error {
	switch {
	case len(inputs) == 0:
		return exit.Usagef("no input: name a capture or demo file, or - for standard input")
	case o.output == "":
		return exit.Usagef("-o is missing: the file to write to")
	case !o.compare:
		return nil
	}
	if err := checkCompared(inputs); err != nil {
		return err
	}
	if s.Filter != "" {
		return exit.Usagef("--compare is about all datagrams of the captures; leave the filter out")
	}
	return nil
}

// writeReport is what the verb does.
func (p *program) writeReport(s *run.Settings, o *reportFlags, inputs []string) error {
	if err := o.check(s, inputs); err != nil {
		return err
	}
	r := report.New(report.Options{Secrets: s.Secrets, Filter: s.Filter})
	for _, name := range o.maps.Names {
		switch err := r.AddMap(name); {
		case report.IsNoFile(err):
			return exit.Usagef("--map %s: %v", name, err)
		case err != nil:
			return exit.Unwritable(name, err)
		}
	}
	s.Color = "never" // the run itself prints no records
	pl, err := run.NewPlan(p.Console, p.protocols, s)
	if err != nil {
		return err
	}
	pl.CollectIn(r, report.Needs(), reportRun{r})
	err = pl.Run(inputs)
	var status *exit.Error
	if err != nil && (!errors.As(err, &status) || !pl.ReadAny()) {
		return err
	}
	if o.compare {
		results, fault := p.comparePlaces(inputs, true) // faults were reported by the run
		if results == nil {
			p.Complain("--compare: not every input is a capture that can be read")
			return exit.With(fault)
		}
		r.SetPaths(results)
	}
	why := ": no game datagram of a known protocol in it, and nothing for the report to show"
	if s.Filter != "" || s.Window.Given() || len(s.Frames) > 0 {
		why = ": no game datagram of a known protocol is chosen, and nothing for the report to show"
	}
	for _, name := range r.WithoutGames() {
		if s.Quiet {
			break
		}
		p.Complain(name + why)
	}
	if failed := p.saveReport(o.output, r); failed != nil {
		return failed
	}
	return err
}

// saveReport writes the page. One that shows nothing replaces none. A pipe that its reader closed is no fault.
func (p *program) saveReport(name output.Name, r *report.Report) error {
	file, err := name.Create(p.Console)
	if err != nil {
		return exit.Unwritable(string(name), err)
	}
	if r.Inputs() == len(r.WithoutGames()) && file.Replaces() {
		file.Drop()
		p.Complain(string(name) + ": stays as it was, as there is nothing to show")
		return nil
	}
	if err = r.Write(file); err == nil {
		err = file.Commit()
	} else {
		file.Drop()
	}
	if err != nil && !exit.IsClosedPipe(err) {
		return exit.Unwritable(string(name), err)
	}
	return nil
}
