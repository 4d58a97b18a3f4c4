package render

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
	"github.com/q3dissect/q3dissect/dissect/render/internal/member"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

func TestList(t *testing.T) {
	t.Parallel()
	const front = "    26    0.215361       127.0.0.1:27960 → 127.0.0.1:27965       "
	const (
		narrow    = "    26    0.215361 127.0.0.1:27960 → 127.0.0.1:27965 " // on a terminal of less than 120 cells
		narrowest = "    26    0.215361    0 ← "                            // on one of less than 100
	)
	tests := []struct {
		name   string
		list   List
		info   string
		change func(*dissect.Record)
		want   string
	}{
		{"whole", List{}, "say hello", nil, front + "fake              5  say hello"},
		{"nothing to say", List{}, "", nil, front + "fake              5"},
		{"version", List{}, "x", func(r *dissect.Record) {
			r.Tree.Open(&fFake, 0)
			r.Tree.Add(&fVersion, 68, 0, 0)
			r.Tree.Close(0)
		}, front + "fake 68           5  x"},
		{"hostile", List{}, "say \x1b[31m\u202e\xe9\n", nil, front + `fake              5  say \x1b[31m\u202eé\x0a`},
		{"cut", List{Width: 47}, "say hello", nil, narrowest + "fake          5  say…"},
		{"just fits", List{Width: 52}, "say hello", nil, narrowest + "fake          5  say hello"},
		{"cut at a wide character", List{Width: 46}, "a日本", nil, narrowest + "fake          5  a…"},
		{"wide characters fit", List{Width: 48}, "a日本", nil, narrowest + "fake          5  a日本"},
		{"combining marks take no room", List{Width: 45}, "a\u0301\u0301b", nil, narrowest + "fake          5  a\u0301\u0301b"},
		{"addresses at 100 cells", List{Width: 100}, "say hello to everybody who is here", nil, narrow + "fake          5  say hello to everybody who is…"},
		{"stream at 99 cells", List{Width: 99}, "say hello to everybody who is here", nil, narrowest + "fake          5  say hello to everybody who is here"},
		{"stream of a request", List{Width: 80}, "x", func(r *dissect.Record) {
			r.Direction, r.Stream = dissect.ClientToServer, 1234
		}, "    26    0.215361 1234 → fake          5  x"},
		{"no stream", List{Width: 80}, "", func(r *dissect.Record) {
			r.Protocol, r.Stream, r.Direction, r.Note = nil, -1, dissect.Undecidable, "a note"
		}, "    26    0.215361        UDP           5  a note"},
		{"narrow terminal", List{Width: 10, Color: true}, "x", nil, "    26   …"},
		{"long addresses", List{}, "x", func(r *dissect.Record) {
			r.Src = netip.MustParseAddrPort("[2001:db8::1234]:27960")
		}, "    26    0.215361 [2001:db8::1234]:27960 → 127.0.0.1:27965       fake              5  x"},
		{"large numbers", List{}, "x", func(r *dissect.Record) {
			r.Frame, r.Time, r.Length = 12345678, r.FirstTime+123456789*1e9, 1234567
		}, "12345678 123456789.000000       127.0.0.1:27960 → 127.0.0.1:27965       fake          1234567  x"},
		{"no time", List{}, "x", func(r *dissect.Record) {
			r.HasTime = false
		}, "    26                   127.0.0.1:27960 → 127.0.0.1:27965       fake              5  x"},
		{"unknown datagram", List{}, "", func(r *dissect.Record) { r.Protocol = nil }, front + "UDP               5"},
		{"no IP", List{}, "", func(r *dissect.Record) {
			*r = dissect.Record{Packet: dissect.Packet{Frame: 3, Length: 60, Note: "ARP"}, Stream: -1, Tree: r.Tree}
		}, "     3                                   →                       -                60  ARP"},
		{"no UDP", List{}, "", func(r *dissect.Record) {
			r.Protocol, r.UDP, r.Note = nil, false, "TCP"
		}, "    26    0.215361             127.0.0.1 → 127.0.0.1             -                 5  TCP"},
		{"demo", List{}, "snapshot", func(r *dissect.Record) {
			r.Packet = dissect.Packet{Recorder: "fake", Frame: 8, UDP: true, Length: 4, Payload: []byte("headbody")}
		}, "     7 fake              4  snapshot"},
		{"delta", List{Time: TimeFormat{style: delta}}, "x", func(r *dissect.Record) {
			r.Previous = r.Time - 1500
		}, "    26    0.000001       127.0.0.1:27960 → 127.0.0.1:27965       fake              5  x"},
		{"color", List{Color: true}, "x", nil, front + "fake              5  x"},
		{"color of requests", List{Color: true}, "x", func(r *dissect.Record) {
			r.Direction = dissect.ClientToServer
		}, front + "\x1b[36mfake         \x1b[0m     5  x"},
		{"color of damage", List{Color: true}, "x", func(r *dissect.Record) {
			r.Direction = dissect.ClientToServer
			r.Experts = []dissect.Expert{{Severity: dissect.Fault}, {Severity: dissect.Warning}}
		}, front + "\x1b[36mfake         \x1b[0m\x1b[31m     5  x\x1b[0m"},
		{"color of a warning, cut", List{Color: true, Width: 43}, "long", func(r *dissect.Record) {
			r.Experts = []dissect.Expert{{Severity: dissect.Warning}, {Severity: dissect.Note}}
		}, narrowest + "fake     \x1b[33m     5 …\x1b[0m"},
		{"color of the rest", List{Color: true}, "", func(r *dissect.Record) {
			r.Protocol, r.UDP, r.Note = nil, false, "TCP"
		}, "\x1b[2m    26    0.215361             127.0.0.1 → 127.0.0.1             -                 5  TCP\x1b[0m"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := newRecord(tt.info)
			if tt.change != nil {
				tt.change(rec)
			}
			got := string(tt.list.Append([]byte("kept\n"), rec))
			if diff := cmp.Diff("kept\n"+tt.want+"\n", got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTimeFormats(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("CET", 3600)
	rec := newRecord("")
	rec.Previous = rec.Time - 1e9
	tests := []struct{ format, want string }{
		{"r", "0.215361"},
		{"r.3", "0.215"},
		{".9", "0.215361000"},
		{"r.0", "0"},
		{"a", "08:11:46.447123+01:00"},
		{"ad", "2026-11-21 08:11:46.447123+01:00"},
		{"adoy", "2026/325 08:11:46.447123+01:00"},
		{"u", "07:11:46.447123Z"},
		{"ud", "2026-11-21 07:11:46.447123Z"},
		{"ud.9", "2026-11-21 07:11:46.447123000Z"},
		{"udoy.1", "2026/325 07:11:46.4Z"},
		{"e", "1795245106.447123"},
		{"d", "1.000000"},
	}
	for _, tt := range tests {
		f, err := ParseTimeFormat(tt.format, berlin)
		if err != nil {
			t.Errorf("%s: %v", tt.format, err)
			continue
		}
		got := string(f.Append(nil, rec))
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.format, got, tt.want)
		}
		if f.style != relative && f.style != delta && f.width() != len(got) {
			t.Errorf("%s: width %d for %s", tt.format, f.width(), got)
		}
	}
	for _, s := range []string{"", "dd", "x", "r.", "r.10", "r.x", ".", "ad.-1"} {
		if _, err := ParseTimeFormat(s, nil); err == nil || !strings.Contains(err.Error(), "time format") {
			t.Errorf("%q: %v", s, err)
		}
	}
	if got := string(TimeFormat{style: dateTime}.Append(nil, rec)); got != "2026-11-21 07:11:46.447123Z" {
		t.Errorf("without a zone: %s", got)
	}
}

func TestSeconds(t *testing.T) {
	t.Parallel()
	const last, first = 1<<63 - 1, -1 << 63
	tests := []struct {
		at, since int64
		want      string
	}{
		{0, 0, "0.000000000"},
		{1, 0, "0.000000001"},
		{0, 1, "-0.000000001"},
		{last, first, "18446744073.709551615"},
		{first, last, "-18446744073.709551615"},
		{first, 0, "-9223372036.854775808"},
	}
	for _, tt := range tests {
		if got := string(text.AppendSeconds(nil, tt.at, tt.since, 9)); got != tt.want {
			t.Errorf("%d since %d: got %s, want %s", tt.at, tt.since, got, tt.want)
		}
	}
}

// The ISO form against the standard library's, over the whole range of times.
func FuzzISOTime(f *testing.F) {
	f.Add(int64(0))
	f.Add(int64(-1))
	f.Add(int64(1<<63 - 1))
	f.Add(int64(-1 << 63))
	f.Fuzz(func(t *testing.T, at int64) {
		rec := newRecord("")
		rec.Time = at
		got, _ := member.Append(nil, recordhead.Find(recordhead.Common, "time"), rec, 0)
		if want := time.Unix(0, at).UTC().Format("2006-01-02T15:04:05.000000000Z"); string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestColouredText(t *testing.T) {
	for _, tt := range []struct{ raw, plain, coloured string }{
		{"^1gg ^7all", "gg all", "\x1b[31mgg \x1b[0mall\x1b[0m"},
		{"a^^2b\x1b[2J\x07", "a^b[2J", "a^\x1b[32mb[2J\x1b[0m"},
		{"no codes ^", "no codes ^", "no codes ^"},
		{"^x\u202e", "\\u202e", "\x1b[90m\\u202e\x1b[0m"},
	} {
		plain, coloured := colouredText([]byte(tt.raw))
		if string(plain) != tt.plain || string(coloured) != tt.coloured {
			t.Errorf("%q: %q, %q", tt.raw, plain, coloured)
		}
	}
}
