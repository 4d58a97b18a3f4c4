package enet

import (
	"encoding/json"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// TestPhotonPublished reads packets of Photon's clients that were published: in the tests of PhotonProtocol, a library
// in Swift, and in programs that talk to servers of games.
func TestPhotonPublished(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ packet, want string }{
		"connect": {
			"ffff 00 01 00000019 6615a6ce 02 ff 01 04 0000002c 00000001 0000 04b0 00008000 00000002 00000000 00000000 " +
				"00001388 00000002 00000002",
			`{"version":"photon","peer_id":65535,"flags":0,"command_count":1,"sent_time":25,"challenge":"6615a6ce","commands":[{"connect":{
				"acknowledge":true,"unsequenced":false,"channel":255,"command_length":44,"sequence":1,"outgoing_peer_id":0,"mtu":1200,"window_size":32768,
				"channel_count":2,"incoming_bandwidth":0,"outgoing_bandwidth":0,"packet_throttle_interval":5000,"packet_throttle_acceleration":2,
				"packet_throttle_deceleration":2}}]}`,
		},
		"acknowledge": {
			"5160 00 01 0000010d 21a00b35 01 ff 00 04 00000014 00000000 00000001 aa9dba70",
			`{"version":"photon","peer_id":20832,"flags":0,"command_count":1,"sent_time":269,"challenge":"21a00b35","commands":[{"acknowledge":{
				"acknowledge":false,"unsequenced":false,"channel":255,"command_length":20,"sequence":0,"received_sequence":1,"received_sent_time":2862463600}}]}`,
		},
		"disconnect": {
			"ffff 00 01 00002952 45a67b59 04 ff 02 02 0000000c 00000001",
			`{"version":"photon","peer_id":65535,"flags":0,"command_count":1,"sent_time":10578,"challenge":"45a67b59","commands":[{"disconnect":{
				"acknowledge":false,"unsequenced":true,"reason":2,"reason_name":"server_timeout","channel":255,"command_length":12,"sequence":1}}]}`,
		},
	} {
		var want map[string]any
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		packet := enginetest.Unhex(t, c.packet)
		rec := enginetest.RecordOf(packet, true, uint64(photon), 0)
		(&conversation{}).Dissect(rec)
		if diff := cmp.Diff(want, enetOf(t, rec)["enet"]); diff != "" || len(rec.Experts) > 0 {
			t.Errorf("%s: %v (-want +got):\n%s", name, rec.Experts, diff)
		}
		var s scanner
		if g, ok := s.connects(packet); ok != (name == "connect") || ok && g != photon {
			t.Errorf("%s: %v, generation %d", name, ok, g)
		}
	}
}

// withPort returns a session with another port of the server.
func withPort(list []dissect.Packet, port uint16) []dissect.Packet {
	list = slices.Clone(list)
	for i := range list {
		p := &list[i]
		for _, end := range []*netip.AddrPort{&p.Src, &p.Dst} {
			if *end == serverEnd {
				*end = netip.AddrPortFrom(end.Addr(), port)
			}
		}
	}
	return list
}

// seen is what a test compares of a record.
type seen struct {
	protocol, version string
	faults            []string
}

// dissected returns the records of packets, and nothing of those that are not claimed.
func dissected(t *testing.T, list []dissect.Packet) (records map[uint64]seen) {
	t.Helper()
	records = map[uint64]seen{}
	e, err := engine.New(engine.Config{
		Protocols: []*dissect.Protocol{New()}, Workers: 1,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			s := seen{protocol: rec.Protocol.Name, version: rec.Tree.Top().Get("enet").Get("version").String()}
			for _, x := range rec.Experts {
				s.faults = append(s.faults, x.Code+": "+x.Message+" "+string(render.AppendJSON(nil, rec, render.JSON{})))
			}
			records[rec.Frame] = s
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		p := &list[i]
		p.Frame, p.HasTime, p.Time = uint64(i+1), true, int64(i)*10e6
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return records
}

// plainPhoton is a session of Photon as a client could write it that leaves the reserved byte zero and whose messages
// are not Photon's: nothing distinguishes it from 1.0 but commands that 1.0 does not have.
func plainPhoton(seed uint64, own bool) (list []dissect.Packet) {
	w := &sessionWriter{
		Rand: rand.New(rand.NewPCG(seed, 99)), generation: v10, peers: [2]uint16{1, 2},
		id: [4]byte{1, 2, 3, 4},
	}
	send := func(fromClient bool, c written) { w.packet(fromClient, c) }
	send(true, w.hello(true))
	send(false, w.hello(false))
	for n := range 30 {
		fromClient := n%2 == 0
		if own && (n == 15 || n == 25) { // a single one may be damaged
			send(fromClient, w.reliable(fromClient, 12, 0xff, "server_time", nil, nil))
			w.list[len(w.list)-1].Payload[headerLen10] = 12
			continue
		}
		send(fromClient, w.acknowledge(!fromClient))
		send(fromClient, w.reliable(fromClient, 6, 0, "send_reliable", nil, []byte{1, 2, byte(n)}))
	}
	for _, s := range w.list {
		list = append(list, s.Packet)
	}
	return list
}

// TestPhotonDialect: which dialect a session is, with its beginning and without. Whatever it is taken for, a healthy
// session has no fault.
func TestPhotonDialect(t *testing.T) {
	t.Parallel()
	kindOf := func(g generation, checksum bool) int {
		for i, k := range sessionKinds {
			if k.generation == g && k.checksum == checksum && !k.applications {
				return i
			}
		}
		t.Fatal("no such kind")
		return 0
	}
	session := func(kind int, seed uint64) (list []dissect.Packet) {
		for _, s := range newSessionWriter(kind, seed).session() {
			list = append(list, s.Packet)
		}
		return list
	}
	for _, c := range []struct {
		name string
		make func(seed uint64) []dissect.Packet
		port uint16
		want string // of the last record
	}{
		{"Photon", func(seed uint64) []dissect.Packet { return session(kindOf(photon, false), seed) }, 27015, "photon"},
		{"Photon at its port", func(seed uint64) []dissect.Packet { return session(kindOf(photon, false), seed) }, 5056, "photon"},
		{"Photon with checksums", func(seed uint64) []dissect.Packet { return session(kindOf(photon, true), seed) }, 27015, "photon"},
		{"plain Photon at its port", func(seed uint64) []dissect.Packet { return plainPhoton(seed, false) }, 5055, "photon"},
		{"plain Photon with commands of its own", func(seed uint64) []dissect.Packet { return plainPhoton(seed, true) }, 27015, "photon"},
		{"like 1.0", func(seed uint64) []dissect.Packet { return plainPhoton(seed, false) }, 27015, "1.0"},
		{"1.0", func(seed uint64) []dissect.Packet { return session(kindOf(v10, false), seed) }, 27015, "1.0"},
		{"1.0 at Photon's port", func(seed uint64) []dissect.Packet { return session(kindOf(v10, false), seed) }, 5055, "1.0"},
	} {
		unproven := 0
		for seed := range uint64(40) {
			list := withPort(c.make(seed), c.port)
			for _, skip := range []int{0, 3} {
				got := dissected(t, slices.Clone(list[skip:]))
				if skip > 0 && len(got) == 0 { // nothing that was asked later is acknowledged
					unproven++
					continue
				}
				if len(got) != len(list)-skip && skip == 0 || len(got) < 20 {
					t.Errorf("%s, seed %d from %d: %d records of %d packets", c.name, seed, skip, len(got), len(list)-skip)
				}
				for frame, s := range got {
					if len(s.faults) > 0 {
						t.Errorf("%s, seed %d from %d: packet %d: %v", c.name, seed, skip, frame, s.faults)
					}
				}
				if last := got[uint64(len(list)-skip)]; last.version != c.want {
					t.Errorf("%s, seed %d from %d: the last packet is %s, want %s", c.name, seed, skip, last.version, c.want)
				}
			}
		}
		if unproven > 4 {
			t.Errorf("%s: %d of 40 sessions without a beginning are not recognised", c.name, unproven)
		}
	}
}
