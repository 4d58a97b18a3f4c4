package quake3

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/handshake"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A demoSession is a session of protocol 71 whose demos are described in words.
type demoSession struct {
	t     *testing.T
	c     *conversation
	lines []string
	part  []byte // of the demo, written last
}

func newDemoSession(t *testing.T, part extract.DemoRange) *demoSession {
	t.Helper()
	return &demoSession{t: t, c: nativeSession(dissect.Options{Demos: &part})}
}

// send delivers a message with a good checksum.
func (s *demoSession) send(sequence uint32, body []byte) *demoSession {
	return s.datagram(datagram(nativeHeader(sequence, false), body))
}

// datagram delivers a datagram and records what it adds.
func (s *demoSession) datagram(payload []byte) *demoSession {
	rec := deliverable(dissect.ServerToClient, payload)
	rec.Frame, rec.Final = uint64(len(s.lines)+1), true
	s.c.Dissect(rec)
	p := &rec.Demo
	if !p.Message {
		return s
	}
	line := fmt.Sprint(p.Sequence)
	if p.End {
		line += " end"
	}
	if h := p.Begin; h != nil {
		line += fmt.Sprintf(" begin %s.%s client %d %q", h.Map, h.Extension, h.Client, h.Player)
		if h.Rebuilt {
			line += " rebuilt"
		}
		if h.Again {
			line += " again"
		}
	}
	if p.Left != "" {
		line += " left " + string(p.Left)
	}
	if p.Recoded {
		line += " recoded"
	}
	if p.HasTime {
		line += fmt.Sprint(" at ", p.ServerTime)
	}
	if len(p.Data) > 0 {
		line += " writes"
		s.part = bytes.Clone(p.Data)
		for _, m := range demoMessages(s.t, p.Data) {
			line += fmt.Sprint(" ", m)
		}
	}
	s.lines = append(s.lines, line)
	return s
}

// demoMessages returns the sequence numbers of the messages in a part of a demo.
func demoMessages(t *testing.T, data []byte) (sequences []uint32) {
	t.Helper()
	r := recording{in: bufio.NewReaderSize(bytes.NewReader(data), recordHeader+maxRecordSize)}
	for {
		p, err := r.Next()
		if err != nil {
			return sequences
		}
		sequences = append(sequences, uint32(p.Payload[0])|uint32(p.Payload[1])<<8)
	}
}

func (s *demoSession) want(lines ...string) {
	s.t.Helper()
	if diff := cmp.Diff(lines, s.lines); diff != "" {
		s.t.Errorf("(-want +got):\n%s", diff)
	}
}

// gamestateOf is a gamestate of a map.
func gamestateOf(mapName string, serverID, commands int) []byte {
	var all [tables.MaxConfigstrings][]byte
	all[tables.ServerinfoIndex] = []byte(`\gamename\baseq3\mapname\` + mapName)
	all[tables.SysteminfoIndex] = fmt.Appendf(nil, `\sv_serverid\%d`, serverID)
	all[544] = []byte(`n\Nobody\t\0`)
	all[547] = []byte(`n\^1Lab\t\0`)
	var w huffcodec.Writer
	g := demos.Gamestate{CommandSequence: int32(commands), ClientNum: 3, Strings: &all}
	return slices.Clone(demos.WriteGamestate(&w, tables.GenerationOf(71), &g, &world.World{}))
}

// Server times of snapshots before the client is in the game.
const notInGame = -1

// snapshotOf is a message with commands from a number on, and a snapshot of a player and one entity.
func snapshotOf(time int, delta uint32, firstCommand int, commands ...string) []byte {
	var w huffcodec.Writer
	w.Bits(1, 32)
	for i, text := range commands {
		w.Bits(tables.SvcServerCommand, 8)
		w.Bits(uint32(firstCommand+i), 32)
		w.String(text)
	}
	flags := uint32(0)
	if time == notInGame {
		flags, time = world.SnapNotActive, 99000
	}
	w.Bits(tables.SvcSnapshot, 8)
	w.Bits(uint32(time), 32)
	w.Bits(delta, 8)
	w.Bits(flags, 8)
	w.Bits(0, 8)
	w.Bits(1, 8) // player: command time
	w.Bit(true)
	w.Bits(uint32(time), 32)
	w.Bit(false)
	w.Bits(70, world.EntityNumBits) // entity 70: pos.trTime
	w.Bit(false)
	w.Bit(true)
	w.Bits(1, 8)
	w.Bit(true)
	w.Bit(true)
	w.Bits(uint32(time), 32)
	w.Bits(world.EntityNumNone, world.EntityNumBits)
	w.Bits(tables.SvcEOF, 8)
	return slices.Clone(w.Data())
}

// commandsOf is a message of commands alone.
func commandsOf(first int, commands ...string) []byte {
	var w huffcodec.Writer
	w.Bits(1, 32)
	for i, text := range commands {
		w.Bits(tables.SvcServerCommand, 8)
		w.Bits(uint32(first+i), 32)
		w.String(text)
	}
	w.Bits(tables.SvcEOF, 8)
	return slices.Clone(w.Data())
}

func TestDemoBegins(t *testing.T) {
	newDemoSession(t, extract.DemoRange{}).
		send(1, snapshotOf(900, 0, 1)).
		send(2, gamestateOf("lab1", 5, 42)).
		send(3, snapshotOf(notInGame, 0, 0)).
		send(4, snapshotOf(1000, 0, 43, "print \"hello\"")).
		send(5, snapshotOf(1050, 1, 44)).
		send(6, commandsOf(44, "print \"you\"")).
		send(7, gamestateOf("lab2", 6, 44)).
		send(8, commandsOf(45, "print \"and\"")).
		send(9, snapshotOf(100, 0, 45, "print \"and\"")).
		want(
			"1 end left no_gamestate at 900",
			"2 end",
			`3 begin lab1.dm_71 client 3 "^1Lab" writes 2 3`,
			"4 at 1000 writes 4",
			"5 at 1050 writes 5",
			"6 writes 6",
			"7 end",
			"8 left no_snapshot",
			`9 begin lab2.dm_71 client 3 "^1Lab" at 100 writes 7 9`,
		)
}

// TestDemoRebuilt has commands before the first full snapshot, which a client with the gamestate as it was sent
// would miss.
func TestDemoRebuilt(t *testing.T) {
	s := newDemoSession(t, extract.DemoRange{}).
		send(1, gamestateOf("lab1", 5, 42)).
		send(2, commandsOf(43, "cs 547 \"n\\Other\\t\\0\"", "cs 20 \"x\"")).
		send(3, snapshotOf(1000, 0, 45, "cs 20 \"y\""))
	s.want(
		"1 end",
		"2 left no_snapshot",
		`3 begin lab1.dm_71 client 3 "Other" rebuilt at 1000 writes 2 3`,
	)
	// The content of the message itself is not in the gamestate yet.
	var lines []string
	if err := playDemo(append(s.part, New().DemoEnd...), "x.dm_71", dissect.Options{},
		func(_ *conversation, rec *dissect.Record) {
			lines = append(lines, leaves(rec.Tree)...)
		}); err != io.EOF {
		t.Fatal(err)
	}
	for _, want := range []string{
		"server_message.ops[0].gamestate.server_command_sequence 44",
		"server_message.ops[0].gamestate.configstrings[2].value x",
		`server_message.ops[0].gamestate.configstrings[4].value n\Other\t\0`,
		`server_message.ops[0].server_command.command cs 20 "y"`,
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in %q", want, lines)
		}
	}
}

// TestDemoLeaves sends messages that a client does not accept.
func TestDemoLeaves(t *testing.T) {
	damaged := snapshotOf(1150, 1, 0)
	wrong := nativeHeader(9, false)
	wrong[4] ^= 1
	s := newDemoSession(t, extract.DemoRange{}).
		send(1, gamestateOf("lab1", 5, 42)).
		send(2, snapshotOf(1000, 0, 0)).
		send(4, snapshotOf(1100, 0, 0)).
		send(3, snapshotOf(1050, 0, 0)).
		send(4, snapshotOf(1100, 0, 0)).
		send(5, damaged[:len(damaged)-8])
	s.datagram(datagram(wrong, snapshotOf(1150, 0, 0)))
	cut := deliverable(dissect.ServerToClient, datagram(nativeHeader(6, false), damaged[:len(damaged)-8]))
	cut.Length += 8
	if s.c.Dissect(cut); cut.Demo.Left != extract.DemoCut {
		t.Errorf("a cut message is left for %q", cut.Demo.Left)
	}
	s.send(7, snapshotOf(1200, 3, 0)).want(
		"1 end",
		`2 begin lab1.dm_71 client 3 "^1Lab" at 1000 writes 1 2`,
		"4 at 1100 writes 4",
		"3 left late",
		"4 left duplicate",
		"5 left damaged",
		"9 left bad_checksum",
		"7 at 1200 writes 7",
	)
}

// TestDemoGamestateAgain repeats the gamestate: before the client is in the game the demo starts over, later it
// continues.
func TestDemoGamestateAgain(t *testing.T) {
	newDemoSession(t, extract.DemoRange{}).
		send(1, gamestateOf("lab1", 5, 42)).
		send(2, snapshotOf(notInGame, 0, 0)).
		send(3, gamestateOf("lab1", 5, 42)).
		send(4, gamestateOf("lab1", 5, 42)).
		send(5, snapshotOf(notInGame, 0, 0)).
		send(6, snapshotOf(1000, 0, 0)).
		send(7, gamestateOf("lab1", 5, 42)).
		send(8, snapshotOf(1050, 0, 0)).
		send(9, snapshotOf(1100, 0, 43, "cs 1 \"\\sv_serverid\\6\"")). // a map restart
		send(10, gamestateOf("lab1", 6, 43)).
		send(11, gamestateOf("lab1", 7, 43)).
		want(
			"1 end",
			`2 begin lab1.dm_71 client 3 "^1Lab" writes 1 2`,
			"3",
			"4",
			`5 begin lab1.dm_71 client 3 "^1Lab" again writes 4 5`,
			"6 at 1000 writes 6",
			"7 writes 7",
			"8 at 1050 writes 8",
			"9 at 1100 writes 9",
			"10 writes 10",
			"11 end",
		)
}

// TestDemoRange cuts a part out. Snapshots whose bases it does not hold are encoded again.
func TestDemoRange(t *testing.T) {
	newDemoSession(t, extract.DemoRange{From: 1000, HasFrom: true, To: 1200, HasTo: true}).
		send(1, gamestateOf("lab1", 5, 42)).
		send(2, snapshotOf(notInGame, 0, 0)).
		send(3, snapshotOf(900, 0, 0)).
		send(4, commandsOf(43, "print \"one\"")).
		send(5, snapshotOf(1000, 2, 0)).
		send(6, snapshotOf(1050, 3, 44, "print \"two\"")).
		send(7, snapshotOf(1100, 2, 0)).
		send(8, snapshotOf(1150, 5, 0)).
		send(9, snapshotOf(1250, 1, 0)).
		send(10, snapshotOf(1100, 1, 0)).
		send(11, commandsOf(45, "print \"three\"")).
		send(12, gamestateOf("lab2", 6, 45)).
		send(13, snapshotOf(1050, 0, 0)).
		want(
			"1 end",
			"2 left outside_range",
			"3 left outside_range at 900",
			"4 left outside_range",
			`5 begin lab1.dm_71 client 3 "^1Lab" rebuilt recoded at 1000 writes 4 5`,
			"6 recoded at 1050 writes 6",
			"7 at 1100 writes 7",
			"8 recoded at 1150 writes 8",
			"9 end left outside_range at 1250",
			"10 left outside_range at 1100",
			"11 left outside_range",
			"12 end",
			`13 begin lab2.dm_71 client 3 "^1Lab" at 1050 writes 12 13`,
		)
}

// TestDemoParts cuts parts out by the numbers of packets: each begins with a gamestate and a full snapshot of its own,
// and one that goes on into another game has a demo there too.
func TestDemoParts(t *testing.T) {
	newDemoSession(t, extract.DemoRange{Parts: map[int][]extract.DemoPart{
		0: {{First: 2, Last: 3}, {First: 5, Last: 6}, {First: 7, Last: 7}, {First: 9, Last: math.MaxUint64}}, 1: {{Last: 99}},
	}}).
		send(1, gamestateOf("lab1", 5, 42)).
		send(2, snapshotOf(900, 0, 0)).
		send(3, snapshotOf(950, 1, 0)).
		send(4, snapshotOf(1000, 1, 43, "print \"one\"")).
		send(5, snapshotOf(1050, 1, 0)).
		send(6, snapshotOf(100, 1, 0)).
		send(7, snapshotOf(150, 1, 0)).
		send(8, commandsOf(44, "print \"two\"")).
		send(9, snapshotOf(200, 2, 0)).
		send(10, gamestateOf("lab2", 6, 45)).
		send(11, snapshotOf(1050, 0, 0)).
		want(
			"1 end",
			`2 begin lab1.dm_71 client 3 "^1Lab" at 900 writes 1 2`,
			"3 at 950 writes 3",
			"4 end left outside_range at 1000",
			`5 begin lab1.dm_71 client 3 "^1Lab" rebuilt recoded at 1050 writes 4 5`,
			"6 at 100 writes 6",
			`7 end begin lab1.dm_71 client 3 "^1Lab" rebuilt recoded at 150 writes 6 7`,
			"8 end left outside_range",
			`9 begin lab1.dm_71 client 3 "^1Lab" rebuilt recoded at 200 writes 8 9`,
			"10 end",
			`11 begin lab2.dm_71 client 3 "^1Lab" at 1050 writes 10 11`,
		)
}

// TestDemoReconnect ends a demo with its session.
func TestDemoReconnect(t *testing.T) {
	s := newDemoSession(t, extract.DemoRange{}).
		send(1, gamestateOf("lab1", 5, 42)).
		send(2, snapshotOf(1000, 0, 0))
	s.c.Offered = handshake.Offer{Challenge: holdChallenge, Known: true, Fresh: true, Protocol: 71}
	s.c.begin(0)
	s.c.resume()
	s.send(1, gamestateOf("lab1", 5, 42)).send(2, snapshotOf(1050, 0, 0)).want(
		"1 end",
		`2 begin lab1.dm_71 client 3 "^1Lab" at 1000 writes 1 2`,
		"1 end",
		`2 begin lab1.dm_71 client 3 "^1Lab" at 1050 writes 1 2`,
	)
}

// TestDemosChangeNothing dissects with and without Options.Demos, and compares the whole state after each message.
// Demos of up to 40 kB are of every kind; make long takes all.
func TestDemosChangeNothing(t *testing.T) {
	for name, file := range demoSamples(t) {
		if len(file) > 40_000 && os.Getenv("Q3DISSECT_LONG") == "" {
			continue
		}
		var want, got []uint64
		for part, list := range map[*extract.DemoRange]*[]uint64{nil: &want, {HasFrom: true}: &got} {
			err := playDemo(file, name, dissect.Options{Demos: part}, func(c *conversation, rec *dissect.Record) {
				*list = append(*list, fingerprint(c))
			})
			if err != io.EOF {
				t.Error(err)
			}
		}
		if !slices.Equal(want, got) {
			t.Errorf("%s: other states with Demos", name)
		}
	}
}

// TestDemoPause has a long pause. A gamestate that was sent can still be the beginning of a demo; one that
// would have to be rebuilt cannot.
func TestDemoPause(t *testing.T) {
	s := newDemoSession(t, extract.DemoRange{}).
		send(1, gamestateOf("lab1", 5, 42))
	s.c.Shrink()
	s.send(2, snapshotOf(1000, 0, 0))
	s.c.Shrink()
	s.send(3, snapshotOf(2000, 1, 0)).
		send(4, commandsOf(43, "cs 20 \"x\"")).
		send(5, gamestateOf("lab2", 6, 43)).
		send(6, commandsOf(44, "cs 20 \"y\""))
	s.c.Shrink()
	s.send(7, snapshotOf(1000, 0, 0)).want(
		"1 end",
		`2 begin lab1.dm_71 client 3 "^1Lab" at 1000 writes 1 2`,
		"3 at 2000 writes 3",
		"4 writes 4",
		"5 end",
		"6 left no_snapshot",
		"7 left no_gamestate at 1000",
	)
}
