package headers

import "encoding/binary"

// radiotap decodes the header that a Wi-Fi card's driver puts before a frame. Of its fields only the
// flags matter: https://www.radiotap.org/fields/Flags.html.
func (d *Decoder) radiotap(s Span) Outcome {
	const hasClock, hasFlags, extended = 1 << 0, 1 << 1, 1 << 31 // bits of the first word of the field mask
	const clockLen = 8
	if !s.has(8) || s.Data[0] != 0 {
		return d.bad("radiotap")
	}
	headerLen := int(binary.LittleEndian.Uint16(s.Data[2:]))
	if headerLen < 8 || !s.has(headerLen) {
		return d.bad("radiotap")
	}
	header := s.Data[:headerLen]
	mask := binary.LittleEndian.Uint32(header[4:])
	at := 8
	for more := mask&extended != 0; more; at += 4 {
		if at+4 > headerLen {
			return d.bad("radiotap")
		}
		more = binary.LittleEndian.Uint32(header[at:])&extended != 0
	}
	if mask&hasClock != 0 {
		at = (at + clockLen - 1) &^ (clockLen - 1) // fields are aligned to their size
		at += clockLen
	}
	var flags byte
	if mask&hasFlags != 0 && at < headerLen {
		flags = header[at]
	}
	const hasChecksum, padded = 0x10, 0x20
	s = s.from(headerLen)
	if flags&hasChecksum != 0 && s.Wire >= 4 {
		s = s.upTo(s.Wire - 4)
	}
	return d.wifiFrame(s, flags&padded != 0)
}

// wifi decodes an 802.11 frame without radiotap header. It may end with a checksum: nothing marks one,
// and as IP has its own length nothing depends on it.
func (d *Decoder) wifi(s Span) Outcome { return d.wifiFrame(s, false) }

// Bits of an 802.11 frame's first two bytes: IEEE 802.11-2020, section 9.2.4.1.
const (
	wifiTypeMask  = 0x0c // first byte
	wifiTypeData  = 0x08
	wifiNoData    = 0x40
	wifiQoS       = 0x80
	wifiToDS      = 0x01 // second byte
	wifiFromDS    = 0x02
	wifiMoreFrags = 0x04
	wifiProtected = 0x40
	wifiOrder     = 0x80
)

// wifiFrame decodes an 802.11 frame; padded means that its header is padded to a multiple of 4 bytes.
func (d *Decoder) wifiFrame(s Span, padded bool) Outcome {
	if !s.has(24) {
		return d.notUDP("802.11")
	}
	kind, flags := s.Data[0], s.Data[1]
	switch {
	case kind&3 != 0 || kind&wifiTypeMask != wifiTypeData || kind&wifiNoData != 0:
		return d.notUDP("802.11")
	case flags&wifiProtected != 0:
		return d.notUDP("802.11, encrypted")
	case flags&wifiMoreFrags != 0 || s.Data[22]&0xf != 0: // the low bits of the sequence control
		return d.notUDP("802.11 fragment")
	}
	headerLen := 24
	if flags&(wifiToDS|wifiFromDS) == wifiToDS|wifiFromDS {
		headerLen += 6 // a fourth address
	}
	aggregate := false
	if kind&wifiQoS != 0 {
		if !s.has(headerLen + 2) {
			return d.notUDP("802.11, cut short")
		}
		aggregate = s.Data[headerLen]&0x80 != 0
		headerLen += 2
		if flags&wifiOrder != 0 {
			headerLen += 4 // HT control
		}
	}
	if padded {
		headerLen = (headerLen + 3) &^ 3
	}
	if !s.has(headerLen) {
		return d.notUDP("802.11, cut short")
	}
	if !aggregate {
		return d.llc(s.from(headerLen))
	}
	d.subframe = s.from(headerLen)
	return d.NextSubframe()
}

// NextSubframe decodes the next frame of an A-MSDU: IEEE 802.11-2020, section 9.3.2.2.2. Each has two
// addresses and its length, and is padded to a multiple of 4 bytes. Of an exported PDU it decodes the next datagram.
func (d *Decoder) NextSubframe() Outcome {
	if len(d.exported.rest) > 0 {
		return d.nextExported()
	}
	s := d.subframe
	d.subframe = Span{}
	if !s.has(14) {
		return d.bad("802.11, cut short")
	}
	length := int(s.u16(12))
	if next := (14 + length + 3) &^ 3; s.has(next) {
		d.subframe = s.from(next)
	}
	d.tunnels = 0
	s = s.from(14)
	return d.llc(s.upTo(min(length, s.Wire)))
}
