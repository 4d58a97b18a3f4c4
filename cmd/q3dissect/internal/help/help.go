// Package help lays out the pages that --help, help and man print. Their contents come from the commands and
// their flags: Short, Long and Use of a command, the usage of a flag.
package help

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const exitStatusHelp = `0 done; 1 nothing matched and --exit-status was given; 2 usage; 3 an input cannot be read; 4 an input is ` +
	`truncated, everything before that point was printed; 130 and 143 SIGINT or SIGTERM ended the run, what was read was printed.`

// mainFlag marks the flags that --help shows; --help-all shows all.
const mainFlag = "main"

// Rare is the annotation of verbs that --help leaves out and --help-all shows.
const Rare = "rare"

// MarkMain marks flags for --help.
func MarkMain(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := f.SetAnnotation(name, mainFlag, []string{""}); err != nil {
			panic(err) // no such flag
		}
	}
}

const (
	helpWidth   = 80
	helpColumn  = 24 // column of the descriptions of flags
	verbsColumn = 16
)

// Text returns the help of a command: of the main flags, or of all.
func Text(cmd *cobra.Command, all bool) []byte {
	var b strings.Builder
	b.WriteString(cmd.Long)
	fmt.Fprintf(&b, "\nUsage: %s\n", useLine(cmd))
	if verbs := VisibleCommands(cmd); len(verbs) > 0 {
		b.WriteByte('\n')
		for _, verb := range verbs {
			if _, rare := verb.Annotations[Rare]; rare && !all {
				continue
			}
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

// VisibleCommands returns the commands that are not hidden.
func VisibleCommands(cmd *cobra.Command) (list []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			list = append(list, c)
		}
	}
	return list
}

// flagWords returns a flag as it is typed, and its description.
func flagWords(f *pflag.Flag) (name, usage string) {
	value, usage := pflag.UnquoteUsage(f)
	usage = strings.TrimPrefix(usage, value+": ") // if the description itself does not name the value
	name = "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	if value != "" {
		name += " " + value
	}
	return name, usage
}

// Flag returns a flag with its description, as the help has it.
func Flag(f *pflag.Flag) string {
	var b strings.Builder
	name, usage := flagWords(f)
	writeColumns(&b, name, helpColumn, usage)
	return b.String()
}

// Paragraph returns a text, wrapped.
func Paragraph(text string) string {
	var b strings.Builder
	b.WriteString("  ")
	writeWrapped(&b, 2, 2, text)
	return b.String()
}

// writeColumns writes a name and, from a column on, its description.
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
