package truth_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// TestDemosGames compares recordings of Enemy Territory and Jedi Academy with what the engines' code reads of them,
// message by message and field by field. Of recordings of Jedi Academy that is the first 1,500 messages; the others
// must be readable to their end.
func TestDemosGames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, truth, version, game string
		messages                   int // in all
	}{
		{"scores_test.dm_84", ".jsonl.gz", "84", "et", 713},
		{"demo01_legacy.tv_84", ".jsonl.gz", "284", "et", 3121},
		{"staind.dm_26", ".first1500.truth.jsonl.gz", "26", "jka", 23515},
		{"1.51ef9.dm_26", ".first1500.truth.jsonl.gz", "26", "jka", 12861},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(reference.Folder(t, "demos", "idtech3"), tt.file)
			truth := openTruth(t, name+tt.truth)
			s := &truthSession{
				connect: &connectRequest{version: tt.version}, newest: map[string]uint32{},
				carried: map[string]map[json.Number]bool{"s2c": {}}, feeds: map[string]bool{},
				snapshots: map[uint32]knownEntities{},
			}
			count, differences := 0, 0
			most := reference.Most(comparedMessages)
			dissectDemo(t, name, reftest.Run{Most: most, Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
				if len(rec.Experts) > 0 {
					t.Errorf("message %d: %v", rec.Frame, rec.Experts)
				}
				dst = fmt.Appendf(dst, "%d\t", consumed(rec.Tree))
				return render.AppendJSON(dst, rec, render.JSON{NoNames: true})
			}, Output: reftest.Lines(func(b []byte) {
				count++
				if !truth.more || differences > *shown {
					return
				}
				if !compareDemoMessage(t, s, &truth.line, b, tt.game) {
					differences++
				}
				truth.next(t)
			})})
			if count != min(tt.messages, most) {
				t.Errorf("%d messages, want %d", count, tt.messages)
			}
			if truth.more && reference.Long() {
				t.Error("messages are missing")
			}
		})
	}
}

// compareDemoMessage compares a line that begins with the bits that were read.
func compareDemoMessage(t *testing.T, s *truthSession, want *truthLine, line []byte, game string) bool {
	var bits int
	fmt.Sscanf(string(line), "%d\t", &bits)
	for len(line) > 0 && line[0] != '{' {
		line = line[1:]
	}
	got, err := reftest.Object(line)
	if err != nil {
		t.Fatal(err)
	}
	if game == "jka" {
		got, _ = asJediReads(got).(node)
	}
	want.Dir = "s2c"
	key, message := s.wantMessage(want)
	root, _ := got["quake3"].(node)
	body, _ := root[key].(node)
	markData(body)
	if root["game"] != game || !equal(message, body) {
		t.Errorf("message %v, game %v (-want +got):\n%s", got["frame"], root["game"],
			cmp.Diff(message, body, cmp.Comparer(sameNumber)))
		return false
	}
	if want.Bits != 0 && want.Bits != bits {
		t.Errorf("message %v: %d bits were read, the game reads %d", got["frame"], bits, want.Bits)
		return false
	}
	return true
}
