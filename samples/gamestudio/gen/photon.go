package main

import "github.com/q3dissect/q3dissect/samples/gamestudio/wire"

// photonSession is a session of Photon with every command, checksums from its middle on, an encrypted packet, and one
// with a wrong checksum.
func photonSession() (list []wire.Datagram) {
	const reliable, unordered, peer = wire.PhotonReliable, wire.PhotonUnordered, wire.PhotonPeer
	client, server := wire.NewPhotonClient(0x6615a6ce), wire.NewPhotonServer(0x6615a6ce)
	send := func(fromClient bool, packet []byte) {
		list = append(list, wire.Datagram{FromClient: fromClient, Payload: packet})
	}
	again := func() { list = append(list, list[len(list)-1]) }
	connect := client.Connect()
	send(true, client.Packet(connect))
	verify := server.Verify(0x0102)
	send(false, server.Packet(server.Ack(connect, client.Time), verify))
	client.Accept(0x0102)
	send(true, client.Packet(client.Ack(verify, server.Time)))
	hello := client.Command(6, 0, reliable, nil, []byte("\xf3\x00a message of the application"))
	send(true, client.Packet(hello, client.Command(12, peer, reliable, nil, nil)))
	again()
	send(false, server.Packet(server.Ack(hello, client.Time),
		server.Command(6, 0, reliable, nil, []byte("\xf3\x01an answer"))))
	send(true, client.Packet(client.Command(7, 1, 0, []uint32{1}, []byte("\xf3\x04unreliable")),
		client.Command(11, 1, unordered, []uint32{1}, []byte("without order"))))
	send(true, client.Packet(client.Command(5, peer, reliable, nil, nil)))
	for _, f := range server.Fragments(8, 1, reliable,
		[]byte("\xf3\x04a message in three fragments, the last a short one"), 20) {
		send(false, server.Packet(f))
	}
	client.Checksum, server.Checksum = true, true
	alone := client.Command(14, 0, reliable|unordered, nil, []byte("\xf3\x02reliable without order"))
	send(true, client.Packet(alone))
	again()
	send(false, server.Packet(server.Ack(alone, client.Time)))
	send(true, client.Packet(client.Fragments(15, 0, reliable|unordered, []byte("two fragments without order"), 16)...))
	again()
	send(true, client.Packet(client.Command(17, 0, 0, []uint32{7, 8}, nil),
		client.Command(13, 0, 0, nil, []byte("unknown"))))
	wrong := client.Packet(client.Command(5, peer, reliable, nil, nil))
	wrong[12] ^= 1
	send(true, wrong)
	send(true, client.Encrypted([]byte("commands that are encrypted")))
	end := server.Command(4, peer, reliable, nil, nil)
	end[3] = 3 // the server is full
	send(false, server.Packet(end))
	send(true, client.Packet(client.Ack(end, server.Time)))
	return list
}
