package tables

// gameMessagesDDNet are the messages that DDRace and DDNet put after those of 0.6.
//
// Source: datasrc/network.py of DDNet 20.1.
var gameMessagesDDNet = []messageRow{
	{name: "NETMSGTYPE_CL_ISDDNETLEGACY", id: 26, from: SentByClient, fields: []row{num("ddnet_version").opt()}},
	{name: "NETMSGTYPE_SV_DDRACETIMELEGACY", id: 27, from: SentByServer, fields: []row{
		num("time", "m_Time"), num("check", "m_Check"), num("finish", "m_Finish").between(0, 1),
	}},
	{name: "NETMSGTYPE_SV_RECORDLEGACY", id: 28, from: SentByServer, fields: []row{
		num("server_time_best", "m_ServerTimeBest"), num("player_time_best", "m_PlayerTimeBest"),
	}},
	{name: "NETMSGTYPE_UNUSED2", id: 29},
	{name: "NETMSGTYPE_SV_TEAMSSTATELEGACY", id: 30, from: SentByServer, fields: []row{num("teams").list(ToEnd)}},
	{name: "NETMSGTYPE_CL_SHOWOTHERSLEGACY", id: 31, from: SentByClient, fields: []row{flag("show", "m_Show")}},
}

// systemMessagesExtended are DDNet's messages of the engine, which travel under id 0 and a UUID.
//
// Source: src/engine/shared/protocol_ex_msgs.h of DDNet 20.1; layouts in src/engine/server/server.cpp and
// src/engine/client/client.cpp.
var systemMessagesExtended = []messageRow{
	{name: "NETMSG_WHATIS", key: "whatis", uuid: "what-is@ddnet.tw", from: SentByBoth, fields: []row{bin("uuid", 16)}},
	{name: "NETMSG_ITIS", key: "itis", uuid: "it-is@ddnet.tw", from: SentByBoth, fields: []row{
		bin("uuid", 16), str("name"),
	}},
	{name: "NETMSG_IDONTKNOW", key: "idontknow", uuid: "i-dont-know@ddnet.tw", from: SentByBoth, fields: []row{
		bin("uuid", 16),
	}},
	{name: "NETMSG_RCONTYPE", key: "rcontype", uuid: "rcon-type@ddnet.tw", from: SentByServer, fields: []row{
		flag("username_required"),
	}},
	{name: "NETMSG_MAP_DETAILS", key: "map_details", uuid: "map-details@ddnet.tw", from: SentByServer, fields: []row{
		str("map_name"), bin("map_sha256", 32), num("map_crc").kept(KeepMapCRC), num("map_size").kept(KeepMapSize),
		str("map_url").opt(),
	}},
	{name: "NETMSG_CAPABILITIES", key: "capabilities", uuid: "capabilities@ddnet.tw", from: SentByServer, fields: []row{
		num("version"), named(&capabilityFlags, "flags"),
	}},
	{name: "NETMSG_CLIENTVER", key: "clientver", uuid: "clientver@ddnet.tw", from: SentByClient, fields: []row{
		bin("connection_id", 16), num("ddnet_version"), str("ddnet_version_string"),
	}},
	{name: "NETMSG_PINGEX", key: "pingex", uuid: "ping@ddnet.tw", from: SentByBoth, fields: []row{bin("id", 16)}},
	{name: "NETMSG_PONGEX", key: "pongex", uuid: "pong@ddnet.tw", from: SentByBoth, fields: []row{bin("id", 16)}},
	{name: "NETMSG_CHECKSUM_REQUEST", key: "checksum_request", uuid: "checksum-request@ddnet.tw", from: SentByServer, fields: []row{
		bin("id", 16), num("start"), num("length"),
	}},
	{name: "NETMSG_CHECKSUM_RESPONSE", key: "checksum_response", uuid: "checksum-response@ddnet.tw", from: SentByClient, fields: []row{
		bin("id", 16), bin("sha256", 32),
	}},
	{name: "NETMSG_CHECKSUM_ERROR", key: "checksum_error", uuid: "checksum-error@ddnet.tw", from: SentByClient, fields: []row{
		bin("id", 16), num("error"),
	}},
	{name: "NETMSG_REDIRECT", key: "redirect", uuid: "redirect@ddnet.org", from: SentByServer, fields: []row{
		num("port"),
	}},
	{name: "NETMSG_RCON_CMD_GROUP_START", key: "rcon_cmd_group_start", uuid: "rcon-cmd-group-start@ddnet.org", from: SentByServer, fields: []row{
		num("count").opt(),
	}},
	{name: "NETMSG_RCON_CMD_GROUP_END", key: "rcon_cmd_group_end", uuid: "rcon-cmd-group-end@ddnet.org", from: SentByServer},
	{name: "NETMSG_MAP_RELOAD", key: "map_reload", uuid: "map-reload@ddnet.org", from: SentByServer},
	{name: "NETMSG_RECONNECT", key: "reconnect", uuid: "reconnect@ddnet.org", from: SentByServer},
	{name: "NETMSG_MAPLIST_ADD", key: "maplist_add", uuid: "sv-maplist-add@ddnet.org", from: SentByServer, fields: []row{
		str("names").list(ToEnd),
	}},
	{name: "NETMSG_MAPLIST_GROUP_START", key: "maplist_group_start", uuid: "sv-maplist-start@ddnet.org", from: SentByServer, fields: []row{
		num("count").opt(),
	}},
	{name: "NETMSG_MAPLIST_GROUP_END", key: "maplist_group_end", uuid: "sv-maplist-end@ddnet.org", from: SentByServer},
}

// gameMessagesExtended are DDNet's messages of the game, which travel under id 0 and a UUID.
//
// Source: datasrc/network.py of DDNet 20.1.
var gameMessagesExtended = []messageRow{
	{name: "NETMSGTYPE_SV_MYOWNMESSAGE", key: "sv_my_own_message", uuid: "my-own-message@heinrich5991.de", from: SentByServer, fields: []row{
		num("test", "m_Test"),
	}},
	{name: "NETMSGTYPE_CL_SHOWDISTANCE", key: "cl_show_distance", uuid: "show-distance@netmsg.ddnet.tw", from: SentByClient, fields: []row{
		num("x", "m_X"), num("y", "m_Y"),
	}},
	{name: "NETMSGTYPE_CL_SHOWOTHERS", key: "cl_show_others", uuid: "showothers@netmsg.ddnet.tw", from: SentByClient, fields: []row{
		num("show", "m_Show").between(0, 2),
	}},
	{name: "NETMSGTYPE_CL_CAMERAINFO", key: "cl_camera_info", uuid: "camera-info@netmsg.ddnet.org", from: SentByClient, fields: []row{
		num("zoom", "m_Zoom"), num("deadzone", "m_Deadzone"), num("follow_factor", "m_FollowFactor"),
	}},
	{name: "NETMSGTYPE_SV_TEAMSSTATE", key: "sv_teams_state", uuid: "teamsstate@netmsg.ddnet.tw", from: SentByServer, fields: []row{
		num("teams").list(ToEnd),
	}},
	{name: "NETMSGTYPE_SV_DDRACETIME", key: "sv_ddrace_time", uuid: "ddrace-time@netmsg.ddnet.tw", from: SentByServer, fields: []row{
		num("time", "m_Time"), num("check", "m_Check"), num("finish", "m_Finish").between(0, 1),
	}},
	{name: "NETMSGTYPE_SV_RECORD", key: "sv_record", uuid: "record@netmsg.ddnet.tw", from: SentByServer, fields: []row{
		num("server_time_best", "m_ServerTimeBest"), num("player_time_best", "m_PlayerTimeBest"),
	}},
	{name: "NETMSGTYPE_SV_KILLMSGTEAM", key: "sv_kill_msg_team", uuid: "killmsgteam@netmsg.ddnet.tw", from: SentByServer, fields: []row{
		num("team", "m_Team").between(0, 127), num("first", "m_First").between(-1, 127),
	}},
	{name: "NETMSGTYPE_SV_YOURVOTE", key: "sv_your_vote", uuid: "yourvote@netmsg.ddnet.org", from: SentByServer, fields: []row{
		named(&VoteChoices, "voted", "m_Voted").between(-1, 1),
	}},
	{name: "NETMSGTYPE_SV_RACEFINISH", key: "sv_race_finish", uuid: "racefinish@netmsg.ddnet.org", from: SentByServer, fields: []row{
		num("client_id", "m_ClientId").between(0, 127), num("time", "m_Time"), num("diff", "m_Diff"),
		flag("record_personal", "m_RecordPersonal"), flag("record_server", "m_RecordServer").opt(),
	}},
	{name: "NETMSGTYPE_SV_COMMANDINFO", key: "sv_command_info", uuid: "commandinfo@netmsg.ddnet.org", from: SentByServer, fields: []row{
		str("name", "m_pName"), str("args_format", "m_pArgsFormat"), str("help_text", "m_pHelpText"),
	}},
	{name: "NETMSGTYPE_SV_COMMANDINFOREMOVE", key: "sv_command_info_remove", uuid: "commandinfo-remove@netmsg.ddnet.org", from: SentByServer, fields: []row{
		str("name", "m_pName"),
	}},
	{name: "NETMSGTYPE_SV_VOTEOPTIONGROUPSTART", key: "sv_vote_option_group_start", uuid: "sv-vote-option-group-start@netmsg.ddnet.org", from: SentByServer},
	{name: "NETMSGTYPE_SV_VOTEOPTIONGROUPEND", key: "sv_vote_option_group_end", uuid: "sv-vote-option-group-end@netmsg.ddnet.org", from: SentByServer},
	{name: "NETMSGTYPE_SV_COMMANDINFOGROUPSTART", key: "sv_command_info_group_start", uuid: "sv-commandinfo-group-start@netmsg.ddnet.org", from: SentByServer},
	{name: "NETMSGTYPE_SV_COMMANDINFOGROUPEND", key: "sv_command_info_group_end", uuid: "sv-commandinfo-group-end@netmsg.ddnet.org", from: SentByServer},
	{name: "NETMSGTYPE_SV_CHANGEINFOCOOLDOWN", key: "sv_change_info_cooldown", uuid: "change-info-cooldown@netmsg.ddnet.org", from: SentByServer, fields: []row{
		tick("wait_until", "m_WaitUntil").least(0),
	}},
	{name: "NETMSGTYPE_SV_MAPSOUNDGLOBAL", key: "sv_map_sound_global", uuid: "map-sound-global@netmsg.ddnet.org", from: SentByServer, fields: []row{
		num("sound_id", "m_SoundId"),
	}},
	{name: "NETMSGTYPE_SV_PREINPUT", key: "sv_pre_input", uuid: "preinput@netmsg.ddnet.org", from: SentByServer, fields: []row{
		num("direction", "m_Direction"), num("target_x", "m_TargetX"), num("target_y", "m_TargetY"),
		num("jump", "m_Jump"), num("fire", "m_Fire"), num("hook", "m_Hook"),
		named(&wantedWeapons, "wanted_weapon", "m_WantedWeapon"), num("next_weapon", "m_NextWeapon"),
		num("prev_weapon", "m_PrevWeapon"), num("owner", "m_Owner").between(0, 127),
		tick("intended_tick", "m_IntendedTick").least(0),
	}},
	{name: "NETMSGTYPE_SV_SAVECODE", key: "sv_save_code", uuid: "save-code@netmsg.ddnet.org", from: SentByServer, fields: []row{
		named(&SaveStates, "state", "m_State").between(0, 4), str("error", "m_pError"),
		str("save_requester", "m_pSaveRequester"), str("server_name", "m_pServerName"),
		str("generated_code", "m_pGeneratedCode"), str("code", "m_pCode"), str("team_members", "m_pTeamMembers"),
	}},
	{name: "NETMSGTYPE_SV_SERVERALERT", key: "sv_server_alert", uuid: "server-alert@netmsg.ddnet.org", from: SentByServer, fields: []row{
		str("message", "m_pMessage"),
	}},
	{name: "NETMSGTYPE_SV_MODERATORALERT", key: "sv_moderator_alert", uuid: "moderator-alert@netmsg.ddnet.org", from: SentByServer, fields: []row{
		str("message", "m_pMessage"),
	}},
	{name: "NETMSGTYPE_CL_ENABLESPECTATORCOUNT", key: "cl_enable_spectator_count", uuid: "enable-spectator-count@netmsg.ddnet.org", from: SentByClient, fields: []row{
		flag("enable", "m_Enable"),
	}},
	{name: "NETMSGTYPE_SV_MAPINFO", key: "sv_map_info", uuid: "map-info@netmsg.ddnet.org", from: SentByServer, fields: []row{
		str("description", "m_pDescription"),
	}},
}
