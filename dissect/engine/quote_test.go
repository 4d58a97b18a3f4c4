package engine_test

import (
	"fmt"
	"os"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// linesOf returns the lines of JSON of a sample with ICMP errors, those of quoted datagrams apart.
func linesOf(t *testing.T, cfg engine.Config, each func(*dissect.Packet)) (lines, quoted []string, stats engine.Stats) {
	t.Helper()
	f, err := os.Open("../../samples/quake3/68-icmp.pcap")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cfg.Protocols = all.Protocols()
	in, err := open.New(f, "", open.Options{Protocols: cfg.Protocols, All: true})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cfg.Finish = func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
		if rec.Quote != nil {
			dst = fmt.Appendf(dst, "%d %d ", rec.Stream, len(rec.Events.Nodes))
		}
		return render.AppendJSON(dst, rec, render.JSON{}), nil
	}
	cfg.Output = func(b []byte) error {
		for _, line := range splitLines(b) {
			if line[0] == '{' {
				lines = append(lines, line)
			} else {
				quoted = append(quoted, line)
			}
		}
		return nil
	}
	stats, err = open.Dissect(in, cfg, func(p *dissect.Packet) bool { each(p); return true })
	if err != nil {
		t.Fatal(err)
	}
	return lines, quoted, stats
}

func splitLines(b []byte) (lines []string) {
	start := 0
	for i, c := range b {
		if c == '\n' {
			lines, start = append(lines, string(b[start:i])), i+1
		}
	}
	return lines
}

// Quoted datagrams have records, and change nothing else: neither other records nor counts. The records are the same
// for every number of workers.
func TestQuotesChangeNothingElse(t *testing.T) {
	t.Parallel()
	nothing := func(*dissect.Packet) {}
	options := dissect.Options{Events: true}
	lines, none, stats := linesOf(t, engine.Config{Options: options}, nothing)
	if len(none) > 0 || stats.Quoted > 0 {
		t.Errorf("%d quotes without Quotes, %d counted", len(none), stats.Quoted)
	}
	var first []string
	for workers := range 4 {
		same, quoted, with := linesOf(t, engine.Config{Options: options, Quotes: true, Workers: workers}, nothing)
		if diff := gocmp.Diff(lines, same); diff != "" {
			t.Errorf("%d workers: other records (-without +with quotes):\n%s", workers, diff)
		}
		if first == nil {
			first = quoted
		}
		if diff := gocmp.Diff(first, quoted); diff != "" {
			t.Errorf("%d workers (-0 +got):\n%s", workers, diff)
		}
		// Of the 25 errors that tshark lists, one quotes DNS, one a message of a session without other packets.
		if with.Quoted != uint64(len(quoted)) || len(quoted) != 23 {
			t.Errorf("%d workers: %d quotes, %d counted", workers, len(quoted), with.Quoted)
		}
		if with.Quoted = 0; !gocmp.Equal(stats, with) {
			t.Errorf("%d workers: %+v, without quotes %+v", workers, with, stats)
		}
	}
	for _, line := range first {
		if line[:5] != "-1 0 " {
			t.Errorf("has a stream or events: %s", line)
		}
	}
}

// Where errors quote no more than the ports, the session is found by the endpoints.
func TestQuotesWithoutPayload(t *testing.T) {
	t.Parallel()
	_, quoted, _ := linesOf(t, engine.Config{Quotes: true}, func(p *dissect.Packet) {
		if p.Quote != nil {
			p.Quote.Payload = nil
		}
	})
	if len(quoted) < 20 {
		t.Errorf("%d quotes: %s", len(quoted), quoted)
	}
}
