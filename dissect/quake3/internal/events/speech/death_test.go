package speech

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// sentences is a game that announces deaths in words.
func sentences(t *testing.T) *tables.Text {
	t.Helper()
	for i := range tables.Games {
		if text := &tables.Games[i].Text; text.Deaths != nil {
			return text
		}
	}
	t.Fatal("no game has sentences about deaths")
	return nil
}

// said describes a death as victim, cause, killer, means, weapon and place.
func (d *Death) said() string {
	by := map[tables.DeathBy]string{
		tables.DeathByPlayer: "by " + string(d.Killer), tables.DeathBySelf: "self", tables.DeathByWorld: "world",
		tables.DeathByUnknown: "?",
	}[d.By]
	return strings.TrimRight(strings.Join([]string{string(d.Victim), by, d.Means, d.Weapon, d.Place}, "|"), "|")
}

// TestReadDeath reads sentences of the forms of G_PrintDeathMessage in code/fgame/g_utils.cpp and Player::Obituary in
// code/fgame/player.cpp of openmohaa, and of its captures.
func TestReadDeath(t *testing.T) {
	players := []string{
		"Pvt. Ryan", "[LAB]Otto \x81.d", "Ryan", "Bob", "Bob was shot by", "head Bob", "took", "himself out of commision",
		"tail ",
	}
	for _, tt := range []struct{ sentence, want, unknown string }{
		{"Pvt. Ryan was rifled by Bob", "Pvt. Ryan|by Bob|bullet|rifle", ""},
		{"Pvt. Ryan tripped on [LAB]Otto \x81.d", "Pvt. Ryan|by [LAB]Otto \x81.d|grenade|grenade", ""},
		{"Pvt. Ryan tripped on [LAB]Otto \x81.d's grenade", "Pvt. Ryan|by [LAB]Otto \x81.d|grenade|grenade", ""},
		{"[LAB]Otto \x81.d took himself out of commission", "[LAB]Otto \x81.d|self|suicide", ""},
		{"Bob was shot by took", "Bob|by took|bullet", ""},
		{"Bob was shot by was shot by Ryan", "Bob was shot by|by Ryan|bullet", "ambiguous"},
		{"took took Bob's rocket in the face", "took|by Bob|rocket|rocket", ""},
		{"took took himself out of commision", "took|self|suicide", ""},
		{"Bob was perforated by Ryan's' SMG", "Bob|by Ryan|bullet|smg", ""},
		{"Bob was perforated by Ryan's SMG in the lower left leg", "Bob|by Ryan|bullet|smg|lower left leg", ""},
		{"Bob was perforated by in the neck Ryan's SMG", "Bob|by Ryan|bullet|smg|neck", ""},
		{"Bob was rifled by helmet Ryan", "Bob|by Ryan|bullet|rifle|helmet", ""},
		{"Bob was rifled by head Bob", "Bob|by head Bob|bullet|rifle", "Bob|by Bob|bullet|rifle|head"},
		{"Bob was rifled by head head Bob", "Bob|by head Bob|bullet|rifle|head", ""},
		{"Bob was rifled by upper right arm Ryan", "Bob|by Ryan|bullet|rifle|upper right arm", ""},
		{"Bob shot himself in the right foot", "Bob|self|bullet||right foot", ""},
		{"Bob shot himself in the", "Bob|self|bullet", ""},
		{"Bob was shot in the pelvis", "Bob|world|bullet||pelvis", ""},
		{"Bob cratered", "Bob|?|falling", ""},
		{"Bob died", "Bob|?", ""},
		{"tail? died", "tail |?", "tail?|?"},
		{"Ryan stepped on Bob's landmine", "Ryan|by Bob|landmine|landmine", ""},
		{"Ryan stepped on a land mine", "Ryan|world|landmine|landmine", ""},
		{"Ryan was shot by somebody who left", "Ryan|by somebody who left|bullet", ""},
		{"Bob has joined the Axis", "", ""},
		{"Bob was shot in the moon", "", ""},
		{"Bob was shot by ", "", ""},
		{"nobody at all died", "", "nobody at all|?"},
		{"died", "", ""},
		{" died", "", ""},
		{"", "", ""},
	} {
		var known [][]byte
		for _, name := range players {
			known = append(known, []byte(name))
		}
		text := sentences(t)
		for _, names := range [][][]byte{known, nil} {
			want := tt.want
			if names == nil && tt.unknown != "" {
				want = strings.TrimPrefix(tt.unknown, "ambiguous")
			}
			d, ok := ReadDeath(text, []byte(tt.sentence), names)
			got := ""
			if ok {
				got = d.said()
			}
			if got != want {
				t.Errorf("%q, players known %t: %q, want %q", tt.sentence, names != nil, got, want)
			}
		}
	}
}

func TestReadDeathCommand(t *testing.T) {
	for _, tt := range []struct{ command, want string }{
		{`printdeathmsg "was machine-gunned by""x""[LAB]Otto""Pvt. Ryan" P`, "Pvt. Ryan|by [LAB]Otto|bullet|machine_gun"},
		{`printdeathmsg "was machine-gunned by""x""[LAB]Otto""Pvt. Ryan" p`, "Pvt. Ryan|by [LAB]Otto|bullet|machine_gun"},
		{`printdeathmsg "tripped on""'s grenade""Otto""Ryan" P`, "Ryan|by Otto|grenade|grenade"},
		{`printdeathmsg "took himself out of commission""'s grenade""x""Otto" S`, "Otto|self|suicide"},
		{`printdeathmsg "was perforated by in the head""'s' SMG""Otto""Ryan" P`, "Ryan|by Otto|bullet|smg|head"},
		{`printdeathmsg "was perforated by left hand""'s' SMG""Otto""Ryan" P`, "Ryan|by Otto|bullet|smg|left hand"},
		{`printdeathmsg "was perforated by""'s SMG in the neck""Otto""Ryan" P`, "Ryan|by Otto|bullet|smg|neck"},
		{`printdeathmsg "shot himself in the right foot""x""x""Ryan" s`, "Ryan|self|bullet||right foot"},
		{`printdeathmsg "cratered""x""x""Ryan" w`, "Ryan|world|falling"},
		{`printdeathmsg "cratered""x""x""Ryan" S`, "Ryan|self|falling"},
		{`printdeathmsg "was teleported away by""x""Otto""Ryan" P`, "Ryan|by Otto"},
		{`printdeathmsg "cratered""x""x""" w`, ""},
		{`printdeathmsg "cratered""x""x""Ryan" q`, ""},
		{`printdeathmsg "cratered""x""x""Ryan"`, ""},
		{`printdeathmsg`, ""},
	} {
		var w token.Words
		w.Split([]byte(tt.command))
		d, ok := ReadDeathCommand(sentences(t), &w)
		got := ""
		if ok {
			got = d.said()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.command, got, tt.want)
		}
	}
}

// TestDeathsOfReference reads each text of the reference's table of deaths, in the old form and in the new one.
func TestDeathsOfReference(t *testing.T) {
	data, err := os.ReadFile(reference.Folder(t, "reference", "idtech3") + "/names-mohaa.json")
	if err != nil {
		t.Fatal(err)
	}
	var names struct {
		Deaths struct {
			Values map[string]map[string]string `json:"values"`
		} `json:"death_text"`
	}
	if err := json.Unmarshal(data, &names); err != nil {
		t.Fatal(err)
	}
	text, count := sentences(t), 0
	for group, rows := range names.Deaths.Values {
		for means, said := range rows {
			for _, s := range deathTexts(means, said) {
				count++
				sentence, kind := "Ann "+s.words, group[:1]
				if group[0] == 'b' {
					sentence, kind = sentence+" Bob"+s.then, "p"
				}
				want := fmt.Sprintf("Ann %q %q %q", map[string]string{"p": "Bob"}[kind], s.means, s.place)
				d, ok := ReadDeath(text, []byte(sentence), [][]byte{[]byte("Ann"), []byte("Bob")})
				if got := fmt.Sprintf("%s %q %q %q", d.Victim, d.Killer, d.Means, d.Place); !ok || got != want {
					t.Errorf("%s: %q: %s, want %s", group, sentence, got, want)
				}
				var w token.Words
				w.Split(fmt.Appendf(nil, `printdeathmsg "%s""%s""Bob""Ann" %s`, s.words, s.then, kind))
				d, ok = ReadDeathCommand(text, &w)
				if got := fmt.Sprintf("%s %q %q %q", d.Victim, d.Killer, d.Means, d.Place); !ok || got != want {
					t.Errorf("%s: %s: %s, want %s", group, w.From(0), got, want)
				}
			}
		}
	}
	if count < 48 {
		t.Errorf("%d texts", count)
	}
}

type deathText struct{ words, then, means, place string }

// deathTexts are the sentences of a cell: "|" or ";" between them, "/" before the words after the killer, and what
// brackets have is there or not. Bullets have one cell for both kinds; "other" names no means.
func deathTexts(means, cell string) (texts []deathText) {
	means, _, _ = strings.Cut(strings.ToLower(means), ",")
	if means == "lava" && strings.Contains(cell, "burned up") {
		means = "fire"
	}
	if means == "other" {
		means = ""
	}
	words := ""
	for _, s := range strings.FieldsFunc(cell, func(r rune) bool { return r == '|' || r == ';' }) {
		s = strings.TrimSpace(s)
		if weapon, rest, ok := strings.Cut(s, ": "); ok && !strings.Contains(weapon, "was") {
			s = rest
		}
		before, then, split := strings.Cut(s, "/")
		if before = strings.TrimSpace(before); before != "" && !strings.HasPrefix(before, "'s") {
			words = before
		} else {
			then, split = s, true
		}
		if !split {
			then = ""
		}
		t := deathText{words: words, then: "", means: means}
		if then = strings.TrimSpace(then); then != "" {
			t.then = then
		}
		if base, _, ok := strings.Cut(words, " ["); ok {
			part := t
			t.words = base
			part.words, part.place = base+" in the lower torso", "lower torso"
			texts = append(texts, part)
		}
		if strings.Contains(t.words, "<place>") {
			t.words, t.place = strings.Replace(t.words, "<place>", "helmet", 1), "helmet"
		}
		texts = append(texts, t)
	}
	return texts
}
