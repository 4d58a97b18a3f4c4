package gamestudio_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// TestNothingInvented loses, doubles, swaps and cuts datagrams of sessions over every transport, as networks and
// captures do, and counts: of no message more are read than were sent.
func TestNothingInvented(t *testing.T) {
	t.Parallel()
	for _, edition := range []string{wire.Late, wire.Old2002} {
		sessions := make([][]wire.Datagram, len(carriers))
		for i, c := range carriers {
			sessions[i] = c.make(sessionOf(t, edition, wire.Coding{}))
		}
		t.Run(edition, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				carrier := rapid.IntRange(0, len(carriers)-1).Draw(t, "carrier")
				damaged, sent := damage(t, sessions[carrier])
				records, err := enginetest.Run(protocols(), asEdition(edition), damaged, len(damaged))
				if err != nil {
					t.Fatal(err)
				}
				read := map[string]int{}
				for _, r := range records {
					for _, name := range r.Names() {
						read[name]++
					}
				}
				for name, n := range read {
					if n > sent[name] {
						t.Errorf("over %s: %d times %s, and %d were sent", carriers[carrier].name, n, name, sent[name])
					}
				}
			})
		})
	}
}

// damage loses, doubles and swaps datagrams, and lets the capture cut some. It counts the messages that were in what
// is left, by name.
func damage(t *rapid.T, list []wire.Datagram) (damaged []enginetest.Datagram, sent map[string]int) {
	sent = map[string]int{}
	const handshake = 3 // without it what carries the messages of a claimed port is found out from its datagrams
	for i, d := range list {
		copies, what := 1, 19
		if i >= handshake {
			what = rapid.IntRange(0, 19).Draw(t, "what")
		}
		switch what {
		case 0:
			copies = 0
		case 1:
			copies = 2
		}
		for range copies {
			out := enginetest.Datagram{FromClient: d.FromClient, Payload: d.Payload}
			if what == 2 || what == 3 {
				n := rapid.IntRange(0, len(d.Payload)).Draw(t, "length")
				out.Payload, out.Cut = d.Payload[:n], len(d.Payload)-n
			}
			if what == 4 && len(damaged) > handshake {
				damaged = slices.Insert(damaged, len(damaged)-1, out)
			} else {
				damaged = append(damaged, out)
			}
			for _, m := range d.Messages {
				sent[strings.ToLower(m)]++
			}
		}
	}
	return damaged, sent
}
