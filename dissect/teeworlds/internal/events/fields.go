package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Kinds are all kinds of events.
var Kinds = append([]string{
	event.ConnectRequest, event.ConnectRefused, event.Connect, event.Enter, event.Disconnect, event.Rename, event.Team,
	event.Chat, event.Kill, event.Flag, event.Vote, event.MapStart, event.Score, event.Scoreboard, event.Warmup,
	event.MatchStart, event.MatchEnd, event.RoundStart, event.RoundEnd, event.RaceFinish, event.Rcon, event.RconGranted,
	event.RconDenied, event.RconEnded, event.ChatCommand, event.RaceTeam, event.Save, event.Settings,
}, raceKinds...)

// Root describes an event. Every kind has some of the keys.
var Root = dissect.Field{
	Kind: dissect.Object, Doc: "what happened in a game of Teeworlds or DDNet",
	Children: append([]*dissect.Field{
		&dissect.EventKind, &dissect.EventServerTime, &eventtree.Match, &evMatchTime, &evAction, &evClient, &evOwn,
		&evTarget, &evKiller, &evVictim, &evWorld, &eventtree.Suicide, &evMeans, &evSpecial, &evKilledTeam, &evFlag,
		&evPosition, &evTeam, &evOldTeam, &eventtree.OldName, &evOldNameClean, &evChannel, &evText, &evTextClean, &evChoice,
		&evYes, &evNo, &evTeamGame, &evMap, &evDate, &evReason, &evKicked, &evRaceTeam, &evTime, &evDiff, &evRecordPersonal,
		&evRecordServer, &evUser, &evPassword, &evCommand, &evScore1, &evScore2, &evScores, &evGametype, &evPlayers,
		&evStartsAt, &evStartTime, &eventtree.EndTime, &evDuration, &evWinner, &eventtree.Complete, &eventtree.InProgress,
		&eventtree.Setting, &eventtree.SettingBefore, &eventtree.SettingAfter,
	}, raceFields...),
}

// The players.
var (
	evPlayerFields = []*dissect.Field{&evClientNum, &evName, &evNameClean, &evPlayerTeam}

	evClient = eventtree.Player("client", "who did it, or whom it is about", evPlayerFields)
	evTarget = eventtree.Player("target", "tell: whom it was said to; contact, team_invite, swap: the other player; "+
		"spectate: who is watched", evPlayerFields)
	evKiller = eventtree.Player("killer",
		"kill: who did it; absent where it was no player; his team alone if he has left the game", evPlayerFields)
	evVictim = eventtree.Player("victim", "kill: who died", evPlayerFields)

	evClientNum = eventtree.Field(eventtree.ClientNum, "m_ClientID", "datasrc/network.py")
	evName      = dissect.Field{
		Key: "name", Name: "m_pName", Kind: dissect.Text, Doc: "name as the game has it; absent where it is not known",
		Source: "Sv_ClientInfo (0.7), ClientInfo (0.6), datasrc/network.py",
	}
	evNameClean  = dissect.Field{Key: "name_clean", Kind: dissect.Text, Doc: "name without control characters"}
	evPlayerTeam = dissect.Field{
		Key: "team", Name: "m_Team", Kind: dissect.Int, Enum: &tables.Teams,
		Doc:    "the player's team; in games without teams the players are those of the red one",
		Source: "datasrc/network.py",
	}
	evOwn          = eventtree.Field(eventtree.Own, "m_Local", "")
	evOldNameClean = dissect.Field{Key: "old_name_clean", Kind: dissect.Text, Doc: "the same without control characters"}
	evTeam         = dissect.Field{
		Key: "team", Name: "m_Team", Kind: dissect.Int, Enum: &tables.Teams, Doc: "team: the one that was joined",
		Source: "Sv_Team (0.7), PlayerInfo (0.6), datasrc/network.py",
	}
	evOldTeam  = dissect.Field{Key: "old_team", Kind: dissect.Int, Enum: &tables.Teams, Doc: "team: the one before"}
	evTeamGame = dissect.Field{
		Key: "team_game", Name: "GAMEFLAG_TEAMS", Kind: dissect.Bool,
		Doc: "team, score, match_start: whether it is a game of teams; absent where that is not known",
	}
)

// Actions.
var (
	evAction = dissect.Field{
		Key: "action", Kind: dissect.Label, Doc: "vote: called, cast, passed, failed, ended; flag: taken, dropped, " +
			"returned, captured; warmup: waiting, countdown; save: saved, not_saved, loaded, not_loaded; run: finished, or " +
			"what became of the flag; freeze: frozen, unfrozen; contact: hooked, hammered; team_lock: locked, unlocked; " +
			"swap: requested, cancelled, swapped; practice: voted, enabled; spectate: began, ended, watches; timeout: " +
			"protected, reclaimed",
	}
	evWorld = eventtree.Field(eventtree.World, "", "WEAPON_WORLD and WEAPON_GAME, src/game/server/entities/character.h")
	evMeans = dissect.Field{
		Key: "means_of_death", Name: "m_Weapon", Kind: dissect.Int, Enum: &tables.KillWeapons, Doc: "kill: the weapon",
		Source: "Sv_KillMsg, datasrc/network.py",
	}
	evSpecial = dissect.Field{
		Key: "mode_special", Name: "m_ModeSpecial", Kind: dissect.Int, Enum: &tables.KillFlags, Doc: "kill: who had a flag",
		Source: "Sv_KillMsg, datasrc/network.py",
	}
	evKilledTeam = dissect.Field{
		Key: "killed_team", Name: "m_Team", Kind: dissect.Int,
		Doc:    "kill: DDNet: number of the team that died as a whole; then victim is who died first",
		Source: "Sv_KillMsgTeam, DDNet's datasrc/network.py",
	}
	evFlag     = dissect.Field{Key: "flag", Kind: dissect.Label, Doc: "flag: whose it is: red or blue"}
	evPosition = dissect.Field{
		Key: "position", Kind: dissect.Object, Doc: "where it happened: the victim's place",
		Source: "Death, Character, datasrc/network.py", Children: []*dissect.Field{&evPositionX, &evPositionY},
	}
	evPositionX = dissect.Field{Key: "x", Name: "m_X", Kind: dissect.Int, Unit: "units"}
	evPositionY = dissect.Field{Key: "y", Name: "m_Y", Kind: dissect.Int, Unit: "units"}
)

// Chat and votes.
var (
	evChannel = dissect.Field{
		Key: "channel", Kind: dissect.Label, Doc: "chat: say, team, tell, or console where the server itself speaks",
		Source: "Sv_Chat, datasrc/network.py",
	}
	evText = dissect.Field{
		Key: "text", Kind: dissect.Text,
		Doc: "chat: what was said; vote: what about; connect_refused and rcon_denied: the server's answer",
	}
	evTextClean = dissect.Field{Key: "text_clean", Kind: dissect.Text, Doc: "the same without control characters"}
	evChoice    = dissect.Field{
		Key: "choice", Name: "m_Vote", Kind: dissect.Int, Enum: &tables.VoteChoices,
		Doc: "vote: what the client votes; its own alone is seen", Source: "Cl_Vote, datasrc/network.py",
	}
	evYes = eventtree.Field(eventtree.Yes, "m_Yes", "Sv_VoteStatus, datasrc/network.py")
	evNo  = eventtree.Field(eventtree.No, "m_No", "Sv_VoteStatus, datasrc/network.py")
)

// The map, the race, the server.
var (
	evMap    = eventtree.Field(eventtree.Map, "", "NETMSG_MAP_CHANGE; of a demo: its header")
	evDate   = eventtree.Field(eventtree.Date, "timestamp", "CDemoHeader, src/engine/demo.h: local time")
	evReason = dissect.Field{
		Key: "reason", Kind: dissect.Text, Doc: "disconnect: why, in the server's words; vote: why it is called; absent " +
			"where none is given; match_end: a word, see docs/matches.md",
	}
	evKicked = eventtree.Field(eventtree.Kicked, "", "CServer::ConKick, src/engine/server/server.cpp")
	evTime   = eventtree.Field(eventtree.FinishTime, "m_Time", "Sv_RaceFinish, Sv_DDRaceTime, datasrc/network.py")
	evDiff   = dissect.Field{
		Key: "finish_diff", Name: "m_Diff", Kind: dissect.Int, Unit: "ms",
		Doc: "race_finish: difference to the player's best time", Source: "Sv_RaceFinish, datasrc/network.py",
	}
	evRaceTeam = dissect.Field{
		Key: "race_team", Name: "m_Team", Kind: dissect.Int, Doc: "race_team, save: number of DDRace's team; 0: none",
		Source: "CGameTeams, DDNet's src/game/server/teams.cpp",
	}
	evRecordPersonal = dissect.Field{Key: "record_personal", Kind: dissect.Bool, Doc: "race_finish: true for the player's best; absent otherwise"}
	evRecordServer   = dissect.Field{Key: "record_server", Kind: dissect.Bool, Doc: "race_finish: true for the server's best; absent otherwise"}
	evUser           = dissect.Field{Key: "user", Kind: dissect.Text, Doc: "rcon: name that comes with the password, in 0.6 and DDNet; absent where it is empty"}
	evPassword       = dissect.Field{
		Key: "password", Kind: dissect.Text, Doc: "rcon, connect_request: the password; asterisks unless --show-secrets",
		Source: "NETMSG_RCON_AUTH, NETMSG_INFO",
	}
	evCommand = eventtree.Field(eventtree.Command, "", "NETMSG_RCON_CMD")
)
