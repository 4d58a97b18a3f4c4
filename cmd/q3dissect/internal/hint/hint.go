// Package hint answers mistakes on the command line: unknown flags and verbs, and the spellings of tshark.
package hint

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// tsharkFlags maps flags of tshark to their spelling here.
var tsharkFlags = map[string]string{
	"G":              "fields and protocols are listed by --list-fields and --list-protocols",
	"export-objects": "files that servers sent are written by q3dissect export files",
	"i":              "a live capture comes from tcpdump -w - udp | q3dissect -",
	"D":              "a live capture comes from tcpdump -w - udp | q3dissect -",
	"f":              "a capture filter belongs to tcpdump",
	"2":              "one pass is enough: records wait for what they need",
	"a":              "-c ends the reading after some packets, --to at a time",
	"b":              "tcpdump -C and -W write several files, which q3dissect reads with --continue",
	"N":              "names are never looked up",
	"u":              "-t has the formats of times",
	"K":              "there are no keys of that kind; --keys has those of games",
	"U":              "every field of every message is --json",
	"csv":            "-T csv prints the fields of -e, or the rows of -z",
	"filter":         "a filter follows -Y, or is the last argument",
	"limit":          "-c stops after some packets; head -n shows the first lines",
	"count-only":     "the last line counts; -q -z proto counts by kind",
	"verbose":        "-V shows every field",
	"tree":           "-V shows every field",
	"hex":            "-x shows the bytes",
	"no-color":       "--color never",
	"no-colour":      "--color never",
	"pretty":         "--json has one record a line, which jq lays out: q3dissect FILE --json | jq .",
	"format":         "forms are --json and -T; times are -t",
	"fields-list":    "--list-fields lists the fields",
	"since":          "--from and --to select by time",
	"until":          "--from and --to select by time",
	"start":          "--from and --to select by time",
	"end":            "--from and --to select by time",
	"player":         "a filter chooses players: 'client.name_clean == \"NAME\"' of events",
	"input":          "inputs are named without a flag, or after -r",
	"file":           "inputs are named without a flag, or after -r",
}

// First refuses a first argument that is a word, and neither a verb nor a file. meaning returns what else a word names.
func First(root *cobra.Command, first string, meaning func(string) string) error {
	if first == "" || strings.Trim(first, "abcdefghijklmnopqrstuvwxyz-") != "" || first == input.Standard {
		return nil
	}
	if _, err := os.Stat(first); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if f := root.Flags().Lookup(first); f != nil && !f.Hidden {
		return exit.Usagef("%q is neither a file nor a verb, did you mean --%s?", first, first)
	}
	var verbs []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			verbs = append(verbs, c.Name())
		}
	}
	slices.Sort(verbs)
	if meant := meaning(first); meant != "" {
		return exit.Usagef("%q is neither a file nor a verb; %s", first, meant)
	}
	for _, verb := range verbs {
		if len(first) > 2 && strings.HasPrefix(verb, first) { // cat
			return exit.Usagef("%q is neither a file nor a verb; did you mean %s?", first, verb)
		}
	}
	return exit.Usagef("%q is neither a file nor a verb; %s", first, schema.Choices(first, verbs))
}

// NoSubcommand refuses a word after a verb that has others below it.
func NoSubcommand(cmd *cobra.Command, word string) error {
	var words []string
	for _, c := range cmd.Commands() {
		words = append(words, c.Name())
	}
	return exit.Usagef("%s: there is no %q; %s", cmd.CommandPath(), word, schema.Choices(word, words))
}

// Flag describes a fault in the flags, with the flag as a user types it.
func Flag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &missing):
		return exit.Usagef("%s needs a value", notation(missing.GetFlag()))
	case errors.As(err, &invalid):
		reason := invalid.Unwrap()
		if invalid.GetFlag().Name == "workers" && strings.Trim(invalid.GetValue(), "0123456789") != "" {
			reason = errors.New("-j is the number of threads here; -O chooses protocols, -e fields")
		}
		if errors.Is(reason, strconv.ErrSyntax) {
			reason = errors.New("want true or false")
		}
		return exit.Usagef("%s %s: %v", notation(invalid.GetFlag()), invalid.GetValue(), reason)
	}
	return exit.Usagef("%v", err)
}

func unknownFlag(cmd *cobra.Command, err *pflag.NotExistError) error {
	flags := cmd.Flags()
	if args := flags.Args(); len(args) > 0 && cmd.HasParent() && cmd.HasSubCommands() { // export demos
		return NoSubcommand(cmd, args[0])
	}
	name := err.GetSpecifiedName()
	flag := "--" + name
	if err.GetSpecifiedShortnames() != "" {
		flag = "-" + name
	}
	if hint, known := tsharkFlags[name]; known {
		return exit.Usagef("%s is not a flag here: %s", flag, hint)
	}
	if verbs := withFlag(cmd, name, err.GetSpecifiedShortnames() != ""); len(verbs) > 0 {
		return exit.Usagef("%s is a flag of %s, not of %s", flag, strings.Join(verbs, " and "), cmd.CommandPath())
	}
	for _, c := range cmd.Root().Commands() {
		if c.Name() == name && c.IsAvailableCommand() {
			return exit.Usagef("%s is not a flag here: q3dissect %s is a verb", flag, name)
		}
	}
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if nearest := schema.Nearest(name, names); nearest != "" && len(name) > 1 {
		return exit.Usagef("unknown flag %s, did you mean --%s?", flag, nearest)
	}
	return exit.Usagef("unknown flag %s; q3dissect --help lists them", flag)
}

// withFlag returns the other commands that have a flag.
func withFlag(cmd *cobra.Command, name string, short bool) (commands []string) {
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		f := c.Flags().Lookup(name)
		if short && len(name) == 1 {
			f = c.Flags().ShorthandLookup(name)
		}
		switch {
		case f == nil || f.Hidden || c == cmd:
		case !c.HasParent():
			commands = append(commands, c.Name()+" without a verb")
		default:
			commands = append(commands, c.CommandPath())
		}
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				visit(sub)
			}
		}
	}
	visit(cmd.Root())
	return commands
}

// notation returns a flag as the help names it.
func notation(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}
