package truth_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// A demoLine is one line of a demo's truth: what uberdemotools' parser read of a message.
type demoLine struct {
	Index       int         `json:"i"`
	Sequence    uint32      `json:"seq"`
	Len         int         `json:"len"`
	Offset      int64       `json:"offset"` // of the message's header in the file
	ReliableAck json.Number `json:"relack"`
	Ops         []demoOp    `json:"ops"`
	EndBit      int         `json:"endbit"` // after the last operation
	OK          bool        `json:"ok"`
	Err         string      `json:"err"`
}

// A demoOp is a truthOp with what demos have besides.
type demoOp struct {
	truthOp
	Raw             string       `json:"raw"` // the text in hexadecimal, where that parser changed it
	CommandSequence json.Number  `json:"cmdseq"`
	ClientCommand   json.Number  `json:"clcmdseq"` // 43
	Baselines       []demoEntity `json:"baselines"`
	EntityCount     int          `json:"entcount"` // of the resulting snapshot
	Partial         bool         `json:"partial"`  // a fault follows
}

type demoEntity struct {
	truthEntity
	Removed bool `json:"removed"`
}

// recordings returns the folder of public demos. Tests that need it are skipped where it is absent.
func recordings(tb testing.TB) string {
	tb.Helper()
	dir := filepath.Join(filepath.Dir(filepath.Dir(reference.Folder(tb, "captures", "quake3"))), "demos", "quake3")
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no reference demos: %v", err)
	}
	return dir
}

// recordingsWithTruth returns the demos with an account of their content.
func recordingsWithTruth(tb testing.TB) (names []string) {
	tb.Helper()
	const suffix = ".truth.jsonl.gz"
	files, err := filepath.Glob(filepath.Join(recordings(tb), "*"+suffix))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no truth of demos: %v", err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, suffix))
	}
	return names
}

// A demoTruth reads the truth of a demo line by line.
type demoTruth struct {
	testing.TB
	lines *bufio.Scanner
	line  *demoLine // nil after the last
}

func openDemoTruth(tb testing.TB, demo string) *demoTruth {
	tb.Helper()
	r := &demoTruth{TB: tb, lines: reference.Lines(tb, demo+".truth.jsonl.gz")}
	r.next()
	return r
}

func (r *demoTruth) next() {
	r.line = nil
	if r.lines.Scan() {
		r.line = &demoLine{}
		strictJSON(r, r.lines.Bytes(), r.line)
	} else if err := r.lines.Err(); err != nil {
		r.Error(err)
	}
}

// strictJSON reads an object that has no members but those of v.
func strictJSON(tb testing.TB, b []byte, v any) {
	tb.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		tb.Errorf("%v in %.200s", err, b)
	}
}

// openDemo opens a demo as the program does: by its content first.
func openDemo(tb testing.TB, name string, in io.Reader) dissect.Recording {
	tb.Helper()
	input, err := capture.Open(in, nil)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	head, _ := input.Peek(dissect.RecordingHead) // fewer bytes are a shorter file
	for _, p := range all.Protocols() {
		if p.OpenRecording != nil {
			if rec, ok := p.OpenRecording(input, head, name, 0); ok {
				return rec
			}
		}
	}
	tb.Fatalf("%s is no demo", name)
	return nil
}

// dissectDemo dissects one demo. The error is how the file breaks off, nil if it does not.
func dissectDemo(tb testing.TB, name string, r reftest.Run) (stats engine.Stats, broken *dissect.FileError) {
	tb.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return dissectDemoBytes(tb, name, b, r)
}

func dissectDemoBytes(tb testing.TB, name string, b []byte, r reftest.Run) (stats engine.Stats,
	broken *dissect.FileError,
) {
	tb.Helper()
	demo := openDemo(tb, name, bytes.NewReader(b))
	e := reftest.NewEngine(tb, r)
	for n := 1; ; n++ {
		p, err := demo.Next()
		if err != nil {
			if err != io.EOF && !errors.As(err, &broken) {
				tb.Errorf("%s: %v", name, err)
			}
			break
		}
		if err := e.Packet(p); err != nil {
			tb.Errorf("%s: %v", name, err)
			break
		}
		if n == r.Most {
			break
		}
	}
	return reftest.Close(tb, e), broken
}

// container counts the whole messages of a demo, and reports whether its end mark follows.
func container(b []byte) (messages int, ended bool) {
	for len(b) >= 8 {
		size := int32(binary.LittleEndian.Uint32(b[4:]))
		if b = b[8:]; size == -1 {
			return messages, true
		}
		if size < 0 || int(size) > len(b) {
			break
		}
		b = b[size:]
		messages++
	}
	return messages, false
}

// TestExportDocument compares docs/export.md with what there is: the manifest that it shows, every key of a
// manifest, every reason.
func TestExportDocument(t *testing.T) {
	b, err := os.ReadFile("../../../docs/export.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	dir, _ := exportDemos(t, "../../../samples/quake3/68-natrebind.pcap", extract.DemoRange{}, 1)
	want, err := os.ReadFile(filepath.Join(dir, export.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(text, "```json\n")
	shown, _, _ := strings.Cut(after, "```")
	if diff := cmp.Diff(string(want), shown); diff != "" {
		t.Errorf("manifest (-program +document):\n%s", diff)
	}
	for _, v := range []any{export.Manifest{}, export.Demo{}, export.SkippedSession{}, export.Gap{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if key != "demos" && key != "missing" && !strings.Contains(text, "`"+key+"`") {
				t.Errorf("the document does not tell of %s", key)
			}
		}
	}
	source, err := os.ReadFile("../../extract/extract.go")
	if err != nil {
		t.Fatal(err)
	}
	reasons := regexp.MustCompile(`DemoLeft = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(reasons) < 10 {
		t.Errorf("the source has only %d reasons", len(reasons))
	}
	for _, m := range reasons {
		if !strings.Contains(text, "`"+m[1]+"`") {
			t.Errorf("the document does not tell of the reason %s", m[1])
		}
	}
}
