package events

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/event"

	"github.com/google/go-cmp/cmp"
)

// TestSplitChat reads lines from captures and recordings; the server's log confirms speakers and texts of those
// of OpenArena.
func TestSplitChat(t *testing.T) {
	for _, tt := range []struct {
		name     string
		line     string
		team     bool
		numbered bool
		want     chatLine
	}{
		{
			name: "say", line: "LabAlpha^7\x19: ^2hello everybody from LabAlpha",
			want: chatLine{channel: "say", name: []byte("LabAlpha"), text: []byte("hello everybody from LabAlpha")},
		},
		{
			name: "colours in name and text", line: "^3Lab^5Beta^7\x19: ^2^1red: ^2green",
			want: chatLine{channel: "say", name: []byte("^3Lab^5Beta"), text: []byte("^1red: ^2green")},
		},
		{
			name: "a name with brackets is no tell", line: "[x]^7\x19: ^2hi",
			want: chatLine{channel: "say", name: []byte("[x]"), text: []byte("hi")},
		},
		{
			name: "tell", line: "\x19[LabAlpha^7\x19]\x19: ^6private words",
			want: chatLine{channel: "tell", name: []byte("LabAlpha"), text: []byte("private words")},
		},
		{
			name: "tell between team mates", line: "\x19[MultiOne^7\x19] (Railgun)\x19: ^6psst",
			want: chatLine{channel: "tell", name: []byte("MultiOne"), location: []byte("Railgun"), text: []byte("psst")},
		},
		{
			name: "team", line: "\x19(Sarge^7\x19)\x19: ^5I lead.", team: true,
			want: chatLine{channel: "team", name: []byte("Sarge"), text: []byte("I lead.")},
		},
		{
			name: "team with a place", line: "\x19(sausage^7\x19) (Mega Health Room)\x19: ^5a", team: true,
			want: chatLine{channel: "team", name: []byte("sausage"), location: []byte("Mega Health Room"), text: []byte("a")},
		},
		{
			name: "Quake Live", line: "00 ^1dre^3am^7 demex^7\x19: ^2gg", numbered: true,
			want: chatLine{channel: "say", name: []byte("^1dre^3am^7 demex"), text: []byte("gg")},
		},
		{
			name: "Quake Live, team", line: "04 \x19(oxo__^7\x19) (Armor Deck^7)\x19: ^5QUAD !!!", numbered: true, team: true,
			want: chatLine{channel: "team", client: 4, name: []byte("oxo__"), location: []byte("Armor Deck^7"), text: []byte("QUAD !!!")},
		},
		{
			name: "a number that is none", line: "00 x^7\x19: ^2gg",
			want: chatLine{channel: "say", name: []byte("00 x"), text: []byte("gg")},
		},
		{
			name: "before 1.27", line: "fatal^41^7ty^7: ^2gl",
			want: chatLine{channel: "say", name: []byte("fatal^41^7ty"), text: []byte("gl")},
		},
		{
			name: "tell without marks", line: "[Blue^7]: ^6psst",
			want: chatLine{channel: "tell", name: []byte("Blue"), text: []byte("psst")},
		},
		{
			name: "team without marks", line: "(Blue^7) (RL): ^5here", team: true,
			want: chatLine{channel: "team", name: []byte("Blue"), location: []byte("RL"), text: []byte("here")},
		},
		{
			name: "console", line: "console: GL ALL GUYS\n",
			want: chatLine{channel: "console", text: []byte("GL ALL GUYS\n")},
		},
		{
			name: "of nobody", line: "Liz is on a killing spree with 5 kills",
			want: chatLine{channel: "say", text: []byte("Liz is on a killing spree with 5 kills")},
		},
		{name: "empty", want: chatLine{channel: "say", text: []byte("")}},
		{name: "a mark alone", line: "\x19", want: chatLine{channel: "say", text: []byte("\x19")}},
		{name: "no speaker", line: "\x19: ^2x", want: chatLine{channel: "say", text: []byte("\x19: ^2x")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			channel := event.ChannelSay
			if tt.team {
				channel = event.ChannelTeam
			}
			if tt.want.client == 0 && tt.name != "Quake Live" {
				tt.want.client = -1
			}
			got := splitChat([]byte(tt.line), channel, tt.numbered)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(chatLine{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppendClean(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"plain", "plain"},
		{"^3Lab^5Beta", "LabBeta"},
		{"n^1^^7Le^b^1X^n^7eR ", "n^LeXeR "}, // 2001_-_Duel_3_WCG: the caret before a caret stays
		{"^", "^"},
		{"^^", "^^"},
		{"^^1", "^"},
		{"a^ b", "a^ b"},
		{"\x19(x\n\x7f)", "(x)"},
		{"ä^ü\xff", "ä^ü\xff"},
	} {
		if got := string(appendClean(nil, []byte(tt.text))); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestReadWarmup(t *testing.T) {
	for value, want := range map[string]warmupState{
		"": {}, "0": {}, `\time\0`: {}, "-1": {true, -1}, `\time\-1`: {true, -1}, `\time\48950`: {true, 48950},
	} {
		if got := readWarmup([]byte(value)); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
