package main

import (
	"slices"

	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// A file is a capture and what it is called.
type file struct {
	name string
	data []byte
}

// apart is the time between two datagrams, in milliseconds.
const apart = 20

// captures makes every capture.
func captures() ([]file, error) {
	tables, err := wire.Reference()
	if err != nil {
		return nil, err
	}
	late, err := wire.Session(tables, wire.Late, wire.Coding{})
	if err != nil {
		return nil, err
	}
	old, err := wire.Session(tables, wire.Old2002, wire.Coding{})
	if err != nil {
		return nil, err
	}
	every := func(edition string) ([]wire.Datagram, error) {
		coding := wire.Coding{FixedCoordinates: true}
		session, err := wire.Session(tables, edition, coding)
		if err != nil {
			return nil, err
		}
		everything, err := wire.Everything(tables, edition, coding)
		return wire.OverDirectPlay8(append(session, everything...)), err
	}
	everyLate, err := every(wire.Late)
	if err != nil {
		return nil, err
	}
	everyOld, err := every(wire.Old2002)
	if err != nil {
		return nil, err
	}
	sample := wire.Datagram{Payload: []byte{0x83, 0x07, 0, 0x80, 0, 0, 0, 1, 0, 0x80, 1, 0, 0x80, 0}}
	list := []struct {
		name      string
		datagrams []wire.Datagram
	}{
		{"synthetic-sample.pcap", []wire.Datagram{sample}},
		{"synthetic-raw.pcap", wire.Raw(late)},
		{"synthetic-directplay8.pcap", append(discovery(), wire.OverDirectPlay8(late)...)},
		{"synthetic-directplay8-loss.pcap", impair(wire.OverDirectPlay8(late))},
		{"synthetic-directplay4-2002.pcap", append([]wire.Datagram{{FromClient: true, Payload: wire.System4(5, []byte{1, 2, 3, 4})}}, wire.OverDirectPlay4(old)...)},
		{"synthetic-every-late.pcap", everyLate},
		{"synthetic-every-2002.pcap", everyOld},
		{"synthetic-directplay8-frames.pcap", frames8()},
		{"synthetic-directplay8-core.pcap", cores()},
		{"synthetic-directplay8-signed.pcap", signedSession(late)},
		{"synthetic-enet-commands.pcap", commands()},
		{"synthetic-enet12.pcap", wire.OverENet(late, true, false)},
		{"synthetic-enet10.pcap", wire.OverENetFirst(late)},
		{"synthetic-enet10-commands.pcap", firstCommands()},
		{"synthetic-photon.pcap", photonSession()},
	}
	var files []file
	for _, c := range list {
		files = append(files, file{c.name, wire.Capture(c.datagrams, apart)})
	}
	return files, nil
}

// discovery is a query and the response to it.
func discovery() []wire.Datagram {
	application := []byte("an application..")
	instance := []byte("and its session.")
	return []wire.Datagram{
		{FromClient: true, Payload: wire.Query(0x0101, application)},
		{Payload: wire.Response(0x0101, "Synthetic session", instance, application)},
	}
}

// signedSession is the beginning of a session with full signing, then a frame that somebody has changed.
func signedSession(steps []wire.Step) []wire.Datagram {
	list := wire.Signed(wire.OverDirectPlay8(steps)[:24], wire.FullSigned)
	changed := list[len(list)-1]
	changed.Payload = slices.Clone(changed.Payload)
	changed.Payload[len(changed.Payload)-1] ^= 1
	return append(list, changed)
}

// impair loses datagrams for good, sends others late as retransmissions, and doubles some.
func impair(list []wire.Datagram) []wire.Datagram {
	const handshake = 3
	var out []wire.Datagram
	for i, d := range list {
		switch {
		case i < handshake:
			out = append(out, d)
		case i%13 == 7: // lost: only its retransmission is seen
			again := d
			again.Payload = wire.Again(d.Payload)
			out = append(out, again)
		case i%17 == 11: // not captured
		case i%7 == 5:
			out = append(out, d, d)
		case i%9 == 8:
			out = slices.Insert(out, len(out)-1, d)
		default:
			out = append(out, d)
		}
	}
	return out
}
