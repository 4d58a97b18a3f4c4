package oob

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// sourceInfo and halfLifeInfo are answers as https://developer.valvesoftware.com/wiki/Server_queries describes them.
const (
	sourceInfo = "I\x11game2xs.com Counter-Strike Source #1\x00de_dust\x00cstrike\x00Counter-Strike: Source\x00" +
		"\xf0\x00\x05\x10\x04dl\x00\x001.0.0.70\x00"
	quakeLiveInfo = "I\x11Lab duel #1\x00campgrounds\x00baseq3\x00Duel\x00\x48\x4f\x02\x10\x00dl\x00\x011069\x00" +
		"\xb1\x38\x6d\x01\x01\x02\x03\x04\x05\x06\x07\x08duel\x00\x48\x4f\x04\x00\x00\x00\x00\x00"
	halfLifeInfo = "m192.0.2.1:27015\x00Half-Life\x00crossfire\x00valve\x00Half-Life\x00\x03\x10\x2fdl\x00\x00\x00\x00"
)

// TestForeign: queries of other engines, and packets that are none.
func TestForeign(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"TSource Engine Query\x00":                 "Source A2S_INFO c alone",
		"TSource Engine Query\x00\x01\x02\x03\x04": "Source A2S_INFO c alone",
		"TSource Engine Query":                     "", "TSource": "",
		"U\xff\xff\xff\xff": "Source A2S_PLAYER c alone",
		"V\x01\x02\x03\x04": "Source A2S_RULES c",
		"U\xff\xff\xff":     "", "W": "Source A2S_SERVERQUERY_GETCHALLENGE c", "What": "",
		"A\x01\x02\x03\x04": "Source S2C_CHALLENGE s", "A00000000 5 3 1 0": "",
		quakeLiveInfo: "Quake Live A2S_INFO s alone",
		sourceInfo:    "Source A2S_INFO s alone", "I\x30" + sourceInfo[2:]: "Half-Life A2S_INFO s alone",
		halfLifeInfo: "Half-Life A2S_INFO s alone", "Info about nothing": "", "m": "", "I": "",
		sourceInfo[:len(sourceInfo)-12]: "", "D\x00": "Source A2S_PLAYER s", "D": "",
		"E\x01\x00a\x00b\x00": "Source A2S_RULES s",
		"getstatus":           "", "infoResponse\n\\gamename\\x": "", "": "",
	} {
		var p Packet
		p.Parse([]byte(marker + text))
		got := ""
		if q := p.Foreign(); q.Engine != NoEngine {
			got = q.Engine.String() + " " + q.Name + " " + q.Direction.String()[:1]
			if q.Alone {
				got += " alone"
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestForeignFacts: how a server describes itself.
func TestForeignFacts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		sourceInfo: `protocol=17 name=game2xs.com Counter-Strike Source #1 map=de_dust folder=cstrike ` +
			`game=Counter-Strike: Source players=5 max_players=16 bots=4`,
		halfLifeInfo: `address=192.0.2.1:27015 name=Half-Life map=crossfire folder=valve game=Half-Life players=3 ` +
			`max_players=16 protocol=47`,
		quakeLiveInfo: `protocol=17 name=Lab duel #1 map=campgrounds folder=baseq3 game=Duel players=2 max_players=16 bots=0`,
		"D\x00":       "",
	} {
		var got []string
		_, pairs := ForeignFacts([]byte(marker+text), []dissect.Pair{})
		for _, p := range pairs {
			got = append(got, string(p.Key)+"="+string(p.Value))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestQuakeLiveAnswer: an answer of a Quake Live server to Steam's query is named as such in the list and the entry.
func TestQuakeLiveAnswer(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string][2]string{
		quakeLiveInfo: {"A2S_INFO (Quake Live)", "an answer of a Quake Live server to a query of Steam: A2S_INFO"},
		sourceInfo:    {"A2S_INFO (Source or Half-Life)", "an answer of Source, another engine: A2S_INFO"},
	} {
		rec := dissect.NewRecord()
		rec.Payload, rec.Length = []byte(marker+answer), len(marker+answer)
		var p Packet
		p.Parse(rec.Payload)
		p.Dissect(rec.Tree, rec)
		if len(rec.Experts) != 1 || rec.Experts[0].Message != want[1] {
			t.Errorf("%+v, want %q", rec.Experts, want[1])
		}
		if got := string(AppendInfo(nil, rec.Tree, 0, false)); got != want[0] {
			t.Errorf("%q, want %q", got, want[0])
		}
	}
}

// TestRelatives: engines that took over the family's queries say so.
func TestRelatives(t *testing.T) {
	t.Parallel()
	const city = `infoResponse` + "\n" + `\sv_maxclients\24\clients\3\challenge\x\gamename\CitizenFX\protocol\4`
	for text, want := range map[string]Engine{
		city: FiveM,
		"statusResponse\n\\gamename\\Xonotic\\modname\\data\n": Xonotic,
		"infoResponse\n\\gamename\\Quake3Arena\\protocol\\71":  NoEngine,

		"getservers Xonotic 3 empty full": Xonotic,
		"getservers Warsow 22 full":       Warfork,
		"getservers 68 empty full":        NoEngine,
		"getstatus":                       NoEngine,
		"getinfo Xonotic":                 NoEngine,
	} {
		var p Packet
		if p.Parse([]byte(marker + text)); p.relative() != want {
			t.Errorf("%q: %v, want %v", text, p.relative(), want)
		}
	}
}
