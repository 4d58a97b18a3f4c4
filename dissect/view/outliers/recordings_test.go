package outliers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// recordings returns the reference recordings, each session once: public demos of people, and captures of unmodified
// games that scripts played, with bots. The test is skipped without them.
func recordings(t *testing.T) (demos, captures []string) {
	t.Helper()
	dir := os.Getenv("Q3DISSECT_REFERENCE")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	for _, pattern := range []string{"quake3", "matches", "idtech3"} {
		list, err := filepath.Glob(filepath.Join(dir, "demos", pattern, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		demos = append(demos, list...)
	}
	// other folders have clients with a main loop of their own
	captures, err := filepath.Glob(filepath.Join(dir, "captures", "quake3", "*.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	demos = slices.DeleteFunc(demos, func(name string) bool {
		base := filepath.Base(name)
		return !strings.Contains(base, ".dm") && !strings.Contains(base, ".tv_") || strings.HasSuffix(base, ".gz") ||
			strings.HasPrefix(base, "invalid_") // one session, broken in four places
	})
	captures = slices.DeleteFunc(captures, again)
	if len(demos) == 0 || len(captures) == 0 {
		t.Skip("the reference recordings are not at hand")
	}
	return demos, captures
}

// again reports whether a capture shows a session that another one shows in full.
func again(name string) bool {
	base := strings.TrimSuffix(filepath.Base(name), ".pcap")
	for _, suffix := range []string{
		"-any-sll", "-any-sll2", "-nano", "-snap96", "-null", "-bigendian", "-rawip", "-vlan100", "-mid",
		"-mid2", "-serverside", "-rewind-server", "-synth", "-oob",
	} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return strings.Contains(base, "merged")
}

// botNames are the names of bots that come with the games of the recordings.
var botNames = []string{
	"Angelyss", "Arachna", "Ayumi", "Beret", "Bitterman", "Crash", "Daemia", "Dark", "Gargoyle", "Gorre", "Grism", "Grunt",
	"Hossman", "Kyonshi", "Liz", "Penguin", "Ranger", "Razor", "Sarge", "Sergei", "Uriel",
}

// classOf returns what the player of a recording is.
func classOf(p *Player, captured bool) Class {
	switch {
	case p.Bot || slices.Contains(botNames, p.Clean) || strings.HasPrefix(p.Clean, "[BOT]"):
		return Bots
	case captured:
		return Clients
	}
	return People
}

// collect reads a recording; change may rewrite the inputs of each record.
func collect(t *testing.T, name string, change func(*dissect.Record)) []Player {
	t.Helper()
	in, err := open.File(name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		return nil // of no known kind
	}
	defer in.Close()
	c := New(nil)
	for rec, err := range in.Records(dissect.Options{Events: true, Inputs: true}) {
		if err != nil {
			break // what came before counts
		}
		if change != nil {
			change(rec)
		}
		c.Add(rec)
	}
	return c.Players()
}
