package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/dissect/all"
)

// referenceCaptures returns the captures of real games; without them the test is skipped.
func referenceCaptures(t *testing.T) []string {
	t.Helper()
	root := cmp.Or(os.Getenv("Q3DISSECT_REFERENCE"), filepath.Join("..", "..", "..", "shared"))
	list, err := filepath.Glob(filepath.Join(root, "captures", "quake3", "*.pcap*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Skip("no reference captures")
	}
	return list
}

// runMain runs a command line in this process and gives what it printed.
func runMain(t *testing.T, args ...string) (stdout, stderr []byte) {
	t.Helper()
	dir := t.TempDir()
	p := &program{Console: &console.Console{Stdin: os.Stdin}, protocols: all.Protocols()}
	for _, f := range []**os.File{&p.Stdout, &p.Stderr} {
		var err error
		if *f, err = os.CreateTemp(dir, ""); err != nil {
			t.Fatal(err)
		}
	}
	status := p.main(args)
	read := func(f *os.File) []byte {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		return b
	}
	stdout, stderr = read(p.Stdout), read(p.Stderr)
	if status != exit.Done {
		t.Fatalf("%v: status %d: %s", args, status, stderr)
	}
	return stdout, stderr
}

// What --frames prints is what stands in the whole output, although reading stops soon after the last
// packet selected, and whatever the number of workers.
func TestFramesOfReference(t *testing.T) {
	for _, path := range referenceCaptures(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			whole, _ := runMain(t, "--json", "-j1", path)
			for _, frames := range []string{"1-9", "77,300-420,78", "1200"} {
				set, err := flags.ParseFrames(frames)
				if err != nil {
					t.Fatal(err)
				}
				var want []byte
				for line := range bytes.Lines(whole) {
					var record struct{ Frame uint64 }
					if err := json.Unmarshal(line, &record); err != nil {
						t.Fatal(err)
					}
					if set.Contains(record.Frame) {
						want = append(want, line...)
					}
				}
				if got, _ := runMain(t, "--json", "-j3", "--frames", frames, path); !bytes.Equal(got, want) {
					t.Errorf("--frames %s: %d bytes, %d in the whole output", frames, len(got), len(want))
				}
			}
		})
	}
}

// Files that continue each other give what they would give in one piece.
func TestContinueReference(t *testing.T) {
	const fileHeader, recordHeader = 24, 16 // pcap
	for _, path := range referenceCaptures(t) {
		if filepath.Base(path) != "q3-68-connect-play.pcap" {
			continue
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// Cut between two packets, in mid-game and within the fragments of the first gamestate.
		var cuts []int
		for at, packets := fileHeader, 0; at < len(whole); packets++ {
			if packets == 6 || packets == 3000 {
				cuts = append(cuts, at)
			}
			length := whole[at+8 : at+12]
			at += recordHeader + int(length[0]) + int(length[1])<<8
		}
		args := []string{"--continue", "--json"}
		for i, from := range append([]int{fileHeader}, cuts...) {
			to := append(cuts, len(whole))[i]
			part := filepath.Join(t.TempDir(), "part.pcap")
			if err := os.WriteFile(part, append(bytes.Clone(whole[:fileHeader]), whole[from:to]...), 0o666); err != nil {
				t.Fatal(err)
			}
			args = append(args, part)
		}
		got, gotSummary := runMain(t, args...)
		want, wantSummary := runMain(t, "--json", path)
		if !bytes.Equal(got, want) || !bytes.Equal(gotSummary, wantSummary) {
			t.Errorf("in %d parts: %d bytes and %sin one: %d bytes and %s", len(cuts)+1, len(got), gotSummary, len(want), wantSummary)
		}
	}
}
