package tables

// objects07 are the objects and events of 0.7 snapshots. 1, 9 and 16 are only layouts, 13 to 15 are in demos only; 23 and
// 24 exist since 0.7.4.
//
// Source: datasrc/network.py of Teeworlds 0.7.5.
var objects07 = []objectRow{
	{name: "NETOBJTYPE_PLAYERINPUT", id: 1, fields: []row{
		num("direction", "m_Direction").between(-1, 1), num("target_x", "m_TargetX"), num("target_y", "m_TargetY"),
		flag("jump", "m_Jump"), num("fire", "m_Fire"), flag("hook", "m_Hook"),
		named(&playerFlags, "player_flags", "m_PlayerFlags"),
		named(&wantedWeapons, "wanted_weapon", "m_WantedWeapon").between(0, 5), num("next_weapon", "m_NextWeapon"),
		num("prev_weapon", "m_PrevWeapon"),
	}},
	{name: "NETOBJTYPE_PROJECTILE", id: 2, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("vel_x", "m_VelX"), num("vel_y", "m_VelY"),
		named(&weapons, "type", "m_Type").between(0, 5), tick("start_tick", "m_StartTick").least(0),
	}},
	{name: "NETOBJTYPE_LASER", id: 3, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("from_x", "m_FromX"), num("from_y", "m_FromY"),
		tick("start_tick", "m_StartTick").least(0),
	}},
	{name: "NETOBJTYPE_PICKUP", id: 4, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), named(&pickups, "type", "m_Type").between(0, 7),
	}},
	{name: "NETOBJTYPE_FLAG", id: 5, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), named(&Teams, "team", "m_Team").between(0, 1),
	}},
	{name: "NETOBJTYPE_GAMEDATA", id: 6, fields: []row{
		tick("game_start_tick", "m_GameStartTick").least(0),
		named(&gameStateFlags, "game_state_flags", "m_GameStateFlags"),
		tick("game_state_end_tick", "m_GameStateEndTick").least(0),
	}},
	{name: "NETOBJTYPE_GAMEDATATEAM", id: 7, fields: []row{
		num("teamscore_red", "m_TeamscoreRed"), num("teamscore_blue", "m_TeamscoreBlue"),
	}},
	{name: "NETOBJTYPE_GAMEDATAFLAG", id: 8, fields: []row{
		named(&flagStates, "flag_carrier_red", "m_FlagCarrierRed").between(-3, 63),
		named(&flagStates, "flag_carrier_blue", "m_FlagCarrierBlue").between(-3, 63),
		tick("flag_drop_tick_red", "m_FlagDropTickRed").least(0),
		tick("flag_drop_tick_blue", "m_FlagDropTickBlue").least(0),
	}},
	{name: "NETOBJTYPE_CHARACTERCORE", id: 9, fields: []row{
		tick("tick", "m_Tick").least(0), num("x", "m_X"), num("y", "m_Y"), num("vel_x", "m_VelX"), num("vel_y", "m_VelY"),
		num("angle", "m_Angle"), num("direction", "m_Direction").between(-1, 1), num("jumped", "m_Jumped").between(0, 3),
		num("hooked_player", "m_HookedPlayer").between(-1, 63),
		named(&hookStates, "hook_state", "m_HookState").between(-1, 5), tick("hook_tick", "m_HookTick").least(0),
		num("hook_x", "m_HookX"), num("hook_y", "m_HookY"), num("hook_dx", "m_HookDx"), num("hook_dy", "m_HookDy"),
	}},
	{name: "NETOBJTYPE_CHARACTER", id: 10, fields: []row{
		tick("tick", "m_Tick").least(0), num("x", "m_X"), num("y", "m_Y"), num("vel_x", "m_VelX"), num("vel_y", "m_VelY"),
		num("angle", "m_Angle"), num("direction", "m_Direction").between(-1, 1), num("jumped", "m_Jumped").between(0, 3),
		num("hooked_player", "m_HookedPlayer").between(-1, 63),
		named(&hookStates, "hook_state", "m_HookState").between(-1, 5), tick("hook_tick", "m_HookTick").least(0),
		num("hook_x", "m_HookX"), num("hook_y", "m_HookY"), num("hook_dx", "m_HookDx"), num("hook_dy", "m_HookDy"),
		num("health", "m_Health").between(0, 10), num("armor", "m_Armor").between(0, 10),
		num("ammo_count", "m_AmmoCount"), named(&weapons, "weapon", "m_Weapon").between(-1, 5),
		named(&emotes, "emote", "m_Emote").between(0, 5), tick("attack_tick", "m_AttackTick").least(0),
		named(&coreEvents, "triggered_events", "m_TriggeredEvents"),
	}},
	{name: "NETOBJTYPE_PLAYERINFO", id: 11, fields: []row{
		named(&playerFlags, "player_flags", "m_PlayerFlags"), num("score", "m_Score"), num("latency", "m_Latency"),
	}},
	{name: "NETOBJTYPE_SPECTATORINFO", id: 12, fields: []row{
		named(&specModes, "spec_mode", "m_SpecMode").between(0, 3), num("spectator_id", "m_SpectatorID").between(-1, 63),
		num("x", "m_X"), num("y", "m_Y"),
	}},
	{name: "NETOBJTYPE_DE_CLIENTINFO", id: 13, fields: []row{
		flag("local", "m_Local"), named(&Teams, "team", "m_Team").between(-1, 1), packed(4, "name", "m_aName"),
		packed(3, "clan", "m_aClan"), num("country", "m_Country"),
		packed(6, "skin_part_names", "m_aaSkinPartNames").list(6),
		flag("use_custom_colors", "m_aUseCustomColors").list(6), num("skin_part_colors", "m_aSkinPartColors").list(6),
	}},
	{name: "NETOBJTYPE_DE_GAMEINFO", id: 14, fields: []row{
		named(&gameFlags, "game_flags", "m_GameFlags"), num("score_limit", "m_ScoreLimit").least(0),
		num("time_limit", "m_TimeLimit").least(0), num("match_num", "m_MatchNum").least(0),
		num("match_current", "m_MatchCurrent").least(0),
	}},
	{name: "NETOBJTYPE_DE_TUNEPARAMS", id: 15, fields: []row{tune("tune_params", "m_aTuneParams").list(32)}},
	{name: "NETEVENTTYPE_COMMON", id: 16, fields: []row{num("x", "m_X"), num("y", "m_Y")}},
	{name: "NETEVENTTYPE_EXPLOSION", id: 17, fields: []row{num("x", "m_X"), num("y", "m_Y")}},
	{name: "NETEVENTTYPE_SPAWN", id: 18, fields: []row{num("x", "m_X"), num("y", "m_Y")}},
	{name: "NETEVENTTYPE_HAMMERHIT", id: 19, fields: []row{num("x", "m_X"), num("y", "m_Y")}},
	{name: "NETEVENTTYPE_DEATH", id: 20, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("client_id", "m_ClientID").between(0, 63),
	}},
	{name: "NETEVENTTYPE_SOUNDWORLD", id: 21, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), named(&Sounds, "sound_id", "m_SoundID").between(0, 40),
	}},
	{name: "NETEVENTTYPE_DAMAGE", id: 22, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("client_id", "m_ClientID").between(0, 63), num("angle", "m_Angle"),
		num("health_amount", "m_HealthAmount").between(0, 9), num("armor_amount", "m_ArmorAmount").between(0, 9),
		flag("self", "m_Self"),
	}},
	{name: "NETOBJTYPE_PLAYERINFORACE", id: 23, fields: []row{tick("race_start_tick", "m_RaceStartTick").least(0)}},
	{name: "NETOBJTYPE_GAMEDATARACE", id: 24, fields: []row{
		num("best_time", "m_BestTime").least(-1), num("precision", "m_Precision").between(0, 3),
		named(&raceFlags, "race_flags", "m_RaceFlags"),
	}},
}
