package gamestudio_test

import (
	"fmt"
	"log"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// The path of an entity, from the updates that a server sends over DirectPlay 8: 1.5 quants along x and a quarter
// along y each time, as the generator of the sample wrote it.
func Example_positions() {
	for rec, err := range open.Records("../../samples/gamestudio/synthetic-every-late.pcap", all.Protocols(), dissect.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if rec.Frame > 20 {
			break // and so on
		}
		for update := range rec.All("gamestudio.messages.svc_update2") {
			if at := update.Get("position"); at.Exists() && update.Get("entity_index").Int() == 9 {
				fmt.Println(rec.Frame, at.Get("x"), at.Get("y"), at.Get("z"))
			}
		}
	}
	// Output:
	// 13 32 -32.5 64
	// 14 32 -32.5 64
	// 16 33.5 -32.75 64
	// 18 35 -33 64
	// 20 36.5 -33.25 64
}
