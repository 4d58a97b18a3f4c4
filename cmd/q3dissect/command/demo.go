package command

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/samples"
)

const demoHelp = `q3dissect demo runs four commands on a capture that is built in.

  q3dissect demo                   the tour
  q3dissect demo -o sample.pcap    write the capture, to try more

The capture is 30 seconds of Quake III over IPv6: a player, bots, chat, kills.
`

// A step is one command of the tour. Its input is called sample.pcap.
type step struct {
	question string
	args     []string
}

const sampleName = "sample.pcap"

// tour is what q3dissect demo runs.
var tour = []step{
	{"What happened?", []string{"events", sampleName, "-Y", `event in {"chat", "kill", "rename"}`}},
	{"Which packets?", []string{sampleName, `info contains "say"`}},
	{"What is in one of them?", []string{sampleName, "-V", "--frames", "5"}},
	{"And for scripts?", []string{sampleName, "--frames", "389", "--jq", ".quake3.client_message.ops[0]"}},
}

const afterTour = `
Next:
  q3dissect demo -o sample.pcap     write this capture, then
  q3dissect view sample.pcap        packets, fields and bits in the browser
  q3dissect report sample.pcap -o report.html
  q3dissect --help
`

// newDemoCommand makes the verb demo.
func newDemoCommand(p *program) *cobra.Command {
	var name output.Name
	cmd := &cobra.Command{
		Use:         "demo [-o FILE]",
		Short:       "a tour on a capture that is built in",
		Long:        demoHelp,
		Annotations: map[string]string{help.Rare: ""},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return exit.Usagef("demo is a tour and takes no input; demos are read by q3dissect %s", args[0])
			case name != "":
				return p.writeSample(name)
			}
			return p.runTour()
		},
	}
	cmd.Flags().VarP(&name, "output", "o", "`FILE`: write the capture, and run nothing")
	help.MarkMain(cmd.Flags(), "output")
	return cmd
}

// writeSample writes the capture.
func (p *program) writeSample(name output.Name) error {
	out, err := name.Create(p.Console)
	if err != nil {
		return exit.Unwritable(string(name), err)
	}
	if _, err := out.Write(samples.Chat); err != nil {
		out.Drop()
		return exit.Unwritable(string(name), errors.New(exit.Reason(err)))
	}
	if err := out.Commit(); err != nil {
		return exit.Unwritable(string(name), err)
	}
	return nil
}

// runTour prints each command and runs it. The capture is its standard input, so no file remains. Summaries are
// not shown.
func (p *program) runTour() error {
	quiet, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return exit.Unwritable(os.DevNull, errors.New(exit.Reason(err)))
	}
	defer quiet.Close()
	file, err := os.CreateTemp("", "q3dissect-*.pcap")
	if err != nil {
		return exit.Unwritable("the capture", errors.New(exit.Reason(err)))
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if _, err := file.Write(samples.Chat); err != nil {
		return exit.Unwritable(file.Name(), errors.New(exit.Reason(err)))
	}
	for i, s := range tour {
		if i > 0 {
			s.question = "\n" + s.question
		}
		if err := p.Print([]byte(s.question + "\n$ q3dissect " + commandText(s.args) + "\n")); err != nil {
			return err
		}
		if _, err := file.Seek(0, 0); err != nil {
			return exit.Unwritable(file.Name(), errors.New(exit.Reason(err)))
		}
		if err := p.runStep(&console.Console{Stdin: file, Stdout: p.Stdout, Stderr: quiet}, s.args); err != nil {
			return err
		}
	}
	return p.Print([]byte(afterTour))
}

// runStep runs one command with other standard streams: the capture is its input.
func (p *program) runStep(c *console.Console, args []string) error {
	own := *p
	own.Console = c
	line := make([]string, len(args))
	for i, arg := range args {
		if arg == sampleName {
			arg = input.Standard
		}
		line[i] = arg
	}
	root := newRoot(&own)
	root.SetArgs(line)
	return root.Execute()
}

// commandText returns arguments as they are typed into a shell.
func commandText(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = arg
		if strings.ContainsAny(arg, ` "{}[]*?|<>&;$()`) {
			words[i] = fmt.Sprintf("'%s'", arg)
		}
	}
	return strings.Join(words, " ")
}
