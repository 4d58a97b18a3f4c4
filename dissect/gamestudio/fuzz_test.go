package gamestudio

import (
	"errors"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/directplay8"
	"github.com/q3dissect/q3dissect/dissect/enet"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// fuzzTransport decodes the data as two datagrams of a transport, with a tree and without, and asks every
// router about them.
func fuzzTransport(t *testing.T, data []byte, split uint16, flags uint8) {
	over := [...]*dissect.Protocol{New(), directplay8.New(), enet.New(), New()}[flags&3]
	reads, h, generation := flags&4 != 0, hint(flags>>3)&(is2002|mayLackZ), uint64(flags>>5&1)
	if split&0x8000 != 0 {
		generation = 2
	}
	recordHint := generation
	switch flags & 3 {
	case 0:
		recordHint = uint64(h)
	case 3:
		recordHint = uint64(h | isDirectPlay4)
	}
	at := min(int(split&0x7fff), len(data))
	seen, blind := newBoth(over, reads, h, dissect.Options{Events: true}), newBoth(over, reads, h, dissect.Options{})
	routers := append(routersOf(t), routersOf(t)[0])
	routers[3].Claim(enginetest.Server.Port(), gameName)
	for i, payload := range [][]byte{data[:at], data[at:], data[:at]} {
		fromClient := flags>>6&1 != uint8(i&1)
		cut := 0
		if flags&0x80 != 0 {
			cut = 7
		}
		rec := enginetest.RecordOf(payload, fromClient, recordHint, cut)
		seen.dissect(rec)
		enginetest.CheckRecord(t, rec)
		other := enginetest.RecordOf(payload, fromClient, recordHint, cut)
		other.NoTree = true
		blind.dissect(other)
		if len(other.Tree.Nodes) != 0 {
			t.Fatal("a record that nobody looks at has nodes")
		}
		if rec.Damaged != other.Damaged || rec.Protocol.Name != other.Protocol.Name {
			t.Fatalf("damaged is %v with a tree, %v without", rec.Damaged, other.Damaged)
		}
		for _, r := range routers {
			route := r.Route(&rec.Packet, 0, false)
			if route.Decision == dissect.Mine && route.Stream == nil {
				t.Fatalf("route %+v", route)
			}
		}
		for _, p := range []*dissect.Protocol{New(), directplay8.New(), enet.New()} {
			p.AppendInfo(nil, rec)
		}
	}
	if a, b := gameOf(seen), gameOf(blind); (a == nil) != (b == nil) ||
		a != nil && (a.edition != b.edition || a.servers != b.servers || a.clients != b.clients ||
			len(a.hints.files) != len(b.hints.files)) {
		t.Fatal("the tree changes what is remembered")
	}
}

// gameOf is what a conversation knows of the game, or nil.
func gameOf(b *both) *game {
	if b.reader == nil {
		return nil
	}
	return b.reader.game
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
			f.Add(append(append([]byte{}, a...), b...), uint16(len(a)), uint8(i)|4)
			f.Add(append(append([]byte{}, a...), b...), uint16(len(a)), uint8(i))
		}
	}
	for k, d := range wire.OverENetFirst(steps)[:12] {
		f.Add(d.Payload, uint16(k)|0x8000, uint8(2|4))
	}
	f.Add(wire.Response(7, "a session", make([]byte, 16), make([]byte, 16)), uint16(200), uint8(1))
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
		h := hint(0)
		if old {
			h |= is2002
		}
		c := newBoth(New(), true, h, dissect.Options{})
		rec := enginetest.RecordOf(data, fromClient, uint64(h), 0)
		c.dissect(rec)
		enginetest.CheckRecord(t, rec)
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
		if e := c.reader.game.walker.r.Err(); e != nil && !errors.Is(e, dissect.ErrTruncated) &&
			!errors.Is(e, dissect.ErrMalformed) {
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
