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
		sourceInfo: "Source A2S_INFO s alone", "I\x30" + sourceInfo[2:]: "Half-Life A2S_INFO s alone",
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
		"D\x00": "",
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
