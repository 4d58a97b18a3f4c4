// Package pdu is the format of dissected messages in captures: what a packet of link type 252 (Wireshark's exported
// PDUs) consists of. docs/wireshark.md describes every byte.
package pdu

import (
	"encoding/binary"
	"net/netip"
)

// LinkType is LINKTYPE_WIRESHARK_UPPER_PDU of https://www.tcpdump.org/linktypes.html.
const LinkType = 252

// Dissector is the name by which Wireshark finds the dissector of the packets.
const Dissector = "q3dissect"

// Tags before the container, big-endian: a number, the length of the value in bytes, the value. Wireshark writes values
// with a multiple of four bytes.
//
// Source: EXP_PDU_TAG_ constants of epan/exported_pdu.h, Wireshark 4.0 to 4.4.
const (
	tagEnd       = 0
	tagDissector = 12
	tagIPv4Src   = 20
	tagIPv4Dst   = 21
	tagIPv6Src   = 22
	tagIPv6Dst   = 23
	tagPortType  = 24
	tagSrcPort   = 25
	tagDstPort   = 26
	tagFrame     = 30

	portTypeUDP = 3 // EXP_PDU_PT_UDP

	tagHeadLen = 4 // bytes
)

// AppendTags appends the tags of a message. Addresses that are not valid have none. The number of the frame in the
// original file is cut to the 32 bits that its tag has.
func AppendTags(dst []byte, from, to netip.AddrPort, frame uint64) []byte {
	dst = appendTag(dst, tagDissector, []byte(Dissector))
	if from.IsValid() && to.IsValid() {
		dst = appendAddr(dst, from.Addr().Unmap(), tagIPv4Src, tagIPv6Src)
		dst = appendAddr(dst, to.Addr().Unmap(), tagIPv4Dst, tagIPv6Dst)
		dst = appendNumber(dst, tagPortType, portTypeUDP)
		dst = appendNumber(dst, tagSrcPort, uint32(from.Port()))
		dst = appendNumber(dst, tagDstPort, uint32(to.Port()))
	}
	if frame > 0 {
		dst = appendNumber(dst, tagFrame, uint32(frame))
	}
	return append(dst, 0, tagEnd, 0, 0)
}

func appendTag(dst []byte, tag uint16, value []byte) []byte {
	padding := -len(value) & 3
	dst = binary.BigEndian.AppendUint16(dst, tag)
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(value)+padding))
	return append(append(dst, value...), make([]byte, padding)...)
}

func appendNumber(dst []byte, tag uint16, value uint32) []byte {
	return binary.BigEndian.AppendUint32(append(dst, 0, byte(tag), 0, 4), value)
}

func appendAddr(dst []byte, a netip.Addr, tag4, tag6 uint16) []byte {
	if a.Is4() {
		b := a.As4()
		return appendTag(dst, tag4, b[:])
	}
	b := a.As16()
	return appendTag(dst, tag6, b[:])
}

// Container returns the container of a packet of the link type, or ok false if the packet is of another dissector or
// its tags are damaged. The slice is a part of b.
func Container(b []byte) (container []byte, ok bool) {
	for len(b) >= tagHeadLen {
		tag, n := binary.BigEndian.Uint16(b), int(binary.BigEndian.Uint16(b[2:]))
		if b = b[tagHeadLen:]; n > len(b) {
			return nil, false
		}
		switch tag {
		case tagEnd:
			return b[n:], ok
		case tagDissector:
			ok = string(trimZeros(b[:n])) == Dissector
		}
		b = b[n:]
	}
	return nil, false
}

func trimZeros(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return b
}
