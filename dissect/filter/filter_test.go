package filter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/q3dissect/q3dissect/dissect"
)

func fakes() []*dissect.Protocol { return []*dissect.Protocol{fake} }

// What filters say of the fake record.
var goodFilters = []struct {
	filter string
	want   bool
}{
	// Numbers, signs and words.
	{`frame == 26`, true},
	{`frame eq 26`, true},
	{`frame != 26`, false},
	{`frame ne 27`, true},
	{`frame > 25`, true},
	{`frame gt 26`, false},
	{`frame >= 26`, true},
	{`frame ge 27`, false},
	{`frame < 27`, true},
	{`frame lt 26`, false},
	{`frame <= 26`, true},
	{`frame le 25`, false},
	{`26 == frame`, true},
	{`25 < frame`, true},
	{`27 <= frame`, false},
	{`20 < frame < 30`, true},
	{`20 < frame < 25`, false},
	{`frame == 0x1a`, true},
	{`frame == 032`, true},
	{`frame == 0b11010`, true},
	{`frame == 26.0`, true},
	{`frame > 25.5`, true},
	{`frame == 2.6e1`, true},
	{`fake.wide == 9223372036854775813`, true},
	{`fake.wide > 9223372036854775807`, true},
	{`fake.wide > -1`, true},
	{`fake.float == 193.43411`, true},
	{`fake.float > 193.43411`, false},
	{`fake.float >= 193.43411`, true},
	{`fake.float < 193.434111`, true},
	{`fake.float > 193.434109`, true},
	{`fake.float != nan and fake.float < inf`, true},
	{`fake.flag == true`, true},
	{`fake.flag == 0`, false},
	{`fake.flag != FALSE`, true},
	{`fake.version == 'D'`, true},

	// Functions of several numbers, and texts of values.
	{`max(fake.ops.move.x, fake.ops.move.y) == 1e9`, false},
	{`max(frame, 30) == 30`, true},
	{`min(frame, 30) == 26`, true},
	{`min(30, frame, 2.5) == 2.5`, true},
	{`max(fake.missing, 3) == 3`, false},
	{`max(fake.numbers) >= min(fake.numbers)`, true},
	{`max(fake.wide, 9223372036854775807) == 9223372036854775813`, true},
	{`string(frame) == "26"`, true},
	{`string(frame) matches "^2.$"`, true},
	{`string(fake.float) == "193.43411"`, true},
	{`string(fake.wide) contains "775813"`, true},
	{`string(src) matches "[.:]"`, true},
	{`string(fake.flag) == "true"`, true},
	{`string(fake.missing) == ""`, false},
	{`len(string(frame)) == 2`, true},
	{`string(expert.severity) in {"note", "warning", "error"}`, true},
	{`string(time) matches "^20..-..-..T.*Z$"`, true},
	{`string(fake.bytes) matches "^([0-9a-f]{2})+$"`, true},

	// Wireshark's names for what no record shows.
	{`udp`, true},
	{`udp.length == 8`, false},
	{`frame.time_delta >= 0`, true},
	{`not frame.len`, true},
	{`not eth.src`, true},

	// Presence.
	{`fake`, true},
	{`fake.missing`, false},
	{`not fake.missing`, true},
	{`fake.empty`, true},
	{`fake.ops.shoot`, true},
	{`fake.stats.7`, true},
	{`fake.stats.8`, false},
	{`fake.info.hostname`, true},
	{`fake.info.nobody`, false},
	{`captured_length`, true},
	{`ip_fragments`, false},
	{`demo_message`, false},
	{`file`, false},
	{`expert`, true},
	{`link`, true},
	{`fake.missing == 0`, false},
	{`fake.missing != 0`, false},
	{`fake.text_raw`, false},
	{`fake.odd_raw`, true},
	{`fake.info_raw`, true},
	{`fake.infos_raw`, false},

	// Arrays: any value, but != and all every value.
	{`fake.numbers == 10`, true},
	{`fake.numbers != 10`, false},
	{`fake.numbers != 11`, true},
	{`fake.numbers === 10`, false},
	{`fake.numbers all_eq 10`, false},
	{`fake.numbers !== 10`, true},
	{`fake.numbers any_ne 10`, true},
	{`fake.numbers ~= 10`, true},
	{`any fake.numbers > 15`, true},
	{`all fake.numbers > 15`, false},
	{`all fake.numbers >= -5`, true},
	{`all fake.empty > 0`, false},
	{`any fake.numbers != 10`, true},
	{`all fake.numbers != 11`, true},
	{`all fake.numbers in {-5, 10..20}`, true},
	{`fake.ops.move.x == 7`, true},
	{`fake.ops.move.x == fake.ops.move.y`, true},
	{`all fake.ops.move.x == fake.ops.move.y`, false},
	{`fake.ops.move.x < fake.ops.move.y`, true},
	{`fake.stats.* == 3`, true},
	{`fake.stats.0 == 3`, false},
	{`fake.infos.a == "2"`, true},
	{`all fake.infos.a == "2"`, false},

	// Text.
	{`fake.text == "Hello World"`, true},
	{`fake.text == "hello world"`, false},
	{`lower(fake.text) == "hello world"`, true},
	{`upper(fake.text) contains "WORLD"`, true},
	{`fake.text contains "lo W"`, true},
	{`fake.text contains lo`, true},
	{`fake.text matches "^hello\\b"`, true},
	{`fake.text ~ r"o\s+w"`, true},
	{`fake.text matches "(?-i)hello"`, false},
	{`fake.words == two`, true},
	{`fake.words contains "re"`, true},
	{`len(fake.text) == 11`, true},
	{`len(fake.words) == 5`, true},
	{`fake.text[0:5] == "Hello"`, true},
	{`fake.text[6-10] == "World"`, true},
	{`fake.text[-5:] == "World"`, true},
	{`fake.text[:5] == "Hello"`, true},
	{`fake.text[4] == "o"`, true},
	{`fake.text[-1] == "d"`, true},
	{`fake.text[0,6] == "HW"`, true},
	{`fake.text[0:99] == "Hello"`, false},
	{`fake.text > "Hallo"`, true},
	{`"Hello World" == fake.text`, true},
	{`fake.odd == "na\u00efve"`, true},
	{`fake.odd_raw == 6e:61:ef:76:65`, true},
	{`info contains "2 things"`, true},
	{`info contains "\x19"`, true},
	{`fake.info.hostname == "lab"`, true},
	{`fake.info.n == x`, true},
	{`fake.info.n == y`, false},
	{`fake.info.* == "lab"`, true},
	{`fake.info.* == "y"`, false},

	// Bytes.
	{`fake.bytes == fe:ff:47:45:54`, true},
	{`fake.bytes == feff474554`, true},
	{`fake.bytes == fe-ff-47-45-54`, true},
	{`fake.bytes contains ff:47`, true},
	{`fake.bytes contains "GET"`, true},
	{`fake.bytes[0:2] == feff`, true},
	{`fake.bytes[2:] == "GET"`, true},
	{`fake.bytes[0] > f0`, true},
	{`fake.bytes matches "g.t"`, true},
	{`len(fake.bytes) > 4`, true},

	// Names.
	{`fake.ops.shoot.weapon == rocket_launcher`, true},
	{`fake.ops.shoot.weapon == "rocket_launcher"`, true},
	{`fake.ops.shoot.weapon != gauntlet`, true},
	{`fake.ops.shoot.weapon == 5`, true},
	{`fake.ops.shoot.weapon in {gauntlet, rocket_launcher}`, true},
	{`fake.ops.shoot.weapon in {1..3, shield}`, false},
	{`fake.ops.shoot.weapon_name contains "rocket"`, true},
	{`fake.mask == ducked`, true},
	{`fake.mask == dead`, true},
	{`fake.mask != dead`, false},
	{`fake.mask == 13`, true},
	{`fake.mask_names == "0x8"`, true},
	{`fake.mask & 4`, true},
	{`fake.mask & 2`, false},
	{`fake.mask bitand 2`, false},

	// Addresses, ports and the rest of the common part.
	{`src == 10.1.2.3`, true},
	{`src == 10.0.0.0/8`, true},
	{`src != 10.0.0.0/8`, false},
	{`src == 11.0.0.0/8`, false},
	{`dst == 2001:db8::/32`, true},
	{`dst == 2001:DB8::7`, true},
	{`src in {192.168.0.0/16, 10.1.2.0/24}`, true},
	{`src in {10.1.2.1..10.1.2.9}`, true},
	{`src < 10.1.2.4`, true},
	{`dst == ::1`, false},
	{`ip.addr == 2001:db8::7`, true},
	{`ip.addr != 10.1.2.3`, false},
	{`udp.port in {27965}`, true},
	{`udp.srcport == 27960 and frame.number == 26`, true},
	{`src_port in {1, 2, 27950..27969}`, true},
	{`src_port not in {1, 2}`, true},
	{`src_port in {27960}`, true},
	{`protocol == fake`, true},
	{`direction == server_to_client`, true},
	{`stream == 3 && length > 100`, true},
	{`captured_length < length`, true},
	{`link.vlan == 7 and link.interface == "eth0"`, true},
	{`expert.severity >= warning`, true},
	{`expert.severity == error`, false},
	{`expert.code == "fragment_lost"`, true},
	{`expert.code == fragment_lost`, true},
	{`expert.field contains "text"`, true},

	// Times.
	{`time > "2026-11-21 07:11:46"`, true},
	{`time == "2026-11-21 07:11:46.447123"`, true},
	{`time < 2026-11-21T07:11:47Z`, true},
	{`time < 2026-11-21T08:11:47+02:00`, false},
	{`time >= 2026-11-21 and time < 2026-11-22`, true},
	{`frame.time > "Nov 21, 2026 07:11:46"`, true},
	{`_ws.col.Info contains "snapshot" and _ws.col.info contains "7850"`, true},
	{`_ws.col.number == 26 and _ws.col.time < 0.3 and _ws.col.protocol == fake`, true},
	{`_ws.col.source == 10.1.2.3 or _ws.col.def_src == 2001:db8::7`, true},
	{`vlan.id == 7 and frame.interface_name == "eth0" and ip.ttl == 64 and ipv6.hlim == 64`, true},
	{`udp.port == 27960 and udp.port == 27965 and udp.port not in {1, 2}`, true},
	{`udp.port == 1`, false},
	{`_ws.expert and _ws.expert.message`, true},
	{`time_epoch == 1795245106.447123`, true},
	{`time_epoch > 1795245106.4471229999`, true},
	{`time_relative < 0.3`, true},
	{`time_relative == 0.215361`, true},
	{`time_relative < 300ms`, true},
	{`time_relative > 1m`, false},
	{`fake.wait == 1.5s`, true},
	{`fake.wait > 0:01`, true},
	{`fake.wait > 0:02`, false},
	{`fake.wait < 1:00:01`, true},
	{`fake.wait > 2s`, false},

	// Functions and arithmetic.
	{`count(fake.numbers) == 3`, true},
	{`count(fake.ops) == 3`, true},
	{`count(fake.ops.move) == 2`, true},
	{`count(fake.missing) == 0`, true},
	{`count(fake.empty) == 0`, true},
	{`count(expert) == 2`, true},
	{`abs(fake.numbers) == 5`, true},
	{`abs(fake.stats.0) == 125`, true},
	{`length - captured_length == 18`, true},
	{`length % 10 == 8 and length / 10 == 11 and length * 2 == 236`, true},
	{`(length + 2) / 4 == 30`, true},
	{`-frame == -26`, true},
	{`fake.float * 2 > 386.8`, true},
	{`length / (frame - 26) == 0`, false},

	// Joining.
	{`frame == 1 or frame == 26`, true},
	{`frame == 1 || frame == 2 || frame == 26`, true},
	{`frame == 26 xor length == 118`, false},
	{`frame == 26 ^^ length == 1`, true},
	{`not frame == 1 and length == 118`, true},
	{`!(frame == 26 and length == 118)`, false},
	{`frame == 26 or frame == 1 and length == 0`, true},
	{`(frame == 26 or frame == 1) and length == 0`, false},
	{`not not fake`, true},
}

func TestFilters(t *testing.T) {
	t.Parallel()
	names := Records(fakes())
	for _, tt := range goodFilters {
		f, err := names.Compile(tt.filter)
		if err != nil {
			t.Errorf("%s: %v", tt.filter, err)
			continue
		}
		m, rec := f.Matcher(), fakeRecord()
		for range 2 { // a matcher is used again
			if got := m.Match(rec); got != tt.want {
				t.Errorf("%s: %v, want %v", tt.filter, got, tt.want)
			}
		}
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	names, rec := Events(fakes()), fakeRecord()
	for filter, want := range map[string][]bool{
		`event == kill`:                         {true, false},
		`event in {kill, "map_start"}`:          {true, false},
		`event contains "kil"`:                  {true, false},
		`event matches "^ch"`:                   {false, true},
		`event == chat and text contains "gg"`:  {false, true},
		`server_time > 7s`:                      {false, true},
		`weapon == gauntlet`:                    {true, false},
		`not text`:                              {true, false},
		`stream == 3`:                           {true, true},
		`info contains "Ann" and frame == 26`:   {true, true},
		`src == 10.0.0.0/8 and weapon_name`:     {true, false},
		`direction == client_to_server or text`: {false, true},
	} {
		f, err := names.Compile(filter)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		var got []bool
		m := f.Matcher()
		for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
			got = append(got, m.MatchEvent(rec, i))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", filter, diff)
		}
	}
	for filter, want := range map[string]string{
		`event == "kills"`:           "event is never kills; did you mean kill?",
		`event in {chat, map_strat}`: "event is never map_strat; did you mean map_start?",
		`event != zzzzzzzz`:          "event is never zzzzzzzz; it is chat, kill, map_start",
	} {
		if _, err := names.Compile(filter); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", filter, err, want)
		}
	}
	for _, filter := range []string{"length > 5", "expert.code == x", "fake.version == 68", "link.ttl == 64"} {
		if _, err := names.Compile(filter); err == nil {
			t.Errorf("%s: no error", filter)
		}
	}
}
