// Package console holds the standard streams of the command.
package console

import (
	"fmt"
	"os"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
)

// A Console has the streams of the program.
type Console struct {
	Stdin, Stdout, Stderr *os.File

	// DeriveKey makes the key of a passphrase of --anonymize; nil is the usual way, which takes a quarter of a second on
	// purpose. Tests need the same few keys many times.
	DeriveKey func(passphrase []byte) [32]byte
}

// Complain writes one line to standard error.
func (c *Console) Complain(message string) {
	fmt.Fprintf(c.Stderr, "q3dissect: %s\n", terminal.Visible(message))
}

// Print writes a document to standard output. A closed pipe is not an error.
func (c *Console) Print(b []byte) error {
	if _, err := terminal.Output(c.Stdout).Write(b); err != nil && !exit.IsClosedPipe(err) {
		return exit.Unwritable("standard output", err)
	}
	return nil
}
