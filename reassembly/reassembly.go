// Package reassembly puts together what was sent in parts: the fragments of
// game messages on a sequenced channel (Messages), and the fragments of IPv4
// and IPv6 datagrams (IPFragments). It reads no packets: the caller takes the
// numbers out of the headers. Time and frame numbers are the capture's own, so
// the same input has the same output.
//
//	var m reassembly.Messages // one direction of one channel
//	r, err := m.Add(reassembly.Fragment{
//		Sequence: seq, Start: start, Length: length, Data: body, Frame: frame,
//	})
//	if r.Message != nil {
//		decode(r.Message, r.Frames) // aliases m: until the next call
//	}
//	for _, lost := range r.Abandoned {
//		report(lost.Frames, lost.Err())
//	}
//
// A passive observer sees neither the order nor the losses of the receiver.
// Fragments are therefore taken in any order, doubled and with gaps, and the
// result shows what a receiver that takes them only in order would have done.
//
// Limits. A Messages assembles eight messages at once, of at most 65535 bytes
// each, unless Config sets another number. An IPFragments holds at most 1024
// datagrams and 4 MiB, and forgets a datagram after 30 s (IPv4) or 60 s (IPv6)
// of capture time. Memory follows the bytes that are present, never a number
// that a header claims, and is reused: once warm, nothing is allocated but the
// text of errors. The types are not safe for concurrent use and must not be
// copied after their first use.
package reassembly

import "errors"

var (
	// ErrFragment means that a fragment contradicts its format or what is known
	// of its message: it starts or ends where no fragment can, or claims more
	// bytes than it has. It is not held. A real receiver drops it silently.
	ErrFragment = errors.New("impossible fragment")

	// ErrGap means that a message was given up because fragments of it are
	// missing. A real receiver gives such a message up as soon as it takes
	// anything newer; nothing is sent again below the message layer.
	ErrGap = errors.New("fragments missing")
)
