package command

import (
	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// help prints the help of a command, and keeps an error of the output: cobra has no place for one.
func (p *program) help(cmd *cobra.Command, all bool) {
	p.helpError = p.Print(help.Text(cmd, all))
}

// addHelp makes --help and --help-all of all commands.
func (p *program) addHelp(root *cobra.Command) {
	var all bool
	root.PersistentFlags().BoolVar(&all, "help-all", false, "all flags")
	root.PersistentFlags().BoolP("help", "h", false, "this page")
	root.PersistentFlags().SortFlags = false
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { p.help(cmd, all) })
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if !all {
			return p.checkFiles(cmd, args)
		}
		if p.help(cmd, true); p.helpError != nil {
			return p.helpError
		}
		return exit.With(exit.Done)
	}
}

// newHelpCommand makes the verb help.
func newHelpCommand(p *program) *cobra.Command {
	return &cobra.Command{
		Annotations: map[string]string{help.Rare: "", readsNothing: ""},
		Use:         "help [VERB|TOPIC|FIELD|EVENT|STATISTIC|CODE]",
		Short:       "about a verb, a field, an event, or filters, fields, stats",
		Long: "q3dissect help explains a verb, a topic (filters, fields, stats), a field\n" +
			"(quake3.netchan.qport, ping), a kind of event (kill), a statistic (loss) or the\n" +
			"code of an expert entry (key_unknown).\n",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) (words []cobra.Completion,
			_ cobra.ShellCompDirective,
		) {
			if about, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				for _, c := range help.VisibleCommands(about) {
					words = append(words, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			if len(args) == 0 {
				words = append(words, help.Topics()...)
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if page := topic(args[0]); page != "" {
					return p.Print([]byte(page))
				}
			}
			about, rest, err := cmd.Root().Find(args)
			switch {
			case err == nil && len(rest) == 0:
			case len(args) == 1:
				return p.explain(cmd.Root(), args[0])
			default:
				return exit.Usagef("there is no help about %q; q3dissect help shows what there is", args[0])
			}
			p.help(about, false)
			return p.helpError
		},
	}
}

// explain prints the page about a statistic, a field, a kind of events or the code of an expert entry.
func (p *program) explain(root *cobra.Command, word string) error {
	kinds := dissect.EventKinds(p.protocols)
	records, events := schema.ListFields(p.protocols, true), schema.ListEventFields(p.protocols)
	if ours := schema.Meant(word); ours != "" {
		word = ours
	}
	var page string
	words := kinds
	for _, k := range append(view.Kinds(), view.FollowKind()) {
		if words = append(words, k.Name); k.Name == word {
			page = statisticPage(&k)
		}
	}
	if page += help.Explain(word, kinds, records, events); page != "" {
		page += flagPage(root, word)
		return p.Print([]byte(page))
	}
	for i := range records {
		words = append(words, records[i].Path)
	}
	if page := columnPage(word) + flagPage(root, word); page != "" {
		return p.Print([]byte(page))
	}
	if meant := p.meaning(root, word); meant != "" {
		return exit.Usagef("there is no help about %q; %s", word, meant)
	}
	if best := schema.Nearest(word, words); best != "" {
		return exit.Usagef("there is no help about %q; did you mean %s?", word, best)
	}
	return exit.Usagef("there is no help about %q; q3dissect help shows what there is", word)
}

// statisticPage returns the page about a statistic.
func statisticPage(k *view.Kind) string {
	var columns []string
	for _, c := range k.Columns {
		columns = append(columns, c.Key, c.Doc)
	}
	return help.Statistic(k.Name, k.Doc, k.Usage, columns...)
}

// topic returns a page of q3dissect help other than those of verbs.
func topic(name string) string {
	var statistics []string
	for _, k := range append(view.Kinds(), view.FollowKind()) {
		statistics = append(statistics, k.Usage, k.Doc)
	}
	return help.Topic(name, statistics...)
}
