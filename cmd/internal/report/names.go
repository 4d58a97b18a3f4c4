package report

import (
	"cmp"
	"strings"
)

// duel is a match of two.
const duel = "duel"

// modes are the names of games' modes for people who do not know the game, by the word of the records.
var modes = map[string]string{
	"ffa": "free for all", "tournament": duel, "duel": duel, "powerduel": "one against two",
	"single_player": "single player", "team": "team deathmatch", "tdm": "team deathmatch", "dm": "free for all",
	"ctf": "capture the flag", "1fctf": "capture the one flag", "ctfs": "capture strike", "cty": "capture the ysalamiri",
	"ntf": "not team fortress", "two_vs_two": "two against two", "ca": "clan arena", "ft": "freeze tag",
	"obelisk": "overload", "red_rover": "red rover", "wolf": "objectives", "wolf_stopwatch": "stopwatch",
	"wolf_cp": "check points", "wolf_cph": "check points", "wolf_campaign": "campaign", "wolf_lms": "last man standing",
	"lms": "last man standing", "lts": "last team standing", "jedimaster": "jedi master",
	"double_d":        "double domination",
	"ctf_elimination": "elimination with flags",
}

// modeName names a mode in words.
func modeName(mode string) string {
	if name := modes[mode]; name != "" {
		return name
	}
	return strings.ReplaceAll(mode, "_", " ")
}

// gameNames are those of the games that speak one protocol, by what the records call them.
var gameNames = map[string]string{
	"rtcw": "Return to Castle Wolfenstein", "et": "Wolfenstein: Enemy Territory", "jo": "Jedi Outcast",
	"jka":       "Jedi Academy",
	"tremulous": "Tremulous", "wop": "World of Padman",
}

// quakeLive are the protocols of Quake III's family that Quake Live speaks.
var quakeLive = map[string]bool{" 73": true, " 90": true, " 91": true}

// protocolNames puts in words what the list calls protocols.
var protocolNames = strings.NewReplacer("teeworlds ddnet", "DDNet (Teeworlds)", "teeworlds", "Teeworlds", "gamestudio",
	"GameStudio", "directplay8", "DirectPlay 8", "enet", "ENet")

// protocolName names a protocol as the list has it, "quake3 68", in words. game is what the records call the game, if
// they do.
func protocolName(name, game string) string {
	version, ok := strings.CutPrefix(name, "quake3")
	if !ok {
		return protocolNames.Replace(name)
	}
	if game == "" && quakeLive[version] {
		game = "Quake Live"
	}
	game = cmp.Or(gameNames[game], game, "Quake III")
	if version == "" {
		return game
	}
	return game + ", protocol" + version
}
