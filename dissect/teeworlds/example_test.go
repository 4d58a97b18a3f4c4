package teeworlds_test

import (
	"encoding/csv"
	"fmt"
	"log"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// Positions of all characters that a client was sent, as CSV: tick, client, x and y. With Options.State every
// snapshot has all objects, not only those that changed.
func Example_positions() {
	w := csv.NewWriter(os.Stdout)
	defer w.Flush()
	protocols := []*dissect.Protocol{teeworlds.New()}
	for rec, err := range open.Records("../../samples/teeworlds/07-ctf.demo", protocols, dissect.Options{State: true}) {
		if err != nil {
			log.Fatal(err)
		}
		for snapshot := range rec.All("teeworlds.chunks.snapshot") {
			if snapshot.Get("tick").Int() > 3074 {
				return // the whole demo would be a long example
			}
			for item := range snapshot.All("items") {
				if c := item.Get("character"); c.Exists() {
					if err := w.Write([]string{
						snapshot.Get("tick").String(), item.Get("id").String(), c.Get("x").String(), c.Get("y").String(),
					}); err != nil {
						log.Fatal(err)
					}
				}
			}
		}
	}
	// Output:
	// 3070,0,1040,625
	// 3070,1,274,625
	// 3070,2,1104,625
	// 3072,0,1038,625
	// 3072,2,1102,625
	// 3072,1,274,625
}

// Every chat line that a server sent, each once: a vital chunk that is sent again has "duplicate" as its state.
func Example_chat() {
	protocols := []*dissect.Protocol{teeworlds.New()}
	for rec, err := range open.Records("../../samples/teeworlds/ddnet-join.pcap", protocols, dissect.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		for chunk := range rec.All("teeworlds.chunks") {
			if chat := chunk.Get("sv_chat"); chat.Exists() && chunk.Get("state").String() != "duplicate" {
				fmt.Printf("%d: %s\n", chat.Get("client_id").Int(), chat.Get("message"))
			}
		}
	}
	// Output:
	// -1: 'dora' entered and joined the game
	// -1: DDraceNetwork Mod. Version: 0.6.4, 16.4
	// -1: please visit DDNet.tw or say /info and make sure to read our /rules
	// 1: Do you know someone who uses a bot? Please report them to the moderators.
	// -1: Welcome to my server!
	// 0: hello from dora
	// 0: team hello
	// 0: unicöde ❤ 😀
}
