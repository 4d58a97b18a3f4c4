package directplay8

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
)

// DirectPlay's registered port for discovery. It only matters for queries that do not identify themselves: those for
// any application, and those whose GUID no generator makes.
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
// 1.6. byServer means that the listener sent it.
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

// sessionOf returns the number of the connection in a handshake.
func sessionOf(b []byte) uint32 { return binary.LittleEndian.Uint32(b[8:]) }

// endMark recognises HARD_DISCONNECT of a version 1.0 to 1.6, with its signature or without.
func endMark(b []byte) bool {
	return (len(b) == controlBytes || len(b) == controlBytes+signatureSize) &&
		b[0]&^commandPoll == 0x80 && b[1] == opDisconnect && b[4] <= minorSigned && b[5] == 0 && b[6] == 1 && b[7] == 0
}

// lateFrames is how many frames before the last one of a stream may come after it.
const lateFrames = 8

// signOf reads what a datagram shows of its sender's connection. Who ended one sends again what was not acknowledged.
func signOf(b []byte, pending uint64) (s dissect.Sign) {
	const hard = 1 << 40
	switch {
	case endMark(b):
		s.Ends = hard | uint64(sessionOf(b))
	case len(b) < minFrame:
	case b[0]&commandData == 0:
		mark := markOf(b)
		s.Begins = mark.firm && b[1] == opConnect
	case b[1]&controlEnd != 0:
		s.Ends = 1<<8 | uint64(b[2])
		s.GoesOn = pending != 0 && pending != s.Ends
	case b[1]&controlRetry == 0:
		s.GoesOn = pending&hard != 0 || uint8(pending)-b[2] > lateFrames
	}
	return s
}

// discoveryMark recognises discovery: queryOfOne, discoveryResponse, queryOfAny and queryOfInvented (which are weak),
// or 0.
func discoveryMark(b []byte) int {
	switch {
	case len(b) < 5 || b[0] != 0:
	case b[1] == discoveryQuery && b[4] == queryOfOne && len(b) >= 5+guidBytes:
		if generated([guidBytes]byte(b[5:])) {
			return queryOfOne
		}
		return queryOfInvented
	case b[1] == discoveryQuery && b[4] == queryOfAny:
		return queryOfAny
	case b[1] == discoveryResponse && len(b) >= responseBytes && binary.LittleEndian.Uint32(b[12:]) == descriptionBytes:
		return discoveryResponse
	}
	return 0
}

// Bits of a GUID as Windows stores it, RFC 4122, section 4.1. A time-based one has the upper twelve bits of its time,
// in 100 ns since 1582, below the version.
const (
	guidVersion, guidVariant = 7, 8 // bytes with the version and the variant
	variantMask, variant     = 0xc0, 0x80
	random                   = 0x40           // version 4
	oldestTime, newestTime   = 0x11c0, 0x11ff // version 1, of 1982 to 2039
	maxZeros                 = 4              // bytes; a generated GUID of 2^30 has more
)

// generated reports whether a generator made the GUID. Other protocols have numbers, times and padding in its place,
// whose upper bytes are zero.
func generated(guid [guidBytes]byte) bool {
	zeros := 0
	for _, b := range guid {
		if b == 0 {
			zeros++
		}
	}
	high := binary.LittleEndian.Uint16(guid[guidVersion-1:])
	return zeros <= maxZeros && guid[guidVariant]&variantMask == variant &&
		(guid[guidVersion]&0xf0 == random || high >= oldestTime && high <= newestTime)
}
