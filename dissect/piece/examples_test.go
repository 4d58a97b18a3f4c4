package piece_test

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/piece"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// An example is a piece that a page about a protocol prints, and what the page says of it.
type example struct {
	kind, version, from, bytes string
	key                        *dissect.PieceKey
	want                       string // in the JSON without names
}

// The worked examples of the pages in docs/protocols and of their sources. %s is the sample of GameStudio's manual.
var examples = []example{
	{
		kind: "teeworlds.chunk", bytes: "40 06 0c 08 00 40 00 91 3b", // header, game message 4, ints 0, -1, 0, 3793
		want: `"chunks":[{"vital":true,"resend":false,"size":6,"sequence":12,"state":"ok","id":4,"system":false,` +
			`"sv_team":{"client_id":0,"team":-1,"silent":false,"cooldown_tick":3793}}]`,
	},
	{
		kind: "teeworlds.message", bytes: "08 00 40 00 91 3b",
		want: `"chunks":[{"id":4,"system":false,"sv_team":{"client_id":0,"team":-1,"silent":false,"cooldown_tick":3793}}]`,
	},
	{ // the first packet with data of a client
		kind: "teeworlds.packet", from: "client", bytes: `00 00 01 aa bb cc dd 40 19 01 03 30 2e 37 20 38 30 32 66 31 62 65 36 30
			61 30 35 36 36 35 66 00 00 85 1c`,
		want: `"flags":[],"ack":0,"num_chunks":1,"token":"aabbccdd","chunks":[{"vital":true,"resend":false,"size":25,` +
			`"sequence":1,"state":"ok","id":1,"system":true,"info":{"net_version":"0.7 802f1be60a05665f","password":"",` +
			`"client_version":1797}}]`,
	},
	{
		kind: "teeworlds.snapshot", bytes: "00 02 00 06 00 0a 00 00 17 00 01 8d 01", // sum 87, by the game's own code
		want: `"snapshot":{"crc":87,"items":[{"type":6,"id":0,"update":"new","gamedata":{"game_start_tick":10,` +
			`"game_state_flags":0,"game_state_end_tick":0}},{"type":23,"id":0,"update":"new",` +
			`"playerinforace":{"race_start_tick":77}}],"removed":[]}`,
	},
	{
		kind: "teeworlds.snapshot_delta", bytes: "01 02 00 80 80 b8 01 06 00 00 04 40 0b 03 00 05 28",
		want: `"items":[{"type":6,"id":0,"update":"unknown","differences":[0,4,-1]},` +
			`{"type":11,"id":3,"update":"unknown","differences":[0,5,40]}],"removed":[{"type":23,"id":0}]`,
	},
	{
		kind: "gamestudio.message", bytes: "%s", // Manual, "Client/Server", SVC_UPDATE
		want: `"svc_update2":{"entity_index":7,"position":{"x":1,"y":2,"z":3},"pan":{"degrees":0.7031357,"raw":128,"bytes":"8000",`,
	},
	{ // Microsoft's open specification of DirectPlay 8
		kind: "directplay8.packet", from: "client", bytes: "88 01 00 00 06 00 01 00 c6 ae c9 79 9d 36 67 23",
		want: `"version":"1.6","control":{"connect":{"poll":true,"message_id":0,"response_id":0,"protocol_version":65542,` +
			`"session_id":2043260614,`,
	},
	{
		kind: "directplay8.packet", bytes: "88 02 00 00 06 00 01 00 c6 ae c9 79 e1 df 04 00",
		want: `"control":{"connected":{"poll":true,"message_id":0,"response_id":0,`,
	},
	{
		kind: "directplay8.packet", from: "client", bytes: "80 02 01 00 06 00 01 00 c6 ae c9 79 9d 36 67 23",
		want: `"control":{"connected":{"poll":false,"message_id":1,"response_id":0,`,
	},
	{
		kind: "directplay8.packet", bytes: "3f 02 00 00 c6 ae c9 79",
		want: `"data":{"command":63,"control":2,"sequence":0,"next_expected":0,"session_id":2043260614,"payload_size":0}`,
	},
	{
		kind: "directplay8.packet", bytes: "80 06 01 00 03 06 00 00 07 5d 11 00",
		want: `"sack":{"poll":false,"flags":1,"retry":0,"next_send":3,"next_expected":6,"timestamp":1137927}`,
	},
	{ // six bytes, where the page counts five
		kind: "directplay8.packet", bytes: "3d 00 05 03 01 41 42 43 44 45", want: `"payload_size":6,"payload":"014142434445"`,
	},
	{
		kind: "directplay8.packet", bytes: "37 00 05 03 %s",
		want: `"sequence":5,"next_expected":3,"payload_size":14,"payload":"8307008000000001008001008000"`,
	},
	{
		kind: "directplay8.packet", bytes: "37 04 05 03 | 0e 00 03 03 | %s 00 00 | 04 07 00",
		want: `"parts":[{"size":14,"flags":0,"payload":"8307008000000001008001008000"},{"size":3,"flags":3,"payload":"040700"}]`,
	},
	{
		kind: "enet.packet", from: "client", bytes: `8f ff 12 34 82 ff 00 01 00 00 ff ff 00 00 05 70 00 00 80 00 00 00 00 02
			00 00 00 00 00 00 00 00 00 00 13 88 00 00 00 02 00 00 00 02 a1 b2 c3 d4 00 00 00 00`,
		want: `"version":"1.3","timed":true,"compressed":false,"session_id":0,"peer_id":4095,"sent_time":4660,` +
			`"commands":[{"connect":{"acknowledge":true,"unsequenced":false,"channel":255,"sequence":1,"outgoing_peer_id":0,` +
			`"incoming_session_id":255,"outgoing_session_id":255,"mtu":1392,"window_size":32768,"channel_count":2,`,
	},
	{
		kind: "enet.packet", bytes: "10 03 07 00 00 01 00 01 00 0e %s",
		want: `"send_unreliable":{"acknowledge":false,"unsequenced":false,"channel":0,"sequence":1,"unreliable_sequence":1,` +
			`"length":14,"data":"8307008000000001008001008000"}`,
	},
	{
		kind: "enet.packet", version: "1.2", bytes: "a1 b2 c3 d4 00 03 07 00 00 01 00 01 00 0e %s",
		want: `"version":"1.2","checksum_or_session":2712847316,"timed":false,"peer_id":3,"commands":[{"send_unreliable":`,
	},
	{ // 158 bytes in 132: connect of 1.32
		kind: "quake3.connectionless", bytes: `ffffffff636f6e6e6563742000924474308e39f4c7219cc4144c8e65864b90f437b6c0d91fc6db
			5c3cfa1343c546352c2c63076b882d230cc7d5c19e0ff9ed80a59bb2c600d329ac4fa30ebc590f9af5ccb8d0cf50e7ba38a1791a657ea176
			c9fbaf2c3ca8ca6dd83c380ee3d8d7db214f60cef4a79cf55d28afebd07a2d4dc1ee923801`,
		want: `"oob":{"command":"connect","arguments":["\\cg_predictItems\\1\\sex\\male\\handicap\\100\\color1\\4\\color2` +
			`\\5\\snaps\\20\\rate\\25000\\model\\sarge\\name\\Visor\\protocol\\68\\qport\\12345\\challenge\\-1467280"],` +
			`"compressed":true,`,
	},
	{ // the handshake of 43 in clear text
		kind: "quake3.connectionless", bytes: `"\xff\xff\xff\xffconnect \"\\name\\Sarge\\color\\4\\protocol\\43\\qport\\7\""`,
		want: `"compressed":false,"info":{"name":"Sarge","color":"4","protocol":"43","qport":"7"}`,
	},
	{
		kind: "quake3.packet", bytes: `"\xff\xff\xff\xffchallengeResponse 745838175"`,
		want: `"oob":{"command":"challengeResponse","arguments":["745838175"],`,
	},
	{ // a query of Medal of Honor has the direction after the mark
		kind: "quake3.connectionless", bytes: "FF FF FF FF 02 67 65 74 69 6e 66 6f", want: `"command":"getinfo"`,
	},
	{
		kind: "quake3.packet", version: "43", from: "client", bytes: "01000000 c2af f0b852ab9d95e4f36f9826ba",
		want: `"sequence":1,"fragmented":false,"qport":44994},"client_message":{"server_id":0,"message_acknowledge":1,` +
			`"reliable_acknowledge":0,"ops":[]}`,
	},
	{
		kind: "quake3.packet", version: "43", bytes: "01000000 0700 aa2308b3034546d7b840faa52e9f2cf160da44e1543d06",
		want: `"snapshot":{"client_command_sequence":0,"server_time":4300,"delta_num":0,"snap_flags":6,"area_mask":"00",` +
			`"player_state":{"stats":{"7":100}},"entities":[]}`,
	},
	{
		kind: "quake3.client_message", version: "43", bytes: "00000000 01000000 00000000",
		want: `"client_message":{"server_id":0,"message_acknowledge":1,"reliable_acknowledge":0,"ops":[]}`,
	},
	{
		kind: "quake3.server_message", bytes: "bf1a31835a7884c290bd8970304cccd93bf6443f4dc45d01",
		want: `"server_message":{"reliable_acknowledge":7,"ops":[{"server_command":{"sequence":42,` +
			`"command":"print \"hello 50.\n\"","name":"print","arguments":["hello 50.\n"]}},{"nop":{}},{"eof":{}}]}`,
	},
	{
		kind: "quake3.server_message", bytes: "bf1a3183c828adabdb949009675bf90a89b6241b58b11818",
		key:  &dissect.PieceKey{Number: 0x1234ABCD, Sequence: 300, Command: []byte(`say "100% "`)},
		want: `"ops":[{"server_command":{"sequence":42,"command":"print \"hello 50.\n\"",`,
	},
	{ // the same with its header
		kind: "quake3.packet", bytes: "2c010000 bf1a3183c828adabdb949009675bf90a89b6241b58b11818",
		key:  &dissect.PieceKey{Number: 0x1234ABCD, Command: []byte(`say "100% "`)},
		want: `"ops":[{"server_command":{"sequence":42,"command":"print \"hello 50.\n\"",`,
	},
	{
		kind:  "quake3.client_message",
		bytes: "87cdc19782ad33a8a155cd7b2d8e9853bd80ca4f15ae30f523ecd89debf629c3eb38c49dec1763",
		key:   &dissect.PieceKey{Number: 0x1234ABCD, Command: []byte("print \"hello 50%\n\"")},
		want: `"client_message":{"server_id":1234567,"message_acknowledge":299,"reliable_acknowledge":42,` +
			`"ops":[{"client_command":{"sequence":8,"command":"score","name":"score","arguments":[]}},{"move":{"count":2,`,
	},
}

// TestWorkedExamples decodes them: what the page says is there, and nothing is left over.
func TestWorkedExamples(t *testing.T) {
	t.Parallel()
	for _, e := range examples {
		data, err := piece.Parse(strings.ReplaceAll(e.bytes, "%s", "83 07 00 80 00 00 00 01 00 80 01 00 80 00"))
		if err != nil {
			t.Fatal(err)
		}
		o := dissect.PieceOptions{Direction: dissect.ServerToClient, Version: e.version, Key: e.key}
		if e.from == "client" {
			o.Direction = dissect.ClientToServer
		}
		rec := piece.Find(all.Protocols(), e.kind).Decode(data, o)
		got := string(render.AppendJSON(nil, rec, render.JSON{NoNames: true}))
		if !strings.Contains(got, e.want) {
			t.Errorf("%s %s: %s\nwant in it %s", e.kind, e.bytes, got, e.want)
		}
		for _, x := range rec.Experts {
			if x.Severity != dissect.Note && x.Code != "key_unknown" {
				t.Errorf("%s %s: %s: %s", e.kind, e.bytes, x.Code, x.Message)
			}
		}
	}
}
