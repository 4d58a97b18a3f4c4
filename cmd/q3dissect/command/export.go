package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/hint"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
)

const exportHelp = `q3dissect export writes files out of captures and demos.

  q3dissect export demo capture.pcap -o DIR      what each client saw, as demos
  q3dissect export files capture.pcap -o DIR     downloads and maps from servers
  q3dissect export messages capture.pcap -o DIR  whole messages, deciphered
`

// newExportCommand makes the verb export and its subcommands.
func newExportCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export demo|files|messages -o DIR FILE...",
		Short: "demos of what clients saw, files that were sent, messages",
		Long:  exportHelp,
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usagef(
					"export what? There are export demo, export files and export messages; q3dissect help export tells more")
			}
			return hint.NoSubcommand(cmd, args[0])
		},
	}
	cmd.AddCommand(newExportDemoCommand(p), newExportFilesCommand(p), newExportMessagesCommand(p))
	return cmd
}

// An exporter writes files instead of records.
type exporter interface {
	run.Exporter
	// open checks that files can be written, by a number of workers, and none over an input.
	open(workers int, inputs []string) error
	// close completes everything and returns the result.
	close() (exportResult, error)
	// abandon ends an export for which nothing could be read.
	abandon() error
}

// An exportResult is the result of an export.
type exportResult struct {
	manifest any
	files    []string // within the folder
	summary  string   // how many there are
	replaced []string // lines about files that were replaced
	notes    []string // about files that are incomplete or damaged
}

// notesShown is how many notes the summary has.
const notesShown = 5

// An exportFolder is the folder of an export, with its writer.
type exportFolder struct {
	dir     output.Folder
	force   bool
	listing bool // nothing is written
	writer  exportWriter
}

// An exportWriter is *export.Demos, *export.Files or *export.Messages.
type exportWriter interface {
	BeginInput(name string)
	Lacks(lacks incomplete.List)
	EndInput() error
	Err() error
	Abandon() error
}

// addFlags declares the flags of a verb that exports things called what: "demo".
func (e *exportFolder) addFlags(f *pflag.FlagSet, s *run.Settings, what string) {
	f.SortFlags = false
	e.dir.Files = []string{export.ManifestName}
	f.VarP(&e.dir, "output", "o", "`DIR`: where the "+what+"s go; created if missing")
	f.BoolVar(&e.force, "force", false, "replace existing files")
	f.BoolVar(&s.JSON, "json", false, "print the manifest instead of the names")
	f.BoolVarP(&s.Quiet, "quiet", "q", false, "no names and no summary: errors only")
	s.PacketFlags(f)
	s.InputFlags(f, "there was no "+what)
	f.Lookup("line-buffered").Hidden = true
	help.MarkMain(f, "output", "force", "json", "read-file", "continue")
}

// check refuses flags that contradict each other. inputs are the files to read, what is a noun for them.
func (e *exportFolder) check(s *run.Settings, inputs []string, what string) error {
	switch {
	case len(inputs) == 0:
		return exit.Usagef("no input: name %s, or - for standard input", what)
	case e.dir.Name == "" && !e.listing:
		return exit.Usagef("-o is missing: the folder to write to")
	case s.JSON && s.Quiet:
		return exit.Usagef("-q prints nothing, which contradicts --json")
	}
	return nil
}

// prepare makes an engine pass records to add, which writes their contents to the folder, without dissecting
// their fields.
func (e *exportFolder) prepare(cfg *engine.Config, name string, many bool, add func(worker int, rec *dissect.Record)) {
	cfg.NoTree = true
	cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
		add(worker, rec)
		return dst, e.writer.Err()
	}
	cfg.Output = nil
	e.begin(name, many)
}

// begin begins an input.
func (e *exportFolder) begin(name string, many bool) {
	switch {
	case !many:
		name = ""
	case name == input.Standard:
		name = "stdin"
	}
	e.writer.BeginInput(name)
}

func (e *exportFolder) EndInput(lacks incomplete.List) error {
	e.writer.Lacks(lacks)
	return e.writer.EndInput()
}

func (e *exportFolder) abandon() error { return e.writer.Abandon() }

// export reads the inputs and reports what was written.
func (p *program) export(s *run.Settings, e exporter, dir string, inputs []string) error {
	manifest, failOnNone, quiet := s.JSON, s.ExitStatus, s.Quiet
	s.JSON, s.ExitStatus, s.Color = false, false, "never" // the run itself prints no records
	pl, err := run.NewPlan(p.Console, p.protocols, s)
	if err != nil {
		return err
	}
	pl.ExportTo(e)
	if err := e.open(int(s.Workers.Value), inputs); err != nil {
		return unwritable(err)
	}
	status := 0
	if err := pl.Run(inputs); err != nil {
		var s *exit.Error
		if !errors.As(err, &s) {
			return err
		}
		status = s.Status
	}
	if !pl.ReadAny() {
		return errors.Join(exit.Highest(status), e.abandon())
	}
	result, err := e.close()
	if err != nil {
		return unwritable(err)
	}
	if !quiet {
		if err := p.Print(result.names(dir, manifest)); err != nil {
			return err
		}
		result.report(p)
	}
	if status == exit.Done && failOnNone && len(result.files) == 0 {
		status = exit.NoMatch
	}
	return exit.Highest(status)
}

// unwritable is the error of a folder or file that cannot be written.
func unwritable(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return &exit.Error{Status: exit.Unreadable, Text: exit.Sentence(err) +
			"; choose another folder, or --force to replace it"}
	}
	return &exit.Error{Status: exit.Unreadable, Text: exit.Sentence(err)}
}

// names returns the standard output: the names of the files, or the whole manifest.
func (x *exportResult) names(dir string, whole bool) (b []byte) {
	if whole {
		b, _ = json.MarshalIndent(x.manifest, "", "  ") // plain data
		return append(b, '\n')
	}
	for _, name := range x.files {
		b = append(append(b, terminal.Visible(filepath.Join(dir, name))...), '\n')
	}
	return b
}

// addFolder adds what the folder had: files that would have been written again, and those that were replaced.
func (x *exportResult) addFolder(dir string, present, replaced []string) {
	if n := len(present); n > 0 {
		x.summary += fmt.Sprintf(", %d that are there already", n)
	}
	for _, name := range replaced {
		x.replaced = append(x.replaced, "replaced "+terminal.Visible(filepath.Join(dir, name)))
	}
}

// report prints what was written, and the problems with it.
func (x *exportResult) report(p *program) {
	p.Complain(x.summary)
	for _, line := range x.replaced {
		p.Complain(line)
	}
	for i, note := range x.notes {
		if i == notesShown && len(x.files) > 0 {
			p.Complain(fmt.Sprintf("%d more are in %s", len(x.notes)-i, export.ManifestName))
			break
		}
		p.Complain(note)
	}
}
