package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// asProgram makes the test binary run as q3dissect-beam, so that a test can kill it.
const asProgram = "Q3DISSECT_BEAM_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// program returns the command for a run of q3dissect-beam.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// runProgram runs it and gives the exit status and standard error.
func runProgram(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := program(t, args...)
	cmd.Stderr = &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stderr.String()
}

// samples copies captures and recordings of the repository into a folder and gives their names.
func samples(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	var list []string
	for _, pattern := range []string{"*/*.pcap", "*/*.dm_*", "*/*.demo"} {
		names, err := filepath.Glob(filepath.Join("..", "..", "samples", filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			name = filepath.Join(dir, filepath.Base(name))
			if err := os.WriteFile(name, b, 0o666); err != nil {
				t.Fatal(err)
			}
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// want is what the library gives for an input.
func want(t *testing.T, name string) (records, events string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var r, e bytes.Buffer
	o := convert.Options{Protocols: all.Protocols(), Name: name, File: name}
	if _, err := convert.Run(bytes.NewReader(b), convert.Outputs{Records: &r, Events: &e}, o); err != nil {
		t.Logf("%s: %v", name, err)
	}
	return r.String(), e.String()
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// compare looks whether the results of a job are those of every input, and nothing else.
func compare(t *testing.T, out, kind string, names []string) {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(out, kind))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(names) {
		t.Errorf("%d files for %d inputs", len(files), len(names))
	}
	for _, name := range names {
		records, events := want(t, name)
		if kind == "events" {
			records = events
		}
		if got := read(t, out, kind, url.PathEscape(name)+".ndjson"); got != records {
			t.Errorf("%s of %s: %d bytes, want %d", kind, filepath.Base(name), len(got), len(records))
		}
	}
	if n := strings.Count(read(t, out, manifest), "\n"); n != len(names) {
		t.Errorf("the manifest has %d lines for %d inputs", n, len(names))
	}
	if left, _ := os.ReadDir(filepath.Join(out, ".writing")); len(left) > 0 {
		t.Errorf("%d files without a final name are left", len(left))
	}
}

// Records and events are those of the single program, record for record.
func TestRecordsAndEvents(t *testing.T) {
	t.Parallel()
	names := samples(t)
	for format, kind := range map[string]string{formatRecords: "records", formatEvents: "events"} {
		out := t.TempDir()
		status, stderr := runProgram(t, "--input", filepath.Dir(names[0])+"/*", "--output", out, "--format", format)
		if status != 0 {
			t.Fatalf("status %d: %s", status, stderr)
		}
		compare(t, out, kind, names)
		if dead := read(t, out, deadLetters); dead != "" {
			t.Errorf("dead letters: %s", dead)
		}
		// A second run of the same writes the same.
		if status, stderr = runProgram(t, "--input", filepath.Dir(names[0])+"/*", "--output", out,
			"--format", format); status != 0 {
			t.Fatalf("again: status %d: %s", status, stderr)
		}
		compare(t, out, kind, names)
		if status, _ = runProgram(t, "--input", filepath.Dir(names[0])+"/*", "--output", out, "--format", format,
			"--state"); status == 0 {
			t.Error("results of other options are put beside those that are there")
		}
	}
}

// Divided by stream, an input gives the same records.
func TestSplit(t *testing.T) {
	t.Parallel()
	names := samples(t)
	out := t.TempDir()
	status, stderr := runProgram(t, "--input", filepath.Dir(names[0])+"/*.pcap", "--output", out, "--split", "4000")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	divided := 0
	for _, name := range names {
		if filepath.Ext(name) != ".pcap" {
			continue
		}
		parts, err := filepath.Glob(filepath.Join(out, "records",
			strings.NewReplacer("%", "?").Replace(url.PathEscape(name))+"*"))
		if err != nil || len(parts) == 0 {
			t.Fatalf("%s: %d parts, %v", name, len(parts), err)
		}
		var got []string
		for _, part := range parts {
			got = append(got, strings.SplitAfter(read(t, part), "\n")...)
		}
		if len(parts) > 1 {
			divided++
		}
		records, _ := want(t, name)
		all := strings.SplitAfter(records, "\n")
		slices.Sort(all)
		slices.Sort(got)
		if strings.Join(all, "") != strings.Join(got, "") {
			t.Errorf("%s: %d parts differ from the whole", name, len(parts))
		}
	}
	if divided == 0 {
		t.Error("no input was divided")
	}
}

// What is wrong with an input is a dead letter, and harms no other.
func TestDeadLetters(t *testing.T) {
	t.Parallel()
	names := samples(t)
	dir := filepath.Dir(names[0])
	demo := names[slices.IndexFunc(names, func(n string) bool { return strings.Contains(n, ".dm_") })]
	whole := read(t, demo)
	for name, text := range map[string]string{
		"half" + filepath.Ext(demo): whole[:len(whole)/2],
		"no-capture.pcap":           "no capture at all, and long enough for that",
		"empty.pcap":                "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("vanished", filepath.Join(dir, "vanished.pcap")); err != nil {
		t.Skip(err)
	}
	out := t.TempDir()
	status, stderr := runProgram(t, "--input", dir+"/*", "--output", out)
	if status != statusDead || !strings.Contains(stderr, "4 dead letters") {
		t.Errorf("status %d: %s", status, stderr)
	}
	compare(t, out, "records", append(slices.Clone(names), filepath.Join(dir, "half"+filepath.Ext(demo))))
	codes := map[string]string{}
	for line := range strings.Lines(read(t, out, deadLetters)) {
		var d DeadLetter
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		if d.Reason == "" || d.Partial != strings.Contains(d.Input, "half") {
			t.Errorf("%+v", d)
		}
		codes[filepath.Base(d.Input)] = d.Code
	}
	for name, code := range map[string]string{
		"half" + filepath.Ext(demo): "truncated_file", "no-capture.pcap": "unknown_format", "empty.pcap": "unknown_format",
		"vanished.pcap": "unreadable",
	} {
		if codes[name] != code {
			t.Errorf("%s: %q, want %q", name, codes[name], code)
		}
	}
}

// Players and addresses are joined over all inputs, and it does not matter in how many files they were seen.
func TestJoins(t *testing.T) {
	t.Parallel()
	names := samples(t)
	name := names[slices.IndexFunc(names, func(n string) bool { return strings.Contains(n, "68-loss.pcap") })]
	dir := t.TempDir()
	for _, as := range []string{"a.pcap", "b.pcap"} {
		if err := os.WriteFile(filepath.Join(dir, as), []byte(read(t, name)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := t.TempDir()
	status, stderr := runProgram(t, "--input", dir+"/*", "--output", out, "--format", formatEvents,
		"--join", "players,sources")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	type line struct {
		Player, Address          string
		Inputs, Servers, Targets []string
		Counts                   map[string]int64
	}
	find := func(file string, is func(line) bool) (found line) {
		for text := range strings.Lines(read(t, out, file)) {
			var l line
			if err := json.Unmarshal([]byte(text), &l); err != nil {
				t.Fatal(err)
			}
			if is(l) {
				found = l
			}
		}
		return found
	}
	// samples/README.md: the client is 10.9.1.2, the server 10.9.1.1:27960; the server's log has two kills, by Sergei
	// and by Sarge, and 260 packets were captured.
	sergei := find(playersFile, func(l line) bool { return l.Player == "Sergei" })
	if len(sergei.Inputs) != 2 || !slices.Equal(sergei.Servers, []string{"10.9.1.1:27960"}) || sergei.Counts["kill"] != 2 {
		t.Errorf("Sergei: %+v", sergei)
	}
	client := find(sourcesFile, func(l line) bool { return l.Address == "10.9.1.2" })
	server := find(sourcesFile, func(l line) bool { return l.Address == "10.9.1.1" })
	if len(client.Inputs) != 2 || !slices.Equal(client.Targets, []string{"10.9.1.1:27960"}) ||
		client.Counts["connect_request"] != 2 {
		t.Errorf("the client: %+v", client)
	}
	if n := client.Counts["packets"] + server.Counts["packets"]; n != 2*260 {
		t.Errorf("%d packets", n)
	}
}

// Parquet files are those of the single program, byte for byte.
func TestParquet(t *testing.T) {
	t.Parallel()
	names := samples(t)
	out, local := t.TempDir(), t.TempDir()
	if status, stderr := runProgram(t, "--input", filepath.Dir(names[0])+"/*", "--output", out, "--format",
		formatParquet); status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	schema, err := rows.New(all.Protocols(), rows.Options{Events: true})
	if err != nil {
		t.Fatal(err)
	}
	set, err := parquet.Open(local, schema, (&job{}).metadata(), 1)
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, name := range names {
		in := set.Input(name)
		o := convert.Options{Protocols: all.Protocols(), Name: name, File: name}
		if _, err := convert.Run(strings.NewReader(read(t, name)), convert.Outputs{Rows: in}, o); err != nil {
			t.Log(err)
		}
		list, err := in.Commit()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			files++
			if read(t, local, f.Path) != read(t, out, f.Path) {
				t.Errorf("%s differs", f.Path)
			}
		}
	}
	if found, _ := filepath.Glob(filepath.Join(out, "*", "*.parquet")); len(found) != files ||
		files == 0 {
		t.Errorf("%d files, want %d", len(found), files)
	}
}
