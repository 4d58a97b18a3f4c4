package command

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/hint"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/view"
)

const rootHelp = `q3dissect explains game traffic, down to the bit.

  q3dissect capture.pcap                          one line per game datagram
  q3dissect capture.pcap -V --frames 26           every field of one datagram
  q3dissect capture.pcap --json | jq .info        every message as JSON
  q3dissect capture.pcap 'info contains "rcon"'   a display filter
  tcpdump -w - udp | q3dissect -                  a live capture
`

// start is what the command prints without arguments.
const start = `q3dissect explains game traffic: captures and demos of Quake III, Wolfenstein,
Jedi Knight, Medal of Honor, Teeworlds, DDNet and GameStudio, down to the bit.

  q3dissect events capture.pcap     what happened: chat, kills, votes, rcon
  q3dissect view capture.pcap       packets, fields and bits in the browser
  q3dissect capture.pcap --json     every field of every message, for jq

  q3dissect demo                    a tour on a capture that is built in
  q3dissect --help                  verbs and flags
`

// newRoot makes the command line: the flags of the command without a verb, and the verbs.
func newRoot(p *program) *cobra.Command {
	s, d := run.NewSettings(), &documents{}
	p.many = map[string]manyKeys{}
	root := &cobra.Command{
		Use:           "q3dissect [FLAGS] FILE... [FILTER]",
		Short:         "explain captures and demos of games, down to the bit",
		Long:          rootHelp,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.root(cmd, s, *d, args)
		},
	}
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(hint.Flag)
	root.SetHelpCommand(newHelpCommand(p))
	root.AddCommand(
		newCatalogueCommand(p),
		newCompareCommand(p),
		newCompletionCommand(p),
		newDecodeCommand(p),
		newDemoCommand(p),
		newEventsCommand(p),
		newExportCommand(p),
		newHighlightsCommand(p),
		newKeysCommand(p),
		newManCommand(p),
		newMomentsCommand(p),
		newPlayersCommand(p),
		newReportCommand(p),
		newViewCommand(p),
		newWiresharkCommand(p),
	)
	defineRoot(root.Flags(), s, d)
	p.complete(root)
	p.addHelp(root)
	return root
}

// defineRoot declares the flags of the command without a verb.
func defineRoot(f *pflag.FlagSet, s *run.Settings, d *documents) {
	f.SortFlags = false
	f.BoolVarP(&s.Table, "table", "V", false, "a table of every field: position, bits, value, meaning")
	f.BoolVar(&s.JSON, "json", false, "one JSON record per line")
	f.StringVarP(&s.Format, "format", "T", "", run.FormUsage(false))
	f.StringArrayVarP(&s.Fields, "field", "e", nil, "`FIELD`: a column of -T fields and csv; repeat for more")
	f.StringArrayVarP(&s.Columns, "columns", "E", nil,
		"`OPTIONS`: of -T fields and csv: header=y,separator=, quote, occurrence, "+
			"aggregator, escape, formulas, bom")
	f.StringArrayVarP(&s.Only, "only", "O", nil, "`PROTO`: -V: fields of this protocol only; repeatable")
	f.BoolVarP(&s.Hex, "hex", "x", false, "hex dumps of datagram and message")
	f.StringVarP(&s.Separator, "separator", "S", "", "`TEXT`: line after each table of -V; empty by default")
	s.TextFlags(f, "record")
	f.BoolVar(&s.Masked, "hide-secrets", false, "JSON with asterisks instead of passwords and CD keys")
	f.BoolVar(&s.Bits, "bits", false, "JSON with the bit positions of fields")
	f.BoolVar(&s.Framing, "framing", false, "-V and JSON with what frames the fields, so that every bit has a name")
	f.BoolVar(&s.NoNames, "no-names", false, "JSON without the names of numbers")
	f.BoolVar(&s.Link, "link", false, "JSON with interface, VLAN, TTL and comment")
	f.BoolVar(&s.CommunityID, "community-id", false, "JSON, tables and -z conv with the Community ID of the flow")
	f.BoolVar(&s.State, "state", false, "add complete states and unchanged entities")

	s.FilterFlags(f)
	f.StringArrayVarP(&s.Statistics, "statistic", "z", nil, "`NAME`: a statistic: "+strings.Join(view.Usages(), " "))
	s.ChoiceFlags(f)
	f.BoolVar(&s.All, "all", false, "show packets of unknown protocols too")
	s.InputFlags(f, "nothing matched")
	s.ManyFlags(f)

	s.TableFlags(f)
	f.VarP(&s.Write, "write", "w", "`FILE`: the packets as pcapng, with comments for Wireshark; with --anonymize also a demo")
	f.StringVarP(&s.WriteFormat, "write-format", "F", "", "`FORMAT` of -w: pcapng, or pcap for programs that read nothing else")
	f.BoolVarP(&s.PrintToo, "print", "P", false, "-w: also print the records")
	f.StringVar(&s.PDU, "pdu", "", "-w: every message with all fields for Wireshark's plug-in (q3dissect wireshark); "+
		"`WHICH` is only, or both: the packets too")
	f.Lookup("pdu").NoOptDefVal = run.PDUForms[0]
	f.BoolVar(&s.WithContext, "with-context", false, "-w: add the packets that are needed to decode them")
	f.Var(&s.Evidence, "evidence", "`FILE`: record what was read, the options, and checksums of the output")
	f.Var(&s.Anonymize, "anonymize",
		"`KEY`: replace names, GUIDs and addresses, the same for the same key, and cut passwords; @FILE or env:NAME reads the key")
	f.StringVar(&s.AnonymizeChat, "anonymize-chat", "cut", "`keep|cut` chat")
	f.StringVar(&s.AnonymizeFiles, "anonymize-files", "cut", "`keep|cut` the bytes of files that servers send")
	s.RemoveFlag(f)

	f.BoolVar(&d.listFields, "list-fields", false,
		"list the fields of the records, or those with a WORD in their name or description")
	f.BoolVar(&d.listProtocols, "list-protocols", false, "list the protocols")
	f.BoolVar(&d.schema, "schema", false, "print the JSON Schema of the records")
	f.BoolVarP(&d.version, "version", "v", false, "print the version; with --json, build details")
	help.MarkMain(f, "json")
}

// root runs the command without a verb.
func (p *program) root(cmd *cobra.Command, s *run.Settings, d documents, args []string) error {
	if d.listFields && len(args) == 1 {
		return p.listSome(schema.ListFields(p.protocols, s.Framing), args[0], s.JSON)
	}
	if len(args) > 0 {
		if err := hint.First(cmd, args[0], func(word string) string { return p.meaning(cmd, word) }); err != nil {
			return err
		}
	}
	if d.schema && len(s.Statistics) > 0 {
		return p.statisticSchema(s.Statistics)
	}
	if cmd.Flags().Changed("pdu") { // its value may be left out, so pflag takes the word after it for an input
		args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
			_, err := os.Stat(arg)
			isValue := err != nil && slices.Contains(run.PDUForms, arg)
			if isValue {
				s.PDU = arg
			}
			return isValue
		})
	}
	inputs, err := s.TakeFilter(s.Inputs(args), filter.Records(p.protocols))
	if err != nil {
		return err
	}
	doc, err := p.document(d, s)
	switch {
	case err != nil:
		return err
	case doc != nil && len(inputs) > 0:
		return exit.Usagef("%s reads no file, but %s is given", doc.flag, inputs[0])
	case doc != nil:
		return p.Print(doc.print())
	case len(inputs) == 0:
		if cmd.Flags().NFlag() == 0 {
			fmt.Fprint(p.Stderr, start)
			return exit.With(exit.Usage)
		}
		return exit.Usagef("no input: name a capture file, or - for standard input")
	}
	pl, err := run.NewPlan(p.Console, p.protocols, s)
	if err != nil {
		return err
	}
	return pl.Run(inputs)
}
