package dissect_test

import (
	"fmt"
	"log"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
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

// An engine dissects with several processors. What Finish appends to dst is written in the order of the packets.
func ExampleNewEngine() {
	in, err := open.File("../samples/quake3/68-download.pcap", open.Options{Protocols: all.Protocols()})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	engine, err := dissect.NewEngine(dissect.Config{
		Protocols: all.Protocols(),
		Workers:   2,
		Select:    func(frame uint64) bool { return frame == 4 },
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			return render.AppendJSON(dst, rec, render.JSON{}), nil
		},
		Output: func(b []byte) error { _, err := os.Stdout.Write(b); return err },
	})
	if err != nil {
		log.Fatal(err)
	}
	for p, err := range in.Packets() {
		if err != nil {
			log.Fatal(err)
		}
		if engine.Packet(p) != nil {
			break // Close returns the error
		}
	}
	stats, err := engine.Close()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stats.Game, "datagrams,", stats.Messages, "messages")
	// Output:
	// {"frame":4,"time":"2026-11-21T07:15:13.749077000Z","time_epoch":1795245313.749077000,"time_relative":0.065108000,"src":"127.0.0.1","src_port":28000,"dst":"127.0.0.1","dst_port":28005,"length":31,"protocol":"quake3","stream":0,"direction":"server_to_client","info":"connectResponse -1067657425","quake3":{"version":68,"session":0,"oob":{"command":"connectResponse","arguments":["-1067657425"],"challenge":"-1067657425"}}}
	// 40 datagrams, 34 messages
}
