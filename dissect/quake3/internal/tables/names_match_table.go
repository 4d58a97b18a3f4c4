package tables

// Names of what a match is made of: game types, teams, their tasks and sounds.

// Source: gametype_t, code/game/bg_public.h.
var gametypesQ3 = []string{"ffa", "tournament", "single_player", "team", "ctf", "1fctf", "obelisk", "harvester"}

var gametypeTables = familyTables{
	FamilyRTCW:    gametypesRTCW,
	FamilyET:      gametypesET,
	FamilyOutcast: gametypesOutcast,
	FamilyAcademy: gametypesAcademy,
	familyBaseQ3:  gametypesQ3,
	// Source: GameTypes_3, UDT_DLL/src/look_up_tables.cpp of uberdemotools.
	familyDM3: {0: "ffa", 1: "tournament", 3: "team", 4: "ctf"},
	// Source: GameTypes_73p, the same file; but 11 is Attack & Defend, "ad" to players and in lists of servers, where
	// that file has CTFS, its name in CPMA.
	FamilyQuakeLive73: {
		"ffa", "tournament", "race", "team", "ca", "ctf", "1fctf", "obelisk", "harvester", "ft", "domination", "ad",
		"red_rover",
	},
	// Source: uberdemotools. Hoony mode is -1 and has no place in a table.
	FamilyCPMA: {"ffa", "tournament", "single_player", "team", "ctf", "ca", "ft", "ctfs", "ntf", "two_vs_two"},
	// Captures of 0.8.8 are of 0, 3 and 4, and its servers offer 0, 1 and 3 to 12 to votes. The names: gametype_t of
	// OpenArena's code/game/bg_public.h of that release.
	FamilyOpenArena: withNames(gametypesQ3, "elimination", "ctf_elimination", "lms", "double_d", "domination"),
}

// Source: team_t, code/game/bg_public.h.
var teamsQ3 = []string{"free", "red", "blue", "spectator"}

var teamTables = familyTables{
	FamilyRTCW:        teamsRTCW,
	FamilyET:          teamsET,
	FamilyOutcast:     teamsOutcast,
	FamilyAcademy:     teamsAcademy,
	familyBaseQ3:      teamsQ3,
	familyDM3:         teamsQ3, // Teams, UDT_DLL/src/look_up_tables.cpp of uberdemotools, holds in every protocol
	FamilyOpenArena:   teamsQ3, // in captures of 0.8.8: persistant 3 and key t of players' configstrings, against the log's flags
	FamilyQuakeLive73: teamsQ3,
}

// playerClassTables are the classes of players.
//
// Source: playerClass_t, MP/code/game/bg_public.h of iortcw and src/game/bg_public.h of ET: Legacy.
var playerClassTables = familyTables{
	FamilyRTCW: {"soldier", "medic", "engineer", "lieutenant"},
	FamilyET:   {"soldier", "medic", "engineer", "fieldops", "covertops"},
}

// globalTeamSoundsQ3 are the parameters of event "global_team_sound".
//
// Source: global_team_sound_t, code/game/bg_public.h.
var globalTeamSoundsQ3 = []string{
	"red_capture", "blue_capture", "red_return", "blue_return", "red_taken", "blue_taken", "redobelisk_attacked",
	"blueobelisk_attacked", "redteam_scored", "blueteam_scored", "redteam_took_lead", "blueteam_took_lead",
	"teams_are_tied", "kamikaze",
}

var globalTeamSoundTables = familyTables{
	FamilyOutcast: teamSoundsOutcast,
	FamilyAcademy: teamSoundsAcademy,
	familyBaseQ3:  globalTeamSoundsQ3, // 43 has no such event
	// In a capture of 0.8.8 with flags: 4 and 5 when the log has one taken, 0 and 1 captured, with 10 and 12 as the
	// score changes. The rest: global_team_sound_t of OpenArena's code/game/bg_public.h.
	FamilyOpenArena: globalTeamSoundsQ3,
	// Source: global_team_sound_t, code/game/bg_public.h of wolfcamql; uberdemotools says that 73 to 91 are the same.
	FamilyQuakeLive73: withNames(globalTeamSoundsQ3,
		"red_wins", "blue_wins", "red_wins_round", "blue_wins_round", "round_draw", "last_standing", "round_over", // 14
		"denied", "enemy_team_killed", "domination_point_capture", // 21
	),
}
