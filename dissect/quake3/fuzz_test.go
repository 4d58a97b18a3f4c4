package quake3

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/handshake"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// nativeSession is a conversation of protocol 71 after its handshake.
func nativeSession(opts dissect.Options) *conversation {
	c := newConversation(opts)
	c.Offered = handshake.Offer{Challenge: 0x1234ABCD, Known: true, Fresh: true, Protocol: 71}
	c.begin(0)
	c.resume()
	c.feeds.put(0x12D687, 0x5EED1234, true)
	c.server.put(42, []byte("print \"hello 50%\n\""))
	return c
}

// nativeHeader is a netchan header that the session accepts.
func nativeHeader(sequence uint32, fromClient bool) []byte {
	h := sequenceHeader(sequence)
	if fromClient {
		h = append(h, 1, 2)
	}
	return binary.LittleEndian.AppendUint32(h, netchan.Checksum(0x1234ABCD, sequence))
}

// fingerprint is a sum over the state of a conversation.
func fingerprint(c *conversation) uint64 {
	h := fnv.New64a()
	for _, w := range []*commands{&c.server, &c.client} {
		fmt.Fprintln(h, w.newest, w.known)
		for _, s := range w.ring {
			fmt.Fprintln(h, s.seen, s.number, string(s.text))
		}
	}
	for i := range c.world.Ring {
		s := c.world.Ring[i]
		if s == nil || !s.Valid {
			continue
		}
		fmt.Fprintln(h, s.Sequence, s.Partial)
		for p := &s.Player; p != nil; p = p.Vehicle {
			fmt.Fprintln(h, p.Arrays, p.ArraysKnown)
			if p.Extra != nil {
				fmt.Fprintln(h, *p.Extra)
			}
			fingerprintState(h, &p.State)
		}
		for _, e := range s.Entities {
			fmt.Fprintln(h, e.Number)
			fingerprintState(h, c.world.Pool.At(e.State))
		}
	}
	fmt.Fprintln(h, c.feeds, c.serverID, c.family, c.world.BaselinesKnown, c.downloads, &c.moves)
	return h.Sum64()
}

func fingerprintState(h io.Writer, s *tables.State) {
	fmt.Fprintln(h, s.Values, s.Known)
	if s.More != nil {
		fmt.Fprintln(h, *s.More)
	}
}

// checkRecord asserts what holds for every record, however bad the bytes were.
func checkRecord(t *testing.T, rec *dissect.Record, bits int) {
	t.Helper()
	for i := range rec.Tree.Nodes {
		n := &rec.Tree.Nodes[i]
		if int(n.End) <= i || int(n.End) > len(rec.Tree.Nodes) {
			t.Fatalf("node %d (%s) ends at %d of %d", i, n.Field.Key, n.End, len(rec.Tree.Nodes))
		}
		if end := int(n.Bit) + int(n.Bits); n.Bits > 0 && end > bits {
			t.Fatalf("%s lies at bits %d to %d of %d", n.Field.Key, n.Bit, end, bits)
		}
	}
	for _, e := range rec.Experts {
		if e.BitOffset < 0 || e.BitOffset > bits {
			t.Fatalf("entry %q at bit %d of %d", e.Code, e.BitOffset, bits)
		}
	}
}

// fuzzMessages decodes the data as two messages of one direction, with a tree and without.
func fuzzMessages(f *testing.F, fromClient bool) {
	f.Fuzz(func(t *testing.T, data []byte, split uint8) {
		direction := dissect.ServerToClient
		if fromClient {
			direction = dissect.ClientToServer
		}
		cut := min(int(split), len(data))
		seen, blind := nativeSession(dissect.Options{State: true}), nativeSession(dissect.Options{})
		for i, body := range [][]byte{data[:cut], data[cut:]} {
			payload := datagram(nativeHeader(uint32(i+1), fromClient), body)
			rec := deliver(seen, direction, payload)
			checkRecord(t, rec, len(payload)<<3)
			other := dissect.NewRecord()
			other.Packet, other.Direction, other.Final, other.NoTree = rec.Packet, direction, true, true
			blind.Dissect(other)
			if len(other.Tree.Nodes) != 0 {
				t.Fatal("a record that nobody looks at has nodes")
			}
			if rec.Damaged != other.Damaged {
				t.Fatalf("damaged is %v with a tree, %v without", rec.Damaged, other.Damaged)
			}
			var err *dissect.Error
			if e := seen.dec.Err(); e != nil && (!errors.As(e, &err) || !errors.Is(err, dissect.ErrTruncated) &&
				!errors.Is(err, dissect.ErrMalformed)) {
				t.Fatalf("error without a kind: %v", e)
			}
		}
		if fingerprint(seen) != fingerprint(blind) {
			t.Fatal("the tree changes what is remembered")
		}
	})
}

func FuzzServerMessage(f *testing.F) {
	f.Add(unhex(f, plainServerMessage), uint8(255))
	f.Add(serverSample(), uint8(255))
	f.Add(append(serverSample(), serverSample()...), uint8(len(serverSample())))
	fuzzMessages(f, false)
}

func FuzzClientMessage(f *testing.F) {
	f.Add(unhex(f, plainClientMessage), uint8(255))
	f.Add(append(unhex(f, plainClientMessage), unhex(f, plainClientMessage)...), uint8(39))
	fuzzMessages(f, true)
}

// serverSample is a message with a gamestate of two configstrings and a baseline, by the grammar of the
// reference rather than by our reader's code.
func serverSample() []byte {
	var w huffcodec.Writer
	w.Reset(huffcodec.Static)
	w.Bits(3, 32) // reliable acknowledge
	w.Bits(2, 8)  // svc_gamestate
	w.Bits(9, 32)
	w.Bits(3, 8) // svc_configstring
	w.Bits(0, 16)
	w.String(`\gamename\baseq3\mapname\q3dm17`)
	w.Bits(3, 8)
	w.Bits(1, 16)
	w.String(`\sv_serverid\7`)
	w.Bits(4, 8) // svc_baseline of entity 70: pos.trTime 5, then pos.trBase[0] 12
	w.Bits(70, 10)
	w.Bit(false)
	w.Bit(true)
	w.Bits(2, 8)
	w.Bit(true)
	w.Bit(true)
	w.Bits(5, 32)
	w.Bit(true)
	w.Bit(true)
	w.Bit(false)
	w.Bits(12+4096, 13)
	w.Bits(8, 8) // end of the list
	w.Bits(2, 32)
	w.Bits(0x5EED1234, 32)
	w.Bits(7, 8) // svc_snapshot, full
	w.Bits(1000, 32)
	w.Bits(0, 8)
	w.Bits(4, 8)
	w.Bits(1, 8)
	w.Bits(0xfe, 8)
	w.Bits(0, 8) // player state: no fields
	w.Bit(true)  // arrays: stats 0 = 125
	w.Bit(true)
	w.Bits(1, 16)
	w.Bits(125, 16)
	w.Bit(false)
	w.Bit(false)
	w.Bit(false)
	w.Bits(70, 10) // entity 70, no change
	w.Bit(false)
	w.Bit(false)
	w.Bits(1023, 10)
	w.Bits(8, 8) // svc_EOF
	return w.Data()
}
