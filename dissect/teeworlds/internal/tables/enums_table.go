package tables

// Names of numbers: the games' constants without their prefix, in lower case.

// Source: TEAM_*, datasrc/network.py.
var Teams = numbers(everywhere(table{-1, []string{"spectators", "red", "blue"}}))

// Source: WEAPON_*, datasrc/network.py.
var weapons = numbers(everywhere(table{0, []string{"hammer", "gun", "shotgun", "grenade", "laser", "ninja"}}))

// wantedWeapons are the weapons that an input asks for, plus 1; 0 asks for none.
//
// Source: CCharacter::HandleWeaponSwitch, src/game/server/entities/character.cpp.
var wantedWeapons = numbers(everywhere(table{1, []string{"hammer", "gun", "shotgun", "grenade", "laser", "ninja"}}))

// Source: WEAPON_*, src/game/server/entities/character.h and datasrc/network.py.
var KillWeapons = numbers(everywhere(table{-3, []string{
	"game", "self", "world", "hammer", "gun", "shotgun", "grenade", "laser", "ninja",
}}))

// killerTeams replace a killer who has left the game.
//
// Source: CCharacter::Die, src/game/server/entities/character.cpp.
var killerTeams = numbers(byDialect{
	V07: {-2, []string{"team_blue", "team_red"}},
})

// Source: CGameControllerCTF::OnCharacterDeath, src/game/server/gamemodes/ctf.cpp.
var KillFlags = mask(byDialect{
	V07: {0, []string{"victim_had_flag", "killer_had_flag"}},
})

// Source: EMOTE_*, datasrc/network.py.
var emotes = numbers(everywhere(table{0, []string{"normal", "pain", "happy", "surprise", "angry", "blink"}}))

// Source: EMOTICON_*, datasrc/network.py.
var emoticons = numbers(everywhere(table{0, []string{
	"oop", "exclamation", "hearts", "drop", "dotdot", "music", "sorry", "ghost", "sushi", "splattee", "deviltee",
	"zomg", "zzz", "wtf", "eyes", "question",
}}))

// emoticonPictures are the pictures of the emoticons, as players call them: the art of some is not what the constant says.
//
// Source: emoticons.png, with the order of EMOTICON_*.
var emoticonPictures = []string{
	"oop!", "!", "hearts", "drop", "...", "music", "sorry", "ghost", "annoyed", "angry", "devil", "swearing", "zzz", "wtf",
	"happy", "?",
}

// flagStates are values in place of the number of a flag's carrier.
//
// Source: FLAG_*, datasrc/network.py.
var flagStates = numbers(everywhere(table{-3, []string{"missing", "atstand", "taken"}}))

// Source: HOOK_*, src/game/gamecore.h.
var hookStates = numbers(everywhere(table{-1, []string{
	"retracted", "idle", "retract_start", "", "retract_end", "flying", "grabbed",
}}))

// Source: VOTE_CHOICE_*, datasrc/network.py.
var VoteChoices = numbers(everywhere(table{-1, []string{"no", "pass", "yes"}}))

// Source: SOUND_*, datasrc/content.py.
var Sounds = numbers(everywhere(table{0, []string{
	"gun_fire", "shotgun_fire", "grenade_fire", "hammer_fire", "hammer_hit", "ninja_fire", "grenade_explode",
	"ninja_hit", "laser_fire", "laser_bounce", "weapon_switch", "player_pain_short", "player_pain_long",
	"body_land", "player_airjump", "player_jump", "player_die", "player_spawn", "player_skid", "tee_cry",
	"hook_loop", "hook_attach_ground", "hook_attach_player", "hook_noattach", "pickup_health", "pickup_armor",
	"pickup_grenade", "pickup_shotgun", "pickup_ninja", "weapon_spawn", "weapon_noammo", "hit", "chat_server",
	"chat_client", "chat_highlight", "ctf_drop", "ctf_return", "ctf_grab_pl", "ctf_grab_en", "ctf_capture",
	"menu",
}}))

// Source: PICKUP_* of 0.7, POWERUP_* of 0.6 and DDNet, datasrc/network.py.
var pickups = numbers(byDialect{
	V07: {0, []string{"health", "armor", "grenade", "shotgun", "laser", "ninja", "gun", "hammer"}},
	V06: {0, []string{
		"health", "armor", "weapon", "ninja", "armor_shotgun", "armor_grenade", "armor_ninja", "armor_laser",
	}},
	DDNet: {0, []string{
		"health", "armor", "weapon", "ninja", "armor_shotgun", "armor_grenade", "armor_ninja", "armor_laser",
	}},
})

// Source: CHAT_*, datasrc/network.py.
var ChatModes = numbers(byDialect{
	V07: {0, []string{"none", "all", "team", "whisper"}},
})

// ChatTeams leaves out the names of -1, 0 and 1: the constants are those of the teams, but the numbers say whether all
// or the own team can read it.
//
// Source: TEAM_*, src/game/server/player.h of DDNet, and CGameContext::SendChat.
var ChatTeams = numbers(byDialect{
	DDNet: {-2, []string{"all", "", "", "", "whisper_send", "whisper_recv"}},
})

// Source: VOTE_*, datasrc/network.py.
var VoteTypes = numbers(byDialect{
	V07: {0, []string{
		"unknown", "start_op", "start_kick", "start_spec", "end_abort", "end_pass", "end_fail",
	}},
})

// Source: GAMEMSG_*, datasrc/network.py.
var GameMsgs = numbers(byDialect{
	V07: {0, []string{
		"team_swap", "spec_invalid_id", "team_shuffle", "team_balance", "ctf_drop", "ctf_return", "team_all",
		"team_balance_victim", "ctf_grab", "ctf_capture", "game_paused",
	}},
})

// specModes are 0.7's. DDNet's servers record such messages in their files.
//
// Source: SPEC_*, datasrc/network.py.
var specModes = numbers(byDialect{
	V07:   {0, []string{"freeview", "player", "flagred", "flagblue"}},
	DDNet: {0, []string{"freeview", "player", "flagred", "flagblue"}},
})

// Source: SPEC_*, datasrc/network.py of DDNet.
var spectatorTargets = numbers(byDialect{
	DDNet: {-2, []string{"follow", "freeview"}},
})

// Source: SERVERINFO_LEVEL_*, src/engine/shared/protocol.h.
var SkillLevels = numbers(byDialect{
	V07: {0, []string{"casual", "normal", "competitive"}},
})

// PlayerTypes are those of the players in a server info.
//
// Source: CServerBrowser::UnpackServerInfo, src/engine/client/serverbrowser.cpp.
var PlayerTypes = numbers(byDialect{
	V07: {0, []string{"player", "spectator", "bot"}},
})

// Source: SERVERINFO_FLAG_*, src/engine/shared/protocol.h.
var ServerFlags = mask(byDialect{
	V07: {0, []string{"password", "timescore"}},
})

// playerFlags of 0.7 have DDNet's "aim" after the original's.
//
// Source: PLAYERFLAG_*, datasrc/network.py of 0.7.5 and DDNet 20.1.
var playerFlags = mask(byDialect{
	V07: {0, []string{
		"admin", "chatting", "scoreboard", "ready", "dead", "watching", "bot", "aim",
	}},
	V06: {0, []string{
		"playing", "in_menu", "chatting", "scoreboard", "aim", "spec_cam", "input_absolute", "input_manual",
	}},
	DDNet: {0, []string{
		"playing", "in_menu", "chatting", "scoreboard", "aim", "spec_cam", "input_absolute", "input_manual",
	}},
})

// Source: GAMEFLAG_*, datasrc/network.py.
var gameFlags = mask(byDialect{
	V07:   {0, []string{"teams", "flags", "survival", "race"}},
	V06:   {0, []string{"teams", "flags"}},
	DDNet: {0, []string{"teams", "flags"}},
})

// Gametypes are what the original games play under each value of the game's flags; mods play others under the same.
//
// Source: m_GameFlags of CGameControllerDM and the others, src/game/server/gamemodes; GAMEFLAG_RACE, datasrc/network.py.
var Gametypes = numbers(byDialect{
	V07:   {0, []string{"dm", "tdm", "", "ctf", "lms", "lts", "", "", "race"}},
	V06:   {0, []string{"dm", "tdm", "", "ctf"}},
	DDNet: {0, []string{"dm", "tdm", "", "ctf"}},
})

// Source: GAMESTATEFLAG_*, datasrc/network.py.
var gameStateFlags = mask(byDialect{
	V07: {0, []string{
		"warmup", "suddendeath", "roundover", "gameover", "paused", "startcountdown",
	}},
	V06:   {0, []string{"gameover", "suddendeath", "paused", "racetime"}},
	DDNet: {0, []string{"gameover", "suddendeath", "paused", "racetime"}},
})

// Source: COREEVENTFLAG_*, datasrc/network.py.
var coreEvents = mask(byDialect{
	V07: {0, []string{
		"ground_jump", "air_jump", "hook_attach_player", "hook_attach_ground", "hook_hit_nohook",
	}},
})

// Source: RACEFLAG_*, datasrc/network.py.
var raceFlags = mask(byDialect{
	V07: {0, []string{"hide_killmsg", "finishmsg_as_chat", "keep_wanted_weapon"}},
})
