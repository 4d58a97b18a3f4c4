package gamestudio_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// TestCut cuts every packet of a session at every byte: what is read is the beginning of what was sent, the
// rest is said to be missing, and the packet behind it is none the worse.
func TestCut(t *testing.T) {
	t.Parallel()
	for _, coding := range []wire.Coding{{}, {FixedCoordinates: true}} {
		steps := sessionOf(t, wire.Late, coding)
		list := wire.Raw(steps)
		before := sent(list[:28])
		for i, d := range list {
			var want []string
			for _, m := range d.Messages {
				want = append(want, strings.ToLower(m))
			}
			for n := 1; n < len(d.Payload); n++ {
				for _, lost := range []int{0, len(d.Payload) - n} { // cut by the sender, and by the capture
					bad := datagram{d.FromClient, d.Payload[:n], lost}
					good := datagram{d.FromClient, d.Payload, 0}
					records := dissectLast(t, "gamestudio", 2, append(slices.Clone(before), bad, good)...)
					r := records[0]
					got := r.names()
					if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
						t.Fatalf("packet %d cut at %d: %v of %v in %s", i, n, got, want, r.line)
					}
					whole := slices.Contains(steps[i].Ends, n)
					told := strings.Contains(r.line, `"undecoded"`) || r.Gamestudio["undetermined"] != nil ||
						slices.ContainsFunc(r.Expert, func(e expert) bool {
							// A CLS_REMOVE without its last two bytes is one with a Short: that cannot be told, and is said.
							return strings.HasPrefix(e.Code, "truncated") || strings.Contains(e.Message, "the length of CLS_REMOVE is undetermined")
						})
					if told == (whole && lost == 0) {
						t.Fatalf("packet %d cut at %d, a message's end: %v, something missing: %v: %s", i, n, whole, told, r.line)
					}
					if lost > 0 && strings.Contains(r.line, `"severity":"error"`) {
						t.Fatalf("packet %d cut at %d by the capture is called damaged: %s", i, n, r.line)
					}
					checkWhole(t, records[1], d)
				}
			}
		}
	}
}

// random gives bytes that have no meaning, always the same ones.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// TestRandom sends bytes without meaning: nobody takes them for a transport, and over a transport nobody
// takes them for the game.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := random(seed)
		var list []datagram
		for range 60 {
			list = append(list, datagram{fromClient: r.Uint32()&1 == 0, payload: randomBytes(r, int(r.Uint32()%60))})
		}
		for i, rec := range dissectAll(t, "", list...) {
			if rec.Protocol != "" {
				t.Errorf("seed %d, datagram %d %x: taken for %s", seed, i, list[i].payload, rec.Protocol)
			}
		}
		connected := wire.OverDirectPlay8(nil)[:3]
		client, server := &wire.Peer8{Session: 0x79c9aec6, Minor: 6}, &wire.Peer8{Session: 0x79c9aec6, Minor: 6, Listener: true}
		over := sent(connected)
		for range 80 {
			from, fromClient := server, r.Uint32()&1 == 0
			if fromClient {
				from = client
			}
			over = append(over, datagram{fromClient: fromClient, payload: from.Data(true, randomBytes(r, 1+int(r.Uint32()%40)))})
		}
		for i, rec := range dissectAll(t, "", over...) {
			if rec.Protocol != "directplay8" {
				t.Errorf("seed %d, datagram %d: taken for %q", seed, i, rec.Protocol)
			}
		}
	}
}

// TestEncrypted says of what looks random in a session that it may be encrypted.
func TestEncrypted(t *testing.T) {
	t.Parallel()
	r := random(1)
	noted := 0
	for range 20 {
		payload := append([]byte{0x13}, randomBytes(r, 90)...) // a code that nobody assigned
		rec := dissectAll(t, "gamestudio", datagram{payload: payload})[0]
		if len(rec.names()) > 0 {
			t.Errorf("read %v", rec.names())
		}
		if rec.codes() == "payload_packed" {
			noted++
		}
	}
	if noted < 19 {
		t.Errorf("noted %d times of 20", noted)
	}
	plain := dissectAll(t, "gamestudio", datagram{payload: append([]byte{0x13}, make([]byte, 90)...)})[0]
	if plain.codes() != "undetermined" {
		t.Errorf("zeros: %s", plain.codes())
	}
}
