package records_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/itchyny/gojq"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// jqPrelude defines v, which gives the values at a path with arrays skipped, as filters see them.
const jqPrelude = `
def v($path):
  def go($k):
    if type == "array" then .[] | go($k)
    elif ($k | length) == 0 then .
    elif type == "object" and has($k[0]) then .[$k[0]] | go($k[1:])
    else empty end;
  . as $r | [$r | go($path | split("."))];
def there($path): v($path) | length > 0;
def snap($f): v("quake3.server_message.ops.snapshot." + $f);
`

// filtersAndPrograms say the same twice: as a filter, and as a condition in jq over the JSON of the record.
var filtersAndPrograms = []struct{ filter, program string }{
	{`frame > 500`, `(.frame // 0) > 500`},
	{`demo_message in {3, 10..200}`, `.demo_message != null and (.demo_message == 3 or (.demo_message >= 10 and .demo_message <= 200))`},
	{`length > 200 and length < 1000`, `.length > 200 and .length < 1000`},
	{`captured_length`, `has("captured_length")`},
	{`captured_length < length / 2`, `has("captured_length") and .captured_length < (.length / 2 | floor)`},
	{`ip_fragments`, `has("ip_fragments")`},
	{`count(ip_fragments) > 2`, `(.ip_fragments // [] | length) > 2`},
	{`src == 127.0.0.1`, `.src == "127.0.0.1"`},
	{`src == 127.0.0.0/8`, `(.src // "" | startswith("127."))`},
	{`src == ::1 or dst == ::1`, `.src == "::1" or .dst == "::1"`},
	{`ip.addr != 127.0.0.1`, `has("src") and .src != "127.0.0.1" and .dst != "127.0.0.1"`},
	{`src in {10.0.0.0..10.255.255.255, 127.0.0.2}`, `(.src // "") as $s | ($s | startswith("10.")) or $s == "127.0.0.2"`},
	{`src_port == 27960`, `.src_port == 27960`},
	{`udp.port in {27950, 28000..28999}`, `[.src_port, .dst_port] | any(. != null and (. == 27950 or (. >= 28000 and . <= 28999)))`},
	{`dst_port >= 27960 and not src_port == 27960`, `(.dst_port // 0) >= 27960 and .src_port != 27960`},
	{`stream == 0`, `.stream == 0`},
	{`stream > 0`, `(.stream // 0) > 0`},
	{`stream != 1`, `.stream != null and .stream != 1`},
	{`protocol == quake3`, `.protocol == "quake3"`},
	{`protocol in {teeworlds, enet}`, `.protocol == "teeworlds" or .protocol == "enet"`},
	{`protocol == gamestudio or protocol == directplay8`, `.protocol == "gamestudio" or .protocol == "directplay8"`},
	{`direction == client_to_server`, `.direction == "client_to_server"`},
	{`not direction`, `has("direction") | not`},
	{`time >= "2026-11-21 07:11:50" and time < "2026-11-21 07:12:30"`, `(.time // "") >= "2026-11-21T07:11:50" and (.time // "") < "2026-11-21T07:12:30"`},
	{`time_relative > 10.5 xor length > 100`, `((.time_relative != null and .time_relative > 10.5) != (.length > 100))`},
	{`info contains "snapshot"`, `.info | contains("snapshot")`},
	{`info matches "^(say|tell) .*"`, `.info | test("^(say|tell) .*"; "i")`},
	{`lower(info) contains "rcon"`, `.info | ascii_downcase | contains("rcon")`},
	{`len(info) > 60`, `(.info | utf8bytelength) > 60`},
	{`expert`, `has("expert")`},
	{`expert.severity >= warning`, `[.expert[]?.severity] | any(. == "warning" or . == "error")`},
	{`expert.code == "key_unknown"`, `[.expert[]?.code] | any(. == "key_unknown")`},
	{`all expert.severity == note`, `has("expert") and ([.expert[].severity] | all(. == "note"))`},
	{`quake3.oob`, `there("quake3.oob")`},
	{`quake3.oob.command in {"getstatus", "getinfo", connect}`, `v("quake3.oob.command") | any(. == "getstatus" or . == "getinfo" or . == "connect")`},
	{`quake3.oob.arguments == "xxx"`, `v("quake3.oob.arguments") | any(. == "xxx")`},
	{`count(quake3.oob.arguments) == 1`, `(v("quake3.oob.arguments") | length) == 1`},
	{`quake3.oob.info.protocol != "68"`, `v("quake3.oob.info.protocol") | length > 0 and all(. != "68")`},
	{`quake3.oob.info.* contains "Lab"`, `[.quake3.oob.info? // {} | .[]] | any(contains("Lab"))`},
	{`quake3.oob.players.ping > 0`, `v("quake3.oob.players.ping") | any(. > 0)`},
	{`quake3.netchan.fragmented == true`, `v("quake3.netchan.fragmented") | any(. == true)`},
	{`quake3.netchan.fragment and not quake3.netchan.reassembled_from`, `there("quake3.netchan.fragment") and (there("quake3.netchan.reassembled_from") | not)`},
	{`quake3.netchan.sequence % 16 == 3`, `v("quake3.netchan.sequence") | any(. % 16 == 3)`},
	{`quake3.netchan.duplicate or quake3.netchan.late`, `there("quake3.netchan.duplicate") or there("quake3.netchan.late")`},
	{`quake3.version == 71`, `v("quake3.version") | any(. == 71)`},
	{`quake3.server_message.ops.snapshot.server_time > 20s`, `snap("server_time") | any(. > 20000)`},
	{`quake3.server_message.ops.snapshot.delta_num != 1`, `snap("delta_num") | length > 0 and all(. != 1)`},
	{`quake3.server_message.ops.snapshot.entities.weapon == rocket_launcher`, `snap("entities.weapon_name") | any(. == "rocket_launcher")`},
	{`quake3.server_message.ops.snapshot.entities.update == removed`, `snap("entities.update") | any(. == "removed")`},
	{`all quake3.server_message.ops.snapshot.entities.number > 3`, `snap("entities.number") | length > 0 and all(. > 3)`},
	{`count(quake3.server_message.ops.snapshot.entities) >= 10`, `(snap("entities") | length) >= 10`},
	{`quake3.server_message.ops.snapshot.player_state.origin.x > 193.43411`, `snap("player_state.origin.x") | any(type == "number" and . > 193.43411)`},
	{`abs(quake3.server_message.ops.snapshot.player_state.velocity.z) >= 188.40001`, `snap("player_state.velocity.z") | any(type == "number" and (. >= 188.40001 or . <= -188.40001))`},
	{`quake3.server_message.ops.snapshot.player_state.stats.0 < 100`, `snap("player_state.stats.0") | any(. < 100)`},
	{`quake3.server_message.ops.snapshot.player_state.pm_flags == ducked`, `snap("player_state.pm_flags_names") | any(. == "ducked")`},
	{`quake3.server_message.ops.snapshot.player_state.pm_flags & 2`, `snap("player_state.pm_flags") | any((. / 2 | floor) % 2 == 1)`},
	{`quake3.server_message.ops.snapshot.area_mask[0] == fe`, `snap("area_mask") | any(startswith("fe"))`},
	{`quake3.server_message.ops.server_command.name == "print"`, `v("quake3.server_message.ops.server_command.name") | any(. == "print")`},
	{`quake3.server_message.ops.gamestate.configstrings.info.mapname`, `there("quake3.server_message.ops.gamestate.configstrings.info.mapname")`},
	{`quake3.client_message.ops.move.user_commands.forwardmove < 0`, `v("quake3.client_message.ops.move.user_commands.forwardmove") | any(. < 0)`},
	{`quake3.client_message.ops.client_command.repeat == true`, `v("quake3.client_message.ops.client_command.repeat") | any(. == true)`},
	{`teeworlds.flags == "compression"`, `v("teeworlds.flags") | any(. == "compression")`},
	{`teeworlds.chunks.snapshot.items.character.x < teeworlds.chunks.snapshot.items.character.y`, `[v("teeworlds.chunks.snapshot.items.character.x")[] as $x | v("teeworlds.chunks.snapshot.items.character.y")[] as $y | $x < $y] | any`},
	{`teeworlds.chunks.sv_chat.message contains "hello"`, `v("teeworlds.chunks.sv_chat.message") | any(contains("hello"))`},
	{`teeworlds.control and teeworlds.version == "0.7"`, `there("teeworlds.control") and (v("teeworlds.version") | any(. == "0.7"))`},
	{`teeworlds.chunks.state !== ok`, `v("teeworlds.chunks.state") | any(. != "ok")`},
	{`enet or directplay8`, `has("enet") or has("directplay8")`},
	{`gamestudio.messages`, `there("gamestudio.messages")`},
	{`(stream == 0 or stream == 2) and direction == server_to_client and length > 60`, `(.stream == 0 or .stream == 2) and .direction == "server_to_client" and .length > 60`},
}

// A compared filter is one of them, compiled twice.
type comparedFilter struct {
	text    string
	filter  *filter.Filter
	matcher *filter.Matcher // of one file
}

func comparedFilters(t *testing.T) ([]comparedFilter, *gojq.Code) {
	t.Helper()
	names := filter.Records(all.Protocols())
	var filters []comparedFilter
	var programs []string
	for _, pair := range filtersAndPrograms {
		f, err := names.Compile(pair.filter)
		if err != nil {
			t.Fatalf("%s: %v", pair.filter, err)
		}
		filters = append(filters, comparedFilter{text: pair.filter, filter: f})
		programs = append(programs, "("+pair.program+")")
	}
	query, err := gojq.Parse(jqPrelude + "[" + strings.Join(programs, ",\n") + "]")
	if err != nil {
		t.Fatal(err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		t.Fatal(err)
	}
	return filters, code
}

// A filter shows the records that jq selects from the JSON, on every capture; and it shows the same ones when what can
// be decided before is not dissected.
func TestFiltersAgreeWithJQ(t *testing.T) {
	if n := len(filtersAndPrograms); n < 60 {
		t.Fatalf("%d filters", n)
	}
	files, err := filepath.Glob(filepath.FromSlash("../../../samples/*/*.[pd]*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	t.Run("samples", func(t *testing.T) { compareFilters(t, files, 40, 13, 1) })
	t.Run("captures", func(t *testing.T) {
		files := append(reference.Glob(t, "captures", "quake3", "*.pcap*"),
			reference.Glob(t, "captures", "quake3", "../teeworlds/*.pcap*")...)
		files = append(files, reference.Glob(t, "demos", "quake3", "*.dm_[69]*[0-9]")...)
		if reference.Long() {
			compareFilters(t, files, 100, 61, 1)
		} else {
			compareFilters(t, files, 20, 997, 24)
		}
	})
}

// compareFilters looks at the first records of each file, then at one of so many and at those that show something new.
// One filter of so many as share is tried on each file with what it decides before dissecting, another one on the next.
func compareFilters(t *testing.T, files []string, first, every, share int) {
	var novelty dissecttest.Novelty
	hits := make([]int, len(filtersAndPrograms))
	filters, code := comparedFilters(t)
	for index, name := range files {
		if strings.HasSuffix(name, ".gz") && !strings.Contains(name, "pcap.gz") || strings.HasSuffix(name, ".pk3") ||
			strings.HasSuffix(name, ".txt") {
			continue
		}
		for i := range filters {
			filters[i].matcher = filters[i].filter.Matcher()
		}
		matched := make([][]uint64, len(filters))
		var count int
		eachRecord(t, name, nil, func(rec *dissect.Record) {
			var want []any
			if count++; novelty.Add(rec) || count <= first || count%every == 0 {
				want = selected(t, code, render.AppendJSON(nil, rec, render.JSON{}))
			}
			for i := range filters {
				got := filters[i].matcher.Match(rec)
				if got {
					matched[i] = append(matched[i], rec.Frame)
					hits[i]++
				}
				if want != nil && got != want[i] {
					t.Errorf("%s, frame %d: %s: %v, jq says %v", name, rec.Frame, filters[i].text, got, want[i])
				}
			}
		})
		for i := range filters {
			if before := filters[i].filter.Before(); before != nil && (i+index)%share == 0 {
				n := 0
				eachRecord(t, name, before, func(rec *dissect.Record) {
					if filters[i].matcher.Match(rec) {
						if n >= len(matched[i]) || matched[i][n] != rec.Frame {
							t.Errorf("%s, frame %d: %s is shown only if some packets are not dissected", name, rec.Frame, filters[i].text)
						}
						n++
					}
				})
				if n != len(matched[i]) {
					t.Errorf("%s: %s: %d records, %d if all packets are dissected", name, filters[i].text, n, len(matched[i]))
				}
			}
		}
	}
	idle := 0
	for _, n := range hits {
		if n == 0 {
			idle++
		}
	}
	if idle > len(hits)/5 {
		t.Errorf("%d of %d filters fit no record: %v", idle, len(hits), hits)
	}
}

// eachRecord hands the records of a file to do.
func eachRecord(t *testing.T, name string, before func(*engine.Routed) engine.Fate, do func(*dissect.Record)) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 1, Before: before,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			do(rec)
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for p, err := range reftest.PacketsOf(t, f, name, false) {
		if n++; err != nil || n > reference.Most(shownPackets) {
			break // of the files that break off, what comes before
		}
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// selected runs the conditions on a record.
func selected(t *testing.T, code *gojq.Code, record []byte) []any {
	t.Helper()
	var v any
	if err := json.Unmarshal(record, &v); err != nil {
		t.Fatal(err)
	}
	results, ok := code.Run(v).Next()
	if !ok {
		t.Fatal("no result")
	}
	if err, failed := results.(error); failed {
		t.Fatalf("%v in %.200s", err, record)
	}
	return results.([]any)
}
