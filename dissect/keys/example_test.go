package keys_test

import (
	"fmt"
	"log"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A session that began before the capture: a first pass recovers its key from the enciphered messages, a second one
// reads the capture with it. Without NoRecover package open does both by itself.
func ExampleTable() {
	const capture = "../../samples/quake3/68-midsession.pcap"
	var table keys.Table
	snapshots := func(options dissect.Options) (n int) {
		for rec, err := range open.Records(capture, all.Protocols(), options) {
			if err != nil {
				log.Fatal(err)
			}
			for range rec.All("quake3.server_message.ops.snapshot") {
				n++
			}
		}
		return n
	}
	fmt.Println(snapshots(dissect.Options{NoRecover: true}), "snapshots without the key")
	snapshots(dissect.Options{KeysOnly: true, KeyFound: table.Add})
	for _, k := range table.List() {
		fmt.Printf("stream %d: %s, %d of %d messages deciphered\n", k.Stream, k.Known, k.Verified, k.Messages)
	}
	fmt.Println(snapshots(dissect.Options{Keys: table.Find}), "snapshots with it")
	// Output:
	// 186 snapshots without the key
	// stream 0: recovered, 577 of 577 messages deciphered
	// 192 snapshots with it
}
