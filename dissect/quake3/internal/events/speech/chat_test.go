package speech

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// TestSplitChat reads lines from captures and recordings; the server's log confirms speakers and texts of those
// of OpenArena.
func TestSplitChat(t *testing.T) {
	for _, tt := range []struct {
		name     string
		line     string
		team     bool
		numbered bool
		want     Line
	}{
		{
			name: "say", line: "LabAlpha^7\x19: ^2hello everybody from LabAlpha",
			want: Line{Channel: "say", Name: []byte("LabAlpha"), Text: []byte("hello everybody from LabAlpha")},
		},
		{
			name: "colours in name and text", line: "^3Lab^5Beta^7\x19: ^2^1red: ^2green",
			want: Line{Channel: "say", Name: []byte("^3Lab^5Beta"), Text: []byte("^1red: ^2green")},
		},
		{
			name: "a name with brackets is no tell", line: "[x]^7\x19: ^2hi",
			want: Line{Channel: "say", Name: []byte("[x]"), Text: []byte("hi")},
		},
		{
			name: "tell", line: "\x19[LabAlpha^7\x19]\x19: ^6private words",
			want: Line{Channel: "tell", Name: []byte("LabAlpha"), Text: []byte("private words")},
		},
		{
			name: "tell between team mates", line: "\x19[MultiOne^7\x19] (Railgun)\x19: ^6psst",
			want: Line{Channel: "tell", Name: []byte("MultiOne"), Location: []byte("Railgun"), Text: []byte("psst")},
		},
		{
			name: "team", line: "\x19(Sarge^7\x19)\x19: ^5I lead.", team: true,
			want: Line{Channel: "team", Name: []byte("Sarge"), Text: []byte("I lead.")},
		},
		{
			name: "team with a place", line: "\x19(sausage^7\x19) (Mega Health Room)\x19: ^5a", team: true,
			want: Line{Channel: "team", Name: []byte("sausage"), Location: []byte("Mega Health Room"), Text: []byte("a")},
		},
		{
			name: "Quake Live", line: "00 ^1dre^3am^7 demex^7\x19: ^2gg", numbered: true,
			want: Line{Channel: "say", Name: []byte("^1dre^3am^7 demex"), Text: []byte("gg")},
		},
		{
			name: "Quake Live, team", line: "04 \x19(oxo__^7\x19) (Armor Deck^7)\x19: ^5QUAD !!!", numbered: true, team: true,
			want: Line{
				Channel: "team", Client: 4, Name: []byte("oxo__"), Location: []byte("Armor Deck^7"),
				Text: []byte("QUAD !!!"),
			},
		},
		{
			name: "a number that is none", line: "00 x^7\x19: ^2gg",
			want: Line{Channel: "say", Name: []byte("00 x"), Text: []byte("gg")},
		},
		{
			name: "before 1.27", line: "fatal^41^7ty^7: ^2gl",
			want: Line{Channel: "say", Name: []byte("fatal^41^7ty"), Text: []byte("gl")},
		},
		{
			name: "tell without marks", line: "[Blue^7]: ^6psst",
			want: Line{Channel: "tell", Name: []byte("Blue"), Text: []byte("psst")},
		},
		{
			name: "team without marks", line: "(Blue^7) (RL): ^5here", team: true,
			want: Line{Channel: "team", Name: []byte("Blue"), Location: []byte("RL"), Text: []byte("here")},
		},
		{
			name: "console", line: "console: GL ALL GUYS\n",
			want: Line{Channel: "console", Text: []byte("GL ALL GUYS\n")},
		},
		{
			name: "of nobody", line: "Liz is on a killing spree with 5 kills",
			want: Line{Channel: "say", Text: []byte("Liz is on a killing spree with 5 kills")},
		},
		{name: "empty", want: Line{Channel: "say", Text: []byte("")}},
		{name: "a mark alone", line: "\x19", want: Line{Channel: "say", Text: []byte("\x19")}},
		{name: "no speaker", line: "\x19: ^2x", want: Line{Channel: "say", Text: []byte("\x19: ^2x")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			channel := event.ChannelSay
			if tt.team {
				channel = event.ChannelTeam
			}
			if tt.want.Client == 0 && tt.name != "Quake Live" {
				tt.want.Client = -1
			}
			got := Split([]byte(tt.line), channel, tt.numbered)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppendClean(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"^xfff000ic-TOXIC", "fff000ic-TOXIC"},
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
		if got := string(AppendClean(nil, []byte(tt.text), 0)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestLongColours: the names are those of 2002_-_Duel_3_Quakecon.dm_67, and one of a public server.
func TestLongColours(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"^xfff000ic-TOXIC", "ic-TOXIC"},
		{"^7^x5555ff^0lu^7Kre^0k^4", "luKrek"},
		{"^7^x66b9f3^n^x000000Random^4", "Random"},
		{"^7^XFFFFFF^0Pe^4", "Pe"},
		{"^xfff00", "fff00"},
		{"^xfff00gic", "fff00gic"},
		{"^yfff000ic", "fff000ic"},
		{"^^xfff000ic", "^ic"},
		{"^x", ""},
	} {
		for _, family := range []uint8{tables.FamilyOSP, tables.FamilyCPMA} {
			if got := string(AppendClean(nil, []byte(tt.text), family)); got != tt.want {
				t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
			}
		}
	}
}
