package teeworlds

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A gate decides what the receiver of a packet acts on. A connection's packets have its tokens. A handshake that would
// replace a connection counts once the server answered it: anybody can send a connect.
//
// CNetConnection::Feed in src/engine/shared/network_conn.cpp drops a packet with another token as a whole.
type gate struct {
	now    connection
	offers [2]connection // handshakes that are not connections yet, the newest first
	begins bool          // the packet is the first one of a connection
	asked  bool          // the packet answers a connect that has no connection yet
}

// A connection is what is known of one, or of a handshake for one.
type connection struct {
	dialect  tables.Dialect // Unknown: there is none
	tokens   [2]peerToken   // in the packets of the server and of the client
	asked    bool           // the client asked for it
	answered bool           // the server agreed
	closed   bool           // one side closed it
	byClient bool           // it was the client
	frame    uint64         // of the client's request
}

// live reports whether there is a connection that nobody closed.
func (n *connection) live() bool { return n.dialect != tables.Unknown && !n.closed }

// has reports whether a token is the connection's, and fits whether it may be.
func (n *connection) has(client bool, token []byte) bool {
	return n.tokens[sideIndex(client)].is(token)
}

func (n *connection) fits(client bool, token []byte) bool {
	t := &n.tokens[sideIndex(client)]
	return !t.known || t.is(token)
}

// agree records a token that a handshake names; nil: packets have none.
func (n *connection) agree(client bool, token []byte) {
	if token == nil || binary.BigEndian.Uint32(token) != noToken {
		n.tokens[sideIndex(client)] = peerToken{token: tokenOf(token), known: true, count: enoughSame}
	}
}

// Reasons why a receiver does not act on a packet.
const (
	otherToken  = "the token is not the connection's"
	otherSide   = "the session that is in progress has another dialect or another server, and nobody answered this"
	goesOn      = "it closes the session, which goes on: it was taken back"
	noRequest   = "it answers no request"
	notInflated = "the payload cannot be decompressed"
	notRead     = "it is no packet of the connection and no message without one"
)

// examine returns why the receiver of a packet does not act on it, or "".
func (g *gate) examine(rec *dissect.Record, p *packet) string {
	client := rec.Direction == dissect.ClientToServer
	g.begins, g.asked = false, false
	switch {
	case rec.Hint&hintGoesOn != 0:
		return goesOn
	case rec.Hint&hintRival != 0:
		return otherSide
	case p.fault != nil && !rec.Truncated() && g.now.live():
		return notInflated
	case rec.Direction == dissect.Undecidable:
		return ""
	}
	if d := g.now.dialect; d != p.dialect && (!p.has(flagControl) || (d == tables.V07) != (p.dialect == tables.V07)) {
		g.now = connection{} // the router has found another session
	}
	if p.has(flagControl) && len(p.payload) > 0 {
		return g.control(rec, p, client)
	}
	return g.data(rec, p, client)
}

// data examines a packet of chunks.
func (g *gate) data(rec *dissect.Record, p *packet, client bool) string {
	cut := rec.Truncated() && p.token == nil
	if o := g.offered(p, client, cut); o != nil {
		g.begin(o)
		g.offers = [2]connection{}
	}
	if g.now.dialect == tables.Unknown {
		if !cut && (g.offers[0].contradicts(p, client) || g.offers[1].contradicts(p, client)) {
			return otherToken
		}
		g.begin(&connection{dialect: p.dialect})
	}
	t := &g.now.tokens[sideIndex(client)]
	if rec.Hint&hintToken != 0 && !t.known {
		g.now.agree(client, binary.BigEndian.AppendUint32(nil, uint32(rec.Hint>>hintTokenAt)))
	}
	if !cut && !t.accepts(p.token, rec) {
		return otherToken
	}
	if g.now.byClient == client {
		g.now.closed = false
	}
	return ""
}

// offered returns the handshake whose connection a packet begins, or nil.
func (g *gate) offered(p *packet, client, cut bool) *connection {
	same := g.now.dialect != tables.Unknown && g.now.fits(client, p.token)
	for i := range g.offers {
		o := &g.offers[i]
		if o.dialect != p.dialect || !o.answered && g.now.live() || !cut && !o.fits(client, p.token) {
			continue
		}
		if known := o.tokens[sideIndex(client)].known; known && !same || restarts(p) {
			return o
		}
	}
	return nil
}

// contradicts reports whether a packet has another token than the handshake.
func (n *connection) contradicts(p *packet, client bool) bool {
	return n.dialect == p.dialect && !n.fits(client, p.token)
}

// begin makes a connection the present one.
func (g *gate) begin(n *connection) {
	g.now = *n
	g.now.closed = false
	g.begins = true
}

// restarts reports whether the first vital chunk of a packet is the first one of a connection.
func restarts(p *packet) bool {
	b := p.payload
	for range p.numChunks {
		var h chunkHead
		if !h.parse(b, p.dialect) {
			return false
		}
		if h.vital {
			return h.sequence == 1
		}
		if h.length+h.size > len(b) {
			return false
		}
		b = b[h.length+h.size:]
	}
	return false
}

// control examines a control packet.
func (g *gate) control(rec *dissect.Record, p *packet, client bool) string {
	id, body := p.payload[0], p.payload[1:]
	switch {
	case id == controlConnect && client:
		g.connect(rec, p, body)
		return ""
	case id == controlToken && p.dialect == tables.V07:
		return g.token(rec, p, client, body)
	case id == controlAccept && !client:
		return g.accept(p, body)
	case id == controlClose:
		return g.close(p, client)
	case id == controlAccept06 && client && g.offers[0].asked && !g.now.live() && !g.offers[0].answered:
		g.offers[0].agree(false, p.token) // it repeats the server's, which the capture lacks
		g.offers[0].agree(true, p.token)
	}
	if rec.Truncated() && p.token == nil || g.known(p, client) {
		return ""
	}
	return otherToken
}

// lacksToken reports whether the end of a close that DDNet's rules take for its token is part of the reason: a server
// refuses without a token those whom it gave none. The text ends with its NUL; only four bytes after it are a token.
func (g *gate) lacksToken(p *packet) bool {
	if !p.tail || !p.has(flagControl) || len(p.payload) == 0 || p.payload[0] != controlClose {
		return false
	}
	for _, n := range [...]*connection{&g.now, &g.offers[0], &g.offers[1]} {
		if n.has(false, p.token) || n.has(true, p.token) {
			return false
		}
	}
	rest := p.message[1:]
	end := bytes.IndexByte(rest, 0)
	if end < 0 || len(rest) == tokenLen { // nothing but the handshake shows what the last four bytes are
		return g.offers[0].asked && !g.offers[0].answered
	}
	return len(rest)-end-1 != tokenLen
}

// known reports whether a control packet can belong to the connection or to a handshake.
func (g *gate) known(p *packet, client bool) bool {
	if g.now.dialect == tables.Unknown || g.now.fits(client, p.token) {
		return true
	}
	for i := range g.offers {
		if o := &g.offers[i]; o.dialect != tables.Unknown && o.has(client, p.token) {
			return true
		}
	}
	return false
}

// offer returns a handshake of a dialect in which the server's packets have a token; without one it is a new one.
func (g *gate) offer(rec *dissect.Record, p *packet, token []byte) *connection {
	for i := range g.offers {
		if o := &g.offers[i]; o.dialect == p.dialect && (token == nil || o.has(false, token)) {
			return o
		}
	}
	g.offers[1] = g.offers[0]
	g.offers[0] = connection{dialect: p.dialect, frame: rec.Frame}
	if token != nil {
		g.offers[0].agree(false, token)
	}
	return &g.offers[0]
}

// connect takes a client's request for a connection. In 0.7 it has the tokens of both sides.
func (g *gate) connect(rec *dissect.Record, p *packet, body []byte) {
	var token []byte
	if p.dialect == tables.V07 && len(body) >= tokenLen && !bytes.HasPrefix(body, []byte(tokenMagic)) {
		token = body[:tokenLen]
	}
	o := g.offer(rec, p, token)
	o.asked = true
	switch {
	case p.dialect == tables.V07:
		o.agree(true, p.token)
	case p.dialect == tables.V06 && len(body) >= connectUnusedBytes06+tokenLen:
		o.agree(false, body[connectUnusedBytes06:][:tokenLen]) // of the answer alone
	}
}

// token takes a token of 0.7: a client's request, a server's answer, or a new token within a connection.
func (g *gate) token(rec *dissect.Record, p *packet, client bool, body []byte) string {
	if len(body) < tokenLen {
		return ""
	}
	token := body[:tokenLen]
	switch {
	case g.now.live() && g.now.has(client, p.token): // CNetConnection::Feed takes it in every state
		g.now.tokens[sideIndex(!client)].next = tokenOf(token)
		g.now.tokens[sideIndex(!client)].renewed = true
		return ""
	case client:
		g.offer(rec, p, token).asked = true
		return ""
	case g.now.live() && !g.answers(p.token):
		return noRequest
	}
	o := g.offer(rec, p, p.token)
	o.agree(true, token)
	return ""
}

// answers reports whether a client asked with a token.
func (g *gate) answers(token []byte) bool {
	return g.offers[0].has(false, token) || g.offers[1].has(false, token)
}

// accept takes a server's answer to a connect.
func (g *gate) accept(p *packet, body []byte) string {
	for i := range g.offers {
		o := &g.offers[i]
		if o.dialect != p.dialect || !o.asked || !o.fits(false, p.token) && p.dialect != tables.DDNet {
			continue
		}
		o.answered = true
		switch {
		case p.dialect == tables.DDNet:
			o.agree(false, p.token)
			o.agree(true, p.token)
		case p.dialect == tables.V06:
			var token []byte // none
			if len(body) >= tokenLen {
				token = body[:tokenLen]
			}
			o.agree(false, token)
			o.agree(true, token)
		}
		return ""
	}
	if g.now.live() && !g.now.has(false, p.token) {
		return noRequest
	}
	return ""
}

// close takes the end of a connection, or the refusal of one. A server that refuses may know no token yet.
func (g *gate) close(p *packet, client bool) string {
	switch o := &g.offers[0]; {
	case g.now.live() && g.now.fits(client, p.token):
		g.now.closed, g.now.byClient = true, client
	case g.now.live(), o.dialect != tables.Unknown && !o.fits(client, p.token) && (client || p.token != nil):
		return otherToken
	default:
		g.asked = o.asked && !client
	}
	g.offers = [2]connection{}
	return ""
}

const (
	// enoughSame is how many packets with a token make it the peer's for good.
	enoughSame = 8
	// enoughOther is how many different packets with another token, while the peer's own were missing for as long as
	// silence, show that the capture lacks a handshake. A peer sends a packet in every second.
	enoughOther = 4
	silence     = 5 * time.Second
)

// A token is a token of a packet, or none.
type token struct {
	bytes [tokenLen]byte
	some  bool
}

func tokenOf(b []byte) token {
	if len(b) != tokenLen {
		return token{}
	}
	return token{[tokenLen]byte(b), true}
}

// A peerToken is the token in the packets of one side: the one that the handshake named, or that most packets have.
type peerToken struct {
	token, next, other token
	known              bool
	renewed            bool   // the peer may use next from now on
	count              uint8  // of packets with it
	others             uint8  // of packets with the other one
	sum                uint32 // of the last of these: copies of a packet count once
	seen               int64  // when a packet had it
}

// is reports whether a token is known to be the peer's.
func (p *peerToken) is(b []byte) bool { return p.known && p.token == tokenOf(b) }

// accepts records the token of a packet, nil if it has none, and reports whether it is the peer's.
func (p *peerToken) accepts(b []byte, rec *dissect.Record) bool {
	t := tokenOf(b)
	switch {
	case p.renewed && p.next == t && p.token != t:
		*p = peerToken{token: t, known: true, count: enoughSame}
	case !p.known:
		p.token, p.known = t, true
	case p.token != t:
		return p.replaces(t, rec)
	}
	p.count += min(1, enoughSame-p.count)
	if p.count == enoughSame {
		p.others = 0
	}
	p.seen = rec.Time
	return true
}

// replaces counts a packet with another token, and reports whether that is the peer's now.
func (p *peerToken) replaces(t token, rec *dissect.Record) bool {
	sum := crc32.ChecksumIEEE(rec.Payload)
	switch {
	case p.others == 0 || p.other != t:
		p.other, p.others = t, 1
	case sum != p.sum:
		p.others += min(1, 255-p.others)
	}
	p.sum = sum
	missed := rec.HasTime && rec.Time-p.seen >= int64(silence) && p.others >= enoughOther
	if !missed && (p.count == enoughSame || p.others <= p.count) {
		return false
	}
	*p = peerToken{token: t, known: true, count: min(p.others, enoughSame), seen: rec.Time}
	return true
}
