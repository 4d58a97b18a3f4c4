package oob

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// AppendRewritten appends the datagram with replaced texts: addresses in lists of servers, names, GUIDs and
// passwords in infostrings, lists of players and words. It returns false if the packet is compressed and
// damaged.
func (p *Packet) AppendRewritten(dst []byte, with dissect.Rewriting) ([]byte, bool) {
	dst = append(dst, p.payload[:min(markerLen, len(p.payload))]...)
	switch {
	case len(p.payload) <= markerLen:
		return dst, true
	case p.block == connectGarbled:
		return dst, false
	case p.compressed():
		dst = append(dst, p.payload[markerLen:connectBlock]...)
		return huffcodec.EncodeAdaptive(dst, token.AppendRewritten(nil, p.Data[connectBlock:], with)), true
	case p.Kind == ServersResponse || p.Kind == ServersExtResponse:
		return p.appendServers(dst, with), true
	case p.Kind == StatusResponse:
		return p.appendStatus(dst, with), true
	}
	return token.AppendRewrittenCommand(dst, p.payload[markerLen:], with), true
}

// appendServers appends a list of servers with replaced addresses.
func (p *Packet) appendServers(dst []byte, with dissect.Rewriting) []byte {
	l := p.list()
	from := markerLen
	for l.next() {
		dst = append(dst, p.Data[from:l.place.Start]...)
		address := l.server.Addr()
		if l.place.End-l.place.Start == ipv4Len+portLen {
			address = address.Unmap()
		}
		dst = append(dst, with.Addr(address).AsSlice()...)
		from = l.place.End - portLen
	}
	return append(dst, p.Data[from:]...)
}

// appendStatus appends server information and players with replaced names: each player's line ends with the
// name in quotes.
func (p *Packet) appendStatus(dst []byte, with dissect.Rewriting) []byte {
	for line := range bytes.Lines(p.payload[markerLen:]) {
		body := bytes.TrimRight(line, "\r\n\x00")
		first, last := bytes.IndexByte(body, '"'), bytes.LastIndexByte(body, '"')
		if len(body) == 0 || body[0] == '\\' || first < 0 || first == last {
			dst = token.AppendRewritten(dst, body, with)
		} else {
			dst = append(dst, body[:first+1]...)
			dst = with.AppendPersonal(dst, dissect.PersonName, body[first+1:last])
			dst = append(dst, body[last:]...)
		}
		dst = append(dst, line[len(body):]...)
	}
	return dst
}
