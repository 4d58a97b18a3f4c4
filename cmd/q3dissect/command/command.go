// Package command is the command q3dissect as a function, so that a program with protocols of its own has every verb,
// flag and form of output:
//
//	func main() {
//		os.Exit(command.Main(append(all.Protocols(), raknet.New())...))
//	}
//
// Main uses the process's arguments, standard streams and signals, so a process calls it once. A complete example, and
// what may still change, is in docs/adding-a-protocol.md.
package command

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/hint"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
)

// A program has what the commands need: the streams and the protocols.
type program struct {
	*console.Console
	protocols []*dissect.Protocol
	helpError error            // of printing a help
	lacks     incomplete.List  // what the inputs that a verb reads by itself did not give
	interrupt *input.Interrupt // of these: a signal ends the reading, and what was read is shown; nil: it kills
	bar       *input.FileProgress
	many      map[string]manyKeys // of the verbs about many files
}

// lack adds what an input did not give, once.
func (p *program) lack(a *incomplete.Account) {
	for _, reason := range a.List().Missing() {
		if !slices.ContainsFunc(p.lacks, func(r incomplete.Reason) bool { return r.String() == reason.String() }) {
			p.lacks = append(p.lacks, reason)
		}
	}
}

// watch shows the progress of a verb that reads files by itself, on a terminal, and waits for a signal, until the
// returned function is called.
func (p *program) watch(files int, piped bool) (stop func()) {
	if terminal.Is(p.Stderr) {
		p.bar = input.NewFileProgress(p.Stderr, files)
	}
	p.interrupt = new(input.Interrupt)
	over := p.interrupt.Watch(piped)
	return func() {
		p.bar.Clear()
		over()
	}
}

func (p *program) interrupted() bool { return p.interrupt != nil && p.interrupt.Happened() }

// ends reports whether a signal ended the reading of an input after some records.
func (p *program) ends(name string, lacks *incomplete.Account, read int) bool {
	p.bar.Record(name, read)
	if !p.interrupted() {
		return false
	}
	lacks.Interrupt(1, 0)
	return true
}

// Main runs the process's command line with some protocols and returns the exit status. Each datagram is offered to the
// protocols in their order.
func Main(protocols ...*dissect.Protocol) int {
	// Writing into a closed pipe then is an error like any other, and ends the program quietly.
	signal.Ignore(syscall.SIGPIPE)
	c := &console.Console{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	p := &program{Console: c, protocols: protocols}
	return p.main(os.Args[1:])
}

// main runs the command line and returns the exit status.
func (p *program) main(args []string) int {
	root := newRoot(p)
	root.SetArgs(args)
	err := p.checkErrors()
	if err == nil {
		err = hint.Values(root, args)
	}
	if err == nil {
		err = root.Execute()
	}
	if err == nil {
		err = p.helpError
	}
	if err == nil || exit.IsClosedPipe(err) {
		return exit.Done
	}
	if message := err.Error(); message != "" {
		p.Complain(message)
		for _, line := range exit.LinesBelow(err) {
			fmt.Fprintln(p.Stderr, line)
		}
	}
	return exit.StatusOf(err)
}
