package render_test

import (
	"log"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// One frame of a capture as JSON, as --json prints it.
func ExampleAppendJSON() {
	for rec, err := range open.Records("../../samples/quake3/68-download.pcap", all.Protocols(), dissect.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if rec.Frame == 4 {
			os.Stdout.Write(render.AppendJSON(nil, rec, render.JSON{}))
		}
	}
	// Output:
	// {"frame":4,"time":"2026-11-21T07:15:13.749077000Z","time_epoch":1795245313.749077000,"time_relative":0.065108000,"src":"127.0.0.1","src_port":28000,"dst":"127.0.0.1","dst_port":28005,"length":31,"protocol":"quake3","stream":0,"direction":"server_to_client","info":"connectResponse -1067657425","quake3":{"version":68,"session":0,"oob":{"command":"connectResponse","arguments":["-1067657425"],"challenge":"-1067657425"}}}
}

// Columns of a capture, as -T fields -E header=y -E separator=, prints them.
func ExampleSelector() {
	protocols := all.Protocols()
	columns := render.FieldColumns()
	columns.Header, columns.Separator = true, ","
	names := []string{"frame", "src_port", "quake3.server_message.ops.download.block", "quake3.server_message.ops.download.size"}
	selector, err := render.NewSelector(names, protocols, columns)
	if err != nil {
		log.Fatal(err) // a name that no record has, with the nearest one that there is
	}
	out := selector.AppendHeader(nil)
	for rec, err := range open.Records("../../samples/quake3/68-download.pcap", protocols, dissect.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if rec.Frame >= 12 && rec.Frame <= 15 {
			out = selector.Append(out, rec)
		}
	}
	os.Stdout.Write(out)
	// Output:
	// frame,src_port,quake3.server_message.ops.download.block,quake3.server_message.ops.download.size
	// 12,28000,0,1024
	// 13,28000,1,1024
	// 14,28000,2,1024
	// 15,28000,3,1024
}
