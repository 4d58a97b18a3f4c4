package engine_test

import (
	"fmt"
	"log"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// An engine dissects with several processors. What Finish appends to dst is written in the order of the packets.
func ExampleNew() {
	in, err := open.File("../../samples/quake3/68-download.pcap", open.Options{Protocols: all.Protocols()})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	e, err := engine.New(engine.Config{
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
		if e.Packet(p) != nil {
			break // Close returns the error
		}
	}
	stats, err := e.Close()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stats.Game, "datagrams,", stats.Messages, "messages")
	// Output:
	// {"frame":4,"time":"2026-11-21T07:15:13.749077000Z","time_epoch":1795245313.749077000,"time_relative":0.065108000,"src":"127.0.0.1","src_port":28000,"dst":"127.0.0.1","dst_port":28005,"length":31,"protocol":"quake3","stream":0,"direction":"server_to_client","info":"connectResponse -1067657425","quake3":{"version":68,"session":0,"oob":{"command":"connectResponse","arguments":["-1067657425"],"challenge":"-1067657425"}}}
	// 40 datagrams, 34 messages
}
