package oob

import (
	"bytes"
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// Sizes of the part after the tag of an entry: address and port (CL_ServersResponsePacket in
// code/client/cl_main.c).
const (
	tagIPv4    = '\\'
	tagIPv6    = '/' // in the extended answer only
	ipv4Len    = 4
	ipv6Len    = 16
	portLen    = 2
	endMarkLen = 7 // \EOT and three zero bytes
)

// maxListServers is the most entries of one datagram that a game reads (MAX_SERVERSPERPACKET in cl_main.c).
const maxListServers = 256

// A listState is the state of the walk over a server list, or the reason for its end.
type listState uint8

const (
	listRunning listState = iota
	listEnded             // at an end mark
	listOpen              // at the end of the data, where an end mark should be
	listCut               // inside an entry
	listBroken            // at something other than an entry
	listFull              // after as many entries as a game reads
)

// A serverList walks over the entries of a master server's answer, by their fixed sizes: addresses may contain
// the bytes of the tags.
type serverList struct {
	data     []byte
	pos      int  // position in data, in bytes
	extended bool // IPv6 entries are allowed
	state    listState
	count    int            // entries so far
	server   netip.AddrPort // of the last entry
	place    Span           // of the last entry in data, without its tag
}

// list starts the walk at the first entry, after the separator that follows the command word.
func (p *Packet) list() serverList {
	l := serverList{data: p.Data, pos: p.line.End, extended: p.Kind == ServersExtResponse}
	for l.pos < len(l.data) && !l.tagAt(l.pos) {
		l.pos++
	}
	return l
}

// tagAt reports whether an entry, or the end mark, can begin at a byte.
func (l *serverList) tagAt(i int) bool {
	return l.data[i] == tagIPv4 || l.extended && l.data[i] == tagIPv6
}

// next steps to the next entry.
func (l *serverList) next() bool {
	rest := l.data[l.pos:]
	l.state = l.look(rest)
	if l.state != listRunning {
		if l.state == listEnded {
			l.pos += endMark(rest)
		}
		return false
	}
	size := ipv4Len
	if rest[0] == tagIPv6 {
		size = ipv6Len
	}
	address, _ := netip.AddrFromSlice(rest[1 : 1+size])
	l.server = netip.AddrPortFrom(address, binary.BigEndian.Uint16(rest[1+size:]))
	l.place = Span{l.pos + 1, l.pos + 1 + size + portLen}
	l.pos = l.place.End
	l.count++
	return true
}

// look classifies the beginning of rest; listRunning is a complete entry. Games require a tag after each entry,
// so they refuse one that ends the datagram; it is an address all the same.
func (l *serverList) look(rest []byte) listState {
	if len(rest) == 0 {
		return listOpen
	}
	size := 1 + ipv4Len + portLen
	switch {
	case endMark(rest) > 0:
		return listEnded
	case rest[0] == tagIPv6 && l.extended:
		size = 1 + ipv6Len + portLen
	case rest[0] != tagIPv4:
		return listBroken
	}
	switch {
	case l.count == maxListServers:
		return listFull
	case len(rest) < size:
		return listCut
	case len(rest) > size && rest[size] != tagIPv4 && rest[size] != tagIPv6:
		return listBroken
	}
	return listRunning
}

// endMark returns the length of the end mark that rest begins with, or 0. Masters write \EOT and three zero
// bytes, \EOT alone, or \EOF if another datagram follows. 1.32 looks for the letters, newer games see an entry
// that is too short; an entry that begins with these letters (69.79.84.x) is recognised by the tag after it.
func endMark(rest []byte) int {
	if !bytes.HasPrefix(rest, []byte(`\EOT`)) && !bytes.HasPrefix(rest, []byte(`\EOF`)) {
		return 0
	}
	n := 4
	for n < min(len(rest), endMarkLen) && rest[n] == 0 {
		n++
	}
	if n < endMarkLen && len(rest) > endMarkLen && (rest[endMarkLen] == tagIPv4 || rest[endMarkLen] == tagIPv6) {
		return 0
	}
	return n
}

// addServers adds the list of servers.
func (p *Packet) addServers(t *dissect.Tree, rec *dissect.Record) {
	l := p.list()
	start := l.pos
	if junk := bytes.TrimLeft(p.Data[p.line.End:start], "\x00\r\n "); len(junk) > 0 && start < len(p.Data) {
		rec.Expert(dissect.Note, expertIgnoredBytes, &serversField, 8*p.line.End,
			"%d bytes before the first address, which games ignore", start-p.line.End)
	}
	t.Open(&serversField, 8*start)
	for l.next() {
		p.scratch = l.server.AppendTo(p.scratch[:0])
		t.AddBytes(&serverField, p.scratch, 8*l.place.Start, 8*(l.place.End-l.place.Start))
	}
	t.Close(8 * l.pos)
	if start == len(p.Data) && start > p.line.End {
		p.endsEarly(t, rec, p.line.End, "no server list after the command")
		return
	}
	switch l.state {
	case listOpen:
		if !rec.Truncated() {
			rec.Expert(dissect.Note, expertListNotClosed, &serversField, 8*l.pos,
				"no end mark at the end of the list: games ignore its last address")
		}
	case listCut:
		p.endsEarly(t, rec, l.pos, "the list of servers ends inside an address")
	case listBroken:
		p.malformed(t, rec, l.pos, "no address where one should begin")
	case listFull:
		p.malformed(t, rec, l.pos, "more addresses than the %d that games read", maxListServers)
	case listEnded:
		p.trailing(t, rec, l.pos)
	}
}
