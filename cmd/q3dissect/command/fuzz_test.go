package command

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/dissect/all"
)

// vocabulary has the words that the fuzzer makes command lines from; %s is a text of its own. What writes files is not
// among them, nor a jq program that it could make run for ever.
var vocabulary = []string{
	"../../../samples/quake3/oob.pcap", "../../../samples/gamestudio/synthetic-raw.pcap",
	"../../../samples/quake3/68-kicked.dm_68",
	"-", "nothing.pcap", "%s", "events", "keys", "help", "completion", "filters", "bash", "%s",
	"-V", "--json", "-T", "text", "json", "fields", "csv", "-e", "info", "frame", "quake3.oob", "-E", "header=y",
	"separator=,", "formulas=guard", "%s", "-O", "quake3", "-x", "-t", "ad", "--color", "never", "always",
	"--show-secrets", "-q", "--bits", "--no-names", "--link", "--state", "-Y", "length > 20", "--jq", ".info", "-z",
	"expert", "players", "loss", "follow,0", "%s", "--frames", "1-5", "-c", "3", "-d", "udp.port==27960,quake3", "--all",
	"--demo-protocol", "68", "-r", "--continue", "--no-recover", "-l", "-j", "1", "2", "--memory", "1M", "%s", "-n",
	"--exit-status", "--list-fields", "--list-protocols", "--schema", "--version", "--help", "--help-all", "--",
	"--keys", "--merge", "%s",
}

// rawControls are control characters that must not reach a terminal.
var rawControls = regexp.MustCompile(`[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f\x{80}-\x{9f}]`)

// FuzzCommandLine runs command lines: each ends with a status of the contract, gives the reason on standard error in
// words that do a terminal no harm, prints nothing where the usage is wrong, and does the same again.
func FuzzCommandLine(f *testing.F) {
	word := func(s string) byte {
		for i, w := range vocabulary {
			if w == s {
				return byte(i)
			}
		}
		f.Fatalf("no word %q", s)
		return 0
	}
	line := func(words ...string) (b []byte) {
		for _, w := range words {
			b = append(b, word(w))
		}
		return b
	}
	f.Add(line(vocabulary[0], "--json", "--bits", "-j", "2"), "")
	f.Add(line(vocabulary[0], "-Y", "%s"), "info contains \"\x1b[31m\"")
	f.Add(line("events", vocabulary[2], "--json"), "")
	f.Add(line(vocabulary[1], "-V", "--all", "--frames", "%s"), "1-99999999999999999999,,-")
	f.Add(line("-T", "fields", "-e", "%s", "-E", "header=y", vocabulary[0]), "quake3.\u009bx")
	f.Add(line("-z", "%s", vocabulary[0]), "follow,4294967296")
	f.Add(line("--memory", "%s", "-c", "3", vocabulary[1]), "99999999999G")
	f.Add(line("keys", vocabulary[2], "nothing.pcap"), "")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, words []byte, text string) {
		if len(words) > 12 || len(text) > 200 {
			return
		}
		var args []string
		for _, w := range words {
			arg := vocabulary[int(w)%len(vocabulary)]
			if arg == "%s" {
				if arg = text; filepath.IsAbs(text) || bytes.ContainsAny([]byte(text), "/\\@=") {
					return // files of the machine, and a flag that writes one
				}
				if len(text) > 1 && text[0] == '-' {
					return
				}
			}
			args = append(args, arg)
		}
		status, stdout, stderr := commandLine(t, dir, args)
		if status < exit.Done || status > 4 {
			t.Errorf("%q: status %d", args, status)
		}
		if at := rawControls.Find(stderr); at != nil {
			t.Errorf("%q: %q on standard error: %.300q", args, at, stderr)
		}
		if status == 2 && len(stdout) > 0 {
			t.Errorf("%q: a usage error, and %.100q on standard output", args, stdout)
		}
		if status > 1 && len(stderr) == 0 {
			t.Errorf("%q: status %d without a word", args, status)
		}
		again, same, _ := commandLine(t, dir, args)
		if again != status || !bytes.Equal(stdout, same) {
			t.Errorf("%q: status %d and %d bytes, then %d and %d", args, status, len(stdout), again, len(same))
		}
	})
}

// commandLine runs a command line in this process.
func commandLine(t *testing.T, dir string, args []string) (status int, stdout, stderr []byte) {
	t.Helper()
	empty, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	c := &console.Console{Stdin: empty}
	for _, f := range []**os.File{&c.Stdout, &c.Stderr} {
		if *f, err = os.CreateTemp(dir, ""); err != nil {
			t.Fatal(err)
		}
	}
	p := &program{Console: c, protocols: all.Protocols()}
	status = p.main(args)
	for i, f := range []*os.File{c.Stdout, c.Stderr} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		os.Remove(f.Name())
		if i == 0 {
			stdout = b
		} else {
			stderr = b
		}
	}
	return status, stdout, stderr
}
