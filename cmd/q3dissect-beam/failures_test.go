package main

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A job that is killed, again and again, is complete when it is run to its end.
func TestKilled(t *testing.T) {
	t.Parallel()
	names := samples(t)
	out := t.TempDir()
	args := []string{"--input", filepath.Dir(names[0]) + "/*", "--output", out}
	killed := 0
	for _, after := range []int{1, len(names) / 3, len(names) / 2} {
		cmd := program(t, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		running := true
		for running && countFiles(out) < after { // each look takes a moment of its own
			select {
			case <-ended:
				running = false
			default:
			}
		}
		if running {
			_ = cmd.Process.Kill()
			<-ended
			killed++
		}
		for _, name := range names { // whole files only have names
			file := filepath.Join(out, "records", url.PathEscape(name)+".ndjson")
			if b, err := os.ReadFile(file); err == nil {
				if records, _ := want(t, name); string(b) != records {
					t.Errorf("after a kill %s is not whole", filepath.Base(file))
				}
			}
		}
	}
	t.Logf("killed %d times", killed)
	if status, stderr := runProgram(t, args...); status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if err := os.RemoveAll(filepath.Join(out, ".writing")); err != nil { // of the killed
		t.Fatal(err)
	}
	compare(t, out, "records", names)
}

func countFiles(out string) int {
	files, _ := os.ReadDir(filepath.Join(out, "records"))
	return len(files)
}

// A folder that cannot be written into ends the job, and the next run completes it.
func TestFullFolder(t *testing.T) {
	t.Parallel()
	names := samples(t)
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "records"), []byte("in the way"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"--input", filepath.Dir(names[0]) + "/*", "--output", out}
	if status, stderr := runProgram(t, args...); status != statusFailed || !strings.Contains(stderr, "run it again") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if _, err := os.Stat(filepath.Join(out, manifest)); err == nil {
		t.Error("a job that failed has a manifest")
	}
	if err := os.Remove(filepath.Join(out, "records")); err != nil {
		t.Fatal(err)
	}
	if status, stderr := runProgram(t, args...); status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	compare(t, out, "records", names)
}

// An input among the files of the output folder, and a folder that another job writes into, are refused before anything
// is written.
func TestRefusedFolders(t *testing.T) {
	t.Parallel()
	names := samples(t)
	b, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	for _, name := range []string{"records/a.pcap", manifest, "packets/x.0.parquet"} {
		in := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(in), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(in, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if status, stderr := runProgram(t, "--input", in, "--output", out); status != statusUsage ||
			!strings.Contains(stderr, "the input "+in) {
			t.Errorf("%s: status %d: %s", name, status, stderr)
		}
		if after, err := os.ReadFile(in); err != nil || string(after) != string(b) {
			t.Errorf("%s is another file, %v", name, err)
		}
	}
	first := &job{Output: t.TempDir()}
	folder, err := first.lock()
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if status, stderr := runProgram(t, "--input", names[0], "--output", first.Output); status != statusFailed ||
		!strings.Contains(stderr, "another export is writing to this folder") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// The same task, done twice at the same time, is there once.
func TestTwice(t *testing.T) {
	t.Parallel()
	names := samples(t)
	for _, format := range []string{formatRecords, formatParquet} {
		out := t.TempDir()
		f := convertFn{Job: job{Output: out, Format: format}}
		done := make(chan error)
		none := func(string, Sighting) {}
		var lists [2][]string
		for i := range 2 {
			go func() {
				done <- f.ProcessElement(context.Background(), Task{names[0], 0, 1},
					func(_ string, d Done) { lists[i] = d.Files }, func(d DeadLetter) { t.Error(d) }, none, none)
			}()
		}
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		var found []string
		_ = filepath.WalkDir(out, func(name string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				relative, _ := filepath.Rel(out, name)
				found = append(found, filepath.ToSlash(relative))
			}
			return err
		})
		slices.Sort(found)
		if !slices.Equal(lists[0], lists[1]) || !slices.Equal(found, lists[0]) || len(found) == 0 {
			t.Errorf("%s: %q and %q, found %q", format, lists[0], lists[1], found)
		}
	}
}
