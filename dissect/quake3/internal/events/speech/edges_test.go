package speech

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestSplitEdges splits lines that are shorter than those of servers, or lack a part.
func TestSplitEdges(t *testing.T) {
	for _, tt := range []struct {
		name, line, channel string
		numbered            bool
		want                Line
	}{
		{"a number and a blank alone", "00 ", event.ChannelSay, true, Line{Channel: event.ChannelSay, Text: []byte{}}},
		{"no number", "0x Ann^7\x19: ^2hi", event.ChannelSay, true, Line{Channel: event.ChannelSay, Client: -1, Name: []byte("0x Ann"), Text: []byte("hi")}},
		{"no blank after the number", "00Ann^7\x19: ^2hi", event.ChannelSay, true, Line{Channel: event.ChannelSay, Client: -1, Name: []byte("00Ann"), Text: []byte("hi")}},
		{"a colour alone", "Ann^7\x19: ^2", event.ChannelSay, false, Line{Channel: event.ChannelSay, Client: -1, Name: []byte("Ann"), Text: []byte{}}},
		{"a caret alone", "Ann^7\x19: ^", event.ChannelSay, false, Line{Channel: event.ChannelSay, Client: -1, Name: []byte("Ann"), Text: []byte("^")}},
		{"no colour", "Ann^7\x19: hi", event.ChannelSay, false, Line{Channel: event.ChannelSay, Client: -1, Name: []byte("Ann"), Text: []byte("hi")}},
		{"no name", "^7: ^2hi", event.ChannelSay, false, Line{Channel: event.ChannelSay, Client: -1, Text: []byte("^7: ^2hi")}},
		{"a name of one character", "A^7: ^2hi", event.ChannelSay, false, Line{Channel: event.ChannelSay, Client: -1, Name: []byte("A"), Text: []byte("hi")}},
		{"a bracket in a team's line that is no team's", "(A): hi", event.ChannelTeam, false, Line{Channel: event.ChannelTeam, Client: -1, Name: []byte("(A)"), Text: []byte("hi")}},
		{"brackets around a name are no tell to a team", "[A^7]: ^6hi", event.ChannelTeam, false, Line{Channel: event.ChannelTeam, Client: -1, Name: []byte("[A^7]"), Text: []byte("hi")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Split([]byte(tt.line), tt.channel, tt.numbered)
			if got.Channel != tt.want.Channel || got.Client != tt.want.Client || string(got.Name) != string(tt.want.Name) ||
				(got.Name == nil) != (tt.want.Name == nil) || string(got.Text) != string(tt.want.Text) || len(got.Location) > 0 {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestTells: the server returns a private line to its sender without the name of the recipient, and replaces some of
// its characters. The last four are remembered, and each is returned once.
func TestTells(t *testing.T) {
	var tells Tells
	take := func(text string, want int) {
		t.Helper()
		if got := tells.Take([]byte(text)); got != want {
			t.Errorf("%q: to %d, want %d", text, got, want)
		}
	}
	take("", -1)
	tells.Put(3, []byte("hello, %s Zed"))
	take("hello. zed", -1)
	take("hello. .s Ze", -1)
	take("hello. .s Zedd", -1)
	take("hello. .s Zed!", 3)
	take("hello. .s Zed!", -1)
	for client, text := range []string{"a", "b", "c", "d", "z9"} {
		tells.Put(client, []byte(text))
	}
	take("a", -1) // the fifth took its place
	take("9", -1)
	for client, text := range []string{"", "b", "c", "d", "({z9)"} {
		if client > 0 {
			take(text, client)
		}
	}
	tells.Put(7, []byte("..."))
	take("...", 7)
	tells.Put(8, nil)
	take("", -1)
}

// TestPlain puts lines of the derived games into Quake III's words: "@@@" and a keyword in capitals, GetStringEdString
// in codemp/game of OpenJK; "[lof]" and "[lon]", CG_LocalizeServerCommand in MP/code/cgame of iortcw.
func TestPlain(t *testing.T) {
	for _, tt := range []struct {
		family     uint8
		line, want string
	}{
		{tables.FamilyAcademy, "Ann^7 @@@PLENTER\n", "Ann^7 entered the game\n"},
		{tables.FamilyOutcast, "Ann^7 @@@WAS_KICKED\n", "Ann^7 was kicked\n"},
		{tables.FamilyAcademy, "@@@VOTEPASSED (fraglimit 25)\n", "Vote passed."},
		{tables.FamilyAcademy, "@@@VOTEFAILED", "Vote failed."},
		{tables.FamilyAcademy, "@@@TEAMVOTEPASSED\n", "Team vote passed."},
		{tables.FamilyAcademy, "@@@TEAMVOTEFAILED\n", "Team vote failed."},
		{tables.FamilyAcademy, "Ann @@@PLCALLEDVOTE (map x)\n", "Ann called a vote."},
		{tables.FamilyAcademy, "@@@TIMELIMIT_HIT.\n", "Timelimit hit.\n"},
		{tables.FamilyAcademy, "Ann @@@HIT_THE_KILL_LIMIT.\n", "Ann hit the fraglimit.\n"},
		{tables.FamilyAcademy, "Red @@@HIT_CAPTURELIMIT.\n", "Red hit the capturelimit.\n"},
		{tables.FamilyAcademy, "Ann^7 @@@DISCONNECTED", "Ann^7 disconnected"},
		{tables.FamilyAcademy, "Ann @@@UNHEARDOF\n", "Ann @@@UNHEARDOF\n"},
		{tables.FamilyAcademy, "Ann @@@PLENTER[x]", "Ann entered the game[x]"},
		{tables.FamilyAcademy, "Ann @@@PLENTER@x", "Ann entered the game@x"},
		{tables.FamilyAcademy, "[lof]Ann", "[lof]Ann"},
		{tables.FamilyRTCW, "[lof]^7Ann[lon] entered the game[lof]\n", "Ann entered the game\n"},
		{tables.FamilyET, "Ann @@@PLENTER", "Ann @@@PLENTER"},
		{tables.FamilyOSP, "[lof]Ann @@@PLENTER", "[lof]Ann @@@PLENTER"},
	} {
		if got := string(Plain(tt.family, []byte(tt.line))); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.line, got, tt.want)
		}
	}
}

// TestDropColour: a colour code is a caret and any character but another caret, Q_IsColorString in
// code/qcommon/q_shared.h.
func TestDropColour(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "^": "^", "^1": "", "^1a": "a", "^^1": "^^1",
		"a^1": "a^1", "^zb": "b",
	} {
		if got := string(DropColour([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
