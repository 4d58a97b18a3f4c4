package names

// Names of what a match is made of: game types, teams, their tasks and sounds.

// Source: gametype_t, code/game/bg_public.h.
var GametypesQ3 = []string{"ffa", "tournament", "single_player", "team", "ctf", "1fctf", "obelisk", "harvester"}

// Source: team_t, code/game/bg_public.h.
var TeamsQ3 = []string{"free", "red", "blue", "spectator"}

// GlobalTeamSoundsQ3 are the parameters of event "global_team_sound".
//
// Source: global_team_sound_t, code/game/bg_public.h.
var GlobalTeamSoundsQ3 = []string{
	"red_capture", "blue_capture", "red_return", "blue_return", "red_taken", "blue_taken", "redobelisk_attacked",
	"blueobelisk_attacked", "redteam_scored", "blueteam_scored", "redteam_took_lead", "blueteam_took_lead",
	"teams_are_tied", "kamikaze",
}
