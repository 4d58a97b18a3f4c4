package open_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/open"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"b.pcap", "a/two.dm_68", "a/one.dm_68", ".hidden/x.pcap",
		"a/.part", "c/deep/er/z.pcap",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.pcap": "b.pcap", "loop": "."} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	got, err := open.Files([]string{"-", filepath.Join(dir, "missing"), dir, filepath.Join(dir, "a/.part")})
	if err != nil {
		t.Error(err)
	}
	at := func(name string) open.Path { return open.Path{Name: filepath.Join(dir, name)} }
	want := []open.Path{
		{Name: "-", Given: true},
		{Name: filepath.Join(dir, "missing"), Given: true},
		at("a/one.dm_68"), at("a/two.dm_68"), at("b.pcap"), at("c/deep/er/z.pcap"), at("link.pcap"),
		{Name: filepath.Join(dir, "a/.part"), Given: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	given := filepath.Join(dir, "loop", "a")
	if err := os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "to_a")); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{given, filepath.Join(dir, "to_a"), filepath.Join(dir, "to_a") + "/"} {
		got, err := open.Files([]string{folder})
		want := []open.Path{
			{Name: filepath.Join(folder, "one.dm_68")}, {Name: filepath.Join(folder, "two.dm_68")},
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", folder, err, diff)
		}
	}
}
