package gamestudio

import (
	"encoding/binary"
	"math"
)

// A layout is how a packet of ENet is put together.
type layout struct {
	generation generation
	checksum   bool // 1.3 with a checksum
}

// enetLayouts are all of them, the likeliest first.
var enetLayouts = [...]layout{{}, {checksum: true}, {generation: enet12}, {generation: enet10}}

// Bits of the peer number. 1.1 and 1.2 have the first one alone, and 1.0 has none.
const (
	enetTimeFlag   = 1 << 15
	enetPackedFlag = 1 << 14
	enetPeerNew    = 1<<12 - 1
	enetPeerOld    = 1<<15 - 1
	enetPeerFirst  = 1<<16 - 1
)

// enetNoPeer is the peer number of a packet to somebody who gave none yet.
var enetNoPeer = [enetGenerations]uint16{enetPeerNew, enetPeerOld, enetPeerFirst}

// An enetHeader is the header of a packet taken apart.
type enetHeader struct {
	peer   uint16
	packed bool
	timed  bool
	time   uint32
	count  int // commands, which 1.0 tells; else -1
	size   int // bytes of the header
}

// enetFirstHeader is the size of the header in 1.0.
const enetFirstHeader = 12

// parse takes the header off a packet.
func (h *enetHeader) parse(b []byte, l layout) bool {
	*h = enetHeader{count: -1}
	switch l.generation {
	case enet10:
		if len(b) < enetFirstHeader {
			return false
		}
		h.peer, h.timed, h.time = binary.BigEndian.Uint16(b), true, binary.BigEndian.Uint32(b[4:])
		h.count, h.size = int(b[3]), enetFirstHeader
		return true
	case enet12:
		h.size = 4
	}
	if len(b) < h.size+2 {
		return false
	}
	word := binary.BigEndian.Uint16(b[h.size:])
	h.size += 2
	h.timed = word&enetTimeFlag != 0
	h.peer = word & enetPeerOld
	if l.generation == enet13 {
		h.packed = word&enetPackedFlag != 0
		h.peer = word & enetPeerNew
	}
	if h.timed {
		if len(b) < h.size+2 {
			return false
		}
		h.time = uint32(binary.BigEndian.Uint16(b[h.size:]))
		h.size += 2
	}
	if l.checksum {
		h.size += 4
	}
	return len(b) >= h.size
}

// An enetHead is what every command begins with.
type enetHead struct {
	number   byte // of today; 0: no command
	flags    byte // of today
	channel  uint8
	sequence uint32
	size     int // 1.0: bytes of the command
}

// enetNumberOf gives the number of a command, of today, from its first byte; 0: there is none.
func enetNumberOf(b byte, g generation) byte {
	switch {
	case g != enet10:
		b &= enetOpMask
	case int(b) >= len(enetFirstNumbers):
		return 0
	case enetFirstNumbers[b] != 0:
		return enetFirstNumbers[b]
	}
	if b == 0 || int(b) >= len(enetCommandTable) || enetCommandTable[b].shapes[g] == nil {
		return 0
	}
	return b
}

// enetHeadSize is the size of it.
func enetHeadSize(g generation) int {
	if g == enet10 {
		return 12
	}
	return 4
}

// parse takes the head off a command.
func (h *enetHead) parse(b []byte, g generation) bool {
	*h = enetHead{}
	if len(b) < enetHeadSize(g) {
		return false
	}
	h.number, h.channel = enetNumberOf(b[0], g), b[1]
	if g != enet10 {
		h.flags, h.sequence = b[0]&^enetOpMask, uint32(binary.BigEndian.Uint16(b[2:]))
		return true
	}
	if b[2]&enetFirstAckFlag != 0 {
		h.flags |= enetAckFlag
	}
	if b[2]&enetFirstUnsequencedFlag != 0 {
		h.flags |= enetUnsequencedFlag
	}
	size := binary.BigEndian.Uint32(b[4:])
	h.size, h.sequence = int(min(size, math.MaxInt32)), binary.BigEndian.Uint32(b[8:])
	return true
}

// An enetScan walks through packets for their lengths alone. The zero value is ready.
type enetScan struct {
	enetFound
	unpack *enetUnpacker // nil before the first compressed packet
}

// An enetUnpacker decodes compressed packets.
type enetUnpacker struct {
	coder rangeDecoder
	plain [enetMaxMTU]byte
}

// enetMaxMTU is the size of the largest packet, ENET_PROTOCOL_MAXIMUM_MTU.
const enetMaxMTU = 4096

// An enetFound is what a scan found.
type enetFound struct {
	head     enetHeader
	plain    []byte // the commands; valid until the next scan
	commands int
	acks     int
	data     int
	marked   bool // some command has what chance hardly has

	// The newest reliable command and acknowledgement.
	reliable             bool
	channel              uint8
	sequence             uint32
	ackChannel           uint8
	ackSequence, ackTime uint32
}

// scan reports whether the layout explains the packet to its end. A compressed one is explained if the range
// coder decodes it, to commands.
func (s *enetScan) scan(b []byte, l layout) bool {
	s.enetFound = enetFound{}
	if !s.head.parse(b, l) {
		return false
	}
	s.plain = b[s.head.size:]
	if s.head.packed && !s.decode() {
		return false
	}
	return s.walk(s.plain, l.generation) && (s.head.count < 0 || s.commands == s.head.count)
}

// explains reports whether the layout explains a packet that has commands.
func (s *enetScan) explains(b []byte, l layout) bool { return s.scan(b, l) && s.commands > 0 }

// decode decompresses the packet.
func (s *enetScan) decode() (ok bool) {
	if s.unpack == nil {
		s.unpack = &enetUnpacker{}
	}
	s.plain, ok = s.unpack.coder.decode(s.unpack.plain[:0], s.plain, enetMaxMTU-s.head.size)
	return ok
}

// walk goes through commands.
func (s *enetScan) walk(b []byte, g generation) bool {
	var h enetHead
	for len(b) > 0 {
		if !h.parse(b, g) || h.number == 0 {
			return false
		}
		command := enetCommandTable[h.number]
		shape := command.shapes[g]
		if shape.size > len(b) || h.flags != command.flags[0] && h.flags != command.flags[1] {
			return false
		}
		size := shape.size
		switch {
		case g == enet10 && (h.size < size || !command.data && h.size > size):
			return false
		case g == enet10:
			size = h.size
		case shape.lengthAt > 0:
			size += int(binary.BigEndian.Uint16(b[shape.lengthAt:]))
		}
		if size > len(b) || command.peer != (h.channel == enetNoChannel) && h.number != enetAcknowledge {
			return false
		}
		s.data += size - shape.size
		s.note(b, &h, shape)
		b = b[size:]
		s.commands++
	}
	return true
}

// note notes what a command tells of the connection.
func (s *enetScan) note(b []byte, h *enetHead, shape *enetShape) {
	if h.number != enetAcknowledge {
		s.marked = true
		if h.flags&enetAckFlag != 0 {
			s.reliable, s.channel, s.sequence = true, h.channel, h.sequence
		}
		return
	}
	s.acks++
	s.ackChannel = h.channel
	if at := shape.size - 8; shape.slots[0].size == 4 {
		s.ackSequence, s.ackTime = binary.BigEndian.Uint32(b[at:]), binary.BigEndian.Uint32(b[at+4:])
		s.marked = true
		return
	}
	s.ackSequence, s.ackTime = uint32(binary.BigEndian.Uint16(b[4:])), uint32(binary.BigEndian.Uint16(b[6:]))
	// Today's library writes the number twice; earlier ones leave something in the first place.
	s.marked = s.marked || s.ackSequence == h.sequence
}
