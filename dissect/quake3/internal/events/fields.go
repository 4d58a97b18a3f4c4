package events

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/fired"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Kinds are all kinds of events.
var Kinds = []string{
	event.ConnectRequest, event.ConnectRefused, event.Connect, event.Enter, event.Disconnect, event.Rename, event.Team,
	event.Class, event.Chat, event.Kill, event.Pickup, event.Flag, event.Score, event.Scoreboard, event.Duel,
	event.Objective, event.Vote, event.MapStart, event.MapRestart, event.Warmup, event.MatchStart, event.MatchEnd,
	event.RaceStart, event.Checkpoint, event.RaceFinish, event.Run, event.RoundStart, event.RoundEnd, event.Intermission,
	event.Rcon, event.RconDenied, event.Settings, event.Multikill, event.Midair, event.Flick, event.Shot,
}

// Field describes an event. Every kind has some of the keys.
var Field = dissect.Field{
	Kind: dissect.Object, Doc: "what happened in a game of the Quake III engine",
	Children: slices.Concat([]*dissect.Field{
		&dissect.EventKind, &dissect.EventServerTime, &eventtree.Match, &evMatchTime, &evAction, &evClient,
		&eventtree.Own, &evBot, &evTarget, &evKiller, &evVictim, &evWorld, &eventtree.Suicide, &evMeans,
		&evKillWeapon, &evStyle, &evBodyPart, &evInferred,
		&evItem, &evGlobal, &evLate, &evFlag, &evPosition, &evTeam, &evOldTeam,
		&evClass, &evOldClass, &eventtree.OldName, &evOldNameClean,
	}, []*dissect.Field{
		&evChannel, &evLocation, &evVoice, &evVoiceOnly, &evText, &evTextClean, &evYes, &evNo, &evScore1,
		&evScore2, &evTeamGame, &evScores, &evMap, &evDate, &evGametype, &evPhysics, &evMode, &evGame, &evHostname,
		&evMapFrom, &evPlayers,
		&evStartsAt, &evReason, &evKicked, &evProtocol, &evPassword, &evCommand, &evMod, &evStartTime, &eventtree.EndTime,
		&evDuration, &evOvertimes, &evWinner, &eventtree.Complete, &eventtree.InProgress, &evRound, &evFinishTime,
		&eventtree.RaceCheckpoint, &eventtree.RaceTime, &evObjective,
		&eventtree.Setting, &eventtree.SettingBefore, &eventtree.SettingAfter,
		&eventtree.Viewed, &eventtree.Streak, &eventtree.Window, &eventtree.OneShot, &eventtree.AirTime,
		&eventtree.Angle, &eventtree.TurnSpeed,
	}, fired.Fields),
}

// The players.
var (
	evPlayerFields = []*dissect.Field{&evClientNum, &evName, &evNameClean, &evNameFrom, &evPlayerTeam, &evGUID}

	evClient = eventtree.Player("client", "who did it, or whom it is about", evPlayerFields)
	evTarget = eventtree.Player("target",
		"tell: whom it was said to, where that can be known; shot: whom the server shows hit", evPlayerFields)
	evKiller = evFighter("killer", "kill: who did it; absent where it was no player")
	evVictim = evFighter("victim", "kill, midair, flick: who died")

	evClientNum = eventtree.Field(eventtree.ClientNum, "clientNum", "CS_PLAYERS, code/game/bg_public.h")
	evName      = dissect.Field{
		Key: "name", Name: "n", Kind: dissect.Text,
		Doc:    "name as the game has it, colour codes included; absent where it is not known",
		Source: "ClientUserinfoChanged, code/game/g_client.c",
	}
	evNameClean = dissect.Field{Key: "name_clean", Kind: dissect.Text, Doc: "name without colour codes and control characters"}
	evNameFrom  = dissect.Field{
		Key: "name_from", Kind: dissect.Label,
		Doc: "where the name is from, in a session whose gamestate is not in the input: chat, print (a sentence of the " +
			"server), userinfo, status (the answer to rcon status), key (a command that was recovered as the key of " +
			"messages); absent for a name from the players' configstrings",
	}
	evPlayerTeam = dissect.Field{
		Key: "team", Name: "t", Kind: dissect.Uint, Enum: &tables.TeamNames, Doc: "the player's team",
		Source: "ClientUserinfoChanged, code/game/g_client.c",
	}
	evGUID = dissect.Field{
		Key: "guid", Name: "cl_guid", Kind: dissect.Text,
		Doc:    "the client's GUID, of the client whose stream it is; absent where it was not seen",
		Source: "userinfo, CL_UpdateGUID of ioquake3, code/client/cl_main.c",
	}
	evBot = dissect.Field{
		Key: "bot", Name: "skill", Kind: dissect.Bool, Doc: "connect, and players: true for a bot; absent otherwise",
		Source: "ClientUserinfoChanged, code/game/g_client.c: only bots have a skill",
	}
	evPlayers = dissect.Field{
		Key: "players", Kind: dissect.List,
		Doc: "map_start: who is in the game already; match_end: who was seen in the match, and what else they did; shot: " +
			"the living players whose places are known, the nearest one first",
		Children: []*dissect.Field{{
			Kind: dissect.Object,
			Children: slices.Concat(evPlayerFields, []*dissect.Field{
				&evBot, &eventtree.Distance, &eventtree.SeenTime, &evClasses, &evSkills, &evRevived, &evPowers,
			}, fired.PlayerFields),
		}},
	}
	evOldNameClean = dissect.Field{Key: "old_name_clean", Kind: dissect.Text, Doc: "the same without colour codes and control characters"}
	evTeam         = dissect.Field{
		Key: "team", Kind: dissect.Uint, Enum: &tables.TeamNames,
		Doc: "team: the one that was joined; vote of a team: the team", Source: "team_t, code/game/bg_public.h",
	}
	evClass = dissect.Field{
		Key: "class", Name: "c", Kind: dissect.Uint, Enum: &tables.PlayerClassNames, Doc: "class: the player's new class",
		Source: "ClientUserinfoChanged, src/game/g_client.c of ET: Legacy",
	}
	evOldClass = dissect.Field{Key: "old_class", Kind: dissect.Uint, Enum: &tables.PlayerClassNames, Doc: "class: the one before"}
	evOldTeam  = dissect.Field{Key: "old_team", Kind: dissect.Uint, Enum: &tables.TeamNames, Doc: "team: the one before"}
)

// evFighter is the field of a player with the position at which the snapshot shows the player.
func evFighter(key, doc string) dissect.Field {
	return eventtree.Player(key, doc, slices.Concat(evPlayerFields, []*dissect.Field{&evPosition}))
}

// Actions.
var (
	evAction = dissect.Field{
		Key: "action", Kind: dissect.Label,
		Doc: "vote: called, cast, passed, failed, ended; flag: taken, dropped, returned, captured; warmup: waiting, " +
			"countdown; duel: challenged, started, won, tied; run: finished, or what became of the flag",
	}
	evWorld = eventtree.Field(eventtree.World, "", "CG_Obituary, code/cgame/cg_event.c")
	evMeans = dissect.Field{
		Key: "means_of_death", Name: "eventParm", Kind: dissect.Uint, Enum: &tables.MeansOfDeathNames,
		Doc:    "kill, midair, flick: how",
		Source: "player_die, code/game/g_combat.c",
	}
	evKillWeapon = dissect.Field{
		Key: "weapon", Kind: dissect.Label,
		Doc: "kill: what killed, where the game announces it in words that name it: pistol, rifle, sniper_rifle, smg, " +
			"machine_gun, shotgun, grenade, rocket, landmine (Medal of Honor); shot: as the game calls it",
		Source: "Player::Obituary, code/fgame/player.cpp of openmohaa",
	}
	evBodyPart = dissect.Field{
		Key: "body_part", Kind: dissect.Label,
		Doc: "kill: what a bullet hit, where the game announces it: head, upper torso, left hand and the like (Medal " +
			"of Honor)",
		Source: "G_LocationNumToDispString, code/fgame/g_utils.cpp of openmohaa",
	}
	evInferred = dissect.Field{
		Key: "inferred", Kind: dissect.Bool,
		Doc: "kill: true where the server did not send the number of killer or victim and the state that it is relative to " +
			"is not in the input: the number is 0 then, as that of every new entity; absent otherwise",
	}
	evItem = dissect.Field{
		Key: "item", Name: "eventParm", Kind: dissect.Uint, Enum: &tables.ItemNames, Doc: "pickup: number of the item",
		Source: "Touch_Item, code/game/g_items.c",
	}
	evGlobal = dissect.Field{
		Key: "global", Kind: dissect.Bool,
		Doc:    "pickup: true where only the announcement to all was seen, which does not name the player; absent otherwise",
		Source: "Touch_Item, code/game/g_items.c",
	}
	evLate = dissect.Field{
		Key: "late", Kind: dissect.Bool,
		Doc: "pickup: true where it was first seen after a hole of more than 300 ms in the snapshots: it may have happened " +
			"at any time in it; absent otherwise",
	}
	evFlag     = dissect.Field{Key: "flag", Kind: dissect.Label, Doc: "flag: whose it is: red, blue or neutral"}
	evPosition = dissect.Field{
		Key: "position", Kind: dissect.Object, Doc: "where it happened: the place of the obituary, absent where the game " +
			"gives it none (CPMA, Enemy Territory); that of who picked up; of killer and victim: where the snapshot shows them",
		Children: []*dissect.Field{&evPositionX, &evPositionY, &evPositionZ},
	}
	evPositionX = dissect.Field{Key: "x", Kind: dissect.Float, Unit: "units"}
	evPositionY = dissect.Field{Key: "y", Kind: dissect.Float, Unit: "units"}
	evPositionZ = dissect.Field{Key: "z", Kind: dissect.Float, Unit: "units"}
)

// Chat, votes and scores.
var (
	evChannel = dissect.Field{
		Key: "channel", Kind: dissect.Label,
		Doc: "chat: say, team, tell, console where the server's console speaks, or game where the game itself speaks of " +
			"a player",
		Source: "G_SayTo, code/game/g_cmds.c; SV_ConSay_f, code/server/sv_ccmds.c",
	}
	evLocation = dissect.Field{Key: "location", Kind: dissect.Text, Doc: "chat: where the speaker is, as team chat has it", Source: "G_Say, code/game/g_cmds.c"}
	evVoice    = dissect.Field{
		Key: "voice", Kind: dissect.Text, Source: "G_VoiceTo, code/game/g_cmds.c",
		Doc: "chat: name of a voice message; then there is no text, except in Medal of Honor",
	}
	evVoiceOnly = dissect.Field{Key: "voice_only", Kind: dissect.Bool, Doc: "chat: true for a voice message that is not shown as text; absent otherwise"}
	evText      = dissect.Field{
		Key: "text", Kind: dissect.Text,
		Doc: "chat: what was said, colour codes included; vote: what about; connect_refused and rcon_denied: the server's " +
			"answer",
	}
	evTextClean = dissect.Field{Key: "text_clean", Kind: dissect.Text, Doc: "the same without colour codes and control characters"}
	evYes       = eventtree.Field(eventtree.Yes, "", "CS_VOTE_YES, code/game/bg_public.h")
	evNo        = eventtree.Field(eventtree.No, "", "CS_VOTE_NO, code/game/bg_public.h")
	evScore1    = dissect.Field{
		Key: "score1", Name: "CS_SCORES1", Kind: dissect.Int,
		Doc: "score of the red team, or of the best player; absent without one", Source: "CalculateRanks, code/game/g_main.c",
	}
	evScore2 = dissect.Field{
		Key: "score2", Name: "CS_SCORES2", Kind: dissect.Int,
		Doc:    "score of the blue team, or of the second player; absent without one",
		Source: "CalculateRanks, code/game/g_main.c",
	}
	evTeamGame = dissect.Field{Key: "team_game", Kind: dissect.Bool, Doc: "score: true where the scores are those of teams"}
	evScores   = dissect.Field{
		Key: "scores", Kind: dissect.List, Doc: "scoreboard: players in the game's order; match_end: players or teams, " +
			"best first", Source: "DeathmatchScoreboardMessage, code/game/g_cmds.c",
		Children: []*dissect.Field{{Kind: dissect.Object, Children: slices.Concat(evPlayerFields, []*dissect.Field{
			&evScore, &evPing, &evMinutes, &evKills, &evDeaths, &evSuicides, &evAccuracy, &evGiven, &evReceived,
			&evTeamKills, &evXP, &evWeapons,
		})}},
	}
	evScore   = eventtree.Score
	evPing    = dissect.Field{Key: "ping", Kind: dissect.Int, Unit: "ms", Doc: "the player's ping; -1: still connecting"}
	evMinutes = dissect.Field{Key: "minutes", Kind: dissect.Int, Unit: "min", Doc: "how long the player has been in the game"}
)

// The map, the match, the server.
var (
	evMap      = eventtree.Field(eventtree.Map, "mapname", "")
	evDate     = eventtree.Field(eventtree.Date, "g_levelStartTime", "serverinfo of Quake Live: seconds since 1970")
	evGametype = dissect.Field{
		Key: "gametype", Name: "g_gametype", Kind: dissect.Int, Enum: &tables.GametypeNames,
		Doc: "map_start, match_start, match_end: what is played", Source: "gametype_t, code/game/bg_public.h",
	}
	evPhysics = dissect.Field{
		Key: "physics", Name: "df_promode", Kind: dissect.Label, Doc: "map_start: rules of movement of DeFRaG, vq3 or cpm",
		Source: "serverinfo of DeFRaG, as DemoCleaner3 reads it",
	}
	evMode = dissect.Field{
		Key: "mode", Name: "defrag_gametype", Kind: dissect.Label,
		Doc:    "map_start: how is run in DeFRaG: offline or online, with _freestyle or _fastcaps",
		Source: "serverinfo of DeFRaG, as DemoCleaner3 reads it",
	}
	evMapFrom = dissect.Field{
		Key: "map_from", Kind: dissect.Label,
		Doc: "map_start: where the map is from, in a session whose gamestate is not in the input: serverinfo (the " +
			"configstring, sent again), status (the server's answer to getstatus or rcon status), info (to getinfo); absent " +
			"for a map from a gamestate",
	}
	evGame     = dissect.Field{Key: "game", Name: "gamename", Kind: dissect.Text, Doc: "map_start: the game or mod, as it calls itself"}
	evHostname = dissect.Field{Key: "hostname", Name: "sv_hostname", Kind: dissect.Text, Doc: "map_start: name of the server"}
	evStartsAt = dissect.Field{
		Key: "starts_at", Kind: dissect.Int, Unit: "ms", Source: "CS_WARMUP, code/game/bg_public.h",
		Doc: "warmup, map_start: server time at which the match will start; round_end: at which the next round will",
	}
	evReason = dissect.Field{
		Key: "reason", Kind: dissect.Text, Doc: "disconnect, intermission: why, in the server's words, absent where it did " +
			"not say; match_end: a word, see docs/events.md; shot: why the trace is not known",
		Source: "SV_DropClient, code/server/sv_client.c; CheckExitRules, code/game/g_main.c",
	}
	evKicked   = eventtree.Field(eventtree.Kicked, "", "SV_Kick_f, code/server/sv_ccmds.c")
	evProtocol = dissect.Field{Key: "protocol_version", Kind: dissect.Int, Doc: "connect_request: the protocol that the client asks for"}
	evPassword = dissect.Field{
		Key: "password", Kind: dissect.Text, Doc: "rcon: the password as the game sees it; asterisks unless --show-secrets",
		Source: "SVC_RemoteCommand, code/server/sv_main.c",
	}
	evCommand = eventtree.Field(eventtree.Command, "", "SVC_RemoteCommand, code/server/sv_main.c")
)
