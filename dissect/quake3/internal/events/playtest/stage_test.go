package playtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// A stage plays the server of a session of any game. Its messages are given by what they change, not as packets, which
// differ from game to game.
type stage struct {
	testing.TB
	reader   *events.Reader
	protocol int
	client   int32 // number of the own client in gamestates
	session  observe.Session
	log      observe.Log
	command  int32 // of the server, the last one
	sequence int32 // of the server's messages
	time     int32
	lost     bool            // snapshots have no base: what they do not send is not known
	flags    uint32          // of the snapshots
	last     *dissect.Record // of the last message
	lines    []string        // events since the last comparison, in words
	objects  []string        // the same, with all keys
}

// newStage is a stage at a protocol, with client 1 as the own one.
func newStage(t testing.TB, protocol int) *stage {
	s := &stage{TB: t, reader: events.New(dissect.Options{}), protocol: protocol, client: 1, command: 100, time: 10000}
	s.session = observe.Session{
		Version: protocol, HearsServer: true, World: new(world.World),
		Reader: &world.Reader{Generation: tables.GenerationOf(protocol)},
	}
	return s
}

// game is a game of a gametype with Anna, Bob, who is the own client, and Carl.
func game(t testing.TB, protocol int, gamename string, gametype int) *stage {
	s := newStage(t, protocol)
	return s.gamestate(s.configstrings(fmt.Sprintf(`\gamename\%s\mapname\arena\g_gametype\%d\sv_hostname\lab`, gamename, gametype)))
}

// configstrings are those of the game that game begins.
func (s *stage) configstrings(serverinfo string, more ...string) map[int]string {
	family := tables.GameOf(tables.GenerationOf(s.protocol), s.protocol,
		dissect.InfoValue([]byte(serverinfo), "gamename"), nil, nil)
	all := map[int]string{0: serverinfo, 1: `\sv_serverid\7`}
	for i, info := range append([]string{`n\Anna\t\1`, `n\^1Bo^7b\t\2`, `n\Carl\t\1`}, more...) {
		all[tables.PlayersAt[family]+i] = info
	}
	return all
}

// gamestate sends a gamestate, without a snapshot.
func (s *stage) gamestate(configstrings map[int]string) *stage {
	s.begin()
	info := []byte(configstrings[0])
	s.session.Family = tables.GameOf(tables.GenerationOf(s.protocol), s.protocol,
		dissect.InfoValue(info, "gamename"), nil, nil)
	s.session.ServerID, _ = token.Atoi(dissect.InfoValue([]byte(configstrings[1]), "sv_serverid"))
	s.session.World.Reset()
	s.log.Add(observe.Change{Kind: observe.GamestateHead}, nil)
	for _, index := range slices.Sorted(maps.Keys(configstrings)) {
		s.log.Add(observe.Change{Kind: observe.Configstring, Index: index}, []byte(configstrings[index]))
	}
	s.log.Add(observe.Change{Kind: observe.Gamestate, Client: s.client}, nil)
	return s.deliver(false)
}

// say sends commands, and a snapshot 50 ms after the last one.
func (s *stage) say(commands ...string) *stage { return s.frame(testState{}, commands...) }

// frame sends commands, and a snapshot 50 ms after the last one that shows something.
func (s *stage) frame(state testState, commands ...string) *stage {
	s.time += 50
	s.begin(commands...)
	s.snapshot(state)
	return s.deliver(false)
}

// mutter sends commands without a snapshot.
func (s *stage) mutter(commands ...string) *stage {
	s.begin(commands...)
	return s.deliver(false)
}

// asks has the own client send commands.
func (s *stage) asks(commands ...string) *stage {
	s.log.Reset()
	for i, c := range commands {
		s.log.Add(observe.Change{Kind: observe.Command, Number: int32(i)}, []byte(c))
	}
	return s.deliver(true)
}

// oob sends an out-of-band packet.
func (s *stage) oob(direction dissect.Direction, text string) *stage {
	var p oob.Packet
	p.Parse([]byte("\xff\xff\xff\xff" + text))
	rec := newRecord(direction, nil)
	s.reader.OutOfBand(&s.session, &p, rec)
	return s.keep(rec)
}

// end ends the recording.
func (s *stage) end() *stage {
	rec := dissect.NewRecord()
	s.reader.End(rec)
	return s.keep(rec)
}

func (s *stage) pause(ms int32) *stage {
	s.time += ms
	return s
}

// begin begins a message with commands, which may set configstrings.
func (s *stage) begin(commands ...string) {
	s.log.Reset()
	s.sequence++
	for _, c := range commands {
		s.command++
		s.log.Add(observe.Change{Kind: observe.Command, Number: s.command}, []byte(c))
		var words token.Words
		words.Split([]byte(c))
		if index, ok := token.Atoi(words.At(1)); ok && string(words.At(0)) == "cs" {
			s.log.Add(observe.Change{Kind: observe.Configstring, Index: int(index)}, words.At(2))
		}
	}
}

func (s *stage) deliver(fromClient bool) *stage {
	direction := dissect.ServerToClient
	if fromClient {
		direction = dissect.ClientToServer
	}
	rec := newRecord(direction, []byte("payload"))
	rec.Frame = uint64(s.sequence)
	s.reader.Message(&observe.Message{
		Session: s.session, Log: &s.log, FromClient: fromClient,
		Counts: true, Keeps: true,
	}, rec)
	return s.keep(rec)
}

func (s *stage) keep(rec *dissect.Record) *stage {
	s.last = rec
	s.lines = append(s.lines, eventLines(&rec.Events)...)
	for e := range rec.Events.Top().Children() {
		s.objects = append(s.objects, object(e))
	}
	return s
}

// snapshot stores a snapshot in the world.
func (s *stage) snapshot(state testState) {
	gen, w := s.session.Reader.Generation, s.session.World
	snap := &world.Snapshot{Valid: true, Sequence: s.sequence, ServerTime: s.time, Flags: s.flags}
	w.Ring[int(s.sequence)%len(w.Ring)] = snap
	if !s.lost {
		snap.Player.State.Set(gen.Player.Zero)
	}
	for name, v := range state.player {
		put(s, gen.Player, &snap.Player.State, name, v)
	}
	if state.score != nil {
		snap.Player.Arrays[1][0], snap.Player.ArraysKnown[1] = *state.score, 1 // persistant, PERS_SCORE
	}
	if state.best != 0 {
		const highest = 25 - 16 // of the second half of stats
		snap.Player.Extra = new(world.ExtraArrays)
		snap.Player.Extra.Values[0][highest], snap.Player.Extra.Known[0] = state.best, 1<<highest
	}
	for _, number := range slices.Sorted(maps.Keys(state.entities)) {
		i, to := w.Take()
		to.Set(&tables.State{})
		if !s.lost {
			to.Set(gen.Entity.Zero)
		}
		for name, v := range state.entities[number] {
			put(s, gen.Entity, to, name, v)
		}
		n := len(snap.Entities)
		snap.Entities = slices.Grow(snap.Entities, 1)[:n+1]
		snap.Entities[n].Number, snap.Entities[n].State = int32(number), i
	}
	s.log.Add(observe.Change{Kind: observe.Snapshot, Number: s.sequence}, nil)
}

// put sets a field of a state by the engine's name.
func put(t testing.TB, layout *tables.Layout, state *tables.State, name string, v uint32) {
	for i := range layout.Output {
		o := &layout.Output[i]
		full := o.Field.Name
		if o.Key >= 0 {
			full = fmt.Sprintf("%s[%d]", strings.TrimSuffix(full, "[]"), o.Key)
		}
		switch {
		case full != name:
			continue
		case layout.Wide:
			state.Put(o.Wire, v)
		default:
			state.Values[o.Wire] = v
			state.Known |= 1 << i
		}
		return
	}
	t.Fatalf("no field %s", name)
}

// object returns an event with its keys: "kill{victim{client_num=0 name=Anna} means_of_death=10}". Times of the event
// and texts without colours are left out.
func object(v dissect.Value) string {
	var parts []string
	kind := ""
	for c := range v.Children() {
		switch key := c.Key(); {
		case key == "event":
			kind = c.String()
		case key == "server_time", key == "match", key == "match_time", strings.HasSuffix(key, "_clean"):
		case c.Field().Kind == dissect.Object, c.Field().Kind == dissect.List:
			parts = append(parts, key+object(c))
		default:
			parts = append(parts, key+"="+c.String())
		}
	}
	return kind + "{" + strings.Join(parts, " ") + "}"
}

// want compares the events since the last comparison, in words.
func (s *stage) want(lines ...string) *stage {
	s.Helper()
	if diff := cmp.Diff(lines, s.lines); diff != "" {
		s.Errorf("events (-want +got):\n%s", diff)
	}
	return s.forget()
}

// wantObjects compares the events since the last comparison with all their keys.
func (s *stage) wantObjects(objects ...string) *stage {
	s.Helper()
	if diff := cmp.Diff(objects, s.objects); diff != "" {
		s.Errorf("events (-want +got):\n%s", diff)
	}
	return s.forget()
}

// forget drops the events.
func (s *stage) forget() *stage {
	s.lines, s.objects = nil, nil
	return s
}
