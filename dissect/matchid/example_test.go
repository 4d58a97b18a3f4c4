package matchid_test

import (
	"fmt"
	"log"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	kinds "github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/matchid"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// Two clients of one server: each stream numbers its own matches, Numbers makes the match that both show the same.
// It is for records of an engine: those of package open have these numbers.
func ExampleNumbers() {
	var numbers matchid.Numbers
	options := dissect.Options{Events: true}
	in, err := open.File("../../samples/quake3/jo-16-synth.pcap", open.Options{Protocols: all.Protocols()})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	for rec, err := range engine.Records(in.Packets(), engine.Config{Protocols: all.Protocols(), Options: options}) {
		if err != nil {
			log.Fatal(err)
		}
		numbers.Number(rec)
		for e := range rec.Events.Top().Children() {
			if e.Get(dissect.EventKind.Key).String() == kinds.MatchStart {
				fmt.Printf("stream %d shows match %d on %s\n", rec.Stream, e.Get("match").Uint(), e.Get("map"))
			}
		}
	}
	// Output:
	// stream 0 shows match 0 on mp/lab
	// stream 1 shows match 0 on mp/lab
}
