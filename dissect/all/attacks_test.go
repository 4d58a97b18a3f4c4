package all_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/open"
)

var attackRow = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| (note|warning) \\| \\S.*\\S \\| (\\S.*\\S) \\|$")

// TestAttackDocument: docs/attacks.md has every code of an attack, with its severity and a source.
func TestAttackDocument(t *testing.T) {
	t.Parallel()
	var want, got []docCode
	for row := range documentedCodes(t) {
		if strings.HasPrefix(row.code, "attack_") {
			want = append(want, row)
		}
	}
	for _, m := range attackRow.FindAllStringSubmatch(document(t, "attacks.md"), -1) {
		row := docCode{m[1], m[2]}
		if got = append(got, row); !strings.HasPrefix(row.code, "attack_") {
			got = got[:len(got)-1]
			if !documentedCodes(t)[row] {
				t.Errorf("%v is not in docs/expert.md", row)
			}
		}
		if !regexp.MustCompile(`CVE-\d{4}-\d{4,5}|https://|code/[a-z]+/\w+\.[ch]`).MatchString(m[3]) {
			t.Errorf("%s has no source: %s", m[1], m[3])
		}
	}
	byCode := func(a, b docCode) int { return strings.Compare(a.code, b.code) }
	slices.SortFunc(want, byCode)
	slices.SortFunc(got, byCode)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(docCode{})); diff != "" || len(got) < 10 {
		t.Errorf("attacks in docs/expert.md and docs/attacks.md (-expert +attacks)\n%s", diff)
	}
}

// madeAttacks are captures of queries that were made with overlong ones, and how many records have an entry about them.
var madeAttacks = map[string]int{"q3-oob.pcap": 2, "jka-26-oob.pcap": 1}

// TestNoFalseAttacks: no play gives an entry about an attack, in all captures and demos that are there; go test has the
// small ones.
func TestNoFalseAttacks(t *testing.T) {
	files, records := 0, 0
	for _, folder := range []string{"captures", "demos"} {
		err := filepath.WalkDir(reference.Folder(t, folder), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || len(reference.UpTo(t, 300_000, []string{name})) == 0 {
				return err
			}
			for _, outline := range []bool{true, false} {
				n, found := attacksIn(t, name, outline)
				if n > 0 && !outline {
					files, records = files+1, records+n
				}
				if want := madeAttacks[filepath.Base(name)]; n > 0 && len(found) != want {
					t.Errorf("%s has %d entries about attacks, want %d: %.400q", name, len(found), want, found)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if t.Logf("%d files, %d records", files, records); files < 100 {
		t.Errorf("only %d files have records", files)
	}
}

// attacksIn returns how many records a file has, and the entries about attacks in them. outline: the list is all that
// is wanted of them.
func attacksIn(t *testing.T, name string, outline bool) (records int, found []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := open.New(f, name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		return 0, nil // of another kind: a log, a list of commands
	}
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 1, Outline: outline,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			records++
			for _, x := range rec.Experts {
				if strings.HasPrefix(x.Code, "attack_") {
					found = append(found, x.Code+": "+x.Message)
				}
			}
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range in.Packets() {
		if err != nil {
			if !errors.Is(err, io.EOF) {
				break // a file that is cut: what is before counts
			}
			continue
		}
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return records, found
}

// TestTokenFlood: a client's request for a token, sent again and again; as often as clients repeat it, it is none.
func TestTokenFlood(t *testing.T) {
	t.Parallel()
	var request dissect.Packet
	reftest.Packets(t, filepath.Join(root, "samples", "teeworlds", "07-servers.pcap"), func(p *dissect.Packet) {
		if b := p.Payload; request.Payload == nil && len(b) > 100 && b[0]>>2 == 1 && b[7] == 5 { // a control message: token
			request, _ = p.Clone(nil)
		}
	})
	if request.Payload == nil {
		t.Fatal("the sample has no request for a token")
	}
	for _, tt := range []struct {
		every time.Duration
		want  int
	}{{time.Millisecond, 80}, {500 * time.Millisecond, 0}} {
		floods := 0
		e, err := engine.New(engine.Config{
			Protocols: all.Protocols(), Workers: 1,
			Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
				if slices.ContainsFunc(rec.Experts, func(x dissect.Expert) bool { return x.Code == "attack_token_flood" }) {
					floods++
				}
				return dst, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			p := request
			p.Frame, p.Time = uint64(i+1), request.Time+int64(i)*int64(tt.every)
			if err := e.Packet(&p); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if floods != tt.want {
			t.Errorf("a request every %v: %d are a flood, want %d", tt.every, floods, tt.want)
		}
	}
}
