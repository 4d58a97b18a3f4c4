package command

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/internal/pathguard"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
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
	input.Claim(&c, p.Stdin, args, cmd.Flags(), p.isInput)
	output.Claim(&c, cmd.Flags())
	c.WritesOpen("standard output", p.Stdout)
	err := c.Check()
	var unwritable *fs.PathError
	switch {
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
