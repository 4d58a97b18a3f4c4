package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A habit is a row of the table in docs/tshark.md: a command line of tshark, and what q3dissect makes of it.
type habit struct {
	args        []string
	text, state string
}

var (
	habitRow  = regexp.MustCompile("(?m)^\\| `tshark (.*)` \\| (.*) \\|$")
	habitWord = regexp.MustCompile(`'[^']*'|\S+`)
)

// habits reads the table.
func habits(t *testing.T) (list []habit) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "tshark.md"))
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer(`\|`, "|")
	for _, row := range habitRow.FindAllSubmatch(page, -1) {
		h := habit{text: plain.Replace(string(row[1])), state: plain.Replace(string(row[2]))}
		for _, word := range habitWord.FindAllString(h.text, -1) {
			h.args = append(h.args, strings.Trim(word, "'"))
		}
		list = append(list, h)
	}
	return list
}

// The table of habits is true: every command line is run, and compared with tshark where the table claims it, each
// tenth of them in go test and all in make long.
func TestTsharkHabits(t *testing.T) {
	t.Parallel()
	file := sample("quake3", "68-connect-play.pcap")
	program, missing := exec.LookPath("tshark")
	list := habits(t)
	if len(list) < 95 {
		t.Errorf("%d rows", len(list))
	}
	for i, h := range list {
		out := filepath.Join(t.TempDir(), "out")
		var args []string
		for _, arg := range h.args {
			switch arg {
			case "FILE":
				arg = file
			case "OUT":
				arg = out
			}
			args = append(args, arg)
		}
		if h.state == "same packets" {
			args = append(args, "-T", "fields", "-e", "frame.number")
		}
		stdout, stderr, status := runStatus(t, args...)
		note, _, _ := bytes.Cut(stderr, []byte("\n"))
		switch answer, answered := strings.CutPrefix(h.state, "answered: "); {
		case h.state == "same", h.state == "same packets":
			if missing != nil || i%10 > 0 && !long() {
				continue // no tshark, or no time: it takes a quarter of a second
			}
			cmd := exec.Command(program, append([]string{"-n"}, args...)...)
			cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
			want, err := cmd.Output()
			if err != nil || status != 0 || !bytes.Equal(stdout, want) {
				t.Errorf("%s: status %d, %d bytes, tshark has %d: %v %s", h.text, status, len(stdout), len(want), err, note)
			}
		case h.state == "works", h.state == "works, with a note":
			_, err := os.Stat(out)
			silent := len(stdout) == 0 && err != nil && !strings.HasSuffix(h.text, "-q")
			if noted := bytes.Contains(note, []byte(" here: ")); status != 0 || silent || noted != (h.state != "works") {
				t.Errorf("%s: status %d, %d bytes: %s", h.text, status, len(stdout), note)
			}
		case answered:
			if status == 0 || !bytes.Contains(stderr, []byte(answer)) {
				t.Errorf("%s: status %d, answered with %s, want %s", h.text, status, note, answer)
			}
		case h.state == "missing":
			if status == 0 {
				t.Errorf("%s: it works", h.text)
			}
		default:
			t.Errorf("%s: a row of an unknown kind, %q", h.text, h.state)
		}
	}
}
