package main

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// settings are the flags as they were given. newPlan makes sense of them.
type settings struct {
	// How records are printed.
	format     string // -T
	json       bool
	table, hex bool     // -V, -x
	fields     []string // -e
	columns    []string // -E
	time       string   // -t
	color      string
	quiet      bool

	// What is in them.
	bits, noNames, state, link bool

	// Which ones there are.
	count    number // -c
	frames   frameSet
	all      bool
	decodeAs decodeAs // -d

	// How inputs are read.
	files          []namedInput // -r
	continueInputs bool
	demoProtocol   number
	lineBuffered   bool   // -l
	workers        number // -j
	exitStatus     bool
	noLookup       bool // -n, without effect

	bench

	events  bool // the verb events
	secrets bool // --show-secrets

	// What is printed instead.
	listFields, schema, listProtocols, version bool
}

// A namedInput is a file given with -r, and how many files stood before it without.
type namedInput struct {
	name   string
	before int
}

// newRoot makes the command line: the flags of the one command there is, and the verbs.
func newRoot(p *program) *cobra.Command {
	s := newSettings()
	root := &cobra.Command{
		Use:           "q3dissect",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.root(cmd, s, args)
		},
	}
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { p.help(cmd) })
	root.SetHelpCommand(newHelpCommand(p))
	root.AddCommand(newCompletionCommand(p), newEventsCommand(p), newExportCommand(p))
	s.define(root.Flags())
	p.complete(root)
	return root
}

func newSettings() *settings {
	return &settings{
		count: number{limit: 1 << 63}, demoProtocol: number{limit: 999},
		workers: number{limit: maxWorkers, value: uint64(min(runtime.GOMAXPROCS(0), maxWorkers))},
	}
}

// maxWorkers bounds -j: more than any machine makes use of.
const maxWorkers = 256

// define declares the flags.
func (s *settings) define(f *pflag.FlagSet) {
	f.SortFlags = false
	f.BoolVar(&s.json, "json", false, "one JSON record per line")
	f.BoolVarP(&s.table, "table", "V", false, "a table of every field for each datagram")
	f.BoolVarP(&s.hex, "hex", "x", false, "a hex dump of each datagram")
	f.StringVarP(&s.format, "format", "T", "", "text, json (one array), fields or csv")
	f.StringArrayVarP(&s.fields, "field", "e", nil, "field to print with -T fields or csv")
	f.StringArrayVarP(&s.columns, "columns", "E", nil, "how -T fields and csv print, as in header=y,separator=,")
	f.StringVarP(&s.time, "time", "t", "", "times in text: r, a, ad, adoy, u, ud, udoy, e or d, with .N for N decimals")
	f.StringVar(&s.color, "color", "auto", "auto, always or never")
	f.BoolVar(&s.secrets, "show-secrets", false, "show passwords and CD keys in lists and tables; JSON has them anyway")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "print no records and no summary")

	s.bench.define(f)
	f.StringArrayVarP(&s.only, "only", "O", nil, "-V with the fields of some protocols only")
	f.VarP(&s.count, "count", "c", "stop after so many packets")
	f.Var(&s.frames, "frames", "packets to show, as in 100-200,1042")
	f.BoolVar(&s.all, "all", false, "show packets of no known protocol too")
	f.VarP(&s.decodeAs, "decode-as", "d", "dissect a port as a protocol, as in udp.port==N,PROTO")

	f.Var(&s.demoProtocol, "demo-protocol", "protocol of demos that do not tell it themselves")

	f.BoolVar(&s.bits, "bits", false, "add the positions of all fields to JSON")
	f.BoolVar(&s.noNames, "no-names", false, "leave names of numbers out of JSON")
	f.BoolVar(&s.state, "state", false, "add absolute states and unchanged entities")
	f.BoolVar(&s.link, "link", false, "add facts of the link layer to JSON")

	f.VarP(&inputFlag{s, f}, "read-file", "r", "file to read")
	f.BoolVar(&s.continueInputs, "continue", false, "treat all files as one capture")
	f.BoolVarP(&s.lineBuffered, "line-buffered", "l", false, "print each record at once")
	f.BoolVarP(&s.noLookup, "no-lookup", "n", false, "no effect: names are never looked up")
	f.VarP(&s.workers, "workers", "j", "goroutines that dissect")
	f.BoolVar(&s.exitStatus, "exit-status", false, "exit with 1 if nothing matched")

	f.BoolVar(&s.listFields, "list-fields", false, "list every field of the records")
	f.BoolVar(&s.schema, "schema", false, "print the JSON Schema of the records")
	f.BoolVar(&s.listProtocols, "list-protocols", false, "list the protocols")
	f.BoolVarP(&s.version, "version", "v", false, "print the version")
}

// root is what the command does without a verb.
func (p *program) root(cmd *cobra.Command, s *settings, args []string) error {
	if len(args) > 0 {
		if err := checkFirst(cmd, args[0]); err != nil {
			return err
		}
	}
	if s.listFields && len(args) == 1 {
		return p.listSome(render.ListFields(p.protocols), args[0], s.json)
	}
	inputs, err := p.takeFilter(s, s.inputs(args), filter.Records(p.protocols))
	if err != nil {
		return err
	}
	doc, err := p.document(s)
	switch {
	case err != nil:
		return err
	case doc != nil && len(inputs) > 0:
		return usageError("%s reads no file, but %s is given", doc.flag, inputs[0])
	case doc != nil:
		return p.print(doc.print())
	case len(inputs) == 0:
		if cmd.Flags().NFlag() == 0 {
			fmt.Fprint(p.stderr, helpText)
			return &statusError{status: statusUsage}
		}
		return usageError("no input: name a capture file, or - for standard input")
	}
	pl, err := newPlan(p, s)
	if err != nil {
		return err
	}
	return pl.run(inputs)
}

// inputs puts the files of -r between the others, where they stood.
func (s *settings) inputs(args []string) []string {
	list := slices.Clone(args)
	for i, in := range s.files {
		list = slices.Insert(list, in.before+i, in.name)
	}
	return list
}

// print writes a document to standard output.
func (p *program) print(b []byte) error {
	if _, err := p.stdout.Write(b); err != nil && !isClosedPipe(err) {
		return &statusError{statusUnreadable, "standard output: " + failure(err)}
	}
	return nil
}
