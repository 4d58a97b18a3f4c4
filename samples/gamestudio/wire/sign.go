package wire

import (
	"crypto/sha1"
	"encoding/binary"
	"math/bits"
	"slices"
)

// Ways of signing, MC-DPL8R 2.2.1.3.
const (
	FastSigned = 1
	FullSigned = 2
)

// Secrets of signed connections: what the connector signs with, and what the listener does.
const (
	connectorSecret = 0x0123456789abcdef
	listenerSecret  = 0xfedcba9876543210
)

// Signed makes a connection a signed one: its handshake agrees on signing, and every frame has a signature. Full
// signing is right for the first 256 frames of each side: the specification does not say what its secrets become.
func Signed(list []Datagram, options uint32) []Datagram {
	var signed []Datagram
	for _, d := range list {
		b := slices.Clone(d.Payload)
		switch op := b[1]; {
		case b[0] == 0: // discovery
		case b[0]&frameData != 0:
			d.Payload = Sign(b, 4+4*bits.OnesCount8(b[1]>>4), d.FromClient, options)
		case op == 2: // CONNECTED
			d.Payload = connectedSigned(b, d.FromClient, options)
		case op == 4 || op == 6: // HARD_DISCONNECT, SACK
			d.Payload = Sign(b, len(b), d.FromClient, options)
		}
		signed = append(signed, d)
	}
	return signed
}

// connectedSigned makes a CONNECTED frame a CONNECTED_SIGNED one. The listener does not know the secrets yet.
func connectedSigned(b []byte, fromClient bool, options uint32) []byte {
	b[1] = 3
	little := binary.LittleEndian
	b = little.AppendUint64(b, 0x00c00c1e00c00c1e) // the listener's cookie
	var sender, receiver uint64
	var echo uint32
	if fromClient {
		sender, receiver, echo = connectorSecret, listenerSecret, 0x0010000f
	}
	b = little.AppendUint64(b, sender)
	b = little.AppendUint64(b, receiver)
	b = little.AppendUint32(b, options)
	return little.AppendUint32(b, echo)
}

// Sign puts a signature into a frame at a byte, MC-DPL8R 3.1.4.4: the sender's secret, or the first eight bytes of the
// SHA-1 of the frame with zeros there, followed by the secret.
func Sign(frame []byte, at int, fromClient bool, options uint32) []byte {
	secret := uint64(listenerSecret)
	if fromClient {
		secret = connectorSecret
	}
	key := binary.LittleEndian.AppendUint64(nil, secret)
	signature := key
	if options == FullSigned {
		digest := sha1.Sum(slices.Concat(frame[:at], make([]byte, 8), frame[at:], key))
		signature = digest[:8]
	}
	return slices.Concat(frame[:at], signature, frame[at:])
}
