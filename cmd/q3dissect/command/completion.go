package command

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/piece"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/view"
)

const completionHelp = `q3dissect completion prints a script that completes flags and fields.

  bash        source <(q3dissect completion bash)   needs bash-completion
  zsh         source <(q3dissect completion zsh)
  fish        q3dissect completion fish | source
  powershell  q3dissect completion powershell | Out-String | Invoke-Expression

Put the line of your shell into its start-up file.
`

// newCompletionCommand makes the verb completion.
func newCompletionCommand(p *program) *cobra.Command {
	return &cobra.Command{
		Annotations: map[string]string{help.Rare: "", readsNothing: ""},
		Use:         "completion SHELL",
		Short:       "a script for bash, zsh, fish or powershell",
		Long:        completionHelp,
		ValidArgs:   shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return exit.Usagef("completion needs one shell: %s", strings.Join(shells, ", "))
			}
			script, err := completionScript(cmd.Root(), args[0])
			if err != nil {
				return err
			}
			return p.Print(script)
		},
	}
}

// complete registers the possible values of flags and arguments, for every command that has the flag.
func (p *program) complete(root *cobra.Command) {
	fixed := func(values ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	flags := map[string]cobra.CompletionFunc{
		"format": completeForm,
		"color":  fixed(run.Colors...),
		"time":   fixed(render.TimeFormats()...),
		"field":  p.completeField,
		"only":   fixed(run.Objects(p.protocols)...),

		"decode-as":      p.completeDecodeAs,
		"statistic":      completeStatistic,
		"display-filter": p.completeFilter,
		"sort":           p.completeKey,

		"pdu":             fixed(run.PDUForms...),
		"write-format":    fixed(run.WriteFormats...),
		"anonymize-chat":  fixed("cut", "keep"),
		"anonymize-files": fixed("cut", "keep"),
		"remove":          fixed("chat", "names", "chat,names"),

		"as":        fixed(piece.Names(p.protocols)...),
		"read-file": files,
	}
	for _, cmd := range help.Tree(root) {
		for flag, complete := range flags {
			if cmd.Flags().Lookup(flag) == nil {
				continue
			}
			if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
				panic(err) // registered twice
			}
		}
		if cmd.Flags().Lookup("display-filter") != nil {
			cmd.ValidArgsFunction = p.completeArgument
		}
	}
}

// files leaves the completion to the shell. Without an entry cobra completes verbs alone.
func files(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// completeArgument completes a file, the word of --list-fields, or a field in the filter after the files.
func (p *program) completeArgument(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion,
	cobra.ShellCompDirective,
) {
	if cmd.Flags().Changed("list-fields") {
		return p.completeField(cmd, args, begun)
	}
	if some, err := filepath.Glob(begun + "*"); len(args) > 0 && len(some) == 0 && err == nil {
		return p.completeFilter(cmd, args, begun)
	}
	return files(cmd, args, begun)
}

// completeKey completes the key of --sort.
func (p *program) completeKey(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return p.many[cmd.Name()].sort(), cobra.ShellCompDirectiveNoFileComp
}

// completeForm completes -T.
func completeForm(cmd *cobra.Command, _ []string, _ string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, form := range run.Forms(cmd.Name() == eventsVerb) {
		list = append(list, cobra.CompletionWithDesc(form.Name, form.Doc))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeField completes the name of a field of what the command prints.
func (p *program) completeField(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion,
	cobra.ShellCompDirective,
) {
	var list []cobra.Completion
	add := func(path, doc string) {
		if strings.HasPrefix(path, begun) {
			list = append(list, cobra.CompletionWithDesc(path, doc))
		}
	}
	var fields []schema.FieldInfo
	if rows, ok := p.many[cmd.Name()]; ok {
		for _, f := range rows.fields() {
			add(f.Key, f.Doc)
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	switch cmd.Name() {
	case eventsVerb:
		fields = schema.ListEventFields(p.protocols)
	default:
		fields = schema.ListFields(p.protocols, true)
	}
	for _, f := range fields {
		add(f.Path, f.Doc)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeFilter completes the field at the end of a filter.
func (p *program) completeFilter(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion,
	cobra.ShellCompDirective,
) {
	at := strings.LastIndexAny(begun, " (!{,&|<>=") + 1
	before := begun[:at]
	fields, directive := p.completeField(cmd, nil, begun[at:])
	for i, f := range fields {
		fields[i] = before + f
	}
	return fields, directive | cobra.ShellCompDirectiveNoSpace
}

// completeStatistic completes the name of a statistic; arguments follow a comma.
func completeStatistic(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, k := range append(view.Kinds(), view.FollowKind()) {
		word := k.Name
		if strings.HasPrefix(k.Usage, k.Name+",") {
			word += ","
		}
		if strings.HasPrefix(word, begun) {
			list = append(list, cobra.CompletionWithDesc(word, k.Doc))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeDecodeAs completes the protocol of -d, after the port if there is one.
func (p *program) completeDecodeAs(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion,
	cobra.ShellCompDirective,
) {
	at := strings.LastIndexByte(begun, ',') + 1
	var list []cobra.Completion
	for _, known := range p.protocols {
		for _, name := range known.Dissects {
			if strings.HasPrefix(name, begun[at:]) {
				list = append(list, begun[:at]+name)
			}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
