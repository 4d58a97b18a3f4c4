package headers

import (
	"bytes"
	"encoding/binary"

	"github.com/gopacket/gopacket/layers"
)

// Link types whose packets begin with facts about the capture, and name the link layer that follows.
const (
	linkPrism = 119
	linkAVS   = 163
	linkPPI   = 192
	linkNFLOG = 239
	linkPKTAP = 258

	linkARCNETBSD   = 7
	linkARCNETLinux = 129
)

// wrapped decodes a packet of another link layer after the header of a capture.
func (d *Decoder) wrapped(linkType layers.LinkType, s Span) Outcome {
	if !d.enter() {
		return d.notUDP("too many tunnels")
	}
	v := d.link(linkType, s)
	if v == ForeignLink {
		return d.notUDP(LinkTypeName(linkType))
	}
	return v
}

// ppi decodes the Per-Packet Information header: PPI specification 1.0.10, section 3.1.
func (d *Decoder) ppi(s Span) Outcome {
	if !s.has(8) || s.Data[0] != 0 {
		return d.bad("PPI")
	}
	length := int(binary.LittleEndian.Uint16(s.Data[2:]))
	linkType := binary.LittleEndian.Uint32(s.Data[4:])
	if length < 8 || !s.has(length) || linkType > 0xffff {
		return d.bad("PPI")
	}
	return d.wrapped(layers.LinkType(linkType), s.from(length))
}

// pktap decodes the header of Apple's interface pktap: struct pktap_header in bsd/net/pktap.h of XNU, in the byte order
// of the machine, which is little-endian since macOS has the interface.
func (d *Decoder) pktap(s Span) Outcome {
	const packet = 1
	if !s.has(36) {
		return d.bad("PKTAP")
	}
	length, next, linkType := binary.LittleEndian.Uint32(s.Data), binary.LittleEndian.Uint32(s.Data[4:]),
		binary.LittleEndian.Uint32(s.Data[8:])
	if length < 36 || length > uint32(len(s.Data)) || linkType > 0xffff {
		return d.bad("PKTAP")
	}
	if next != packet {
		return d.notUDP("PKTAP")
	}
	if name, _, _ := bytes.Cut(s.Data[12:36], []byte{0}); d.Link != nil && len(name) > 0 {
		if d.tapped != string(name) {
			d.tapped = string(name)
		}
		d.Link.Interface = d.tapped
	}
	return d.wrapped(layers.LinkType(linkType), s.from(int(length)))
}

// nflog decodes a packet that netfilter logged: a header and attributes in the byte order of the machine; one of them
// is the packet. https://www.tcpdump.org/linktypes/LINKTYPE_NFLOG.html
func (d *Decoder) nflog(s Span) Outcome {
	const familyIPv4, familyIPv6, familyBridge, payload = 2, 10, 7, 9
	if !s.has(4) || s.Data[1] != 0 {
		return d.bad("NFLOG")
	}
	family := s.Data[0]
	s = s.from(4)
	bigEndian := s.has(2) && s.u16(0) < 256 && binary.LittleEndian.Uint16(s.Data) >= 256 // the first attribute is short
	for s.has(4) {
		length, kind := int(u16(s.Data, bigEndian)), u16(s.Data[2:], bigEndian)
		if length < 4 {
			return d.bad("NFLOG")
		}
		if kind == payload {
			s = s.upTo(min(length, s.Wire)).from(4)
			switch family {
			case familyIPv4:
				return d.ipv4(s)
			case familyIPv6:
				return d.ipv6(s)
			case familyBridge:
				return d.ip(s)
			}
			return d.notUDP("NFLOG")
		}
		if next := (length + 3) &^ 3; s.has(next) {
			s = s.from(next)
			continue
		}
		break
	}
	return d.bad("NFLOG, cut short")
}

func u16(b []byte, bigEndian bool) uint16 {
	if bigEndian {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

// prism decodes the header that old Wi-Fi drivers put before a frame, of the Prism chip or of AVS: both begin with a
// number and their length. Those of AVS are big-endian.
// https://www.tcpdump.org/linktypes/LINKTYPE_IEEE802_11_PRISM.html
func (d *Decoder) prism(s Span) Outcome {
	const avs, avsVersions = 0x80211000, 0xfffff000
	if !s.has(8) {
		return d.bad("802.11")
	}
	length := binary.LittleEndian.Uint32(s.Data[4:])
	if s.u32(0)&avsVersions == avs {
		length = s.u32(4)
	}
	if length < 8 || length > uint32(len(s.Data)) {
		return d.bad("802.11")
	}
	return d.wifi(s.from(int(length)))
}
