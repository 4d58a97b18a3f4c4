package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/render"
	library "github.com/q3dissect/q3dissect/dissect/view/collect"
)

// convert.Run gives what the command prints, for whole files, files that break off, and files that are nothing.
func TestConvert(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "samples", "*", "*.[pd]*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for i, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		half := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(half, b[:len(b)*(i%7+1)/8], 0o666); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{name, half} {
			compareConvert(t, name, nil, convert.Options{})
		}
		if i%4 == 0 {
			o := convert.Options{All: true, State: true, Secrets: true, JSON: render.JSON{NoNames: true, Bits: true, Link: true}}
			compareConvert(t, name, []string{"--all", "--state", "--show-secrets", "--no-names", "--bits", "--link"}, o)
		}
	}
}

func compareConvert(t *testing.T, name string, flags []string, o convert.Options) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var records, list, events bytes.Buffer
	o.Protocols, o.Name = all.Protocols(), name
	_, err = convert.Run(bytes.NewReader(b), convert.Outputs{Records: &records, List: &list, Events: &events}, o)
	got := []string{records.String(), list.String(), events.String()}

	text, event := flagsOf(flags, "--all", "--state", "--show-secrets"), flagsOf(flags, "--show-secrets", "--no-names")
	var want []string
	status := exit.Done
	for _, args := range [][]string{append(flags, "--json"), text, append([]string{"events", "--json"}, event...)} {
		out, s := commandOutput(t, append(args, name))
		want, status = append(want, out), s
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s %v (-command +convert):\n%s", name, flags, diff)
	}
	var fault *dissect.FileError
	if errors.As(err, &fault) != (status != exit.Done) {
		t.Errorf("%s: status %d of the command, and %v", name, status, err)
	}
}

// flagsOf returns those of some flags that a form of the output has.
func flagsOf(flags []string, known ...string) (some []string) {
	for _, flag := range flags {
		for _, k := range known {
			if flag == k {
				some = append(some, flag)
			}
		}
	}
	return some
}

// commandOutput runs the command and gives its standard output and status.
func commandOutput(t *testing.T, args []string) (string, int) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	quiet, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer quiet.Close()
	p := &program{Console: &console.Console{Stdin: quiet, Stdout: out, Stderr: quiet}, protocols: all.Protocols()}
	status := p.main(args)
	b, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b), status
}

// collect.People gives the people of q3dissect players, in another order.
func TestPeopleOfLibrary(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "..", "..", "samples", "quake3")
	list, err := library.People(t.Context(), []string{folder}, all.Protocols())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range list {
		line, err := json.Marshal(&list[i])
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(line))
	}
	out, _ := runMain(t, "players", folder, "--json", "--no-cache")
	want := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(out)), "\n"), func(line string) bool {
		return strings.HasPrefix(line, `{"incomplete":`)
	})
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 10 {
		t.Errorf("%d people; -command +library:\n%s", len(want), diff)
	}
}
