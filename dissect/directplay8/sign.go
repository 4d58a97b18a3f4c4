package directplay8

import (
	"crypto/sha1" // MC-DPL8R 3.1.4.4 signs with it
	"encoding/binary"
	"hash"

	"github.com/q3dissect/q3dissect/dissect"
)

var frameSignatureOK = dissect.Field{
	Key: "signature_ok", Kind: dissect.Bool, Source: "MC-DPL8R 3.1.4.4 and 3.1.5.2.7",
	Doc: "whether the signature is what the handshake's secrets make of the frame; absent where that cannot be told: " +
		"the handshake was not seen, " +
		"the capture cut the frame, or of full signing the numbers have wrapped, after which no public text gives the " +
		"secrets",
}

// Ways of signing, dwSigningOpts.
const (
	signFast = 1 // the signature is the sender's secret
	signFull = 2 // the signature is a digest of the frame and the secret
)

// Signing holds what is needed to check the frames of a signed connection.
type signing struct {
	on      bool // data frames have a signature
	options uint64
	secrets [2]uint64 // by side; 0: not known
	sum     hash.Hash
	digest  [sha1.Size]byte
}

// agree takes the secrets from the connector's CONNECTED_SIGNED; the listener's has zeros in their
// place.
func (s *signing) agree(side int, sender, receiver, options uint64) {
	s.on, s.options = true, options
	if sender != 0 && receiver != 0 {
		s.secrets[side], s.secrets[1-side] = sender, receiver
	}
}

// check reports whether the signature at byte at of a frame is right. n is the frame's number, or
// that of the sender's next frame, extended beyond eight bits.
//
// Each time the numbers wrap, full signing derives a new secret from the old one and from a
// payload. The specification does not say how, so only the first 256 numbers can be checked.
func (s *signing) check(frame []byte, at, side int, n uint32) (ok, known bool) {
	secret := s.secrets[side]
	switch {
	case secret == 0:
		return false, false
	case s.options == signFast:
		return binary.LittleEndian.Uint64(frame[at:]) == secret, true
	case s.options != signFull || n >= firstNumber+256:
		return false, false
	}
	if s.sum == nil {
		s.sum = sha1.New()
	}
	var zeros, key [signatureSize]byte
	binary.LittleEndian.PutUint64(key[:], secret)
	s.sum.Reset()
	for _, part := range [...][]byte{frame[:at], zeros[:], frame[at+signatureSize:], key[:]} {
		s.sum.Write(part)
	}
	digest := s.sum.Sum(s.digest[:0])
	return [signatureSize]byte(digest) == [signatureSize]byte(frame[at:]), true
}

// forged reports whether the signature of a data frame is wrong.
func (d *connection) forged(rec *dissect.Record, f *dataFrame, n uint32) bool {
	ok, known := d.signing.check(rec.Payload, f.signatureAt, sideOf(rec), n)
	return known && !ok && !rec.Truncated()
}

// verify adds a node: whether the signature at byte at is right.
func (d *connection) verify(rec *dissect.Record, r *reader, at, side int, n uint32) {
	if r.Tree == nil || r.Cut || r.Failed() {
		return
	}
	ok, known := d.signing.check(r.B, at, side, n)
	if !known {
		return
	}
	r.Tree.AddBool(&frameSignatureOK, ok, 0, 0)
	if !ok {
		rec.Expert(dissect.Warning, expertSignature, &frameSignature, at<<3,
			"the signature does not fit the frame: a receiver drops it")
	}
}
