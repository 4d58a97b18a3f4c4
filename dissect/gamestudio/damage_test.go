package gamestudio_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// TestCut cuts every packet of a session, at one byte in three except in make whole: what is read is the beginning of
// what was sent, the rest is said to be missing, and the packet after it is none the worse.
func TestCut(t *testing.T) {
	t.Parallel()
	cutStep := 3
	if os.Getenv("Q3DISSECT_LONG") == "whole" {
		cutStep = 1
	}
	for _, coding := range []wire.Coding{{}, {FixedCoordinates: true}} {
		steps := sessionOf(t, wire.Late, coding)
		list := wire.Raw(steps)
		before := sent(list[:28])
		for i, d := range list {
			var want []string
			for _, m := range d.Messages {
				want = append(want, strings.ToLower(m))
			}
			for n := 1 + i%cutStep; n < len(d.Payload); n += cutStep { // the packets of one kind are cut in different places
				for _, lost := range []int{0, len(d.Payload) - n} { // cut by the sender, and by the capture
					bad := enginetest.Datagram{FromClient: d.FromClient, Payload: d.Payload[:n], Cut: lost}
					good := enginetest.Datagram{FromClient: d.FromClient, Payload: d.Payload}
					records := enginetest.Last(t, protocols(), "gamestudio", 2, append(slices.Clone(before), bad, good)...)
					r := records[0]
					got := r.Names()
					if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
						t.Fatalf("packet %d cut at %d: %v of %v in %s", i, n, got, want, r.Line)
					}
					whole := slices.Contains(steps[i].Ends, n)
					told := strings.Contains(r.Line, `"undecoded"`) || r.Gamestudio["undetermined"] != nil ||
						slices.ContainsFunc(r.Expert, func(e enginetest.Expert) bool {
							// A CLS_REMOVE without its last two bytes is one with a Short: that cannot be told, and is said.
							return strings.HasPrefix(e.Code, "truncated") ||
								strings.Contains(e.Message, "the length of CLS_REMOVE is undetermined")
						})
					if told == (whole && lost == 0) {
						t.Fatalf("packet %d cut at %d, a message's end: %v, something missing: %v: %s", i, n, whole, told, r.Line)
					}
					if lost > 0 && strings.Contains(r.Line, `"severity":"error"`) {
						t.Fatalf("packet %d cut at %d by the capture is called damaged: %s", i, n, r.Line)
					}
					checkWhole(t, records[1], d)
				}
			}
		}
	}
}

// random gives bytes that have no meaning, always the same ones.

// TestRandom sends bytes without meaning: nobody takes them for a transport, and over a transport nobody
// takes them for the game.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := enginetest.Random(seed)
		var list []enginetest.Datagram
		for range 60 {
			list = append(list, enginetest.Datagram{
				FromClient: r.Uint32()&1 == 0,
				Payload:    enginetest.RandomBytes(r, int(r.Uint32()%60)),
			})
		}
		for i, rec := range enginetest.All(t, protocols(), "", list...) {
			if rec.Protocol != "" {
				t.Errorf("seed %d, datagram %d %x: taken for %s", seed, i, list[i].Payload, rec.Protocol)
			}
		}
		connected := wire.OverDirectPlay8(nil)[:3]
		client, server := &wire.Peer8{Session: 0x79c9aec6, Minor: 6}, &wire.Peer8{
			Session: 0x79c9aec6,
			Minor:   6, Listener: true,
		}
		over := sent(connected)
		for range 80 {
			from, fromClient := server, r.Uint32()&1 == 0
			if fromClient {
				from = client
			}
			over = append(over, enginetest.Datagram{
				FromClient: fromClient,
				Payload:    from.Data(true, enginetest.RandomBytes(r, 1+int(r.Uint32()%40))),
			})
		}
		for i, rec := range enginetest.All(t, protocols(), "", over...) {
			if rec.Protocol != "directplay8" {
				t.Errorf("seed %d, datagram %d: taken for %q", seed, i, rec.Protocol)
			}
		}
	}
}

// TestEncrypted: random bytes in a session are reported as possibly encrypted.
func TestEncrypted(t *testing.T) {
	t.Parallel()
	r := enginetest.Random(1)
	noted := 0
	for range 20 {
		payload := append([]byte{0x13}, enginetest.RandomBytes(r, 90)...) // a code that nobody assigned
		rec := enginetest.All(t, protocols(), "gamestudio", enginetest.Datagram{Payload: payload})[0]
		if len(rec.Names()) > 0 {
			t.Errorf("read %v", rec.Names())
		}
		if rec.Codes() == "payload_packed" {
			noted++
		}
	}
	if noted < 19 {
		t.Errorf("noted %d times of 20", noted)
	}
	plain := enginetest.All(t, protocols(), "gamestudio",
		enginetest.Datagram{Payload: append([]byte{0x13}, make([]byte, 90)...)})[0]
	if plain.Codes() != "undetermined" {
		t.Errorf("zeros: %s", plain.Codes())
	}
}
