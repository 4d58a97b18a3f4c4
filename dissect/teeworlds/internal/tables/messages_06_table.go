package tables

// systemMessages06 are the engine's messages of 0.6, which DDNet kept.
//
// Source: the enumeration in src/engine/shared/protocol.h; layouts in src/engine/server/server.cpp and
// src/engine/client/client.cpp of Teeworlds 0.6.5 and DDNet 20.1.
var systemMessages06 = []messageRow{
	{name: "NETMSG_EX", id: 0},
	{name: "NETMSG_INFO", id: 1, from: SentByClient, fields: []row{
		str("net_version"), str("password").masked().opt(),
	}},
	{name: "NETMSG_MAP_CHANGE", id: 2, from: SentByServer, fields: []row{
		str("map_name"), num("map_crc").kept(KeepMapCRC), num("map_size").kept(KeepMapSize),
	}},
	{name: "NETMSG_MAP_DATA", id: 3, from: SentByServer, fields: []row{
		num("last").between(0, 1).kept(KeepLast), num("map_crc").kept(KeepMapCRC), num("chunk").kept(KeepChunk),
		num("chunk_size").kept(KeepCount), bin("data", AsCounted),
	}},
	{name: "NETMSG_CON_READY", id: 4, from: SentByServer},
	{name: "NETMSG_SNAP", id: 5, from: SentByServer, fields: []row{
		tick("tick").kept(KeepTick), num("delta_tick_offset").kept(KeepDelta),
		num("num_parts").between(1, 64).kept(KeepParts), num("part").between(0, 63).kept(KeepPart),
		num("crc").kept(KeepCRC), num("part_size").between(0, 900).kept(KeepCount), bin("data", AsCounted),
	}},
	{name: "NETMSG_SNAPEMPTY", id: 6, from: SentByServer, fields: []row{
		tick("tick").kept(KeepTick), num("delta_tick_offset").kept(KeepDelta),
	}},
	{name: "NETMSG_SNAPSINGLE", id: 7, from: SentByServer, fields: []row{
		tick("tick").kept(KeepTick), num("delta_tick_offset").kept(KeepDelta), num("crc").kept(KeepCRC),
		num("part_size").between(0, 900).kept(KeepCount), bin("data", AsCounted),
	}},
	{name: "NETMSG_SNAPSMALL", id: 8},
	{name: "NETMSG_INPUTTIMING", id: 9, from: SentByServer, fields: []row{
		tick("input_pred_tick"), num("time_left_ms").in("ms"),
	}},
	{name: "NETMSG_RCON_AUTH_STATUS", id: 10, from: SentByServer, fields: []row{
		num("authed").opt(), num("cmdlist").opt(),
	}},
	{name: "NETMSG_RCON_LINE", id: 11, from: SentByServer, fields: []row{str("line")}},
	{name: "NETMSG_AUTH_CHALLENGE", id: 12},
	{name: "NETMSG_AUTH_RESULT", id: 13},
	{name: "NETMSG_READY", id: 14, from: SentByClient},
	{name: "NETMSG_ENTERGAME", id: 15, from: SentByClient},
	{name: "NETMSG_INPUT", id: 16, from: SentByClient, fields: []row{
		num("ack_snapshot_tick").least(-1).kept(keepAck), tick("intended_tick"), num("size").kept(KeepCount),
		ints("input", "playerinput", AsCountedBytes),
	}},
	{name: "NETMSG_RCON_CMD", id: 17, from: SentByClient, fields: []row{str("command")}},
	{name: "NETMSG_RCON_AUTH", id: 18, from: SentByClient, fields: []row{
		str("name"), str("password").masked(), num("send_rcon_cmds").opt(),
	}},
	{name: "NETMSG_REQUEST_MAP_DATA", id: 19, from: SentByClient, fields: []row{num("chunk").kept(KeepChunk)}},
	{name: "NETMSG_AUTH_START", id: 20},
	{name: "NETMSG_AUTH_RESPONSE", id: 21},
	{name: "NETMSG_PING", id: 22, from: SentByBoth},
	{name: "NETMSG_PING_REPLY", id: 23, from: SentByBoth},
	{name: "NETMSG_ERROR", id: 24},
	{name: "NETMSG_RCON_CMD_ADD", id: 25, from: SentByServer, fields: []row{
		str("name"), str("help"), str("params"),
	}},
	{name: "NETMSG_RCON_CMD_REM", id: 26, from: SentByServer, fields: []row{str("name")}},
}

// gameMessages06 are the game's messages of 0.6. Client ids are bounded by what DDNet takes; vanilla has 16
// clients. The tuning values after player_hooking are DDNet's.
//
// Source: datasrc/network.py of Teeworlds 0.6.5 and DDNet 20.1.
var gameMessages06 = []messageRow{
	{name: "NETMSGTYPE_SV_MOTD", id: 1, from: SentByServer, fields: []row{str("message", "m_pMessage")}},
	{name: "NETMSGTYPE_SV_BROADCAST", id: 2, from: SentByServer, fields: []row{str("message", "m_pMessage")}},
	{name: "NETMSGTYPE_SV_CHAT", id: 3, from: SentByServer, fields: []row{
		named(&ChatTeams, "team", "m_Team").between(-2, 3), num("client_id", "m_ClientId").between(-1, 127),
		str("message", "m_pMessage"),
	}},
	{name: "NETMSGTYPE_SV_KILLMSG", id: 4, from: SentByServer, fields: []row{
		num("killer", "m_Killer").between(0, 127), num("victim", "m_Victim").between(0, 127),
		named(&KillWeapons, "weapon", "m_Weapon").between(-3, 5), num("mode_special", "m_ModeSpecial"),
	}},
	{name: "NETMSGTYPE_SV_SOUNDGLOBAL", id: 5, from: SentByServer, fields: []row{
		named(&Sounds, "sound_id", "m_SoundId").between(0, 40),
	}},
	{name: "NETMSGTYPE_SV_TUNEPARAMS", id: 6, from: SentByServer, fields: []row{
		tune("ground_control_speed"), tune("ground_control_accel"), tune("ground_friction"), tune("ground_jump_impulse"),
		tune("air_jump_impulse"), tune("air_control_speed"), tune("air_control_accel"), tune("air_friction"),
		tune("hook_length"), tune("hook_fire_speed"), tune("hook_drag_accel"), tune("hook_drag_speed"), tune("gravity"),
		tune("velramp_start"), tune("velramp_range"), tune("velramp_curvature"), tune("gun_curvature"), tune("gun_speed"),
		tune("gun_lifetime"), tune("shotgun_curvature"), tune("shotgun_speed"), tune("shotgun_speeddiff"),
		tune("shotgun_lifetime"), tune("grenade_curvature"), tune("grenade_speed"), tune("grenade_lifetime"),
		tune("laser_reach"), tune("laser_bounce_delay"), tune("laser_bounce_num"), tune("laser_bounce_cost"),
		tune("laser_damage"), tune("player_collision"), tune("player_hooking"), tune("jetpack_strength").opt(),
		tune("shotgun_strength").opt(), tune("explosion_strength").opt(), tune("hammer_strength").opt(),
		tune("hook_duration").opt(), tune("hammer_fire_delay").opt(), tune("gun_fire_delay").opt(),
		tune("shotgun_fire_delay").opt(), tune("grenade_fire_delay").opt(), tune("laser_fire_delay").opt(),
		tune("ninja_fire_delay").opt(), tune("hammer_hit_fire_delay").opt(), tune("ground_elasticity_x").opt(),
		tune("ground_elasticity_y").opt(),
	}},
	{name: "NETMSGTYPE_SV_EXTRAPROJECTILE", id: 7, from: SentByServer, fields: []row{
		num("num_projectiles").kept(KeepCount), ints("projectiles", "projectile", 6).list(AsCounted),
	}},
	{name: "NETMSGTYPE_SV_READYTOENTER", id: 8, from: SentByServer},
	{name: "NETMSGTYPE_SV_WEAPONPICKUP", id: 9, from: SentByServer, fields: []row{
		named(&weapons, "weapon", "m_Weapon").between(0, 5),
	}},
	{name: "NETMSGTYPE_SV_EMOTICON", id: 10, from: SentByServer, fields: []row{
		num("client_id", "m_ClientId").between(0, 127),
		named(&emoticons, "emoticon", "m_Emoticon").between(0, 15).shown(emoticonPictures),
	}},
	{name: "NETMSGTYPE_SV_VOTECLEAROPTIONS", id: 11, from: SentByServer},
	{name: "NETMSGTYPE_SV_VOTEOPTIONLISTADD", id: 12, from: SentByServer, fields: []row{
		num("num_options").between(1, 15).kept(KeepCount), str("descriptions").list(15),
	}},
	{name: "NETMSGTYPE_SV_VOTEOPTIONADD", id: 13, from: SentByServer, fields: []row{
		str("description", "m_pDescription"),
	}},
	{name: "NETMSGTYPE_SV_VOTEOPTIONREMOVE", id: 14, from: SentByServer, fields: []row{
		str("description", "m_pDescription"),
	}},
	{name: "NETMSGTYPE_SV_VOTESET", id: 15, from: SentByServer, fields: []row{
		num("timeout", "m_Timeout").least(0), str("description", "m_pDescription"), str("reason", "m_pReason"),
	}},
	{name: "NETMSGTYPE_SV_VOTESTATUS", id: 16, from: SentByServer, fields: []row{
		num("yes", "m_Yes").between(0, 128), num("no", "m_No").between(0, 128), num("pass", "m_Pass").between(0, 128),
		num("total", "m_Total").between(0, 128),
	}},
	{name: "NETMSGTYPE_CL_SAY", id: 17, from: SentByClient, fields: []row{
		flag("team", "m_Team"), str("message", "m_pMessage"),
	}},
	{name: "NETMSGTYPE_CL_SETTEAM", id: 18, from: SentByClient, fields: []row{
		named(&Teams, "team", "m_Team").between(-1, 1),
	}},
	{name: "NETMSGTYPE_CL_SETSPECTATORMODE", id: 19, from: SentByClient, fields: []row{
		named(&spectatorTargets, "spectator_id", "m_SpectatorId").between(-1, 127),
	}},
	{name: "NETMSGTYPE_CL_STARTINFO", id: 20, from: SentByClient, fields: []row{
		str("name", "m_pName"), str("clan", "m_pClan"), num("country", "m_Country"), str("skin", "m_pSkin"),
		flag("use_custom_color", "m_UseCustomColor"), num("color_body", "m_ColorBody"), num("color_feet", "m_ColorFeet"),
	}},
	{name: "NETMSGTYPE_CL_CHANGEINFO", id: 21, from: SentByClient, fields: []row{
		str("name", "m_pName"), str("clan", "m_pClan"), num("country", "m_Country"), str("skin", "m_pSkin"),
		flag("use_custom_color", "m_UseCustomColor"), num("color_body", "m_ColorBody"), num("color_feet", "m_ColorFeet"),
	}},
	{name: "NETMSGTYPE_CL_KILL", id: 22, from: SentByClient},
	{name: "NETMSGTYPE_CL_EMOTICON", id: 23, from: SentByClient, fields: []row{
		named(&emoticons, "emoticon", "m_Emoticon").between(0, 15).shown(emoticonPictures),
	}},
	{name: "NETMSGTYPE_CL_VOTE", id: 24, from: SentByClient, fields: []row{
		named(&VoteChoices, "vote", "m_Vote").between(-1, 1),
	}},
	{name: "NETMSGTYPE_CL_CALLVOTE", id: 25, from: SentByClient, fields: []row{
		str("type", "m_pType"), str("value", "m_pValue"), str("reason", "m_pReason"),
	}},
}
