// Command q3dissect reads packet captures of games and explains every bit of every message.
//
//	q3dissect capture.pcap                 one line per game datagram
//	q3dissect capture.pcap --json          every field of every message, one record per line
//	q3dissect capture.pcap -V              a table per datagram
//	tcpdump -w - udp | q3dissect -         standard input, while it grows
//
// What it prints is promised in docs/json.md; q3dissect --help shows the flags.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
)

// A program has what the commands need: the streams and the protocols.
type program struct {
	*console.Console
	protocols []*dissect.Protocol
	helpError error // of printing a help
}

func main() {
	// Writing into a closed pipe then is an error like any other, and ends the program quietly.
	signal.Ignore(syscall.SIGPIPE)
	c := &console.Console{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	p := &program{Console: c, protocols: all.Protocols()}
	os.Exit(p.main(os.Args[1:]))
}

// main runs the command line and returns the exit status.
func (p *program) main(args []string) int {
	root := newRoot(p)
	root.SetArgs(args)
	err := root.Execute()
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
