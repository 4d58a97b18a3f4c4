package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Matches and their results.
var (
	evMatchTime = dissect.Field{
		Key: "match_time", Kind: dissect.Int, Unit: "ms", Doc: "time of the match, without pauses",
		Source: "level.startTime, code/game/g_main.c",
	}
	evMod = dissect.Field{
		Key: "mod", Name: "gamename", Kind: dissect.Text, Doc: "match_start, match_end: the game or mod, as it calls itself",
		Source: "GAMEVERSION, code/game/bg_public.h",
	}
	evStartTime = eventtree.Field(eventtree.StartTime, "", "CS_LEVEL_START_TIME, code/game/bg_public.h")
	evDuration  = dissect.Field{Key: "duration", Kind: dissect.Int, Unit: "ms", Doc: "match_end: length of the match, without pauses"}
	evOvertimes = dissect.Field{Key: "overtimes", Kind: dissect.Uint, Doc: "match_end: how often time was added"}
	evWinner    = eventtree.Winner(&evClientNum, &evName, &evNameClean, &evNameFrom, &evPlayerTeam)
	evRound     = dissect.Field{
		Key: "round", Kind: dissect.Uint, Doc: "round_start, round_end: number of the round, where the game counts them",
		Source: "CS_ROUND_STATUS, code/game/bg_public.h of wolfcamql",
	}

	evFinishTime = eventtree.Field(eventtree.FinishTime, "", "lines of DeFRaG, ConsoleStringUtils.cs of DemoCleaner3")

	evObjective = dissect.Field{
		Key: "objective", Kind: dissect.Text, Doc: "objective: what it is about, as the map calls it",
		Source: "CS_OID_TRIGGERS, CS_STRINGS, src/game/bg_public.h of ET: Legacy",
	}

	evKills    = dissect.Field{Key: "kills", Kind: dissect.Int, Doc: "how many the player killed"}
	evDeaths   = dissect.Field{Key: "deaths", Kind: dissect.Int, Doc: "how often the player died"}
	evSuicides = dissect.Field{Key: "suicides", Kind: dissect.Int, Doc: "how often the player killed himself"}
	evAccuracy = dissect.Field{Key: "accuracy", Kind: dissect.Int, Unit: "%", Doc: "shots that hit"}
	evGiven    = dissect.Field{Key: "damage_given", Kind: dissect.Int, Doc: "damage done to others"}
	evReceived = dissect.Field{Key: "damage_received", Kind: dissect.Int, Doc: "damage taken"}

	evTeamKills = dissect.Field{Key: "team_kills", Kind: dissect.Int, Doc: "team mates killed"}
	evXP        = dissect.Field{
		Key: "xp", Kind: dissect.Int, Doc: "experience, where it is the game's score",
		Source: "G_SendScore_Add, src/game/g_cmds.c of ET: Legacy",
	}

	evWeapons = dissect.Field{
		Key: "weapons", Kind: dissect.List, Doc: "scoreboard: the weapons that the player used, where the game reports them",
		Children: []*dissect.Field{{Kind: dissect.Object, Children: []*dissect.Field{
			&evWeapon, &evHits, &evShots,
			&evAccuracy, &evKills, &evDeaths, &evGiven,
		}}},
	}
	evWeapon = dissect.Field{Key: "weapon", Kind: dissect.Uint, Enum: &tables.WeaponNames, Doc: "number of the weapon", Source: "weapon_t, code/game/bg_public.h"}
	evHits   = dissect.Field{Key: "hits", Kind: dissect.Int, Doc: "shots that hit"}
	evShots  = dissect.Field{Key: "shots", Kind: dissect.Int, Doc: "shots fired"}
)

// What players did in a match, of games with classes, skills and the Force.
var (
	evClasses = listField("classes", "match_end: the player's classes, each from a time of the match on",
		&evClass, &evMatchTime)
	evSkills = listField("skills", "match_end: the player's skills", &evSkill, &evLevel)
	evSkill  = dissect.Field{
		Key: "skill", Kind: dissect.Uint, Enum: &tables.SkillNames, Doc: "number of the skill",
		Source: "skillType_t, src/game/bg_public.h of ET: Legacy",
	}
	evLevel = dissect.Field{
		Key: "level", Name: "s", Kind: dissect.Int, Doc: "its level",
		Source: "ClientUserinfoChanged, src/game/g_client.c of ET: Legacy",
	}
	evRevived = dissect.Field{
		Key: "revived", Name: "PERS_REVIVE_COUNT", Kind: dissect.Uint,
		Doc:    "match_end: how often the player was revived, of the player whose view the snapshots were; absent: never",
		Source: "ClientSpawn, src/game/g_client.c of ET: Legacy",
	}
	evPowers = listField("force_powers", "match_end: powers of the Force that snapshots showed the player begin to use",
		&evPower, &evUses)
	evPower = dissect.Field{
		Key: "force_power", Name: "forcePowersActive", Kind: dissect.Uint, Enum: &tables.ForcePowerNames,
		Doc:    "number of the power",
		Source: "BG_PlayerStateToEntityState, codemp/game/bg_misc.c of OpenJK",
	}
	evUses  = dissect.Field{Key: "uses", Kind: dissect.Uint, Doc: "how often the player began to use it"}
	evStyle = dissect.Field{
		Key: "saber_style", Name: "fireflag", Kind: dissect.Uint, Enum: &tables.SaberStyleNames,
		Doc:    "kill: style of the killer's light saber, where it killed and the snapshot shows the killer",
		Source: "BG_PlayerStateToEntityState, codemp/game/bg_misc.c of OpenJK",
	}
)

// listField describes a list of objects.
func listField(key, doc string, members ...*dissect.Field) dissect.Field {
	return dissect.Field{
		Key: key, Kind: dissect.List, Doc: doc,
		Children: []*dissect.Field{{Kind: dissect.Object, Children: members}},
	}
}
