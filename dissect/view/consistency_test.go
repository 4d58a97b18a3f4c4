package view_test

import (
	"encoding/binary"
	"os"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// failedOf returns the failures of each check in the records of a file that keep has in.
func failedOf(t *testing.T, name string, keep func(*dissect.Record) bool) map[string]uint64 {
	t.Helper()
	kind, _, err := view.Find("consistency")
	if err != nil {
		t.Fatal(err)
	}
	s, err := kind.New(nil, &view.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range open.Records(name, all.Protocols(), dissect.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if keep(rec) {
			s.Add(rec)
		}
	}
	failed := map[string]uint64{}
	for _, row := range s.Tables()[0].Rows {
		if row[1].(uint64) < 100 {
			t.Errorf("%s: check %v was made %v times", name, row[0], row[1])
		}
		failed[row[0].(string)] = row[2].(uint64)
	}
	return failed
}

// TestConsistency edits a recording of a client: what each edit breaks is known from the edit.
func TestConsistency(t *testing.T) {
	t.Parallel()
	every := func(*dissect.Record) bool { return true }
	demo, err := os.ReadFile("../../samples/quake3/71-duel.dm_71")
	if err != nil {
		t.Fatal(err)
	}
	var whole [][]byte
	for rest := demo; len(rest) >= 8; {
		size := 8 + max(0, int(int32(binary.LittleEndian.Uint32(rest[4:]))))
		whole, rest = append(whole, rest[:size:size]), rest[size:]
	}
	longer := slices.Concat(whole[30], []byte{0}) // a byte after the end
	binary.LittleEndian.PutUint32(longer[4:], uint32(len(longer)-8))
	for _, tt := range []struct {
		name          string
		list          [][]byte
		order, length uint64
	}{
		{"as recorded", whole, 0, 0},
		{"two swapped", slices.Concat(whole[:30], [][]byte{whole[31], whole[30]}, whole[32:]), 1, 0},
		{"cut", slices.Concat(whole[:30], whole[90:]), 0, 0},
		{"a longer message", slices.Concat(whole[:30], [][]byte{longer}, whole[31:]), 0, 1},
	} {
		name := t.TempDir() + "/edited.dm_71"
		if err := os.WriteFile(name, slices.Concat(tt.list...), 0o600); err != nil {
			t.Fatal(err)
		}
		got := failedOf(t, name, every)
		if got["order"] != tt.order || got["length"] != tt.length || len(got) != 2 {
			t.Errorf("%s: %v, want order %d, length %d", tt.name, got, tt.order, tt.length)
		}
	}
	for _, capture := range [...]string{"68-connect-play", "71-ipv6-chat", "68-loss"} {
		got := failedOf(t, "../../samples/quake3/"+capture+".pcap", every)
		if len(got) != 2 || got["acknowledgements"] > 0 || got["length"] > 0 {
			t.Errorf("%s: %v, want no failures of acknowledgements and length", capture, got)
		}
	}
	// the later messages of the server are left out, and the client acknowledges them
	unheard, newest := uint64(0), uint32(0)
	got := failedOf(t, "../../samples/quake3/68-connect-play.pcap", func(rec *dissect.Record) bool {
		var m dissect.Transit
		if !rec.Transit(&m) {
			return true
		}
		if rec.Direction == dissect.ServerToClient {
			if rec.Number() > 200 {
				return false
			}
			newest = max(newest, m.Sequence)
		} else if m.Ack > newest {
			unheard++
		}
		return true
	})
	if unheard == 0 || got["acknowledgements"] != unheard || got["length"] > 0 {
		t.Errorf("without the server's later messages: %v, want acknowledgements %d", got, unheard)
	}
}

// TestConsistencyWithoutChecks: where nothing is checked, a note says why.
func TestConsistencyWithoutChecks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"teeworlds/ddnet-join.pcap":   {"teeworlds: no check is known for this protocol"},
		"teeworlds/07-ctf.demo":       {"teeworlds: no check is known for this protocol"},
		"gamestudio/enet-0ad.pcap":    {"enet: no check is known for this protocol"},
		"quake3/oob.pcap":             {"quake3: nothing to check, since no whole message with a number was read"},
		"quake3/68-connect-play.pcap": nil,
		"quake3/71-duel.dm_71":        nil,
	} {
		kind, _, err := view.Find("consistency")
		if err != nil {
			t.Fatal(err)
		}
		s, err := kind.New(nil, &view.Env{})
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range open.Records("../../samples/"+name, all.Protocols(), dissect.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			s.Add(rec)
		}
		if got := s.Tables()[0].Notes; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
