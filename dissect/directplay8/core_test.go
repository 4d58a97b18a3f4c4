package directplay8_test

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

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// coreOf is the core message of a record: its name and body.
func coreOf(r *enginetest.Record) (string, map[string]any) {
	data, _ := r.Directplay8["data"].(map[string]any)
	core, _ := data["core"].(map[string]any)
	name, _ := core["type_name"].(string)
	body, _ := core[name].(map[string]any)
	return name, body
}

// coreTables has the numbers of the specification that get names, for a few values.
var coreTables = map[string]map[uint32]any{
	"reason":          {1: "normal", 2: "connectionlost", 3: "sessionterminated", 4: "hostdestroyedplayer"},
	"library_version": {1: "directx_8_0", 2: "directx_8_1", 6: "directx_8_2", 8: "directx_9"},
	"result":          {0x80158410: "invalidpassword", 0x80004005: "generic", 0x80158530: "nothost"},
	"info_flags":      {0: []any{}, 1: []any{"name"}, 2: []any{"data"}, 3: []any{"name", "data"}},
	"group_flags":     {0: []any{}, 1: []any{"autodestruct"}},
}

// drawCore draws values of a message, and returns what the record shall have of them.
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
			bits := map[string][]any{
				"player_connect_info": {"peer"}, "player_connect_info_ex": {"peer"},
				"send_connect_info": {"migrate_host"},
			}[name]
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
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", little.Uint32(b[:]), little.Uint16(b[4:]),
		little.Uint16(b[6:]), b[8:10], b[10:])
}

// readCore sends a core message through a connection, and returns what the record has of it.
func readCore(t enginetest.Fataler, kind uint32, body []byte) (string, map[string]any, *enginetest.Record) {
	peer := &wire.Peer8{Session: 5, Minor: 6}
	list := []enginetest.Datagram{
		{FromClient: true, Payload: peer.Connect()},
		{FromClient: true, Payload: peer.Core(kind, body)},
	}
	records, err := enginetest.Run(protocols(), "directplay8", list, 1)
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
			t.Fatalf("%x (-want +got):\n%s%s", body, diff, r.Line)
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
		"instruct_connect", "add_player", "destroy_player", "create_group", "destroy_group", "add_player_to_group",
		"delete_player_from_group", "update_info",
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
			wants = append(wants, map[string]any{
				"message": float64(wire.Core[kind].Type), "message_name": kind,
				"op_size": float64(len(body)), kind: want,
			})
		}
		name, got, r := readCore(t, 0xcc, wire.Operations(rapid.Bool().Draw(t, "in a row"), ops...))
		list, _ := got["operations"].([]any)
		for _, op := range list {
			delete(op.(map[string]any), "op_offset")
		}
		dropHints(got)
		if diff := cmp.Diff(wants, list); name != "ack_nametable_op" || diff != "" || len(r.Expert) > 0 ||
			got["unreferenced"] != nil {
			t.Fatalf("(-want +got):\n%s%s", diff, r.Line)
		}
	})
}

// TestCoreDamage reads core messages whose numbers point or count beyond their end: what comes before is shown, the
// rest is undecoded, and the entry names the fault.
func TestCoreDamage(t *testing.T) {
	t.Parallel()
	name := wire.Wide("Anna")
	for what, tt := range map[string]struct {
		kind    uint32
		body    func(t *testing.T) []byte
		message string
		rest    string // what is undecoded
	}{
		"an offset behind the end": {0xc5, func(*testing.T) []byte {
			return enginetest.Unhex(t,
				"10841580 ff000000 02000000 aabb")
		}, "2 bytes at offset 255", "aabb"},
		"a size behind the end": {0xc5, func(*testing.T) []byte {
			return enginetest.Unhex(t,
				"10841580 0c000000 03000000 aabb")
		}, "3 bytes at offset 12", "aabb"},
		"sizes that overflow": {0xc5, func(*testing.T) []byte {
			return enginetest.Unhex(t,
				"10841580 ffffffff ffffffff aabb")
		}, "4294967295 bytes", "aabb"},
		"too many entries": {0xc2, func(t *testing.T) []byte {
			b, err := wire.CoreMessage("send_connect_info", map[string]any{"entry_count": uint32(1 << 31)})
			if err != nil {
				t.Fatal(err)
			}
			return append(b, 1, 2, 3)
		}, "2147483648 elements", "010203"},
		"too many operations": {
			0xcc, func(*testing.T) []byte { return enginetest.Unhex(t, "02000000 010203") },
			"2 elements", "010203",
		},
		"an address of two bytes": {0xc1, func(t *testing.T) []byte {
			b, err := wire.CoreMessage("player_connect_info_ex",
				map[string]any{"library_version": uint32(8), "alternate_addresses": []byte{2, 2, 8}, "name": name})
			if err != nil {
				t.Fatal(err)
			}
			return b
		}, "an address of 2 bytes", "020208"},
	} {
		peer := &wire.Peer8{Session: 5, Minor: 6}
		body := tt.body(t)
		r := enginetest.Last(t, protocols(), "directplay8", 1,
			enginetest.Datagram{FromClient: true, Payload: peer.Connect()},
			enginetest.Datagram{FromClient: true, Payload: peer.Core(tt.kind, body)})[0]
		if len(r.Expert) != 1 || r.Expert[0].Code != "malformed" || !strings.Contains(r.Expert[0].Message, tt.message) {
			t.Errorf("%s: entries %+v", what, r.Expert)
		}
		if !strings.Contains(r.Line, `"undecoded":"`) || strings.Count(r.Line, tt.rest+`"`) == 0 {
			t.Errorf("%s: %s", what, r.Line)
		}
	}
	// Cut at every byte, the published messages never have more than was there.
	for _, whole := range [][]byte{published(t, publishedConnectInfo), published(t, publishedSendConnectInfo)} {
		for n := 8; n < len(whole); n++ {
			for _, lost := range []int{0, len(whole) - n} {
				r := enginetest.All(t, protocols(), "directplay8",
					enginetest.Datagram{FromClient: true, Payload: whole[:n], Cut: lost})[0]
				if severity := map[bool]string{true: "warning", false: "error"}[lost > 0]; len(r.Expert) == 0 ||
					r.Expert[0].Severity != severity {
					t.Fatalf("cut at %d, %d lost: %s", n, lost, r.Line)
				}
			}
		}
	}
}

// TestUnreferenced shows bytes that nothing points to.
func TestUnreferenced(t *testing.T) {
	t.Parallel()
	_, got, _ := readCore(t, 0xc5, enginetest.Unhex(t, "10841580 0e000000 02000000 0102 aabb 03"))
	if diff := cmp.Diff([]any{"0102", "03"}, got["unreferenced"]); diff != "" || got["reply"] != "aabb" ||
		got["result_name"] != "invalidpassword" {
		t.Errorf("%v (-want +got):\n%s", got, diff)
	}
	_, got, _ = readCore(t, 0xd7, enginetest.Unhex(t, "01000000 02000000 0a0b0c"))
	if diff := cmp.Diff(map[string]any{"requesting_dpnid": 1.0, "context": 2.0, "unreferenced": []any{"0a0b0c"}},
		got); diff != "" {
		t.Errorf("create_group (-want +got):\n%s", diff)
	}
}
