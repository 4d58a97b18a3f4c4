package oob

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// TestOOBReference reads the texts of a capture of real servers and clients as returned by the engine's own
// code, with connect decompressed, and compares the results with those of other programs.
func TestOOBReference(t *testing.T) {
	for _, name := range reference.Glob(t, "captures", "quake3", "*.truth.jsonl.gz") {
		eachTruth(t, name, func(text, dir string) { checkTruth(t, text, dir) })
	}
}

// eachTruth returns the out-of-band texts of a truth file, as bytes.
func eachTruth(t *testing.T, name string, do func(text, dir string)) {
	t.Helper()
	lines := reference.Lines(t, name)
	for lines.Scan() {
		if !bytes.Contains(lines.Bytes()[:min(len(lines.Bytes()), 400)], []byte(`"oob"`)) {
			continue
		}
		var line struct {
			Kind, Dir string
			Text      *string
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Kind != "oob" || line.Text == nil {
			continue
		}
		var text []byte
		for _, r := range *line.Text {
			text = append(text, byte(r))
		}
		do(string(text), line.Dir)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func checkTruth(t *testing.T, text, dir string) {
	t.Helper()
	p, rec := dissectOOB(marker+text, markerLen+len(text))
	checkOOB(t, marker+text, rec)
	first, body, hasBody := strings.Cut(text, "\n")
	word, rest, _ := strings.Cut(first, " ")
	list := strings.HasPrefix(word, "getservers") && strings.Contains(word, "Response")
	if list {
		word, _, _ = strings.Cut(word, `\`)
	}
	if string(p.command) != word {
		t.Errorf("%q: command %q", text, p.command)
	}
	want := map[string]dissect.Direction{"c2s": dissect.ClientToServer, "s2c": dissect.ServerToClient}[dir]
	if p.Direction != want && word != "" && word != "disconnect" && word != "unknowncommand" {
		t.Errorf("%q: direction %v", text, p.Direction)
	}
	got := strings.Join(flatten(rec.Tree), "\n")
	if line := fmt.Sprintf("text=%q", body); hasBody && !list && !strings.Contains(got, line) {
		t.Errorf("%q: no %s", text, line)
	}
	switch word {
	case "statusResponse":
		info, players, _ := strings.Cut(body, "\n")
		line := fmt.Sprintf("info=%q\nplayers=[", info)
		if i := strings.Index(got, line); i < 0 || strings.Count(got[i+len(line):], "[") != strings.Count(players, "\n") {
			t.Errorf("%q: %s", text, got)
		}
	case "infoResponse":
		if !strings.Contains(got, fmt.Sprintf("info=%q", body)) {
			t.Errorf("%q: %s", text, got)
		}
	case "connect":
		if info := strings.Trim(rest, `"`); string(p.Userinfo) != info || info != "" && (!p.HasChallenge || !p.HasQport || p.Protocol < 68) {
			t.Errorf("%q: %v", text, p.facts())
		}
	case "getserversResponse", "getserversExtResponse":
		if n := strings.Count(text, "\x7f\x00\x00\x01") + strings.Count(text, "/"); strings.Count(got,
			"127.0.0.1:")+strings.Count(got, "[::1]:") != n || n == 0 {
			t.Errorf("%q: %s", text, got)
		}
	}
	if overlong := word == "getinfo" && len(rest) > 128; overlong != slices.Contains(expertCodes(rec),
		"warning attack_overlong_query oob") {
		t.Errorf("%q: %v", text, rec.Experts)
	} else if len(rec.Experts) > 0 && !overlong && !strings.HasPrefix(text, `rcon "right secret"`) {
		t.Errorf("%q: %v", text, rec.Experts)
	}
	if weak := word == "print" || word == "disconnect" || word == "unknowncommand" || first == "connect" ||
		word == ""; p.Strong() == weak {
		t.Errorf("%q: strong %v", text, !weak)
	}
}
