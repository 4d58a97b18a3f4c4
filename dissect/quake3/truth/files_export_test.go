package truth_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/quake3"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// exportFiles writes the files of a capture, without the packets that drop chooses, and gives the folder and
// its manifest.
func exportFiles(tb testing.TB, name string, workers int, drop func(p *dissect.Packet) bool) (dir string,
	manifest *export.FilesManifest,
) {
	tb.Helper()
	dir = tb.TempDir()
	files, err := export.NewFiles(export.Config{Dir: dir, Workers: workers})
	if err != nil {
		tb.Fatal(err)
	}
	files.BeginInput("")
	e, err := engine.New(engine.Config{
		Protocols: []*dissect.Protocol{quake3.New(), teeworlds.New()}, Workers: workers, NoTree: true,
		Options: dissect.Options{Files: true},
		Finish: func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
			files.Add(worker, rec)
			return dst, nil
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	reftest.Packets(tb, name, func(p *dissect.Packet) {
		if drop != nil && drop(p) {
			return
		}
		if err := e.Packet(p); err != nil {
			tb.Error(err)
		}
	})
	reftest.Close(tb, e)
	if err := files.EndInput(); err != nil {
		tb.Fatal(err)
	}
	if manifest, err = files.Close(); err != nil {
		tb.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.part"))
	if err != nil || len(left) > 0 {
		tb.Errorf("left behind: %v, %v", left, err)
	}
	return dir, manifest
}

// TestExportDownload compares a download with the file that the server had.
func TestExportDownload(t *testing.T) {
	name := filepath.Join(reference.Folder(t, "captures", "quake3"), "q3-68-download.pcap")
	want, err := os.ReadFile(filepath.Join(reference.Folder(t, "captures", "quake3"),
		"q3-68-download.zz-q3-68-download.pk3"))
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		dir, m := exportFiles(t, name, workers, nil)
		if len(m.Files) != 1 {
			t.Fatalf("%d files", len(m.Files))
		}
		f := m.Files[0]
		if !f.Complete || f.Name != "baseoa/zz-q3-68-download.pk3" || f.File != "000-0-zz-q3-68-download.pk3" ||
			*f.Size != int64(len(want)) {
			t.Errorf("got %+v", f)
		}
		if got := readFile(t, filepath.Join(dir, f.File)); !bytes.Equal(got, want) {
			t.Errorf("%d bytes that are not the server's %d", len(got), len(want))
		}
	}
}

// TestExportDownloadLossy leaves packets out: what is left is in its place, and the gaps are where it is not.
func TestExportDownloadLossy(t *testing.T) {
	name := filepath.Join(reference.Folder(t, "captures", "quake3"), "q3-68-download.pcap")
	want, err := os.ReadFile(filepath.Join(reference.Folder(t, "captures", "quake3"),
		"q3-68-download.zz-q3-68-download.pk3"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		drop func(frame uint64) bool
	}{
		{"every seventh", func(frame uint64) bool { return frame > 10 && frame%7 == 0 }},
		{"first blocks", func(frame uint64) bool { return frame > 11 && frame < 20 }},
		{"handshake and request", func(frame uint64) bool { return frame > 5 && frame < 40 }},
		{"end", func(frame uint64) bool { return frame > 400 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, m := exportFiles(t, name, 1, func(p *dissect.Packet) bool { return test.drop(p.Frame) })
			if len(m.Files) != 1 {
				t.Fatalf("%d files", len(m.Files))
			}
			f := m.Files[0]
			got := readFile(t, filepath.Join(dir, f.File))
			if f.Complete || int64(len(got)) != f.Bytes || f.Received != f.Written || len(f.Gaps) == 0 {
				t.Errorf("got %+v", f)
			}
			known := append([]byte{}, want[:len(got)]...)
			missing := int64(0)
			for _, gap := range f.Gaps {
				missing += min(gap.Offset+gap.Length, f.Bytes) - min(gap.Offset, f.Bytes)
				clear(known[min(gap.Offset, f.Bytes):min(gap.Offset+gap.Length, f.Bytes)])
			}
			if !bytes.Equal(got, known) {
				t.Error("what is no gap is not the server's")
			}
			if f.Received+missing != f.Bytes {
				t.Errorf("%d bytes received and %d missing of %d", f.Received, missing, f.Bytes)
			}
		})
	}
}

// TestExportMaps holds the maps of captures against the sums that their servers announced.
func TestExportMaps(t *testing.T) {
	dir := filepath.Join(reference.Folder(t, "captures", "quake3"), "..", "teeworlds")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no reference captures: %v", err)
	}
	type file struct {
		Name    string
		Size    int64
		Whole   bool // all of it was written, and both sums are those announced
		Assumed bool
	}
	admin := []file{{"labdm1", 6793, true, false}, {"labdm2", 9601, true, false}}
	ddnet := []file{{"labtsunami", 411717, true, false}, {"labdm1dd", 5805, true, false}}
	// The sizes are those of the games' own accounts, *.truth.jsonl.gz.
	for _, test := range []struct {
		capture string
		want    []file
	}{
		{"tw07-join-chat.pcap", []file{{"labdm3", 75957, true, false}}},
		{"tw07-admin.pcap", append(admin, admin...)}, // two clients
		{"dd06-full.pcap", append(ddnet, ddnet...)},
		{"tw07-loss-clientside.pcap", []file{{"labdm8", 70301, true, false}}},
		{"tw07-loss-serverside.pcap", []file{{"labdm8", 70301, true, false}}},
		{"tw07-ipv6.pcap", []file{{"labdm7", 9685, true, false}}},
		{"tw07-midsession.pcap", nil},
		{"tw07-ctf3.pcap", []file{{"ctflab", 5539, true, false}, {"ctflab", 5539, true, false}, {"ctflab", 5539, true, false}}},
	} {
		t.Run(test.capture, func(t *testing.T) {
			dir, m := exportFiles(t, filepath.Join(dir, test.capture), 2, nil)
			var got []file
			for _, f := range m.Files {
				is := file{Name: f.Name, Assumed: f.AssumedOrder}
				if f.Size != nil {
					is.Size = *f.Size
				}
				is.Whole = f.Complete && len(f.Gaps) == 0 && f.CRC32Matches != nil && *f.CRC32Matches && f.SHA256Matches != nil &&
					*f.SHA256Matches &&
					int64(len(readFile(t, filepath.Join(dir, f.File)))) == is.Size
				got = append(got, is)
			}
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestExportMapsLossy leaves pieces out that the client had: later pieces are in their places.
func TestExportMapsLossy(t *testing.T) {
	dir := filepath.Join(reference.Folder(t, "captures", "quake3"), "..", "teeworlds")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no reference captures: %v", err)
	}
	for _, test := range []struct {
		capture, file string
		every         uint64
	}{
		{"tw07-join-chat.pcap", "000-0-labdm3.map", 9},
		{"tw07-join-chat.pcap", "000-0-labdm3.map", 31},
		{"dd06-full.pcap", "000-0-labtsunami.map", 10},
	} {
		name := filepath.Join(dir, test.capture)
		whole, m := exportFiles(t, name, 1, nil)
		want := readFile(t, filepath.Join(whole, test.file))
		first := m.Files[0].Frames.First
		part, m := exportFiles(t, name, 1, func(p *dissect.Packet) bool {
			return p.Frame > first && p.Frame < m.Files[0].Frames.Last && p.Length > 500 && p.Frame%test.every == 0
		})
		f := m.Files[0]
		if f.Complete || f.AssumedOrder || f.SHA256Matches != nil || len(f.Gaps) == 0 || f.File != test.file+".incomplete" {
			t.Errorf("%s without every %dth: got %+v", test.capture, test.every, f)
			continue
		}
		for _, gap := range f.Gaps {
			clear(want[gap.Offset : gap.Offset+gap.Length])
		}
		if !bytes.Equal(readFile(t, filepath.Join(part, f.File)), want) {
			t.Errorf("%s without every %dth: what is no gap is not the map's", test.capture, test.every)
		}
	}
}

// TestExportFilesDocument checks that docs/export.md has every key of the manifest.
func TestExportFilesDocument(t *testing.T) {
	b := readFile(t, "../../../docs/export.md")
	_, text, found := strings.Cut(string(b), "# Exporting files\n")
	if !found {
		t.Fatal("the document does not tell of files")
	}
	for _, v := range []any{export.FilesManifest{}, export.File{}, export.ByteRange{}, export.Span{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !strings.Contains(text, "`"+key+"`") {
				t.Errorf("the document does not tell of %s", key)
			}
		}
	}
}

func readFile(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}
