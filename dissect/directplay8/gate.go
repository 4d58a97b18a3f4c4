package directplay8

import (
	"encoding/binary"
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// hintGoesOn is Record.Hint of a frame that ends a connection which goes on.
const hintGoesOn = 1

// Reasons why a receiver does not act on a frame, MC-DPL8R 3.1.5.
const (
	otherConnection = "its number is not the connection's"
	otherTerms      = "the connection is in progress, and was agreed on otherwise"
	noSignature     = "it lacks the signature that the connection's frames have"
	wrongSignature  = "its signature is wrong"
	hadAnother      = "the receiver has had another frame with its number"
	notAsked        = "nobody asked for this connection while another one is in progress"
	goesOn          = "it ends the connection, which goes on: it was taken back"
	noFrame         = "it is no frame of the connection, as others are"
)

// enoughSound is how many datagrams that can be read show that one which cannot is not the connection's.
const enoughSound = 3

// refusal returns why the receiver of a datagram does not act on it, or "".
func (c *conversation) refusal(rec *dissect.Record) string {
	b, d, side := rec.Payload, c.conn, sideOf(rec)
	switch {
	case rec.Hint&hintGoesOn != 0:
		return goesOn
	case rec.Truncated() || len(b) < minFrame || b[0] == 0:
		return ""
	case d.minor != minorUnknown && b[0]&commandData == 0 && b[1] != opSack && !markOf(b).connects:
		return noFrame
	case !d.carries:
		return ""
	case b[0]&commandData != 0:
		return d.refusesFrame(rec, side)
	}
	mark := markOf(b)
	switch {
	case mark.firm && d.agreed && sessionOf(b) == d.session && (d.signing.on != (b[1] == opSigned) && b[1] != opConnect ||
		d.streams() && (side == d.begunBy) == (mark.direction == dissect.ServerToClient)):
		return otherTerms
	case mark.firm && b[1] != opConnect && d.minor != minorUnknown && sessionOf(b) != d.session &&
		(c.asked == nil || c.asked.session != sessionOf(b)):
		return notAsked
	case mark.connects && !mark.firm && d.minor != minorUnknown:
		return d.refusesEnd(rec, side)
	case b[1] == opSack && d.signing.on && len(b) >= sackBytes:
		at := sackBytes + 4*bits.OnesCount8(b[2]>>1&0x0f)
		if len(b) != at+signatureSize {
			return noSignature
		}
		return d.refusesSigned(rec, at, side, b[4])
	}
	return ""
}

// streams reports whether both sides have sent data frames.
func (d *connection) streams() bool {
	return d.sides[0].numbers.arrived.Seen() && d.sides[1].numbers.arrived.Seen()
}

// refusesFrame is refusal of a data frame.
func (d *connection) refusesFrame(rec *dissect.Record, side int) string {
	var r reader
	r.Reset(protocolName, rec.Payload, 0, len(rec.Payload), nil)
	var f dataFrame
	r.frameHeader(&f, d.minor, d.signing.on)
	if r.Failed() {
		if d.signing.on {
			return noSignature
		}
		return ""
	}
	if f.keepAlive && d.minor != minorUnknown && r.At >= 4 &&
		binary.LittleEndian.Uint32(rec.Payload[r.At-4:]) != d.session {
		return otherConnection
	}
	s := &d.sides[side]
	n := s.numbers.extend(f.sequence)
	if f.signatureAt > 0 && d.forged(rec, &f, n) {
		return wrongSignature
	}
	if d.agreed && n < firstNumber || d.had(&f, side) && s.numbers.arrived.Other(n, 32, f.print(rec.Payload[r.At:])) {
		return hadAnother
	}
	return ""
}

// had reports whether the other side has acknowledged the number of a frame.
func (d *connection) had(f *dataFrame, side int) bool {
	other := &d.sides[1-side]
	return other.sure && int8(other.acknowledged-f.sequence) > 0
}

// refusesEnd is refusal of HARD_DISCONNECT.
func (d *connection) refusesEnd(rec *dissect.Record, side int) string {
	b := rec.Payload
	switch {
	case sessionOf(b) != d.session:
		return otherConnection
	case d.signing.on && len(b) == controlBytes:
		return noSignature
	case d.signing.on:
		return d.refusesSigned(rec, controlBytes, side, b[3])
	}
	return ""
}

// refusesSigned is refusal of a control frame whose signature is at a byte.
func (d *connection) refusesSigned(rec *dissect.Record, at, side int, next uint8) string {
	if ok, known := d.signing.check(rec.Payload, at, side, d.sides[side].numbers.extend(next)); known && !ok {
		return wrongSignature
	}
	return ""
}

// print is the fingerprint of a frame. What it has besides its kind and payload changes when it is sent again.
func (f *dataFrame) print(payload []byte) uint32 {
	kind := uint16(f.control&(controlKeepAlive|controlCoalesced|controlEnd))<<8 | uint16(f.command&^commandPoll)
	return flows.Fingerprint(kind, payload)
}

// refuse decodes a datagram that the receiver does not act on: what it says changes a copy of what is known.
func (c *conversation) refuse(rec *dissect.Record, why string) {
	conn, asked := c.conn, c.asked
	c.conn, _ = conn.clone()
	c.read = false
	rec.Refused = true
	c.dissect(rec)
	rec.Refuse(nil, "%s", why)
	c.conn, c.asked = conn, asked
	c.carried.Begins, c.carried.Ends = false, ""
}
