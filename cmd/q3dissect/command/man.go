package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
)

// newManCommand makes the verb man, for building packages: q3dissect man events >q3dissect-events.1.
func newManCommand(p *program) *cobra.Command {
	var list bool
	man := &cobra.Command{
		Use:    "man [VERB...]",
		Short:  "print the man page of the program or a verb",
		Long:   "q3dissect man prints the man page of the program or of one of its verbs, in roff.\n",
		Hidden: true,

		Annotations: map[string]string{readsNothing: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return p.Print([]byte(strings.Join(help.Pages(cmd.Root()), "\n") + "\n"))
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return exit.Usagef("there is no verb %q", strings.Join(args, " "))
			}
			return p.Print(help.Man(about))
		},
	}
	man.Flags().BoolVar(&list, "list", false, "list the pages there are, by their names")
	return man
}
