// Package raknet reads what RakNet sends outside connections to find servers: ping and pong. Minecraft's server list
// works that way.
//
// Sources: RakNet 4, MessageIdentifiers.h (ID_UNCONNECTED_PING and ID_UNCONNECTED_PONG) and RakPeer.cpp
// (Ping, ProcessOfflineNetworkPacket). Numbers are big-endian.
package raknet

import "github.com/q3dissect/q3dissect/dissect"

// Identifiers of messages, MessageIdentifiers.h.
const (
	idPing = 0x01
	idPong = 0x1c
)

// magic marks messages outside connections: OFFLINE_MESSAGE_DATA_ID in RakPeer.cpp.
const magic = "\x00\xff\xff\x00\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78"

// Where the magic is, in bytes.
const (
	magicInPing = 1 + 8     // after identifier and time
	magicInPong = 1 + 8 + 8 // after identifier, time and the server's number
)

const (
	pingSource = "RakPeer::Ping"
	pongSource = "ProcessOfflineNetworkPacket, RakPeer.cpp"
)

var idNames = dissect.Enum{
	First:  idPing,
	Tables: [][]string{{0: "unconnected_ping", idPong - idPing: "unconnected_pong"}},
}

var (
	idField = dissect.Field{
		Key: "id", Kind: dissect.Uint, Bits: 8, Enum: &idNames, Doc: "what the message is", Source: "MessageIdentifiers.h",
	}
	timeField = dissect.Field{
		Key: "time", Name: "sendPingTime", Kind: dissect.Uint, Bits: 64, Unit: "ms",
		Doc: "clock of who sent the ping; the pong repeats it", Source: pingSource,
	}
	magicField = dissect.Field{
		Key: "magic", Name: "OFFLINE_MESSAGE_DATA_ID", Kind: dissect.Hex, Bits: 128,
		Doc: "always the same: a message outside a connection", Source: "RakPeer.cpp",
	}
	clientField = dissect.Field{
		Key: "client_guid", Kind: dissect.Uint, Bits: 64, Doc: "random number of who asks", Source: pingSource,
	}
	serverField = dissect.Field{
		Key: "server_guid", Kind: dissect.Uint, Bits: 64, Doc: "random number of the server", Source: pongSource,
	}
	lengthField = dissect.Field{
		Key: "text_length", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Doc: "length of text",
		Source: "minecraft.wiki, RakNet",
	}
	textField = dissect.Field{
		Key: "text", Kind: dissect.Text, Doc: "what the server says of itself, parts separated by semicolons",
		Source: "minecraft.wiki, RakNet",
	}
)

var rootField = dissect.Field{
	Key: "raknet", Kind: dissect.Object, Doc: "a message of RakNet outside a connection",
	Children: []*dissect.Field{
		&idField, &timeField, &serverField, &magicField, &clientField, &lengthField, &textField, &dissect.Undecoded,
	},
}
