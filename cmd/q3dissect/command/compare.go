package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/compare"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/open"
)

const compareHelp = `q3dissect compare shows what happened between two places of a path.

  q3dissect compare client.pcap server.pcap          loss and delay in sentences
  q3dissect compare client.pcap server.pcap --json   an object per direction
  q3dissect compare client.pcap server.pcap --merge  both as one list
  q3dissect compare client.pcap server.pcap -w missing.pcapng
  q3dissect compare client.pcap router.pcap server.pcap
  q3dissect compare --session a.pcap b.teehistorian  when each input was applied

Capture the same session at both ends: what one has and the other lacks was
lost in between. Addresses may differ (NAT), and so may the clocks: their
difference follows from the datagrams. docs/compare.md has the method.

--session compares captures, demos and ghosts of a session with what the
server recorded of it: inputs, places of players and commands.
`

// compareFlags are the flags of the verb.
type compareFlags struct {
	json, seconds, merge bool
	session, packets     bool
	write                output.Name
}

// newCompareCommand makes the verb compare.
func newCompareCommand(p *program) *cobra.Command {
	var o compareFlags
	cmd := &cobra.Command{
		Use:   "compare [FLAGS] A B...",
		Short: "one path seen at both ends: loss, delay",
		Long:  compareHelp,
		RunE:  func(_ *cobra.Command, args []string) error { return p.compare(o, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&o.json, "json", false, "one JSON object per line")
	f.BoolVar(&o.seconds, "seconds", false, "--json: an object for each second too")
	f.BoolVar(&o.session, "session", false, "captures and demos with what the server recorded of all players")
	f.BoolVar(&o.packets, "packets", false, "--session --json: an object for each input in a packet too")
	f.BoolVar(&o.merge, "merge", false, "all captures as one list, with the place of each datagram")
	f.VarP(&o.write, "write", "w", "`FILE`: write the packets missing from one capture, as pcapng")
	help.MarkMain(f, "json", "seconds", "session", "merge", "write")
	return cmd
}

// compare runs the verb.
func (p *program) compare(o compareFlags, args []string) error {
	if o.session {
		return p.compareSession(&o, args)
	}
	if err := o.check(args); err != nil {
		return err
	}
	stop := p.watch(2*(len(args)-1), false)
	results, status := p.comparePlaces(args, false)
	stop()
	if results == nil {
		return exit.With(status)
	}
	if o.write != "" {
		if err := p.writeOnly(o.write, results[0], args); err != nil {
			return err
		}
	}
	if err := p.printResults(o, results, args); err != nil {
		return err
	}
	return cmp.Or(p.printLacks(o.json), exit.Highest(status))
}

// printLacks prints after a result what the inputs of it did not give.
func (p *program) printLacks(asJSON bool) error {
	if len(p.lacks) == 0 {
		return nil
	}
	if asJSON {
		return p.Print(p.lacks.AppendLine(nil))
	}
	return p.Print(p.lacks.AppendText([]byte("\n")))
}

// comparePlaces compares each capture with the next. nil: one cannot be read. The status is that of the worst fault;
// faults are reported unless they were before.
func (p *program) comparePlaces(names []string, reported bool) (results []*compare.Result, status int) {
	status = exit.Done
	read := map[string]bool{}
	for i := range len(names) - 1 {
		var places [2]*compare.Place
		for k, name := range names[i : i+2] { // again for each result: it makes its own of them
			place, fault := p.place(name, reported || read[name])
			status, read[name] = max(status, fault), true
			if place == nil {
				return nil, status
			}
			place.Letter = string(rune('A' + i + k))
			places[k] = place
		}
		result := compare.Compare(places[0], places[1])
		result.Several = len(names) > 2
		if !result.Related() && p.interrupted() {
			return nil, status
		}
		if !result.Related() {
			p.Complain(fmt.Sprintf("%s and %s are not of the same traffic: of %d and %d datagrams of games they have %d in "+
				"common", names[i], names[i+1], result.A.Datagrams(), result.B.Datagrams(), result.Common))
			return nil, max(status, exit.Unreadable)
		}
		results = append(results, result)
	}
	return results, status
}

// mostPlaces is how many captures have letters.
const mostPlaces = 26

// check checks the flags and the names of the captures.
func (o *compareFlags) check(args []string) error {
	if err := checkCompared(args); err != nil {
		return err
	}
	switch {
	case o.packets:
		return exit.Usagef("--packets is for --session --json")
	case o.seconds && !o.json:
		return exit.Usagef("--seconds is for --json")
	case o.merge && (o.json || o.write != ""):
		return exit.Usagef("--merge prints a list; leave out --json and -w")
	case o.write != "" && len(args) > 2:
		return exit.Usagef("-w writes what one of two captures lacks; name two")
	}
	return nil
}

// checkCompared checks the names of captures that are compared.
func checkCompared(names []string) error {
	switch {
	case len(names) < 2:
		return exit.Usagef("compare takes two captures, not %d", len(names))
	case len(names) > mostPlaces:
		return exit.Usagef("compare takes %d captures at most, not %d", mostPlaces, len(names))
	case slices.Contains(names, input.Standard):
		return exit.Usagef("compare reads files, not standard input")
	}
	return nil
}

// printResults prints the results in the form that is asked for.
func (p *program) printResults(o compareFlags, results []*compare.Result, names []string) error {
	if o.merge {
		return p.printMerged(results, names)
	}
	var out []byte
	for i, r := range results {
		if o.json {
			out = r.AppendJSON(out, o.seconds)
			continue
		}
		if i > 0 {
			out = append(out, '\n')
		}
		out = r.AppendText(out)
	}
	if !o.json {
		out = terminal.Fold(out, terminal.Width(p.Stdout))
	}
	return p.Print(out)
}

// place reads a capture. nil: nothing can be read, which was reported, unless it was before.
func (p *program) place(name string, reported bool) (place *compare.Place, status int) {
	complain := func(err error) {
		if !reported {
			p.Complain(name + ": " + exit.Reason(err))
		}
	}
	in, err := open.File(name, open.Options{Protocols: p.protocols})
	if err != nil {
		complain(err)
		return nil, exit.Unreadable
	}
	defer in.Close()
	if _, ok := in.Recording(); ok {
		complain(fmt.Errorf("a recording of a game, not a capture"))
		return nil, exit.Unreadable
	}
	place = compare.NewPlace(terminal.Visible(name))
	lacks, read := incomplete.Account{File: name}, 0
	defer func() {
		p.bar.Tick()
		stats := in.Stats()
		lacks.Capture(&stats)
		p.lack(&lacks)
	}()
	for rec, err := range engine.Records(in.Packets(), engine.Config{
		Protocols: p.protocols, NoTree: true,
		Options: dissect.Options{Events: true, Inputs: true}, // for when clients load
	}) {
		if err == nil {
			lacks.Record(rec)
			err = place.Add(rec)
			read++
		}
		if err == nil && p.ends(name, &lacks, read) {
			return place, p.interrupt.Status()
		}
		if err != nil { // what came before it is compared
			lacks.Fault(err)
			complain(err)
			return place, exit.BrokenOff
		}
	}
	return place, exit.Done
}

// writeOnly writes the packets that only one of the captures has, in the order of time.
func (p *program) writeOnly(name output.Name, r *compare.Result, inputs []string) error {
	file, err := name.Create(p.Console)
	if err != nil {
		return exit.Unwritable(string(name), err)
	}
	packets := capture.NewWriter(file, "q3dissect "+version.Read().Version)
	a, b := &onlyReader{letter: "A", only: r.Only(true)}, &onlyReader{
		letter: "B", number: 1,
		only: r.Only(false), clock: &r.Clock,
	}
	err = errors.Join(a.open(inputs[0], p.protocols), b.open(inputs[1], p.protocols))
	for err == nil && (a.packet != nil || b.packet != nil) {
		from := a
		if a.packet == nil || b.packet != nil && b.time < a.time {
			from = b
		}
		if err = packets.Write(from.packet, from.only[from.packet.Frame]); err == nil {
			err = from.next()
		}
	}
	a.close()
	b.close()
	if err == nil {
		err = packets.Close()
	}
	switch {
	case err != nil:
		file.Drop()
	case packets.Frames() == 0 && file.Replaces():
		file.Drop()
		p.Complain(string(name) + ": stays as it was, as no packet is missing")
	default:
		err = file.Commit()
	}
	if err != nil {
		return exit.Unwritable(string(name), err)
	}
	return nil
}

// An onlyReader reads the packets of a capture that the other one lacks.
type onlyReader struct {
	letter string
	number int // of its interface
	only   map[uint64]string
	clock  *compare.Clock // of B; nil: of A
	in     *open.Input
	packet *dissect.Packet // nil at the end
	time   int64           // by the clock of A
}

func (o *onlyReader) open(name string, protocols []*dissect.Protocol) (err error) {
	if o.in, err = open.File(name, open.Options{Protocols: protocols, Raw: true}); err != nil {
		return err
	}
	return o.next()
}

// next advances to the next packet. A capture that breaks off ends there, which was reported when it was read first.
func (o *onlyReader) next() error {
	for {
		p, err := o.in.Next()
		if err != nil {
			o.packet = nil
			return nil
		}
		if _, ok := o.only[p.Frame]; ok {
			p.Raw.Interface, p.Raw.InterfaceName = o.number, o.letter
			o.packet, o.time = p, p.Time
			if o.clock != nil {
				o.time = o.clock.ToA(p.Time)
			}
			return nil
		}
	}
}

func (o *onlyReader) close() {
	if o.in != nil {
		_ = o.in.Close() // it was only read
	}
}
