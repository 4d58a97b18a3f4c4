package tables

import "github.com/q3dissect/q3dissect/dissect"

// objects06 are the objects and events of 0.6 snapshots. Client ids are bounded by what DDNet takes.
//
// Source: datasrc/network.py of Teeworlds 0.6.5 and DDNet 20.1.
var objects06 = []objectRow{
	{name: "NETOBJTYPE_PLAYERINPUT", id: 1, fields: []row{
		num("direction", "m_Direction"), num("target_x", "m_TargetX"), num("target_y", "m_TargetY"),
		num("jump", "m_Jump"), num("fire", "m_Fire"), num("hook", "m_Hook"),
		named(&playerFlags, "player_flags", "m_PlayerFlags").between(0, 256),
		named(&wantedWeapons, "wanted_weapon", "m_WantedWeapon"), num("next_weapon", "m_NextWeapon"),
		num("prev_weapon", "m_PrevWeapon"),
	}},
	{name: "NETOBJTYPE_PROJECTILE", id: 2, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("vel_x", "m_VelX"), num("vel_y", "m_VelY"),
		named(&weapons, "type", "m_Type").between(0, 5), tick("start_tick", "m_StartTick"),
	}},
	{name: "NETOBJTYPE_LASER", id: 3, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("from_x", "m_FromX"), num("from_y", "m_FromY"),
		tick("start_tick", "m_StartTick"),
	}},
	{name: "NETOBJTYPE_PICKUP", id: 4, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), named(&pickups, "type", "m_Type").least(0),
		num("subtype", "m_Subtype").least(0),
	}},
	{name: "NETOBJTYPE_FLAG", id: 5, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), named(&Teams, "team", "m_Team").between(0, 1),
	}},
	{name: "NETOBJTYPE_GAMEINFO", id: 6, fields: []row{
		named(&gameFlags, "game_flags", "m_GameFlags").between(0, 256),
		named(&gameStateFlags, "game_state_flags", "m_GameStateFlags").between(0, 256),
		tick("round_start_tick", "m_RoundStartTick"), num("warmup_timer", "m_WarmupTimer"),
		num("score_limit", "m_ScoreLimit").least(0), num("time_limit", "m_TimeLimit").least(0),
		num("round_num", "m_RoundNum").least(0), num("round_current", "m_RoundCurrent").least(0),
	}},
	{name: "NETOBJTYPE_GAMEDATA", id: 7, fields: []row{
		num("teamscore_red", "m_TeamscoreRed"), num("teamscore_blue", "m_TeamscoreBlue"),
		named(&flagStates, "flag_carrier_red", "m_FlagCarrierRed").between(-3, 127),
		named(&flagStates, "flag_carrier_blue", "m_FlagCarrierBlue").between(-3, 127),
	}},
	{name: "NETOBJTYPE_CHARACTERCORE", id: 8, fields: []row{
		num("tick", "m_Tick"), num("x", "m_X"), num("y", "m_Y"), num("vel_x", "m_VelX"), num("vel_y", "m_VelY"),
		num("angle", "m_Angle"), num("direction", "m_Direction").between(-1, 1), num("jumped", "m_Jumped").between(0, 3),
		num("hooked_player", "m_HookedPlayer").between(-1, 127),
		named(&hookStates, "hook_state", "m_HookState").between(-1, 5), num("hook_tick", "m_HookTick"),
		num("hook_x", "m_HookX"), num("hook_y", "m_HookY"), num("hook_dx", "m_HookDx"), num("hook_dy", "m_HookDy"),
	}},
	{name: "NETOBJTYPE_CHARACTER", id: 9, fields: []row{
		num("tick", "m_Tick"), num("x", "m_X"), num("y", "m_Y"), num("vel_x", "m_VelX"), num("vel_y", "m_VelY"),
		num("angle", "m_Angle"), num("direction", "m_Direction").between(-1, 1), num("jumped", "m_Jumped").between(0, 3),
		num("hooked_player", "m_HookedPlayer").between(-1, 127),
		named(&hookStates, "hook_state", "m_HookState").between(-1, 5), num("hook_tick", "m_HookTick"),
		num("hook_x", "m_HookX"), num("hook_y", "m_HookY"), num("hook_dx", "m_HookDx"), num("hook_dy", "m_HookDy"),
		named(&playerFlags, "player_flags", "m_PlayerFlags").between(0, 256), num("health", "m_Health").between(0, 10),
		num("armor", "m_Armor").between(0, 10), num("ammo_count", "m_AmmoCount").between(-1, 10),
		named(&weapons, "weapon", "m_Weapon").between(-1, 5), named(&emotes, "emote", "m_Emote").between(0, 6),
		num("attack_tick", "m_AttackTick").least(0),
	}},
	{name: "NETOBJTYPE_PLAYERINFO", id: 10, fields: []row{
		num("local", "m_Local").between(0, 1), num("client_id", "m_ClientId").between(0, 127),
		named(&Teams, "team", "m_Team").between(-1, 1), num("score", "m_Score"), num("latency", "m_Latency"),
	}},
	{name: "NETOBJTYPE_CLIENTINFO", id: 11, fields: []row{
		packed(4, "name", "m_aName"), packed(3, "clan", "m_aClan"), num("country", "m_Country"),
		packed(6, "skin", "m_aSkin"), num("use_custom_color", "m_UseCustomColor").between(0, 1),
		num("color_body", "m_ColorBody"), num("color_feet", "m_ColorFeet"),
	}},
	{name: "NETOBJTYPE_SPECTATORINFO", id: 12, fields: []row{
		named(&spectatorTargets, "spectator_id", "m_SpectatorId").between(-1, 127), num("x", "m_X"), num("y", "m_Y"),
	}},
	{name: "NETEVENTTYPE_COMMON", id: 13, fields: []row{num("x", "m_X"), num("y", "m_Y")}},
	{name: "NETEVENTTYPE_EXPLOSION", id: 14, fields: []row{num("x", "m_X"), num("y", "m_Y")}},
	{name: "NETEVENTTYPE_SPAWN", id: 15, fields: []row{num("x", "m_X"), num("y", "m_Y")}},
	{name: "NETEVENTTYPE_HAMMERHIT", id: 16, fields: []row{num("x", "m_X"), num("y", "m_Y")}},
	{name: "NETEVENTTYPE_DEATH", id: 17, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("client_id", "m_ClientId").between(0, 127),
	}},
	{name: "NETEVENTTYPE_SOUNDGLOBAL", id: 18, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), named(&Sounds, "sound_id", "m_SoundId").between(0, 40),
	}},
	{name: "NETEVENTTYPE_SOUNDWORLD", id: 19, fields: []row{
		num("x", "m_X"), num("y", "m_Y"), named(&Sounds, "sound_id", "m_SoundId").between(0, 40),
	}},
	{name: "NETEVENTTYPE_DAMAGEIND", id: 20, fields: []row{num("x", "m_X"), num("y", "m_Y"), num("angle", "m_Angle")}},
}

// objectsExtended are the objects that DDNet added, to 0.7 clients too: the item that declares the UUID of a type number, and
// the objects of the UUIDs. Their fields from the first that may be missing on came later.
//
// Source: datasrc/network.py of DDNet 20.1; the first: CSnapshotBuilder::AddExtendedItemType,
// src/engine/shared/snapshot.cpp.
var objectsExtended = []objectRow{
	{name: "NETOBJTYPE_EX", id: 0, fields: []row{bin("uuid", 16)}},
	{name: "NETOBJTYPE_MYOWNOBJECT", key: "my_own_object", uuid: "my-own-object@heinrich5991.de", fields: []row{
		num("test", "m_Test"),
	}},
	{name: "NETOBJTYPE_DDNETCHARACTER", key: "ddnet_character", uuid: "character@netobj.ddnet.tw", fields: []row{
		named(&characterFlags, "flags", "m_Flags").opt(), tick("freeze_end", "m_FreezeEnd").opt(),
		num("jumps", "m_Jumps").between(-1, 255).opt(), num("tele_checkpoint", "m_TeleCheckpoint").opt(),
		num("strong_weak_id", "m_StrongWeakId").between(0, 127).opt(),
		num("jumped_total", "m_JumpedTotal").between(-1, 255).opt(),
		tick("ninja_activation_tick", "m_NinjaActivationTick").opt(), tick("freeze_start", "m_FreezeStart").opt(),
		num("target_x", "m_TargetX").opt(), num("target_y", "m_TargetY").opt(),
		num("tune_zone_override", "m_TuneZoneOverride").between(-1, 255).opt(),
	}},
	{name: "NETOBJTYPE_DDNETPLAYER", key: "ddnet_player", uuid: "player@netobj.ddnet.tw", fields: []row{
		named(&exPlayerFlags, "flags", "m_Flags"), named(&authLevels, "auth_level", "m_AuthLevel").between(0, 3),
		num("finish_time_seconds", "m_FinishTimeSeconds").least(-2).opt(),
		num("finish_time_millis", "m_FinishTimeMillis").between(0, 999).opt(),
	}},
	{name: "NETOBJTYPE_GAMEINFOEX", key: "game_info_ex", uuid: "gameinfo@netobj.ddnet.tw", fields: []row{
		named(&gameInfoFlags, "flags", "m_Flags").opt(), num("version", "m_Version").opt(),
		named(&gameInfoFlags2, "flags2", "m_Flags2").opt(), num("min_team_size", "m_MinTeamSize").between(0, 128).opt(),
		num("max_team_size", "m_MaxTeamSize").between(0, 128).opt(),
	}},
	{name: "NETOBJTYPE_DDRACEPROJECTILE", key: "ddrace_projectile", uuid: "projectile@netobj.ddnet.tw", fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("angle", "m_Angle"), named(&legacyProjectileFlags, "data", "m_Data"),
		named(&weapons, "type", "m_Type").between(0, 5), tick("start_tick", "m_StartTick"),
	}},
	{name: "NETOBJTYPE_DDNETLASER", key: "ddnet_laser", uuid: "laser@netobj.ddnet.tw", fields: []row{
		num("to_x", "m_ToX"), num("to_y", "m_ToY"), num("from_x", "m_FromX"), num("from_y", "m_FromY"),
		tick("start_tick", "m_StartTick"), num("owner", "m_Owner").between(-1, 127), named(&laserTypes, "type", "m_Type"),
		num("switch_number", "m_SwitchNumber").opt(),
		num("subtype", "m_Subtype").opt().depends(6, map[int32]*dissect.Enum{4: &draggerTypes, 5: &gunTypes}),
		named(&laserFlags, "flags", "m_Flags").opt(),
	}},
	{name: "NETOBJTYPE_DDNETPROJECTILE", key: "ddnet_projectile", uuid: "ddnet-projectile@netobj.ddnet.tw", fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("vel_x", "m_VelX"), num("vel_y", "m_VelY"),
		named(&weapons, "type", "m_Type").between(0, 5), tick("start_tick", "m_StartTick"),
		num("owner", "m_Owner").between(-1, 127), num("switch_number", "m_SwitchNumber"),
		num("tune_zone", "m_TuneZone").between(0, 255), named(&projectileFlags, "flags", "m_Flags"),
	}},
	{name: "NETOBJTYPE_DDNETPICKUP", key: "ddnet_pickup", uuid: "pickup@netobj.ddnet.tw", fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("type", "m_Type").least(0), num("subtype", "m_Subtype").least(0),
		num("switch_number", "m_SwitchNumber"), named(&pickupFlags, "flags", "m_Flags").opt(),
	}},
	{name: "NETOBJTYPE_DDNETSPECTATORINFO", key: "ddnet_spectator_info", uuid: "spectator-info@netobj.ddnet.org", fields: []row{
		flag("has_camera_info", "m_HasCameraInfo"), num("zoom", "m_Zoom").least(0),
		num("deadzone", "m_Deadzone").least(0), num("follow_factor", "m_FollowFactor").least(0),
		num("spectator_count", "m_SpectatorCount").between(0, 127).opt(),
	}},
	{name: "NETOBJTYPE_SPECTATORCOUNT", key: "spectator_count", uuid: "spectator-count@netobj.ddnet.org", fields: []row{
		num("num_spectators", "m_NumSpectators").least(0),
	}},
	{name: "NETEVENTTYPE_BIRTHDAY", key: "birthday", uuid: "birthday@netevent.ddnet.org", fields: []row{
		num("x", "m_X"), num("y", "m_Y"),
	}},
	{name: "NETEVENTTYPE_FINISH", key: "finish", uuid: "finish@netevent.ddnet.org", fields: []row{
		num("x", "m_X"), num("y", "m_Y"),
	}},
	{name: "NETOBJTYPE_MYOWNEVENT", key: "my_own_event", uuid: "my-own-event@heinrich5991.de", fields: []row{
		num("test", "m_Test"),
	}},
	{name: "NETOBJTYPE_SPECCHAR", key: "spec_char", uuid: "spec-char@netobj.ddnet.tw", fields: []row{
		num("x", "m_X"), num("y", "m_Y"),
	}},
	{name: "NETOBJTYPE_SWITCHSTATE", key: "switch_state", uuid: "switch-state@netobj.ddnet.tw", fields: []row{
		num("highest_switch_number", "m_HighestSwitchNumber").opt(), num("status", "m_aStatus").opt().list(8),
		num("switch_numbers", "m_aSwitchNumbers").opt().list(4), num("end_ticks", "m_aEndTicks").opt().list(4),
	}},
	{name: "NETOBJTYPE_ENTITYEX", key: "entity_ex", uuid: "entity-ex@netobj.ddnet.tw", fields: []row{
		num("switch_number", "m_SwitchNumber"), num("layer", "m_Layer"),
		named(&entityClasses, "entity_class", "m_EntityClass"),
	}},
	{name: "NETOBJTYPE_MAPBESTTIME", key: "map_best_time", uuid: "map-best-time@netobj.ddnet.org", fields: []row{
		num("map_best_time_seconds", "m_MapBestTimeSeconds").least(-1),
		num("map_best_time_millis", "m_MapBestTimeMillis").between(0, 999),
	}},
	{name: "NETEVENTTYPE_MAPSOUNDWORLD", key: "map_sound_world", uuid: "map-sound-world@netevent.ddnet.org", fields: []row{
		num("x", "m_X"), num("y", "m_Y"), num("sound_id", "m_SoundId"),
	}},
}
