package records_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// TestOutlineHasTexts: the outline of a record has what comments, identities and rewriting are made of, as its whole
// tree has. Names are learnt from whole trees in both cases, so that many texts are replaced, and with them the keys of
// user commands.
func TestOutlineHasTexts(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(root, "samples", "*", "*.*"))
	if err != nil || len(names) < 40 {
		t.Fatalf("%d samples, %v", len(names), err)
	}
	for _, name := range names {
		ids := anonymize.New(anonymize.Key{1})
		whole := textsIn(t, name, false, nil, ids)
		with := ids.Seal(anonymize.Keep{})
		for _, rewriting := range []dissect.Rewriting{nil, with} {
			if rewriting != nil {
				whole = textsIn(t, name, false, rewriting, nil)
			}
			if got := textsIn(t, name, true, rewriting, nil); !slices.Equal(got, whole) {
				i := 0
				for i < min(len(got), len(whole)) && got[i] == whole[i] {
					i++
				}
				t.Errorf("%s, rewriting %t: record %d of %d, %d\n-whole %.600s\n+outline %.600s", name, rewriting != nil, i,
					len(whole), len(got), append(whole, "")[i], append(got, "")[i])
			}
		}
	}
}

// textsIn returns the comment, the identities and the rewritten datagram of each record of a sample, and learns the
// identities unless ids is nil.
func textsIn(t *testing.T, name string, outline bool, rewriting dissect.Rewriting, ids *anonymize.Identities,
) (texts []string) {
	t.Helper()
	in, err := open.File(name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		return nil // of another kind
	}
	defer in.Close()
	_, _ = open.Dissect(in, engine.Config{ // a sample that is cut has records before its end
		Protocols: all.Protocols(), Workers: 1, Outline: outline, Options: dissect.Options{Rewriting: rewriting},
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			text := fmt.Sprintf("%d %s", rec.Frame, render.AppendComment(nil, rec))
			if rec.Protocol != nil && rec.Protocol.AppendIdentities != nil {
				for _, id := range rec.Protocol.AppendIdentities(nil, rec) {
					text += fmt.Sprintf(" %d:%x", id.Personal, id.Text)
					if ids != nil {
						ids.Learn(id.Personal, id.Text)
					}
				}
			}
			w := &dissect.Rewritten{}
			if rec.Rewritten != nil {
				w = rec.Rewritten
			}
			texts = append(texts, fmt.Sprintf("%s %d %d %d %x %x %x", text, w.State, w.Replaced, w.LeftOut, w.Payload, w.Body,
				w.Datagrams))
			return dst, nil
		},
	}, nil)
	return texts
}
