package render

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// teller is the fake game with events of a weapon and a text.
func teller() *dissect.Protocol {
	p := fake("")
	p.EventRoot = &fTelling
	p.AppendEvent = func(dst []byte, t *dissect.Tree, node int) []byte {
		shooter := t.Child(node, &fShooter)
		if shooter < 0 {
			return append(dst, "nobody"...)
		}
		return append(dst, t.Bytes(&t.Nodes[t.Child(shooter, &fText)])...)
	}
	return p
}

var (
	fShooter = dissect.Field{Key: "shooter", Kind: dissect.Object, Children: []*dissect.Field{&fText, &fWeapon}}
	fTelling = dissect.Field{
		Kind: dissect.Object, Children: []*dissect.Field{&dissect.EventKind, &dissect.EventServerTime, &fShooter, &fData},
	}
)

// eventRecord has two events: a shot, and one without a time.
func eventRecord() *dissect.Record {
	rec := newRecord("")
	rec.Protocol = teller()
	t := &rec.Events
	t.Family = 1
	t.Open(&fTelling, 0)
	t.AddLabel(&dissect.EventKind, "shot", 0, 0)
	t.AddInt(&dissect.EventServerTime, 7800, 0, 0)
	t.Open(&fShooter, 0)
	t.AddBytes(&fText, []byte("a\x1bb\xe9"), 0, 0)
	t.Add(&fWeapon, 3, 0, 0)
	t.Close(0)
	t.Close(0)
	t.Open(&fTelling, 0)
	t.AddLabel(&dissect.EventKind, "pause", 0, 0)
	t.Close(0)
	return rec
}

func TestEventsJSON(t *testing.T) {
	const head = `{"frame":26,"time":"2026-11-21T07:11:46.447123000Z","time_epoch":1795245106.447123000,"time_relative":0.215361000,` +
		`"src":"127.0.0.1","src_port":27960,"dst":"127.0.0.1","dst_port":27965,"protocol":"fake","stream":0,"direction":"server_to_client","server":"127.0.0.1:27960",`
	for _, tt := range []struct {
		name string
		opts JSON
		want string
	}{
		{
			"names",
			JSON{},
			head + `"event":"shot","server_time":7800,"shooter":{"text":"a\u001bbé","text_raw":"611b62e9","weapon":3,"weapon_name":"shotgun"},"info":"a\u001bbé"}` + "\n" +
				head + `"event":"pause","info":"nobody"}` + "\n",
		},
		{
			"no names",
			JSON{NoNames: true, Bits: true},
			head + `"event":"shot","server_time":7800,"shooter":{"text":"a\u001bbé","text_raw":"611b62e9","weapon":3},"info":"a\u001bbé"}` + "\n" +
				head + `"event":"pause","info":"nobody"}` + "\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(AppendEventsJSON(nil, eventRecord(), tt.opts))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	rec := eventRecord()
	rec.Protocol = fake("") // which has no words for events
	if got := AppendEventsJSON([]byte("x"), rec, JSON{}); string(got) != "x" {
		t.Errorf("a protocol without events gives %q", got)
	}
}

// A long event continues below its own column, and no line is wider than the terminal.
func TestEventListWraps(t *testing.T) {
	rec := eventRecord()
	rec.Events.Reset()
	rec.Events.Open(&fTelling, 0)
	rec.Events.Close(0)
	rec.Protocol = wordy()
	const want = "    26    0.215361      0                   Gargoyle: You know, I really do want\n" +
		"                                            to be anarchy\n"
	list := EventList{Width: 80}
	if diff := cmp.Diff(want, string(list.Append(nil, rec))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// wordy has the same words for every event.
func wordy() *dissect.Protocol {
	p := fake("")
	p.EventRoot = &dissect.Field{Kind: dissect.Object}
	p.AppendEvent = func(dst []byte, _ *dissect.Tree, _ int) []byte {
		return append(dst, "Gargoyle: You know, I really do want to be anarchy"...)
	}
	return p
}

func TestEventList(t *testing.T) {
	demo := func(r *dissect.Record) {
		r.Src, r.Dst, r.HasTime, r.Stream = netip.AddrPort{}, netip.AddrPort{}, false, -1
		r.Recorder = "fake"
	}
	const header = "number        time    server stream  event            what happened\n"
	for _, tt := range []struct {
		name   string
		list   EventList
		change func(*dissect.Record)
		want   string
	}{
		{"plain", EventList{}, nil, header +
			"    26    0.215361     7.800      0  shot             a\\x1bb\u00e9\n" +
			"    26    0.215361                0  pause            nobody\n"},
		{"a demo has neither time nor stream", EventList{}, demo, header +
			"    25                 7.800         shot             a\\x1bb\u00e9\n" +
			"    25                               pause            nobody\n"},
		{"without the server's time, in colour", EventList{Width: 99, Color: true}, nil, "number        time stream  event            what happened\n" +
			"    26    0.215361      0  \x1b[36mshot\x1b[0m             a\\x1bb\u00e9\n" +
			"    26    0.215361      0  \x1b[36mpause\x1b[0m            nobody\n"},
		{"a demo without the server's time", EventList{Width: 99}, demo, "number        time stream  event            what happened\n" +
			"    25       7.800         shot             a\\x1bb\u00e9\n" +
			"    25                     pause            nobody\n"},
		{"cut, in colour", EventList{Width: 47, Color: true}, nil, "number        time stream  event            wh…\n" +
			"    26    0.215361      0  \x1b[36mshot\x1b[0m             a\\…\n" +
			"    26    0.215361      0  \x1b[36mpause\x1b[0m            no…\n"},
		{"since the packet before", EventList{Time: TimeFormat{style: delta}}, func(r *dissect.Record) { r.Previous = r.Time - 123000 }, header +
			"    26    0.000123     7.800      0  shot             a\\x1bb\u00e9\n" +
			"    26    0.000123                0  pause            nobody\n"},
		{"narrow", EventList{Width: 5, Color: true}, nil, "numb…\n    …\n    …\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := eventRecord()
			if tt.change != nil {
				tt.change(rec)
			}
			if diff := cmp.Diff(tt.want, string(tt.list.Append(tt.list.AppendHeader(nil), rec))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEventTimes(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "0.000", 7: "0.007", 7800: "7.800", 1234567: "1234.567", -50: "-0.050",
		-1 << 31: "-2147483.648",
	} {
		if got := string(appendMilliseconds(nil, ms)); got != want {
			t.Errorf("%d ms: %s, want %s", ms, got, want)
		}
	}
}

// TestEventDescriptions looks for every key of the events in the list and in the schema, and for nothing
// of the datagram alone.
func TestEventDescriptions(t *testing.T) {
	tellers := []*dissect.Protocol{teller(), fake("")}
	var paths []string
	for _, f := range schema.ListEventFields(tellers) {
		paths = append(paths, f.Path)
	}
	want := []string{
		"file", "frame", "demo_message", "time", "time_epoch", "time_relative", "src", "src_port", "dst", "dst_port",
		"protocol", "stream", "direction", "server", "community_id", "event", "server_time", "shooter", "shooter.text",
		"shooter.text_raw", "shooter.weapon", "shooter.weapon_name", "data", "info",
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	var document struct {
		AnyOf []struct {
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		} `json:"anyOf"`
	}
	if err := json.Unmarshal(schema.Events(tellers), &document); err != nil {
		t.Fatal(err)
	}
	for _, path := range want {
		if _, ok := document.AnyOf[0].Properties[path]; !ok && !strings.Contains(path, ".") {
			t.Errorf("%s is not in the schema", path)
		}
	}
	if diff := cmp.Diff([]string{"protocol", "event", "info"}, document.AnyOf[0].Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

func TestCheckEvents(t *testing.T) {
	if err := schema.CheckEvents([]*dissect.Protocol{teller()}); err != nil {
		t.Error(err)
	}
	clash := fTelling
	clash.Children = []*dissect.Field{
		&dissect.EventKind,
		{Key: "stream", Kind: dissect.Uint},
		{Key: "text_name", Kind: dissect.Uint},
		{Key: "text", Kind: dissect.Uint, Enum: weaponNames},
	}
	clashing := teller()
	clashing.EventRoot = &clash
	err := schema.CheckEvents([]*dissect.Protocol{clashing})
	if err == nil || !strings.Contains(err.Error(), "stream: exists twice") ||
		!strings.Contains(err.Error(), "text_name exists twice") {
		t.Errorf("clashing keys: %v", err)
	}
}
