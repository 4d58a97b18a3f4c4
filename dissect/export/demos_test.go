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
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// toy is a protocol whose demos end with a full stop.
var toy = &dissect.Protocol{
	Name: "toy", DemoEnd: []byte("."),
	AppendInfo: func(dst []byte, _ *dissect.Record) []byte { return append(dst, "said"...) },
}

// part returns a record that adds something to a demo.
func part(stream int, frame uint64, p extract.Demo) *dissect.Record {
	rec := dissect.NewRecord()
	rec.Frame, rec.Stream, rec.Protocol, rec.Demo = frame, stream, toy, p
	rec.UDP = true
	rec.Src, rec.Dst = netip.MustParseAddrPort("10.0.0.1:27960"), netip.MustParseAddrPort("10.0.0.2:1000")
	rec.Demo.Message = true
	return rec
}

func beginning(sequence uint32, data, mapName string) extract.Demo {
	return extract.Demo{
		Sequence: sequence, Data: []byte(data), Messages: 2, ServerTime: 100, HasTime: true,
		Begin: &extract.DemoHead{Extension: "dm_9", Protocol: 9, Map: mapName, Client: 3, Player: []byte("n\xff")},
	}
}

func more(sequence uint32, data string) extract.Demo {
	return extract.Demo{Sequence: sequence, Data: []byte(data), Messages: 1}
}

func demosIn(t *testing.T, cfg Config) *Demos {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = filepath.Join(t.TempDir(), "made")
	}
	d, err := NewDemos(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// finish ends the input and gives the manifest and the names and contents of all files.
func finish(t *testing.T, d *Demos) (*Manifest, map[string]string) {
	t.Helper()
	if err := d.EndInput(); err != nil {
		t.Fatal(err)
	}
	m, err := d.Close()
	if err != nil {
		t.Fatal(err)
	}
	return m, contents(t, d.folder.Dir)
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != ManifestName {
			files[e.Name()] = string(b)
		}
	}
	return files
}

func TestDemos(t *testing.T) {
	d := demosIn(t, Config{Workers: 2})
	d.BeginInput("")
	for _, rec := range []*dissect.Record{
		part(1, 1, extract.Demo{Left: extract.DemoNoGame}),
		part(0, 2, extract.Demo{Left: extract.DemoNoGame}),
		part(0, 3, beginning(10, "ab", "../Q3/DM6")),
		part(0, 4, more(11, "c")),
		part(0, 5, extract.Demo{Left: extract.DemoLate, Sequence: 9}),
		part(0, 6, extract.Demo{
			Sequence: 14, Data: []byte("d"), Messages: 1, Recoded: true, Reordered: true,
			ServerTime: 250, HasTime: true,
		}),
		part(0, 7, extract.Demo{End: true}),
		part(0, 8, beginning(20, "ef", "../q3/dm6")),
		part(0, 9, extract.Demo{Session: 1, Left: extract.DemoNoKey}),
		part(0, 10, extract.Demo{Session: 1, Left: extract.DemoNoKey}),
		part(0, 11, extract.Demo{Session: 1, Left: extract.DemoDamaged}),
		part(2, 12, extract.Demo{Sequence: 1}),
	} {
		d.Add(rec.Stream&1, rec)
	}
	m, files := finish(t, d)
	want := map[string]string{"000-0-___q3_dm6.dm_9": "abcd.", "000-0-___q3_dm6-2.dm_9": "ef."}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	const server, client = "10.0.0.1:27960", "10.0.0.2:1000"
	diff := cmp.Diff(&Manifest{
		Demos: []Demo{
			{
				File: "000-0-___q3_dm6.dm_9", Server: server, Client: client, ClientNum: 3, Player: "nÿ",
				Map: "../Q3/DM6", Protocol: 9, Begins: "gamestate", Frames: &Span{3, 6}, ServerTime: &TimeSpan{100, 250},
				Messages: 4, Recoded: 1, Reordered: []uint32{14}, Gaps: []Gap{{After: 11, Missing: 2}},
				Bytes: 5, SHA256: sum("abcd."),
			},
			{
				File: "000-0-___q3_dm6-2.dm_9", Server: server, Client: client, ClientNum: 3, Player: "nÿ",
				Map: "../q3/dm6", Protocol: 9, Begins: "gamestate", Frames: &Span{8, 8}, ServerTime: &TimeSpan{100, 100},
				Messages: 2, Bytes: 3, SHA256: sum("ef."),
				LeftOut: map[extract.DemoLeft]uint64{extract.DemoNoGame: 1, extract.DemoLate: 1},
			},
		},
		Skipped: []SkippedSession{
			{
				Session: 1, Server: server, Client: client, Reason: extract.DemoNoKey, Messages: 3,
				LeftOut: map[extract.DemoLeft]uint64{extract.DemoNoKey: 2, extract.DemoDamaged: 1},
			},
			{
				Stream: 1, Server: server, Client: client, Reason: extract.DemoNoGame, Messages: 1,
				LeftOut: map[extract.DemoLeft]uint64{extract.DemoNoGame: 1},
			},
			{Stream: 2, Server: server, Client: client, Reason: extract.DemoNoSnapshot, Messages: 1, LeftOut: map[extract.DemoLeft]uint64{}},
		},
	}, m)
	if diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
	b, err := os.ReadFile(filepath.Join(d.folder.Dir, ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	read := &Manifest{}
	if err := json.Unmarshal(b, read); err != nil || len(read.Demos) != 2 || len(read.Skipped) != 3 {
		t.Errorf("%v in %s", err, b)
	}
}

func sum(s string) string {
	b := sha256.Sum256([]byte(s))
	return hex.EncodeToString(b[:])
}

// TestDemosAgain starts a demo over when some of it is in the file already.
func TestDemosAgain(t *testing.T) {
	d := demosIn(t, Config{})
	d.BeginInput("")
	long := strings.Repeat("x", demoBuffer)
	d.Add(0, part(0, 1, beginning(1, long, "lab")))
	d.Add(0, part(0, 2, more(2, long)))
	part1 := "000-0-lab.dm_9" + d.folder.partSuffix
	if files := contents(t, d.folder.Dir); len(files[part1]) != 2*demoBuffer {
		t.Fatalf("the file has %d bytes", len(files[part1]))
	}
	again := beginning(3, "y", "lab")
	again.Begin.Again, again.Begin.Rebuilt, again.Begin.Frame = true, true, 0
	d.Add(0, part(0, 3, again))
	d.Add(0, part(0, 4, more(4, long)))
	d.Add(0, part(0, 5, more(5, long)))
	m, files := finish(t, d)
	whole := "y" + long + long + "."
	if diff := cmp.Diff(map[string]string{"000-0-lab.dm_9": whole}, files); diff != "" {
		t.Errorf("files differ: %d bytes", len(files["000-0-lab.dm_9"]))
	}
	if got := m.Demos[0]; got.SHA256 != sum(whole) || got.Begins != "rebuilt" ||
		got.Frames.First != 3 || got.Messages != 4 {
		t.Errorf("%+v", got)
	}
}

// TestDemosSize writes demos of many sizes: the checksum and the number of bytes are the file's.
func TestDemosSize(t *testing.T) {
	for _, n := range []int{1, demoBuffer - 2, demoBuffer - 1, demoBuffer, demoBuffer + 1, 3 * demoBuffer} {
		d := demosIn(t, Config{})
		d.BeginInput("")
		d.Add(0, part(0, 1, beginning(1, "z", "lab")))
		for i := 0; i < n; i += 700 {
			d.Add(0, part(0, 2, more(2, strings.Repeat("a", min(700, n-i)))))
		}
		m, files := finish(t, d)
		if got := files[m.Demos[0].File]; got != "z"+strings.Repeat("a", n)+"." || m.Demos[0].Bytes != uint64(n)+2 ||
			m.Demos[0].SHA256 != sum(got) {
			t.Errorf("%d bytes: file of %d, manifest says %d", n+2, len(got), m.Demos[0].Bytes)
		}
	}
}

// TestDemosInputs names the files of several inputs.
func TestDemosInputs(t *testing.T) {
	d := demosIn(t, Config{})
	for _, name := range []string{"a/Lab one.pcap.gz", "b/lab_one.pcapng", "-"} {
		d.BeginInput(name)
		rec := part(-1, 7, beginning(1, "x", ""))
		if name == "-" {
			rec.Src, rec.Dst, rec.Recorder = netip.AddrPort{}, netip.AddrPort{}, rec.Protocol.Name
		}
		d.Add(0, rec)
		if err := d.EndInput(); err != nil {
			t.Fatal(err)
		}
	}
	d.BeginInput("none")
	m, files := finish(t, d)
	want := map[string]string{
		"lab_one-000-0-unknown.dm_9": "x.", "lab_one-2-000-0-unknown.dm_9": "x.",
		"--000-0-unknown.dm_9": "x.",
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if r := m.Demos[2]; r.Input != "-" || r.Server != "" || r.Frames != nil || r.DemoMessages.First != 6 {
		t.Errorf("of a recording: %+v", r)
	}
}

// TestDemosOverwrite replaces nothing that is there, unless that is wanted.
func TestDemosOverwrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "000-0-lab.dm_9")
	if err := os.WriteFile(name, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := demosIn(t, Config{Dir: dir})
	d.BeginInput("")
	d.Add(0, part(0, 1, beginning(1, "x", "lab")))
	d.Add(0, part(0, 2, more(2, "y")))
	if err := d.EndInput(); !errors.Is(err, fs.ErrExist) || !errors.Is(d.Err(), fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if _, err := d.Close(); err == nil {
		t.Error("no error at the end")
	}
	if b, _ := os.ReadFile(name); string(b) != "precious" {
		t.Errorf("the file is %q", b)
	}
	d = demosIn(t, Config{Dir: dir, Overwrite: true})
	d.BeginInput("")
	d.Add(0, part(0, 1, beginning(1, "x", "lab")))
	if _, files := finish(t, d); files["000-0-lab.dm_9"] != "x." {
		t.Errorf("files %q", files)
	}
	if _, err := NewDemos(Config{Dir: dir}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("with a manifest there: %v", err)
	}
}

// TestDemosNone: without demos there is no manifest, and the folder is not made.
func TestDemosNone(t *testing.T) {
	t.Parallel()
	d := demosIn(t, Config{})
	d.BeginInput("")
	if err := d.EndInput(); err != nil {
		t.Fatal(err)
	}
	m, err := d.Close()
	if _, fault := os.Stat(d.folder.Dir); err != nil || m.Demos == nil || !errors.Is(fault, fs.ErrNotExist) {
		t.Errorf("%+v, %v; the folder: %v", m, err, fault)
	}
}

// TestDemosJoin: a second export goes beside the first, with the names of its input and of the player, and both are in
// the manifest; what is there already is not written again.
func TestDemosJoin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(input, text string, overwrite bool) (*Demos, *Manifest) {
		d := demosIn(t, Config{Dir: dir, Inputs: []string{input}, Join: !overwrite, Overwrite: overwrite})
		d.BeginInput("")
		head := beginning(1, text, "lab")
		head.Begin.Player = []byte("Sar^1ge")
		d.Add(0, part(0, 1, head))
		m, _ := finish(t, d)
		return d, m
	}
	names := func(list []Demo) (names []string) {
		for _, d := range list {
			names = append(names, d.File)
		}
		return names
	}
	run("a/one.pcap", "x", false)
	d, m := run("b/two.pcap", "y", false)
	second := names(d.Written())[0]
	if !strings.HasPrefix(second, "two-000-0-lab-") || !strings.HasSuffix(second, "-sar_1ge.dm_9") {
		t.Errorf("the second demo is %s", second)
	}
	both := []string{"000-0-lab.dm_9", second}
	if diff := cmp.Diff(both, names(m.Demos)); diff != "" {
		t.Errorf("the manifest (-want +got)\n%s", diff)
	}
	d, m = run("b/two.pcap", "y", false)
	if len(d.Written()) > 0 || len(d.Present()) != 1 || len(d.Skipped()) > 0 || !cmp.Equal(both, names(m.Demos)) {
		t.Errorf("again: %q are written, %q present, the manifest has %q", names(d.Written()), d.Present(), names(m.Demos))
	}
	d, m = run("c/three.pcap", "z", true)
	if diff := cmp.Diff([]string{"000-0-lab.dm_9"}, d.Replaced()); diff != "" || len(m.Demos) != 2 {
		t.Errorf("replaced (-want +got)\n%s; the manifest has %q", diff, names(m.Demos))
	}
}

// TestDemosUnwritable has a file where the folder should be.
func TestDemosUnwritable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := NewDemos(Config{Dir: dir})
	if err == nil {
		d.BeginInput("")
		d.Add(0, part(0, 1, beginning(1, "x", "lab")))
		err = d.EndInput()
	}
	if err == nil {
		t.Error("no error")
	}
}

func TestSafeName(t *testing.T) {
	for in, want := range map[string]string{
		"q3dm17": "q3dm17", "Pro-q3tourney7": "pro-q3tourney7", "../../etc/passwd": "______etc_passwd", "": "unknown",
		"a\x00b\x1b[31m": "a_b__31m", "ä": "__", ".hidden": "_hidden", strings.Repeat("m", 99): strings.Repeat("m", maxName),
	} {
		if got := safeName(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func FuzzSafeName(f *testing.F) {
	f.Add("q3dm6")
	f.Add("..\\..\\x:y")
	f.Fuzz(func(t *testing.T, s string) {
		name := safeName(s)
		if name == "" || len(name) > maxName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			t.Errorf("%q becomes %q", s, name)
		}
	})
}

// TestDemosWorkers assigns the streams to different workers: the result is the same.
func TestDemosWorkers(t *testing.T) {
	var first map[string]string
	var manifest []byte
	for workers := 1; workers < 5; workers++ {
		d := demosIn(t, Config{Workers: workers})
		d.BeginInput("")
		for i := range 50 {
			stream := i * 7 % 10
			p := more(uint32(i), fmt.Sprint(i))
			if i < 10 {
				p = beginning(uint32(i), "b", "lab")
			}
			d.Add(stream%workers, part(stream, uint64(i), p))
		}
		_, files := finish(t, d)
		b, err := os.ReadFile(filepath.Join(d.folder.Dir, ManifestName))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, manifest = files, b
		}
		if diff := cmp.Diff(first, files); diff != "" || !bytes.Equal(b, manifest) || len(files) != 10 {
			t.Errorf("%d workers (-1 +%[1]d):\n%s", workers, diff)
		}
		if !slices.IsSortedFunc(d.result.Demos, func(a, b Demo) int { return a.Stream - b.Stream }) {
			t.Error("the manifest has no order")
		}
	}
}
