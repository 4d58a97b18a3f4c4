package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// written returns the files made of parts, each sent in a datagram of its own from server to client.
func written(tb testing.TB, dir string, parts ...extract.File) *FilesManifest {
	tb.Helper()
	f, err := NewFiles(Config{Dir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	f.BeginInput("")
	for i, p := range parts {
		rec := dissect.NewRecord()
		rec.Frame, rec.Direction, rec.Stream = uint64(i+1), dissect.ServerToClient, 3
		rec.Src, rec.Dst = netip.MustParseAddrPort("192.0.2.1:27960"), netip.MustParseAddrPort("192.0.2.2:27961")
		rec.Files = append(rec.Files, p)
		f.Add(0, rec)
	}
	if err := f.EndInput(); err != nil {
		tb.Fatal(err)
	}
	m, err := f.Close()
	if err != nil {
		tb.Fatal(err)
	}
	var read FilesManifest
	b, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if errors.Is(err, fs.ErrNotExist) && len(m.Files) == 0 {
		return m
	}
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(b, &read); err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(*m, read); diff != "" {
		tb.Errorf("the manifest's file is another (-want +got)\n%s", diff)
	}
	return m
}

func begin(name string, size int64) extract.File {
	return extract.File{Begin: true, File: &extract.FileHead{Name: []byte(name), Size: size}}
}

func at(offset int64, data string) extract.File {
	return extract.File{Offset: offset, Data: []byte(data)}
}

// CRC-32 and SHA-256 of "123456789": the check value of the CRC catalogue, and sha256sum.
const (
	digits       = "123456789"
	digitsCRC    = 0xcbf43926
	digitsSHA256 = "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"
)

func TestFiles(t *testing.T) {
	size := func(n int64) *int64 { return &n }
	base := File{Stream: 3, Server: "192.0.2.1:27960", Client: "192.0.2.2:27961"}
	for _, test := range []struct {
		name  string
		parts []extract.File
		want  []File
		bytes string // of the first file
	}{
		{"nothing", nil, []File{}, ""},
		{"in order", []extract.File{begin("a.pk3", 9), at(0, "1234"), at(4, "56789")}, []File{{
			File: "003-0-a.pk3", Name: "a.pk3", Complete: true, Size: size(9), Received: 9, Bytes: 9, Written: 9,
			Frames: &Span{1, 3}, SHA256: digitsSHA256, CRC32: "cbf43926",
		}}, digits},
		{"mixed up, doubled, overlapping", []extract.File{
			begin("a.pk3", 9), at(6, "78"), at(2, "34"), at(0, "1234567"), at(2, "xx"), at(8, "9tail"),
		}, []File{{
			File: "003-0-a.pk3", Name: "a.pk3", Complete: true, Size: size(9), Received: 9, Bytes: 9, Written: 9, Excess: 4,
			Frames: &Span{1, 6}, SHA256: digitsSHA256, CRC32: "cbf43926",
		}}, digits},
		{"gaps", []extract.File{begin("", 9), at(2, "34"), at(5, "6")}, []File{{
			File: "003-0-unknown.incomplete", Size: size(9), Received: 3, Gaps: []ByteRange{{0, 2}, {4, 1}, {6, 3}},
			Bytes: 6, Written: 3, Frames: &Span{1, 3}, SHA256: "-", CRC32: "-",
		}}, "\x00\x0034\x006"},
		{"size not announced", []extract.File{begin("b", -1), at(0, digits), {Offset: 9, End: true}}, []File{{
			File: "003-0-b", Name: "b", Complete: true, Received: 9, Bytes: 9, Written: 9,
			Frames: &Span{1, 3}, SHA256: digitsSHA256, CRC32: "cbf43926",
		}}, digits},
		{"no end", []extract.File{begin("b", -1), at(0, digits)}, []File{{
			File: "003-0-b.incomplete", Name: "b", Received: 9, Bytes: 9, Written: 9,
			Frames: &Span{1, 2}, SHA256: digitsSHA256, CRC32: "cbf43926",
		}}, digits},
		{"refused", []extract.File{begin("c.pk3", -1), {Refused: []byte("no\xffdownload")}}, []File{{
			Name: "c.pk3", Refused: "no\u00ffdownload", Frames: &Span{1, 2},
		}}, ""},
		{"a place that only a number claims", []extract.File{begin("d", -1), at(0, "1234"), at(1<<40, "5")}, []File{{
			File: "003-0-d.incomplete", Name: "d", Received: 5, Gaps: []ByteRange{{4, 1<<40 - 4}}, Bytes: 4, Written: 4,
			Frames: &Span{1, 3}, SHA256: "-", CRC32: "-",
		}}, "1234"},
		{"no bytes of a huge file", []extract.File{begin("e", 1<<31-1)}, []File{{
			Name: "e", Size: size(1<<31 - 1), Gaps: []ByteRange{{0, 1<<31 - 1}}, Frames: &Span{1, 1},
		}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			got := written(t, dir, test.parts...).Files
			for i := range test.want {
				w := &test.want[i]
				w.Stream, w.Server, w.Client = base.Stream, base.Server, base.Client
				if w.SHA256 == "-" && i < len(got) { // what gaps make of it
					w.SHA256, w.CRC32 = got[i].SHA256, got[i].CRC32
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(got) > 0 && got[0].File != "" {
				if b, err := os.ReadFile(filepath.Join(dir, got[0].File)); err != nil || string(b) != test.bytes {
					t.Errorf("got %q, %v; want %q", b, err, test.bytes)
				}
			}
			entries, _ := os.ReadDir(dir)
			if want := strings.Count(fmt.Sprint(got), "003-0-") + min(len(got), 1); len(entries) != want {
				t.Errorf("%d files in the folder; want %d: %v", len(entries), want, entries)
			}
		})
	}
}

func TestFilesAnnounced(t *testing.T) {
	head := extract.FileHead{
		Name: []byte("dm1"), Extension: "map", Size: 9, CRC32: digitsCRC, HasCRC32: true,
		SHA256: make([]byte, 32),
	}
	m := written(t, t.TempDir(), extract.File{Begin: true, File: &head}, at(0, digits))
	f := m.Files[0]
	if f.File != "003-0-dm1.map" || f.CRC32Matches == nil || !*f.CRC32Matches ||
		f.SHA256Matches == nil || *f.SHA256Matches {
		t.Errorf("got %+v", f)
	}
	if f.AnnouncedCRC32 != "cbf43926" || f.AnnouncedSHA256 != strings.Repeat("0", 64) {
		t.Errorf("announced %s and %s", f.AnnouncedCRC32, f.AnnouncedSHA256)
	}
	m = written(t, t.TempDir(), extract.File{Begin: true, File: &head}, at(1, digits[1:]))
	if f := m.Files[0]; f.CRC32Matches != nil || f.SHA256Matches != nil || f.AnnouncedCRC32 != "cbf43926" {
		t.Errorf("incomplete, and sums are compared: %+v", f)
	}
}

func TestFilesSeveral(t *testing.T) {
	m := written(t, t.TempDir(), begin("a.pk3", 1), at(0, "x"), begin("sub/A.pk3", 1), at(0, "y"),
		begin("a-2.pk3", 1), at(0, "z"))
	var names []string
	for _, f := range m.Files {
		names = append(names, f.File)
	}
	if diff := cmp.Diff([]string{"003-0-a.pk3", "003-0-A-2.pk3", "003-0-a-2-2.pk3"}, names); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFilesInTheWay(t *testing.T) {
	for _, name := range []string{"003-0-a.pk3", "003-0-a.pk3.incomplete", ManifestName} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := NewFiles(Config{Dir: dir})
		if err == nil {
			f.BeginInput("")
			rec := dissect.NewRecord()
			rec.Stream = 3
			rec.Files = append(rec.Files, begin("a.pk3", 1), at(0, "x"))
			f.Add(0, rec)
			err = f.EndInput()
		}
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s is there: got %v", name, err)
		}
		if b, _ := os.ReadFile(filepath.Join(dir, name)); string(b) != "mine" {
			t.Errorf("%s was replaced", name)
		}
	}
}

func TestFileName(t *testing.T) {
	for _, test := range []struct{ name, more, base, extension string }{
		{"baseoa/pak0.pk3", "", "pak0", ".pk3"},
		{"../../etc/passwd", "", "passwd", ""},
		{`C:\x\..\evil.exe`, "", "evil", ".exe"},
		{"..", "", "_", ""},
		{"a/", "", "unknown", ""},
		{"", "", "unknown", ""},
		{"", "map", "unknown", ".map"},
		{"dm1.map", "map", "dm1_map", ".map"},
		{".hidden", "", "_hidden", ""},
		{"x.pieces.part", "", "x_pieces_part", ""},
		{"s.part\xce", "", "s", ".part_"}, // does not end with .part
		{"x.PART", "", "x_PART", ""},
		{"a\x00b\x1b[31m\x7fc\u0085.p\nk", "", "a_b__31m_c__", ".p_k"},
		{"no.extension_is_so_long", "", "no_extension_is_so_long", ""},
		{strings.Repeat("y", 300) + ".pk3", "", strings.Repeat("y", 60), ".pk3"},
	} {
		if base, extension := fileName(test.name, test.more); base != test.base || extension != test.extension {
			t.Errorf("%q: got %q %q; want %q %q", test.name, base, extension, test.base, test.extension)
		}
	}
}

// TestPieces holds what is kept of pieces in any order against a plain array of bytes.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var kept []byte
		var ps pieces
		var file [64]byte // 0: not there
		for n := range rapid.IntRange(0, 40).Draw(t, "count") {
			offset := rapid.IntRange(0, 55).Draw(t, "offset")
			data := bytes.Repeat([]byte{byte(n + 1)}, rapid.IntRange(0, 8).Draw(t, "length"))
			ps.add(int64(offset), int64(len(data)), int64(len(kept)),
				func(from, to int64) { kept = append(kept, data[from:to]...) })
			for i := range data {
				if file[offset+i] == 0 {
					file[offset+i] = data[i]
				}
			}
		}
		var got [64]byte
		last := int64(-1)
		for _, p := range ps {
			if p.offset < last || p.length <= 0 {
				t.Fatalf("out of order: %v", ps)
			}
			last = p.end()
			copy(got[p.offset:p.end()], kept[p.at:p.at+p.length])
		}
		if got != file {
			t.Fatalf("got %v, want %v", got, file)
		}
		for _, gap := range ps.gaps(64) {
			for i := gap.Offset; i < gap.Offset+gap.Length; i++ {
				if file[i] != 0 {
					t.Fatalf("byte %d is in a gap", i)
				}
				file[i] = 0xff
			}
		}
		if bytes.IndexByte(file[:], 0) >= 0 {
			t.Fatal("a byte is missing, and in no gap")
		}
	})
}

func TestPiecesBounded(t *testing.T) {
	var ps pieces
	for i := range int64(maxPieces) + 10 {
		ok := ps.add(2*(maxPieces+10-i), 1, 2*i, func(from, to int64) {})
		if ok != (i < maxPieces) {
			t.Fatalf("piece %d: got %t", i, ok)
		}
	}
}

// TestFilesJoin: a second export goes beside the first. What is there already is not written again, and the same
// transfer is listed once; a file that an export replaces is no longer listed with its old content.
func TestFilesJoin(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	export := func(cfg Config, client string, parts ...extract.File) *Files {
		t.Helper()
		cfg.Dir = dir
		f, err := NewFiles(cfg)
		if err != nil {
			t.Fatal(err)
		}
		f.BeginInput("")
		for i, p := range parts {
			rec := dissect.NewRecord()
			rec.Frame, rec.Direction, rec.Stream = uint64(i+1), dissect.ServerToClient, 3
			rec.Src, rec.Dst = netip.MustParseAddrPort("192.0.2.1:27960"), netip.MustParseAddrPort(client)
			rec.Files = append(rec.Files, p)
			f.Add(0, rec)
		}
		err = f.EndInput()
		if _, closing := f.Close(); err != nil || closing != nil {
			t.Fatal(err, closing)
		}
		return f
	}
	beside := func(input string) Config { return Config{Join: true, Inputs: []string{input}} }
	whole := []extract.File{begin("a.pk3", 9), at(0, digits)}
	refused := []extract.File{begin("b.pk3", -1), {Refused: []byte("no")}}
	const one, two = "192.0.2.2:27961", "192.0.2.3:27961"
	const first, second, third = "003-0-a.pk3", "x-003-0-a.pk3", "y-003-0-a.pk3.incomplete"
	for _, step := range []struct {
		name     string
		cfg      Config
		client   string
		parts    []extract.File
		lists    []string // names in the manifest
		present  []string
		replaced []string
	}{
		{"first", beside("x.pcap"), one, whole, []string{first}, nil, nil},
		{"again", beside("x.pcap"), one, whole, []string{first}, []string{first}, nil},
		{"for somebody else", beside("x.pcap"), two, whole, []string{first, first}, []string{first}, nil},
		{
			"another file", beside("x.pcap"), one,
			[]extract.File{begin("a.pk3", 4), at(0, "1234")},
			[]string{first, first, second},
			nil, nil,
		},
		{
			"the same bytes, but not whole", beside("y.pcap"), one,
			[]extract.File{begin("a.pk3", 9), at(0, "1234")},
			[]string{first, first, second, third},
			nil, nil,
		},
		{"refused", beside("y.pcap"), one, refused, []string{first, first, second, third, ""}, nil, nil},
		{"refused again", beside("y.pcap"), one, refused, []string{first, first, second, third, ""}, nil, nil},
		{
			"replaced",
			Config{Overwrite: true},
			one,
			[]extract.File{begin("a.pk3", 2), at(0, "12")},
			[]string{second, third, "", first},
			nil,
			[]string{first},
		},
	} {
		f := export(step.cfg, step.client, step.parts...)
		var m FilesManifest
		b, err := os.ReadFile(filepath.Join(dir, ManifestName))
		if err := errors.Join(err, json.Unmarshal(b, &m)); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, file := range m.Files {
			if names = append(names, file.File); file.File == "" {
				continue
			}
			b, err := os.ReadFile(filepath.Join(dir, file.File))
			if sum := sha256.Sum256(b); err != nil || hex.EncodeToString(sum[:]) != file.SHA256 {
				t.Errorf("%s: %s is not the file that the manifest lists: %v", step.name, file.File, err)
			}
		}
		want, got := [][]string{step.lists, step.present, step.replaced}, [][]string{names, f.Present(), f.Replaced()}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", step.name, diff)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.part")); left != nil {
		t.Errorf("%q are left", left)
	}
}
