package directplay8_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// signatureOK returns the record's signature_ok: true, false, or nil if it is absent.
func signatureOK(r *enginetest.Record) any {
	if data, ok := r.Directplay8["data"].(map[string]any); ok {
		return data["signature_ok"]
	}
	control, _ := r.Directplay8["control"].(map[string]any)
	for _, frame := range control {
		return frame.(map[string]any)["signature_ok"]
	}
	return nil
}

// signedSession is a generated session with signatures, and the end of its connection.
func signedSession(t *testing.T, options uint32) []wire.Datagram {
	t.Helper()
	list := wire.OverDirectPlay8(sessionOf(t, wire.Late, wire.Coding{}))
	end := slices.Clone(list[0].Payload)
	end[0], end[1], end[3] = 0x80, 4, 60 // HARD_DISCONNECT, with the number of the next frame
	return wire.Signed(append(list, wire.Datagram{FromClient: true, Payload: end}), options)
}

// TestSignatures checks the signatures of generated sessions. The signatures are synthetic: no signed frame was ever
// published.
func TestSignatures(t *testing.T) {
	t.Parallel()
	for _, options := range []uint32{wire.FastSigned, wire.FullSigned} {
		list := signedSession(t, options)
		for i, r := range enginetest.All(t, protocols(), "", sent(list)...) {
			want := any(true)
			if i < 3 {
				want = nil // the handshake
			}
			if got := signatureOK(r); got != want {
				t.Errorf("options %d, datagram %d: signature_ok is %v: %s", options, i, got, r.Line)
			}
			if len(r.Expert) > 0 || strings.Contains(r.Line, "undecoded") {
				t.Errorf("options %d, datagram %d: %s", options, i, r.Line)
			}
		}
		// Without the connector's answer the secrets are not known, without the handshake not even that there are any.
		for i, r := range enginetest.All(t, protocols(), "directplay8", sent(slices.Delete(slices.Clone(list), 2, 3))...) {
			if got := signatureOK(r); got != nil {
				t.Errorf("options %d, datagram %d without secrets: signature_ok is %v", options, i, got)
			}
		}
	}
}

// TestWrongSignatures changes a byte of each frame: fast signing does not cover the bytes after the signature, full
// signing does.
func TestWrongSignatures(t *testing.T) {
	t.Parallel()
	for _, options := range []uint32{wire.FastSigned, wire.FullSigned} {
		list := signedSession(t, options)
		for i := 3; i < len(list); i += 7 {
			for at := range list[i].Payload {
				if at < 2 || list[i].Payload[0]&1 != 0 && at == 2 {
					continue // another kind of frame, or another number
				}
				spoiled := slices.Clone(list[:i+1])
				spoiled[i].Payload = slices.Clone(list[i].Payload)
				spoiled[i].Payload[at] ^= 0x40
				r := enginetest.Last(t, protocols(), "directplay8", 1, sent(spoiled)...)[0]
				inSignature := at >= 4 && at < 12
				if list[i].Payload[0]&1 == 0 {
					inSignature = at >= len(list[i].Payload)-8
				}
				want := options == wire.FastSigned && !inSignature
				if got := signatureOK(r); got != want && !strings.Contains(r.Line, "trailing") &&
					!strings.Contains(r.Line, "truncated") {
					t.Fatalf("options %d, datagram %d, byte %d: signature_ok is %v: %s", options, i, at, got, r.Line)
				}
				if warned := strings.Contains(r.Codes(), "signature_mismatch"); warned != (signatureOK(r) == false) {
					t.Fatalf("options %d, datagram %d, byte %d: entries %s", options, i, at, r.Codes())
				}
			}
		}
	}
}

// TestSignaturesWrap: after 256 frames full signing has secrets that no public text describes; signature_ok is absent
// then. Fast signing keeps its secret.
func TestSignaturesWrap(t *testing.T) {
	t.Parallel()
	for _, options := range []uint32{wire.FastSigned, wire.FullSigned} {
		client, server := &wire.Peer8{Session: 5, Minor: 6}, &wire.Peer8{Session: 5, Minor: 6, Listener: true}
		list := []wire.Datagram{
			{FromClient: true, Payload: client.Connect()},
			{Payload: server.Connected()},
			{FromClient: true, Payload: client.Connected()},
		}
		for i := range 300 {
			list = append(list, wire.Datagram{FromClient: true, Payload: client.Data(true, []byte{byte(i), 2, 3})})
		}
		list = append(list, wire.Datagram{FromClient: true, Payload: client.Sack()})
		for i, r := range enginetest.All(t, protocols(), "directplay8", sent(wire.Signed(list, options))...) {
			want := any(true)
			if i < 3 || options == wire.FullSigned && i >= 3+256 {
				want = nil
			}
			if got := signatureOK(r); got != want {
				t.Fatalf("options %d, datagram %d: signature_ok is %v, want %v", options, i, got, want)
			}
		}
	}
}

// TestCutSignature: a frame that the capture cut gets no verdict.
func TestCutSignature(t *testing.T) {
	t.Parallel()
	list := sent(signedSession(t, wire.FullSigned)[:6])
	last := &list[5]
	last.Cut = 3
	last.Payload = last.Payload[:len(last.Payload)-3]
	if r := enginetest.Last(t, protocols(), "directplay8", 1, list...)[0]; signatureOK(r) != nil ||
		!strings.Contains(r.Codes(), "truncated") {
		t.Errorf("got %s", r.Line)
	}
}
