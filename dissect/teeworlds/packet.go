package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Lengths in bytes; NET_PACKETHEADERSIZE and the like in src/engine/shared/network.h of each game.
const (
	headerLen07     = 7 // flags, ack, count, token
	headerLen06     = 3 // the same without the token
	headerLenToken  = 7 // 0.6.5 with a token
	connlessLen07   = 9 // flags and version, two tokens
	connlessLen06   = 6 // six bytes FF, or "xe" and four more
	tokenLen        = 4 //
	numHeaderFlags  = 6
	connlessVersion = 1 // NET_PACKETVERSION, in the low bits of a connless header of 0.7
)

// packetFlags are a header's flags by their meaning; their bits differ by dialect.
type packetFlags uint8

const (
	flagControl packetFlags = 1 << iota
	flagResend
	flagCompression
	flagConnless
	flagExtended // a DDNet connless header with a longer token
	flagToken    // 0.6.5: a token follows
)

var packetFlagNames = [numHeaderFlags]string{"control", "resend", "compression", "connless", "extended", "token"}

// The masks of the flags in byte 0, in the order of packetFlagNames.
var (
	flagBits07 = [numHeaderFlags]byte{0x04, 0x08, 0x10, 0x20, 0, 0}
	flagBits06 = [numHeaderFlags]byte{0x10, 0x40, 0x80, 0x20, 0, 0x08}
)

// Fields of the header.
var (
	flagsField = dissect.Field{
		Key: "flags", Name: "m_Flags", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Label, Bits: 1}},
		Doc: "what is set: control: a control message; resend: the peer shall send again what is not acknowledged; " +
			"compression; connless: no connection; extended: a DDNet connless header; token: a token follows (0.6.5)",
		Source: "NET_PACKETFLAG_*, src/engine/shared/network.h",
	}
	ackField = dissect.Field{
		Key: "ack", Name: "m_Ack", Kind: dissect.Uint, Bits: 10,
		Doc:    "sequence of the last vital chunk that the sender has accepted, modulo 1024",
		Source: "CNetBase::SendPacket, src/engine/shared/network.cpp",
	}
	numChunksField = dissect.Field{
		Key: "num_chunks", Name: "m_NumChunks", Kind: dissect.Uint, Bits: 8, Doc: "chunks in the packet; 0 for control",
		Source: "CNetBase::SendPacket, src/engine/shared/network.cpp",
	}
	tokenField = dissect.Field{
		Key: "token", Name: "m_Token", Kind: dissect.Hex, Bits: 32, Doc: "0.7: the token that the receiver gave out; " +
			"ffffffff: not known yet; 0.6.5 and DDNet: the connection's, the same both ways",
		Source: "CNetBase::SendPacket, src/engine/shared/network.cpp; DDNet: CNetConnection::Flush, " +
			"src/engine/shared/network_conn.cpp",
	}
	tailTokenField = dissect.Field{ // DDNet writes it after the payload, and compresses it too
		Key: "token", Name: "m_Token", Kind: dissect.Hex, Bits: 32, Scope: dissect.Message, Doc: tokenField.Doc,
		Source: tokenField.Source,
	}
	responseTokenField = dissect.Field{
		Key: "response_token", Name: "m_ResponseToken", Kind: dissect.Hex, Bits: 32,
		Doc:    "connless packets of 0.7: the sender's own token, for the answer",
		Source: "CNetBase::SendPacketConnless, src/engine/shared/network.cpp",
	}
	extraField = dissect.Field{
		Key: "extra", Name: "m_aExtraData", Kind: dissect.Hex, Bits: 32,
		Doc:    "extended connless packets of DDNet: two bytes more of the request's token, and two reserved ones",
		Source: "CNetBase::SendPacketConnlessWithExtra, DDNet's src/engine/shared/network.cpp",
	}
	trailingField = dissect.Field{
		Key: "rest", Kind: dissect.Hex, Scope: dissect.Message, Doc: "bytes after the last chunk, where none should be",
	}
)

// A packet is a datagram with its header read and its payload decompressed.
type packet struct {
	dialect   tables.Dialect
	flags     packetFlags
	ack       int
	numChunks int
	header    int // bytes
	short     bool

	token, response []byte // nil: none
	extra           []byte
	tail            bool // the token was after the payload

	message  []byte          // everything after the header, decompressed
	payload  []byte          // the same without the token after it
	coded    []byte          // everything after the header, as on the wire
	fault    error           // why the payload could not be decompressed completely; a *huffcodec.Error
	oddEnd   bool            // the compressed block does not end as the games end it
	inflated []byte          // memory
	located  huffcodec.Error // storage for fault: tests of foreign traffic would otherwise allocate many
}

func (p *packet) has(f packetFlags) bool { return p.flags&f != 0 }

// parse reads a datagram by a dialect's rules. The datagram must stay unchanged while the packet is used. It
// reports whether it has a header.
//
// CNetBase::UnpackPacket in src/engine/shared/network.cpp.
func (p *packet) parse(b []byte, d tables.Dialect) bool {
	*p = packet{dialect: d, inflated: p.inflated}
	if len(b) == 0 {
		p.short = true
		return false
	}
	p.flags = flagsOf(b[0], d)
	if p.has(flagConnless) {
		return p.parseConnless(b)
	}
	if p.header = headerLen(p.flags, d); len(b) < p.header {
		p.short = true
		return false
	}
	p.ack = int(b[0]&3)<<8 | int(b[1])
	p.numChunks = int(b[2])
	if p.header > headerLen06 {
		p.token = b[headerLen06:headerLenToken]
	}
	p.open(b[p.header:])
	return true
}

// flagsOf returns the flags in the first byte of a packet.
func flagsOf(first byte, d tables.Dialect) packetFlags {
	bits := &flagBits06
	if d == tables.V07 {
		bits = &flagBits07
	}
	var flags packetFlags
	for i, bit := range bits {
		if first&bit != 0 {
			flags |= 1 << i
		}
	}
	return flags
}

// headerLen is the length in bytes of a header with these flags, which is not a connless one.
func headerLen(flags packetFlags, d tables.Dialect) int {
	if d == tables.V07 || d == tables.V06 && flags&flagToken != 0 {
		return headerLen07
	}
	return headerLen06
}

// parseConnless reads the header of a packet without connection.
func (p *packet) parseConnless(b []byte) bool {
	p.flags = flagConnless
	p.header = connlessLen06
	if p.dialect == tables.V07 {
		p.header = connlessLen07
	}
	if len(b) < p.header {
		p.short = true
		return false
	}
	switch {
	case p.dialect == tables.V07:
		p.token, p.response = b[1:5], b[5:connlessLen07]
	case isExtended(b):
		p.flags |= flagExtended
		p.extra = b[2:connlessLen06]
	}
	p.coded = b[p.header:]
	p.message, p.payload = p.coded, p.coded
	return true
}

// isExtended reports whether a connless packet has DDNet's header with a longer token.
func isExtended(b []byte) bool { return b[0] == 'x' && b[1] == 'e' }

// open decompresses the payload, and takes DDNet's token off its end.
func (p *packet) open(b []byte) {
	p.coded, p.message = b, b
	if p.has(flagCompression) {
		out, bits, err := huffcodec.DecodeTeeworlds(p.inflated[:0], b, tables.MaxPayload)
		p.inflated, p.message = out, out
		if err != nil {
			p.located = huffcodec.Error{Bit: bits, Err: err}
			p.fault = &p.located
		}
		p.oddEnd = err == nil && !huffcodec.TeeworldsPadding(b, bits)
	}
	p.payload = p.message
	if n := len(p.message) - tokenLen; p.dialect == tables.DDNet && p.fault == nil && n >= 0 {
		p.payload, p.token, p.tail = p.message[:n], p.message[n:], true
	}
}

// cutTail returns bytes taken for the token to a message that the capture cut.
func (p *packet) cutTail() {
	if p.tail {
		p.payload, p.token, p.tail = p.message, nil, false
	}
}

// show adds the header's fields.
func (p *packet) show(t *dissect.Tree, datagram []byte) {
	if t == nil {
		return
	}
	if p.dialect != tables.Unknown {
		t.AddLabel(&versionField, p.dialect.String(), 0, 0)
	}
	if p.short {
		return
	}
	p.showFlags(t)
	p.frame(t, datagram)
	if !p.has(flagConnless) {
		t.Add(&ackField, uint64(p.ack), 6, 10)
		t.Add(&numChunksField, uint64(p.numChunks), 16, 8)
	}
	switch {
	case p.tail:
		t.AddBytes(&tailTokenField, p.token, (len(p.message)-tokenLen)<<3, tokenLen<<3)
	case p.response != nil:
		t.AddBytes(&tokenField, p.token, 8, tokenLen<<3)
		t.AddBytes(&responseTokenField, p.response, 40, tokenLen<<3)
	case p.token != nil:
		t.AddBytes(&tokenField, p.token, headerLen06<<3, tokenLen<<3)
	}
	if p.extra != nil {
		t.AddBytes(&extraField, p.extra, 16, len(p.extra)<<3)
	}
}

// showFlags adds the names of the flags. Positions count from the highest bit of the first byte.
func (p *packet) showFlags(t *dissect.Tree) {
	bits := &flagBits06
	if p.dialect == tables.V07 {
		bits = &flagBits07
	}
	t.Open(&flagsField, 0)
	for i, name := range packetFlagNames {
		if p.flags&(1<<i) == 0 {
			continue
		}
		at, width := 0, 0
		for bit := bits[i]; bit != 0; bit <<= 1 {
			at, width = 8-bitLen(bit), 1
			break
		}
		t.AddLabel(flagsField.Children[0], name, at, width)
	}
	t.Close(6)
}

func bitLen(b byte) int {
	n := 0
	for ; b != 0; b >>= 1 {
		n++
	}
	return n
}
