package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/export"
)

const exportFilesHelp = `q3dissect export files writes the files that servers sent to their clients.

  q3dissect export files capture.pcap -o files
  q3dissect export files capture.pcap -o files --json

Downloads of Quake III and maps of Teeworlds: stream-session-name, and
manifest.json with the names as they were sent, sizes and checksums, what was
announced and whether it is the same. A file of which something is missing
ends with .incomplete; zeros stand for what is missing, and the manifest lists
the gaps.

Usage: q3dissect export files [flags] -o DIR FILE...

  -o, --output DIR      where the files go; it is made if need be
      --force           replace files that are there
      --json            print the manifest instead of the names
  -q, --quiet           no names and no summary, errors only

  -c, --count N         stop after N packets
  -d, --decode-as udp.port==N,PROTO   whatever the port's datagrams look like

  -r, --read-file FILE  a file; without -r it is the same
      --continue        all files are one capture, as tcpdump -C makes them
  -j, --workers N       threads that dissect; the output is the same for all N
  -n, --no-lookup       no effect: names are never looked up
      --exit-status     exit with 1 if there was no file
`

// A fileExport is what the verb export files wants, and does.
type fileExport struct {
	dir   string
	force bool
	files *export.Files
}

func newExportFilesCommand(p *program) *cobra.Command {
	s, e := newSettings(), &fileExport{}
	cmd := &cobra.Command{
		Use:   "files FILE...",
		Short: "the files that servers sent to their clients",
		Long:  exportFilesHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.exportFiles(s, e, s.inputs(args))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&e.dir, "output", "o", "", "folder of the files")
	f.BoolVar(&e.force, "force", false, "replace files that are there")
	f.BoolVar(&s.json, "json", false, "print the manifest")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "print no names and no summary")

	f.VarP(&s.count, "count", "c", "stop after so many packets")
	f.VarP(&s.decodeAs, "decode-as", "d", "dissect a port as a protocol, as in udp.port==N,PROTO")

	f.VarP(&inputFlag{s, f}, "read-file", "r", "file to read")
	f.BoolVar(&s.continueInputs, "continue", false, "treat all files as one capture")
	f.VarP(&s.workers, "workers", "j", "goroutines that dissect")
	f.BoolVarP(&s.noLookup, "no-lookup", "n", false, "no effect: names are never looked up")
	f.BoolVar(&s.exitStatus, "exit-status", false, "exit with 1 if there was no file")
	return cmd
}

// exportFiles is what the verb does.
func (p *program) exportFiles(s *settings, e *fileExport, inputs []string) error {
	switch {
	case len(inputs) == 0:
		return usageError("no input: name a capture, or - for standard input")
	case e.dir == "":
		return usageError("-o is missing: the folder to write to")
	case s.json && s.quiet:
		return usageError("-q prints nothing, which contradicts --json")
	}
	manifest, failOnNone, quiet := s.json, s.exitStatus, s.quiet
	s.json, s.exitStatus, s.color = false, false, "never" // the run itself prints no records
	pl, err := newPlan(p, s)
	if err != nil {
		return err
	}
	pl.form, pl.export = formNothing, e
	e.files, err = export.NewFiles(export.FilesConfig{Dir: e.dir, Overwrite: e.force, Workers: int(s.workers.value)})
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
	result, err := e.files.Close()
	if err != nil {
		return unwritable(err)
	}
	if err := p.print(e.names(result, manifest, quiet)); err != nil {
		return err
	}
	if !quiet {
		e.summary(p, result)
	}
	if status == statusDone && failOnNone && e.written(result) == 0 {
		status = statusNoMatch
	}
	if status != statusDone {
		return &statusError{status: status}
	}
	return nil
}

// prepare makes an engine write files. many names the inputs apart.
func (e *fileExport) prepare(cfg *dissect.Config, input string, many bool) {
	cfg.Options.Files = true
	cfg.NoTree = true
	cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) []byte {
		e.files.Add(worker, rec)
		if e.files.Err() != nil {
			dst = append(dst, 0) // whatever is written: Output then ends the run
		}
		return dst
	}
	cfg.Output = func([]byte) error { return e.files.Err() }
	if !many {
		input = ""
	}
	e.files.BeginInput(input)
}

func (e *fileExport) endInput() error { return e.files.EndInput() }

func (e *fileExport) written(m *export.FilesManifest) (n int) {
	for i := range m.Files {
		if m.Files[i].File != "" {
			n++
		}
	}
	return n
}

// names is what goes to standard output.
func (e *fileExport) names(m *export.FilesManifest, whole, quiet bool) (b []byte) {
	switch {
	case quiet:
	case whole:
		b, _ = json.MarshalIndent(m, "", "  ") // plain data
		b = append(b, '\n')
	default:
		for i := range m.Files {
			if name := m.Files[i].File; name != "" {
				b = append(append(b, visible(filepath.Join(e.dir, name))...), '\n')
			}
		}
	}
	return b
}

// oddShown is how many files that are not as they should be the summary names.
const oddShown = 5

// summary says what was written, and what is not as it should be.
func (e *fileExport) summary(p *program, m *export.FilesManifest) {
	var odd []string
	for i := range m.Files {
		if what := fault(&m.Files[i]); what != "" {
			odd = append(odd, what)
		}
	}
	p.complain(count(uint64(e.written(m)), "file") + " in " + e.dir)
	for i, what := range odd {
		if i == oddShown {
			p.complain(fmt.Sprintf("%d more are in %s", len(odd)-i, export.ManifestName))
			break
		}
		p.complain(what)
	}
}

// fault says what is wrong with a file; nothing if it is as it was announced.
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
	return fmt.Sprintf("stream %d, session %d: %s: %s", f.Stream, f.Session, visible(name), visible(what))
}
