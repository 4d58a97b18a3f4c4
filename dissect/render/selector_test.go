package render

import (
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/texttest"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

func TestSelector(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		want string
	}{
		{"frame", "26"},
		{"frame.number", "26"},
		{"frame.time", "2026-11-21T07:11:46.447123000Z"},
		{"_ws.col.Number", "26"},
		{"ip.src", "127.0.0.1"},
		{"ip.addr", "127.0.0.1,127.0.0.1"},
		{"udp.port", "27960,27965"},
		{"_ws.col.Info", "snapshot 7800 full: 2 entities"},
		{"vlan.id", "7,100"},
		{"_ws.expert.message", `fragment 3 is lost,a \x07 bell`},
		{"demo_message", ""},
		{"time", "2026-11-21T07:11:46.447123000Z"},
		{"src", "127.0.0.1"},
		{"protocol", "fake"},
		{"ip_fragments", "24,26"},
		{"info", "snapshot 7800 full: 2 entities"},
		{"expert.code", "fragment_lost,odd"},
		{"expert.field", "fake.header.sequence"},
		{"expert.message", `fragment 3 is lost,a \x07 bell`},
		{"expert", `{"severity":"warning","code":"fragment_lost","field":"fake.header.sequence","bit_offset":12,"message":"fragment 3 is lost"},` +
			`{"severity":"error","code":"odd","bit_offset":0,"message":"a \u0007 bell"}`},
		{"link", `{"vlan":[7,100],"ttl":64}`},
		{"link.vlan", "7,100"},
		{"link.interface", ""},
		{"fake.version", "68"},
		{"fake.header", `{"sequence":2147483653,"guid":"9223372036854775809","reliable":true}`},
		{"fake.header.guid", "9223372036854775809"},
		{"fake.header.offset", ""},
		{"fake.header.reliable", "true"},
		{"fake.message.ops.snapshot.weapon", "3"},
		{"fake.message.ops.snapshot.weapon_name", "shotgun"},
		{"fake.message.ops.snapshot.flags_names", "dead,teleport,0x400"},
		{"fake.message.ops.snapshot.origin.x", "1.5"},
		{"fake.message.ops.snapshot.stats", `{"0":125,"7":-1}`},
		{"fake.message.ops.snapshot.stats.7", "-1"},
		{"fake.message.ops.snapshot.stats.07", ""},
		{"fake.message.ops.snapshot.stats.*", "125,-1"},
		{"fake.message.ops.snapshot.entities.number", "12,13"},
		{"fake.message.ops.snapshot.entities.weapon_name", ""},
		{"fake.message.ops.snapshot.entities", `{"number":12,"update":"delta","weapon":99},{"number":13,"update":"removed"}`},
		{"fake.message.ops.command.text", `say "café"\x1b[31m\x0a`},
		{"fake.message.ops.command.text_raw", "7361792022636166e9221b5b33316d0a"},
		{"fake.message.ops.command.arguments", "say,café"},
		{"fake.message.ops.command.arguments_raw", "736179,636166e9"},
		{"fake.message.ops.command.info", `{"name":"Sarge","rate":"25000"}`},
		{"fake.message.ops.command.info.*", "Sarge,25000"},
		{"fake.message.ops.command.info_raw", texttest.Hex(`\name\Sarge\rate\25000\name\Major`)},
		{"fake.message.ops.command.info.name", "Sarge"},
		{"fake.message.ops.command.info.sv.dotted", ""},
		{"fake.message.ops.command.data", "dead0001"},
		{"fake.message.ops.eof", "{}"},
		{"fake.undecoded", "ff"},
	}
	rec := fullRecord()
	rec.IPFragments = []uint64{24, 26}
	rec.Link = &dissect.Link{VLAN: []uint16{7, 100}, TTL: 64}
	var names, want []string
	for _, tt := range tests {
		names, want = append(names, tt.name), append(want, tt.want)
		s, err := NewSelector([]string{tt.name}, protocols, FieldColumns())
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := string(s.Append(nil, rec)); got != tt.want+"\n" {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	s, err := NewSelector(names, protocols, FieldColumns())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if diff := cmp.Diff(want, strings.Split(strings.TrimSuffix(string(s.Append(nil, rec)), "\n"), "\t")); diff != "" {
			t.Errorf("all at once (-want +got)\n%s", diff)
		}
	}
	if got := string(s.Append(nil, newRecord(""))); strings.Count(got, "\t") != len(names)-1 {
		t.Errorf("a record without fields: %q", got)
	}
}

func TestSelectorChoices(t *testing.T) {
	t.Parallel()
	rec := newRecord("")
	rec.Tree.Open(&fFake, 0)
	rec.Tree.Open(&fMessage, 0)
	rec.Tree.Open(&fOps, 0)
	rec.Tree.Open(&fEOF, 0)
	rec.Tree.Close(0)
	rec.Tree.AddLabel(&fName, "x", 0, 0)
	rec.Tree.Close(0)
	rec.Tree.Open(&fRows, 0)
	for _, row := range [][]string{{"a", "b"}, nil, {"\xff"}} {
		rec.Tree.Open(&fRow, 0)
		for _, word := range row {
			rec.Tree.AddLabel(&fArgument, word, 0, 0)
		}
		rec.Tree.Close(0)
	}
	rec.Tree.CloseAll(0)
	s, err := NewSelector([]string{"fake.message.ops", "fake.message.rows", "fake.message.ops.name"},
		protocols, FieldColumns())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(s.Append(nil, rec)), `{"eof":{}},{"name":"x"}`+"\t"+`["a","b"],[],["ÿ"]`+"\tx\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSelectorErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, nearest string }{
		{"fram", "frame"},
		{"fake.message.ops.snapshot.server_tmie", "fake.message.ops.snapshot.server_time"},
		{"server_time", "fake.message.ops.snapshot.server_time"},
		{"fake.message.ops.snapshot.entities.weapons", "fake.message.ops.snapshot.entities.weapon"},
		{"fake.message.ops.snapshot.weapon_raw", "fake.message.ops.snapshot.weapon_name"},
		{"fake.message.ops.snapshot.stats.x", "fake.message.ops.snapshot.stats.*"},
		{"expert.kode", "expert.code"},
		{"link.x", "link"},
		{"", ""},
		{"nothing like it at all", ""},
		{"frame.x", "frame"},
		{"fake.version.x", "fake.version"},
		{"fake..version", "fake.version"},
	}
	for _, tt := range tests {
		_, err := NewSelector([]string{"frame", tt.name}, protocols, FieldColumns())
		var unknown *UnknownField
		if !errors.As(err, &unknown) || unknown.Name != tt.name || unknown.Nearest != tt.nearest {
			t.Errorf("%q: got %v, want %q suggested", tt.name, err, tt.nearest)
		}
	}
	for _, name := range []string{"positions", "positions.path", "file_error.code", "incomplete.code"} {
		if _, err := NewSelector([]string{name}, protocols, FieldColumns()); err == nil ||
			!strings.Contains(err.Error(), "only in JSON") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every path that is listed can be a column.
func TestSelectorTakesWhatIsListed(t *testing.T) {
	t.Parallel()
	for _, info := range schema.ListFields(protocols, false) {
		if strings.HasPrefix(info.Path, "positions") || strings.HasPrefix(info.Path, "file_error") ||
			strings.HasPrefix(info.Path, "incomplete") {
			continue
		}
		if _, err := NewSelector([]string{info.Path}, protocols, FieldColumns()); err != nil {
			t.Errorf("%s: %v", info.Path, err)
		}
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	names := []string{
		"frame", "fake.message.ops.snapshot.entities.number",
		"fake.message.ops.command.text", "demo_message",
	}
	const header = "frame\tfake.message.ops.snapshot.entities.number\tfake.message.ops.command.text\tdemo_message\n"
	tests := []struct {
		csv     bool
		options string
		want    string
	}{
		{false, "", "26\t12,13\tsay \"café\"\\x1b[31m\\x0a\t\n"},
		{false, "header=y", header + "26\t12,13\tsay \"café\"\\x1b[31m\\x0a\t\n"},
		{false, "separator=/s", "26 12,13 say \"café\"\\x1b[31m\\x0a \n"},
		{false, "separator=;", "26;12,13;say \"café\"\\x1b[31m\\x0a;\n"},
		{false, "occurrence=f", "26\t12\tsay \"café\"\\x1b[31m\\x0a\t\n"},
		{false, "occurrence=l", "26\t13\tsay \"café\"\\x1b[31m\\x0a\t\n"},
		{false, "aggregator=/s", "26\t12 13\tsay \"café\"\\x1b[31m\\x0a\t\n"},
		{false, "quote=d", "\"26\"\t\"12,13\"\t\"say \"\"café\"\"\\x1b[31m\\x0a\"\t\n"},
		{false, "quote=s bom=y", "\ufeff'26'\t'12,13'\t'say \"café\"\\x1b[31m\\x0a'\t\n"},
		{false, "quote=d quote=n separator=/t occurrence=a", "26\t12,13\tsay \"café\"\\x1b[31m\\x0a\t\n"},
		{false, "escape=n", "26\t12,13\tsay \"caf\xe9\"\x1b[31m\n\t\n"},
		{true, "header=n", "26,\"12,13\",\"say \"\"café\"\"\\x1b[31m\\x0a\",\r\n"},
		{true, "", strings.ReplaceAll(strings.TrimSuffix(header, "\n"), "\t", ",") + "\r\n" + "26,\"12,13\",\"say \"\"café\"\"\\x1b[31m\\x0a\",\r\n"},
		{true, "header=n separator=;", "26;12,13;\"say \"\"café\"\"\\x1b[31m\\x0a\";\r\n"},
		{true, "header=n quote=s", "\"26\",\"12,13\",\"say \"\"café\"\"\\x1b[31m\\x0a\",\r\n"},
	}
	for _, tt := range tests {
		c := FieldColumns()
		if tt.csv {
			c = CSVColumns()
		}
		for _, option := range strings.Fields(tt.options) {
			if err := c.Set(option); err != nil {
				t.Errorf("%s: %v", option, err)
			}
		}
		s, err := NewSelector(names, protocols, c)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(s.Append(s.AppendHeader(nil), fullRecord())); got != tt.want {
			t.Errorf("%v %s: got %q, want %q", tt.csv, tt.options, got, tt.want)
		}
	}
	for _, option := range []string{
		"", "header", "header=", "header=x", "quote=x", "occurrence=", "occurrence=af",
		"separator=", "escape=1", "bom=", "colour=y",
	} {
		c := FieldColumns()
		if err := c.Set(option); err == nil || !strings.HasPrefix(err.Error(), "-E ") {
			t.Errorf("-E %s: %v", option, err)
		}
	}
}

// What encoding/csv reads is what was written.
func FuzzCSV(f *testing.F) {
	f.Add("a,b\"c\r\nd", " x ")
	f.Fuzz(func(t *testing.T, a, b string) {
		c := CSVColumns()
		c.Escape = false
		line := append(c.close([]byte(a), 0), ',')
		from := len(line)
		line = c.close(append(line, b...), from)
		got, err := csv.NewReader(strings.NewReader(string(line) + c.endLine())).Read()
		if err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		// The reader takes CR LF in quotes for LF.
		want := []string{strings.ReplaceAll(a, "\r\n", "\n"), strings.ReplaceAll(b, "\r\n", "\n")}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", line, diff)
		}
	})
}
