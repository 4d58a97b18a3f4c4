package oob

import "github.com/q3dissect/q3dissect/dissect"

// Field describes the object of an out-of-band packet.
var Field = dissect.Field{
	Key: "oob", Name: "connectionless packet", Kind: dissect.Object, Scope: dissect.Datagram,
	Doc:    "an out-of-band packet: four bytes FF, a command line, and data after it in some",
	Source: "SV_ConnectionlessPacket in code/server/sv_main.c, CL_ConnectionlessPacket in code/client/cl_main.c",
	Children: []*dissect.Field{
		&senderField, &CommandField, &ArgumentsField, &Text, &challengeField, &onlyVisibleField, &clientChallengeField,
		&keyChallengeField, &gameNameField, &protocolField, &passwordField, &rconCommandField, &knownRconCommand,
		&keyField, &keyResponseField, &compressedField,
		&infoField, &playersField, &serversField, &dissect.Undecoded,
	},
	Frame: []*dissect.Field{&markerField, &separatorsField},
}

// The words of the command line.
var (
	markerField = dissect.Field{
		Key: "marker", Kind: dissect.Hex, Bits: 32, Framing: dissect.Apart, Doc: "four bytes FF before the command",
		Source: "Netchan_OutOfBandPrint in code/qcommon/net_chan.c",
	}
	separatorsField = dissect.Field{
		Key: "separators", Kind: dissect.List, Framing: dissect.Apart,
		Doc:    "the bytes between the words and other values: blanks, quotes, backslashes, ends of lines and of the text",
		Source: "Cmd_TokenizeString2 in code/qcommon/cmd.c",

		Children: []*dissect.Field{{Kind: dissect.Hex, Framing: dissect.Apart}},
	}
	CommandField = dissect.Field{
		Key: "command", Kind: dissect.Text,
		Doc:    "the first word as sent; games compare it without regard to case",
		Source: "SV_ConnectionlessPacket in code/server/sv_main.c",
	}
	ArgumentsField = dissect.Field{
		Key: "arguments", Kind: dissect.List,
		Doc:      "the words after the command, without their quotes; none where binary data follows",
		Source:   "Cmd_TokenizeString2 in code/qcommon/cmd.c",
		Children: []*dissect.Field{&argumentField},
	}
	argumentField = dissect.Field{
		Kind: dissect.Text, Doc: "a word of the command line",
		Source: "Cmd_TokenizeString2 in code/qcommon/cmd.c",
	}
	Text = dissect.Field{
		Key: "text", Kind: dissect.Text,
		Doc:    "everything after the line feed that ends the command line; absent without a line feed",
		Source: "MSG_ReadStringLine in code/qcommon/msg.c",
	}
)

// Words with a meaning of their own in certain commands.
var (
	challengeField = dissect.Field{
		Key: "challenge", Kind: dissect.Text,
		Doc:    "getinfo, getstatus: any text, which the answer repeats; elsewhere the server's challenge, a signed number",
		Source: "SVC_Status and SVC_Info in code/server/sv_main.c, SV_GetChallenge in code/server/sv_client.c",
	}
	clientChallengeField = dissect.Field{
		Key: "client_challenge", Name: "clientChallenge", Kind: dissect.Text,
		Doc:    "the client's own challenge, which challengeResponse repeats",
		Source: "CL_CheckForResend in code/client/cl_main.c",
	}
	onlyVisibleField = dissect.Field{
		Key: "only_visible_clients", Name: "sv_onlyVisibleClients", Kind: dissect.Int,
		Doc:    "not 0: clients are told of others only while these can be seen",
		Source: "SV_GetChallenge in MP/code/server/sv_client.c of iortcw",
	}
	gameNameField = dissect.Field{
		Key: "game_name", Name: "gamename", Kind: dissect.Text,
		Doc:    "the game's name, by which servers and masters distinguish games",
		Source: "CL_CheckForResend and CL_GlobalServers_f in code/client/cl_main.c",
	}
	protocolField = dissect.Field{
		Key: "protocol", Kind: dissect.Int, Name: "protocol",
		Doc:    "the protocol that is asked for, or the native one of the server",
		Source: "SV_GetChallenge in code/server/sv_client.c, CL_GlobalServers_f in code/client/cl_main.c",
	}
	passwordField = dissect.Field{
		Key: "password", Name: "rconpassword", Kind: dissect.Text, Secret: true,
		Doc:    "the password for remote control as the game sees it: the word after rcon",
		Source: "SVC_RemoteCommand in code/server/sv_main.c",
	}
	rconCommandField = dissect.Field{
		Key: "rcon_command", Kind: dissect.Text,
		Doc:    "the console command for remote control, verbatim: everything after the password and blanks",
		Source: "SVC_RemoteCommand in code/server/sv_main.c",
	}
	// knownRconCommand is rconCommandField where it cannot contain a part of the password, apart from a rest up
	// to a quote.
	knownRconCommand = rconCommandField
	keyField         = dissect.Field{
		Key: "key", Name: "cl_cdkey", Kind: dissect.Text, Secret: true,
		Doc:    "the player's CD key, a secret",
		Source: "CL_RequestAuthorization in code/client/cl_main.c",
	}
	keyResponseField = dissect.Field{
		Key: "key_response", Kind: dissect.Text, Secret: true,
		Doc:    "authorizeThis: what proves the CD key (Medal of Honor)",
		Source: "CL_ConnectionlessPacket, code/client/cl_main.cpp of openmohaa",
	}
	keyChallengeField = dissect.Field{
		Key: "key_challenge", Kind: dissect.Text,
		Doc:    "getKey: the text that the proof of the CD key is made with (Medal of Honor)",
		Source: "SV_GetChallenge, code/server/sv_client.c of openmohaa",
	}
)

// Data of commands other than words.
var (
	compressedField = dissect.Field{
		Key: "compressed", Kind: dissect.Bool,
		Doc:    "the userinfo travelled compressed; only very old clients send it as text",
		Source: "NET_OutOfBandData in code/qcommon/net_chan.c, Huff_Compress in code/qcommon/huffman.c",
	}
	infoField = dissect.Field{
		Key: "info", Kind: dissect.Info,
		Doc: "the infostring: settings of the player (connect), facts about the server (infoResponse, statusResponse), " +
			"news (motd)",
		Source: "CL_CheckForResend in code/client/cl_main.c, SVC_Status and SVC_Info in code/server/sv_main.c",
	}
	playersField = dissect.Field{
		Key: "players", Kind: dissect.List, Doc: "the players on the server, bots too",
		Source:   "SVC_Status in code/server/sv_main.c",
		Children: []*dissect.Field{&playerField},
	}
	playerField = dissect.Field{
		Kind: dissect.Object, Doc: "a player on the server",
		Source:   "SVC_Status in code/server/sv_main.c",
		Children: []*dissect.Field{&scoreField, &pingField, &teamField, &PlayerName},
	}
	teamField = dissect.Field{
		Key: "team", Kind: dissect.Int, Doc: "the number of the player's team, of servers that send it before the name",
		Source: "NetConn_BuildStatusResponse in netconn.c of DarkPlaces; other servers of the family do the same",
	}
	scoreField = dissect.Field{
		Key: "score", Kind: dissect.Int, Doc: "the player's score",
		Source: "SVC_Status in code/server/sv_main.c",
	}
	pingField = dissect.Field{
		Key: "ping", Kind: dissect.Int, Unit: "ms", Doc: "the player's ping; 0 for bots",
		Source: "SVC_Status in code/server/sv_main.c",
	}
	PlayerName = dissect.Field{
		Key: "name", Kind: dissect.Text, Doc: "the player's name, colour codes and all",
		Source: "SVC_Status in code/server/sv_main.c",
	}
	serversField = dissect.Field{
		Key: "servers", Kind: dissect.List, Doc: "game servers that the master server knows",
		Source:   "CL_ServersResponsePacket in code/client/cl_main.c",
		Children: []*dissect.Field{&serverField},
	}
	serverField = dissect.Field{
		Kind: dissect.Label, Doc: "address and port of a server; on the wire binary, big-endian",
		Source: "CL_ServersResponsePacket in code/client/cl_main.c",
	}
)
