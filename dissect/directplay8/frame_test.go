package directplay8_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// TestPublishedFrames are frames that MC-DPL8R prints, and one composed from the reference.
func TestPublishedFrames(t *testing.T) {
	t.Parallel()
	records := enginetest.All(t, protocols(), "",
		enginetest.Datagram{FromClient: true, Payload: enginetest.Unhex(t,
			"88 01 00 00 06 00 01 00 c6 ae c9 79 9d 36 67 23")},
		enginetest.Datagram{Payload: enginetest.Unhex(t, "88 02 00 00 06 00 01 00 c6 ae c9 79 e1 df 04 00")},
		enginetest.Datagram{FromClient: true, Payload: enginetest.Unhex(t,
			"80 02 01 00 06 00 01 00 c6 ae c9 79 9d 36 67 23")},
		enginetest.Datagram{FromClient: true, Payload: enginetest.Unhex(t, "3f 02 00 00 c6 ae c9 79")},
		enginetest.Datagram{Payload: enginetest.Unhex(t, "80 06 01 00 03 06 00 00 07 5d 11 00")},
		enginetest.Datagram{Payload: enginetest.Unhex(t,
			"37 04 05 03 | 0e 00 03 03 | 83 07 00 80 00 00 00 01 00 80 01 00 80 00 00 00 | 04 07 00")},
	)
	connection := func(poll bool, message, tick float64) map[string]any {
		return map[string]any{
			"poll": poll, "message_id": message, "response_id": 0.0, "protocol_version": 65542.0,
			"session_id": 2043260614.0, "timestamp": tick,
		}
	}
	object := func(key string, o map[string]any) map[string]any {
		return map[string]any{"version": "1.6", "control": map[string]any{key: o}}
	}
	want := []map[string]any{
		object("connect", connection(true, 0, 593966749)),
		object("connected", connection(true, 0, 319457)),
		object("connected", connection(false, 1, 593966749)),
		{"version": "1.6", "data": map[string]any{
			"command": 63.0, "command_names": []any{"data", "reliable", "sequential", "poll", "new_msg", "end_msg"},
			"control": 2.0, "control_names": []any{"keep_alive_or_correlate"}, "sequence": 0.0, "next_expected": 0.0,
			"session_id": 2043260614.0, "payload_size": 0.0,
		}},
		object("sack", map[string]any{
			"poll": false, "flags": 1.0, "flags_names": []any{"response"}, "retry": 0.0, "next_send": 3.0, "next_expected": 6.0,
			"timestamp": 1137927.0,
		}),
		{"version": "1.6", "data": map[string]any{
			"command": 55.0, "command_names": []any{"data", "reliable", "sequential", "new_msg", "end_msg"},
			"control": 4.0, "control_names": []any{"coalesce"}, "sequence": 5.0, "next_expected": 3.0, "payload_size": 23.0,
			"parts": []any{
				map[string]any{"size": 14.0, "flags": 0.0, "flags_names": []any{}, "payload": "8307008000000001008001008000"},
				map[string]any{"size": 3.0, "flags": 3.0, "flags_names": []any{"end_of_headers", "reliable"}, "payload": "040700"},
			},
		}},
	}
	for i, r := range records {
		if diff := cmp.Diff(want[i], r.Directplay8); diff != "" {
			t.Errorf("frame %d (-want +got):\n%s", i, diff)
		}
		if len(r.Expert) > 0 {
			t.Errorf("frame %d: %+v", i, r.Expert)
		}
		if client := i == 0 || i == 2 || i == 3; client != (r.Direction == "client_to_server") {
			t.Errorf("frame %d: %s", i, r.Direction)
		}
	}
}

// TestConnectionsFollow has a connection, a request for another one that nobody answers, and one that is answered.
func TestConnectionsFollow(t *testing.T) {
	t.Parallel()
	steps := []struct {
		fromClient bool
		frame      string
		duplicate  bool
	}{
		{true, "88 01 00 00 06 00 01 00 c6 ae c9 79 9d 36 67 23", false},
		{false, "88 02 00 00 06 00 01 00 c6 ae c9 79 e1 df 04 00", false},
		{true, "80 02 01 00 06 00 01 00 c6 ae c9 79 9d 36 67 23", false},
		{true, "37 00 00 00 01 02 03", false},
		{true, "37 00 01 00 01 02 04", false},
		{true, "37 01 01 00 01 02 04", true}, // sent again
		{true, "37 00 01 00 09 09 09", false},
		{true, "37 00 65 00 09 09 09", false}, // far ahead
		{true, "37 00 02 00 01 02 05", false},
		{false, "88 01 00 00 05 00 01 00 de ad be ef 9d 36 67 23", false}, // nobody answers
		{true, "37 01 02 00 01 02 05", true},
		{true, "88 01 00 00 05 00 01 00 fe ed fe ed 9d 36 67 23", false},
		{false, "88 02 00 00 05 00 01 00 fe ed fe ed 9d 36 67 23", false},
		{true, "37 00 02 00 01 02 05", false},
	}
	var datagrams []enginetest.Datagram
	for _, s := range steps {
		datagrams = append(datagrams, enginetest.Datagram{FromClient: s.fromClient, Payload: enginetest.Unhex(t, s.frame)})
	}
	for i, r := range enginetest.All(t, protocols(), "", datagrams...) {
		if data, ok := r.Directplay8["data"].(map[string]any); ok && (data["duplicate"] == true) != steps[i].duplicate {
			t.Errorf("frame %d: duplicate %v", i, data["duplicate"])
		}
		if server := i == 1 || i == 12; i != 9 && server != (r.Direction == "server_to_client") {
			t.Errorf("frame %d: %s", i, r.Direction)
		}
		if want := map[bool]string{true: "1.6", false: "1.5"}[i < 9 || i == 10]; r.Directplay8["version"] != want {
			t.Errorf("frame %d: version %v", i, r.Directplay8["version"])
		}
	}
}

// TestDiscovery reads a query and the response to it.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	guid := enginetest.Unhex(t, "00112233445566778899aabbccddeeff")
	records := enginetest.All(t, protocols(), "",
		enginetest.Datagram{FromClient: true, Payload: append(wire.Query(0xbeef, guid), 1, 2, 3)},
		enginetest.Datagram{Payload: wire.Response(0xbeef, "Häuser", guid, guid)})
	query := records[0].Directplay8["discovery"].(map[string]any)["query"]
	// Of a GUID the first three groups are little-endian numbers.
	want := map[string]any{
		"tag": float64(0xbeef), "type": 1.0, "type_name": "application",
		"application_guid": "33221100-5544-7766-8899-aabbccddeeff", "data": "010203",
	}
	if diff := cmp.Diff(any(want), query); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
	response := records[1].Directplay8["discovery"].(map[string]any)["response"].(map[string]any)
	for key, want := range map[string]any{
		"tag": float64(0xbeef), "session_name": "Häuser", "max_players": 8.0, "current_players": 1.0,
		"flags_names": []any{"client_server"}, "instance_guid": "33221100-5544-7766-8899-aabbccddeeff",
		"description_size": 80.0,
	} {
		if diff := cmp.Diff(want, response[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	if records[1].Direction != "server_to_client" {
		t.Errorf("direction %s", records[1].Direction)
	}
}

// TestSigned reads a signed connection: a signature of eight bytes precedes each payload.
func TestSigned(t *testing.T) {
	t.Parallel()
	connected := append(enginetest.Unhex(t, "88 03 00 00 06 00 01 00 c6 ae c9 79 e1 df 04 00"), make([]byte, 32)...)
	connected[40] = 1 // fast signing
	payload := []byte("payload")
	frame := append(enginetest.Unhex(t, "3f 00 00 00 | 08 07 06 05 04 03 02 01"), payload...)
	records := enginetest.All(t, protocols(), "",
		enginetest.Datagram{FromClient: true, Payload: enginetest.Unhex(t,
			"88 01 00 00 06 00 01 00 c6 ae c9 79 9d 36 67 23")},
		enginetest.Datagram{Payload: connected},
		enginetest.Datagram{FromClient: true, Payload: frame})
	signed := records[1].Directplay8["control"].(map[string]any)["connected_signed"].(map[string]any)
	if diff := cmp.Diff([]any{"fast_signed"}, signed["signing_options_names"].([]any)); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	data := records[2].Directplay8["data"].(map[string]any)
	if data["signature"] != "72623859790382856" || data["payload"] != "7061796c6f6164" {
		t.Errorf("got %v", data)
	}
}

// TestJoinAcrossCut reads a message whose parts the capture cut, up to the first hole.
func TestJoinAcrossCut(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 1, 3}, {2, 0, 3, 1}} {
		for cut, want := range []string{"abcd", "abcdefgh1234", "abcdefgh12345678stuv", "abcdefgh12345678stuvwxyzend"} {
			peer := &wire.Peer8{Session: 5, Minor: 6}
			list := []enginetest.Datagram{{FromClient: true, Payload: peer.Connect()}}
			frames := peer.Split([]byte("abcdefgh12345678stuvwxyzendings"), 8)
			for _, i := range order {
				d := enginetest.Datagram{FromClient: true, Payload: frames[i]}
				if i == cut {
					d.Payload, d.Cut = d.Payload[:len(d.Payload)-4], 4
				}
				list = append(list, d)
			}
			data := enginetest.Last(t, protocols(), "directplay8", 1, list...)[0].Directplay8["data"].(map[string]any)
			if data["payload"] != enginetest.Hex([]byte(want)) || data["reassembled_from"] == nil {
				t.Errorf("order %v, part %d Cut: %v", order, cut, data)
			}
		}
	}
}

// TestSplitInAnyOrder puts messages together whose frames come doubled and in any order, as far as a sender's
// window lets them.
func TestSplitInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		peer := &wire.Peer8{Session: 5, Minor: 6}
		list := []enginetest.Datagram{{FromClient: true, Payload: peer.Connect()}}
		var frames [][]byte
		want := map[string]int{}
		for range rapid.IntRange(1, 4).Draw(t, "messages") {
			message := rapid.SliceOfN(rapid.Byte(), 20, 90).Draw(t, "message")
			frames = append(frames, peer.Split(message, 16)...)
			want[enginetest.Hex(message)]++
		}
		order := rapid.Permutation(frames).Draw(t, "order")
		for _, f := range order {
			list = append(list, enginetest.Datagram{FromClient: true, Payload: f})
			if rapid.Bool().Draw(t, "again") {
				list = append(list, enginetest.Datagram{FromClient: true, Payload: wire.Again(f)})
			}
		}
		records, err := enginetest.Run(protocols(), "directplay8", list, len(list))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, r := range records[1:] {
			data := r.Directplay8["data"].(map[string]any)
			if data["reassembled_from"] != nil {
				got[data["payload"].(string)]++
			}
			if len(r.Expert) > 0 {
				t.Fatalf("entries %+v", r.Expert)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("messages (-want +got):\n%s", diff)
		}
	})
}

// TestLostPart reports a message whose part never comes as lost, once, and reads what follows.
func TestLostPart(t *testing.T) {
	t.Parallel()
	peer := &wire.Peer8{Session: 5, Minor: 6}
	list := []enginetest.Datagram{{FromClient: true, Payload: peer.Connect()}}
	for i, f := range peer.Split(make([]byte, 80), 16) {
		if i != 2 {
			list = append(list, enginetest.Datagram{FromClient: true, Payload: f})
		}
	}
	for range 80 {
		for _, f := range peer.Split([]byte("another message that is split"), 16) {
			list = append(list, enginetest.Datagram{FromClient: true, Payload: f})
		}
	}
	lost, whole := 0, 0
	for _, r := range enginetest.All(t, protocols(), "directplay8", list...) {
		for _, e := range r.Expert {
			if e.Code != "fragment_lost" || e.Severity != "warning" {
				t.Errorf("entry %+v", e)
			}
			lost++
		}
		if data, ok := r.Directplay8["data"].(map[string]any); ok && data["reassembled_from"] != nil {
			whole++
		}
	}
	if lost != 2 || whole != 80 { // the piece before the gap and the one after it
		t.Errorf("%d pieces lost, %d messages whole", lost, whole)
	}
}
