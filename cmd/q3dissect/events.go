package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render"
)

const eventsHelp = `q3dissect events tells what happens in the games of captures and demos.

  q3dissect events capture.pcap                   one line per event
  q3dissect events demo.dm_68 --json              one JSON object per event
  q3dissect events capture.pcap --json | jq 'select(.event=="kill")|.info'

Kills, chat, players that come, go, change name and team, items, flags,
scores, votes, maps, warm-up and matches, rcon. Every client of a server has
a stream of its own, which tells what that client was sent.

Usage: q3dissect events [flags] FILE...

      --json            one JSON object per line
  -T, --format FORMAT   text, or json (one array)
      --no-names        leave names of numbers out of JSON
      --show-secrets    passwords of rcon; else they are asterisks
  -t, --time FORMAT     times in text: r a ad u ud e d; r.3 has three decimals
      --color WHEN      auto, always or never
  -q, --quiet           no events and no summary, errors only

  -Y, --display-filter FILTER   events that fit: event == chat and text contains "gg"
  -c, --count N         stop after N packets
      --frames LIST     events of these packets only: 100-200,1042,5000-
  -d, --decode-as udp.port==N,PROTO   whatever the port's datagrams look like
      --demo-protocol N protocol of demos that do not tell it themselves

  -r, --read-file FILE  a file; without -r it is the same
      --continue        all files are one capture, as tcpdump -C makes them
  -l, --line-buffered   wait for nothing: print each event at once
  -j, --workers N       threads that dissect; the output is the same for all N
  -n, --no-lookup       no effect: names are never looked up
      --exit-status     exit with 1 if there was no event

  --list-fields [PREFIX] [--json]  --schema  --help
`

// newEventsCommand makes the verb events.
func newEventsCommand(p *program) *cobra.Command {
	s := newSettings()
	s.events = true
	cmd := &cobra.Command{
		Use:   "events FILE...",
		Short: "what happens in the game",
		Long:  eventsHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			inputs, err := p.takeFilter(s, s.inputs(args), filter.Events(p.protocols))
			if err != nil {
				return err
			}
			return p.tellEvents(s, inputs)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&s.json, "json", false, "one JSON object per line")
	f.StringVarP(&s.format, "format", "T", "", "text, or json (one array)")
	f.BoolVar(&s.noNames, "no-names", false, "leave names of numbers out of JSON")
	f.BoolVar(&s.secrets, "show-secrets", false, "show passwords")
	f.StringVarP(&s.time, "time", "t", "", "times in text: r, a, ad, adoy, u, ud, udoy, e or d, with .N for N decimals")
	f.StringVar(&s.color, "color", "auto", "auto, always or never")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "print no events and no summary")

	s.bench.define(f)
	f.VarP(&s.count, "count", "c", "stop after so many packets")
	f.Var(&s.frames, "frames", "packets to show events of, as in 100-200,1042")
	f.VarP(&s.decodeAs, "decode-as", "d", "dissect a port as a protocol, as in udp.port==N,PROTO")
	f.Var(&s.demoProtocol, "demo-protocol", "protocol of demos that do not tell it themselves")

	f.VarP(&inputFlag{s, f}, "read-file", "r", "file to read")
	f.BoolVar(&s.continueInputs, "continue", false, "treat all files as one capture")
	f.BoolVarP(&s.lineBuffered, "line-buffered", "l", false, "print each event at once")
	f.VarP(&s.workers, "workers", "j", "goroutines that dissect")
	f.BoolVarP(&s.noLookup, "no-lookup", "n", false, "no effect: names are never looked up")
	f.BoolVar(&s.exitStatus, "exit-status", false, "exit with 1 if there was no event")

	f.BoolVar(&s.listFields, "list-fields", false, "list every field of the events")
	f.BoolVar(&s.schema, "schema", false, "print the JSON Schema of the events")
	return cmd
}

// tellEvents is what the verb does.
func (p *program) tellEvents(s *settings, inputs []string) error {
	switch {
	case s.listFields && s.schema:
		return usageError("--list-fields and --schema contradict each other")
	case s.listFields && len(inputs) == 1:
		return p.listSome(render.ListEventFields(p.protocols), inputs[0], s.json)
	case (s.listFields || s.schema) && len(inputs) > 0:
		return usageError("--list-fields and --schema read no file, but %s is given", inputs[0])
	case s.schema:
		return p.print(render.EventSchema(p.protocols))
	case s.listFields:
		return p.print(listFields(render.ListEventFields(p.protocols), s.json))
	case len(inputs) == 0:
		return usageError("no input: name a capture or demo file, or - for standard input")
	case s.format != "" && s.format != "text" && s.format != "json":
		return usageError("-T %s: events are printed as text or json", s.format)
	}
	pl, err := newPlan(p, s)
	if err != nil {
		return err
	}
	return pl.run(inputs)
}

// eventRenderer gives the function that appends the events of one record. It may serve several goroutines.
func (pl *plan) eventRenderer(previous *previousTimes) func(dst []byte, rec *dissect.Record) []byte {
	opts := render.JSON{NoNames: pl.noNames}
	switch pl.form {
	case formLines:
		return func(dst []byte, rec *dissect.Record) []byte { return render.AppendEventsJSON(dst, rec, opts) }
	case formArray:
		return func(dst []byte, rec *dissect.Record) []byte {
			from := len(dst)
			dst = render.AppendEventsJSON(dst, rec, opts)
			return separate(dst, from)
		}
	}
	list := pl.eventList()
	if previous != nil {
		list.Previous = previous.of
	}
	return list.Append
}

// separate makes elements of an array of the lines that stand in dst from from on: JSON has no line feed
// but at their ends.
func separate(dst []byte, from int) []byte {
	if len(dst) == from {
		return dst
	}
	lines := bytes.ReplaceAll(dst[from:len(dst)-1], []byte{'\n'}, []byte(separator))
	return append(append(dst[:from], separator...), lines...)
}

func (pl *plan) eventHeader() []byte {
	list := pl.eventList()
	return list.AppendHeader(nil)
}

// eventList is the list as text, with what the plan found out about the terminal.
func (pl *plan) eventList() *render.EventList {
	return &render.EventList{Time: pl.list.Time, Width: pl.list.Width, Color: pl.list.Color}
}
