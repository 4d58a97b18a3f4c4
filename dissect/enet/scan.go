package enet

import (
	"encoding/binary"
	"math"

	"github.com/q3dissect/q3dissect/dissect"
)

// A layout is one of the formats that an ENet packet can have.
type layout struct {
	generation generation
	checksum   bool // 1.3 or 2 with a checksum
}

// layouts lists all layouts, the likeliest first.
var layouts = [...]layout{
	{},
	{checksum: true},
	{generation: v20},
	{generation: v20, checksum: true},
	{generation: v12},
	{generation: v10},
	{generation: photon},
}

// Flags in the peer number. 1.1 and 1.2 have only the first one, and 1.0 has none.
const (
	timeFlag   = 1 << 15
	packedFlag = 1 << 14
	timeFlag20 = 1 << 14
	noPeer13   = 1<<12 - 1
	noPeer12   = 1<<15 - 1
	noPeer10   = 1<<16 - 1
)

// noPeer is the peer number in packets to a peer that has not assigned one yet.
var noPeer = [generations]uint16{noPeer13, noPeer12, noPeer13, noPeer10, noPeer10}

// checksumLen is the size of a checksum in the header, in bytes.
func (l layout) checksumLen() int {
	if l.generation == v20 {
		return 8
	}
	return 4
}

// A header is the parsed header of a packet.
type header struct {
	peer   uint16
	packed bool
	timed  bool
	time   uint32
	count  int // number of commands, which only 1.0 and Photon have in the header; else -1
	size   int // bytes of the header

	wide              bool // 2: the packet has a checksum, of eight bytes
	summed, encrypted bool // Photon: the packet has a checksum; it is encrypted
}

// headerLen10 is the size of the header in 1.0.
const headerLen10 = 12

// parse reads the header of a packet.
func (h *header) parse(b []byte, l layout) bool {
	*h = header{count: -1}
	switch l.generation {
	case photon:
		if h.encrypted = len(b) >= photonEncryptedLen && b[2] == photonEncrypted; h.encrypted {
			h.peer, h.size = binary.BigEndian.Uint16(b), photonEncryptedLen
			return true
		}
		fallthrough
	case v10:
		if len(b) < headerLen10 {
			return false
		}
		h.peer, h.timed, h.time = binary.BigEndian.Uint16(b), true, binary.BigEndian.Uint32(b[4:])
		h.count, h.size = int(b[3]), headerLen10
		if h.summed = l.generation == photon && b[2] == photonChecksum; h.summed {
			h.size = photonChecksumLen
		}
		return len(b) >= h.size
	case v12:
		h.size = 4
	}
	if len(b) < h.size+2 {
		return false
	}
	word := binary.BigEndian.Uint16(b[h.size:])
	h.size += 2
	h.timed = word&timeFlag != 0
	h.peer = word & noPeer12
	switch l.generation {
	case v13:
		h.packed = word&packedFlag != 0
		h.peer = word & noPeer13
	case v20:
		h.timed = word&timeFlag20 != 0
		h.peer = word & noPeer13
	}
	if h.timed {
		if len(b) < h.size+2 {
			return false
		}
		h.time = uint32(binary.BigEndian.Uint16(b[h.size:]))
		h.size += 2
	}
	if l.checksum {
		h.size += l.checksumLen()
		h.wide = l.generation == v20
	}
	return len(b) >= h.size
}

// A commandHead is the parsed beginning of a command.
type commandHead struct {
	number   byte // in today's numbering; 0: no command
	flags    byte // in today's numbering
	channel  uint8
	sequence uint32
	size     int // 1.0 and Photon: bytes of the command
}

// line returns the number of the sequence that the command's reliable number counts in: that of its channel.
// Photon has one more channel, for commands without order.
func (h *commandHead) line() uint16 {
	n := uint16(h.channel)
	if h.number == opReliableUnsequenced || h.number == opFragmentUnsequenced {
		n |= 1 << 8
	}
	return n
}

// opOf returns today's number of a command from its first byte; 0 if there is none.
func opOf(b byte, g generation) byte {
	switch {
	case !g.long():
		b &= opMask
	case g == photon && int(b) >= len(opsPhoton):
		return opOther
	case g == photon && b > opFragment:
		return opsPhoton[b]
	case int(b) >= len(ops10):
		return 0
	case ops10[b] != 0:
		return ops10[b]
	}
	if b == 0 || int(b) >= len(commandTable) || commandTable[b].shapes[g] == nil {
		return 0
	}
	return b
}

// commandHeadLen is the size of a command's head, in bytes.
func commandHeadLen(g generation) int {
	if g.long() {
		return 12
	}
	return 4
}

// parse reads the head of a command.
func (h *commandHead) parse(b []byte, g generation) bool {
	*h = commandHead{}
	if len(b) < commandHeadLen(g) {
		return false
	}
	h.number, h.channel = opOf(b[0], g), b[1]
	if !g.long() {
		h.flags, h.sequence = b[0]&^opMask, uint32(binary.BigEndian.Uint16(b[2:]))
		return true
	}
	if b[2]&ackFlag10 != 0 {
		h.flags |= ackFlag
	}
	if b[2]&unsequencedFlag10 != 0 {
		h.flags |= unsequencedFlag
	}
	size := binary.BigEndian.Uint32(b[4:])
	h.size, h.sequence = int(min(size, math.MaxInt32)), binary.BigEndian.Uint32(b[8:])
	return true
}

// A scanner walks through packets only to check their lengths. The zero value is ready.
type scanner struct {
	found
	unpack *unpacker // nil before the first compressed packet
}

// An unpacker decodes compressed packets.
type unpacker struct {
	coder  rangeDecoder
	buffer [maxMTU]byte
}

// maxMTU is the size of the largest packet, ENET_PROTOCOL_MAXIMUM_MTU.
const maxMTU = 4096

// A found is the result of a scan.
type found struct {
	head     header
	unpacked []byte // the commands; valid until the next scan
	commands int
	acks     int
	data     int
	marked   bool // some command has a pattern that is rare by chance
	photon   bool // some command, of a packet that 1.0 could have too, is as Photon writes it

	// The newest reliable command and acknowledgement.
	reliable             bool
	channel              uint8
	sequence             uint32
	ackChannel           uint8
	ackSequence, ackTime uint32

	connect bool   // there is a request for a connection
	verify  []byte // an acceptance of one; valid until the next scan
	ends    int    // 1 more than the number of a command that ends the connection; 0: there is none
}

// scan reports whether the packet fits the layout exactly. A compressed packet fits if the range
// coder decodes it to commands.
func (s *scanner) scan(b []byte, l layout) bool {
	s.found = found{}
	if !s.head.parse(b, l) {
		return false
	}
	s.unpacked = b[s.head.size:]
	if s.head.packed && !s.decode() || s.head.encrypted {
		return false
	}
	if s.head.count < 0 {
		_, ok := s.walk(s.unpacked, l.generation, math.MaxInt)
		return ok
	}
	used, ok := s.walk(s.unpacked, l.generation, s.head.count)
	if rest := s.unpacked[used:]; ok && len(rest) > 0 {
		return l.generation == photon && s.joined(b, rest)
	}
	return ok && s.commands == s.head.count
}

// explains reports whether a packet with commands fits the layout exactly.
func (s *scanner) explains(b []byte, l layout) bool { return s.scan(b, l) && s.commands > 0 }

// sign reads what a packet shows of its sender's connection. Who ended one sends acknowledgements alone, and the end
// that is pending again.
func (s *scanner) sign(b []byte, g generation, pending uint64) (sign dissect.Sign) {
	l := layout{generation: g}
	if g.long() && !s.explains(b, l) {
		l.generation = v10 + photon - g // the one of the two that the connection's first packet did not show
	}
	if !s.explains(b, l) {
		if l.checksum = true; !g.recent() || !s.explains(b, l) {
			return sign
		}
	}
	sign.Connection = uint64(s.head.peer)
	switch {
	case g.long():
		sign.Connection |= uint64(binary.BigEndian.Uint32(b[headerLen10-4:])) << 16
	case g.recent():
		sign.Connection |= uint64(b[0]>>4&3) << 16
	}
	sign.Ends = uint64(s.ends)
	sign.Begins = s.connect
	sign.GoesOn = !s.connect && s.commands > s.acks && sign.Ends != pending
	return sign
}

// decode decompresses the packet.
func (s *scanner) decode() (ok bool) {
	if s.unpack == nil {
		s.unpack = &unpacker{}
	}
	s.unpacked, ok = s.unpack.coder.decode(s.unpack.buffer[:0], s.unpacked, maxMTU-s.head.size)
	return ok
}

// walk goes through commands, at most so many, and returns how many bytes they have.
func (s *scanner) walk(b []byte, g generation, most int) (used int, ok bool) {
	var h commandHead
	whole := len(b)
	for n := 0; len(b) > 0 && n < most; n++ {
		if !h.parse(b, g) || h.number == 0 {
			return whole - len(b), false
		}
		command := commandTable[h.number]
		shape := command.shapes[g]
		if shape.size > len(b) || h.number != opOther && h.flags != command.flags[0] && h.flags != command.flags[1] {
			return whole - len(b), false
		}
		size := shape.size
		switch {
		case g.long() && (h.size < size || !command.data && h.size > size):
			return whole - len(b), false
		case g.long():
			size = h.size
		case shape.lengthAt > 0:
			size += int(binary.BigEndian.Uint16(b[shape.lengthAt:]))
		}
		if size > len(b) || command.peer != (h.channel == noChannel) && (command.peer || command.carries) {
			return whole - len(b), false
		}
		if command.carries {
			s.data += size - shape.size
		}
		s.photon = s.photon || g.long() && looksLikePhoton(b, b[shape.size:size])
		s.inspect(b, &h, shape)
		b = b[size:]
		s.commands++
	}
	return whole - len(b), true
}

// inspect records what a command shows about the connection.
func (s *scanner) inspect(b []byte, h *commandHead, shape *shape) {
	if h.number != opAcknowledge && h.number != opAcknowledgeUnsequenced {
		s.marked = true
		switch h.number {
		case opConnect:
			s.connect = true
		case opVerify:
			s.verify = b[:shape.size]
		case opDisconnect:
			s.ends = int(h.sequence) + 1
		}
		if h.flags&ackFlag != 0 {
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
	// Today's library writes the number twice; earlier ones leave the first place undefined.
	s.marked = s.marked || s.ackSequence == h.sequence
}
