package command

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// documents are the flags that print a description instead of dissecting.
type documents struct{ listFields, schema, listProtocols, version bool }

// A document is a description that is printed instead of dissecting.
type document struct {
	flag  string
	given bool
	print func() []byte
}

// document returns the document that was asked for; nil if there is none.
func (p *program) document(d documents, s *run.Settings) (*document, error) {
	var chosen *document
	for _, each := range []document{
		{"--version", d.version, func() []byte { return version.Text(s.JSON) }},
		{"--list-fields", d.listFields, func() []byte { return p.fieldList(s) }},
		{"--list-protocols", d.listProtocols, func() []byte { return p.protocolList(s.JSON) }},
		{"--schema", d.schema, func() []byte { return schema.Records(p.protocols, s.Framing) }},
	} {
		if !each.given {
			continue
		}
		if chosen != nil {
			return nil, exit.Usagef("%s and %s contradict each other", chosen.flag, each.flag)
		}
		chosen = &each
	}
	return chosen, nil
}

// fieldList is --list-fields: every path that records can have, one a line.
func (p *program) fieldList(s *run.Settings) []byte {
	return p.listFields(schema.ListFields(p.protocols, s.Framing), s.JSON)
}

// fieldIndent is how far what a terminal shows of a field is indented below its path.
const fieldIndent = 4

// listFields prints the fields of records or events: one a line, and on a terminal in lines that it holds.
func (p *program) listFields(list []schema.FieldInfo, asJSON bool) (out []byte) {
	if asJSON {
		return schema.AppendFieldsJSON(nil, list)
	}
	width := terminal.Width(p.Stdout)
	if width <= fieldIndent {
		return schema.AppendFieldsText(nil, list)
	}
	for i := range list {
		out = append(append(out, list[i].Path...), '\n')
		out = append(out, strings.Repeat(" ", fieldIndent)...)
		out = table.AppendNote(out, list[i].About(), table.Style{Width: width - fieldIndent}, fieldIndent)
	}
	return out
}

// protocolList is --list-protocols: the dissectors, and the names for -d.
func (p *program) protocolList(asJSON bool) []byte {
	var b bytes.Buffer
	if asJSON {
		lines := json.NewEncoder(&b)
		for _, known := range p.protocols {
			line := struct {
				Protocol string   `json:"protocol"`
				Title    string   `json:"title"`
				Dissects []string `json:"decode_as"`
			}{known.Name, known.Title, known.Dissects}
			if err := lines.Encode(line); err != nil {
				panic(err) // made of strings, into memory
			}
		}
		return b.Bytes()
	}
	t := table.Of(p.protocols, []table.ColumnOf[*dissect.Protocol]{
		{Cell: func(known **dissect.Protocol) string { return (*known).Name }},
		{Column: table.Column{Words: true}, Cell: func(known **dissect.Protocol) string { return (*known).Title }},
		{Column: table.Column{Place: table.BelowLine}, Cell: func(known **dissect.Protocol) string {
			return "-d udp.port==N," + strings.Join((*known).Dissects, "|")
		}},
	})
	t.Bare = true
	return t.AppendText(nil, table.Style{Width: terminal.Width(p.Stdout)})
}

// listSome is --list-fields with a word.
func (p *program) listSome(list []schema.FieldInfo, word string, asJSON bool) error {
	if found := schema.Search(list, word); len(found) > 0 {
		return p.Print(p.listFields(found, asJSON))
	}
	var paths []string
	for _, f := range list {
		paths = append(paths, f.Path)
	}
	if best := schema.Nearest(word, paths); best != "" {
		return exit.Usagef("no field has %q in its name or description; did you mean %s?", word, best)
	}
	return exit.Usagef("no field has %q in its name or description", word)
}

// statisticSchema is -z NAME --schema.
func (p *program) statisticSchema(values []string) error {
	if len(values) > 1 {
		return exit.Usagef("--schema describes one statistic; name one with -z")
	}
	if strings.HasPrefix(values[0], "follow") {
		kind := view.FollowKind()
		return p.Print(incomplete.WithLine(kind.Schema()))
	}
	kind, _, err := view.Find(values[0])
	if err != nil {
		return exit.Usagef("-z: %v", err)
	}
	return p.Print(incomplete.WithLine(kind.Schema()))
}

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
