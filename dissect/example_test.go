package dissect_test

import (
	"fmt"
	"log"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// The health of a capture's player whenever a snapshot brings it, by the paths that docs/fields and --list-fields
// give.
func ExampleRecord_All() {
	for rec, err := range open.Records("../samples/quake3/68-connect-play.pcap", all.Protocols(), dissect.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		for snapshot := range rec.All("quake3.server_message.ops.snapshot") {
			if health := snapshot.Lookup("player_state.stats.0"); health.Exists() {
				fmt.Println(snapshot.Get("server_time"), health)
			}
		}
	}
	// Output:
	// 7550 125
	// 7800 125
	// 8550 124
	// 9550 123
	// 10550 122
	// 11550 121
	// 12550 120
	// 13550 119
	// 14150 64
	// 14450 74
	// 14500 84
	// 15150 78
}

// Operations of a message are the children of their list.
func ExampleValue_Children() {
	for rec, err := range open.Records("../samples/quake3/68-connect-play.pcap", all.Protocols(), dissect.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if rec.Frame != 34 {
			continue
		}
		for op := range rec.Lookup("quake3.server_message.ops").Children() {
			switch op.Key() {
			case "server_command":
				fmt.Printf("command %d: %q\n", op.Get("sequence").Int(), op.Get("command").String())
			case "snapshot":
				fmt.Printf("snapshot %d, weapon %s, %d entities\n", op.Get("server_time").Int(),
					op.Lookup("player_state.weapon").Name(), op.Get("entities").Len())
			}
		}
		break
	}
	// Output:
	// command 1: "respawn 0"
	// command 2: "print \"LabAlpha^7 entered the game\n\""
	// command 3: "cp \""
	// snapshot 7550, weapon machinegun, 20 entities
}

// A path that is looked for in many records is compiled once. A mistake in it shows then.
func ExampleCompilePath() {
	var roots []*dissect.Field
	for _, p := range all.Protocols() {
		roots = append(roots, p.Root())
	}
	_, err := dissect.CompilePath("quake3.server_message.ops.snapshot.servertime", roots...)
	fmt.Println(err)

	acknowledged, err := dissect.CompilePath("quake3.client_message.message_acknowledge", roots...)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(acknowledged.Fields()[0].Doc)
	newest := int64(0)
	for rec, err := range open.Records("../samples/quake3/71-ipv6-chat.pcap", all.Protocols(), dissect.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		newest = max(newest, acknowledged.First(rec.Tree.Top()).Int())
	}
	fmt.Println(newest)
	// Output:
	// path "quake3.server_message.ops.snapshot.servertime": snapshot has no field "servertime"
	// sequence number of the last server message received
	// 220
}
