package event_test

import (
	"fmt"
	"log"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// Captured flags and ends of matches: kinds of events, and the words in them, are the same in every game.
func Example() {
	options := dissect.Options{Events: true}
	for rec, err := range open.Records("../../samples/teeworlds/07-ctf.demo", all.Protocols(), options) {
		if err != nil {
			log.Fatal(err)
		}
		for e := range rec.Events.Top().Children() {
			switch e.Get(dissect.EventKind.Key).String() {
			case event.Flag:
				if e.Get("action").String() == event.FlagCaptured {
					fmt.Printf("%s captured the %s flag\n", e.Lookup("client.name_clean"), e.Get("flag"))
				}
			case event.MatchEnd:
				if e.Get("reason").String() != event.ReasonRecordingEnd {
					fmt.Println("the match ended:", e.Get("reason"))
				}
			}
		}
	}
	// Output:
	// alice captured the red flag
	// the match ended: scorelimit
}
