package command

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/around"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/demomaps"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

const exportDemoHelp = `q3dissect export demo writes what each client saw as demos that the game plays,
what a server of DDNet recorded (teehistorian) as a demo of everybody, and
parts of demos, mended.

  q3dissect export demo capture.pcap -o demos
  q3dissect export demo capture.pcap -o demos --from 2m10s --to 3m
  q3dissect export demo game.dm_68 -o cut --from 130000 --to 180000
  q3dissect export demo games/ -o kills --around 'killer.name contains "Sarge"'
  q3dissect export demo run.teehistorian.xz --map maps -o demos
  q3dissect export demo FOLDER --run best -o demos

A demo for every client and map: stream-session-map.dm_68, and manifest.json
with what it was made of, what is missing and the files' checksums. It begins
with the map's gamestate and the first full snapshot, as the client's own
does; where the capture has no gamestate, with what is known of it. With
--from it begins at that time, with a gamestate and snapshots put together
for it. A teehistorian file has places, aim, names and teams; the first line
of the chat and the manifest say what is worked out, and what is missing. The
map goes into the demo if --map or the folder of the file has it. --run takes
the fastest run of each map, or that of another rank, out of any number of
files; --rank lists them, with "saved" for the start of a run that began in
another game. A demo of Teeworlds or DDNet that is damaged becomes one that
plays: "repaired" and "lost" in the manifest say what is other than it was.
Captures of Teeworlds have no demos. --remove chat leaves out what players say.
`

// A demoExport holds the flags and the state of the verb export demo.
type demoExport struct {
	exportFolder
	from, to serverTime
	maps     input.Places
	player   string
	alone    bool
	runs     runFlags
	around   aroundFlags
	demos    *export.Demos
	sources  atomic.Bool // an input had messages that demos can be made of
}

func newExportDemoCommand(p *program) *cobra.Command {
	s, e := run.NewSettings(), &demoExport{maps: input.Places{Holds: isTeeworldsMap}}
	cmd := &cobra.Command{
		Use:   "demo [FLAGS] -o DIR FILE...",
		Short: "what each client saw, as demos that the game plays",
		Long:  exportDemoHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			inputs := s.Inputs(args)
			e.listing = e.runs.rank
			if err := e.check(s, inputs, "a capture or demo file"); err != nil {
				return err
			}
			if e.from.given && e.to.given && e.from.ms > e.to.ms {
				return exit.Usagef("--from %s is after --to %s", &e.from, &e.to)
			}
			if e.alone && e.player == "" && e.runs.run == 0 {
				return exit.Usagef("--alone needs --player or --run: who is alone?")
			}
			for _, name := range e.maps.Names {
				if _, err := os.Stat(name); err != nil {
					return &exit.Error{Status: exit.Unreadable, Text: exit.Sentence(err)}
				}
			}
			if err := e.around.find(p, s, e, cmd.Flags(), inputs); err != nil {
				return err
			}
			inputs, status, err := e.runs.find(p, s, e, inputs)
			if len(inputs) == 0 || err != nil {
				return cmp.Or(err, exit.Highest(status))
			}
			err = p.export(s, e, e.dir.Name, inputs)
			if code := exit.StatusOf(err); err == nil || code < status && code != exit.Usage {
				return exit.Highest(status)
			}
			return err
		},
	}
	f := cmd.Flags()
	e.addFlags(f, s, "demo")
	f.Var(&e.from, "from", "part of each map by the server's clock: 538201, 538.201")
	f.Var(&e.to, "to", "or 8m58.2s, which are the same; both ends are included")
	f.Var(&e.maps, "map", "`FILE`: map for demos of teehistorian files, or a folder with maps; repeatable")
	f.StringVar(&e.player, "player", "", "`NAME`: whose view a demo of a teehistorian file is")
	f.BoolVar(&e.alone, "alone", false, "with --player: without the other players")
	s.RemoveFlag(f)
	e.around.add(f)
	s.Highlights.Define(f, "")
	e.runs.add(f)
	help.MarkMain(f, "from", "to", "map", "player", "remove", "around", "run", "rank")
	return cmd
}

func (e *demoExport) open(workers int, inputs []string) (err error) {
	e.demos, err = export.NewDemos(export.Config{
		Dir: e.dir.Name, Overwrite: e.force,
		Workers: workers, Inputs: append(e.around.files, inputs...), Join: !e.force,
	})
	e.writer = e.demos
	return err
}

// isTeeworldsMap reports whether a file can be a map, by its name.
func isTeeworldsMap(name string) bool { return strings.EqualFold(filepath.Ext(name), ".map") }

func (e *demoExport) Prepare(cfg *engine.Config, name string, many bool) {
	cfg.Options.Demos = &extract.DemoRange{
		From: e.from.ms, HasFrom: e.from.given, To: e.to.ms, HasTo: e.to.given, Player: e.player, Alone: e.alone,
		Map: demomaps.Places(append(slices.Clone(e.maps.Names), filepath.Dir(name))).Find,
	}
	e.runs.limit(cfg.Options.Demos, name)
	e.around.limit(cfg.Options.Demos, name)
	e.prepare(cfg, name, many || e.around.search != nil, e.add)
}

func (e *demoExport) add(worker int, rec *dissect.Record) {
	if rec.Demo.Message && !e.sources.Load() {
		e.sources.Store(true)
	}
	e.demos.Add(worker, rec)
}

func (e *demoExport) close() (exportResult, error) {
	m, err := e.demos.Close()
	written := e.demos.Written()
	x := exportResult{manifest: m, summary: quantity.Count(len(written), "demo") + " in " + e.dir.Name}
	x.addFolder(e.dir.Name, e.demos.Present(), e.demos.Replaced())
	if n := len(e.demos.Skipped()); n > 0 {
		x.summary += ", " + quantity.Count(n, "session") + " without"
	}
	for i := range written {
		x.files = append(x.files, written[i].File)
		if d := &written[i]; len(e.maps.Names) > 0 && d.Missing != nil && !d.MapInside {
			x.notes = append(x.notes, fmt.Sprintf("%s: --map does not have the map %s with the checksum that was played",
				d.File, terminal.Visible(d.Map)))
		}
	}
	if !e.sources.Load() && e.around.search == nil {
		x.notes = append(x.notes, around.Sources)
	}
	e.around.note(&x)
	for _, s := range e.demos.Skipped() {
		if e.around.search != nil && s.Reason == extract.DemoOutside {
			continue // nothing happens in it
		}
		name := ""
		if s.Input != "" {
			name = s.Input + ": "
		}
		why := reasons[s.Reason]
		if at := s.ServerTime; at != nil {
			why += fmt.Sprintf(": the server's clock goes from %.3f to %.3f seconds",
				float64(at.First)/1000, float64(at.Last)/1000)
		}
		x.notes = append(x.notes,
			fmt.Sprintf("%sstream %d, session %d: no demo of %s: %s", name, s.Stream, s.Session,
				quantity.Count(s.Messages, "message"), why))
	}
	return x, err
}

// reasons are the reasons why messages are in no demo, in words.
var reasons = map[extract.DemoLeft]string{
	extract.DemoNoGame:     "the gamestate is not in the capture",
	extract.DemoNoSnapshot: "no full snapshot",
	extract.DemoOutside:    "--from and --to leave nothing",
	extract.DemoNotInGame:  "the client is not in the game yet",
	extract.DemoNoPlayer:   "nobody is called as --player says",
	extract.DemoDuplicate:  "they are repetitions",
	extract.DemoLate:       "they came late",
	extract.DemoChecksum:   "their checksums are wrong",
	extract.DemoNoKey:      "they cannot be deciphered",
	extract.DemoCut:        "the capture does not hold them whole",
	extract.DemoDamaged:    "they are damaged",
	extract.DemoTooLarge:   "the gamestate would be too long",
}

// A serverTime is the value of --from and --to: milliseconds, seconds with decimals as the column server of events has
// them, or a duration.
type serverTime struct {
	ms    int32
	given bool
}

func (t *serverTime) String() string {
	if !t.given {
		return ""
	}
	return strconv.Itoa(int(t.ms))
}

func (t *serverTime) Set(s string) error {
	ms, err := strconv.ParseInt(s, 10, 64)
	if seconds, fault := strconv.ParseFloat(s, 64); err != nil && fault == nil && math.Abs(seconds) < math.MaxInt32 {
		ms, err = int64(math.Round(seconds*1000)), nil
	}
	if err != nil {
		d, err := time.ParseDuration(s)
		if err != nil {
			return errors.New("want a time of the server's clock, server_time in q3dissect events --json: milliseconds " +
				"(538201), seconds with decimals (538.201), or a duration as in 8m58.2s")
		}
		ms = d.Milliseconds()
	}
	if ms < math.MinInt32 || ms > math.MaxInt32 {
		return errors.New("the server's clock has 32 bits of milliseconds")
	}
	t.ms, t.given = int32(ms), true
	return nil
}

func (t *serverTime) Type() string { return "TIME" }
