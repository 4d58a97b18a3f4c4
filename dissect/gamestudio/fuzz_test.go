package gamestudio

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

var (
	fuzzClient = netip.MustParseAddrPort("198.51.100.7:5000")
	fuzzServer = netip.MustParseAddrPort("192.0.2.1:2300")
)

// fuzzRecord is a record of one datagram.
func fuzzRecord(payload []byte, fromClient bool, h hint, cut int) *dissect.Record {
	rec := dissect.NewRecord()
	rec.Packet = dissect.Packet{UDP: true, Src: fuzzServer, Dst: fuzzClient, Payload: payload, Length: len(payload) + cut, Frame: 1}
	rec.Direction = dissect.ServerToClient
	if fromClient {
		rec.Src, rec.Dst, rec.Direction = fuzzClient, fuzzServer, dissect.ClientToServer
	}
	rec.Hint, rec.Final = uint64(h), true
	return rec
}

// checkRecord asserts what holds for every record, however bad the bytes were.
func checkRecord(t *testing.T, rec *dissect.Record) {
	t.Helper()
	inMessage := 0 // nodes before this one count in the message
	for i := range rec.Tree.Nodes {
		n := &rec.Tree.Nodes[i]
		if int(n.End) <= i || int(n.End) > len(rec.Tree.Nodes) {
			t.Fatalf("node %d (%s) ends at %d of %d", i, n.Field.Key, n.End, len(rec.Tree.Nodes))
		}
		size := len(rec.Payload)
		if n.Field.Scope == dissect.Message {
			inMessage = int(n.End)
		}
		if i < inMessage {
			size = len(rec.Message)
		}
		if end := int(n.Bit) + int(n.Bits); n.Bits > 0 && end > size<<3 {
			t.Fatalf("%s lies at bits %d to %d of %d", n.Field.Key, n.Bit, end, size<<3)
		}
	}
	for _, e := range rec.Experts {
		if limit := max(len(rec.Payload), len(rec.Message)) << 3; e.BitOffset < 0 || e.BitOffset > limit {
			t.Fatalf("entry %q at bit %d of %d", e.Code, e.BitOffset, limit)
		}
	}
}

// fuzzTransport decodes the data as two datagrams of a transport, with a tree and without, and asks every
// router about them.
func fuzzTransport(t *testing.T, data []byte, split uint16, flags uint8) {
	h := hint(flags & 0x3f)
	if split&0x8000 != 0 {
		h |= firstENet
	}
	at := min(int(split&0x7fff), len(data))
	seen, blind := newConversation(dissect.Options{Events: true}), newConversation(dissect.Options{})
	routers := []*router{newRouter(rawUDP), newRouter(directPlay8), newRouter(enetUDP), newRouter(rawUDP)}
	routers[3].Claim(fuzzServer.Port(), gameName)
	for i, payload := range [][]byte{data[:at], data[at:], data[:at]} {
		fromClient := flags>>6&1 != uint8(i&1)
		cut := 0
		if flags&0x80 != 0 {
			cut = 7
		}
		rec := fuzzRecord(payload, fromClient, h, cut)
		seen.Dissect(rec)
		checkRecord(t, rec)
		other := fuzzRecord(payload, fromClient, h, cut)
		other.NoTree = true
		blind.Dissect(other)
		if len(other.Tree.Nodes) != 0 {
			t.Fatal("a record that nobody looks at has nodes")
		}
		if rec.Damaged != other.Damaged || rec.Protocol != other.Protocol {
			t.Fatalf("damaged is %v with a tree, %v without", rec.Damaged, other.Damaged)
		}
		for _, r := range routers {
			route := r.Route(&rec.Packet, false)
			if route.Verdict == dissect.Mine && route.Conversation < 0 {
				t.Fatalf("route %+v", route)
			}
		}
		for _, p := range []dissect.Protocol{Protocol{}, DirectPlay8{}, ENet{}} {
			p.AppendInfo(nil, rec)
		}
	}
	if a, b := seen.game, blind.game; (a == nil) != (b == nil) || a != nil && (a.edition != b.edition || a.servers != b.servers || a.clients != b.clients || len(a.hints.files) != len(b.hints.files)) {
		t.Fatal("the tree changes what is remembered")
	}
}

func FuzzTransport(f *testing.F) {
	reference, err := wire.Reference()
	if err != nil {
		f.Fatal(err)
	}
	steps, err := wire.Session(reference, wire.Late, wire.Coding{})
	if err != nil {
		f.Fatal(err)
	}
	for i, list := range [][]wire.Datagram{
		wire.Raw(steps), wire.OverDirectPlay8(steps), wire.OverENet(steps, false, false), wire.OverDirectPlay4(steps),
	} {
		for k := range 12 {
			a, b := list[3*k].Payload, list[3*k+1].Payload
			f.Add(append(append([]byte{}, a...), b...), uint16(len(a)), uint8(i)|uint8(isGame))
			f.Add(append(append([]byte{}, a...), b...), uint16(len(a)), uint8(i))
		}
	}
	for k, d := range wire.OverENetFirst(steps)[:12] {
		f.Add(d.Payload, uint16(k)|0x8000, uint8(enetUDP)|uint8(isGame))
	}
	for k, d := range wire.OverENet(steps, false, false)[:24] {
		f.Add(compressed(d.Payload), uint16(len(d.Payload)), uint8(enetUDP)|uint8(k&1)*uint8(isGame))
	}
	f.Add(wire.Response(7, "a session", make([]byte, 16), make([]byte, 16)), uint16(200), uint8(directPlay8))
	f.Fuzz(fuzzTransport)
}

// FuzzMessages reads any bytes as messages: what is read has to be there, in order and without gaps, and
// what is left over is the end of the bytes.
func FuzzMessages(f *testing.F) {
	reference, err := wire.Reference()
	if err != nil {
		f.Fatal(err)
	}
	for _, v := range reference.Vectors {
		var b []byte
		for i := 0; i+1 < len(v.Hex); i += 2 {
			b = append(b, unhexByte(v.Hex[i])<<4|unhexByte(v.Hex[i+1]))
		}
		f.Add(b, v.Direction == "client_to_server", v.Edition == wire.Old2002)
	}
	f.Fuzz(func(t *testing.T, data []byte, fromClient, old bool) {
		h := isGame
		if old {
			h |= is2002
		}
		c := newConversation(dissect.Options{})
		rec := fuzzRecord(data, fromClient, h, 0)
		c.Dissect(rec)
		checkRecord(t, rec)
		tree := rec.Tree
		list := tree.Child(0, &messagesField)
		at := 0
		for n := list + 1; n < int(tree.Nodes[list].End); n = int(tree.Nodes[n].End) {
			m := &tree.Nodes[n]
			if int(m.Bit) != at {
				t.Fatalf("message %s begins at bit %d, the one before ended at %d", m.Field.Key, m.Bit, at)
			}
			at = int(m.Bit) + int(m.Bits)
			if left := tree.Child(n, &dissect.Undecoded); left >= 0 {
				at = int(tree.Nodes[left].Bit) + int(tree.Nodes[left].Bits)
			}
		}
		if n := tree.Child(0, &undeterminedField); n >= 0 {
			if int(tree.Nodes[n].Bit) != at {
				t.Fatalf("bytes from bit %d are undetermined, the messages end at %d", tree.Nodes[n].Bit, at)
			}
			at += int(tree.Nodes[n].Bits)
		}
		if at != len(data)<<3 {
			t.Fatalf("%d bits of %d are told", at, len(data)<<3)
		}
		if e := c.game.walker.r.err(); e != nil && !errors.Is(e, dissect.ErrTruncated) && !errors.Is(e, dissect.ErrMalformed) {
			t.Fatalf("error without a kind: %v", e)
		}
	})
}

func unhexByte(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}
