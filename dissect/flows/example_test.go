package flows_test

import (
	"fmt"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// A router remembers which side of a pair of endpoints is the server. It learns that from the first datagram of a
// session; later ones have their direction by it, whichever side sends.
func ExampleTable() {
	type pair struct{ server flows.Side }
	var pairs flows.Table[pair]
	client, server := netip.MustParseAddrPort("192.0.2.7:40000"), netip.MustParseAddrPort("198.51.100.1:27960")
	datagrams := []dissect.Packet{
		{UDP: true, Time: 1e9, Src: client, Dst: server, Payload: []byte("hello")},
		{UDP: true, Time: 2e9, Src: server, Dst: client, Payload: []byte("welcome")},
		{UDP: true, Time: 3e9, Src: client, Dst: server, Payload: []byte("ready")},
	}
	for i := range datagrams {
		p := &datagrams[i]
		from := flows.Sender(p)
		e := pairs.Find(p, p.Time)
		if e == nil { // the first datagram is a client's
			e = pairs.Add(p, p.Time)
			e.Value.server = from.Other()
		}
		fmt.Printf("%-7s %s\n", p.Payload, e.Value.server.Direction(from))
	}

	pairs.Expire(4e9) // whatever was not used since
	fmt.Println(pairs.Len(), "pairs")
	// Output:
	// hello   client_to_server
	// welcome server_to_client
	// ready   client_to_server
	// 0 pairs
}
