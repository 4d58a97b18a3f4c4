package command

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

const exportFilesHelp = `q3dissect export files writes the files that servers sent to their clients.

  q3dissect export files capture.pcap -o files
  q3dissect export files capture.pcap -o files --json

Downloads of Quake III and maps of Teeworlds: stream-session-name, and
manifest.json with the names as they were sent, sizes and checksums, what was
announced and whether it is the same. The name of an incomplete file ends with
.incomplete; zeros replace what is missing, and the manifest lists the gaps.
`

// A fileExport holds the flags and the state of the verb export files.
type fileExport struct {
	exportFolder
	files *export.Files
}

func newExportFilesCommand(p *program) *cobra.Command {
	s, e := run.NewSettings(), &fileExport{}
	cmd := &cobra.Command{
		Use:   "files [FLAGS] -o DIR FILE...",
		Short: "the files that servers sent to their clients",
		Long:  exportFilesHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			inputs := s.Inputs(args)
			if err := e.check(s, inputs, "a capture"); err != nil {
				return err
			}
			return p.export(s, e, e.dir.Name, inputs)
		},
	}
	e.addFlags(cmd.Flags(), s, "file")
	return cmd
}

func (e *fileExport) open(workers int, inputs []string) (err error) {
	e.files, err = export.NewFiles(export.Config{
		Dir: e.dir.Name, Overwrite: e.force,
		Workers: workers, Inputs: inputs, Join: !e.force,
	})
	e.writer = e.files
	return err
}

func (e *fileExport) Prepare(cfg *engine.Config, input string, many bool) {
	cfg.Options.Files = true
	e.prepare(cfg, input, many, e.files.Add)
}

func (e *fileExport) close() (exportResult, error) {
	m, err := e.files.Close()
	own, present := e.files.Own(), e.files.Present()
	x := exportResult{manifest: m}
	for i := range own {
		f := &own[i]
		if f.File != "" && !slices.Contains(present, f.File) {
			x.files = append(x.files, f.File)
		}
		if what := fault(f); what != "" {
			x.notes = append(x.notes, what)
		}
	}
	x.summary = quantity.Count(len(x.files), "file") + " in " + e.dir.Name
	x.addFolder(e.dir.Name, present, e.files.Replaced())
	return x, err
}

// fault describes what is wrong with a file; empty if it is as announced.
func fault(f *export.File) string {
	differs := func(matches *bool) bool { return matches != nil && !*matches }
	name := f.Name
	if name == "" {
		name = "a file without a name"
	}
	what := ""
	switch {
	case f.Refused != "":
		what = "refused: " + f.Refused
	case !f.Complete && f.Size != nil:
		what = fmt.Sprintf("%d of %d bytes", f.Received, *f.Size)
	case !f.Complete:
		what = fmt.Sprintf("%d bytes of a file of unknown size", f.Received)
	case differs(f.SHA256Matches):
		what = "another SHA-256 than announced"
	case differs(f.CRC32Matches):
		what = "another CRC-32 than announced"
	default:
		return ""
	}
	if f.Input != "" {
		name = f.Input + ": " + name
	}
	return fmt.Sprintf("stream %d, session %d: %s: %s", f.Stream, f.Session, terminal.Visible(name),
		terminal.Visible(what))
}
