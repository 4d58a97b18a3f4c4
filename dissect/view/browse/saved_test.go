package browse_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// From saved states the records are those of the whole input: every row is asked for, here and there in the input, so
// that most begin at a state, and each state is used again after others went on from it. Samples of up to 25 kB have
// every kind of state, and of those a third of the rows are asked for; make long takes all, and four gigabytes. One
// after the other, since some keep hundreds of megabytes.
func TestSavedStatesGiveTheSameRecords(t *testing.T) {
	t.Parallel()
	for _, name := range reference.UpTo(t, 25_000, samples(t)) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want := recordsOf(t, name)
			for _, c := range []struct {
				every uint64
				bytes int
			}{{1, 8 << 20}, {7, 1 << 30}} {
				t.Run(fmt.Sprint(c.every), func(t *testing.T) { // each session ends with its own test
					s := begin(t, browse.Saving(browse.Options{State: true, InMemory: true, Workers: 2}, c.every, c.bytes), name)
					compareHereAndThere(t, s, want)
				})
			}
		})
	}
}

// The states of a long stream are thinned out, and what is left is spread over it.
func TestSavedStatesAreBounded(t *testing.T) {
	t.Parallel()
	const name = "../../../samples/quake3/68-connect-play.pcap"
	all := begin(t, browse.Saving(browse.Options{InMemory: true}, 5, 1<<30), name)
	few := begin(t, browse.Saving(browse.Options{InMemory: true}, 5, 1<<20), name)
	none := begin(t, browse.Saving(browse.Options{InMemory: true}, 5, 1), name)
	if a, f := all.Saved(), few.Saved(); a < 50 || f < 4 || f > a/2 || none.Saved() != 0 {
		t.Errorf("of %d states %d are kept in 1 MB, %d in no memory", a, f, none.Saved())
	}
}

// Long streams of every family have states. Those of GameStudio have none: its reader's state is not copied.
func TestStatesOfEveryFamilyAreSaved(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"quake3/71-ipv6-chat.pcap", "teeworlds/07-ipv6-join.pcap", "gamestudio/enet-0ad.pcap", "gamestudio/enet-cube2.pcap",
		"gamestudio/libenet-plain.pcap", "gamestudio/synthetic-directplay8-core.pcap",
	} {
		s := begin(t, browse.Saving(browse.Options{InMemory: true}, 5, 1<<30), "../../../samples/"+name)
		if rows, n := s.Status().Rows, s.Saved(); n < rows/50 || n == 0 {
			t.Errorf("%s: of %d datagrams %d states are kept", name, rows, n)
		}
	}
}

// Answers that were given are remembered: many small ones, of large ones those that reading backwards needs.
func TestRememberedAnswersAreBounded(t *testing.T) {
	t.Parallel()
	const lookBack, most, bytes = 32, 128, 16 << 20
	for name, large := range map[string]bool{"71-duel.dm_71": true, "68-connect-play.pcap": false} {
		s := begin(t, browse.Options{State: large, InMemory: true}, "../../../samples/quake3/"+name)
		for at := range 2 * most {
			if _, err := s.JSON(at); err != nil {
				t.Fatal(err)
			}
		}
		n, size := s.Remembered()
		if large && (n != lookBack+1 || size < bytes/2) || !large && (n != most || size > bytes) {
			t.Errorf("%s: %d answers with %d bytes are remembered", name, n, size)
		}
	}
}

// recordsOf gives the lines that the command prints with --json --state.
func recordsOf(t *testing.T, name string) [][]byte {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var records bytes.Buffer
	if _, err := convert.Run(file, convert.Outputs{Records: &records},
		convert.Options{Protocols: all.Protocols(), Name: name, State: true}); err != nil {
		t.Fatal(err)
	}
	if records.Len() == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(records.Bytes(), []byte("\n")), []byte("\n"))
}

// compareHereAndThere asks for all records of a session, by jumps.
func compareHereAndThere(t *testing.T, s *browse.Session, want [][]byte) {
	t.Helper()
	const stride = 131
	step := 3
	switch {
	case testing.Short():
		step = 16 // every record takes minutes under the race detector
	case reference.Long():
		step = 1
	}
	for start := 0; start < min(stride, len(want)); start += step {
		for at := start; at < len(want); at += stride {
			got, err := s.JSON(at)
			if err != nil {
				t.Fatalf("row %d: %v", at, err)
			}
			if !bytes.Equal(bytes.TrimSpace(got), want[at]) {
				t.Fatalf("record %d (-want +got):\n%s", at, cmp.Diff(string(want[at]), string(got)))
			}
		}
	}
}

// What cannot be kept, as on a disk that is full, ends a pass with an error: a column would lack values.
func TestRefusedRows(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	s := begin(t, browse.Options{}, "../../../samples/quake3/oob.pcap", "../../../samples/quake3/71-voip.pcap")
	if err := s.Refuse(full); !errors.Is(err, full) {
		t.Errorf("the pass ends with %v", err)
	}
}

// A long value ends with a whole character.
func TestBeginning(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]string{
		0: "", 1: "a", 2: "a", 3: "aé", 4: "aé", 5: "aé", 6: "aé", 7: "aé𝄞",
		8: "aé𝄞b", 9: "aé𝄞b",
	} {
		if got := browse.Beginning("aé𝄞b", most); got != want {
			t.Errorf("%d bytes: %q, want %q", most, got, want)
		}
	}
}
