package events

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A derivedGame is a game of a family with Anna, the own client, and Bob.
type derivedGame struct {
	Reader
	rec *dissect.Record
}

func newDerivedGame(family uint8) *derivedGame {
	d := &derivedGame{Reader: Reader{out: newEventWriter()}, rec: dissect.NewRecord()}
	d.game = newGameView(nil)
	g := d.game
	g.family, g.own, g.roster.own, g.roster.known, g.timed = family, 0, 0, true, true
	d.rec.Events.Family = family
	d.out.use(d.rec, g)
	for i, info := range []string{`n\An^1na\t\1\c\0`, `n\Bob\t\2\c\1`} {
		g.setPlayer(&d.out, i, []byte(info), true)
	}
	return d
}

// hears returns the events of reliable commands in words.
func (d *derivedGame) hears(commands ...string) (words []string) {
	d.rec.Events.Reset()
	d.rec.Events.Family = d.game.family
	for _, c := range commands {
		d.reportServerCommand([]byte(c))
	}
	return d.words()
}

func (d *derivedGame) words() (words []string) {
	t := &d.rec.Events
	for i := 0; i < len(t.Nodes); i = int(t.Nodes[i].End) {
		words = append(words, string(AppendSentence(nil, t, i)))
	}
	return words
}

// TestWordsOfDerivedGames reads commands as the games' sources write them.
func TestWordsOfDerivedGames(t *testing.T) {
	for _, tt := range []struct {
		family  uint8
		command string
		want    string
	}{
		{tables.FamilyAcademy, "print \"An^1na^7 @@@PLENTER\n\"", "Anna entered the game"},
		{tables.FamilyAcademy, "print \"An^1na^7 @@@PLDUELACCEPT Bob^7!\n\"", "Anna and Bob begin a duel"},
		{tables.FamilyAcademy, "cp \"Bob^7 @@@PLDUELWINNER An^1na^7!\n\"", "Bob has defeated Anna in a duel"},
		{tables.FamilyOutcast, "print \"Bob @@@PLDUELWINNER An^1na!\n\"", "Bob has defeated Anna in a duel"},
		{tables.FamilyAcademy, "cp \"@@@PLDUELTIE\n\"", "the duel is a tie"},
		{tables.FamilyAcademy, "cp \"@@@PLDUELCHALLENGED Bob^7\n\"", "Anna challenges Bob to a duel"},
		{tables.FamilyAcademy, "cp \"Bob^7 @@@PLDUELCHALLENGE\n\"", "Bob challenges Anna to a duel"},
		{tables.FamilyAcademy, "ltchat \"\x19(Bob^7\x19)\x19: \" \"the hall\" \"5\" \"here\"", "(Bob) (the hall): here"},
		{tables.FamilyAcademy, "lchat \"Bob^7\x19: \" \"the hall\" \"2\" \"hi\"", "Bob (the hall): hi"},
		{tables.FamilyAcademy, "disconnect \"@@@WAS_KICKED\"", "Anna left: was kicked"},
		{tables.FamilyET, `tchat "^5go" 1 10 20 30`, "(Bob): go"},
		{tables.FamilyET, `tchat "(Bob^7): ^5go" 1 0`, "(Bob): go"},
		{tables.FamilyET, `tchat "^3go" 1 10 20 30`, "(Bob): go"},
		{tables.FamilyET, `vtchat 0 1 Medic 10 20 30 0.5 0 ""`, "(Bob): voice Medic"},
		{tables.FamilyRTCW, `chat "[lof][Bob^7] (^1[lon]the hall[lof]^7): ^6psst" 1`, "[Bob → Anna] (the hall): psst"},
		{tables.FamilyRTCW, `tchat "[lof](Bob^7): ^5no place" 1`, "(Bob): no place"},
		{tables.FamilyTremulous, `chat 1 1 "^2go"`, "(Bob): go"},
		{tables.FamilyTremulous, `chat 0 0 "hello"`, "Anna: hello"},
	} {
		if diff := cmp.Diff([]string{tt.want}, newDerivedGame(tt.family).hears(tt.command)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.command, diff)
		}
	}
}

// TestObjectivesDecide ends a match of Enemy Territory that a side has won.
func TestObjectivesDecide(t *testing.T) {
	for _, tt := range []struct{ winner, want string }{
		{`\w\1`, "the match is over: allies won, objectives after 1:40"},
		{`\winner\0`, "the match is over: axis won, objectives after 1:40"},
		{`\w\-1`, "the match is over: unknown after 1:40"},
	} {
		d := newDerivedGame(tables.FamilyET)
		g := d.game
		g.time = 10000
		g.match.setServerinfo([]byte(`\mapname\fueldump\g_gametype\2\timelimit\30`))
		g.match.family = g.family
		g.match.begin()
		g.startMatch(&d.out, true)
		g.time, d.out.Time = 110000, 110000
		g.match.configstring("multi_mapwinner", []byte(tt.winner), false)
		g.match.configstring("intermission", []byte("1"), false)
		d.rec.Events.Reset()
		d.rec.Events.Family = d.game.family
		g.endCommands(&d.out)
		g.reportMatch(&d.out, true)
		words := d.words()
		if diff := cmp.Diff([]string{"intermission", tt.want}, words); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.winner, diff)
		}
	}
}
