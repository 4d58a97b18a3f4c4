package main

import (
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
	memory         size   // --memory
	exitStatus     bool
	noLookup       bool // -n, without effect

	bench

	writing   writing // -w
	anonymize string  // --anonymize
	evidence  string  // --evidence

	events  bool // the verb events
	secrets bool // --show-secrets

	noRecover bool   // --no-recover
	keysFile  string // --keys

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
		Use:           "q3dissect [FLAGS] FILE... [FILTER]",
		Short:         "read packet captures of games",
		Long:          rootHelp,
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
	root.SetHelpCommand(newHelpCommand(p))
	root.AddCommand(newCompletionCommand(p), newEventsCommand(p), newExportCommand(p), newKeysCommand(p), newManCommand(p))
	s.define(root.Flags())
	p.complete(root)
	p.addHelp(root)
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
	f.BoolVarP(&s.table, "table", "V", false, "a table of every field: place, bits, value, meaning")
	f.BoolVar(&s.json, "json", false, "one JSON record per line")
	f.StringVarP(&s.format, "format", "T", "", "`FORMAT`: text, json (one array), fields or csv")
	f.StringArrayVarP(&s.fields, "field", "e", nil, "`FIELD`: a column of -T fields and csv; one -e for each")
	f.StringArrayVarP(&s.columns, "columns", "E", nil, "`OPTIONS`: of -T fields and csv: header=y,separator=, quote, occurrence, "+
		"aggregator, escape, formulas, bom")
	f.StringArrayVarP(&s.only, "only", "O", nil, "`PROTO`: -V with the fields of these protocols only")
	f.BoolVarP(&s.hex, "hex", "x", false, "hex dumps of datagram and message")
	s.commonText(f, "record")
	f.BoolVar(&s.bits, "bits", false, "JSON with the positions of all fields")
	f.BoolVar(&s.noNames, "no-names", false, "JSON without the names of numbers")
	f.BoolVar(&s.link, "link", false, "JSON with interface, VLAN, TTL and comment")
	f.BoolVar(&s.state, "state", false, "absolute states and unchanged entities too")

	s.bench.define(f)
	f.StringArrayVarP(&s.bench.statistics, "statistic", "z", nil, "`NAME`: a statistic: conv endpoints io,SECONDS proto expert fields loss players rcon "+
		"drdos servers; follow,STREAM is a stream as a conversation")
	s.commonChoice(f)
	f.BoolVar(&s.all, "all", false, "packets of no known protocol too")
	s.commonInput(f, "nothing matched")

	s.writing.define(f)
	f.StringVar(&s.evidence, "evidence", "", "`FILE`: which bytes were read with which options, and sums of what was written")
	f.StringVar(&s.anonymize, "anonymize", "", "`KEY`: other names, GUIDs and addresses, which depend on it; passwords are cut")

	f.BoolVar(&s.listFields, "list-fields", false, "list the fields of the records, or those below a PREFIX")
	f.BoolVar(&s.listProtocols, "list-protocols", false, "list the protocols")
	f.BoolVar(&s.schema, "schema", false, "print the JSON Schema of the records")
	f.BoolVarP(&s.version, "version", "v", false, "print the version; with --json all about the build")
	markMain(f, "table", "json", "format", "field", "display-filter")
}

// commonText declares the flags about text output that verbs share. what is printed, one after the other.
func (s *settings) commonText(f *pflag.FlagSet, what string) {
	f.StringVarP(&s.time, "time", "t", "", "`FORMAT`: times in text: r a ad adoy u ud udoy e d; r.3 has three decimals")
	f.StringVar(&s.color, "color", "auto", "`WHEN`: auto, always or never")
	f.BoolVar(&s.secrets, "show-secrets", false, "passwords and CD keys in text; else they are asterisks")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "no "+what+"s and no summary, errors only")
}

// commonChoice declares the flags that choose packets.
func (s *settings) commonChoice(f *pflag.FlagSet) {
	f.Var(&s.frames, "frames", "these packets only: 100-200,1042,5000-")
	s.commonPackets(f)
}

// commonPackets declares the flags about what is read of an input.
func (s *settings) commonPackets(f *pflag.FlagSet) {
	f.VarP(&s.count, "count", "c", "stop after `N` packets")
	f.VarP(&s.decodeAs, "decode-as", "d", "udp.port==N,PROTO, whatever its datagrams look like; PROTO alone for hex dumps without headers")
}

// commonInput declares the flags about inputs. nothing is what --exit-status is about.
func (s *settings) commonInput(f *pflag.FlagSet, nothing string) {
	f.Var(&s.demoProtocol, "demo-protocol", "protocol of demos that do not name it themselves")
	f.VarP(&inputFlag{s, f}, "read-file", "r", "a file; without -r it is the same")
	f.BoolVar(&s.continueInputs, "continue", false, "all files are one capture, as tcpdump -C makes them")
	s.defineRecovery(f)
	f.BoolVarP(&s.lineBuffered, "line-buffered", "l", false, "wait for nothing: print each record at once")
	f.VarP(&s.workers, "workers", "j", "threads that dissect; the output is the same for all `N`")
	f.Var(&s.memory, "memory", "what is kept of idle streams takes `SIZE` at most, 64M if not given; the longest unused is forgotten")
	f.BoolVarP(&s.noLookup, "no-lookup", "n", false, "no effect: names are never looked up")
	f.BoolVar(&s.exitStatus, "exit-status", false, "exit with 1 if "+nothing)
}

// root is what the command does without a verb.
func (p *program) root(cmd *cobra.Command, s *settings, args []string) error {
	if len(args) > 0 {
		if err := checkFirst(cmd, args[0]); err != nil {
			return err
		}
	}
	if s.schema && len(s.bench.statistics) > 0 {
		return p.statisticSchema(s.bench.statistics)
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
			p.stderr.Write(helpText(cmd, false)) // nothing can be done about a fault here
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
