package teeworlds

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// An eventGame is a session made of single messages: layouts after the protocol description, chunk headers
// after CNetChunkHeader::Pack of each game.
type eventGame struct {
	testing.TB
	c        *conversation
	d        tables.Dialect
	sequence [2]int // of the last vital chunk of server and client
	events   []string
}

func newEventGame(tb testing.TB, d tables.Dialect) *eventGame {
	return &eventGame{TB: tb, c: newConversation(dissect.Options{Events: true}), d: d}
}

// message builds a message of the game's tables: ints, texts and bytes in their order.
func (g *eventGame) message(key string, values ...any) []byte {
	g.Helper()
	var b []byte
	for u, def := range tables.Messages().ByUUID {
		if def.Key == key {
			b = append(wiretest.AppendInt(nil, int32(tables.SystemIndex(def.System))), u[:]...)
		}
	}
	for system, defs := range tables.Messages().ByID[g.d] {
		for _, def := range defs {
			if def != nil && def.Key == key {
				b = wiretest.AppendInt(nil, def.ID<<1|int32(system))
			}
		}
	}
	if b == nil {
		g.Fatalf("%v has no message %s", g.d, key)
	}
	return packValues(b, values...)
}

func packValues(b []byte, values ...any) []byte {
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = wiretest.AppendInt(b, int32(v))
		case string:
			b = append(append(b, v...), 0)
		case []byte:
			b = append(b, v...)
		}
	}
	return b
}

// An eventItem is an object of a snapshot.
type eventItem struct {
	key  string
	id   int
	ints []int
}

// snapshot builds a complete snapshot. Objects with a UUID get a type number each, which an object of type 0 explains.
func (g *eventGame) snapshot(tick int, items ...eventItem) []byte {
	g.Helper()
	var data []byte
	count, crc := 0, 0
	add := func(number, id int, ints []int) {
		count++
		data = packValues(data, number, id)
		if _, static := tables.ObjectSize(g.d, number); !static {
			data = packValues(data, len(ints))
		}
		for _, v := range ints {
			crc += v
			data = packValues(data, v)
		}
	}
	types := map[string]int{}
	for _, it := range items {
		def, number := g.object(it.key)
		if def.Size != len(it.ints) {
			g.Fatalf("%s has %d ints, not %d", it.key, def.Size, len(it.ints))
		}
		if number < 0 {
			if number = types[it.key]; number == 0 {
				number = tables.ExtendedObjects + len(types)
				types[it.key] = number
				add(0, number, uuidInts(def.UUID))
			}
		}
		add(number, it.id, it.ints)
	}
	data = append(packValues(nil, 0, count, 0), data...)
	return g.message("snapsingle", tick, tick+1, crc, len(data), data)
}

// object finds an object by its key. number is -1 if it has a UUID.
func (g *eventGame) object(key string) (def *tables.Object, number int) {
	g.Helper()
	for i, def := range tables.Objects().ByID[g.d] {
		if def != nil && def.Key == key {
			return def, i
		}
	}
	for _, def := range tables.AllObjects() {
		if def.Key == key && def.UUID != (tables.UUID{}) {
			return def, -1
		}
	}
	g.Fatalf("%v has no object %s", g.d, key)
	return nil, 0
}

func uuidInts(u tables.UUID) (list []int) {
	for i := 0; i < len(u); i += 4 {
		list = append(list, int(int32(binary.BigEndian.Uint32(u[i:]))))
	}
	return list
}

// nameInts returns a text as the ints of an object: StrToInts, src/game/gamecore.h.
func nameInts(name string, ints int) []int {
	padded := append([]byte(name), make([]byte, 4*ints)...)
	list := make([]int, ints)
	for i := range list {
		for _, c := range padded[4*i : 4*i+4] {
			list[i] = list[i]<<8 | int(c+128)
		}
		list[i] = int(int32(uint32(list[i])))
	}
	list[ints-1] &^= 0xff // the last byte is NUL already
	return list
}

// player06 returns the objects of a player of 0.6.
func player06(id, local, team int, name string) []eventItem {
	ints := append(nameInts(name, 4), nameInts("", 3)...)
	ints = append(append(ints, 0), nameInts("default", 6)...)
	return []eventItem{
		{"playerinfo", id, []int{local, id, team, 0, 0}},
		{"clientinfo", id, append(ints, 0, 0, 0)},
	}
}

// send sends messages in vital chunks of one packet.
func (g *eventGame) send(fromClient bool, messages ...[]byte) {
	g.Helper()
	side := &g.sequence[0]
	if fromClient {
		side = &g.sequence[1]
	}
	g.deliver(fromClient, *side+1, messages...)
	*side += len(messages)
}

// deliver sends a packet whose first chunk has a number.
func (g *eventGame) deliver(fromClient bool, sequence int, messages ...[]byte) {
	g.Helper()
	var p []byte
	switch g.d {
	case tables.V07:
		p = []byte{0, 0, byte(len(messages)), 1, 2, 3, 4}
	default:
		p = []byte{0, 0, byte(len(messages))}
	}
	for i, m := range messages {
		n, s := len(m), sequence+i
		if g.d == tables.V07 {
			p = append(p, 0x40|byte(n>>6), byte(s>>2&0xc0|n&0x3f), byte(s))
		} else {
			p = append(p, 0x40|byte(n>>4), byte(s>>2&0xf0|n&0x0f), byte(s))
		}
		p = append(p, m...)
	}
	if g.d == tables.DDNet {
		p = append(p, 1, 2, 3, 4)
	}
	g.packet(fromClient, p)
}

// close sends the end of the connection.
func (g *eventGame) close(fromClient bool, reason string) {
	g.Helper()
	p := []byte{0x10, 0, 0}
	if g.d == tables.V07 {
		p = []byte{0x04, 0, 0, 1, 2, 3, 4}
	}
	p = append(append(append(p, controlClose), reason...), 0)
	if g.d == tables.DDNet {
		p = append(p, 1, 2, 3, 4)
	}
	g.packet(fromClient, p)
}

func (g *eventGame) packet(fromClient bool, p []byte) {
	g.Helper()
	rec := dissect.NewRecord()
	rec.Payload, rec.Length, rec.Hint = p, len(p), uint64(g.d)
	rec.Direction = dissect.ServerToClient
	if fromClient {
		rec.Direction = dissect.ClientToServer
	}
	g.c.Dissect(rec)
	for _, e := range rec.Experts {
		if e.Severity > dissect.Note && e.Code != dissect.ExpertNotAccepted {
			g.Errorf("%s: %s", e.Code, e.Message)
		}
	}
	t := &rec.Events
	for i := 0; i < len(t.Nodes); i = int(t.Nodes[i].End) {
		var line strings.Builder
		for n := i + 1; n < int(t.Nodes[i].End); n++ {
			eventLeaf(&line, t, n)
		}
		g.events = append(g.events, strings.TrimSpace(line.String()))
		if len(events.AppendSentence(nil, t, i)) == 0 {
			g.Errorf("no words for %s", line.String())
		}
	}
}

// eventLeaf adds a node as " key=value"; an object opens with " key".
func eventLeaf(line *strings.Builder, t *dissect.Tree, n int) {
	node := &t.Nodes[n]
	switch f := node.Field; f.Kind {
	case dissect.Object:
		fmt.Fprintf(line, " %s:", f.Key)
	case dissect.Float:
		fmt.Fprintf(line, " %s=%.0f", f.Key, node.Float())
	case dissect.Bool:
		fmt.Fprintf(line, " %s", f.Key)
		if !node.Bool() {
			line.WriteString("=false")
		}
	case dissect.Text, dissect.Label:
		switch {
		case f == &dissect.EventKind:
			line.Write(t.Bytes(node))
		case !strings.HasSuffix(f.Key, "_clean"):
			fmt.Fprintf(line, " %s=%s", f.Key, t.Bytes(node))
		}
	default:
		fmt.Fprintf(line, " %s=%d", f.Key, node.Int())
	}
}

// expect compares the events since the last call.
func (g *eventGame) expect(want ...string) {
	g.Helper()
	if diff := cmp.Diff(want, g.events); diff != "" {
		g.Errorf("events (-want +got):\n%s", diff)
	}
	g.events = nil
}

// info07 is Sv_ClientInfo.
func (g *eventGame) info07(id, local, team int, name string) []byte {
	return g.message("sv_clientinfo", id, local, team, name, "", -1, "a", "b", "c", "d", "e", "f", 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// placeholder is the client through whom a DDNet server lets players speak who have no number for the client.
func (g *eventGame) placeholder() []byte {
	return g.message("sv_clientinfo", 63, 0, 1, " ", "", -1, "a", "b", "c", "d", "e", "f",
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
}

// session07 is a session of 0.7 in which Anna, the own client, and Bob play in teams.
func session07(t *testing.T) *eventGame {
	g := newEventGame(t, tables.V07)
	g.send(true, g.message("info", "0.7 802f1be60a05665f", "", 1797))
	g.send(false, g.message("map_change", "ctf1", 1, 2, 8, 1384, make([]byte, 32)))
	g.send(false, g.info07(1, 0, 1, "Bob"), g.info07(0, 1, 0, "Anna"), g.message("sv_gameinfo", 3, 0, 0, 0, 0))
	g.expect("connect_request own", "map_start map=ctf1", "connect client: client_num=0 name=Anna team=0 own")
	return g
}

func flags07(red, blue int) eventItem { return eventItem{"gamedataflag", 0, []int{red, blue, 0, 0}} }
