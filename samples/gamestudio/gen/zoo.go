package main

import (
	"encoding/binary"
	"slices"

	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// guid is one of those in the discovery and core messages.
var guid = []byte("sixteen bytes...")

// frames8 are frames of DirectPlay 8 that a plain session lacks: discovery with data, a signed connection,
// masks, core messages, voice.
func frames8() []wire.Datagram {
	client, server := &wire.Peer8{Session: 77, Minor: 6}, &wire.Peer8{Session: 77, Minor: 6, Listener: true}
	little := binary.LittleEndian
	signature := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	masks := []byte{1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0}

	response := wire.Response(9, "Zoo", guid, guid)
	reply := []byte("reply")
	little.PutUint32(response[4:], uint32(len(response)-4)) // offsets count from byte 4
	little.PutUint32(response[8:], uint32(len(reply)))
	list := []wire.Datagram{
		{FromClient: true, Payload: append(wire.Query(9, guid), "from the application"...)},
		{Payload: append(response, reply...)},
		{FromClient: true, Payload: client.Connect()},
	}
	add := func(fromClient bool, parts ...[]byte) {
		list = append(list, wire.Datagram{FromClient: fromClient, Payload: slices.Concat(parts...)})
	}
	for _, d := range wire.Signed([]wire.Datagram{
		{Payload: server.Connected()},
		{FromClient: true, Payload: client.Connected()},
	}, wire.FastSigned) {
		add(d.FromClient, d.Payload)
	}
	// In a signed connection the signature follows the header. It is no secret: a receiver drops these.
	sign := func(frame []byte) []byte { return slices.Concat(frame[:4], signature, frame[4:]) }
	info := coreBody("player_connect_info_ex", map[string]any{
		"flags": uint32(4), "library_version": uint32(8), "name": wire.Wide("Anna"), "password": wire.Wide("secret"),
		"connect_data": []byte("hello"), "data": []byte("her data"), "url": []byte("x-directplay:/port=2302\x00"),
		"instance_guid": [16]byte(guid), "application_guid": [16]byte(guid),
		"alternate_addresses": slices.Concat(wire.AlternateAddress([]byte{192, 0, 2, 9}, 2302),
			wire.AlternateAddress([]byte{0x20, 1, 0xd, 0xb8, 15: 9}, 2303)),
	})
	failed := coreBody("connect_failed", map[string]any{"result": uint32(0x80158260), "reply": []byte("full")})
	add(true, sign(client.Core(0xc1, info)))
	add(true, sign(client.Core(0xc5, failed)))
	add(false, sign(server.Core(0xe0, []byte{1, 0, 0, 0, 'a', 'p', 'p'})))
	add(true, sign(client.Core(0xe1, []byte{1, 0, 0, 0})))
	core := func(typ byte, body []byte) []byte { return slices.Concat([]byte{typ, 0, 0, 0}, body) }
	several := client.Coalesce(core(0xc1, info), core(0xc5, failed), core(0xe1, []byte{1, 0, 0, 0}),
		core(0xca, []byte{9, 0, 0, 0, 0, 0, 0, 0}), []byte("voice"), []byte("application"))
	for i := range 4 {
		several[4+2*i+1] |= 0x40 // core messages
	}
	several[4+2*4+1] |= 0x80 // voice
	add(true, sign(several))
	voice := sign(client.Data(false, []byte("voice")))
	voice[0] |= 0x80
	add(true, voice)
	masked := client.Data(true, []byte("with all masks"))
	masked[1] = 0xf0
	add(true, masked[:4], masks, signature, masked[4:])
	sack := server.Sack()
	sack[2] = 0x1f
	add(false, sack, masks, signature)
	add(false, server.Sack(), []byte{1, 2, 3})
	end := client.Connect()
	end[0], end[1] = 0x80, 4 // FRAME_EXOPCODE_HARD_DISCONNECT
	add(true, end, signature)
	return list
}

// commands are all commands of ENet, each of them twice.
func commands() []wire.Datagram {
	client, server := wire.NewEPeer(false, false, 0x01020304, 0, 5), wire.NewEPeer(false, false, 0x01020304, 5, 0)
	var list []wire.Datagram
	twice := func(fromClient bool, packet []byte) {
		d := wire.Datagram{FromClient: fromClient, Payload: packet}
		list = append(list, d, d)
	}
	twice(true, client.Connect())
	verify := server.Verify()
	twice(false, server.Packet(verify))
	twice(true, client.Packet(client.Ack(verify, server.Now())))
	twice(true, client.Packet(client.Bandwidth(), client.Throttle(), client.Ping()))
	twice(true, client.Packet(client.Reliable(0, []byte("reliable")), client.Unreliable(1, []byte("unreliable"))))
	for _, f := range server.Fragments(1, []byte("a message in three fragments, the last a short one"), 20) {
		twice(false, server.Packet(f))
	}
	twice(true, client.Packet(client.Disconnect()))
	return list
}

// firstCommands are all commands of ENet 1.0, each of them twice.
func firstCommands() []wire.Datagram {
	client, server := wire.NewEFirst(0x01020304, 0, 5), wire.NewEFirst(0x01020304, 5, 0)
	var list []wire.Datagram
	twice := func(fromClient bool, packet []byte) {
		d := wire.Datagram{FromClient: fromClient, Payload: packet}
		list = append(list, d, d)
	}
	twice(true, client.Connect())
	verify := server.Verify()
	twice(false, server.Packet(verify))
	twice(true, client.Packet(client.Ack(verify, server.Now())))
	twice(true, client.Packet(client.Bandwidth(), client.Throttle(), client.Ping()))
	twice(true, client.Packet(client.Reliable(0, []byte("reliable")), client.Unreliable(1, []byte("unreliable")),
		client.Unsequenced(1, []byte("unsequenced"))))
	for _, f := range server.Fragments(1, []byte("a message in three fragments, the last a short one"), 20) {
		twice(false, server.Packet(f))
	}
	twice(true, client.Packet(client.Disconnect()))
	return list
}
