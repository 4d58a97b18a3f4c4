package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got)\n%s", file, diff)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var table Table
	got := table.Append([]byte("kept\n"), fullRecord())
	golden(t, "table.txt", got)
	if again := table.Append([]byte("kept\n"), fullRecord()); !bytes.Equal(got, again) {
		t.Error("the second time it is another table")
	}
}

func TestLongValues(t *testing.T) {
	t.Parallel()
	rec := newRecord("long")
	tree := rec.Tree
	tree.Open(&fFake, 0)
	tree.Open(&fMessage, 0)
	tree.Open(&fOps, 0)
	tree.Open(&fCommand, 0)
	tree.AddBytes(&fText, []byte(strings.Repeat("long text ", 15)+"日本"+"\x1b[2J\u202e"), 0, 8)
	tree.AddBytes(&fData, bytes.Repeat([]byte{0xab}, wholeHex), 0, 8)
	tree.AddLabel(&fInfo, `\`+strings.Repeat("key ", 50)+`\value`, 0, 8)
	tree.Close(0)
	tree.CloseAll(0)
	tree.AddBytes(&dissectUndecoded, bytes.Repeat([]byte{0xcd}, wholeHex+1), 0, 8)
	got := string((&Table{}).Append(nil, rec))
	if n := strings.Count(strings.ReplaceAll(got, "\n", ""), "ab"); n != wholeHex {
		t.Errorf("%d of %d bytes", n, wholeHex)
	}
	if n := strings.Count(got, "cd"); n != shownHex || !strings.Contains(got, "… the first 64 of 257 bytes") {
		t.Errorf("%d of %d bytes in\n%s", n, shownHex, got)
	}
	for _, hidden := range []string{"\x1b", "\u202e"} {
		if strings.Contains(got, hidden) {
			t.Errorf("%q reaches the terminal", hidden)
		}
	}
	for line := range strings.Lines(got) {
		if n := text.Cells(line); n > 210 {
			t.Errorf("%d cells: %s", n, line)
		}
	}
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*dissect.Record)
		want   string
	}{
		{"cut", func(r *dissect.Record) { r.Length, r.Stream, r.Direction = 9, -1, dissect.Undecidable }, "Frame 26, 0.215361, 127.0.0.1:27960 → 127.0.0.1:27965, 9 bytes (5 captured), fake: x"},
		{"demo", func(r *dissect.Record) {
			r.Packet = dissect.Packet{Recorder: "fake", Frame: 8, UDP: true, Length: 4, Payload: []byte("headbody")}
		}, "Demo message 7, 4 bytes, fake, server to client: x"},
		{"other packet", func(r *dissect.Record) {
			*r = dissect.Record{Packet: dissect.Packet{Frame: 3, Length: 60}, Stream: -1, Tree: r.Tree}
		}, "Frame 3, 60 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := newRecord("x")
			tt.change(rec)
			if got := string((&Table{}).Append(nil, rec)); got != tt.want+"\n\n" {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestHex(t *testing.T) {
	t.Parallel()
	rec := newRecord("")
	rec.Payload = []byte("\xff\xff\xff\xffgetstatus\n\x00~\x7f abc")
	rec.Length = 30
	rec.Message = []byte("0123456789abcdef")
	const want = `Datagram (21 of 30 bytes):
0000  ff ff ff ff 67 65 74 73  74 61 74 75 73 0a 00 7e  |....getstatus..~|
0010  7f 20 61 62 63                                    |. abc|
Reassembled, deciphered message (16 bytes):
0000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  |0123456789abcdef|

`
	if diff := cmp.Diff(want, string(AppendHex(nil, rec))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	rec = newRecord("")
	rec.Payload = make([]byte, 1<<16+1)
	got := string(AppendHex(nil, rec))
	if !strings.Contains(got, "\n00000  00") || !strings.Contains(got, "\n10000  00 ") {
		t.Error("offsets beyond four digits are cut")
	}
	demo := newRecord("")
	demo.Packet = dissect.Packet{Frame: 1, UDP: true, Recorder: "fake", Payload: []byte("x"), Length: 1}
	if got := string(AppendHex(nil, demo)); !strings.HasPrefix(got, "Demo message (1 bytes):\n") {
		t.Errorf("got %s", got)
	}
}

// What a protocol knows about an infostring's keys is beside their values.
func TestInfoMeaning(t *testing.T) {
	t.Parallel()
	kinds := dissect.Enum{Tables: [][]string{nil, {"ffa", "duel"}}}
	info := dissect.Field{Kind: dissect.Info, Children: []*dissect.Field{
		{Key: "kind", Enum: &kinds, Doc: "kind of game"},
		{Key: "rate", Doc: "bytes per second"},
	}}
	for _, tt := range []struct {
		family                uint8
		key, value, name, doc string
	}{
		{1, "kind", "1", "duel", "kind of game"},
		{1, "kind", "7", "", "kind of game"},
		{0, "kind", "1", "", "kind of game"},
		{1, "kind", "one", "", "kind of game"},
		{1, "rate", "25000", "", "bytes per second"},
		{1, "Rate", "25000", "", ""},
	} {
		name, doc := infoMeaning(&info, tt.family, []byte(tt.key), []byte(tt.value))
		if name != tt.name || doc != tt.doc {
			t.Errorf("%s=%s in family %d: %q, %q, want %q, %q", tt.key, tt.value, tt.family, name, doc, tt.name, tt.doc)
		}
	}
}
