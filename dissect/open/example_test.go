package open_test

import (
	"fmt"
	"log"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// README has this function, without the comment.

// printKills prints who killed whom in a capture or demo of any game that has events.
func printKills(name string) error {
	for e, err := range open.Events(name, all.Protocols(), dissect.Options{}) {
		if err != nil {
			return err // it cannot be read, or ends early
		}
		if kill, ok := e.Kill(); ok {
			fmt.Println(kill.Killer.Name, "killed", kill.Victim.Name, "with", kill.Weapon)
		}
	}
	return nil
}

// The server's log of this session has "Sergei killed Grism by MOD_SHOTGUN" and "Sarge killed Beret by MOD_SHOTGUN".
func Example() {
	if err := printKills("../../samples/quake3/68-loss.pcap"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Sergei killed Grism with shotgun
	// Sarge killed Beret with shotgun
}

// Every chat line of a file, whatever the game. The servers' logs have the same lines.
func ExampleRecords_chat() {
	for _, name := range []string{"quake3/71-ipv6-chat.pcap", "teeworlds/07-ipv6-join.pcap"} {
		for rec, err := range open.Records("../../samples/"+name, all.Protocols(), dissect.Options{Events: true}) {
			if err != nil {
				log.Fatal(err)
			}
			for event := range rec.Events.Top().Children() {
				if event.Get("event").String() == "chat" && event.Get("text_clean").Exists() { // others are voice chat
					fmt.Printf("%s: %s: %s\n", event.Get("channel"), event.Lookup("client.name_clean"), event.Get("text_clean"))
				}
			}
		}
	}
	// Output:
	// say: LabAlpha: hello everybody from LabAlpha
	// say: LabAlpha: team message ...... red green
	// say: Gargoyle: You know, I really do want to be anarchy... how do I go about that?
	// tell: LabAlpha: private words to the bot in slot zero
	// say: sixer: hello over ipv6
}

// The packets of a capture or recording, before anything is dissected: here the datagrams of each port of a client
// that moved twice. tshark -T fields -e udp.port counts the same.
func ExampleFile() {
	in, err := open.File("../../samples/quake3/68-natrebind.pcap", open.Options{Protocols: all.Protocols()})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	packets := map[uint16]int{} // by the client's port
	for p, err := range in.Packets() {
		if err != nil {
			log.Fatal(err)
		}
		packets[max(p.Src.Port(), p.Dst.Port())]++ // the server's port is 28700
	}
	stats := in.Stats()
	fmt.Println(stats.Format, stats.Packets, packets)
	// Output:
	// pcap 500 map[28720:374 28721:63 28722:63]
}
