package run

import (
	"runtime"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/dissect/view/outliers"
)

// Settings are the flags as they were given. NewPlan interprets them.
type Settings struct {
	// How records are printed.
	Format     string // -T
	JSON       bool
	Table, Hex bool     // -V, -x
	Fields     []string // -e
	Columns    []string // -E
	Time       string   // -t
	Color      string
	Quiet      bool

	// What is in them.
	Bits, Framing, NoNames, State, Link, CommunityID bool
	Shots                                            bool // with Events: an event for each shot

	// The selection of records.
	Count    flags.Number // -c
	Window   flags.Window // --from, --to
	Frames   flags.Frames
	All      bool
	DecodeAs flags.DecodeAs // -d

	// How inputs are read.
	Files          []flags.File // -r
	ContinueInputs bool
	DemoProtocol   flags.Number
	LineBuffered   bool         // -l
	Workers        flags.Number // -j
	Memory         flags.Size   // --memory
	ExitStatus     bool
	NoLookup       bool // -n, without effect

	Filter     string   // -Y
	Only       []string // -O
	JQ         string   // --jq
	Statistics []string // -z
	RowsCount  bool     // --exit-status is about the rows of statistics

	Write       output.Name // -w
	WriteFormat string      // -F, one of WriteFormats
	PrintToo    bool        // -P: records too
	Separator   string      // -S
	WithContext bool
	PDU         string           // --pdu, one of PDUForms
	Anonymize   flags.Passphrase // --anonymize
	Remove      flags.Remove     // --remove
	// What --anonymize keeps: "keep" or "cut"
	AnonymizeChat, AnonymizeFiles string
	Evidence                      output.Name // --evidence

	Events bool // the verb events
	// Highlights asks for events of remarkable moments.
	Highlights flags.Highlights
	Merge      bool // the streams of one server are one game
	Secrets    bool // --show-secrets
	Masked     bool // --hide-secrets
	// Walls returns what is solid in a map, for -z moments; nil: no maps were named
	Walls func(mapName string) outliers.Clear

	NoRecover bool       // --no-recover
	KeysFile  input.Name // --keys

	Recursive bool          // -R
	Output    output.Folder // -o, of -T parquet
	Manifest  output.Name   // --manifest
	Resume    bool          // --resume

	flags *pflag.FlagSet // as they were given
}

// NewSettings returns the settings of a command line without flags.
func NewSettings() *Settings {
	return &Settings{
		Count: flags.Number{Limit: 1 << 63}, DemoProtocol: flags.Number{Limit: 999},
		Workers: flags.Number{Limit: maxWorkers, Value: uint64(min(runtime.GOMAXPROCS(0), maxWorkers))},
	}
}

// maxWorkers bounds -j: more than any machine can use.
const maxWorkers = 256

// TextFlags declares the flags about text output that verbs share. what is what they print.
func (s *Settings) TextFlags(f *pflag.FlagSet, what string) {
	f.StringVarP(&s.Time, "time", "t", "", "`FORMAT`: times in text: r a ad adoy u ud udoy e d; r.3 has three decimals")
	f.StringVar(&s.Color, "color", "auto", "`WHEN`: auto, always or never")
	f.BoolVar(&s.Secrets, "show-secrets", false, "show passwords and CD keys in text instead of asterisks")
	f.BoolVarP(&s.Quiet, "quiet", "q", false, "no "+what+"s and no summary: errors only")
}

// ChoiceFlags declares the flags that select packets.
func (s *Settings) ChoiceFlags(f *pflag.FlagSet) {
	f.Var(&s.Frames, "frames", "packets of this `LIST` only: 100-200,1042,5000-")
	f.Var(&s.Window.From, "from", "packets from `TIME` on: 20.5, 20s, 0:20, 07:11:46, 2026-11-21T07:11:46Z; UTC by default")
	f.Var(&s.Window.To, "to", "packets up to `TIME`")
	s.PacketFlags(f)
}

// PacketFlags declares the flags about which part of an input is read.
func (s *Settings) PacketFlags(f *pflag.FlagSet) {
	f.VarP(&s.Count, "count", "c", "stop after `N` packets")
	f.VarP(&s.DecodeAs, "decode-as", "d",
		"udp.port==N,PROTO (or A-B for N): decode these ports as PROTO; PROTO alone: hex dumps without headers")
}

// RemoveFlag declares --remove.
func (s *Settings) RemoveFlag(f *pflag.FlagSet) {
	f.Var(&s.Remove, "remove", "`WHAT`: chat (the words become asterisks), names (others in their place), or chat,names; nothing else changes")
}

// InputFlags declares the flags about inputs. nothing is the empty result that --exit-status is about.
func (s *Settings) InputFlags(f *pflag.FlagSet, nothing string) {
	f.Var(&s.DemoProtocol, "demo-protocol", "protocol number of demos that do not contain it")
	f.VarP(flags.NewInputs(&s.Files, f), "read-file", "r", "an input, as without -r")
	f.BoolVar(&s.ContinueInputs, "continue", false, "treat all files as one capture (tcpdump -C)")
	s.RecoveryFlags(f)
	f.BoolVarP(&s.LineBuffered, "line-buffered", "l", false, "print each record at once; wait for nothing")
	f.VarP(&s.Workers, "workers", "j", "`N` threads; the output does not depend on it")
	f.Var(&s.Memory, "memory",
		"`SIZE` of memory for all streams, 512M by default; the least recently used are dropped")
	f.BoolVarP(&s.NoLookup, "no-lookup", "n", false, "no effect: host names are never resolved")
	f.BoolVar(&s.ExitStatus, "exit-status", false, "exit with 1 if "+nothing)
}

// Inputs inserts the files of -r among the others, at their place on the command line.
func (s *Settings) Inputs(args []string) []string { return flags.InsertFiles(args, s.Files) }
