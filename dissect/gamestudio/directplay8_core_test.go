package gamestudio_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// The frames that MC-DPL8CS section 4 prints, without the Ethernet, IP and UDP headers before them: real traffic of a
// peer that joins a session of two.
const (
	publishedConnectInfo = `
		7F 00 01 00 C1 00 00 00 04 00 00 00 08 00 00 00 60 00 00 00 14 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
		00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 23 81 BE 94 AB A1 FB 48 A2 E7 23 85 9E 65 89 36 DA 80 EF 61 1B 69 47 42
		9A DD 1C 7B ED 2B C1 3E 58 00 00 00 08 00 00 00 07 02 08 FE 41 34 EF 3D 54 00 65 00 73 00 74 00 20 00 55 00 73 00 65 00
		72 00 00 00`
	publishedSendConnectInfo = `
		7F 00 01 02 C2 00 00 00 00 00 00 00 00 00 00 00 50 00 00 00 04 00 00 00 00 00 00 00 02 00 00 00 56 01 00 00 1A 00 00 00
		00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 23 81 BE 94 AB A1 FB 48 A2 E7 23 85 9E 65 89 36
		DA 80 EF 61 1B 69 47 42 9A DD 1C 7B ED 2B C1 3E 20 81 8E 94 03 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 21 81 9E 94
		00 00 00 00 02 01 00 00 02 00 00 00 00 00 00 00 07 00 00 00 42 01 00 00 14 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
		00 00 00 00 20 81 8E 94 00 00 00 00 00 01 00 00 03 00 00 00 00 00 00 00 08 00 00 00 2E 01 00 00 14 00 00 00 00 00 00 00
		00 00 00 00 CC 00 00 00 62 00 00 00 78 2D 64 69 72 65 63 74 70 6C 61 79 3A 2F 70 72 6F 76 69 64 65 72 3D 25 37 42 45 42
		46 45 37 42 41 30 2D 36 32 38 44 2D 31 31 44 32 2D 41 45 30 46 2D 30 30 36 30 39 37 42 30 31 34 31 31 25 37 44 3B 68 6F
		73 74 6E 61 6D 65 3D 36 35 2E 35 32 2E 32 33 39 2E 36 31 3B 70 6F 72 74 3D 32 33 30 32 00 54 00 65 00 73 00 74 00 20 00
		55 00 73 00 65 00 72 00 00 00 54 00 65 00 73 00 74 00 20 00 55 00 73 00 65 00 72 00 00 00 54 00 65 00 73 00 74 00 20 00
		53 00 65 00 73 00 73 00 69 00 6F 00 6E 00 00 00`
	publishedData = "3D 00 05 03 01 00 48 00 49 00 20 00 54 00 48 00 45 00 52 00 45 00 00 00"
)

func published(t testing.TB, text string) []byte {
	return unhex(t, strings.NewReplacer("\n", "", "\t", "").Replace(text))
}

// coreOf is the core message of a record: its name and body.
func coreOf(r *record) (string, map[string]any) {
	data, _ := r.Directplay8["data"].(map[string]any)
	core, _ := data["core"].(map[string]any)
	name, _ := core["type_name"].(string)
	body, _ := core[name].(map[string]any)
	return name, body
}

// TestPublishedCore reads the core messages that MC-DPL8CS prints, with what its text says of them.
func TestPublishedCore(t *testing.T) {
	t.Parallel()
	records := dissectAll(t, "directplay8",
		datagram{fromClient: true, payload: unhex(t, "88 01 00 00 06 00 01 00 c6 ae c9 79 9d 36 67 23")},
		datagram{fromClient: true, payload: published(t, publishedConnectInfo)},
		datagram{payload: published(t, publishedSendConnectInfo)},
		datagram{fromClient: true, payload: published(t, publishedData)})
	const instance, application = "94be8123-a1ab-48fb-a2e7-23859e658936", "61ef80da-691b-4247-9add-1c7bed2bc13e"
	name, body := coreOf(records[1])
	want := map[string]any{
		"flags": 4.0, "flags_names": []any{"peer"}, "library_version": 8.0, "library_version_name": "directx_9",
		"name_offset": 96.0, "name_size": 20.0, "name": "Test User", "data_offset": 0.0, "data_size": 0.0,
		"password_offset": 0.0, "password_size": 0.0, "connect_data_offset": 0.0, "connect_data_size": 0.0, "url_offset": 0.0, "url_size": 0.0,
		"instance_guid": instance, "application_guid": application, "alternate_addresses_offset": 88.0, "alternate_addresses_size": 8.0,
		"alternate_addresses": []any{map[string]any{"size": 7.0, "family": 2.0, "port": 2302.0, "address": "65.52.239.61"}},
	}
	if diff := cmp.Diff(want, body); name != "player_connect_info" || diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	entry := func(dpnid, flags, version, library, nameOffset float64, names ...any) map[string]any {
		return map[string]any{
			"dpnid": dpnid, "owner_dpnid": 0.0, "flags": flags, "flags_names": names, "version": version, "version_not_used": 0.0,
			"library_version": library, "library_version_name": "directx_9", "name_offset": nameOffset, "name_size": 20.0, "name": "Test User",
			"data_offset": 0.0, "data_size": 0.0, "url_offset": 0.0, "url_size": 0.0,
		}
	}
	host, guest := entry(0x949e8121, 0x102, 2, 7, 0x142, "host", "peer"), entry(0x948e8120, 0x100, 3, 8, 0x12e, "peer")
	guest["url_offset"], guest["url_size"] = 204.0, 98.0
	guest["url"] = "x-directplay:/provider=%7BEBFE7BA0-628D-11D2-AE0F-006097B01411%7D;hostname=65.52.239.61;port=2302"
	name, body = coreOf(records[2])
	want = map[string]any{
		"reply_offset": 0.0, "reply_size": 0.0, "description_size": 80.0, "flags": 4.0, "flags_names": []any{"migrate_host"},
		"max_players": 0.0, "current_players": 2.0, "session_name_offset": 342.0, "session_name_size": 26.0, "session_name": "Test Session",
		"password_offset": 0.0, "password_size": 0.0, "reserved_data_offset": 0.0, "reserved_data_size": 0.0,
		"application_reserved_data_offset": 0.0, "application_reserved_data_size": 0.0, "instance_guid": instance, "application_guid": application,
		"dpnid": float64(0x948e8120), "version": 3.0, "version_not_used": 0.0, "entry_count": 2.0, "membership_count": 0.0,
		"entries": []any{host, guest}, "memberships": []any{},
	}
	if diff := cmp.Diff(want, body); name != "send_connect_info" || diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	data := records[3].Directplay8["data"].(map[string]any)
	if want := "01004800490020005400480045005200450000" + "00"; data["payload"] != want {
		t.Errorf("payload %v, want %s", data["payload"], want)
	}
	for i, r := range records {
		if len(r.Expert) > 0 || strings.Contains(r.line, "unreferenced") || strings.Contains(r.line, "undecoded") {
			t.Errorf("frame %d: %s", i, r.line)
		}
	}
}

// coreTables has the numbers of the specification that get names, for a few values.
var coreTables = map[string]map[uint32]any{
	"reason":          {1: "normal", 2: "connectionlost", 3: "sessionterminated", 4: "hostdestroyedplayer"},
	"library_version": {1: "directx_8_0", 2: "directx_8_1", 6: "directx_8_2", 8: "directx_9"},
	"result":          {0x80158410: "invalidpassword", 0x80004005: "generic", 0x80158530: "nothost"},
	"info_flags":      {0: []any{}, 1: []any{"name"}, 2: []any{"data"}, 3: []any{"name", "data"}},
	"group_flags":     {0: []any{}, 1: []any{"autodestruct"}},
}

// drawCore draws values of a message, and says what the record shall have of them.
func drawCore(t *rapid.T, name string, ids *[]uint32) (values, want map[string]any) {
	values, want = map[string]any{}, map[string]any{}
	for _, field := range strings.Fields(wire.Core[name].Layout) {
		switch key := strings.TrimRight(field, "@*"); {
		case strings.HasSuffix(field, "@"):
			drawContent(t, key, values, want)
		case strings.HasSuffix(field, "*"):
			b := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, key))
			values[key], want[key] = b, guidText(b)
		case coreTables[key] != nil:
			n := rapid.SampledFrom(slices.Sorted(maps.Keys(coreTables[key]))).Draw(t, key)
			if key == "library_version" {
				n = map[string]uint32{"player_connect_info": 6, "player_connect_info_ex": 8}[name]
				if n == 0 {
					n = 2
				}
			}
			values[key], want[key] = n, float64(n)
			suffix := "_name"
			if strings.HasSuffix(key, "flags") {
				suffix = "_names"
			}
			want[key+suffix] = coreTables[key][n]
		case key == "flags":
			bits := map[string][]any{"player_connect_info": {"peer"}, "player_connect_info_ex": {"peer"}, "send_connect_info": {"migrate_host"}}[name]
			if bits == nil {
				bits = []any{"all_players_group"}
			}
			values[key], want[key], want["flags_names"] = uint32(4), 4.0, bits
		default:
			n := rapid.Uint32().Draw(t, key)
			if strings.HasSuffix(key, "dpnid") {
				n |= 1 << 31 // so that no number is drawn twice by chance of small ones
				*ids = append(*ids, n)
			}
			values[key], want[key] = n, float64(n)
		}
	}
	return values, want
}

// drawContent draws what an offset points to, or nothing.
func drawContent(t *rapid.T, key string, values, want map[string]any) {
	content := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, key)
	var shown any = hex.EncodeToString(content)
	switch key {
	case "name", "session_name", "password":
		text := rapid.StringN(0, 12, -1).Filter(func(s string) bool { return !strings.ContainsRune(s, 0) }).Draw(t, key)
		content, shown = wire.Wide(text), text
	case "url":
		text := rapid.StringMatching(`x-directplay:/[a-z]+=[0-9]*`).Draw(t, key)
		content, shown = append([]byte(text), 0), text
	case "alternate_addresses":
		content, shown = nil, nil
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, key) {
			port := rapid.Uint16().Draw(t, "port")
			if rapid.Bool().Draw(t, "ipv6") {
				content = append(content, wire.AlternateAddress([]byte{0x20, 1, 0xd, 0xb8, 15: 7}, port)...)
				list = append(list, map[string]any{"size": 19.0, "family": 23.0, "port": float64(port), "address": "2001:db8::7"})
				continue
			}
			content = append(content, wire.AlternateAddress([]byte{192, 0, 2, 9}, port)...)
			list = append(list, map[string]any{"size": 7.0, "family": 2.0, "port": float64(port), "address": "192.0.2.9"})
		}
		shown = list
	}
	values[key] = content
	if len(content) > 0 {
		want[key] = shown
	}
}

// wantPlaces takes the offsets and sizes that the encoder chose.
func wantPlaces(values, want map[string]any) {
	for key, v := range values {
		if strings.HasSuffix(key, "_offset") || strings.HasSuffix(key, "_size") {
			want[key] = float64(v.(uint32))
		}
	}
}

func guidText(b [16]byte) string {
	little := binary.LittleEndian
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", little.Uint32(b[:]), little.Uint16(b[4:]), little.Uint16(b[6:]), b[8:10], b[10:])
}

// readCore sends a core message through a connection, and gives what the record has of it.
func readCore(t fataler, kind uint32, body []byte) (string, map[string]any, *record) {
	peer := &wire.Peer8{Session: 5, Minor: 6}
	list := []datagram{{fromClient: true, payload: peer.Connect()}, {fromClient: true, payload: peer.Core(kind, body)}}
	records, err := dissectWith("directplay8", list, 1)
	if err != nil {
		t.Fatalf("%v", err)
	}
	name, got := coreOf(records[0])
	return name, got, records[0]
}

// TestCoreRoundTrip encodes every core message from the diagrams of MC-DPL8CS, with values of all kinds, and compares
// what is read with what was put in. Synthetic: only the two messages of TestPublishedCore were ever seen.
func TestCoreRoundTrip(t *testing.T) {
	t.Parallel()
	tried := 0
	for name, m := range wire.Core {
		if m.Type == 0 || name == "send_connect_info" {
			continue // structures; and what has lists
		}
		tried++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				var ids []uint32
				values, want := drawCore(t, name, &ids)
				body, err := wire.CoreMessage(name, values)
				if err != nil {
					t.Fatal(err)
				}
				wantPlaces(values, want)
				got, object, r := readCore(t, m.Type, body)
				if len(want) == 0 {
					want = nil // no body, no object
				}
				if diff := cmp.Diff(want, object); got != strings.TrimSuffix(name, "_ex") || diff != "" || len(r.Expert) > 0 {
					t.Fatalf("%s %x (-want +got):\n%s%v", got, body, diff, r.Expert)
				}
			})
		})
	}
	if tried != 31 {
		t.Errorf("%d messages were tried", tried)
	}
}

// TestNameTableRoundTrip does the same for the message with the name table.
func TestNameTableRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b wire.CoreBody
		var ids []uint32
		values, want := drawCore(t, "send_connect_info", &ids)
		type drawn struct{ values, want map[string]any }
		lists := map[string][]drawn{}
		for _, kind := range []string{"entry", "membership"} {
			for range rapid.IntRange(0, 4).Draw(t, kind) {
				v, w := drawCore(t, kind, &ids)
				lists[kind] = append(lists[kind], drawn{v, w})
			}
			values[kind+"_count"] = uint32(len(lists[kind]))
			want[kind+"_count"] = float64(len(lists[kind]))
		}
		if err := b.Append("send_connect_info", values); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"entry", "membership"} {
			for _, d := range lists[kind] {
				if err := b.Append(kind, d.values); err != nil {
					t.Fatal(err)
				}
			}
		}
		body := b.Bytes()
		for key, kind := range map[string]string{"entries": "entry", "memberships": "membership"} {
			elements := []any{}
			for _, d := range lists[kind] {
				wantPlaces(d.values, d.want)
				elements = append(elements, d.want)
			}
			want[key] = elements
		}
		wantPlaces(values, want)
		name, got, r := readCore(t, 0xc2, body)
		dropHints(got)
		if diff := cmp.Diff(want, got); name != "send_connect_info" || diff != "" || len(r.Expert) > 0 {
			t.Fatalf("%x (-want +got):\n%s%s", body, diff, r.line)
		}
	})
}

// dropHints takes out what is not in the message.
func dropHints(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "player_hint")
		for _, e := range v {
			dropHints(e)
		}
	case []any:
		for _, e := range v {
			dropHints(e)
		}
	}
}

// TestOperationsRoundTrip reads name table operations in both arrangements of their heads.
func TestOperationsRoundTrip(t *testing.T) {
	t.Parallel()
	kinds := []string{
		"instruct_connect", "add_player", "destroy_player", "create_group", "destroy_group", "add_player_to_group", "delete_player_from_group", "update_info",
	}
	rapid.Check(t, func(t *rapid.T) {
		var ids []uint32
		var ops []wire.Operation
		wants := []any{}
		for range rapid.IntRange(0, 5).Draw(t, "operations") {
			kind := rapid.SampledFrom(kinds).Draw(t, "kind")
			values, want := drawCore(t, kind, &ids)
			body, err := wire.CoreMessage(kind, values)
			if err != nil {
				t.Fatal(err)
			}
			wantPlaces(values, want)
			ops = append(ops, wire.Operation{Name: kind, Body: body})
			wants = append(wants, map[string]any{"message": float64(wire.Core[kind].Type), "message_name": kind, "op_size": float64(len(body)), kind: want})
		}
		name, got, r := readCore(t, 0xcc, wire.Operations(rapid.Bool().Draw(t, "in a row"), ops...))
		list, _ := got["operations"].([]any)
		for _, op := range list {
			delete(op.(map[string]any), "op_offset")
		}
		dropHints(got)
		if diff := cmp.Diff(wants, list); name != "ack_nametable_op" || diff != "" || len(r.Expert) > 0 || got["unreferenced"] != nil {
			t.Fatalf("(-want +got):\n%s%s", diff, r.line)
		}
	})
}

// TestCoreDamage reads core messages whose numbers point or count beyond their end: what stands before is shown, the
// rest is undecoded, and the entry says what is wrong.
func TestCoreDamage(t *testing.T) {
	t.Parallel()
	name := wire.Wide("Anna")
	for what, tt := range map[string]struct {
		kind    uint32
		body    func(t *testing.T) []byte
		message string
		rest    string // what is undecoded
	}{
		"an offset behind the end": {0xc5, func(*testing.T) []byte { return unhex(t, "10841580 ff000000 02000000 aabb") }, "2 bytes at offset 255", "aabb"},
		"a size behind the end":    {0xc5, func(*testing.T) []byte { return unhex(t, "10841580 0c000000 03000000 aabb") }, "3 bytes at offset 12", "aabb"},
		"sizes that overflow":      {0xc5, func(*testing.T) []byte { return unhex(t, "10841580 ffffffff ffffffff aabb") }, "4294967295 bytes", "aabb"},
		"too many entries": {0xc2, func(t *testing.T) []byte {
			b, err := wire.CoreMessage("send_connect_info", map[string]any{"entry_count": uint32(1 << 31)})
			if err != nil {
				t.Fatal(err)
			}
			return append(b, 1, 2, 3)
		}, "2147483648 elements", "010203"},
		"too many operations": {0xcc, func(*testing.T) []byte { return unhex(t, "02000000 010203") }, "2 elements", "010203"},
		"an address of two bytes": {0xc1, func(t *testing.T) []byte {
			b, err := wire.CoreMessage("player_connect_info_ex", map[string]any{"library_version": uint32(8), "alternate_addresses": []byte{2, 2, 8}, "name": name})
			if err != nil {
				t.Fatal(err)
			}
			return b
		}, "an address of 2 bytes", "020208"},
	} {
		peer := &wire.Peer8{Session: 5, Minor: 6}
		body := tt.body(t)
		r := dissectLast(t, "directplay8", 1,
			datagram{fromClient: true, payload: peer.Connect()}, datagram{fromClient: true, payload: peer.Core(tt.kind, body)})[0]
		if len(r.Expert) != 1 || r.Expert[0].Code != "malformed" || !strings.Contains(r.Expert[0].Message, tt.message) {
			t.Errorf("%s: entries %+v", what, r.Expert)
		}
		if !strings.Contains(r.line, `"undecoded":"`) || strings.Count(r.line, tt.rest+`"`) == 0 {
			t.Errorf("%s: %s", what, r.line)
		}
	}
	// Cut at every byte, the published messages never have more than was there.
	for _, whole := range [][]byte{published(t, publishedConnectInfo), published(t, publishedSendConnectInfo)} {
		for n := 8; n < len(whole); n++ {
			for _, lost := range []int{0, len(whole) - n} {
				r := dissectAll(t, "directplay8", datagram{fromClient: true, payload: whole[:n], cut: lost})[0]
				if severity := map[bool]string{true: "warning", false: "error"}[lost > 0]; len(r.Expert) == 0 || r.Expert[0].Severity != severity {
					t.Fatalf("cut at %d, %d lost: %s", n, lost, r.line)
				}
			}
		}
	}
}

// TestUnreferenced shows bytes that nothing points to.
func TestUnreferenced(t *testing.T) {
	t.Parallel()
	_, got, _ := readCore(t, 0xc5, unhex(t, "10841580 0e000000 02000000 0102 aabb 03"))
	if diff := cmp.Diff([]any{"0102", "03"}, got["unreferenced"]); diff != "" || got["reply"] != "aabb" || got["result_name"] != "invalidpassword" {
		t.Errorf("%v (-want +got):\n%s", got, diff)
	}
	_, got, _ = readCore(t, 0xd7, unhex(t, "01000000 02000000 0a0b0c"))
	if diff := cmp.Diff(map[string]any{"requesting_dpnid": 1.0, "context": 2.0, "unreferenced": []any{"0a0b0c"}}, got); diff != "" {
		t.Errorf("create_group (-want +got):\n%s", diff)
	}
}
