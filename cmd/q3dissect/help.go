package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Everything that --help, the man pages and the completions say comes from the commands and their flags: Short,
// Long and Use of a command, the usage of a flag.

const rootHelp = `q3dissect reads packet captures of games and says what every bit means.

  q3dissect capture.pcap                          one line per game datagram
  q3dissect capture.pcap -V --frames 26           every field of one datagram
  q3dissect capture.pcap --json | jq .info        every message as JSON
  q3dissect capture.pcap 'info contains "rcon"'   what fits a display filter
  tcpdump -w - udp | q3dissect -                  a live capture
`

const exitStatusHelp = `0 done; 1 nothing matched and --exit-status was given; 2 usage; 3 an input cannot be read; 4 an input breaks off, ` +
	`the rest was printed; 130 and 143 SIGINT and SIGTERM ended the run, what was read was printed.`

// mainFlag marks the flags that --help shows; --help-all shows all.
const mainFlag = "main"

// markMain marks flags for --help.
func markMain(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := f.SetAnnotation(name, mainFlag, []string{""}); err != nil {
			panic(err) // no such flag
		}
	}
}

const (
	helpWidth   = 80
	helpColumn  = 24 // where the words about a flag begin
	verbsColumn = 16
)

// helpText makes the help of a command: of the main flags, or of all.
func helpText(cmd *cobra.Command, all bool) []byte {
	var b strings.Builder
	b.WriteString(cmd.Long)
	fmt.Fprintf(&b, "\nUsage: %s\n", useLine(cmd))
	if verbs := visibleCommands(cmd); len(verbs) > 0 {
		b.WriteByte('\n')
		for _, verb := range verbs {
			writeColumns(&b, "  "+verb.Name(), verbsColumn, verb.Short)
		}
	}
	b.WriteByte('\n')
	hidden := 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		_, isMain := f.Annotations[mainFlag]
		switch {
		case f.Hidden:
		case all || isMain:
			name, usage := flagWords(f)
			writeColumns(&b, name, helpColumn, usage)
		default:
			hidden++
		}
	})
	switch {
	case !cmd.HasParent() && all:
		b.WriteString("\nExit status: ")
		writeWrapped(&b, len("Exit status: "), 0, exitStatusHelp)
	case !cmd.HasParent():
		fmt.Fprintf(&b, "\n--help-all: %d more flags. q3dissect help filters, or fields, or stats.\n", hidden)
	case hidden > 0:
		fmt.Fprintf(&b, "\n--help-all: %d more flags\n", hidden)
	}
	return []byte(b.String())
}

func useLine(cmd *cobra.Command) string {
	if cmd.HasParent() {
		return cmd.Parent().CommandPath() + " " + cmd.Use
	}
	return cmd.Use
}

// visibleCommands are those that a user is told of.
func visibleCommands(cmd *cobra.Command) (list []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			list = append(list, c)
		}
	}
	return list
}

// flagWords gives a flag as it is typed, and what it does.
func flagWords(f *pflag.Flag) (name, usage string) {
	value, usage := pflag.UnquoteUsage(f)
	usage = strings.TrimPrefix(usage, value+": ") // where the words themselves do not name the value
	name = "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	if value != "" {
		name += " " + value
	}
	return name, usage
}

// writeColumns writes a name and, from a column on, words about it.
func writeColumns(b *strings.Builder, name string, column int, words string) {
	b.WriteString(name)
	at := len(name)
	if at+1 > column {
		b.WriteByte('\n')
		at = 0
	}
	b.WriteString(strings.Repeat(" ", column-at))
	writeWrapped(b, column, column, words)
}

// writeWrapped writes words from a column on, and further lines from another one on.
func writeWrapped(b *strings.Builder, at, indent int, words string) {
	first := true
	for word := range strings.FieldsSeq(words) {
		switch size := len([]rune(word)); {
		case first:
			at += size
		case at+1+size > helpWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent + size
		default:
			b.WriteByte(' ')
			at += 1 + size
		}
		first = false
		b.WriteString(word)
	}
	b.WriteByte('\n')
}

// help prints the help of a command, and keeps the error where the output takes none: cobra asks for no error.
func (p *program) help(cmd *cobra.Command, all bool) {
	p.helpError = p.print(helpText(cmd, all))
}

// addHelp makes --help and --help-all of all commands.
func (p *program) addHelp(root *cobra.Command) {
	var all bool
	root.PersistentFlags().BoolVar(&all, "help-all", false, "all flags")
	root.PersistentFlags().BoolP("help", "h", false, "this page")
	root.PersistentFlags().SortFlags = false
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { p.help(cmd, all) })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if !all {
			return nil
		}
		if p.help(cmd, true); p.helpError != nil {
			return p.helpError
		}
		return &statusError{status: statusDone}
	}
}

// newHelpCommand makes the verb help.
func newHelpCommand(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB|TOPIC]",
		Short: "about a verb, or about filters, fields, stats",
		Long:  "q3dissect help shows how the program or one of its verbs is used, or what there is to know of a topic:\nfilters, fields, stats.\n",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && topics[args[0]] != "" {
				return p.print([]byte(topics[args[0]]))
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usageError("there is no help about %q; q3dissect help shows what there is", args[0])
			}
			p.help(about, false)
			return p.helpError
		},
	}
}
