// Package settings finds which settings of a server change, in the infostrings that all clients see: configstrings 0
// and 1, CS_SERVERINFO and CS_SYSTEMINFO of code/qcommon/q_shared.h.
package settings

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/infostring"
)

// A Change is a setting with its values. nil: the infostring does not have it.
type Change struct{ Name, Before, After []byte }

const (
	// mostChanges is the most changes of an infostring that are found: a server has about 50 settings.
	mostChanges = 64
	// mostLooked is the most keys that are looked up, as an infostring of 8 KB can have thousands.
	mostLooked = 256
)

// Compare appends the changes from one infostring to another. They alias both. An empty infostring is not known.
func Compare(list []Change, before, after []byte) []Change {
	if len(before) == 0 || len(after) == 0 || bytes.Equal(before, after) {
		return list
	}
	first := len(list)
	// look passes each setting of an infostring with its value in the other one, nil if that does not have it.
	look := func(from, to []byte, add func(key, value, other []byte)) {
		var r infostring.Reader
		r.Reset(from)
		for looked := 0; looked < mostLooked && len(list)-first < mostChanges; {
			key, value, ok := r.Next()
			if !ok {
				return
			}
			if !ignored(key) {
				looked++
				add(key, value, dissect.InfoValue(to, string(key)))
			}
		}
	}
	look(after, before, func(key, value, other []byte) {
		if other == nil || !bytes.Equal(value, other) {
			list = append(list, Change{key, other, value})
		}
	})
	look(before, after, func(key, value, other []byte) {
		if other == nil {
			list = append(list, Change{key, value, nil})
		}
	})
	return list
}

// ignored reports whether a key is no setting, or has an event of its own.
func ignored(key []byte) bool {
	name := string(bytes.ToLower(key))
	return slices.Contains(ignoredKeys, name) || slices.ContainsFunc(ignoredBeginnings, func(s string) bool {
		return len(name) > len(s) && name[:len(s)] == s
	})
}

// ignoredKeys change by themselves, without anybody changing a setting, in lower case.
var ignoredKeys = []string{
	"mapname", "nextmap", "sv_serverid", // a map begins, or begins again
	"sv_paks", "sv_paknames", "sv_referencedpaks", "sv_referencedpaknames", // files that the server has opened
	"score_red", "score_blue", "score_time", "gamestate", "p", // OSP, ETPro: the score and who plays
	"g_levelstarttime", "g_gamestate", "g_bluescore", "g_redscore", // Quake Live, Urban Terror
	"g_timestamp", "gt_eventid", "gt_eventtype", "sv_skillrating", // Quake Live: sessions, and the skill of who plays
	"omnibot_playing", // the number of bots
}

// ignoredBeginnings are those of other such keys: OSP's counts of players.
var ignoredBeginnings = []string{"players_", "player_"}
