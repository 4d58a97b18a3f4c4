package collect_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/view/collect"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

const samples = "../../../samples/"

func peopleOf(t *testing.T, names ...string) []people.Career {
	t.Helper()
	for i := range names {
		names[i] = samples + names[i]
	}
	list, err := collect.People(t.Context(), names, all.Protocols())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Two captures of one match, at both ends of the path, count once: the server's log of this session has two kills.
func TestOneMatchTwice(t *testing.T) {
	t.Parallel()
	list := peopleOf(t, "quake3/68-loss.pcap", "quake3/68-loss-server.pcap")
	var kills, matches int64
	for i := range list {
		kills, matches = kills+list[i].Kills, max(matches, list[i].Matches)
	}
	if len(list) == 0 || kills != 2 || matches != 1 {
		t.Errorf("%d people, %d kills, %d matches", len(list), kills, matches)
	}
}

// A context ends the reading; what was found before is there. Each is called for each record.
func TestEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	last := 0
	f, err := collect.Read(ctx, samples+"quake3/68-loss.pcap", collect.Options{
		Protocols: all.Protocols(),
		Each: func(n int) {
			if last = n; n == 100 {
				cancel()
			}
		},
	})
	if err != nil || !errors.Is(f.Err, context.Canceled) || last < 100 || last > 110 || len(f.Casts) == 0 {
		t.Errorf("%v, %+v after %d records", err, f, last)
	}
	list, err := collect.People(ctx, []string{samples}, all.Protocols())
	if !errors.Is(err, context.Canceled) || len(list) > 0 {
		t.Errorf("%d people, %v", len(list), err)
	}
}

// Of a folder, files of no known kind are left out; a file that is named is an error, beside the list of the others.
func TestFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	game, err := os.ReadFile(samples + "quake3/68-loss.pcap")
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"a.pcap": game, "b.txt": []byte("no game"), "c.pcap": game[:len(game)/2]} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var fault *dissect.FileError
	list, err := collect.People(t.Context(), []string{dir}, all.Protocols())
	if !errors.As(err, &fault) || fault.Code != dissect.TruncatedFile || len(list) == 0 {
		t.Errorf("%d people, %v", len(list), err)
	}
	_, err = collect.People(t.Context(), []string{filepath.Join(dir, "b.txt")}, all.Protocols())
	if !errors.As(err, &fault) || fault.Code != dissect.UnknownFormat {
		t.Errorf("%v", err)
	}
}
