package truth_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// TestRecovered compares, field by field, the records of a session that began before the capture, with the keys that
// are recovered from it. What comes out is equal to the truth, and nearly all comes out.
func TestRecovered(t *testing.T) {
	t.Parallel()
	const name = "q3-68-connect-play-mid"
	capture := reference.Capture(t, "quake3", name)
	var keys []dissect.SessionKey
	reftest.Dissect(t, capture, reftest.Run{KeyFound: func(k dissect.SessionKey) { keys = append(keys, k) }})
	if len(keys) != 1 {
		t.Fatalf("%d sessions, want 1", len(keys))
	}
	c := newComparison(t, reference.Glob(t, "captures", "quake3", name+".truth.jsonl.gz")[0], departure{
		midgame: true, recovered: true, experts: []string{"note base_missing", "note key_recovered", "note key_unknown", "warning key_unknown"},
	})
	reftest.Dissect(t, capture, reftest.Run{Finish: finishTruth, Output: reftest.Lines(c.record), Keys: func(dissect.SessionKey) *dissect.SessionKey { return &keys[0] }})
	c.end()
	for dir, least := range map[string]int{"s2c": 95, "c2s": 90} {
		if all, deciphered := c.enciphered[dir], c.deciphered[dir]; deciphered*100 < all*least {
			t.Errorf("%d of %d messages %s were deciphered, want %d in a hundred", deciphered, all, dir, least)
		}
	}
	t.Logf("enciphered %v, deciphered %v, with all values of user commands %d, %d marks of what is unknown", c.enciphered, c.deciphered, c.valued, c.unsaid)
	if c.valued*100 < c.deciphered["c2s"]*80 {
		t.Errorf("values of user commands are known in %d of %d messages, want 80 in a hundred", c.valued, c.deciphered["c2s"])
	}
}
