package quake3

import (
	"encoding/binary"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// deltaSnapshot is a message with a command and a snapshot that is a delta of the message before.
func deltaSnapshot(serverTime uint32, command int32) []byte {
	var w huffcodec.Writer
	w.Bits(3, 32)
	w.Bits(tables.SvcServerCommand, 8)
	w.Bits(uint32(command), 32)
	w.String("print \"hello\n\"")
	w.Bits(tables.SvcSnapshot, 8)
	w.Bits(serverTime, 32)
	w.Bits(1, 8) // delta
	w.Bits(4, 8)
	w.Bits(1, 8)
	w.Bits(0xfe, 8)
	w.Bits(1, 8) // player: command time
	w.Bit(true)
	w.Bits(serverTime-30, 32)
	w.Bit(false)
	w.Bits(70, 10) // entity 70: pos.trTime
	w.Bit(false)
	w.Bit(true)
	w.Bits(1, 8)
	w.Bit(true)
	w.Bit(true)
	w.Bits(serverTime, 32)
	w.Bits(world.EntityNumNone, 10)
	w.Bits(tables.SvcEOF, 8)
	return w.Data()
}

// TestDissectAllocatesNothing runs a session's steady state: snapshots one way, user commands the other.
func TestDissectAllocatesNothing(t *testing.T) {
	for _, tt := range []struct {
		name   string
		noTree bool
	}{{"with a tree", false}, {"for the state alone", true}} {
		t.Run(tt.name, func(t *testing.T) {
			c := nativeSession(dissect.Options{})
			deliver(c, dissect.ServerToClient, datagram(nativeHeader(1, false), serverSample()))
			sequence := uint32(1)
			server := deltaSnapshot(5000, 10)
			client := unhex(t, plainClientMessage)
			s, u := datagram(nativeHeader(0, false), server), datagram(nativeHeader(0, true), client)
			rec := deliverable(dissect.ServerToClient, s)
			step := func() {
				sequence++
				for _, p := range [][]byte{s, u} {
					rec.Tree.Reset()
					rec.Experts = rec.Experts[:0]
					rec.Payload, rec.Length, rec.NoTree = p, len(p), tt.noTree
					rec.Direction = dissect.ServerToClient
					sum := p[4:]
					if &p[0] == &u[0] {
						rec.Direction = dissect.ClientToServer
						sum = p[6:]
					}
					binary.LittleEndian.PutUint32(p, sequence)
					binary.LittleEndian.PutUint32(sum, netchan.Checksum(holdChallenge, sequence))
					if !c.Dissect(rec) || rec.Damaged {
						t.Fatalf("message %d: %v", sequence, rec.Experts)
					}
				}
			}
			for range 200 { // until every ring has its memory
				step()
			}
			if n := testing.AllocsPerRun(500, step); n != 0 {
				t.Errorf("%v allocations for two datagrams", n)
			}
		})
	}
}

// TestRecordedAllocatesNothing runs the steady state of a demo.
func TestRecordedAllocatesNothing(t *testing.T) {
	for _, noTree := range []bool{false, true} {
		c, rec := newConversation(dissect.Options{}), dissect.NewRecord()
		rec.Packet = dissect.Packet{UDP: true, Recorder: protocolName, RecorderHint: hintOf(tables.GenerationOf(68))}
		rec.Hint, rec.NoTree, rec.Direction = rec.RecorderHint, noTree, dissect.ServerToClient
		sequence := uint32(0)
		step := func(message []byte) {
			sequence++
			rec.Payload = append(rec.Payload[:0], make([]byte, recordHeader)...)
			binary.LittleEndian.PutUint32(rec.Payload, sequence)
			rec.Payload = append(rec.Payload, message...)
			rec.Tree.Reset()
			rec.Experts = rec.Experts[:0]
			if !c.Dissect(rec) || rec.Damaged || len(rec.Experts) > 0 {
				t.Fatalf("message %d: %v", sequence, rec.Experts)
			}
		}
		step(serverSample())
		delta := deltaSnapshot(5000, 10)
		for range 200 { // until every ring has its memory
			step(delta)
		}
		if n := testing.AllocsPerRun(500, func() { step(delta) }); n != 0 {
			t.Errorf("without a tree %v: %v allocations for a message", noTree, n)
		}
	}
}
