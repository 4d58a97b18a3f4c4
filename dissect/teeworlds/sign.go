package teeworlds

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/connless"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A sign is what a single datagram shows.
type sign struct {
	dialect   tables.Dialect // Unknown: nothing
	direction dissect.Direction
	certain   bool // it cannot be anything else
	connless  bool
	bare06    bool  // an answer of 0.6 without a token
	asks06    bool  // a connect of its first releases
	server    token // the server's, in connless packets of 0.7

	// In 0.7: a request for a token, and a possible answer to one.
	asks, answers bool
	token         uint32 // the client's
}

// accepts06 reports whether a server without tokens accepts a connection.
func (s *sign) accepts06() bool { return s.bare06 }

// signs are the first bytes of datagrams that recognise looks at.
var signs = [256]bool{0xff: true, 'x': true, 0x20 | connlessVersion: true, 0x04: true, 0x10: true, 0x18: true}

// recognise looks for patterns that no other protocol has. wire is the length of the whole datagram
// in bytes.
func recognise(b []byte, wire int) sign {
	switch {
	case len(b) < headerLen06+1:
		return sign{}
	case bytes.HasPrefix(b, tenFF):
		return recogniseConnless(b, connlessLen06, tables.V06)
	case isExtended(b):
		return recogniseConnless(b, connlessLen06, tables.DDNet)
	case b[0] == 0x20|connlessVersion:
		return recogniseConnless(b, connlessLen07, tables.V07)
	case b[0] == 0x04 && b[1] == 0 && b[2] == 0 && len(b) > headerLen07:
		return recognise07(b, wire)
	case b[0] == 0x10 && b[1] == 0 && b[2] == 0:
		return recognise06(b, wire)
	case b[0] == 0x18 && b[1] == 0 && b[2] == 0 && len(b) == headerLenToken+1+tokenLen &&
		b[headerLenToken] == controlAccept:
		return sign{dialect: tables.V06, direction: dissect.ServerToClient, certain: true}
	}
	return sign{}
}

// tenFF is the beginning of connless packets in 0.6: header and mark.
var tenFF = bytes.Repeat([]byte{0xff}, connlessLen06+4)

// recogniseConnless looks at a packet without connection.
func recogniseConnless(b []byte, header int, d tables.Dialect) sign {
	if len(b) < header {
		return sign{}
	}
	tag, ok := connless.TagOf(b[header:])
	if !ok {
		return sign{}
	}
	s := sign{dialect: d, connless: true}
	if d == tables.V07 {
		s.server = tokenOf(b[1:][:tokenLen]) // the receiver's
	}
	if def := connless.Lookup(d, tag); def != nil {
		s.certain, s.direction = true, def.From
		if d == tables.V07 && def.From == dissect.ServerToClient {
			s.server = tokenOf(b[1+tokenLen:][:tokenLen])
		}
		if d == tables.V06 && ddnetTags[string(b[header+4:header+4+connless.TagLen])] {
			s.dialect = tables.DDNet
		}
	}
	return s
}

// ddnetTags are the tags that 0.6 does not have.
var ddnetTags = map[string]bool{"fstd": true, "dtsf": true, "iext": true, "iex+": true, "chal": true}

// recognise07 looks at a control packet of 0.7 without acknowledgement.
func recognise07(b []byte, wire int) sign {
	s := sign{dialect: tables.V07, direction: dissect.ClientToServer}
	token, id, rest := binary.BigEndian.Uint32(b[headerLen06:]), b[headerLen07], b[headerLen07+1:]
	switch {
	case wire == tokenRequestLen && len(rest) > tokenLen && (id == controlToken && token == noToken ||
		id == controlConnect) && zeros(rest[tokenLen:]):
		s.certain, s.asks, s.token = true, id == controlToken, binary.BigEndian.Uint32(rest)
	case id == controlToken && token != noToken && wire == headerLen07+1+tokenLen && len(rest) == tokenLen:
		s.direction, s.answers, s.token = dissect.ServerToClient, true, token
	case id == controlConnect && len(rest) == tokenLen && string(rest) == tokenMagic: // DDNet's repeated request
		s.certain = true
	default:
		return sign{}
	}
	return s
}

// recognise06 looks at a control packet of 0.6 without acknowledgement.
func recognise06(b []byte, wire int) sign {
	id, rest := b[headerLen06], b[headerLen06+1:]
	marked := len(rest) == len(tokenMagic)+tokenLen && string(rest[:len(tokenMagic)]) == tokenMagic
	s := sign{dialect: tables.V06, direction: dissect.ClientToServer, certain: true}
	switch {
	case id == controlConnect && marked:
		s.dialect = tables.DDNet
	case id == controlConnect && wire == headerLen06+1+connectUnusedBytes06+tokenLen+connectPadding06 &&
		len(rest) > connectUnusedBytes06+tokenLen && zeros(rest[connectUnusedBytes06+tokenLen:]):
	case id == controlAccept && marked:
		s.dialect, s.direction = tables.DDNet, dissect.ServerToClient
	case id == controlAccept && len(rest) == 0:
		return sign{bare06: true}
	case id == controlConnect && len(rest) == 0:
		return sign{asks06: true}
	default:
		return sign{}
	}
	return s
}

func zeros(b []byte) bool { return leadingZeros(b) == len(b) }

// leadingZeros counts the zero bytes at the start of b: requests of 0.7 have five hundred.
func leadingZeros(b []byte) int {
	n := 0
	for n+8 <= len(b) && binary.LittleEndian.Uint64(b[n:]) == 0 {
		n += 8
	}
	for n < len(b) && b[n] == 0 {
		n++
	}
	return n
}

// isClose reports whether a control packet ends a connection.
func isClose(b []byte, d tables.Dialect) bool {
	flags := flagsOf(b[0], d)
	n := headerLen(flags, d)
	return flags&flagControl != 0 && len(b) > n && b[n] == controlClose
}

// signOf reads what a packet shows of its sender's connection. Who closed one sends nothing more.
func signOf(b []byte, d tables.Dialect) (s dissect.Sign) {
	if len(b) < headerLen06 {
		return s
	}
	flags := flagsOf(b[0], d)
	n := headerLen(flags, d)
	switch control := flags&flagControl != 0; {
	case flags&flagConnless != 0 || len(b) < n:
		return s
	case isClose(b, d):
		s.Ends = 1
	case control && len(b) > n:
		s.Begins = b[n] == controlConnect || b[n] == controlToken
		s.GoesOn = b[n] == controlKeepalive
	default:
		s.GoesOn = !control
	}
	switch {
	case d == tables.V07:
		s.Connection = uint64(binary.BigEndian.Uint32(b[n-tokenLen:]))
	case d == tables.DDNet && len(b) >= n+tokenLen:
		s.Connection = uint64(binary.BigEndian.Uint32(b[len(b)-tokenLen:]))
	}
	return s
}

// refuses06 reports whether a packet is the close that a server of 0.6 sends in place of an answer to a connect, with a
// printable reason. The first releases compress control packets too.
func refuses06(b []byte) bool {
	var p packet
	if len(b) > 1<<8 || !p.parse(b, tables.V06) || p.fault != nil || !p.has(flagControl) || p.numChunks != 0 {
		return false
	}
	if len(p.payload) < 2 || p.payload[0] != controlClose {
		return false
	}
	reason, rest, ended := bytes.Cut(p.payload[1:], []byte{0})
	return ended && len(rest) == 0 && len(reason) > 0 && utf8.Valid(reason) &&
		!bytes.ContainsFunc(reason, unicode.IsControl)
}
