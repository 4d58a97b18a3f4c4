package quake3_test

import (
	"encoding/csv"
	"fmt"
	"log"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/quake3"
)

// Positions of all players that the client of a capture saw, as CSV. With Options.State every snapshot has
// absolute values: the client's own under player_state.state, the others' in the entities.
func Example_positions() {
	w := csv.NewWriter(os.Stdout)
	defer w.Flush()
	write := func(time int64, client, origin dissect.Value) {
		if err := w.Write([]string{
			fmt.Sprint(time), client.String(), origin.Get("x").String(), origin.Get("y").String(), origin.Get("z").String(),
		}); err != nil {
			log.Fatal(err)
		}
	}
	protocols := []*dissect.Protocol{quake3.New()}
	for rec, err := range open.Records("../../samples/quake3/68-connect-play.pcap", protocols, dissect.Options{State: true}) {
		if err != nil {
			log.Fatal(err)
		}
		for snapshot := range rec.All("quake3.server_message.ops.snapshot") {
			time := snapshot.Get("server_time").Int()
			if time < 9000 || time > 9100 {
				continue // the whole capture would be a long example
			}
			own := snapshot.Lookup("player_state.state")
			write(time, own.Get("client_num"), own.Get("origin"))
			for entity := range snapshot.All("entities.state") {
				if entity.Get("e_type").Name() == "player" {
					write(time, entity.Get("client_num"), entity.Lookup("pos.tr_base"))
				}
			}
		}
	}
	// Output:
	// 9000,3,-576,192,152.125
	// 9000,1,-105,-49,-231
	// 9050,3,-576,192,152.125
	// 9050,1,-89,-46,-231
	// 9100,3,-576,192,152.125
	// 9100,1,-73,-41,-231
	// 9100,2,-5,452,-39
}

// Every kill with its weapon, as the game's own log has them.
func Example_kills() {
	protocols := []*dissect.Protocol{quake3.New()}
	for rec, err := range open.Records("../../samples/quake3/68-loss.pcap", protocols, dissect.Options{Events: true}) {
		if err != nil {
			log.Fatal(err)
		}
		for event := range rec.Events.Top().Children() {
			if event.Get("event").String() == "kill" {
				fmt.Printf("%s killed %s by %s\n", event.Lookup("killer.name_clean"), event.Lookup("victim.name_clean"),
					event.Get("means_of_death").Name())
			}
		}
	}
	// Output:
	// Sergei killed Grism by shotgun
	// Sarge killed Beret by shotgun
}
