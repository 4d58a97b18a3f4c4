package directplay8

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
)

// A frameReader finds the application's packets in frames, for the router.
type frameReader struct {
	bundle bundle
	found  []dissect.Payload // of the last frame read
}

// read finds the complete application packets in a data frame. split reports that the frame has
// part of a packet; other, that it has none.
func (f *frameReader) read(b []byte, minor int, signed, cut bool) (split, other bool) {
	f.found = f.found[:0]
	if len(b) < minFrame || b[0]&commandData == 0 {
		return false, true
	}
	var r reader
	r.Reset(protocolName, b, 0, len(b), nil)
	var d dataFrame
	r.frameHeader(&d, minor, signed)
	if r.Failed() || d.keepAlive || r.Rest() == 0 || cut {
		return false, true
	}
	const users = commandUser1 | commandUser2
	if d.command&commandWhole != commandWhole {
		return d.command&users == 0, d.command&users != 0
	}
	if d.coalesced && f.bundle.parse(b[r.At:]) == "" {
		for i := range f.bundle.count {
			if at := r.At + f.bundle.at[i]; f.bundle.flags[i]&users == 0 {
				f.found = append(f.found, dissect.Payload{At: at, End: at + f.bundle.size[i]})
			}
		}
	} else if d.command&users == 0 {
		f.found = append(f.found, dissect.Payload{At: r.At, End: r.End})
	}
	return false, len(f.found) == 0
}

// findReader examines a datagram of a recognised connection. It returns false if the datagram has
// payloads and later datagrams may still show who reads them.
func (r *router) findReader(p *dissect.Packet, pr *pair, src flows.Side) bool {
	if r.readers.Empty() || pr.Decided || pr.Server == flows.Unknown {
		return true
	}
	split, other := r.frames.read(p.Payload, int(pr.minor)-1, pr.signed, p.Truncated())
	if other && !split {
		return true
	}
	if r.readers.Open(&pr.Detection); split {
		return false // part of a message proves nothing; it waits with the others
	}
	return r.readers.Examine(&pr.Detection, p, pr.Server.Direction(src), p.Payload, r.frames.found)
}

// A carrier recognises the transport on ports that the user assigned to a payload reader.
type carrier struct{ frames frameReader }

// Mark looks for bytes that only this protocol has.
func (*carrier) Mark(p *dissect.Packet) (hint uint64, d dissect.Direction, firm, ok bool) {
	m := markOf(p.Payload)
	return 0, m.direction, m.firm, m.found
}

// Sign reads what a datagram shows of its sender's connection.
func (*carrier) Sign(p *dissect.Packet, _, pending uint64) dissect.Sign {
	return signOf(p.Payload, pending)
}

// TakenBack returns the hint of a datagram that ends a connection which goes on.
func (*carrier) TakenBack(hint uint64) uint64 { return hint | hintGoesOn }

// Explains reports whether a datagram is a data frame whose packets can all be read to their end. A
// pattern that hardly occurs outside such frames is enough.
func (c *carrier) Explains(p *dissect.Packet, reads func([]byte, *dissect.Payload) bool) (hint uint64,
	explained, certain bool,
) {
	if likelihoodOf(p.Payload, false) == distinct {
		return 0, true, true
	}
	c.frames.read(p.Payload, minorUnknown, false, false)
	for i := range c.frames.found {
		if !reads(p.Payload, &c.frames.found[i]) {
			return 0, false, false
		}
	}
	if len(c.frames.found) == 0 {
		return 0, false, false
	}
	return 0, true, false
}
