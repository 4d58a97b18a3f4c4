package open_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

func sample(name string) string {
	return filepath.Join("..", "..", "samples", filepath.FromSlash(name))
}

// infos returns the number, protocol and last column of every record, and the error.
func infos(t *testing.T, in *open.Input) (lines []string, err error) {
	t.Helper()
	for rec, err := range in.Records(dissect.Options{}) {
		if err != nil {
			return lines, err
		}
		lines = append(lines, fmt.Sprintf("%d %s %s", rec.Frame, rec.Protocol.Name, rec.Protocol.AppendInfo(nil, rec)))
	}
	return lines, nil
}

// A capture, and a recording of each family, are found out by content, packed or not, from a file or a stream.
func TestOpenWhateverItIs(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"quake3/68-fragment-loss.pcap", "quake3/68-kicked.dm_68", "teeworlds/07-ctf.demo",
		"teeworlds/ddnet.teehistorian", "teeworlds/ddnet.gho",
	} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			name := sample(file)
			in, err := open.File(name, open.Options{Protocols: all.Protocols()})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			want, err := infos(t, in)
			if err != nil || len(want) == 0 {
				t.Fatalf("%d records, %v", len(want), err)
			}
			if p, err := in.Next(); err != io.EOF {
				t.Errorf("after the end: %v, %v", p, err)
			}
			wantMessages, wantRecording := in.Recording()
			if wantRecording != (filepath.Ext(name) != ".pcap") || wantRecording && wantMessages != uint64(len(want)) {
				t.Errorf("recording %t with %d messages, %d records", wantRecording, wantMessages, len(want))
			}
			if stats := in.Stats(); (stats.Format == "pcap") == wantRecording {
				t.Errorf("format %q", stats.Format)
			}
			packed := pack(t, name)
			fromStream, err := open.New(packed, filepath.Base(name), open.Options{Protocols: all.Protocols()})
			if err != nil {
				t.Fatal(err)
			}
			defer fromStream.Close()
			got, err := infos(t, fromStream)
			if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("packed (-file +stream):\n%s", diff)
			}
		})
	}
}

// pack returns a file as a gzip stream.
func pack(t *testing.T, name string) io.Reader {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &packed
}

// What cannot be opened has an error, and what breaks off gives everything before that point.
func TestErrors(t *testing.T) {
	t.Parallel()
	o := open.Options{Protocols: all.Protocols()}
	if _, err := open.File(sample("nothing.pcap"), o); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	for rec, err := range open.Records(sample("nothing.pcap"), all.Protocols(), dissect.Options{}) {
		if rec != nil || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("no such file: %v, %v", rec, err)
		}
	}
	var fault *dissect.FileError
	if _, err := open.File(t.TempDir(), o); !errors.As(err, &fault) || fault.Code != dissect.ReadFailed ||
		strings.Contains(err.Error(), "open_test") {
		t.Errorf("a folder: %v", err)
	}
	for name, content := range map[string]string{"text": strings.Repeat("no capture ", 20), "nothing": ""} {
		if _, err := open.New(strings.NewReader(content), "x.pcap", o); !errors.As(err, &fault) ||
			fault.Code != dissect.UnknownFormat {
			t.Errorf("%s: %v", name, err)
		}
	}
	demo, err := os.ReadFile(sample("quake3/68-kicked.dm_68"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open.New(bytes.NewReader(demo), "x.dm_68", open.Options{}); !errors.As(err, &fault) ||
		fault.Code != dissect.UnknownFormat {
		t.Errorf("a demo of a protocol that is not wanted: %v", err)
	}
	in, err := open.New(bytes.NewReader(demo[:len(demo)/2]), "x.dm_68", o)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	lines, err := infos(t, in)
	if !errors.As(err, &fault) || fault.Code != dissect.TruncatedFile || len(lines) == 0 {
		t.Errorf("half a demo: %d records, %v", len(lines), err)
	}
}

// The options reach the reader.
func TestOptions(t *testing.T) {
	t.Parallel()
	f, err := os.Open(sample("quake3/68-fragment-loss.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	idle := 0
	in, err := open.New(f, "", open.Options{Link: true, Idle: func() { idle++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var stats capture.Stats
	for p, err := range in.Packets() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Link == nil || p.Link.TTL == 0 {
			t.Errorf("frame %d has no link-level facts", p.Frame)
		}
		if stats = in.Stats(); stats.Packets == 3 {
			break
		}
	}
	if stats.Packets != 3 || idle == 0 {
		t.Errorf("%d packets were read, %d calls of Idle", stats.Packets, idle)
	}
}

// README shows the function of the example, so that what is shown is what runs.
func TestReadmeShowsTheExample(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(readme), "## As a library\n```go\n")
	block, _, ok := strings.Cut(block, "```\n")
	if !ok || !strings.Contains(string(example), "\n"+block) {
		t.Errorf("README shows what is not in example_test.go:\n%s", block)
	}
}

// What would silently be less than was asked for is an error.
func TestMisuse(t *testing.T) {
	t.Parallel()
	name := sample("quake3/68-loss.pcap")
	for rec, err := range open.Records(name, nil, dissect.Options{}) {
		if rec != nil || !errors.Is(err, open.ErrNoProtocols) {
			t.Errorf("without protocols: %v, %v", rec, err)
		}
	}
	in, err := open.File(name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(in.Close(), in.Close()); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	for rec, err := range in.Records(dissect.Options{}) {
		if rec != nil || !errors.Is(err, fs.ErrClosed) {
			t.Errorf("after Close: %v, %v", rec, err)
		}
	}
	for rec := range open.Records(name, all.Protocols(), dissect.Options{}) {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("events that nobody asked for are no fault")
				}
			}()
			rec.Events.Top()
		}()
		break
	}
}

// TestEventsInMidSession has a capture whose key is recovered. The number of kills is that of the server's log.
func TestEventsInMidSession(t *testing.T) {
	t.Parallel()
	kills := func(o dissect.Options) (n int) {
		name := reference.Glob(t, "captures", "quake3", "q3-68-connect-play-mid.pcap")[0]
		for e, err := range open.Events(name, all.Protocols(), o) {
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := e.Kill(); ok {
				n++
			}
		}
		return n
	}
	if n := kills(dissect.Options{}); n != 8 {
		t.Errorf("%d kills, want 8", n)
	}
	if n := kills(dissect.Options{NoRecover: true}); n != 0 {
		t.Errorf("%d kills without a key", n)
	}
}
