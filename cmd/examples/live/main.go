// Live prints what is said in games while it is said: of packets on standard input, as tcpdump writes them.
//
//	tcpdump -i eth0 -U -w - udp | go run ./live
//
// Any source of gopacket does as well: a handle of its packages pcap and afpacket.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/event"
)

func main() {
	source, err := pcapgo.NewReader(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	packets := capture.FromSource(source, source.LinkType(), capture.Options{})
	cfg := engine.Config{Protocols: all.Protocols(), Options: dissect.Options{Events: true, Recover: true}}
	for rec, err := range engine.Records(packets.Packets(), cfg) {
		if err != nil {
			log.Fatal(err)
		}
		for e := range event.Of(rec) {
			if chat, ok := e.Chat(); ok {
				fmt.Printf("%s  <%s> %s\n", chat.Channel, chat.From.Name, chat.Text)
			}
		}
	}
}
