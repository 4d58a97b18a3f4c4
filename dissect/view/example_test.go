package view_test

import (
	"log"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// Who tried to use the remote control of a server, as -q -z rcon --json prints it.
func Example() {
	kind, args, err := view.Find("rcon")
	if err != nil {
		log.Fatal(err)
	}
	statistic, err := kind.New(args, &view.Env{})
	if err != nil {
		log.Fatal(err)
	}
	options := dissect.Options{Events: kind.Needs.Events, Secrets: true} // passwords are distinguished, and shown as tags
	for rec, err := range open.Records("../../samples/quake3/oob.pcap", all.Protocols(), options) {
		if err != nil {
			log.Fatal(err)
		}
		if kind.Needs.Counts(rec) {
			statistic.Add(rec)
		}
	}
	for _, table := range statistic.Tables() {
		os.Stdout.Write(table.AppendJSON(nil))
	}
	// Output:
	// {"statistic":"rcon","server":"127.0.0.1:27900","source":"127.0.0.1","attempts":10,"denied":9,"answered":1,"guesses":5,"passwords":["8810ad58","27042f4e","c72e63f8","ab222854","(none)"],"start":36.678365,"start_time":"2026-11-21T07:14:17.729057000Z","duration":21.487363}
	// {"statistic":"rcon","server":"127.0.0.1:27901","source":"127.0.0.1","attempts":4,"denied":4,"answered":0,"guesses":4,"passwords":["27042f4e","c72e63f8","ab222854","(none)"],"start":47.678359,"start_time":"2026-11-21T07:14:28.729051000Z","duration":26.679343}
}
