package command

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// secretForms are all ways to show what a capture holds: their names in SECURITY.md, and arguments.
var secretForms = []struct{ name, arguments string }{
	{"the list", "q3dissect IN"},
	{"`-V`", "q3dissect IN -V"},
	{"`-x`", "q3dissect IN -x"},
	{"`--json`, `-T json`", "q3dissect IN --json"},
	{"`--json --hide-secrets`", "q3dissect IN --json --hide-secrets"},
	{"`-T fields`", "q3dissect IN -T fields -e info -e quake3.oob.password -e quake3.oob.text -e quake3.oob.info"},
	{"`-T csv`", "q3dissect IN -T csv -e info -e quake3.oob.password -e quake3.oob.text -e quake3.oob.info"},
	{"`-T tabs`", "q3dissect IN -T tabs"},
	{"`-T ek`", "q3dissect IN -T ek"},
	{"`-T psml`", "q3dissect IN -T psml"},
	{"`-T pdml`", "q3dissect IN -T pdml"},
	{"`-T parquet`", "q3dissect IN -T parquet -o OUT"},
	{"`-z rcon`", "q3dissect IN -q -z rcon"},
	{"`-z rcon --json`", "q3dissect IN -q -z rcon --json"},
	{"`events`", "q3dissect events IN"},
	{"`events --json`", "q3dissect events IN --json"},
	{"`report`", "q3dissect report IN -o OUT"},
	{"`-w`", "q3dissect IN -w OUT"},
	{"`-w` with `--anonymize`", "q3dissect IN --anonymize correct-horse-battery -w OUT"},
}

// SECURITY.md says which forms show passwords. The table is made of the outputs for a capture with two passwords.
func TestSecretForms(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	in := filepath.Join(t.TempDir(), "in.txt")
	var dump strings.Builder
	for _, text := range []string{
		"c:rcon " + secret + " status",
		`c:connect \"\\name\\x\\password\\` + secret + `\\challenge\\1\\qport\\2\\protocol\\68\"`,
	} {
		packet, err := buildPacket(text)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&dump, "0000 % x\n", packet)
	}
	if err := os.WriteFile(in, []byte(dump.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| form | passwords | with `--show-secrets` |\n| --- | --- | --- |\n")
	for _, form := range secretForms {
		cells := []string{form.name}
		for _, flag := range []string{"", "--show-secrets"} {
			out := filepath.Join(t.TempDir(), "out")
			arguments := strings.Fields(form.arguments)[1:]
			for i, a := range arguments {
				arguments[i] = strings.NewReplacer("IN", in, "OUT", out).Replace(a)
			}
			if flag != "" {
				arguments = append(arguments, flag)
			}
			shown, stderr, status := runStatus(t, arguments...)
			if status == 2 && flag != "" {
				cells = append(cells, "no such flag")
				continue
			}
			if status != 0 {
				t.Fatalf("%v: status %d, %s", arguments, status, stderr)
			}
			shown = append(shown, filesBelow(t, out)...)
			switch {
			case len(shown) == 0:
				t.Errorf("%v: nothing is shown", arguments)
			case bytes.Contains(shown, []byte(secret)):
				cells = append(cells, "shown")
			case bytes.Contains(shown, hex.AppendEncode(nil, []byte(secret))):
				cells = append(cells, "shown as bytes")
			default:
				cells = append(cells, "hidden")
			}
		}
		fmt.Fprintf(&table, "| %s |\n", strings.Join(cells, " | "))
	}
	const page = "../../../SECURITY.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	before, rest, found := bytes.Cut(text, []byte("| form | "))
	_, after, ends := bytes.Cut(rest, []byte("|\n\n"))
	if !found || !ends {
		t.Fatal("SECURITY.md has no table of forms")
	}
	want := string(before) + table.String() + "\n" + string(after)
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Errorf("SECURITY.md has another table; -update writes it:\n%s", table.String())
	}
}

// filesBelow returns the contents of a file or of all files in a folder. There may be none.
func filesBelow(t *testing.T, path string) (all []byte) {
	t.Helper()
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
		return nil
	})
	return all
}
