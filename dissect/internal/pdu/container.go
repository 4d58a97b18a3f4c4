package pdu

import (
	"encoding/binary"
	"slices"
)

// The beginning of a container. All its numbers are little-endian.
const (
	Magic   = "q3pd"
	Version = 1
	HeadLen = 112 // bytes, of this version

	headFixed = 64 // before the lengths of the sections
)

// MaxPacket is the longest packet of the link type that Wireshark reads, in bytes: WTAP_MAX_PACKET_SIZE_STANDARD of
// wiretap/wtap.h.
const MaxPacket = 262144

// A Flag is a property of a packet.
type Flag uint32

// The flags.
const (
	HasTime  Flag = 1 << iota // Time is known
	Recorded                  // a message of a recording: Frame is its number there, from 1
	UDP                       // a UDP datagram, or a message of a recording
	Beside                    // the packet that it came from is in the same file
	Known                     // of a known protocol
)

// A Head is the fixed part of a container.
type Head struct {
	Flags     Flag
	List      uint32 // hash of the list of fields that the numbers of the nodes belong to
	Frame     uint64 // number of the packet in the input, from 1
	Time      int64  // Unix time in nanoseconds
	FirstTime int64  // of the input's first packet
	Stream    int32  // -1: none
	Length    uint32 // bytes on the wire
	Captured  uint32 // bytes in the input
	SrcPort   uint16
	DstPort   uint16
	Direction uint8  // 0: undecidable, 1: from the client to the server, 2: from the server to the client
	Severity  uint8  // the highest of the expert entries: 0 none, 1 note, 2 warning, 3 error
	LeftOut   uint32 // nodes that the container has no room for

	Sections [NumSections][]byte
}

// A Section is one of the variable parts. They follow the head in this order, without gaps.
type Section int

// The sections.
const (
	Program     Section = iota // name and version of the program that wrote it
	File                       // name of the input, if there are several
	Src                        // address, as text
	Dst                        //
	Protocol                   // name of the protocol
	Info                       // text of the list's last column
	IPFragments                // numbers of the packets, 8 bytes each
	Experts                    // ExpertLen bytes each
	Nodes                      // NodeLen bytes each
	Texts                      // of nodes and expert entries
	Message                    // the reassembled, deciphered message
	// that carried the message, the packet's own as the last: DatagramLen bytes and the bytes of each
	Datagrams
	NumSections
)

// Lengths of entries, in bytes.
const (
	NodeLen     = 22
	ExpertLen   = 32
	DatagramLen = 24
)

// Append appends a container.
func (h *Head) Append(dst []byte) []byte {
	size := HeadLen
	for _, s := range h.Sections {
		size += len(s)
	}
	le := binary.LittleEndian
	dst = append(slices.Grow(dst, size), Magic...)
	dst = le.AppendUint16(dst, Version)
	dst = le.AppendUint16(dst, HeadLen)
	dst = le.AppendUint32(dst, uint32(h.Flags))
	dst = le.AppendUint32(dst, h.List)
	dst = le.AppendUint64(dst, h.Frame)
	dst = le.AppendUint64(dst, uint64(h.Time))
	dst = le.AppendUint64(dst, uint64(h.FirstTime))
	dst = le.AppendUint32(dst, uint32(h.Stream))
	dst = le.AppendUint32(dst, h.Length)
	dst = le.AppendUint32(dst, h.Captured)
	dst = le.AppendUint16(dst, h.SrcPort)
	dst = le.AppendUint16(dst, h.DstPort)
	dst = append(dst, h.Direction, h.Severity, 0, 0)
	dst = le.AppendUint32(dst, h.LeftOut)
	for _, s := range h.Sections {
		dst = le.AppendUint32(dst, uint32(len(s)))
	}
	for _, s := range h.Sections {
		dst = append(dst, s...)
	}
	return dst
}

// Parse reads a container of this version or of one that has more in its head. The sections are parts of b. ok is false
// if it is damaged, cut, or of another format.
func Parse(b []byte) (h Head, ok bool) {
	le := binary.LittleEndian
	if len(b) < HeadLen || string(b[:4]) != Magic || le.Uint16(b[4:]) != Version {
		return h, false
	}
	h = Head{
		Flags: Flag(le.Uint32(b[8:])), List: le.Uint32(b[12:]), Frame: le.Uint64(b[16:]),
		Time: int64(le.Uint64(b[24:])), FirstTime: int64(le.Uint64(b[32:])), Stream: int32(le.Uint32(b[40:])),
		Length: le.Uint32(b[44:]), Captured: le.Uint32(b[48:]), SrcPort: le.Uint16(b[52:]), DstPort: le.Uint16(b[54:]),
		Direction: b[56], Severity: b[57], LeftOut: le.Uint32(b[60:]),
	}
	headLen := int(le.Uint16(b[6:]))
	if headLen < HeadLen || headLen > len(b) {
		return h, false
	}
	rest := b[headLen:]
	for i := range h.Sections {
		n := le.Uint32(b[headFixed+4*i:])
		if uint64(n) > uint64(len(rest)) {
			return h, false
		}
		h.Sections[i], rest = rest[:n:n], rest[n:]
	}
	return h, true
}

// A Datagram is one of those that carried a message.
type Datagram struct {
	Frame  uint64 // number of the packet in the input, as in Head
	Time   int64  // Unix time in nanoseconds
	Length uint32 // bytes on the wire
	Bytes  []byte // as far as they are in the input; of an earlier one that was not kept, none
}

// AppendDatagram appends an entry of the section Datagrams.
func AppendDatagram(dst []byte, d *Datagram) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint64(dst, d.Frame)
	dst = le.AppendUint64(dst, uint64(d.Time))
	dst = le.AppendUint32(dst, d.Length)
	dst = le.AppendUint32(dst, uint32(len(d.Bytes)))
	return append(dst, d.Bytes...)
}

// NextDatagram splits the first entry from a section Datagrams. ok is false at its end, and where it is damaged.
func NextDatagram(b []byte) (d Datagram, rest []byte, ok bool) {
	le := binary.LittleEndian
	if len(b) < DatagramLen {
		return d, nil, false
	}
	d = Datagram{Frame: le.Uint64(b), Time: int64(le.Uint64(b[8:])), Length: le.Uint32(b[16:])}
	n := le.Uint32(b[20:])
	if b = b[DatagramLen:]; uint64(n) > uint64(len(b)) {
		return d, nil, false
	}
	d.Bytes = b[:n:n]
	return d, b[n:], true
}

// A Kind is the type of a node's value, with where its bits are.
type Kind uint8

// The kinds, and the bits that are added to them.
const (
	None  Kind = iota // a container: the nodes that follow and are deeper are in it
	Bool              // 0 or 1
	Uint              // unsigned, 64 bits
	Int               // signed, 64 bits
	Float             // IEEE 754 single precision, in the lower 32 bits
	Text              // UTF-8 in the section Texts: offset in the lower 32 bits, length in the upper ones

	Beneath    Kind = 0x10 // the name or the bytes of the value of the node before it
	InDatagram Kind = 0x20 // positions count in the packet's own datagram
	InMessage  Kind = 0x40 // positions count in the message
)

// A Node is an entry of the section Nodes.
type Node struct {
	ID    uint32 // of the path and type: see ID
	Depth uint8  // containers around it
	Kind  Kind
	Bit   uint32 // position of the first bit
	Bits  uint32 // bits on the wire; 0 for a derived value
	Value uint64
}

// AppendNode appends an entry of the section Nodes.
func AppendNode(dst []byte, n *Node) []byte {
	var b [NodeLen]byte
	le := binary.LittleEndian
	le.PutUint32(b[0:], n.ID)
	b[4], b[5] = n.Depth, byte(n.Kind)
	le.PutUint32(b[6:], n.Bit)
	le.PutUint32(b[10:], n.Bits)
	le.PutUint64(b[14:], n.Value)
	return append(dst, b[:]...)
}

// An Expert is an entry of the section Experts. Texts are an offset in the section Texts and a length, in bytes.
type Expert struct {
	Severity             uint8 // 1 note, 2 warning, 3 error
	Bit                  uint32
	Code, Field, Message [2]uint32
}

// AppendExpert appends an entry of the section Experts.
func AppendExpert(dst []byte, e *Expert) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint32(append(dst, e.Severity, 0, 0, 0), e.Bit)
	for _, text := range [...][2]uint32{e.Code, e.Field, e.Message} {
		dst = le.AppendUint32(le.AppendUint32(dst, text[0]), text[1])
	}
	return dst
}

// ID returns the number of a field: the FNV-1a hash of its path, a colon and the letter of its type.
func ID(path string, letter byte) uint32 {
	return Letter(Extend(fnvOffset, path), letter)
}

// FNV-1a, 32 bits: draft-eastlake-fnv.
const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

// Extend continues the hash of a path.
func Extend(hash uint32, path string) uint32 {
	for i := range len(path) {
		hash = (hash ^ uint32(path[i])) * fnvPrime
	}
	return hash
}

// Letter ends the hash of a path with the letter of a type.
func Letter(hash uint32, letter byte) uint32 {
	return ((hash^':')*fnvPrime ^ uint32(letter)) * fnvPrime
}

// Start is the hash of an empty path.
const Start uint32 = fnvOffset

// AppendFrame appends an entry of the section IPFragments.
func AppendFrame(dst []byte, frame uint64) []byte {
	return binary.LittleEndian.AppendUint64(dst, frame)
}
