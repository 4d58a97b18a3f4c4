package truth_test

import (
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/keys"
)

// TestRecovered compares, field by field, the records of sessions that began before the capture, with the keys that
// are recovered from it. What comes out is equal to the truth, and nearly all comes out.
func TestRecovered(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, game string
		valued     int // messages of a hundred that have all values of their user commands
	}{
		{"q3-68-connect-play-mid", "", 80},
		{"et-84-play-mid", "et", 70},
		{"rtcw-60-61-play-mid", "rtcw", 0}, // the highest bit is in no message: the player is not moved
		{"jka-26-play-mid", "jka", 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			experts := []string{"note base_missing", "note key_recovered", "warning key_unknown"}
			if tt.valued < 100 {
				experts = []string{"note base_missing", "note key_recovered", "note key_unknown", "warning key_unknown"}
			}
			folder := reference.Folder(t, "captures", "quake3")
			if tt.game != "" {
				folder = reference.Folder(t, "captures", "idtech3")
			}
			compareRecovered(t, filepath.Join(folder, tt.name+".pcap"), filepath.Join(folder, tt.name+".truth.jsonl.gz"),
				departure{midgame: true, recovered: true, game: tt.game, experts: experts}, tt.valued)
		})
	}
}

// TestSampleRecovered does the same with the sample that begins in the middle of an enciphered session.
func TestSampleRecovered(t *testing.T) {
	t.Parallel()
	const name = "68-midsession"
	compareRecovered(t, filepath.Join(samples, name+".pcap"), filepath.Join(samples, "truth", name+".truth.jsonl.gz"),
		departure{midgame: true, recovered: true, experts: []string{"note base_missing", "note key_recovered"}}, 100)
}

// compareRecovered compares a capture that is read with the keys recovered from it. valued: see TestRecovered.
func compareRecovered(t *testing.T, capture, truth string, d departure, valued int) {
	t.Helper()
	found := map[[2]int]keys.Key{}
	reftest.Dissect(t, capture, reftest.Run{KeyFound: func(k keys.Key) { found[[2]int{k.Stream, k.Session}] = k }})
	c := newComparison(t, truth, d)
	reftest.Dissect(t, capture, reftest.Run{
		Finish: finishTruth, Output: reftest.Lines(c.record),
		Keys: func(k keys.Key) *keys.Key {
			if k, ok := found[[2]int{k.Stream, k.Session}]; ok {
				return &k
			}
			return nil
		},
	})
	c.end()
	for dir, least := range map[string]int{"s2c": 95, "c2s": 90} {
		if all, deciphered := c.enciphered[dir], c.deciphered[dir]; deciphered*100 < all*least {
			t.Errorf("%d of %d messages %s were deciphered, want %d in a hundred", deciphered, all, dir, least)
		}
	}
	t.Logf("enciphered %v, deciphered %v, with all values of user commands %d, %d marks of what is unknown",
		c.enciphered, c.deciphered, c.valued, c.unknown)
	if c.valued*100 < c.deciphered["c2s"]*valued {
		t.Errorf("values of user commands are known in %d of %d messages, want %d in a hundred", c.valued,
			c.deciphered["c2s"], valued)
	}
}
