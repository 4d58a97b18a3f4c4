package tables

// systemMessages07 are the engine's messages of 0.7. Ids 29 and 30 exist since 0.7.3.
//
// Source: the enumeration in src/engine/shared/protocol.h; layouts where they are packed and unpacked, in
// src/engine/server/server.cpp and src/engine/client/client.cpp of Teeworlds 0.7.5.
var systemMessages07 = []messageRow{
	{name: "NETMSG_NULL", id: 0},
	{name: "NETMSG_INFO", id: 1, from: SentByClient, fields: []row{
		str("net_version"), str("password").masked(), num("client_version").opt(),
	}},
	{name: "NETMSG_MAP_CHANGE", id: 2, from: SentByServer, fields: []row{
		str("map_name"), num("map_crc").kept(KeepMapCRC), num("map_size").least(1).kept(KeepMapSize),
		num("chunks_per_request"), num("chunk_size").kept(KeepChunkSize), bin("map_sha256", 32).opt(),
	}},
	{name: "NETMSG_MAP_DATA", id: 3, from: SentByServer, fields: []row{bin("data", ToEnd)}},
	{name: "NETMSG_SERVERINFO", id: 4, from: SentByServer, fields: []row{
		str("version"), str("name"), str("hostname"), str("map"), str("game_type"), named(&ServerFlags, "flags"),
		named(&SkillLevels, "skill_level").between(0, 2), num("num_players"), num("max_players"), num("num_clients"),
		num("max_clients"),
	}},
	{name: "NETMSG_CON_READY", id: 5, from: SentByServer},
	{name: "NETMSG_SNAP", id: 6, from: SentByServer, fields: []row{
		tick("tick").kept(KeepTick), num("delta_tick_offset").kept(KeepDelta),
		num("num_parts").between(1, 64).kept(KeepParts), num("part").between(0, 63).kept(KeepPart),
		num("crc").kept(KeepCRC), num("part_size").between(0, 900).kept(KeepCount), bin("data", AsCounted),
	}},
	{name: "NETMSG_SNAPEMPTY", id: 7, from: SentByServer, fields: []row{
		tick("tick").kept(KeepTick), num("delta_tick_offset").kept(KeepDelta),
	}},
	{name: "NETMSG_SNAPSINGLE", id: 8, from: SentByServer, fields: []row{
		tick("tick").kept(KeepTick), num("delta_tick_offset").kept(KeepDelta), num("crc").kept(KeepCRC),
		num("part_size").between(0, 900).kept(KeepCount), bin("data", AsCounted),
	}},
	{name: "NETMSG_SNAPSMALL", id: 9},
	{name: "NETMSG_INPUTTIMING", id: 10, from: SentByServer, fields: []row{
		tick("input_pred_tick"), num("time_left_ms").in("ms"),
	}},
	{name: "NETMSG_RCON_AUTH_ON", id: 11, from: SentByServer},
	{name: "NETMSG_RCON_AUTH_OFF", id: 12, from: SentByServer},
	{name: "NETMSG_RCON_LINE", id: 13, from: SentByServer, fields: []row{str("line")}},
	{name: "NETMSG_RCON_CMD_ADD", id: 14, from: SentByServer, fields: []row{
		str("name"), str("help"), str("params"),
	}},
	{name: "NETMSG_RCON_CMD_REM", id: 15, from: SentByServer, fields: []row{str("name")}},
	{name: "NETMSG_AUTH_CHALLENGE", id: 16},
	{name: "NETMSG_AUTH_RESULT", id: 17},
	{name: "NETMSG_READY", id: 18, from: SentByClient},
	{name: "NETMSG_ENTERGAME", id: 19, from: SentByClient},
	{name: "NETMSG_INPUT", id: 20, from: SentByClient, fields: []row{
		num("ack_snapshot_tick").least(-1).kept(keepAck), tick("intended_tick"), num("size").kept(KeepCount),
		ints("input", "playerinput", AsCountedBytes), num("ping_correction_ms").in("ms").opt(),
	}},
	{name: "NETMSG_RCON_CMD", id: 21, from: SentByClient, fields: []row{str("command")}},
	{name: "NETMSG_RCON_AUTH", id: 22, from: SentByClient, fields: []row{str("password").masked()}},
	{name: "NETMSG_REQUEST_MAP_DATA", id: 23, from: SentByClient},
	{name: "NETMSG_AUTH_START", id: 24},
	{name: "NETMSG_AUTH_RESPONSE", id: 25},
	{name: "NETMSG_PING", id: 26, from: SentByBoth},
	{name: "NETMSG_PING_REPLY", id: 27, from: SentByBoth},
	{name: "NETMSG_ERROR", id: 28},
	{name: "NETMSG_MAPLIST_ENTRY_ADD", id: 29, from: SentByServer, fields: []row{str("name")}},
	{name: "NETMSG_MAPLIST_ENTRY_REM", id: 30, from: SentByServer, fields: []row{str("name")}},
}

// gameMessages07 are the game's messages of 0.7; the order of the declarations makes the ids. 33 and 34 exist since
// 0.7.3, 35 to 39 since 0.7.4, the last field of Sv_RaceFinish since 0.7.5.
//
// Source: datasrc/network.py of Teeworlds 0.7.5.
var gameMessages07 = []messageRow{
	{name: "NETMSGTYPE_SV_MOTD", id: 1, from: SentByServer, fields: []row{str("message", "m_pMessage")}},
	{name: "NETMSGTYPE_SV_BROADCAST", id: 2, from: SentByServer, fields: []row{str("message", "m_pMessage")}},
	{name: "NETMSGTYPE_SV_CHAT", id: 3, from: SentByServer, fields: []row{
		named(&ChatModes, "mode", "m_Mode").between(0, 3), num("client_id", "m_ClientID").between(-1, 63),
		num("target_id", "m_TargetID").between(-1, 63), str("message", "m_pMessage"),
	}},
	{name: "NETMSGTYPE_SV_TEAM", id: 4, from: SentByServer, fields: []row{
		num("client_id", "m_ClientID").between(-1, 63), named(&Teams, "team", "m_Team").between(-1, 1),
		flag("silent", "m_Silent"), tick("cooldown_tick", "m_CooldownTick").least(0),
	}},
	{name: "NETMSGTYPE_SV_KILLMSG", id: 5, from: SentByServer, fields: []row{
		named(&killerTeams, "killer", "m_Killer").between(-2, 63), num("victim", "m_Victim").between(0, 63),
		named(&KillWeapons, "weapon", "m_Weapon").between(-3, 5), named(&KillFlags, "mode_special", "m_ModeSpecial"),
	}},
	{name: "NETMSGTYPE_SV_TUNEPARAMS", id: 6, from: SentByServer, fields: []row{
		tune("ground_control_speed"), tune("ground_control_accel"), tune("ground_friction"), tune("ground_jump_impulse"),
		tune("air_jump_impulse"), tune("air_control_speed"), tune("air_control_accel"), tune("air_friction"),
		tune("hook_length"), tune("hook_fire_speed"), tune("hook_drag_accel"), tune("hook_drag_speed"), tune("gravity"),
		tune("velramp_start"), tune("velramp_range"), tune("velramp_curvature"), tune("gun_curvature"), tune("gun_speed"),
		tune("gun_lifetime"), tune("shotgun_curvature"), tune("shotgun_speed"), tune("shotgun_speeddiff"),
		tune("shotgun_lifetime"), tune("grenade_curvature"), tune("grenade_speed"), tune("grenade_lifetime"),
		tune("laser_reach"), tune("laser_bounce_delay"), tune("laser_bounce_num"), tune("laser_bounce_cost"),
		tune("player_collision"), tune("player_hooking"),
	}},
	{name: "NETMSGTYPE_SV_EXTRAPROJECTILE", id: 7, from: SentByServer},
	{name: "NETMSGTYPE_SV_READYTOENTER", id: 8, from: SentByServer},
	{name: "NETMSGTYPE_SV_WEAPONPICKUP", id: 9, from: SentByServer, fields: []row{
		named(&weapons, "weapon", "m_Weapon").between(0, 5),
	}},
	{name: "NETMSGTYPE_SV_EMOTICON", id: 10, from: SentByServer, fields: []row{
		num("client_id", "m_ClientID").between(0, 63),
		named(&emoticons, "emoticon", "m_Emoticon").between(0, 15).shown(emoticonPictures),
	}},
	{name: "NETMSGTYPE_SV_VOTECLEAROPTIONS", id: 11, from: SentByServer},
	{name: "NETMSGTYPE_SV_VOTEOPTIONLISTADD", id: 12, from: SentByServer, fields: []row{
		// servers of DDNet send the 15 strings of 0.6, the unused ones empty: ProgressVoteOptions, gamecontext.cpp
		num("num_options").between(0, 21).kept(KeepCount), str("descriptions").list(AsCounted).filled(15),
	}},
	{name: "NETMSGTYPE_SV_VOTEOPTIONADD", id: 13, from: SentByServer, fields: []row{
		str("description", "m_pDescription"),
	}},
	{name: "NETMSGTYPE_SV_VOTEOPTIONREMOVE", id: 14, from: SentByServer, fields: []row{
		str("description", "m_pDescription"),
	}},
	{name: "NETMSGTYPE_SV_VOTESET", id: 15, from: SentByServer, fields: []row{
		num("client_id", "m_ClientID").between(-1, 63), named(&VoteTypes, "type", "m_Type").between(0, 6),
		num("timeout", "m_Timeout").between(0, 60), str("description", "m_pDescription"), str("reason", "m_pReason"),
	}},
	{name: "NETMSGTYPE_SV_VOTESTATUS", id: 16, from: SentByServer, fields: []row{
		num("yes", "m_Yes").between(0, 64), num("no", "m_No").between(0, 64), num("pass", "m_Pass").between(0, 64),
		num("total", "m_Total").between(0, 64),
	}},
	{name: "NETMSGTYPE_SV_SERVERSETTINGS", id: 17, from: SentByServer, fields: []row{
		flag("kick_vote", "m_KickVote"), num("kick_min", "m_KickMin").between(0, 64), flag("spec_vote", "m_SpecVote"),
		flag("team_lock", "m_TeamLock"), flag("team_balance", "m_TeamBalance"),
		num("player_slots", "m_PlayerSlots").between(0, 64),
	}},
	{name: "NETMSGTYPE_SV_CLIENTINFO", id: 18, from: SentByServer, fields: []row{
		num("client_id", "m_ClientID").between(0, 63), flag("local", "m_Local"),
		named(&Teams, "team", "m_Team").between(-1, 1), str("name", "m_pName"), str("clan", "m_pClan"),
		num("country", "m_Country"), str("skin_part_names", "m_apSkinPartNames").list(6),
		flag("use_custom_colors", "m_aUseCustomColors").list(6), num("skin_part_colors", "m_aSkinPartColors").list(6),
		flag("silent", "m_Silent"),
	}},
	{name: "NETMSGTYPE_SV_GAMEINFO", id: 19, from: SentByServer, fields: []row{
		named(&gameFlags, "game_flags", "m_GameFlags"), num("score_limit", "m_ScoreLimit").least(0),
		num("time_limit", "m_TimeLimit").least(0), num("match_num", "m_MatchNum").least(0),
		num("match_current", "m_MatchCurrent").least(0),
	}},
	{name: "NETMSGTYPE_SV_CLIENTDROP", id: 20, from: SentByServer, fields: []row{
		num("client_id", "m_ClientID").between(0, 63), str("reason", "m_pReason"), flag("silent", "m_Silent"),
	}},
	{name: "NETMSGTYPE_SV_GAMEMSG", id: 21, from: SentByServer, fields: []row{
		named(&GameMsgs, "game_msg_id").between(0, 10).kept(KeepCount),
		num("params").list(ByGameMsg).meaning(gameMsgParams),
	}},
	{name: "NETMSGTYPE_DE_CLIENTENTER", id: 22, from: OnlyInDemos, fields: []row{
		str("name", "m_pName"), num("client_id", "m_ClientID").between(-1, 63),
		named(&Teams, "team", "m_Team").between(-1, 1),
	}},
	{name: "NETMSGTYPE_DE_CLIENTLEAVE", id: 23, from: OnlyInDemos, fields: []row{
		str("name", "m_pName"), num("client_id", "m_ClientID").between(-1, 63), str("reason", "m_pReason"),
	}},
	{name: "NETMSGTYPE_CL_SAY", id: 24, from: SentByClient, fields: []row{
		named(&ChatModes, "mode", "m_Mode").between(0, 3), num("target", "m_Target").between(-1, 63),
		str("message", "m_pMessage"),
	}},
	{name: "NETMSGTYPE_CL_SETTEAM", id: 25, from: SentByClient, fields: []row{
		named(&Teams, "team", "m_Team").between(-1, 1),
	}},
	{name: "NETMSGTYPE_CL_SETSPECTATORMODE", id: 26, from: SentByClient, fields: []row{
		named(&specModes, "spec_mode", "m_SpecMode").between(0, 3), num("spectator_id", "m_SpectatorID").between(-1, 63),
	}},
	{name: "NETMSGTYPE_CL_STARTINFO", id: 27, from: SentByClient, fields: []row{
		str("name", "m_pName"), str("clan", "m_pClan"), num("country", "m_Country"),
		str("skin_part_names", "m_apSkinPartNames").list(6), flag("use_custom_colors", "m_aUseCustomColors").list(6),
		num("skin_part_colors", "m_aSkinPartColors").list(6),
	}},
	{name: "NETMSGTYPE_CL_KILL", id: 28, from: SentByClient},
	{name: "NETMSGTYPE_CL_READYCHANGE", id: 29, from: SentByClient},
	{name: "NETMSGTYPE_CL_EMOTICON", id: 30, from: SentByClient, fields: []row{
		named(&emoticons, "emoticon", "m_Emoticon").between(0, 15).shown(emoticonPictures),
	}},
	{name: "NETMSGTYPE_CL_VOTE", id: 31, from: SentByClient, fields: []row{
		named(&VoteChoices, "vote", "m_Vote").between(-1, 1),
	}},
	{name: "NETMSGTYPE_CL_CALLVOTE", id: 32, from: SentByClient, fields: []row{
		str("type", "m_Type"), str("value", "m_Value"), str("reason", "m_Reason"), flag("force", "m_Force"),
	}},
	{name: "NETMSGTYPE_SV_SKINCHANGE", id: 33, from: SentByServer, fields: []row{
		num("client_id", "m_ClientID").between(0, 63), str("skin_part_names", "m_apSkinPartNames").list(6),
		flag("use_custom_colors", "m_aUseCustomColors").list(6), num("skin_part_colors", "m_aSkinPartColors").list(6),
	}},
	{name: "NETMSGTYPE_CL_SKINCHANGE", id: 34, from: SentByClient, fields: []row{
		str("skin_part_names", "m_apSkinPartNames").list(6), flag("use_custom_colors", "m_aUseCustomColors").list(6),
		num("skin_part_colors", "m_aSkinPartColors").list(6),
	}},
	{name: "NETMSGTYPE_SV_RACEFINISH", id: 35, from: SentByServer, fields: []row{
		num("client_id", "m_ClientID").between(0, 63), num("time", "m_Time").least(-1), num("diff", "m_Diff"),
		flag("record_personal", "m_RecordPersonal"), flag("record_server", "m_RecordServer").opt(),
	}},
	{name: "NETMSGTYPE_SV_CHECKPOINT", id: 36, from: SentByServer, fields: []row{num("diff", "m_Diff")}},
	{name: "NETMSGTYPE_SV_COMMANDINFO", id: 37, from: SentByServer, fields: []row{
		str("name", "m_Name"), str("args_format", "m_ArgsFormat"), str("help_text", "m_HelpText"),
	}},
	{name: "NETMSGTYPE_SV_COMMANDINFOREMOVE", id: 38, from: SentByServer, fields: []row{str("name", "m_Name")}},
	{name: "NETMSGTYPE_CL_COMMAND", id: 39, from: SentByClient, fields: []row{
		str("name", "m_Name"), str("arguments", "m_Arguments"),
	}},
}
