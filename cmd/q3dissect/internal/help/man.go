package help

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Man returns the man page of a command: man(7). It has no date, so that it is always the same.
func Man(cmd *cobra.Command) []byte {
	var b strings.Builder
	name := manName(cmd)
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"q3dissect\" \"User Commands\"\n", roff(strings.ToUpper(name)))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(useLine(cmd)))
	b.WriteString(".SH DESCRIPTION\n")
	for paragraph := range strings.SplitSeq(strings.TrimSpace(cmd.Long), "\n\n") {
		if strings.HasPrefix(paragraph, "  ") {
			fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", roff(paragraph))
		} else {
			fmt.Fprintf(&b, ".PP\n%s\n", roff(paragraph))
		}
	}
	if verbs := VisibleCommands(cmd); len(verbs) > 0 {
		b.WriteString(".SH VERBS\n")
		for _, verb := range verbs {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(verb.Name()), roff(verb.Short))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	cmd.InheritedFlags() // merges them into Flags
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			words, usage := flagWords(f)
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(words)), roff(usage))
		}
	})
	if !cmd.HasParent() {
		fmt.Fprintf(&b, ".SH EXIT STATUS\n%s\n", roff(exitStatusHelp))
	}
	b.WriteString(".SH SEE ALSO\n")
	var others []string
	for _, page := range Pages(cmd.Root()) {
		if page != name {
			others = append(others, fmt.Sprintf(".BR %s (1)", roff(page)))
		}
	}
	b.WriteString(strings.Join(others, " ,\n") + "\n")
	return []byte(b.String())
}

// Pages returns the names of all man pages: q3dissect-export-demo is that of q3dissect export demo.
func Pages(root *cobra.Command) (names []string) {
	for _, c := range Tree(root) {
		if c.Name() != "help" {
			names = append(names, manName(c))
		}
	}
	return names
}

// manName is the name of a command's man page.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Tree returns a command and all visible ones below it.
func Tree(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, c := range VisibleCommands(cmd) {
		list = append(list, Tree(c)...)
	}
	return list
}

// roff escapes a text: groff_char(7); a point or an apostrophe at the start of a line would be a request.
func roff(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
