package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/export"
)

const exportHelp = `q3dissect export writes files out of captures and demos.

  q3dissect export demo capture.pcap -o DIR     what each client saw, as demos
  q3dissect export files capture.pcap -o DIR    what servers sent: downloads, maps

q3dissect help export demo, or files, tells more.
`

const exportDemoHelp = `q3dissect export demo writes what each client saw as demos that the game plays.

  q3dissect export demo capture.pcap -o demos
  q3dissect export demo capture.pcap -o demos --from 2m10s --to 3m
  q3dissect export demo game.dm_68 -o cut --from 130000 --to 180000

A demo for every client and map: stream-session-map.dm_68, and manifest.json
with what it was made of, what is missing and the files' checksums. It begins
with the map's gamestate and the first full snapshot, as the client's own
does; without the gamestate in the capture there is none. With --from it
begins at that time, with a gamestate and snapshots put together for it.

Usage: q3dissect export demo [flags] -o DIR FILE...

  -o, --output DIR      where the files go; it is made if need be
      --force           replace files that are there
      --from TIME       part of each map by the server's clock: milliseconds,
      --to TIME         or a duration as in 2m10.5s; both ends are included
      --json            print the manifest instead of the names
  -q, --quiet           no names and no summary, errors only

  -c, --count N         stop after N packets
  -d, --decode-as udp.port==N,PROTO   whatever the port's datagrams look like
      --demo-protocol N protocol of demos that do not tell it themselves

  -r, --read-file FILE  a file; without -r it is the same
      --continue        all files are one capture, as tcpdump -C makes them
  -j, --workers N       threads that dissect; the output is the same for all N
  -n, --no-lookup       no effect: names are never looked up
      --exit-status     exit with 1 if there was no demo
`

// newExportCommand makes the verb export and what belongs to it.
func newExportCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export demo|files FILE...",
		Short: "write files out of captures",
		Long:  exportHelp,
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("export what? There are export demo and export files; q3dissect help export tells more")
			}
			return usageError("export %s is not built; there are export demo and export files", args[0])
		},
	}
	cmd.AddCommand(newExportDemoCommand(p), newExportFilesCommand(p))
	return cmd
}

// An exporter writes files instead of records.
type exporter interface {
	// prepare makes an engine write files. many names the inputs apart.
	prepare(cfg *dissect.Config, input string, many bool)
	// endInput completes what came of the input of an engine that is closed.
	endInput() error
}

// A demoExport is what the verb export demo wants, and does.
type demoExport struct {
	dir      string
	force    bool
	from, to serverTime
	demos    *export.Demos
}

func newExportDemoCommand(p *program) *cobra.Command {
	s, e := newSettings(), &demoExport{}
	cmd := &cobra.Command{
		Use:   "demo FILE...",
		Short: "what each client saw, as demos that the game plays",
		Long:  exportDemoHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.exportDemos(s, e, s.inputs(args))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&e.dir, "output", "o", "", "folder of the demos")
	f.BoolVar(&e.force, "force", false, "replace files that are there")
	f.Var(&e.from, "from", "server time to begin at, in ms or as in 2m10s")
	f.Var(&e.to, "to", "server time to end at, in ms or as in 2m10s")
	f.BoolVar(&s.json, "json", false, "print the manifest")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "print no names and no summary")

	f.VarP(&s.count, "count", "c", "stop after so many packets")
	f.VarP(&s.decodeAs, "decode-as", "d", "dissect a port as a protocol, as in udp.port==N,PROTO")
	f.Var(&s.demoProtocol, "demo-protocol", "protocol of demos that do not tell it themselves")

	f.VarP(&inputFlag{s, f}, "read-file", "r", "file to read")
	f.BoolVar(&s.continueInputs, "continue", false, "treat all files as one capture")
	f.VarP(&s.workers, "workers", "j", "goroutines that dissect")
	f.BoolVarP(&s.noLookup, "no-lookup", "n", false, "no effect: names are never looked up")
	f.BoolVar(&s.exitStatus, "exit-status", false, "exit with 1 if there was no demo")
	return cmd
}

// exportDemos is what the verb does.
func (p *program) exportDemos(s *settings, e *demoExport, inputs []string) error {
	switch {
	case len(inputs) == 0:
		return usageError("no input: name a capture or demo file, or - for standard input")
	case e.dir == "":
		return usageError("-o is missing: the folder to write to")
	case s.json && s.quiet:
		return usageError("-q prints nothing, which contradicts --json")
	case e.from.given && e.to.given && e.from.ms > e.to.ms:
		return usageError("--from %s is after --to %s", &e.from, &e.to)
	}
	manifest, failOnNone, quiet := s.json, s.exitStatus, s.quiet
	s.json, s.exitStatus, s.color = false, false, "never" // the run itself prints no records
	pl, err := newPlan(p, s)
	if err != nil {
		return err
	}
	pl.form, pl.export = formNothing, e
	e.demos, err = export.NewDemos(export.DemosConfig{Dir: e.dir, Overwrite: e.force, Workers: int(s.workers.value)})
	if err != nil {
		return unwritable(err)
	}
	status := 0
	if err := pl.run(inputs); err != nil {
		var s *statusError
		if !errors.As(err, &s) {
			return err
		}
		status = s.status
	}
	result, err := e.demos.Close()
	if err != nil {
		return unwritable(err)
	}
	if err := p.print(e.names(result, manifest, quiet)); err != nil {
		return err
	}
	if !quiet {
		e.summary(p, result)
	}
	if status == statusDone && failOnNone && len(result.Demos) == 0 {
		status = statusNoMatch
	}
	if status != statusDone {
		return &statusError{status: status}
	}
	return nil
}

// prepare makes an engine write demos. many names the inputs apart.
func (e *demoExport) prepare(cfg *dissect.Config, input string, many bool) {
	cfg.Options.Demos = &dissect.DemoRange{From: e.from.ms, HasFrom: e.from.given, To: e.to.ms, HasTo: e.to.given}
	cfg.NoTree = true
	cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) []byte {
		e.demos.Add(worker, rec)
		if e.demos.Err() != nil {
			dst = append(dst, 0) // whatever is written: Output then ends the run
		}
		return dst
	}
	cfg.Output = func([]byte) error { return e.demos.Err() }
	switch {
	case !many:
		input = ""
	case input == standardInput:
		input = "stdin"
	}
	e.demos.BeginInput(input)
}

func (e *demoExport) endInput() error { return e.demos.EndInput() }

// unwritable is the error of a folder or file that cannot be written.
func unwritable(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return &statusError{statusUnreadable, err.Error() + "; choose another folder, or --force to replace it"}
	}
	return &statusError{statusUnreadable, err.Error()}
}

// names is what goes to standard output.
func (e *demoExport) names(m *export.Manifest, whole, quiet bool) (b []byte) {
	switch {
	case quiet:
	case whole:
		b, _ = json.MarshalIndent(m, "", "  ") // plain data
		b = append(b, '\n')
	default:
		for i := range m.Demos {
			b = append(append(b, visible(filepath.Join(e.dir, m.Demos[i].File))...), '\n')
		}
	}
	return b
}

// skippedShown is how many sessions without a demo the summary names.
const skippedShown = 5

// reasons says in words why messages are in no demo.
var reasons = map[dissect.DemoLeft]string{
	dissect.DemoNoGame:     "the gamestate is not in the capture",
	dissect.DemoNoSnapshot: "no snapshot stands for itself",
	dissect.DemoOutside:    "--from and --to leave nothing",
	dissect.DemoDuplicate:  "they are repetitions",
	dissect.DemoLate:       "they came late",
	dissect.DemoChecksum:   "their checksums are wrong",
	dissect.DemoNoKey:      "they cannot be deciphered",
	dissect.DemoCut:        "the capture does not hold them whole",
	dissect.DemoDamaged:    "they are damaged",
	dissect.DemoTooLarge:   "the gamestate would be too long",
}

// summary says what was written and what was not.
func (e *demoExport) summary(p *program, m *export.Manifest) {
	line := count(uint64(len(m.Demos)), "demo") + " in " + e.dir
	if n := len(m.Skipped); n > 0 {
		line += ", " + count(uint64(n), "session") + " without"
	}
	p.complain(line)
	for i, s := range m.Skipped {
		if i == skippedShown {
			p.complain(fmt.Sprintf("%d more are in %s", len(m.Skipped)-i, export.ManifestName))
			break
		}
		name := ""
		if s.Input != "" {
			name = s.Input + ": "
		}
		p.complain(fmt.Sprintf("%sstream %d, session %d: no demo of %s: %s", name, s.Stream, s.Session, count(s.Messages, "message"), reasons[s.Reason]))
	}
}

// A serverTime is the value of --from and --to: milliseconds, or a duration.
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
	if err != nil {
		d, err := time.ParseDuration(s)
		if err != nil {
			return errors.New("want milliseconds, or a duration as in 2m10.5s")
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
