package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

var testRun = Run{Version: "v1", SchemaVersion: 1, Options: []string{"--json=true"}}

const testRunLine = `{"q3dissect":"v1","schema_version":1,"options":["--json=true"]}` + "\n"

func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// TestCheck: a manifest with a number that cannot be, or that does not fit the output, is refused with a sentence about
// it.
func TestCheck(t *testing.T) {
	t.Parallel()
	const content = "before\naaa\nbbb\n" // of a run that appended to a file
	a := func(change ...string) string {
		line := fmt.Sprintf(`{"input":"a","size":7,"modified":"2026-01-02T03:04:05Z","status":"done","packets":1,"output_from":7,"output":11,"output_sha256":"%s"}`, sumOf("aaa\n"))
		return strings.NewReplacer(change...).Replace(line) + "\n"
	}
	b := fmt.Sprintf(`{"input":"b","size":7,"status":"broken","packets":1,"output_from":11,"output":15,"output_sha256":"%s"}`, sumOf("bbb\n")) + "\n"
	file := func(change ...string) string {
		line := fmt.Sprintf(`{"input":"a","size":7,"status":"done","packets":1,"files":[{"table":"t","path":"t/a.0.parquet","rows":3,"bytes":9,"sha256":"%s"}]}`, sumOf("x"))
		return strings.NewReplacer(change...).Replace(line) + "\n"
	}
	with := func(first string) string {
		return `{"input":"b","size":7,"status":"done","packets":1,"files_with":"` + first + `"}` + "\n"
	}
	table := func(change ...string) string {
		line := fmt.Sprintf(`{"table":"t","rows":3,"bytes":9,"file_count":1,"sha256":"%s"}`, sumOf(sumOf("x")))
		return strings.NewReplacer(change...).Replace(line) + "\n"
	}
	for name, tt := range map[string]struct {
		lines  string
		tables bool
		want   string // in the error; empty: it is good
	}{
		"good":               {lines: a() + b},
		"in another order":   {lines: b + a()},
		"the last line cut":  {lines: a() + b[:20]},
		"failed":             {lines: a() + `{"input":"c","size":7,"status":"failed","packets":0}` + "\n"},
		"no output":          {lines: a() + `{"input":"c","size":7,"status":"no input","packets":0,"output_from":11,"output":11}` + "\n"},
		"negative output":    {lines: a(`"output":11`, `"output":-5`), want: "a: its output goes from byte 7 to byte -5"},
		"output in a line":   {lines: a(`"output":11`, `"output":9`), want: "standard output has other bytes from 7 to 9 than the manifest says of a"},
		"less than before":   {lines: a(`"output":11`, `"output":3`), want: "a: its output goes from byte 7 to byte 3"},
		"from another byte":  {lines: a(`"output_from":7`, `"output_from":0`), want: "other bytes from 0 to 11"},
		"negative from":      {lines: a(`"output_from":7`, `"output_from":-7`), want: "from byte -7"},
		"more than is there": {lines: a() + strings.Replace(b, `"output":15`, `"output":16`, 1), want: "standard output has 15 bytes, and the manifest says 16"},
		"overlap":            {lines: a() + strings.Replace(b, `"output_from":11`, `"output_from":10`, 1), want: "the output of a goes up to byte 11, and that of b begins at byte 10"},
		"no checksum":        {lines: a(`"output_sha256"`, `"reason"`), want: "a: its output has no checksum"},
		"other checksum":     {lines: a(sumOf("aaa\n"), sumOf("bbb\n")), want: "other bytes from 7 to 11"},
		"half a checksum":    {lines: a(sumOf("aaa\n"), "aa"), want: "no checksum"},
		"negative size":      {lines: a(`"size":7`, `"size":-7`), want: "a: a size of -7 bytes"},
		"negative packets":   {lines: a(`"packets":1`, `"packets":-1`), want: "line 2: json: cannot unmarshal number -1"},
		"too large":          {lines: a(`"output":11`, `"output":99999999999999999999`), want: "line 2: json: cannot unmarshal number"},
		"a fraction":         {lines: a(`"output":11`, `"output":10.5`), want: "line 2: json: cannot unmarshal number"},
		"a text":             {lines: a(`"output":11`, `"output":"11"`), want: "line 2: json: cannot unmarshal string"},
		"no time":            {lines: a(`2026-01-02T`, `2026-13-02T`), want: `a: modified at "2026-13-02T03:04:05Z"`},
		"unknown status":     {lines: a(`"done"`, `"fine"`), want: `a: no status is called "fine"`},
		"no name":            {lines: a(`"input":"a"`, `"input":""`), want: "names neither an input nor a table"},
		"failed with output": {lines: a(`"done"`, `"failed"`), want: "a: it has no output, but ends at byte 11 of it"},
		"unknown key":        {lines: a(`"packets"`, `"pakets"`), want: `unknown field "pakets"`},
		"two values":         {lines: strings.TrimSpace(a()) + "{}\n", want: "more than one value"},
		"files without -T":   {lines: file(), want: "a: it has files, and this run writes none"},

		"tables":            {lines: file() + table(), tables: true},
		"half of tables":    {lines: file(), tables: true},
		"shared":            {lines: file() + with("a") + table(), tables: true},
		"shared with none":  {lines: file() + with("c"), tables: true, want: "b: its files are those of c, which has none"},
		"with files, no -T": {lines: with("a"), want: "b: it has files, and this run writes none"},
		"tables, output":    {lines: a(), tables: true, want: "a: it has no output"},
		"negative rows":     {lines: file(`"rows":3`, `"rows":-3`), tables: true, want: "a.0.parquet: -3 rows"},
		"negative bytes":    {lines: file(`"bytes":9`, `"bytes":-9`), tables: true, want: "a.0.parquet: 3 rows, -9 bytes"},
		"out of the way":    {lines: file(`"t/a`, `"../a`), tables: true, want: `"../a.0.parquet" is no file of a table`},
		"absolute":          {lines: file(`"t/a`, `"/t/a`), tables: true, want: "is no file of a table"},
		"rows of a table":   {lines: file() + table(`"rows":3`, `"rows":4`), tables: true, want: "its tables are not the sums"},
		"rows of a file":    {lines: file(`"rows":3`, `"rows":4`) + table(), tables: true, want: "its tables are not the sums"},
		"files of a table":  {lines: file() + table(`"file_count":1`, `"file_count":2`), tables: true, want: "its tables are not the sums"},
		"after a table":     {lines: file() + table() + file(), tables: true, want: "line 4: an input comes after a table"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := New("m", testRun, tt.tables)
			err := m.read([]byte(testRunLine + tt.lines))
			if err == nil && !tt.tables {
				err = m.CheckOutput(int64(len(content)), strings.NewReader(content))
			}
			switch {
			case err == nil && tt.want != "":
				t.Errorf("no error, want %q", tt.want)
			case err != nil && (tt.want == "" || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// FuzzManifest: whatever a manifest contains, one that is accepted has parts that lie in order in an output of the size
// that it gives, and is accepted again as it is written.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(testRunLine), false)
	f.Add([]byte(testRunLine+`{"input":"a","size":7,"status":"done","packets":1,"output_from":7,"output":11,"output_sha256":"`+sumOf("")+"\"}\n"), false)
	f.Add([]byte(testRunLine+`{"input":"a","size":7,"status":"done","packets":1,"files":[{"table":"t","path":"t/x","rows":3,"bytes":9,"sha256":"`+sumOf("")+"\"}]}\n"), true)
	f.Fuzz(func(t *testing.T, b []byte, tables bool) {
		m := New("m", testRun, tables)
		if m.read(b) != nil {
			return
		}
		if err := m.CheckOutput(m.Output-1, nil); err == nil {
			t.Error("an output that is too short is accepted")
		}
		var end int64
		for _, p := range m.parts {
			if p.from < end || p.to <= p.from || p.to > m.Output {
				t.Errorf("part %+v after byte %d, of %d", p, end, m.Output)
			}
			end = p.to
		}
		for _, e := range m.entries {
			if !e.Final() || e.Output < 0 || e.Size < 0 {
				t.Errorf("%+v", e)
			}
		}
		again := line(m.run)
		for _, name := range m.order {
			again = append(again, line(m.entries[name])...)
		}
		second := New("m", testRun, tables)
		if err := second.read(bytes.Clone(again)); len(b) > 0 && err != nil {
			t.Errorf("%v\n%s", err, again)
		}
	})
}
