package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/export"
)

const exportHelp = `q3dissect export writes files out of captures and demos.

  q3dissect export demo capture.pcap -o DIR     what each client saw, as demos
  q3dissect export files capture.pcap -o DIR    what servers sent: downloads, maps
`

// newExportCommand makes the verb export and what belongs to it.
func newExportCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export demo|files -o DIR FILE...",
		Short: "demos of what clients saw, and files that were sent",
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
	// open looks whether files can be written, by a number of workers.
	open(workers int) error
	// prepare makes an engine write files. many names the inputs apart.
	prepare(cfg *dissect.Config, input string, many bool)
	// endInput completes what came of the input of an engine that is closed.
	endInput() error
	// close completes everything and tells what came of it.
	close() (exported, error)
}

// An exported is what came of an export.
type exported struct {
	manifest any
	files    []string // within the folder
	summary  string   // how many there are
	notes    []string // what there is to say of those that are not as they should be
}

// notesShown is how many notes the summary has.
const notesShown = 5

// An exportFolder is where the files of an export go, and what writes them.
type exportFolder struct {
	dir    string
	force  bool
	writer exportWriter
}

// An exportWriter is *export.Demos or *export.Files.
type exportWriter interface {
	BeginInput(name string)
	Add(worker int, rec *dissect.Record)
	EndInput() error
	Err() error
}

// addFlags declares the flags of a verb that exports what has a name: "demo".
func (e *exportFolder) addFlags(f *pflag.FlagSet, s *settings, what string) {
	f.SortFlags = false
	f.StringVarP(&e.dir, "output", "o", "", "`DIR`: where the "+what+"s go; it is made if need be")
	f.BoolVar(&e.force, "force", false, "replace files that are there")
	f.BoolVar(&s.json, "json", false, "print the manifest instead of the names")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "no names and no summary, errors only")
	s.commonPackets(f)
	s.commonInput(f, "there was no "+what)
	f.Lookup("line-buffered").Hidden = true
	markMain(f, "output", "force", "json", "read-file", "continue")
}

// check tells what makes no sense. inputs are the files to read, what names a kind of them.
func (e *exportFolder) check(s *settings, inputs []string, what string) error {
	switch {
	case len(inputs) == 0:
		return usageError("no input: name %s, or - for standard input", what)
	case e.dir == "":
		return usageError("-o is missing: the folder to write to")
	case s.json && s.quiet:
		return usageError("-q prints nothing, which contradicts --json")
	}
	return nil
}

// prepare makes an engine write to the folder.
func (e *exportFolder) prepare(cfg *dissect.Config, input string, many bool) {
	cfg.NoTree = true
	cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
		e.writer.Add(worker, rec)
		return dst, e.writer.Err()
	}
	cfg.Output = nil
	switch {
	case !many:
		input = ""
	case input == standardInput:
		input = "stdin"
	}
	e.writer.BeginInput(input)
}

func (e *exportFolder) endInput() error { return e.writer.EndInput() }

// export reads the inputs, and tells what came of it.
func (p *program) export(s *settings, e exporter, dir string, inputs []string) error {
	manifest, failOnNone, quiet := s.json, s.exitStatus, s.quiet
	s.json, s.exitStatus, s.color = false, false, "never" // the run itself prints no records
	pl, err := newPlan(p, s)
	if err != nil {
		return err
	}
	pl.form, pl.export = formNothing, e
	if err := e.open(int(s.workers.value)); err != nil {
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
	result, err := e.close()
	if err != nil {
		return unwritable(err)
	}
	if !quiet {
		if err := p.print(result.names(dir, manifest)); err != nil {
			return err
		}
		result.tell(p)
	}
	if status == statusDone && failOnNone && len(result.files) == 0 {
		status = statusNoMatch
	}
	if status != statusDone {
		return &statusError{status: status}
	}
	return nil
}

// unwritable is the error of a folder or file that cannot be written.
func unwritable(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return &statusError{statusUnreadable, sentence(err) + "; choose another folder, or --force to replace it"}
	}
	return &statusError{statusUnreadable, sentence(err)}
}

// names is what goes to standard output: the names of the files, or the whole manifest.
func (x *exported) names(dir string, whole bool) (b []byte) {
	if whole {
		b, _ = json.MarshalIndent(x.manifest, "", "  ") // plain data
		return append(b, '\n')
	}
	for _, name := range x.files {
		b = append(append(b, visible(filepath.Join(dir, name))...), '\n')
	}
	return b
}

// tell says what was written, and what is not as it should be.
func (x *exported) tell(p *program) {
	p.complain(x.summary)
	for i, note := range x.notes {
		if i == notesShown {
			p.complain(fmt.Sprintf("%d more are in %s", len(x.notes)-i, export.ManifestName))
			break
		}
		p.complain(note)
	}
}
