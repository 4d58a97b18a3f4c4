package playtest

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// stamps are the server time, the number and the time of the match of each event of the last message; "-" is absent.
func (s *stage) stamps() (list []string) {
	for e := range s.last.Events.Top().Children() {
		line := e.Get("event").String()
		for _, key := range []string{"server_time", "match", "match_time"} {
			value := "-"
			if v := e.Get(key); v.Exists() {
				value = v.String()
			}
			line += " " + value
		}
		list = append(list, line)
	}
	return list
}

func wantStamps(t *testing.T, what string, s *stage, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, s.stamps()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestStamps: an event has the server time of the snapshot that came with it, and from the start of a match until its
// result the number of the match and its time. docs/events.md.
func TestStamps(t *testing.T) {
	s := game(t, 68, "baseq3", captureFlags)
	wantStamps(t, "gamestate", s, "map_start - - -")
	wantStamps(t, "before the first snapshot", s.mutter("map_restart"), "map_restart - - -", "match_start - 0 -")
	s = game(t, 68, "baseq3", captureFlags)
	wantStamps(t, "the client's command", s.asks("disconnect"), "disconnect - - -")

	s = game(t, 68, "baseq3", captureFlags).say()
	wantStamps(t, "first snapshot", s, "match_start 10050 0 0")
	wantStamps(t, "a second later", s.pause(950).say(`cs 546 ""`), "disconnect 11050 0 1000")
	wantStamps(t, "without a snapshot", s.mutter(`cs 546 "n\Dora"`), "connect 11050 0 1000")
	wantStamps(t, "the match is over", s.say("cs 22 1"), "intermission 11100 0 1050")
	wantStamps(t, "after it", s.pause(400).say(`cs 546 ""`), "disconnect 11550 0 1050")
	wantStamps(t, "its result", s.pause(11000).say(), "match_end 22600 0 1050")
	wantStamps(t, "outside of matches", s.say(`cs 546 "n\Dora"`), "connect 22650 - -")
	wantStamps(t, "the next one", s.say("cs 22 0", "map_restart"), "map_restart 22700 - -", "match_start 22700 1 0")

	// A gamestate begins another map, whose clock is not known before its first snapshot.
	other := s.configstrings(`\gamename\baseq3\mapname\other\g_gametype\4\sv_hostname\lab`)
	other[1] = `\sv_serverid\8`
	wantStamps(t, "another map", s.gamestate(other), "match_end 22700 1 0", "map_start - - -")
	wantStamps(t, "its match", s.say(), "match_start 22750 2 0")

	// While the client loads another map the server sends it the old clock and the new one added up: oldServerTime,
	// SV_WriteSnapshotToClient in code/server/sv_snapshot.c of ioquake3.
	other[1] = `\sv_serverid\9`
	wantStamps(t, "a third map", s.gamestate(other), "match_end 22750 2 0", "map_start - - -")
	s.flags = world.SnapNotActive
	wantStamps(t, "it is loaded", s.pause(400).say(`cs 546 ""`), "disconnect - - -")
	s.flags, s.time = 0, 600
	wantStamps(t, "the client is there", s.say(), "match_start 650 3 0")
	s.flags = world.SnapNotActive // until the server forgets it
	wantStamps(t, "the client has left", s.say(`cs 544 ""`), "disconnect 700 3 50")
}

// TestSessions plays one session after another: its match ends with the client, and those that follow have other
// numbers.
func TestSessions(t *testing.T) {
	s := game(t, 68, "baseq3", captureFlags).say("cs 6 3", "cs 7 1").forget()
	s.reader.Restart(true)
	s.gamestate(s.configstrings(`\gamename\baseq3\mapname\other\g_gametype\4\sv_hostname\lab`)).want(
		"match_end: the match is over: red 3, blue 1, client_left after 0:00 (not all of it is there)",
		"map_start: other on lab, ctf, 3 players", "connect: Bob connected (this client)",
	)
	wantStamps(t, "the second session", s.say(), "match_start 10100 1 0")
	s.reader.Restart(true)
	s.forget().oob(dissect.ClientToServer, "getchallenge").
		want("match_end: the match is over: client_left after 0:00 (not all of it is there)")
	s.oob(dissect.ClientToServer, "getchallenge").want()
	s.reader.Restart(false) // its handshake is not in the capture
	s.gamestate(s.configstrings(`\gamename\baseq3\mapname\other\g_gametype\4\sv_hostname\lab`)).want("map_start: other on lab, ctf, 3 players")
	wantStamps(t, "the third", s.say(), "match_start 10150 2 0")
	s.say("cs 22 1").pause(11000).say().forget() // it is over
	s.reader.Restart(true)
	s.gamestate(s.configstrings(`\gamename\baseq3\mapname\other\g_gametype\4\sv_hostname\lab`)).want("map_start: other on lab, ctf, 3 players", "connect: Bob connected (this client)")
	if s.last.Events.Family != s.session.Family {
		t.Errorf("family %d, want %d", s.last.Events.Family, s.session.Family)
	}
}

// TestEndOfInput: what ends with the input is said of the last message.
func TestEndOfInput(t *testing.T) {
	s := newStage(t, 68)
	if s.reader.End(dissect.NewRecord()) {
		t.Error("nothing has begun and ends")
	}
	s = game(t, 68, "baseq3", captureFlags)
	if s.reader.End(dissect.NewRecord()) {
		t.Error("no match has begun and ends")
	}
	s.say().asks("x")
	rec := dissect.NewRecord()
	if !s.reader.End(rec) {
		t.Fatal("the match does not end")
	}
	if rec.Frame != uint64(s.sequence) || rec.Direction != dissect.ClientToServer || rec.Payload != nil ||
		rec.Events.Family != s.session.Family || rec.FirstTime != s.last.FirstTime {
		t.Errorf("frame %d, direction %v, payload %q, family %d", rec.Frame, rec.Direction, rec.Payload, rec.Events.Family)
	}
	s.keep(rec).want("map_start: arena on lab, ctf, 3 players", "match_start: the match starts",
		"match_end: the match is over: recording_end after 0:00 (not all of it is there)")
	if s.reader.End(dissect.NewRecord()) {
		t.Error("it ends twice")
	}
}

// TestDamagedMessages: messages that could not be read do not count, and repeated commands count once.
func TestDamagedMessages(t *testing.T) {
	s := game(t, 68, "baseq3", captureFlags).say().forget()
	s.begin("map_restart")
	s.reader.Message(&observe.Message{Session: s.session, Log: &s.log}, newRecord(dissect.ServerToClient, nil))
	s.log.Reset()
	s.log.Add(observe.Change{Kind: observe.Command, Repeat: true}, []byte("map_restart"))
	s.deliver(false).want()
	s.log.Reset()
	s.log.Add(observe.Change{Kind: observe.Command, Repeat: true}, []byte("disconnect"))
	s.deliver(true).want()
}

// TestAnotherMap: a gamestate makes the client forget the map and its players, CL_ParseGamestate in
// code/client/cl_parse.c.
func TestAnotherMap(t *testing.T) {
	another := func(s *stage) *stage {
		return s.gamestate(map[int]string{0: `\gamename\baseq3\mapname\other\g_gametype\4`, 1: `\sv_serverid\8`, 545: `n\Bob\t\2`}).forget()
	}
	for _, tt := range []struct {
		name   string
		before []string // in the map before
		after  []string // in the one after it
		want   []string
	}{
		{"players", nil, []string{`print "Anna entered the game"`, `cs 544 "n\Anna\t\1"`}, []string{"connect: Anna connected"}},
		{"a vote", []string{"cs 9 kick", "cs 8 5000"}, []string{"cs 8 0", "cs 10 3"}, nil},
		{"flags", []string{"cs 23 01"}, []string{"cs 23 00"}, nil},
		{"scores", []string{"cs 6 3"}, []string{"cs 6 3"}, []string{"score: red 3, blue -"}},
		{"a kick", []string{`print "Bob was kicked"`}, []string{`cs 545 ""`}, []string{"disconnect: Bob left"}},
		{"the client has left", []string{"disconnect"}, []string{"disconnect"}, []string{"disconnect: Bob left"}},
		{"the warm-up", []string{"cs 5 -1"}, []string{"cs 5 -1"}, []string{"warmup: warm-up, waiting for players"}},
	} {
		s := game(t, 68, "baseq3", captureFlags).say(tt.before...)
		another(s).say().forget().say(tt.after...)
		var got []string
		for _, l := range s.lines {
			if !strings.HasPrefix(l, "match_end") {
				got = append(got, l)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}

	s := game(t, 68, "baseq3", captureFlags).say("cs 6 3", "cs 7 1").forget()
	again := s.configstrings(`\gamename\baseq3\mapname\arena\g_gametype\4\sv_hostname\lab`)
	again[6], again[7] = "3", "1"
	s.gamestate(again).say().want() // the same, sent again: the match continues
	if wantStamps(t, "the same match", s.say("cs 6 4"), "score 10150 0 100"); t.Failed() {
		return
	}
	s.forget()
	again[1] = `\sv_serverid\8`
	s.gamestate(again).want("match_end: the match is over: red 4, blue 1, map_change after 0:00",
		"map_start: arena on lab, ctf, 3 players")
	again[1] = `\sv_serverid\0` // of a session whose systeminfo is not known
	s.say().gamestate(again).gamestate(again).forget().say().want("match_start: the match starts")
}

// TestPlacesOfTheMap: CPMA's team chat refers to places, and Enemy Territory's popup messages to texts, of the map.
func TestPlacesOfTheMap(t *testing.T) {
	s := game(t, 68, "cpma", captureFlags).say("cs 616 RA").say(`mm2 0 8 "here"`).forget()
	other := s.configstrings(`\gamename\cpma\mapname\other\g_gametype\4\sv_hostname\lab`)
	other[1] = `\sv_serverid\8`
	s.gamestate(other).say().forget().say(`mm2 0 8 "here"`).want("chat: (Anna): here")

	planted := shown(entities{80: {"eType": 62 + 124, "effect3Time": 1}})
	s = game(t, 84, "", 2).say(`cs 770 "the Door"`).forget().frame(planted).want("objective: dynamite planted at the Door")
	other = maps.Clone(s.configstrings(`\mapname\other\g_gametype\2`))
	other[1] = `\sv_serverid\8`
	s.gamestate(other).say().forget().frame(planted).want("objective: dynamite planted")
}
