package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"
)

// gameUrbanTerror40 is Urban Terror 4.0 and 4.1, gameUrbanTerror42 is 4.2 and 4.3, whose directory is the same. They
// have the tables of protocol 68. The sources of the module are not public, and what is not here stays a number.
//
// Source: means of death: those that servers write to their logs, as modNames of a public rewrite of the module for
// 4.3 and the log readers of bigbrotherbot have them; the rest: code/game/bg_public.h of that rewrite,
// BFoxyfox/UrbanTerror434_mod, whose clients are the original ones.
var (
	gameUrbanTerror40 = Game{
		Modules: []string{"q3ut4"},
		Names: Names{
			MeansOfDeath: names.WithNames(meansOfDeathUrbanTerror,
				"bombed", "nuked", "negev", "", "hk69_hit", "m4", "flag", "goomba"), // 33
			Gametypes:     gametypesUrbanTerror[:9],
			Teams:         names.TeamsQ3,
			Configstrings: configSpansUrbanTerror,
		},
		PlayerEvent: 1 << 4,
	}
	gameUrbanTerror42 = Game{
		Modules: []string{"q3urt42", "q3urt43"},
		Names: Names{
			MeansOfDeath: names.WithNames(meansOfDeathUrbanTerror,
				"smited", "bombed", "nuked", "negev", "hk69_hit", "m4", "glock", "colt1911", "mac11", "flag", "goomba", // 33
				"melt", "freeze", "p90", "benelli", "magnum", "frf1"), // 44
			Gametypes:     gametypesUrbanTerror,
			Teams:         names.TeamsQ3,
			Configstrings: configSpansUrbanTerror,
		},
		PlayerEvent: 1 << 4,
	}

	meansOfDeathUrbanTerror = []string{
		"unknown", "water", "slime", "lava", "crush", "telefrag", "falling", "suicide", "target_laser", "trigger_hurt", // 0
		"change_team", "weapon", "knife", "knife_thrown", "beretta", "deagle", "spas", "ump45", "mp5k", "lr300", // 10
		"g36", "psg1", "hk69", "bled", "kicked", "hegrenade", "flashgrenade", "smokegrenade", "sr8", "sacrifice", // 20
		"ak103", "sploded", "slapped", // 30
	}
	gametypesUrbanTerror = []string{
		"ffa", "lms", "single_player", "team", "survivor", "ftl", "cah", "ctf", "bomb", "jump", "freeze", "gun",
	}
	configSpansUrbanTerror = slices.DeleteFunc(slices.Clone(names.ConfigSpansMods), func(s names.ConfigSpan) bool { return s.Name == "items" })
)
