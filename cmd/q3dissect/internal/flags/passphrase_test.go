package flags

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPassphrase(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "@" + path
	}
	t.Setenv("Q3DISSECT_TEST_KEY", " from the environment")
	t.Setenv("Q3DISSECT_TEST_EMPTY", "")
	for _, c := range []struct{ value, want, fault string }{
		{value: "a key", want: "a key"},
		{value: " padded ", want: " padded "},
		{value: "env:Q3DISSECT_TEST_KEY", want: " from the environment"},
		{value: file("unix", "in a file\n"), want: "in a file"},
		{value: file("windows", "in a file\r\n"), want: "in a file"},
		{value: file("bare", "two\nlines"), want: "two\nlines"},
		{value: file("long", strings.Repeat("x", maxPassphrase)), want: strings.Repeat("x", maxPassphrase)},
		{value: "", fault: "empty"},
		{value: " \t\n", fault: "empty"},
		{value: "env:Q3DISSECT_TEST_EMPTY", fault: "empty"},
		{value: "env:Q3DISSECT_TEST_UNSET", fault: "not set"},
		{value: "env:", fault: "not set"},
		{value: file("empty", ""), fault: "empty"},
		{value: file("blank", " \r\n"), fault: "empty"},
		{value: file("longer", strings.Repeat("x", maxPassphrase+1)), fault: "longer"},
		{value: "@" + dir, fault: "directory"},
		{value: "@" + filepath.Join(dir, "none"), fault: "no such file"},
		{value: "@", fault: "no such file"},
	} {
		var p Passphrase
		if err := p.Set(c.value); err != nil || !p.Given() || p.String() != "" {
			t.Fatalf("%q: %v, given %v, shown as %q", c.value, err, p.Given(), p.String())
		}
		got, err := p.Read()
		if string(got) != c.want || (err != nil) != (c.fault != "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%.40q: %.40q, %v; want %.40q, %q", c.value, got, err, c.want, c.fault)
		}
	}
}
