package tables

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/netfields"
)

// gamePadman is World of Padman 1.7, protocol 72.
//
// Source: code/game/bg_public.h of PadWorld-Entertainment/worldofpadman.
var gamePadman = Game{
	Label: "wop",
	Names: Names{
		EntityTypes: names.WithNames(names.EntityTypesQ3, "explosion", "balloon", "station", "bambam", "boomies"),
		Events: slices.Concat(names.EventsQ3[:24], []string{"imperius_explode"}, names.EventsQ3[24:44], []string{
			"player_teleport_red_in", "player_teleport_red_out", "player_teleport_blue_in", "player_teleport_blue_out", // 45
			"drop_cartridge", "grenade_bounce", "sticky_bounce", "general_sound", "global_sound", "global_team_sound", // 49
			"missile_hit", "missile_miss", "missile_miss_metal", "railtrail", "shotgun", "spraylogo", // 55
			"pain", "death1", "death2", "death3", "obituary", "powerup_revival", "powerup_padpower", // 61
			"gib_player", "scoreplum", "debug_line", "stoploopingsound", "taunt", "hehe1", "hehe2", // 68
			"footstep_carpet", "footstep_lattice", "footstep_sand", "footstep_soft", "footstep_wood", "footstep_snow", // 75
			"bambam_explosion", "boomies_explosion", // 81
			"taunt_yes", "taunt_no", "taunt_followme", "taunt_getflag", "taunt_guardbase", "taunt_patrol", // 83
		}),
		Weapons: []string{
			"none", "punchy", "nipper", "pumper", "balloony", "betty", "boaster", "splasher", "bubbleg", "imperius", "kma97",
			"grappling_hook", "spraypistol", "killerducks", "bambam_missile",
		},
		MeansOfDeath: []string{
			"unknown", "pumper", "punchy", "nipper", "balloony", "balloony_splash", "betty", "betty_splash", "bubbleg", // 0
			"bubbleg_splash", "splasher", "boaster", "imperius", "imperius_splash", "injector", "killerducks", // 9
			"water", "slime", "lava", "crush", "telefrag", "falling", "suicide", "target_laser", "trigger_hurt", // 16
			"grapple", "bambam", "boomies", // 25
		},
		Powerups: []string{
			"none", "speedy", "padpower", "climber", "jumper", "visionless", "revival", "berserker", "redflag", "blueflag",
			"freeze",
		},
		Stats: []string{
			"health", "holdable_item", "weapons", "armor", "dead_yaw", "clients_ready", "max_health", "holdablevar", // 0
			"sprayroomsecs", "balloontime", "forbiddenitems", "chill", // 8
		},
		Persistant: []string{
			"score", "team", "hits", "rank", "spawn_count", "playerevents", "attacker", "attackee_armor", "killed", // 0
			"impressive_count", "excellent_count", "padhero_count", "padace_count", "snackattack_count", "captures", // 9
			"sprayawards_count", // 15
		},
		PmTypes: []string{"normal", "noclip", "spectator", "dead", "freeze", "frozen", "intermission", "spintermission"},
		PmFlags: names.WithNames(names.PmFlagsQ3, "touchslickent"),
		EFlags: []string{
			0: "dead", 1: "hurt", 2: "teleport_bit", 3: "award_excellent", 4: "player_event_or_bounce", 5: "bounce_half",
			6: "award_snackattack", 7: "nodraw", 8: "firing", 9: "charged", 10: "mover_stop", 11: "award_cap", 12: "talk",
			13: "connection", 14: "voted", 15: "award_impressive", 16: "award_padhero", 17: "award_padace", 18: "award_denied",
			19: "teamvoted", 20: "floater", 21: "award_spraygod", 22: "award_spraykiller", 23: "nolifesleft",
		},
		Animations: slices.Concat(names.AnimationsQ3[:25], []string{
			"torso_sprayattack", "torso_spraystand", "legs_flying", "legs_heavyland", "torso_getflag", "torso_guardbase", // 25
			"torso_patrol", "torso_followme", "torso_affirmative", "torso_negative", "", "legs_backcr", "legs_backwalk", // 31
			"flag_run", "flag_stand", "flag_stand2run", // 38
		}),
		WeaponStates: names.WithNames(names.WeaponStatesQ3, "charging"),
		Gametypes: []string{
			"ffa", "tournament", "single_player", "sprayffa", "lps", "team", "freezetag", "ctf",
			"spray", "balloon",
		},
		Teams:         names.TeamsQ3,
		TeamSounds:    names.GlobalTeamSoundsQ3,
		Configstrings: slices.Concat(names.ConfigSpansQ3, []names.ConfigSpan{{First: 26, Last: 26, Name: "balloons"}}),
	},
	PlayerEvent: 1 << 4,
}

// padmanGenerations is protocol 72, whose eFlags have 32 bits. 1.6 has 71 and the tables of Quake III.
//
// Source: PROTOCOL_VERSION and GAMENAME_FOR_MASTER, code/qcommon/q_shared.h; the version begins with PRODUCT_NAME.
func padmanGenerations() []Generation {
	return []Generation{{
		Version: -72, Game: FamilyPadman, Native: true, Voip: true,
		Entity: EntityStructure.table(entityFieldsPadman), Player: PlayerStructure.table(playerFieldsPadman),
		Signs: []Sign{{"com_gamename", "WorldofPadman"}, {"gamename", "WorldofPadman"}, {"version", "wop "}},
	}}
}

var (
	eFlagsPadman = netfields.Changes{"eFlags": {{Name: "eFlags", Bits: 32}}}

	entityFieldsPadman = netfields.Derived(netfields.EntityFields68, eFlagsPadman)
	playerFieldsPadman = netfields.Derived(netfields.PlayerFields68, eFlagsPadman)
)
