package hint

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
)

// Values refuses a command line in which a flag of the program is the value of another flag, as in --anonymize -w FILE:
// the value was forgotten. Without it -w would be the key, and FILE an input. Written in one argument, as
// --anonymize=-w, it is a value. Other faults are left to the parser of the flags.
func Values(root *cobra.Command, args []string) error {
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		return nil // an unfinished command line
	}
	cmd, args, err := root.Find(args)
	if err != nil {
		return nil
	}
	cmd.InheritedFlags() // adds the flags of all commands to the command's own
	for len(args) > 0 && args[0] != "--" {
		f, known := wantsNext(cmd.Flags(), args[0])
		args = args[1:]
		if !known || f != nil && len(args) == 0 {
			return nil
		}
		if f == nil {
			continue
		}
		if flag, _, _ := strings.Cut(args[0], "="); isFlag(root, flag) {
			return exit.Usagef("%s needs a value; %s is a flag: write %s=%s if you mean it",
				notation(f), flag, notation(f), args[0])
		}
		args = args[1:]
	}
	return nil
}

// wantsNext returns the flag whose value is the argument after this one: nil if it wants none, as pflag's parseArgs
// decides. It reports whether all flags of the argument are known.
func wantsNext(flags *pflag.FlagSet, arg string) (f *pflag.Flag, known bool) {
	if name, long := strings.CutPrefix(arg, "--"); long {
		name, _, hasValue := strings.Cut(name, "=")
		f = flags.Lookup(name)
		if f != nil && (hasValue || f.NoOptDefVal != "") {
			return nil, true
		}
		return f, f != nil
	}
	if len(arg) < 2 || arg[0] != '-' {
		return nil, true
	}
	for i := 1; i < len(arg); i++ {
		f = flags.ShorthandLookup(arg[i : i+1])
		switch {
		case f == nil:
			return nil, false
		case i+1 == len(arg) && f.NoOptDefVal == "":
			return f, true
		case i+1 < len(arg) && (f.NoOptDefVal == "" || arg[i+1] == '='):
			return nil, true
		}
	}
	return nil, true
}

// isFlag reports whether an argument is a flag of a command or of one of its verbs.
func isFlag(cmd *cobra.Command, arg string) bool {
	cmd.InheritedFlags()
	flags := cmd.Flags()
	if name, long := strings.CutPrefix(arg, "--"); long {
		if name != "" && flags.Lookup(name) != nil {
			return true
		}
	} else if len(arg) == 2 && arg[0] == '-' && flags.ShorthandLookup(arg[1:]) != nil {
		return true
	}
	for _, verb := range cmd.Commands() {
		if isFlag(verb, arg) {
			return true
		}
	}
	return false
}
