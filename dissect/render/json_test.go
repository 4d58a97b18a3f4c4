package render

import (
	"encoding/json"
	"math"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

const fullCommon = `"frame":26,"time":"2026-11-21T07:11:46.447123000Z","time_epoch":1795245106.447123000,` +
	`"time_relative":0.215361000,"src":"127.0.0.1","src_port":27960,"dst":"127.0.0.1","dst_port":27965,"length":5,` +
	`"protocol":"fake","stream":0,"direction":"server_to_client","info":"snapshot 7800 full: 2 entities",`

const fullObject = `"fake":{"version":68,"header":{"sequence":2147483653,"guid":"9223372036854775809","reliable":true},` +
	`"message":{"ops":[{"snapshot":{"server_time":-7800,"weapon":3,"weapon_name":"shotgun","event":513,"event_name":"footstep",` +
	`"flags":1029,"flags_names":["dead","teleport","0x400"],"origin":{"x":1.5,"y":-24,"z":0.1},"stats":{"0":125,"7":-1},` +
	`"entities":[{"number":12,"update":"delta","weapon":99},{"number":13,"update":"removed"}]}},` +
	`{"command":{"text":"say \"café\"\u001b[31m\n","text_raw":"7361792022636166e9221b5b33316d0a",` +
	`"arguments":["say","café"],"arguments_raw":["736179","636166e9"],` +
	`"info":{"name":"Sarge","rate":"25000"},"info_raw":"5c6e616d655c53617267655c726174655c32353030305c6e616d655c4d616a6f72",` +
	`"data":"dead0001"}},{"eof":{}}]},"undecoded":"ff"},`

const fullExpert = `"expert":[{"severity":"warning","code":"fragment_lost","field":"fake.header.sequence","bit_offset":12,` +
	`"message":"fragment 3 is lost"},{"severity":"error","code":"odd","bit_offset":0,"message":"a \u0007 bell"}]`

func TestAppendJSON(t *testing.T) {
	t.Parallel()
	noNames := strings.NewReplacer(`,"weapon_name":"shotgun"`, "", `,"event_name":"footstep"`, "", `,"flags_names":["dead","teleport","0x400"]`, "")
	unknownFamily := fullRecord()
	unknownFamily.Tree.Family = 9
	noTables := fullRecord()
	noTables.Tree.Family = 0
	tests := []struct {
		name string
		rec  *dissect.Record
		opts JSON
		want string
	}{
		{"everything", fullRecord(), JSON{}, "{" + fullCommon + fullObject + fullExpert + "}\n"},
		{"no names", fullRecord(), JSON{NoNames: true}, "{" + fullCommon + noNames.Replace(fullObject) + fullExpert + "}\n"},
		{"family without number", unknownFamily, JSON{}, "{" + fullCommon + noNames.Replace(fullObject) + fullExpert + "}\n"},
		{"family without tables", noTables, JSON{}, "{" + fullCommon + noNames.Replace(fullObject) + fullExpert + "}\n"},
		{"link not in the packet", fullRecord(), JSON{Link: true}, "{" + fullCommon + fullObject + fullExpert + "}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := string(AppendJSON([]byte("kept,"), tt.rec, tt.opts))
			if diff := cmp.Diff("kept,"+tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestCommonPart(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*dissect.Record)
		opts   JSON
		want   string
	}{
		{"several files", func(r *dissect.Record) { r.File, r.HasTime = "a\xff\"b.pcap", false }, JSON{}, `{"file":"aÿ\"b.pcap","frame":26,"src":"127.0.0.1","src_port":27960,` +
			`"dst":"127.0.0.1","dst_port":27965,"length":5,"protocol":"fake","stream":0,"direction":"server_to_client","info":"x"}`},
		{"cut, in fragments, undecidable", func(r *dissect.Record) {
			r.HasTime, r.Length, r.IPFragments, r.Direction, r.Stream = false, 9, []uint64{24, 26}, dissect.Undecidable, -1
		}, JSON{}, `{"frame":26,"src":"127.0.0.1","src_port":27960,"dst":"127.0.0.1","dst_port":27965,"length":9,"captured_length":5,` +
			`"ip_fragments":[24,26],"protocol":"fake","info":"x"}`},
		{"one fragment is none", func(r *dissect.Record) { r.HasTime, r.IPFragments = false, []uint64{26} }, JSON{}, `{"frame":26,"src":"127.0.0.1",` +
			`"src_port":27960,"dst":"127.0.0.1","dst_port":27965,"length":5,"protocol":"fake","stream":0,"direction":"server_to_client","info":"x"}`},
		{"before the first packet, IPv6", func(r *dissect.Record) {
			r.Time, r.FirstTime = -1500000000, 0
			r.Src = netip.MustParseAddrPort("[2001:db8::1]:5")
			r.Stream = 12
		}, JSON{}, `{"frame":26,"time":"1969-12-31T23:59:58.500000000Z","time_epoch":-1.500000000,"time_relative":-1.500000000,"src":"2001:db8::1",` +
			`"src_port":5,"dst":"127.0.0.1","dst_port":27965,"length":5,"protocol":"fake","stream":12,"direction":"server_to_client","info":"x"}`},
		{"other packet", func(r *dissect.Record) {
			*r = dissect.Record{Packet: dissect.Packet{Frame: 3, Length: 60, Note: "ARP"}, Stream: -1, Tree: r.Tree}
		}, JSON{}, `{"frame":3,"length":60,"protocol":null,"info":"ARP"}`},
		{"other protocol over IP", func(r *dissect.Record) {
			r.Protocol, r.Stream, r.Direction, r.UDP, r.Payload, r.HasTime, r.Note = nil, -1, dissect.Undecidable,
				false, nil, false, "TCP"
		}, JSON{}, `{"frame":26,"src":"127.0.0.1","dst":"127.0.0.1","length":5,"protocol":null,"info":"TCP"}`},
		{"demo", func(r *dissect.Record) {
			r.Packet = dissect.Packet{Recorder: "fake", Frame: 1, UDP: true, Length: 5, Payload: r.Payload}
		}, JSON{}, `{"demo_message":0,"length":5,"protocol":"fake","direction":"server_to_client","info":"x"}`},
		{"link", func(r *dissect.Record) {
			r.HasTime = false
			r.Link = &dissect.Link{
				Interface: "eth0", VLAN: []uint16{7, 100}, TTL: 64, IPID: 0,
				HasIPID: true, Comment: "a\nb\x85",
			}
		}, JSON{Link: true}, `{"frame":26,"src":"127.0.0.1","src_port":27960,"dst":"127.0.0.1","dst_port":27965,"length":5,"protocol":"fake","stream":0,` +
			`"direction":"server_to_client","info":"x","link":{"interface":"eth0","vlan":[7,100],"ttl":64,"ip_id":0,"comment":"a\nb\u0085"}}`},
		{"empty link, positions of nothing", func(r *dissect.Record) {
			*r = dissect.Record{Packet: dissect.Packet{Frame: 3, Link: &dissect.Link{}}, Stream: -1, Tree: r.Tree}
		}, JSON{Link: true, Bits: true}, `{"frame":3,"length":0,"protocol":null,"info":"","positions":[],"link":{}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := newRecord("x")
			tt.change(rec)
			got := AppendJSON(nil, rec, tt.opts)
			if diff := cmp.Diff(tt.want+"\n", string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if !json.Valid(got) {
				t.Error("no JSON")
			}
			if err := validate(got); err != nil {
				t.Errorf("against the schema: %v", err)
			}
		})
	}
}

func TestPositions(t *testing.T) {
	t.Parallel()
	var rec struct {
		Positions []struct {
			Path   string
			Offset int `json:"bit_offset"`
			Length int `json:"bit_length"`
			In     string
		}
	}
	if err := json.Unmarshal(AppendJSON(nil, fullRecord(), JSON{Bits: true}), &rec); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range rec.Positions {
		got = append(got, strings.Join([]string{
			p.Path, string(text.AppendInt(nil, int64(p.Offset))),
			string(text.AppendInt(nil, int64(p.Length))), p.In,
		}, " "))
	}
	want := []string{
		"fake.header.sequence 0 32 datagram",
		"fake.header.guid 32 64 datagram",
		"fake.header.reliable 96 1 datagram",
		"fake.message.ops[0].snapshot.server_time 3 40 message",
		"fake.message.ops[0].snapshot.weapon 43 9 message",
		"fake.message.ops[0].snapshot.event 52 10 message",
		"fake.message.ops[0].snapshot.flags 62 16 message",
		"fake.message.ops[0].snapshot.origin.x 78 14 message",
		"fake.message.ops[0].snapshot.origin.y 92 14 message",
		"fake.message.ops[0].snapshot.origin.z 106 14 message",
		"fake.message.ops[0].snapshot.stats.0 121 16 message",
		"fake.message.ops[0].snapshot.stats.7 137 16 message",
		"fake.message.ops[0].snapshot.entities[0].number 153 10 message",
		"fake.message.ops[0].snapshot.entities[0].update 163 2 message",
		"fake.message.ops[0].snapshot.entities[0].weapon 165 9 message",
		"fake.message.ops[0].snapshot.entities[1].number 174 10 message",
		"fake.message.ops[0].snapshot.entities[1].update 184 1 message",
		"fake.message.ops[1].command.text 195 120 message",
		"fake.message.ops[1].command.info 315 264 message",
		"fake.message.ops[1].command.data 579 32 message",
		"fake.undecoded 619 5 datagram",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		field *dissect.Field
		value int64
		want  string
	}{
		{&fWeapon, 0, `"weapon":0,"weapon_name":"none"`},
		{&fWeapon, 2, `"weapon":2`},
		{&fWeapon, 4, `"weapon":4`},
		{&fEvent, 0x301, `"event":769,"event_name":"footstep"`},
		{&fEvent, -255, `"event":-255`}, // 0xff...01 without the ignored bits is no small number
		{&fEvent, math.MinInt64 + 1, `"event":-9223372036854775807`},
		{&fFlags, 0, `"flags":0,"flags_names":[]`},
		{&fFlags, 0x80, `"flags":128,"flags_names":[]`},
		{&fFlags, 2, `"flags":2,"flags_names":["0x2"]`},
		{&fFlags, -32768, `"flags":-32768,"flags_names":["0x8000"]`},
	}
	for _, tt := range tests {
		rec := newRecord("")
		rec.Tree.Family = 1
		rec.Tree.Open(&fFake, 0)
		rec.Tree.AddInt(tt.field, tt.value, 0, 8)
		rec.Tree.Close(0)
		got := string(AppendJSON(nil, rec, JSON{}))
		if !strings.HasSuffix(got, `"fake":{`+tt.want+"}}\n") {
			t.Errorf("%s %d: want %s in %s", tt.field.Key, tt.value, tt.want, got)
		}
	}
	wide := dissect.Field{Key: "m", Kind: dissect.Int, Enum: &dissect.Enum{Mask: true, Tables: [][]string{{}}}}
	rec := newRecord("")
	rec.Tree.Open(&fFake, 0)
	rec.Tree.AddInt(&wide, math.MinInt32, 0, 8)
	rec.Tree.Close(0)
	if got := string(AppendJSON(nil, rec, JSON{})); !strings.HasSuffix(got, `{"m":-2147483648,"m_names":["0x80000000"]}}`+"\n") {
		t.Errorf("a negative mask of 32 bits: %s", got)
	}
}

func TestFileError(t *testing.T) {
	t.Parallel()
	got := AppendFileError(nil, "a.pcap", "cut_short", 1234, "ends \"early\"")
	const want = `{"file":"a.pcap","file_error":{"code":"cut_short","offset":1234,"message":"ends \"early\""}}` + "\n"
	if string(got) != want {
		t.Errorf("got %s", got)
	}
	for _, line := range [][]byte{got, AppendFileError(nil, "", "x", 0, "")} {
		if err := validate(line); err != nil {
			t.Error(err)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	list := List{Width: 100, Color: true}
	dst := make([]byte, 0, 1<<16)
	// The walk for the positions comes from a pool, which the garbage collector and the race detector empty.
	const emptyPool = 3
	for _, rec := range []*dissect.Record{fullRecord(), bigRecord()} {
		tests := []struct {
			name   string
			most   float64
			render func()
		}{
			{"json", 0, func() { AppendJSON(dst, rec, JSON{Link: true}) }},
			{"list", 0, func() { list.Append(dst, rec) }},
			{"hex", 0, func() { AppendHex(dst, rec) }},
			{"positions", emptyPool, func() { AppendJSON(dst, rec, JSON{Bits: true}) }},
		}
		for _, tt := range tests {
			if n := testing.AllocsPerRun(100, tt.render); n > tt.most {
				t.Errorf("%s: %v allocations", tt.name, n)
			}
		}
	}
}
