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
	"heartbeat":          "a server reports itself to a master",
	"getlist":            "asks a master for its servers",
	"list":               "servers that a master knows",
	"getcount":           "asks a master how many servers it knows",
	"count":              "how many servers a master knows",
	"getinfo":            "asks a server who plays there",
	"info":               "a server and who plays there",
	"getinfo_64_legacy":  "the same for up to 64 players",
	"info_64_legacy":     "a server and some of those who play there",
	"info_extended":      "a DDNet server and who plays there",
	"info_extended_more": "more players of a DDNet server",
	"challenge":          "DDNet's master tests whether a server that registers over HTTP can be reached",
	"fwcheck":            "a master tests whether a server can be reached",
	"fwresponse":         "the server's answer to the test",
	"fwok":               "the master says that the server can be reached",
	"fwerror":            "the master says that the server cannot be reached",
	"getversion":         "asks for the newest version of the game",
	"version":            "newest version of the game",
	"getmaplist":         "asks for the maps that clients may trust",
	"maplist":            "maps that clients may trust",

	"address":        "address and port in the usual form",
	"browser_token":  "number that the answer repeats",
	"token":          "number that the answer repeats; with DDNet's extra header three bytes, two of them in that header",
	"clients":        "who is on the server",
	"clan":           "clan of a player",
	"client_version": "version of the asking client",
	"colon":          "a colon between secret and protocol",
	"country":        "country of a player, ISO 3166-1 numeric; -1: none",
	"crc":            "CRC-32 of the map",
	"flags":          "what is special about the server",
	"game_type":      "name of the game's rules",
	"hostname":       "name of the server's host",
	"ip":             "IPv6 address, or IPv4 as ::ffff:a.b.c.d",
	"is_player":      "1: plays; 0: watches",
	"map":            "name of the map",
	"maps":           "the maps",
	"map_crc":        "CRC-32 of the map, as a signed number",
	"map_size":       "length of the map",
	"max_clients":    "how many can be there",
	"max_players":    "how many can play",
	"name":           "name of the server, a player or a map",
	"num_clients":    "how many are there",
	"num_players":    "how many play",
	"offset":         "number of players in the packets before",
	"packet_no":      "number of this packet, from 1",
	"player_type":    "whether someone plays",
	"port":           "UDP port",
	"protocol":       "protocol that the master tests",
	"reserved":       "empty",
	"score":          "score of a player",
	"servers":        "the servers",
	"sha256":         "SHA-256 of the map",
	"size":           "length of the map",
	"skill_level":    "how good players are there",

	"challenge_secret": "UUID that the server is to send to the master",
}
