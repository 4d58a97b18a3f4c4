package events

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// newUnknownGame is a game that began before the capture: nothing is known of it but its family.
func newUnknownGame(family uint8) *derivedGame {
	d := &derivedGame{Reader: Reader{out: newEventWriter()}, rec: dissect.NewRecord()}
	d.game = newGameView(nil)
	d.game.family, d.game.roster.own, d.game.timed = family, -1, true
	d.rec.Events.Family = family
	d.out.use(d.rec, d.game)
	return d
}

// named gives number, name and origin of the players of the events.
func (d *derivedGame) named() (list []string) {
	t := &d.rec.Events
	for i := range t.Nodes {
		if t.Nodes[i].Field != &evClient {
			continue
		}
		s := ""
		if n := t.Child(i, &evClientNum); n >= 0 {
			s = strconv.FormatUint(t.Nodes[n].Uint(), 10)
		}
		for _, f := range []*dissect.Field{&evName, &evNameFrom} {
			s += "|"
			if n := t.Child(i, f); n >= 0 {
				s += string(t.Bytes(&t.Nodes[n]))
			}
		}
		list = append(list, s)
	}
	return list
}

// TestNamesInMidgame reads names from what servers send where no configstring is known.
func TestNamesInMidgame(t *testing.T) {
	for _, tt := range []struct {
		name     string
		family   uint8
		commands []string
		want     []string // number, name, origin
	}{
		{"chat", tables.FamilyOSP, []string{"chat \"A^1nn^7\x19: ^2hi\""}, []string{"|A^1nn|chat"}},
		{"chat with a number", tables.FamilyET, []string{`chat "Ann^7: ^2hi" 3 0`, `vchat 0 3 Medic`}, []string{"3|Ann|chat", "3|Ann|chat"}},
		{"a number's later voice", tables.FamilyET, []string{`chat "Ann^7: ^2hi" 3 0`, `tchat "^5go" 3 10 20 30`}, []string{"3|Ann|chat", "3|Ann|chat"}},
		{"print", tables.FamilyOSP, []string{"print \"A^1nn^7 entered the game\n\""}, []string{"|A^1nn|print"}},
		{"a name that is a sentence", tables.FamilyOSP, []string{"print \"x entered the game^7 entered the game\n\""}, []string{"|x entered the game|print"}},
		{"no name", tables.FamilyOSP, []string{"print \" entered the game\n\"", "print \"^7 entered the game\n\""}, nil},
		{"two lines", tables.FamilyOSP, []string{"print \"say\nA entered the game\n\""}, nil},
		{"flag", tables.FamilyOSP, []string{"print \"A^1nn^7 got the RED flag!\n\""}, []string{"|A^1nn|print"}},
	} {
		d := newUnknownGame(tt.family)
		d.hears(tt.commands...)
		if diff := cmp.Diff(tt.want, d.named()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestLeavingInMidgame joins the server's sentence about a player who leaves and the configstring that goes, which has
// the number. A configstring replaces it.
func TestLeavingInMidgame(t *testing.T) {
	d := newUnknownGame(tables.FamilyOSP)
	d.hears("print \"A^1nn^7 was kicked\n\"")
	d.game.setPlayer(&d.out, 5, nil, false)
	d.game.setPlayer(&d.out, 6, nil, false)
	d.game.roster.keepName(7, []byte("Bob"), fromStatus)
	d.game.setPlayer(&d.out, 7, nil, false)
	if diff := cmp.Diff([]string{"5|A^1nn|print", "6||", "7|Bob|status"}, d.named()); diff != "" {
		t.Errorf("who left (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Ann left: was kicked", "client 6 left", "Bob left"}, d.words()); diff != "" {
		t.Errorf("in words (-want +got):\n%s", diff)
	}
	d.rec.Events.Reset()
	d.game.roster.keepName(8, []byte("Old"), fromChat)
	d.game.setPlayer(&d.out, 8, []byte(`n\New\t\0`), false)
	d.game.roster.keepName(8, []byte("Other"), fromChat)
	d.game.setPlayer(&d.out, 8, nil, false)
	if diff := cmp.Diff([]string{"8|New|"}, d.named()); diff != "" {
		t.Errorf("a configstring counts more (-want +got):\n%s", diff)
	}
}

// TestKeysAsNames takes names from the beginnings of commands that are only known as keys, if they are known to their
// end.
func TestKeysAsNames(t *testing.T) {
	for _, tt := range []struct {
		fromClient bool
		text, want string
	}{
		{true, `userinfo "\name\An^1n\rate\25000`, "An^1n"},
		{true, `userinfo "\rate\25000\name\Ann\`, "Ann"},
		{true, `userinfo "\name\Ann`, ""},
		{true, `userinfo "\name\A.n\rate\2`, ""}, // the cipher takes other characters for a dot
		{true, `say "\name\Ann\`, ""},
		{false, `cs 546 "n\An^1n\t\0`, "2 An^1n"},
		{false, `cs 546 "n\Ann`, ""},
		{false, `cs 5466 "n\Ann\t`, ""},
		{false, `cs 3 "n\Ann\t\0`, ""},
	} {
		d := newUnknownGame(tables.FamilyOSP)
		d.readKey(tt.fromClient, []byte(tt.text))
		got := string(d.name)
		for number, h := range d.game.roster.names {
			got = strconv.Itoa(number) + " " + string(h.name)
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestStatusOfConsole reads what engines print for the console command status, cut into packets anywhere.
func TestStatusOfConsole(t *testing.T) {
	const (
		old = "map: q3dm17\nnum score ping name            lastmsg address               qport rate\n--- ----- ---- " +
			"--------------- ------- --------------------- ----- -----\n" +
			"  0    12   48 ^1An^7n^7              0 10.0.0.1:27960         1234  25000\n  1     0 CNCT Bob^7                 " +
			"0 10.0.0.2:27960         1235  25000\n" +
			"  3     0    0 two words^7           50 bot                      0  16384\n\n  4     0    0 Late^7 0 x 0 0\n"
		late = "map: q3dm17\ncl score ping name            address                                 rate \n-- ----- ---- " +
			"--------------- --------------------------------------- -----\n" +
			" 0    12   48 ^1An^7n          ^710.0.0.1                                25000\n 1     0 ZMBI Bob             " +
			"^710.0.0.2                                25000\n" +
			" 3     0    0 two words       ^7bot                                     16384\n\n"
	)
	want := map[int]knownName{0: {[]byte("^1An^7n"), fromStatus}, 3: {[]byte("two words"), fromStatus}}
	for _, text := range []string{old, late} {
		for size := 1; size < len(text); size += 7 {
			d := newUnknownGame(tables.FamilyOSP)
			c := console{}
			for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
				c.read(&d.out, d.game, []byte(rest[:min(size, len(rest))]))
			}
			if diff := cmp.Diff(want, d.game.roster.names, cmp.AllowUnexported(knownName{})); diff != "" {
				t.Fatalf("packets of %d bytes (-want +got):\n%s", size, diff)
			}
			if diff := cmp.Diff([]string{"q3dm17"}, d.words()); diff != "" {
				t.Fatalf("packets of %d bytes (-want +got):\n%s", size, diff)
			}
		}
	}
}

// TestMapUnderway reports the map of a session without a gamestate once.
func TestMapUnderway(t *testing.T) {
	d := newUnknownGame(tables.FamilyOSP)
	d.game.readServer(&d.out, []byte(`\hostname\a server\gametype\4`), false)
	d.game.readServer(&d.out, []byte(`\mapname\q3ctf1\hostname\a server\gametype\4`), false)
	d.game.readServer(&d.out, []byte(`\mapname\q3ctf2\sv_hostname\another\g_gametype\4`), true)
	d.game.configstring(&d.out, tables.ServerinfoIndex, []byte(`\mapname\q3ctf3\sv_hostname\a third\g_gametype\4`))
	if diff := cmp.Diff([]string{"q3ctf1 on a server"}, d.words()); diff != "" {
		t.Errorf("maps (-want +got):\n%s", diff)
	}
}
