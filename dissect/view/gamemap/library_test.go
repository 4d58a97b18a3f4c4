package gamemap

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// pack makes a pk3 file: a zip archive.
func pack(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, data := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A map is found by its name in files, archives and folders; of two archives with it the last one by name counts.
func TestLibrary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old, newer := block("IBSP", 46).file(), room("IBSP", 46).file()
	for name, data := range map[string][]byte{
		"pak0.pk3":       pack(t, map[string][]byte{"maps/q3dm6.bsp": old, "maps/mp/ffa3.bsp": old}),
		"pak1.PK3":       pack(t, map[string][]byte{"MAPS/Q3DM6.bsp": newer, "scripts/a.arena": nil}),
		"zz-damaged.pk3": []byte("PK\x03\x04, and no more"),
		"ctf1.map":       demoMap(t),
		"lone.bsp":       old,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, row := range []struct {
		path, mapName string
		alone         bool
		want, from    string // "": nothing
		floors        int
	}{
		{path: dir, mapName: "q3dm6", want: "Q3DM6.bsp", from: "pak1.PK3", floors: 11},
		{path: dir, mapName: "mp/ffa3", want: "ffa3.bsp", from: "pak0.pk3", floors: 1},
		{path: dir, mapName: "ctf1", want: "ctf1.map", from: filepath.Base(dir)},
		{path: dir, mapName: "lone", want: "lone.bsp", from: filepath.Base(dir), floors: 1},
		{path: dir, mapName: "../lone"},
		{path: dir, mapName: "q3dm7", alone: true},
		{path: file("pak0.pk3"), mapName: "q3dm6", want: "q3dm6.bsp", from: "pak0.pk3", floors: 1},
		{path: file("pak0.pk3"), mapName: "q3dm7", alone: true},
		{path: file("lone.bsp"), mapName: "LONE", want: "lone.bsp", from: "lone.bsp", floors: 1},
		{path: file("lone.bsp"), mapName: "mp/lone", want: "lone.bsp", from: "lone.bsp", floors: 1},
		{path: file("lone.bsp"), mapName: "q3dm6"},
		{path: file("lone.bsp"), mapName: "q3dm6", alone: true, want: "lone.bsp", from: "lone.bsp", floors: 1},
	} {
		var l Library
		if err := l.AddPath(row.path); err != nil {
			t.Fatal(err)
		}
		p, err := l.Find(row.mapName, row.alone)
		if err != nil {
			t.Errorf("%+v: %v", row, err)
			continue
		}
		if p == nil {
			if row.want != "" {
				t.Errorf("%+v: nothing is found", row)
			}
			continue
		}
		if p.Name != row.want || p.From != row.from || len(p.Floors) != row.floors {
			t.Errorf("%+v: %s from %s with %d floors and %d boxes", row, p.Name, p.From, len(p.Floors), len(p.Boxes))
		}
	}
}

// What is not a map or an archive is refused when it is added; a damaged map in an archive when it is drawn.
func TestLibraryRefuses(t *testing.T) {
	t.Parallel()
	var l Library
	for name, data := range map[string][]byte{
		"a.bsp": []byte("IBSP"), "b.pk3": []byte("PK\x03\x04...."),
		"c.txt": []byte("text"),
	} {
		if err := l.AddFile(name, data); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := l.AddPath(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if !l.Empty() {
		t.Error("something was added")
	}
	if err := l.AddFile("d.pk3", pack(t, map[string][]byte{"maps/d.bsp": []byte("IBSP\x2e\x00\x00\x00")})); err != nil {
		t.Fatal(err)
	}
	if p, err := l.Find("d", false); p != nil || !errors.Is(err, ErrFormat) {
		t.Errorf("a damaged map: %v, %v", p, err)
	}
}
