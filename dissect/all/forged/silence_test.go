package forged_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// TestEndAfterSilence: after three seconds without the server a client believes a word that ends its session. It is
// taken back if the server goes on, and believed if only the client does.
func TestEndAfterSilence(t *testing.T) {
	t.Parallel()
	const silence = 5e9 // nanoseconds
	for _, name := range []string{
		"68-connect-play", "71-ipv6-chat", "rtcw-60-61-play", "et-84-play", "jka-26-vehicle", "mohaa-8",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t, filepath.Join(root, "samples", "quake3", name+".pcap"))
			packets := s.packets
			of := func(from int, fromClient bool) int { // the next packet of a side, in play
				return from + slices.IndexFunc(s.records[from:], func(g *genuine) bool {
					return g != nil && g.fromClient == fromClient && strings.Contains(g.line, `"netchan"`)
				})
			}
			at := of(len(packets)*4/5, false)
			for i := range packets {
				packets[i].Frame = uint64(framesBetween * (i + 1))
				if i >= at {
					packets[i].Time += silence
				}
			}
			word := packets[at]
			word.Payload = []byte("\xff\xff\xff\xffdisconnect")
			word.Length, word.Frame, word.Time = len(word.Payload), packets[at].Frame-1, packets[at].Time-1e6

			want, _ := resultsOf(t, packets, nil)
			got, record := resultsOf(t, slices.Insert(slices.Clone(packets), at, word), nil)
			if n, example := rowsThatDiffer(want, got); n > 0 || len(want["events"]) == 0 {
				t.Errorf("%d rows differ: %s", n, example)
			}
			if !strings.Contains(record, "the server goes on with the session") {
				t.Errorf("no entry: %.400s", record)
			}

			// Without the server's packets after it nothing contradicts the word, which has a row of its own here.
			word.Frame = packets[at].Frame
			alone := append(slices.Clone(packets[:at]), word)
			for i := at; i < len(packets); i++ {
				if g := s.records[i]; g != nil && g.fromClient {
					alone = append(alone, packets[i])
				}
			}
			if before, after := leaves(t, packets[:at]), leaves(t, alone); after != before+1 {
				t.Errorf("%d left, and %d without the word", after, before)
			}
		})
	}
}

// leaves counts the events of who left.
func leaves(t *testing.T, packets []dissect.Packet) (n int) {
	t.Helper()
	r, _ := resultsOf(t, packets, nil)
	for _, row := range r["events"] {
		n += strings.Count(row, `"event":"disconnect"`)
	}
	return n
}
