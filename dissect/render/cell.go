package render

import (
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// AppendProtocolCell appends the list's column protocol: "quake3 68".
func AppendProtocolCell(dst []byte, rec *dissect.Record) []byte {
	return appendProtocolVersion(dst, rec)
}

// AppendInfoCell appends the list's last column, with control characters visible.
func AppendInfoCell(dst []byte, rec *dissect.Record) []byte {
	from := len(dst)
	dst = rec.AppendInfo(dst)
	return wiretext.MakeVisible(dst, from)
}

// AppendTimeCell appends the list's column time: seconds since the first packet.
func AppendTimeCell(dst []byte, rec *dissect.Record) []byte {
	if !rec.HasTime {
		return dst
	}
	return TimeFormat{}.Append(dst, rec)
}

// AppendEndpointCell appends an endpoint of a record in the list's format.
func AppendEndpointCell(dst []byte, rec *dissect.Record, a netip.AddrPort) []byte {
	return appendEndpoint(dst, rec, a)
}
