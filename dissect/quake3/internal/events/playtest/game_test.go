// Package playtest tests the events of a session whose server the tests play: from packets on, and for every game from
// what messages change.
package playtest

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A testGame plays the server of a session of protocol 71 and keeps the events of its messages. It writes by
// the grammar of the reference, without the reader's code.
type testGame struct {
	testing.TB
	c        dissect.Conversation
	trees    []*dissect.Tree // of the records so far
	sequence uint32          // of the last server message
	sent     uint32          // by the client
	command  int32           // the last one
	time     uint32
	events   []string
}

func newTestGame(t testing.TB) *testGame { return newTestGameWith(t, dissect.Options{Events: true}) }

func newTestGameWith(t testing.TB, opts dissect.Options) *testGame {
	g := &testGame{TB: t, c: quake3.New().NewConversation(opts), command: 100, time: 10000}
	return g.oob(dissect.ServerToClient, fmt.Sprintf("connectResponse %d 71", challenge)).want()
}

// challenge is the session's challenge.
const challenge = 0x1234ABCD

// Operations, svc_ops_e and clc_ops_e in code/qcommon/qcommon.h.
const (
	svcGamestate     = 2
	svcConfigstring  = 3
	svcServerCommand = 5
	svcSnapshot      = 7
	svcEOF           = 8
	clcClientCommand = 4
	clcEOF           = 5
)

// A testState is the content of a snapshot apart from the time: fields of the player state and of entities, by
// the engine's names.
type testState struct {
	player   map[string]uint32
	score    *int32         // PERS_SCORE, the first of the player state's array persistant
	stats    map[int]uint16 // of the player state, beside that of best
	best     int32          // STAT_HIGHEST_SCORE of Medal of Honor; 0: not sent
	entities map[uint32]map[string]uint32
}

// configstrings of a game of OpenArena with three players.
func testConfigstrings() map[int]string {
	return map[int]string{
		0:   `\gamename\baseoa\mapname\arena\g_gametype\4\sv_hostname\lab`,
		1:   `\sv_serverid\7`,
		23:  "00",
		544: `n\Anna\t\1`,
		545: `n\^1Bo^7b\t\2`,
		547: `n\Carl\t\1\skill\3`,
	}
}

// gamestate sends a gamestate to client 1.
func (g *testGame) gamestate(configstrings map[int]string) *testGame {
	return g.message(func(w *huffcodec.Writer) { writeGamestate(w, uint32(g.command), configstrings) })
}

func writeGamestate(w *huffcodec.Writer, command uint32, configstrings map[int]string) {
	w.Bits(svcGamestate, 8)
	w.Bits(command, 32)
	for _, index := range slices.Sorted(maps.Keys(configstrings)) {
		w.Bits(svcConfigstring, 8)
		w.Bits(uint32(index), 16)
		w.String(configstrings[index])
	}
	w.Bits(svcEOF, 8)
	w.Bits(1, 32)
	w.Bits(0, 32)
}

// say sends reliable commands, and a snapshot without content.
func (g *testGame) say(commands ...string) *testGame { return g.frame(testState{}, commands...) }

// frame sends reliable commands and a snapshot 50 ms after the last one.
func (g *testGame) frame(s testState, commands ...string) *testGame {
	g.time += 50
	return g.message(func(w *huffcodec.Writer) {
		for _, text := range commands {
			g.command++
			w.Bits(svcServerCommand, 8)
			w.Bits(uint32(g.command), 32)
			w.String(text)
		}
		writeSnapshot(w, g.time, s)
	})
}

// pause lets time pass.
func (g *testGame) pause(ms uint32) *testGame {
	g.time += ms
	return g
}

// message sends a message with these operations.
func (g *testGame) message(ops func(w *huffcodec.Writer)) *testGame {
	g.Helper()
	g.sequence++
	return g.deliver(dissect.ServerToClient, append(nativeHeader(g.sequence, false), serverMessage(ops)...), false)
}

// serverMessage is the body of a server message with these operations.
func serverMessage(ops func(w *huffcodec.Writer)) []byte {
	var w huffcodec.Writer
	w.Reset(huffcodec.Static)
	w.Bits(0, 32)
	ops(&w)
	w.Bits(svcEOF, 8)
	return w.Data()
}

// client sends reliable commands of the client, the first one under number.
func (g *testGame) client(number uint32, commands ...string) *testGame {
	g.Helper()
	g.sent++
	body := clientMessage(g.sequence, number, commands...)
	return g.deliver(dissect.ClientToServer, append(nativeHeader(g.sent, true), body...), false)
}

// clientMessage is the body of a client message that acknowledges a message and has reliable commands.
func clientMessage(acknowledge, number uint32, commands ...string) []byte {
	var w huffcodec.Writer
	w.Reset(huffcodec.Static)
	w.Bits(7, 32)
	w.Bits(acknowledge, 32)
	w.Bits(42, 32)
	for i, text := range commands {
		w.Bits(clcClientCommand, 8)
		w.Bits(number+uint32(i), 32)
		w.String(text)
	}
	w.Bits(clcEOF, 8)
	return w.Data()
}

// oob sends an out-of-band packet.
func (g *testGame) oob(direction dissect.Direction, text string) *testGame {
	return g.deliver(direction, []byte("\xff\xff\xff\xff"+text), false)
}

func (g *testGame) deliver(direction dissect.Direction, payload []byte, damaged bool) *testGame {
	g.Helper()
	rec := g.dissect(direction, payload)
	if rec.Damaged != damaged {
		g.Fatalf("damaged is %v: %v", rec.Damaged, rec.Experts)
	}
	g.events = append(g.events, eventLines(&rec.Events)...)
	return g
}

// dissect passes a datagram to the conversation.
func (g *testGame) dissect(direction dissect.Direction, payload []byte) *dissect.Record {
	rec := newRecord(direction, payload)
	rec.Final = true
	g.c.Dissect(rec)
	g.trees = append(g.trees, rec.Tree)
	return rec
}

func newRecord(direction dissect.Direction, payload []byte) *dissect.Record {
	rec := dissect.NewRecord()
	rec.Packet = dissect.Packet{
		UDP: true, Payload: payload, Length: len(payload), Frame: 1,
		Src: netip.MustParseAddrPort("192.0.2.1:27960"), Dst: netip.MustParseAddrPort("192.0.2.2:27960"),
	}
	rec.Direction = direction
	return rec
}

// eventLines returns the events as lines "kind: words".
func eventLines(t *dissect.Tree) []string {
	var lines []string
	for i := 0; i < len(t.Nodes); i = int(t.Nodes[i].End) {
		kind := t.Child(i, &dissect.EventKind)
		lines = append(lines, fmt.Sprintf("%s: %s", t.Bytes(&t.Nodes[kind]), quake3.New().AppendEvent(nil, t, i)))
	}
	return lines
}

// want compares the events since the last call.
func (g *testGame) want(lines ...string) *testGame {
	g.Helper()
	if diff := cmp.Diff(lines, g.events); diff != "" {
		g.Errorf("events (-want +got):\n%s", diff)
	}
	g.events = nil
	return g
}

// forget drops the events.
func (g *testGame) forget() *testGame {
	g.events = nil
	return g
}

// writeSnapshot writes a full snapshot.
func writeSnapshot(w *huffcodec.Writer, serverTime uint32, s testState) {
	w.Bits(svcSnapshot, 8)
	w.Bits(serverTime, 32)
	w.Bits(0, 8) // full
	w.Bits(4, 8)
	w.Bits(0, 8)
	writeDelta(w, netfields.PlayerFields68[:], s.player, false)
	w.Bit(s.score != nil || s.stats != nil) // arrays
	if s.score != nil || s.stats != nil {
		w.Bit(s.stats != nil)
		mask := uint32(0)
		for i := range s.stats {
			mask |= 1 << i
		}
		if s.stats != nil {
			w.Bits(mask, 16)
		}
		for _, i := range slices.Sorted(maps.Keys(s.stats)) {
			w.Bits(uint32(s.stats[i]), 16)
		}
		w.Bit(s.score != nil) // persistant
		if s.score != nil {
			w.Bits(1, 16)
			w.Bits(uint32(uint16(*s.score)), 16)
		}
		w.Bit(false) // ammo
		w.Bit(false) // powerups
	}
	for _, number := range slices.Sorted(maps.Keys(s.entities)) {
		w.Bits(number, 10)
		w.Bit(false)
		w.Bit(true)
		writeDelta(w, netfields.EntityFields68[:], s.entities[number], true)
	}
	w.Bits(1023, 10)
}

// writeDelta writes values in the counted form: how many fields, and for each whether it is there.
func writeDelta(w *huffcodec.Writer, table []netfields.NetField, values map[string]uint32, zeroBit bool) {
	last := 0
	for i, f := range table {
		if _, ok := values[f.Name]; ok {
			last = i + 1
		}
	}
	w.Bits(uint32(last), 8)
	for _, f := range table[:last] {
		v, ok := values[f.Name]
		w.Bit(ok)
		switch {
		case !ok:
			continue
		case zeroBit && v == 0:
			w.Bit(false)
			continue
		case zeroBit:
			w.Bit(true)
		}
		if f.Bits == 0 {
			w.Bit(true)
			w.Bits(v, 32)
		} else {
			w.Bits(v, max(int(f.Bits), -int(f.Bits)))
		}
	}
}

// obituary is an event entity of a kill; its numbers are those of OpenArena: ET_EVENTS 13, EV_OBITUARY 60.
func obituary(killer, victim, means uint32) map[string]uint32 {
	return map[string]uint32{
		"eType": 13 + 60, "otherEntityNum": victim, "otherEntityNum2": killer, "eventParm": means,
		"pos.trBase[0]": math.Float32bits(100), "pos.trBase[1]": math.Float32bits(-20.5),
		"pos.trBase[2]": math.Float32bits(8),
	}
}

func shown(entities map[uint32]map[string]uint32) testState { return testState{entities: entities} }

// nativeHeader is a netchan header with the session's checksum: NETCHAN_GENCHECKSUM in code/qcommon/qcommon.h.
func nativeHeader(sequence uint32, fromClient bool) []byte {
	h := binary.LittleEndian.AppendUint32(nil, sequence)
	if fromClient {
		h = append(h, 1, 2)
	}
	return binary.LittleEndian.AppendUint32(h, challenge^sequence*challenge)
}
