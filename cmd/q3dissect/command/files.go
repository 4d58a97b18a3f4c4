package command

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/internal/pathguard"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// readsNothing is the annotation of commands whose arguments are not files.
const readsNothing = "arguments are no files"

// checkFiles refuses a command line whose outputs would replace its inputs or each other. It goes by the types of the
// flags, so every command and every flag is under it.
func (p *program) checkFiles(cmd *cobra.Command, args []string) error {
	if _, ok := cmd.Annotations[readsNothing]; ok {
		return nil
	}
	var c pathguard.Guard
	c.IsInput = p.isBinaryInput
	c.WritesOpen("standard error", p.Stderr) // before all others: their errors go there
	c.WritesOpen("standard output", p.Stdout)
	input.Claim(&c, p.Stdin, args, cmd.Flags(), p.isInput)
	output.Claim(&c, cmd.Flags())
	err := c.Check()
	var unwritable *fs.PathError
	var stream *pathguard.StreamError
	switch {
	case errors.As(err, &stream) && stream.Stream == p.Stderr:
		return p.withoutErrors(err)
	case errors.As(err, &unwritable):
		return exit.Unwritable(unwritable.Path, err)
	case err != nil:
		return exit.Usagef("%v", err)
	}
	return nil
}

// isInput reports whether a file in a folder is a capture or a recording.
func (p *program) isInput(path string) bool {
	in, err := open.File(path, open.Options{Protocols: p.protocols})
	if err != nil {
		return false
	}
	in.Close() // it was not read
	return true
}

// isBinaryInput is isInput without hex dumps, which -x prints.
func (p *program) isBinaryInput(path string) bool {
	in, err := open.File(path, open.Options{Protocols: p.protocols})
	if err != nil {
		return false
	}
	defer in.Close() // it was not read
	return !in.IsText()
}

// withoutErrors returns the error of a standard error that must not be written to. It is printed on a terminal, or not
// at all.
func (p *program) withoutErrors(err error) error {
	if terminal.Is(p.Stdout) {
		p.Stderr = p.Stdout
		return exit.Usagef("%v", err)
	}
	return exit.With(exit.Usage)
}

// checkErrors refuses a standard error that is appended to a capture or a recording, before anything is written to it.
func (p *program) checkErrors() error {
	c := pathguard.Guard{IsInput: p.isBinaryInput}
	c.WritesOpen("standard error", p.Stderr)
	if err := c.Check(); err != nil {
		return p.withoutErrors(err)
	}
	return nil
}
