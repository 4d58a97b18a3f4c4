package oob

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// AppendRewritten appends the datagram with replaced texts: addresses in lists of servers, names, GUIDs and
// passwords in infostrings, lists of players and words. leftOut is how many bytes have no place in it: those around a
// list, and those after the end of a text. It returns false if the packet is compressed and damaged, or if nothing is
// known about its bytes.
func (p *Packet) AppendRewritten(dst []byte, with dissect.Rewriting) (out []byte, leftOut int, ok bool) {
	dst = append(dst, p.payload[:min(p.mark, len(p.payload))]...)
	switch {
	case len(p.payload) <= p.mark:
		return dst, 0, true
	case p.block == connectGarbled, p.Foreign().Engine != NoEngine:
		return dst, 0, false
	case p.compressed():
		dst = append(dst, p.payload[p.mark:p.connectBlock()]...)
		return huffcodec.EncodeAdaptive(dst, token.AppendRewritten(nil, p.Data[p.connectBlock():], with)), 0, true
	case p.Kind == ServersResponse || p.Kind == ServersExtResponse:
		dst, leftOut = p.appendServers(dst, with)
		return dst, leftOut, true
	}
	text := p.payload[p.mark:]
	if end := bytes.IndexByte(text, 0) + 1; end > 0 { // what follows the end of a text is read by nobody
		text, leftOut = text[:end], len(text)-end
	}
	switch {
	case p.Kind == Unknown && !isText(text):
		return dst, 0, false
	case p.Kind == StatusResponse:
		return appendStatus(dst, text, with), leftOut, true
	}
	return token.AppendRewrittenCommand(dst, text, with), leftOut, true
}

// isText reports whether there are no control characters in a text but line feeds, tabs and the end.
func isText(text []byte) bool {
	return !bytes.ContainsFunc(bytes.TrimSuffix(text, []byte{0}), func(c rune) bool {
		return c < ' ' && c != '\n' &&
			c != '\r' && c != '\t' || c == 0x7f
	})
}

// appendServers appends a list of servers with replaced addresses, without what precedes and follows it.
func (p *Packet) appendServers(dst []byte, with dissect.Rewriting) (out []byte, leftOut int) {
	dst = append(dst, p.command...)
	l := p.list()
	first, at := l.pos, l.pos
	for l.next() {
		dst = append(dst, p.Data[l.place.Start-1]) // the tag
		address := l.server.Addr()
		if l.place.End-l.place.Start == ipv4Len+portLen {
			address = address.Unmap()
		}
		dst = append(dst, with.Addr(address).AsSlice()...)
		dst = append(dst, p.Data[l.place.End-portLen:l.place.End]...)
		at = l.pos
	}
	dst = append(dst, p.Data[at:l.pos]...) // the end mark
	return dst, first - p.line.End + len(p.Data) - l.pos
}

// appendStatus appends server information and players with replaced names: each player's line ends with the
// name in quotes.
func appendStatus(dst, text []byte, with dissect.Rewriting) []byte {
	for line := range bytes.Lines(text) {
		body := bytes.TrimRight(line, "\r\n\x00")
		first, last := bytes.IndexByte(body, '"'), bytes.LastIndexByte(body, '"')
		if len(body) == 0 || body[0] == '\\' || first < 0 || first == last {
			dst = token.AppendRewritten(dst, body, with)
		} else {
			dst = with.AppendText(dst, body[:first+1])
			dst = with.AppendPersonal(dst, dissect.PersonName, body[first+1:last])
			dst = with.AppendText(dst, body[last:])
		}
		dst = append(dst, line[len(body):]...)
	}
	return dst
}
