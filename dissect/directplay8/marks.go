package directplay8

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
)

// DirectPlay's registered port for discovery. It only matters for queries that name no application.
const discoveryPort = 6073

// A mark is a pattern in a single datagram that no other protocol has.
type mark struct {
	found     bool
	direction dissect.Direction
	connects  bool // it belongs to a connection, not to a query or its answer
	firm      bool // its direction is that of a handshake
}

// markOf looks for a mark.
func markOf(b []byte) mark {
	if ok, byServer := handshakeMark(b); ok {
		d := dissect.ClientToServer
		if byServer {
			d = dissect.ServerToClient
		}
		return mark{found: true, direction: d, connects: true, firm: true}
	}
	if endMark(b) {
		return mark{found: true, connects: true}
	}
	switch discoveryMark(b) {
	case queryOfOne:
		return mark{found: true, direction: dissect.ClientToServer}
	case discoveryResponse:
		return mark{found: true, direction: dissect.ServerToClient}
	}
	return mark{}
}

// handshakeMark recognises the handshake of DirectPlay 8: 16 bytes, or 48 of a signed one, of a version 1.0 to
// 1.6. byServer says that the listener sent it.
func handshakeMark(b []byte) (ok, byServer bool) {
	if len(b) < controlBytes || b[4] > minorSigned || b[5] != 0 || b[6] != 1 || b[7] != 0 {
		return false, false
	}
	switch {
	case len(b) == controlBytes && b[0] == 0x88 && b[1] == opConnect && b[3] == 0:
		return true, false
	case len(b) == controlBytes && b[1] == opConnected && (b[0] == 0x88 || b[0] == 0x80):
		return true, b[0] == 0x88
	case len(b) == signedBytes && b[1] == opSigned && (b[0] == 0x88 || b[0] == 0x80):
		return true, b[0] == 0x88
	}
	return false, false
}

// endMark recognises HARD_DISCONNECT of a version 1.0 to 1.6, with its signature or without.
func endMark(b []byte) bool {
	return (len(b) == controlBytes || len(b) == controlBytes+signatureSize) &&
		b[0]&^commandPoll == 0x80 && b[1] == opDisconnect && b[4] <= minorSigned && b[5] == 0 && b[6] == 1 && b[7] == 0
}

// discoveryMark recognises discovery: queryOfOne, discoveryResponse, queryOfAny (which is weak), or 0.
func discoveryMark(b []byte) int {
	switch {
	case len(b) < 5 || b[0] != 0:
	case b[1] == discoveryQuery && b[4] == queryOfOne && len(b) >= 5+guidBytes:
		return queryOfOne
	case b[1] == discoveryQuery && b[4] == queryOfAny:
		return queryOfAny
	case b[1] == discoveryResponse && len(b) >= responseBytes && binary.LittleEndian.Uint32(b[12:]) == descriptionBytes:
		return discoveryResponse
	}
	return 0
}
