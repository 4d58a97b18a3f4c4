package connless

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// The messages without connection. SERVERBROWSE_* in src/mastersrv/mastersrv.h and VERSIONSRV_* in
// src/versionsrv/versionsrv.h of each game; their fields: CServer::GenerateServerInfo in
// src/engine/server/server.cpp, CServerBrowser in src/engine/client/serverbrowser.cpp.
//
// Directions are those of the roles: who asks or announces himself is the client.
var (
	clients07       = cList("clients", cText("name"), cText("clan"), cInt("country"), cInt("score"), cInt("player_type").names(&tables.PlayerTypes))
	clients06       = cList("clients", cText("name"), cText("clan"), cDecimal("country"), cDecimal("score"), cDecimal("is_player"))
	clientsExtended = cList("clients", cText("name"), cText("clan"), cDecimal("country"), cDecimal("score"), cDecimal("is_player"), cText("reserved"))
	servers         = cList("servers", cHex("ip", 16), cPort("port"))

	// challenge is in a packet of the protocol that is registered: send_challenge, src/mastersrv/src/main.rs of DDNet. Its
	// first text is the secret that the server has sent to the master over HTTP, with the protocol.
	challenge = []cRow{cPadded("challenge_secret", 36), cPadded("colon", 1), cText("protocol"), cText("token")}

	messages07 = []messageRow{
		{"bea2", "heartbeat", dissect.ClientToServer, []cRow{cU16("port")}},
		{"req2", "getlist", dissect.ClientToServer, nil},
		{"lis2", "list", dissect.ServerToClient, []cRow{servers}},
		{"cou2", "getcount", dissect.ClientToServer, nil},
		{"siz2", "count", dissect.ServerToClient, []cRow{cU16("count")}},
		{"gie3", "getinfo", dissect.ClientToServer, []cRow{cInt("browser_token")}},
		{"inf3", "info", dissect.ServerToClient, []cRow{
			cInt("browser_token"), cText("version"), cText("name"), cText("hostname"), cText("map"), cText("game_type"),
			cInt("flags").names(&tables.ServerFlags), cInt("skill_level").names(&tables.SkillLevels), cInt("num_players"), cInt("max_players"),
			cInt("num_clients").count(), cInt("max_clients"), clients07.counted(),
		}},
		{"fw??", "fwcheck", dissect.ClientToServer, nil},
		{"fw!!", "fwresponse", dissect.ServerToClient, nil},
		{"fwok", "fwok", dissect.ClientToServer, nil},
		{"fwer", "fwerror", dissect.ClientToServer, nil},
		{"chal", "challenge", dissect.ClientToServer, challenge},
		{"verg", "getversion", dissect.ClientToServer, nil},
		{"vers", "version", dissect.ServerToClient, []cRow{cRest("version")}},
		{"vmlg", "getmaplist", dissect.ClientToServer, []cRow{cU32("client_version").opt()}},
		{"vmls", "maplist", dissect.ServerToClient, []cRow{cList("maps", cPadded("name", 8), cHex("crc", 4), cU32("size"), cHex("sha256", 32))}},
	}
	messages06 = []messageRow{
		{"bea2", "heartbeat", dissect.ClientToServer, []cRow{cU16("port")}},
		{"req2", "getlist", dissect.ClientToServer, nil},
		{"lis2", "list", dissect.ServerToClient, []cRow{servers}},
		{"cou2", "getcount", dissect.ClientToServer, nil},
		{"siz2", "count", dissect.ServerToClient, []cRow{cU16("count")}},
		{"gie3", "getinfo", dissect.ClientToServer, []cRow{cU8("token")}},
		{"inf3", "info", dissect.ServerToClient, append(serverInfo06("map"), clients06)},
		{"fstd", "getinfo_64_legacy", dissect.ClientToServer, []cRow{cU8("token")}},
		{"dtsf", "info_64_legacy", dissect.ServerToClient, append(serverInfo06("map"), cInt("offset"), clients06)},
		{"iext", "info_extended", dissect.ServerToClient, append(serverInfo06("map", "map_crc", "map_size"), cText("reserved"), clientsExtended)},
		{"iex+", "info_extended_more", dissect.ServerToClient, []cRow{cDecimal("token"), cDecimal("packet_no"), cText("reserved"), clientsExtended}},
		{"chal", "challenge", dissect.ClientToServer, challenge},
		{"fw??", "fwcheck", dissect.ClientToServer, nil},
		{"fw!!", "fwresponse", dissect.ServerToClient, nil},
		{"fwok", "fwok", dissect.ClientToServer, nil},
		{"fwer", "fwerror", dissect.ClientToServer, nil},
		{"verg", "getversion", dissect.ClientToServer, nil},
		{"vers", "version", dissect.ServerToClient, []cRow{cRest("version")}},
		{"vmlg", "getmaplist", dissect.ClientToServer, nil},
		{"vmls", "maplist", dissect.ServerToClient, []cRow{cList("maps", cPadded("name", 8), cHex("crc", 4), cU32("size"))}},
	}
)

// serverInfo06 are the fields that all forms of 0.6's server info begin with, with those of the map.
func serverInfo06(mapKeys ...string) []cRow {
	rows := []cRow{cDecimal("token"), cText("version"), cText("name"), cText(mapKeys[0])}
	for _, key := range mapKeys[1:] {
		rows = append(rows, cDecimal(key))
	}
	return append(rows, cText("game_type"), cDecimal("flags").names(&tables.ServerFlags),
		cDecimal("num_players"), cDecimal("max_players"), cDecimal("num_clients"), cDecimal("max_clients"))
}

// docs describe the messages and their fields.
var docs = map[string]string{
	"heartbeat":          "a server registers with a master server",
	"getlist":            "asks a master server for its list of servers",
	"list":               "part of a master server's list of servers",
	"getcount":           "asks a master server how many servers it lists",
	"count":              "how many servers a master knows",
	"getinfo":            "asks a server for its name, map and players",
	"info":               "name, map and players of a server",
	"getinfo_64_legacy":  "asks a server with up to 64 players for its name, map and players",
	"info_64_legacy":     "name and map of a server, and up to 24 of its players",
	"info_extended":      "name, map and players of a DDNet server",
	"info_extended_more": "further players of a DDNet server",
	"challenge":          "DDNet's master server tests whether a server that registers over HTTP can be reached",
	"fwcheck":            "a master server tests whether a server can be reached",
	"fwresponse":         "answer of the server to fwcheck",
	"fwok":               "the master server reports that the server can be reached",
	"fwerror":            "the master server reports that the server cannot be reached",
	"getversion":         "asks for the newest version of the game",
	"version":            "newest version of the game",
	"getmaplist":         "asks for the list of official maps",
	"maplist":            "the official maps with their checksums",

	"address":        "address and port, as in 1.2.3.4:8303",
	"browser_token":  "random number of the request; the answer repeats it",
	"token":          "random number of the request; the answer repeats it (one byte; DDNet's extended packets have 24 bits, 16 of them in extra)",
	"clients":        "players and spectators on the server",
	"clan":           "clan of the player",
	"client_version": "version of the client that asks",
	"colon":          "a colon, between secret and protocol",
	"country":        "country of the player as an ISO 3166-1 number; -1: none chosen",
	"crc":            "CRC-32 of the map file",
	"flags":          "properties of the server as bits: 1 a password is needed",
	"game_type":      "name of the game type, such as CTF or DDraceNetwork",
	"hostname":       "host name of the server; empty where none is set",
	"ip":             "IPv6 address, or IPv4 as ::ffff:a.b.c.d",
	"is_player":      "1: a player, 0: a spectator",
	"map":            "name of the map",
	"maps":           "the maps",
	"map_crc":        "CRC-32 of the map file, as a signed number",
	"map_size":       "length of the map file, in bytes",
	"max_clients":    "most clients that the server takes",
	"max_players":    "most players that the server takes; other clients watch",
	"name":           "name of the server, a player or a map",
	"num_clients":    "clients on the server, players and spectators",
	"num_players":    "players on the server, without spectators",
	"offset":         "number of players that earlier packets of this answer list",
	"packet_no":      "number of this packet, from 1",
	"player_type":    "0 player, 1 spectator, 2 bot",
	"port":           "UDP port",
	"protocol":       "protocol that the master tests",
	"reserved":       "empty",
	"score":          "score of the player; in a race of DDNet minus the best time in s, -9999: none",
	"servers":        "the servers",
	"sha256":         "SHA-256 of the map file",
	"size":           "length of the map file, in bytes",
	"skill_level":    "for whom the server is: 0 casual, 1 normal, 2 competitive players",

	"challenge_secret": "secret UUID that the server has sent to the master server over HTTP",
}
