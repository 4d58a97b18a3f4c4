// Package netchan reads the headers of sequenced packets, and follows their numbers.
package netchan

import "encoding/binary"

// Parts of the header, code/qcommon/net_chan.c.
const (
	FragmentBit  = 1 << 31 // FRAGMENT_BIT, high bit of the sequence number
	FragmentSize = 1300    // FRAGMENT_SIZE, MAX_PACKETLEN - 100
)

// An Encoding is how the messages of a session are protected.
type Encoding uint8

// The encodings.
const (
	Unknown   Encoding = iota
	Legacy             // the body is ciphered
	Native             // the header has a checksum
	Scrambled          // the packet is scrambled by its number and length
	Recorded           // neither: a message of a recording
	Unread             // not known: nothing of a packet is read
)

// String returns the word of the records.
func (e Encoding) String() string {
	return [...]string{"", "legacy", "native", "scrambled", "demo", ""}[e]
}

// A Header is a parsed netchan header.
type Header struct {
	Sequence    uint32 // without the fragment bit
	Fragmented  bool
	FromClient  bool
	Qport       uint16
	Checksum    uint32
	HasChecksum bool
	Start, Size int  // of a fragment: its position in the message, and its announced length
	LongStart   bool // the position has 32 bits, as in Medal of Honor
	Length      int  // of the header, in bytes
	Cut         bool // of a fragment: fewer bytes than position and length announce
}

// HeaderSize is the size of a header with neither checksum nor fragment.
func HeaderSize(fromClient bool) int {
	if fromClient {
		return 6
	}
	return 4
}

// Parse parses the header of a packet. It returns false if the packet is too short for one.
func (h *Header) Parse(p []byte, fromClient bool, enc Encoding) bool {
	*h = Header{FromClient: fromClient, HasChecksum: enc == Native}
	need := HeaderSize(fromClient)
	if h.HasChecksum {
		need += 4
	}
	if len(p) < need {
		return false
	}
	word := binary.LittleEndian.Uint32(p)
	h.Sequence, h.Fragmented = word&^FragmentBit, word&FragmentBit != 0
	h.Length = 4
	if fromClient {
		h.Qport = binary.LittleEndian.Uint16(p[h.Length:])
		h.Length += 2
	}
	if h.HasChecksum {
		h.Checksum = binary.LittleEndian.Uint32(p[h.Length:])
		h.Length += 4
	}
	if h.Fragmented {
		if h.Cut = len(p) < need+4; h.Cut {
			return false
		}
		h.Start = int(binary.LittleEndian.Uint16(p[h.Length:]))
		h.Size = int(binary.LittleEndian.Uint16(p[h.Length+2:]))
		if h.Length += 4; h.Size == 0 {
			h.parseLongStart(p)
		}
	}
	return true
}

// parseLongStart reads the size of a fragment whose position has 32 bits; the high ones are 0 in every
// message. Where it has 16, a size of 0 ends the packet.
func (h *Header) parseLongStart(p []byte) {
	rest := p[h.Length:]
	if len(rest) < 2 {
		return
	}
	if size := int(binary.LittleEndian.Uint16(rest)); size >= len(rest)-2 && size <= FragmentSize {
		h.LongStart, h.Size = true, size
		h.Length += 2
	}
}

// MoreFragments reports whether a message of size bytes takes more fragments than one of length bytes.
func MoreFragments(size, length int) bool { return size/FragmentSize > length/FragmentSize }

// Fragments returns the packets of a message that had length bytes, with another body. packet is one of those that it
// came in, with the header h. There are as many as before, since the last one can take more; none if that does not
// suffice.
func Fragments(h *Header, packet, body []byte, length int) (list [][]byte) {
	if MoreFragments(len(body), length) {
		return nil
	}
	count := length/FragmentSize + 1 // the last is shorter, and may be empty
	for start := 0; start < count*FragmentSize; start += FragmentSize {
		part := body[min(start, len(body)):min(start+FragmentSize, len(body))]
		made := append(append(make([]byte, 0, h.Length+len(part)), packet[:h.Length]...), part...)
		place := made[h.Length-4:]
		if h.LongStart {
			place = made[h.Length-6:]
		}
		binary.LittleEndian.PutUint16(place, uint16(start))
		binary.LittleEndian.PutUint16(made[h.Length-2:], uint16(len(part)))
		list = append(list, made)
	}
	return list
}

// Checksum is what a native packet of a challenge and sequence carries, NETCHAN_GENCHECKSUM in
// code/qcommon/qcommon.h.
func Checksum(challenge int32, sequence uint32) uint32 {
	return uint32(challenge) ^ sequence*uint32(challenge)
}

// SolveChallenge finds the challenge of a native packet whose sequence number is even: bit k of the
// product depends on lower bits of the challenge alone, so they come out one after the other.
func SolveChallenge(sum, sequence uint32) int32 {
	var c uint32
	for k := range 32 {
		c |= (sum ^ sequence*c) & (1 << k)
	}
	return int32(c)
}

// The cipher of legacy sessions begins after these bytes of the message body, SV_ENCODE_START and
// CL_ENCODE_START in code/qcommon/qcommon.h.
const (
	ServerClearBytes = 4
	ClientClearBytes = 12
)

// SideIndex is 0 for the server and 1 for the client, in what is kept for each.
func SideIndex(fromClient bool) int {
	if fromClient {
		return 1
	}
	return 0
}
