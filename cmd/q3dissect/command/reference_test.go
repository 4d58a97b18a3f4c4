package command

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/dissect/all"
)

// referenceCaptures returns the captures of real games; without them the test is skipped.
func referenceCaptures(t *testing.T) []string {
	t.Helper()
	root := cmp.Or(os.Getenv("Q3DISSECT_REFERENCE"), filepath.Join("..", "..", "..", "..", "shared"))
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
	stdout, stderr, status := runStatus(t, args...)
	if status != exit.Done {
		t.Fatalf("%v: status %d: %s", args, status, stderr)
	}
	return stdout, stderr
}

// runStatus runs the command in this process.
func runStatus(t *testing.T, args ...string) (stdout, stderr []byte, status int) {
	t.Helper()
	dir := t.TempDir()
	p := &program{Console: &console.Console{Stdin: os.Stdin, DeriveKey: deriveOnce}, protocols: all.Protocols()}
	for _, f := range []**os.File{&p.Stdout, &p.Stderr} {
		var err error
		if *f, err = os.CreateTemp(dir, ""); err != nil {
			t.Fatal(err)
		}
	}
	status = p.main(args)
	read := func(f *os.File) []byte {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		return b
	}
	return read(p.Stdout), read(p.Stderr), status
}

// What --frames prints is part of the whole output, although reading stops soon after the last
// packet selected, and whatever the number of workers.
func TestFramesOfReference(t *testing.T) {
	for _, path := range upTo(t, 300_000, referenceCaptures(t)) {
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
			t.Errorf("in %d parts: %d bytes and %sin one: %d bytes and %s", len(cuts)+1, len(got), gotSummary,
				len(want), wantSummary)
		}
	}
}

// A truthLine is a line of the truth of a capture.
type truthLine struct {
	Frame     uint64
	Direction string `json:"dir"`
	Kind      string
	Sequence  uint32 `json:"seq"`
	Ops       []struct {
		Op, Text string
		Time     int64
		Delta    int
	}
}

// midgameCapture returns the capture of a session that began before it.
func midgameCapture(t *testing.T) string {
	t.Helper()
	return filepath.Join(filepath.Dir(referenceCaptures(t)[0]), "q3-68-connect-play-mid.pcap")
}

// readTruth reads the messages of a capture's truth.
func readTruth(t *testing.T, capture string) (list []truthLine) {
	t.Helper()
	f, err := os.Open(strings.TrimSuffix(capture, ".pcap") + ".truth.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(z); ; {
		var l truthLine
		if err := d.Decode(&l); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if l.Kind == "msg" {
			list = append(list, l)
		}
	}
	return list
}

// told is what a record and a line of the truth have in common: the texts of commands, and the times of snapshots.
func (l *truthLine) told() (list []string) {
	for _, op := range l.Ops {
		switch op.Op {
		case "snapshot":
			list = append(list, fmt.Sprintf("snapshot %d", op.Time))
		case "servercommand", "clientcommand":
			list = append(list, op.Text)
		}
	}
	return list
}

// TestContextOfRecovered writes part of a session that began before the capture with its context, and reads that alone:
// each message that was chosen is deciphered, and equals the truth.
func TestContextOfRecovered(t *testing.T) {
	capture := midgameCapture(t)
	const first, last = 2000, 2020
	part := filepath.Join(t.TempDir(), "part.pcapng")
	runMain(t, "--frames", fmt.Sprintf("%d-%d", first, last), "--with-context", "-w", part, "-q", capture)
	type message struct {
		direction string
		sequence  uint32
	}
	got := map[message][]string{}
	records, _ := runMain(t, "--json", part)
	for line := range bytes.Lines(records) {
		var r struct {
			Direction string
			Quake3    struct {
				Key     string
				Netchan struct{ Sequence uint32 }
				Server  struct{ Ops []map[string]opOfRecord } `json:"server_message"`
				Client  struct{ Ops []map[string]opOfRecord } `json:"client_message"`
			}
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.Quake3.Key != "recovered" {
			continue
		}
		m := message{
			map[string]string{"server_to_client": "s2c", "client_to_server": "c2s"}[r.Direction],
			r.Quake3.Netchan.Sequence,
		}
		got[m] = nil
		for _, op := range slices.Concat(r.Quake3.Server.Ops, r.Quake3.Client.Ops) {
			for name, o := range op {
				switch name {
				case "snapshot":
					got[m] = append(got[m], fmt.Sprintf("snapshot %d", o.Time))
				case "server_command", "client_command":
					got[m] = append(got[m], o.Command)
				}
			}
		}
	}
	chosen := 0
	for _, l := range readTruth(t, capture) {
		words, ok := got[message{l.Direction, l.Sequence}]
		if l.Frame >= first && l.Frame <= last {
			if chosen++; !ok {
				t.Errorf("frame %d, number %d, was not deciphered", l.Frame, l.Sequence)
			}
		}
		if ok && !slices.Equal(words, l.told()) {
			t.Errorf("frame %d: %q, want %q", l.Frame, words, l.told())
		}
	}
	if chosen != last-first+1 {
		t.Errorf("%d messages were chosen, want %d", chosen, last-first+1)
	}
}

type opOfRecord struct {
	Command string
	Time    int64 `json:"server_time"`
}

// TestStatisticsOfRecovered compares statistics of a session that began before the capture with its truth: messages,
// and snapshots and what they are a difference from, as far as they were deciphered.
func TestStatisticsOfRecovered(t *testing.T) {
	capture := midgameCapture(t)
	messages, snapshots, full := map[string]int{}, 0, 0
	for _, l := range readTruth(t, capture) {
		messages[map[string]string{"s2c": "server_to_client", "c2s": "client_to_server"}[l.Direction]]++
		for _, op := range l.Ops {
			if op.Op == "snapshot" {
				if snapshots++; op.Delta == 0 {
					full++
				}
			}
		}
	}
	out, _ := runMain(t, "-q", "-z", "loss", "--json", capture)
	for line := range bytes.Lines(out) {
		var row struct {
			Direction                       string
			Messages, Lost, Snapshots, Full int
			BaseAge                         float64 `json:"base_age_mean"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.Messages != messages[row.Direction] || row.Lost != 0 {
			t.Errorf("%s: %d messages, %d lost, want %d and none", row.Direction, row.Messages, row.Lost,
				messages[row.Direction])
		}
		if row.Direction == "server_to_client" && (row.Snapshots < snapshots*95/100 || row.Snapshots > snapshots ||
			row.Full != full || row.BaseAge != 1) {
			t.Errorf("%d snapshots, %d of them full, want %d and %d; bases are %v back, want 1", row.Snapshots, row.Full,
				snapshots, full, row.BaseAge)
		}
	}
}
