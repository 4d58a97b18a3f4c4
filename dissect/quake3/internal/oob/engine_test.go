package oob

import "testing"

// TestEngine: the handshakes of other engines are recognised by their form, and none of the family's is taken
// for one.
func TestEngine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Engine{
		"getchallenge": NoEngine, "getchallenge\n": NoEngine, "getchallenge 5 Quake3Arena": NoEngine,
		"getchallenge steam\n": HalfLife, "getchallenge valve\n": HalfLife, "getchallenge other": NoEngine,
		"challengeResponse 5": NoEngine, "challenge 5": Quake2, "challenge 5 p=34,35,36": Quake2, "challenge": NoEngine,
		"challenge five": NoEngine, "c5": QuakeWorld, "c-5\x00": QuakeWorld, "c": NoEngine,
		"call": NoEngine, "c5 6": NoEngine, "A00000000 5 3 1 0\n\x00": HalfLife, "A": NoEngine,
		`connect 28 9 5 "\name\x"`: QuakeWorld, `connect 34 9 5 "\name\x"`: Quake2, `connect 34 9 5 name`: NoEngine,
		`connect 48 5 "\prot\3" "\name\x"`: HalfLife, `connect 68 9 5 "\name\x"`: NoEngine,
		"connect 48 5 \"\\prot\\3\\raw\\steam\" \"\\name\\x\"\n\x14\x00\x01\xff": HalfLife,
		"connect 48 5 \"\\prot\\3\n\x14\x00":                                     HalfLife,
		"connect 48 5 \"\\name\\x\"\n\x14\x00\x01\xff":                           NoEngine, "connect \x14\x00\x01\xff": NoEngine, `connect "\protocol\68\qport\9\challenge\5"`: NoEngine, "connect": NoEngine, "connectResponse": NoEngine,
		"client_connect": Quake2, "client_connect 1": NoEngine, "j\x00": QuakeWorld, "j 1": NoEngine,
		`B 1 "192.0.2.1:5000" 0 8684`: HalfLife, "B 1 two": NoEngine, "print\nhello": NoEngine, "status\n": NoEngine, "": NoEngine,
	} {
		var p Packet
		if p.Parse([]byte(marker + text)); p.Engine() != want {
			t.Errorf("%q: %v, want %v", text, p.Engine(), want)
		}
	}
}
