package command

import (
	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/internal/report"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/view/gamemap"
	"github.com/q3dissect/q3dissect/dissect/view/outliers"
)

const momentsHelp = `q3dissect moments lists where each player's aim, shots, movement and commands
are most unusual: ten moments of each measure, with frame or demo message.

  q3dissect moments demo.dm_68                    all players
  q3dissect moments demo.dm_68 --player Sarge     or by number: '#3'
  q3dissect moments capture.pcap --json | jq 'select(.measure=="snap_return")'

Unusual is not forbidden: the moments are places to look at. docs/input.md
describes the measures, and what is usual for people and for bots.
`

const momentsVerb = "moments"

// newMomentsCommand makes the verb moments: the statistic of that name by itself.
func newMomentsCommand(p *program) *cobra.Command {
	s, d := run.NewSettings(), &documents{}
	player, maps := "", input.Places{Holds: report.IsMap}
	cmd := &cobra.Command{
		Use:   momentsVerb + " [FLAGS] FILE... [FILTER]",
		Short: "where play is most unusual, by player",
		Long:  momentsHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			inputs, err := s.TakeFilter(s.Inputs(args), filter.Records(p.protocols))
			if err != nil {
				return err
			}
			s.Quiet = true
			s.Statistics, s.RowsCount = []string{momentsVerb}, true
			if player != "" {
				s.Statistics[0] += "," + player
			}
			if s.Walls, err = p.walls(maps.Names); err != nil {
				return err
			}
			return p.printMoments(s, *d, inputs)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&player, "player", "", "`NAME` of a player, or his number as '#3'; else all")
	f.Var(&maps, "map", "`FILE`: BSP, pk3 or a folder with them, for what walls hide, beside a map that the input carries; repeatable")
	f.BoolVar(&s.JSON, "json", false, "one JSON object per moment")
	f.StringVarP(&s.Format, "format", "T", "", "text, csv or markdown")
	f.StringVar(&s.Color, "color", "auto", "`WHEN`: auto, always or never")
	s.FilterFlags(f)
	s.ChoiceFlags(f)
	s.InputFlags(f, "there was no moment")
	f.BoolVar(&d.schema, "schema", false, "print the JSON Schema of the moments")
	for _, name := range []string{"line-buffered", "workers"} {
		f.Lookup(name).Hidden = true // the measures take the records one by one
	}
	help.MarkMain(f, "player", "map", "json", "display-filter", "schema")
	return cmd
}

// printMoments runs the verb.
func (p *program) printMoments(s *run.Settings, d documents, inputs []string) error {
	switch {
	case d.schema && len(inputs) > 0:
		return exit.Usagef("--schema reads no file, but %s is given", inputs[0])
	case d.schema:
		return p.statisticSchema([]string{momentsVerb})
	case len(inputs) == 0:
		return exit.Usagef("no input: name a capture or demo file, or - for standard input")
	}
	pl, err := run.NewPlan(p.Console, p.protocols, s)
	if err != nil {
		return err
	}
	return pl.Run(inputs)
}

// walls returns the function that finds what is solid in the maps of --map; nil if there are none.
func (p *program) walls(names []string) (func(string) outliers.Clear, error) {
	var maps gamemap.Library
	for _, name := range names {
		switch err := maps.AddPath(name); {
		case report.IsNoFile(err):
			return nil, exit.Usagef("--map %s: %v", name, err)
		case err != nil:
			return nil, exit.Unwritable(name, err)
		}
	}
	return maps.Walls(func(err error) { p.Complain(err.Error()) }), nil
}
