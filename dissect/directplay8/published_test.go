package directplay8_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
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
	return enginetest.Unhex(t, strings.NewReplacer("\n", "", "\t", "").Replace(text))
}

// TestPublishedCore reads the core messages that MC-DPL8CS prints, with the values that its text gives.
func TestPublishedCore(t *testing.T) {
	t.Parallel()
	records := enginetest.All(t, protocols(), "directplay8",
		enginetest.Datagram{FromClient: true, Payload: enginetest.Unhex(t,
			"88 01 00 00 06 00 01 00 c6 ae c9 79 9d 36 67 23")},
		enginetest.Datagram{FromClient: true, Payload: published(t, publishedConnectInfo)},
		enginetest.Datagram{Payload: published(t, publishedSendConnectInfo)},
		enginetest.Datagram{FromClient: true, Payload: published(t, publishedData)})
	const instance, application = "94be8123-a1ab-48fb-a2e7-23859e658936", "61ef80da-691b-4247-9add-1c7bed2bc13e"
	name, body := coreOf(records[1])
	want := map[string]any{
		"flags": 4.0, "flags_names": []any{"peer"}, "library_version": 8.0, "library_version_name": "directx_9",
		"name_offset": 96.0, "name_size": 20.0, "name": "Test User", "data_offset": 0.0, "data_size": 0.0,
		"password_offset": 0.0, "password_size": 0.0, "connect_data_offset": 0.0, "connect_data_size": 0.0,
		"url_offset": 0.0, "url_size": 0.0, "instance_guid": instance, "application_guid": application,
		"alternate_addresses_offset": 88.0, "alternate_addresses_size": 8.0,
		"alternate_addresses": []any{map[string]any{"size": 7.0, "family": 2.0, "port": 2302.0, "address": "65.52.239.61"}},
	}
	if diff := cmp.Diff(want, body); name != "player_connect_info" || diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	entry := func(dpnid, flags, version, library, nameOffset float64, names ...any) map[string]any {
		return map[string]any{
			"dpnid": dpnid, "owner_dpnid": 0.0, "flags": flags, "flags_names": names, "version": version,
			"version_not_used": 0.0, "library_version": library, "library_version_name": "directx_9", "name_offset": nameOffset,
			"name_size": 20.0, "name": "Test User", "data_offset": 0.0, "data_size": 0.0, "url_offset": 0.0, "url_size": 0.0,
		}
	}
	host, guest := entry(0x949e8121, 0x102, 2, 7, 0x142, "host", "peer"), entry(0x948e8120, 0x100, 3, 8, 0x12e, "peer")
	guest["url_offset"], guest["url_size"] = 204.0, 98.0
	guest["url"] = "x-directplay:/provider=%7BEBFE7BA0-628D-11D2-AE0F-006097B01411%7D;hostname=65.52.239.61;port=2302"
	name, body = coreOf(records[2])
	want = map[string]any{
		"reply_offset": 0.0, "reply_size": 0.0, "description_size": 80.0, "flags": 4.0, "flags_names": []any{"migrate_host"},
		"max_players": 0.0, "current_players": 2.0, "session_name_offset": 342.0, "session_name_size": 26.0,
		"session_name": "Test Session", "password_offset": 0.0, "password_size": 0.0, "reserved_data_offset": 0.0,
		"reserved_data_size": 0.0, "application_reserved_data_offset": 0.0, "application_reserved_data_size": 0.0,
		"instance_guid": instance, "application_guid": application, "dpnid": float64(0x948e8120), "version": 3.0,
		"version_not_used": 0.0, "entry_count": 2.0, "membership_count": 0.0, "entries": []any{host, guest},
		"memberships": []any{},
	}
	if diff := cmp.Diff(want, body); name != "send_connect_info" || diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	data := records[3].Directplay8["data"].(map[string]any)
	if want := "01004800490020005400480045005200450000" + "00"; data["payload"] != want {
		t.Errorf("payload %v, want %s", data["payload"], want)
	}
	for i, r := range records {
		if len(r.Expert) > 0 || strings.Contains(r.Line, "unreferenced") || strings.Contains(r.Line, "undecoded") {
			t.Errorf("frame %d: %s", i, r.Line)
		}
	}
}
