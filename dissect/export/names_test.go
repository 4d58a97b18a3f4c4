package export

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// badNames are names that a server could send to do harm.
var badNames = []string{
	"../../escape.pk3", "..", ".", "/etc/passwd", "//host/share/x", `..\..\escape.pk3`, `C:\boot.ini`, "C:relative", `\\?\C:\x`,
	"a\x00b.pk3", "\x00", "con", "NUL.txt", "aux.pk3", "COM1", "lpt9.map", "manifest.json", "x.", "x ", "x. .", " ",
	"~", "$HOME", "`id`", "-rf", "a:stream", "a|b", "a*?<>\"", "new\nline", "\x1b[2J", "\u202egnp.exe", "\xff\xfe",
	strings.Repeat("y", 5000) + ".pk3", "p." + strings.Repeat("z", 5000), "name.PK3", "NAME.pk3", "name.pk3", "nAmE.pK3",
	"name.pk3.incomplete", "name.part", "name.pieces.part", "s.part\xce", "ü.pk3", "U\u0308.pk3",
}

// reserved are names that mean devices to Windows, whatever their extension is.
var reserved = []string{"con", "prn", "aux", "nul", "com1", "com9", "lpt1", "lpt9", "conin$", "conout$"}

// checkName reports what is wrong with the name of a file that is written.
func checkName(t *testing.T, name string) {
	t.Helper()
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case name != filepath.Base(name), !fs.ValidPath(name), !filepath.IsLocal(name):
		t.Errorf("%q is no name of a file", name)
	case len(name) > 120, strings.HasSuffix(name, "."), strings.HasSuffix(name, " "),
		strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.") != "":
		t.Errorf("%q is not safe on every system", name)
	case slices.Contains(reserved, stem), strings.HasSuffix(strings.ToLower(name), ".part"):
		t.Errorf("%q has a meaning of its own", name)
	}
}

// TestBadNames writes files of every bad name: all below the folder, each under a name of its own.
func TestBadNames(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "deep", "made")
	var parts []extract.File
	for _, name := range badNames {
		parts = append(parts, begin(name, 4), at(0, "file"), begin(name, 9), at(0, "part"))
	}
	m := written(t, dir, parts...)
	seen := map[string]bool{}
	for _, f := range m.Files {
		checkName(t, f.File)
		if folded := strings.ToLower(f.File); seen[folded] {
			t.Errorf("%q is there twice for some file systems", f.File)
		} else {
			seen[folded] = true
		}
		if b, err := os.ReadFile(filepath.Join(dir, f.File)); err != nil || f.Complete != (string(b) == "file") {
			t.Errorf("%s: %q, %v", f.File, b, err)
		}
	}
	if len(m.Files) != 2*len(badNames) {
		t.Errorf("%d files of %d", len(m.Files), 2*len(badNames))
	}
	count := 0
	_ = filepath.WalkDir(above, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			count++
		}
		return err
	})
	if count != len(m.Files)+1 {
		t.Errorf("%d files are there, want %d and the manifest", count, len(m.Files))
	}
}

// TestBadMaps writes demos of maps with bad names, of inputs with them: of every input those that follow its name in
// the list, so that names which some system takes for the same meet as map, as input and as both.
func TestBadMaps(t *testing.T) {
	t.Parallel()
	d := demosIn(t, Config{})
	for first, input := range append([]string{""}, badNames...) {
		d.BeginInput(input)
		for i := range 8 {
			name := badNames[(first+i)%len(badNames)]
			d.Add(0, part(i%3, 1, beginning(1, "x", name)))
		}
		if err := d.EndInput(); err != nil {
			t.Fatal(err)
		}
	}
	m, err := d.Close()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, demo := range m.Demos {
		checkName(t, demo.File)
		if seen[strings.ToLower(demo.File)] {
			t.Errorf("%q is there twice", demo.File)
		}
		seen[strings.ToLower(demo.File)] = true
	}
	if entries, err := os.ReadDir(d.folder.Dir); err != nil || len(entries) != len(seen)+1 {
		t.Errorf("%d files are there, want %d and the manifest: %v", len(entries), len(seen), err)
	}
}

// TestInputsCollide has two inputs whose names, together with those of the files, make the same.
func TestInputsCollide(t *testing.T) {
	t.Parallel()
	f, err := NewFiles(Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range [][2]string{{"a.pcap", "000-0-x"}, {"a-000-0.pcap", "x"}} {
		f.BeginInput(v[0])
		rec := dissect.NewRecord()
		rec.Files = append(rec.Files, begin(v[1], 1), at(0, "y"))
		f.Add(0, rec)
		if err := f.EndInput(); err != nil {
			t.Fatal(err)
		}
	}
	m, err := f.Close()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range m.Files {
		names = append(names, f.File)
	}
	if diff := cmp.Diff([]string{"a-000-0-000-0-x", "a-000-0-000-0-x-2"}, names); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzFileName(f *testing.F) {
	for _, name := range badNames {
		f.Add(name, "", name)
	}
	f.Add("dm1", "map", "dm1_map")
	f.Fuzz(func(t *testing.T, one, more, two string) {
		var files Files
		used := map[string]bool{}
		for _, name := range []string{one, two, one, two} {
			base, extension := fileName(name, more)
			unique := files.folder.uniqueName("003-0-"+base, extension, used)
			checkName(t, unique)
			checkName(t, unique+incompleteSuffix)
		}
		if len(used) != 4 {
			t.Errorf("four files have %d names: %v", len(used), used)
		}
	})
}

// FuzzTransfer takes files in pieces as the bytes say, and holds what is written against a plain array.
func FuzzTransfer(f *testing.F) {
	f.Add([]byte{20, 0, 8, 8, 8, 16, 4}, false)
	f.Add([]byte{30, 20, 9, 0, 3, 2, 9}, true)
	f.Fuzz(func(t *testing.T, script []byte, sized bool) {
		if len(script) == 0 || len(script) > 60 {
			return
		}
		size := int64(script[0])
		head := begin("x.map", -1)
		if sized {
			head.File.Size = size
		}
		parts := []extract.File{head}
		var model [512]byte
		var have [512]bool
		received := 0
		for i := 1; i+1 < len(script); i += 2 {
			offset, data := int(script[i]), strings.Repeat(string('a'+rune(i%26)), int(script[i+1]%32))
			parts = append(parts, at(int64(offset), data))
			for j := range data {
				if p := offset + j; !have[p] && (!sized || p < int(size)) {
					model[p], have[p] = data[j], true
					received++
				}
			}
		}
		last := slices.Index(have[:], true)
		for p, ok := range have {
			if ok {
				last = p
			}
		}
		dir := t.TempDir()
		m := written(t, dir, parts...)
		got := m.Files[0]
		if got.Received != int64(received) || got.Complete != (sized && received == int(size)) {
			t.Errorf("%+v; want %d bytes of %d", got, received, size)
		}
		if received == 0 {
			return
		}
		b, err := os.ReadFile(filepath.Join(dir, got.File))
		if err != nil {
			t.Fatal(err)
		}
		if int64(last+1) == got.Bytes {
			if diff := cmp.Diff(string(model[:last+1]), string(b)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		} else if got.Written == got.Received || string(b) != string(model[:len(b)]) { // too wide a gap
			t.Errorf("%+v has %q", got, b)
		}
		missing := int64(0)
		for _, gap := range got.Gaps {
			missing += gap.Length
			for p := gap.Offset; p < gap.Offset+gap.Length; p++ {
				if have[p] {
					t.Errorf("byte %d came, and is in the gap %+v", p, gap)
				}
			}
		}
		if end := max(int64(last+1), got.Bytes); sized && missing != size-int64(received) ||
			!sized && missing != end-int64(received) {
			t.Errorf("%d bytes are in gaps: %+v", missing, got)
		}
	})
}

// TestPartNames has the names of one player's parts in the order of the clock, all short enough for the engine.
func TestPartNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxName)
	for _, prefix := range []string{"", "a-", long + "-", long + "-12-"} {
		for _, number := range []int{0, 12345} {
			var names []string
			for _, at := range []int32{0, 4400, 42250, 999_999_999, 1 << 30, math.MaxInt32} {
				head := &extract.DemoHead{Player: []byte(long), Extension: "dm_68", Part: &extract.DemoPart{}}
				name := partName(prefix, &demoStream{number: number}, &extract.Demo{ServerTime: at, Begin: head})
				if n := len("demos/" + name + "-2.dm_68"); n > 63 || !strings.Contains(name, "-x") {
					t.Errorf("%s: %d bytes", name, n)
				}
				names = append(names, name)
			}
			if !slices.IsSorted(names) {
				t.Errorf("%q are not sorted", names)
			}
		}
	}
}
