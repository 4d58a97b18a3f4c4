package convert_test

import (
	"bytes"
	"fmt"
	"log"
	"os"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
)

// The records and events of a capture, in one pass.
func ExampleRun() {
	capture, err := os.ReadFile("../../samples/quake3/68-loss.pcap")
	if err != nil {
		log.Fatal(err)
	}
	var records, events bytes.Buffer
	result, err := convert.Run(bytes.NewReader(capture), convert.Outputs{Records: &records, Events: &events}, convert.Options{
		Protocols: all.Protocols(),
		Name:      "68-loss.pcap",
	})
	if err != nil {
		log.Fatal(err) // it breaks off: everything before that point is in records and events
	}
	fmt.Println(result.Stats.Packets, "packets,", bytes.Count(events.Bytes(), []byte(`"event":"kill"`)), "kills")
	// Output:
	// 260 packets, 2 kills
}
