package forged_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/engine"
)

// gamePort makes a transport's payloads those of the game, where nothing else shows it.
var gamePort = []engine.DecodeAs{{Port: 2300, Name: "gamestudio"}}

// transportCaptures are samples of every transport, and the ports that are the game's.
var transportCaptures = map[string][]engine.DecodeAs{
	"synthetic-directplay8":        nil,
	"synthetic-directplay8-loss":   nil,
	"synthetic-directplay8-signed": nil,
	"synthetic-every-late":         nil,
	"synthetic-every-2002":         nil,
	"synthetic-directplay4-2002":   nil,
	"synthetic-enet10":             gamePort,
	"synthetic-enet12":             gamePort,
	"synthetic-photon":             gamePort,
	"enet-cube2":                   nil,
	"enet-godot3":                  nil,
	"enet-enigma":                  nil,
	"libenet-plain":                nil,
	"libenet-checksum":             nil,
}

// TestForgedTransportWords forges every control frame, command and data frame of the transports in the name of either
// side.
func TestForgedTransportWords(t *testing.T) {
	t.Parallel()
	for n, name := range slices.Sorted(maps.Keys(transportCaptures)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(root, "samples", "gamestudio", name+".pcap")
			step := wordStep(97)
			forgeWordsAs(t, path, n, step, &transport{transportCaptures[name]}, (*session).transportWords)
		})
	}
}

// transportWords are the forgeries at a place.
func (s *session) transportWords(at int) (list []wordForgery) {
	if s.before(at, func(_ int, g *genuine) bool { return !g.fromClient }) < 0 {
		return nil // nobody has answered the request yet
	}
	for _, who := range []string{"server", "client"} {
		like := s.before(at, func(i int, g *genuine) bool {
			return g.fromClient == (who == "client") && !strings.Contains(g.line, `"discovery":`)
		})
		if like < 0 {
			continue
		}
		family := ""
		add := func(kind string, payload []byte) {
			for _, copies := range []int{1, 2, 3, 10} {
				list = append(list, wordForgery{
					family: family, kind: who + " " + kind, at: at, like: like, payload: payload, copies: copies,
					genuine: believed(family, kind),
				})
			}
		}
		switch line := s.records[like].line; {
		case strings.Contains(line, `"directplay8":{`):
			family = "directplay8"
			s.directPlayWords(at, like, add)
		case strings.Contains(line, `"enet":{`):
			family = "enet " + versionOfENet.FindStringSubmatch(line)[1]
			s.enetWords(at, like, add)
		default:
			family = "directplay4"
			s.directPlay4Words(at, like, add)
		}
	}
	return list
}

// forgedBodies are application packets that somebody makes up: the last ones are messages of the game.
func forgedBodies(at int) (names []string, bodies [][]byte) {
	names = []string{
		"empty", "4 zeros", "30 zeros", "60 zeros", "4 random", "30 random", "60 random", "a join", "a removal",
	}
	bodies = [][]byte{{}, make([]byte, 4), make([]byte, 30), make([]byte, 60)}
	for _, size := range []int{4, 30, 60} {
		bodies = append(bodies, noise(size, uint64(at)))
	}
	return names, append(bodies, []byte("\x02Forged\x00"), []byte("\x04\x07\x00\x00\x00"))
}

// believable reports whether a body is one that the game's messages are made of.
func believable(name string) bool { return strings.HasPrefix(name, "a ") }

// believed reports whether a receiver takes a packet, as nothing shows that it is not the peer's, though it may make
// nothing of it: it counts as one that came. A frame of DirectPlay 8 has no number of the connection.
func believed(family, kind string) bool {
	return family != "directplay8" && strings.Contains(kind, "right") ||
		family == "directplay8" && !strings.Contains(kind, "session")
}
