package capture

import (
	"strings"

	"github.com/gopacket/gopacket/layers"
)

// Option codes: draft-ietf-opsawg-pcapng, sections 3.5 and 4.
const (
	optEnd     = 0
	optComment = 1

	optInterfaceName      = 2
	optInterfaceTsResol   = 9
	optInterfaceTsOffset  = 14
	optStatisticsIfDrop   = 5
	optStatisticsOSDrop   = 7
	optPacketDropCount    = 4
	defaultTsResol        = 6 // microseconds
	maxInterfaceNameBytes = 256
)

// An optionReader walks through the options of a block. It silently ends at a damaged one: the
// block itself is complete, and its packet matters more.
type optionReader struct {
	b         []byte
	bigEndian bool
}

func (o *optionReader) next() (code uint16, value []byte, ok bool) {
	if len(o.b) < 4 {
		return 0, nil, false
	}
	code = u16(o.b, o.bigEndian)
	n := int(u16(o.b[2:], o.bigEndian))
	if code == optEnd || n > len(o.b)-4 {
		return 0, nil, false
	}
	value = o.b[4 : 4+n]
	o.b = o.b[min(len(o.b), 4+(n+3)&^3):]
	return code, value, true
}

// number reads a 64-bit option.
func (o *optionReader) number(value []byte) (uint64, bool) {
	if len(value) != 8 {
		return 0, false
	}
	return u64(value, o.bigEndian), true
}

// addInterface takes an interface description block: section 4.2.
func (f *pcapngFile) addInterface(body []byte) error {
	if len(body) < interfaceBodyLen {
		return f.in.malformed("an interface description of %d bytes", len(body))
	}
	if len(f.ifaces) == maxInterfaces {
		return f.in.malformed("more than %d interfaces", maxInterfaces)
	}
	iface := pcapngInterface{
		linkType:   layers.LinkType(u16(body, f.bigEndian)),
		snapLen:    u32(body[4:], f.bigEndian),
		resolution: defaultTsResol,
	}
	iface.limit = maxCaptured(iface.snapLen)
	o := optionReader{body[interfaceBodyLen:], f.bigEndian}
	for code, value, ok := o.next(); ok; code, value, ok = o.next() {
		switch code {
		case optComment:
			f.comments.add(0, value)
		case optInterfaceName:
			iface.name = text(value[:min(len(value), maxInterfaceNameBytes)])
		case optInterfaceTsResol:
			if len(value) == 1 {
				iface.resolution = value[0]
			}
		case optInterfaceTsOffset:
			n, _ := o.number(value)
			iface.offset = int64(n)
		}
	}
	f.ifaces = append(f.ifaces, iface)
	hide(body[interfaceBodyLen:])
	body[0], body[1] = 0, 0 // the library allocates for each packet of a link type above 255
	return nil
}

// statistics takes an interface statistics block: section 4.6. Its numbers count from the beginning
// of the capture, so the last block counts.
func (f *pcapngFile) statistics(body []byte) error {
	if len(body) < statisticsBodyLen {
		return f.in.malformed("interface statistics of %d bytes", len(body))
	}
	id := u32(body, f.bigEndian)
	if int64(id) >= int64(len(f.ifaces)) {
		return f.in.malformed("statistics of interface %d, which is not described", id)
	}
	var sum drops
	o := optionReader{body[statisticsBodyLen:], f.bigEndian}
	for code, value, ok := o.next(); ok; code, value, ok = o.next() {
		switch code {
		case optComment:
			f.comments.add(0, value)
		case optStatisticsIfDrop, optStatisticsOSDrop:
			if n, ok := o.number(value); ok {
				sum.add(n)
			}
		}
	}
	if sum.known {
		f.ifaces[id].statistics = sum
	}
	return nil
}

// packetOptions records the options of a packet, and returns its comments joined by line feeds.
func (f *pcapngFile) packetOptions(iface *pcapngInterface, options []byte) (comment string) {
	f.comment = f.comment[:0]
	o := optionReader{options, f.bigEndian}
	for code, value, ok := o.next(); ok; code, value, ok = o.next() {
		switch code {
		case optComment:
			f.comments.add(f.frame, value)
			if len(f.comment) > 0 {
				f.comment = append(f.comment, '\n')
			}
			f.comment = append(f.comment, value...)
		case optPacketDropCount:
			if n, ok := o.number(value); ok {
				iface.packetDrops.add(n)
			}
		}
	}
	if !f.keepText {
		return ""
	}
	return text(f.comment)
}

// sectionOptions records the comments of a section header.
func (f *pcapngFile) sectionOptions(options []byte) {
	o := optionReader{options, f.bigEndian}
	for code, value, ok := o.next(); ok; code, value, ok = o.next() {
		if code == optComment {
			f.comments.add(0, value)
		}
	}
}

// text converts an option to a string. Some writers count a terminating zero byte.
func text(value []byte) string {
	return strings.ToValidUTF8(strings.TrimRight(string(value), "\x00"), "\uFFFD")
}
