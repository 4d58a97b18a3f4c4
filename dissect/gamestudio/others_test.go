package gamestudio_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/directplay8"
	"github.com/q3dissect/q3dissect/dissect/enet"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/gamestudio"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// transports are GameStudio and what carries it.
func transports() []*dissect.Protocol {
	return []*dissect.Protocol{directplay8.New(), enet.New(), gamestudio.New()}
}

// countGame dissects a file with some protocols, and counts the datagrams that they take.
func countGame(t *testing.T, name string, protocols []*dissect.Protocol) engine.Stats {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := capture.NewReader(f, capture.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	e, err := engine.New(engine.Config{Protocols: protocols})
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range r.Packets() {
		if err != nil {
			break // a file that breaks off has packets all the same
		}
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	stats, err := e.Close()
	if err != nil {
		t.Fatal(err)
	}
	return stats
}

// TestGamestudioTakesNothing: no datagram of the captures of other games is taken for DirectPlay, ENet or
// GameStudio.
func TestGamestudioTakesNothing(t *testing.T) {
	t.Parallel()
	files, datagrams := 0, uint64(0)
	for _, family := range []string{"quake3", "teeworlds"} {
		names, err := filepath.Glob(filepath.Join(reference.Folder(t, "captures", family), "*.pcap*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".jsonl.gz") {
				continue
			}
			files++
			stats := countGame(t, name, transports())
			datagrams += stats.Datagrams
			if stats.Game != 0 {
				t.Errorf("%s: %v", filepath.Base(name), stats.ByProtocol)
			}
		}
	}
	if files < 20 || datagrams < 10000 {
		t.Errorf("only %d captures with %d datagrams", files, datagrams)
	}
}

// TestGamestudioIsNotTaken: no datagram of the samples of GameStudio and its transports is taken for another
// game.
func TestGamestudioIsNotTaken(t *testing.T) {
	t.Parallel()
	others := slices.DeleteFunc(all.Protocols(), func(p *dissect.Protocol) bool {
		return slices.ContainsFunc(transports(), func(q *dissect.Protocol) bool { return p.Name == q.Name })
	})
	names, err := filepath.Glob(filepath.Join("..", "..", "samples", "gamestudio", "*.pcap"))
	if err != nil || len(names) < 3 {
		t.Fatalf("%d samples: %v", len(names), err)
	}
	for _, name := range names {
		if stats := countGame(t, name, others); stats.Game != 0 || stats.Datagrams == 0 {
			t.Errorf("%s: %v of %d", filepath.Base(name), stats.ByProtocol, stats.Datagrams)
		}
	}
}

// TestGamestudioAmongAll does both with every protocol registered: no datagram of other games goes to GameStudio or its
// transports, and none of theirs goes to another game. What identifies itself is taken.
func TestGamestudioAmongAll(t *testing.T) {
	t.Parallel()
	own := func(stats engine.Stats) (n uint64) {
		for _, p := range transports() {
			n += stats.ByProtocol[p.Name]
		}
		return n
	}
	for _, family := range []string{"quake3", "teeworlds"} {
		names, err := filepath.Glob(filepath.Join(reference.Folder(t, "captures", family), "*.pcap*"))
		if err != nil || len(names) < 5 {
			t.Fatalf("%d captures of %s: %v", len(names), family, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".jsonl.gz") {
				continue
			}
			if stats := countGame(t, name, all.Protocols()); own(stats) != 0 {
				t.Errorf("%s: %v", filepath.Base(name), stats.ByProtocol)
			}
		}
	}
	names, err := filepath.Glob(filepath.Join("..", "..", "samples", "gamestudio", "*.pcap"))
	if err != nil || len(names) < 10 {
		t.Fatalf("%d samples: %v", len(names), err)
	}
	for _, name := range names {
		stats := countGame(t, name, all.Protocols())
		if n := own(stats); n != stats.Game {
			t.Errorf("%s: %v", filepath.Base(name), stats.ByProtocol)
		}
		base := filepath.Base(name)
		unmarked := base == "synthetic-raw.pcap" || base == "synthetic-sample.pcap"
		if strings.HasPrefix(base, "synthetic-") && unmarked != (stats.Game == 0) {
			t.Errorf("%s: %v of %d datagrams", base, stats.ByProtocol, stats.Datagrams)
		}
	}
}

// TestGamestudioFields: the fields keep the rules on which the records' promises rest, beside the others'.
func TestGamestudioFields(t *testing.T) {
	t.Parallel()
	protocols := all.Protocols()
	for _, p := range transports() {
		if !slices.ContainsFunc(protocols, func(q *dissect.Protocol) bool { return p.Name == q.Name }) {
			protocols = append(protocols, p)
		}
	}
	if err := schema.Check(protocols); err != nil {
		t.Error(err)
	}
}
