package main

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/view"
)

const completionHelp = `q3dissect completion prints a script that completes flags and fields.

  bash        source <(q3dissect completion bash)
  zsh         source <(q3dissect completion zsh)
  fish        q3dissect completion fish | source
  powershell  q3dissect completion powershell | Out-String | Invoke-Expression

Put the line that fits into your shell's start-up file.
`

var shells = []string{"bash", "zsh", "fish", "powershell"}

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
			var script bytes.Buffer
			var err error
			switch root := cmd.Root(); args[0] {
			case "bash":
				err = root.GenBashCompletionV2(&script, true)
			case "zsh":
				err = root.GenZshCompletion(&script)
			case "fish":
				err = root.GenFishCompletion(&script, true)
			case "powershell":
				err = root.GenPowerShellCompletionWithDesc(&script)
			default:
				return exit.Usagef("completion %s: want %s", args[0], strings.Join(shells, ", "))
			}
			if err != nil {
				return err
			}
			return p.Print(script.Bytes())
		},
	}
}

// complete registers the possible values of flags and arguments. Files are among them: without an entry cobra
// completes nothing.
func (p *program) complete(root *cobra.Command) {
	files := func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	root.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if list := cmd.Flags().Lookup("list-fields"); list.Changed {
			return p.completeField(cmd, args, begun)
		}
		return files(cmd, args, begun)
	}
	fixed := func(values ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	for flag, complete := range map[string]cobra.CompletionFunc{
		"format": fixed(run.Formats...),
		"color":  fixed(run.Colors...),
		"time":   fixed(render.TimeFormats()...),
		"field":  p.completeField,
		"only":   fixed(run.Objects(p.protocols)...),

		"decode-as":      p.completeDecodeAs,
		"statistic":      completeStatistic,
		"display-filter": p.completeFilter,

		"read-file": files,
	} {
		if err := root.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // no such flag, or registered twice
		}
	}
}

func (p *program) completeField(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, f := range schema.ListFields(p.protocols) {
		if strings.HasPrefix(f.Path, begun) {
			list = append(list, cobra.CompletionWithDesc(f.Path, f.Doc))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeFilter completes the field at the end of a filter.
func (p *program) completeFilter(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	at := strings.LastIndexAny(begun, " (!{,&|<>=") + 1
	before := begun[:at]
	fields, directive := p.completeField(nil, nil, begun[at:])
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
func (p *program) completeDecodeAs(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	at := strings.LastIndexByte(begun, ',') + 1
	var list []cobra.Completion
	for _, known := range p.protocols {
		for _, name := range known.Dissects() {
			if strings.HasPrefix(name, begun[at:]) {
				list = append(list, begun[:at]+name)
			}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
