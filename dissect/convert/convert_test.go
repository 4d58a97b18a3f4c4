package convert_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// The command's test TestConvert compares the bytes with those of the command.

// samples returns all captures and recordings of the repository, by name.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"*/*.pcap*", "*/*.dm_*", "*/*.demo"} {
		names, err := filepath.Glob(filepath.Join("..", "..", "samples", filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = b
		}
	}
	return files
}

// texts are the outputs of one call.
type texts struct{ records, list, events bytes.Buffer }

func (x *texts) outputs() convert.Outputs {
	return convert.Outputs{Records: &x.records, List: &x.list, Events: &x.events}
}

func (x *texts) strings() []string {
	return []string{x.records.String(), x.list.String(), x.events.String()}
}

// want renders the records of an input one by one.
func want(t *testing.T, name string, b []byte, protocols []*dissect.Protocol) []string {
	t.Helper()
	in, err := open.New(bytes.NewReader(b), name, open.Options{Protocols: protocols, All: true})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var list render.List
	var out [3][]byte
	lacks := incomplete.Account{File: name}
	for rec, err := range in.Records(dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		out[0] = render.AppendJSON(out[0], rec, render.JSON{})
		out[1] = list.Append(out[1], rec)
		if len(rec.Events.Nodes) > 0 {
			out[2] = render.AppendEventsJSON(out[2], rec, render.JSON{})
		}
		lacks.Record(rec)
	}
	out[2] = lacks.List().Missing().AppendLine(out[2]) // records show it themselves
	return []string{string(out[0]), string(out[1]), string(out[2])}
}

// Many calls at once, that share their protocols, give what each gives alone: the records and events of package open.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	protocols := all.Protocols()
	var running sync.WaitGroup
	for name, b := range samples(t) {
		want := want(t, name, b, all.Protocols())
		for workers := range 4 {
			running.Go(func() {
				var x texts
				if _, err := convert.Run(bytes.NewReader(b), x.outputs(),
					convert.Options{Protocols: protocols, Name: name, Workers: workers}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if diff := cmp.Diff(want, x.strings()); diff != "" {
					t.Errorf("%s, %d workers (-record by record +Run):\n%s", name, workers, diff)
				}
			})
		}
	}
	running.Wait()
}

// The records and events of package open are those of the command, for every capture and demo at hand.
func TestRecordsOfReferences(t *testing.T) {
	if os.Getenv("Q3DISSECT_LONG") == "" {
		t.Skip("compares all reference recordings: make long")
	}
	files, err := open.Files([]string{reference.Folder(t, "captures"), reference.Folder(t, "demos")})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		b, err := os.ReadFile(file.Name)
		if err != nil {
			t.Fatal(err)
		}
		var x texts
		o := convert.Options{Protocols: all.Protocols(), Name: file.Name}
		if _, err := convert.Run(bytes.NewReader(b), x.outputs(), o); err != nil {
			continue // no recording, or a damaged one: package open has the error in place of the record
		}
		compared++
		if diff := cmp.Diff(want(t, file.Name, b, all.Protocols()), x.strings()); diff != "" {
			t.Errorf("%s (-record by record +Run):\n%.2000s", file.Name, diff)
		}
	}
	if compared < 100 {
		t.Errorf("%d recordings were compared", compared)
	}
}

// Each form is the same alone as beside the others.
func TestForms(t *testing.T) {
	t.Parallel()
	name := filepath.Join("..", "..", "samples", "quake3", "68-loss.pcap")
	b := samples(t)[name]
	o := convert.Options{Protocols: all.Protocols(), Name: name}
	var together, alone texts
	if _, err := convert.Run(bytes.NewReader(b), together.outputs(), o); err != nil {
		t.Fatal(err)
	}
	for _, out := range []convert.Outputs{{Records: &alone.records}, {List: &alone.list}, {Events: &alone.events}, {}} {
		result, err := convert.Run(iotest.OneByteReader(bytes.NewReader(b)), out, o)
		if err != nil {
			t.Fatal(err)
		}
		if result.Stats.Packets != 260 || result.Capture.Packets != 260 || result.Recording { // samples/README.md
			t.Errorf("%+v, want 260 packets of a capture", result)
		}
	}
	if diff := cmp.Diff(together.strings(), alone.strings()); diff != "" {
		t.Errorf("-together +alone:\n%s", diff)
	}
	if strings.Count(alone.events.String(), `"event":"kill"`) != 2 { // the server's log: see the example of dissect/open
		t.Errorf("events: %s", alone.events.String())
	}
}

var errOfTest = errors.New("full")

// full is a writer that takes some bytes.
type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errOfTest
	}
	return len(b), nil
}

// What goes wrong is said, and what came before is written.
func TestErrors(t *testing.T) {
	t.Parallel()
	demo := samples(t)[filepath.Join("..", "..", "samples", "quake3", "68-kicked.dm_68")]
	o := convert.Options{Protocols: all.Protocols(), Name: "x.dm_68", File: "a/x.dm_68"}
	var fault *dissect.FileError

	var x texts
	result, err := convert.Run(bytes.NewReader(demo[:len(demo)/2]), x.outputs(), o)
	if !errors.As(err, &fault) || fault.Code != dissect.TruncatedFile || !result.Recording || result.Messages == 0 {
		t.Errorf("half a demo: %+v, %v", result, err)
	}
	for _, text := range []string{x.records.String(), x.events.String()} {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		last := lines[len(lines)-2:]
		if !strings.HasPrefix(last[0], `{"file":"a/x.dm_68","file_error":{"code":"truncated_file","offset":`) ||
			!strings.HasPrefix(last[1], `{"incomplete":[{"file":"a/x.dm_68","code":"truncated_file","message":`) {
			t.Errorf("the last lines of half a demo are %q", last)
		}
	}
	if text := x.list.String(); !strings.Contains(text, "\nincomplete: a/x.dm_68: byte ") {
		t.Errorf("the list of half a demo does not end with why: %q", text[max(0, len(text)-200):])
	}
	if n := uint64(strings.Count(x.records.String(), "\n")); n != result.Messages+2 {
		t.Errorf("%d records and %d messages", n, result.Messages)
	}

	for what, r := range map[string]io.Reader{
		"no capture":     strings.NewReader(strings.Repeat("no capture ", 20)),
		"nothing":        strings.NewReader(""),
		"not to be read": iotest.ErrReader(errOfTest),
	} {
		var x texts
		if _, err := convert.Run(r, x.outputs(), o); !errors.As(err, &fault) {
			t.Errorf("%s: %v", what, err)
		}
		if diff := cmp.Diff([]string{"", "", ""}, x.strings()); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}

	for _, out := range []convert.Outputs{{Records: &full{}}, {List: &full{}}, {Records: io.Discard, Events: &full{}}} {
		if _, err := convert.Run(bytes.NewReader(demo), out, o); !errors.Is(err, errOfTest) {
			t.Errorf("a full disk: %v", err)
		}
	}
	o.DecodeAs = []engine.DecodeAs{{Port: 1, Name: "nothing"}}
	if _, err := convert.Run(bytes.NewReader(demo), convert.Outputs{}, o); err == nil {
		t.Error("-d of an unknown protocol is no error")
	}
}

// A context ends the reading; what was read is written, and what is missing said.
func TestContext(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join("..", "..", "samples", "quake3", "68-loss.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	in := &endingReader{from: bytes.NewReader(b), left: len(b) / 2, end: cancel}
	_, err = convert.Run(in, convert.Outputs{Records: &out}, convert.Options{Protocols: all.Protocols(), Context: ctx})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if last := lines[len(lines)-1]; len(lines) < 50 || !strings.Contains(last, `"code":"interrupted"`) {
		t.Errorf("%d lines, the last is %s", len(lines), last)
	}
}

// An endingReader reads byte by byte, and calls end after some of them.
type endingReader struct {
	from io.Reader
	left int
	end  func()
}

func (r *endingReader) Read(b []byte) (int, error) {
	if r.left--; r.left == 0 {
		r.end()
	}
	return r.from.Read(b[:1])
}
