package teeworlds

import (
	"bytes"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Control messages: the first byte of a control packet's payload. NET_CTRLMSG_* in src/engine/shared/network.h.
const (
	controlKeepalive     = 0
	controlConnect       = 1
	controlAccept        = 2 // 0.7; CONNECTACCEPT of 0.6
	controlAccept06      = 3
	controlClose         = 4
	controlToken         = 5 // 0.7
	tokenRequestLen      = 520
	noToken              = 0xffffffff // a token that is not known yet
	connectPadding06     = 504
	connectUnusedBytes06 = 4
)

// tokenMagic means that a DDNet peer knows tokens: SECURITY_TOKEN_MAGIC in DDNet's
// src/engine/shared/network.h.
const tokenMagic = "TKEN"

// Fields of control messages.
var (
	controlField = dissect.Field{
		Key: "control", Kind: dissect.Object, Scope: dissect.Message, Doc: "a control message",
		Source: "CNetConnection::Feed, src/engine/shared/network_conn.cpp",
		Children: []*dissect.Field{
			&keepaliveField, &connectField, &acceptField, &connectAcceptField, &closeField, &tokenMessageField,
			&unknownControlField,
			&dissect.Undecoded,
		},
		Frame: []*dissect.Field{&controlCode},
	}
	keepaliveField = dissect.Field{
		Key: "keepalive", Name: "NET_CTRLMSG_KEEPALIVE", Kind: dissect.Object, Doc: "nothing else was sent for a second",
		Children: []*dissect.Field{&controlRest},
	}
	connectField = dissect.Field{
		Key: "connect", Name: "NET_CTRLMSG_CONNECT", Kind: dissect.Object, Doc: "a client wants a connection",
		Children: []*dissect.Field{
			&responseToken, &controlMagic, &zeroField, &clientToken, &paddingField,
			&controlRest, &dissect.Undecoded,
		},
	}
	acceptField = dissect.Field{
		Key: "accept", Name: "NET_CTRLMSG_ACCEPT", Kind: dissect.Object,
		Doc: "0.7: the server agrees; 0.6: the client confirms", Children: []*dissect.Field{&serverToken, &controlRest},
	}
	connectAcceptField = dissect.Field{
		Key: "connectaccept", Name: "NET_CTRLMSG_CONNECTACCEPT", Kind: dissect.Object, Doc: "0.6: the server agrees",
		Children: []*dissect.Field{&controlMagic, &serverToken, &controlRest},
	}
	closeField = dissect.Field{
		Key: "close", Name: "NET_CTRLMSG_CLOSE", Kind: dissect.Object, Doc: "the connection ends",
		Children: []*dissect.Field{&reasonField, &controlRest},
	}
	tokenMessageField = dissect.Field{
		Key: "token", Name: "NET_CTRLMSG_TOKEN", Kind: dissect.Object,
		Doc:      "0.7: the sender's token; with padding a request for the other's",
		Source:   "CNetTokenManager::ProcessMessage, src/engine/shared/network_token.cpp",
		Children: []*dissect.Field{&responseToken, &paddingField, &controlRest, &dissect.Undecoded},
	}
	unknownControlField = dissect.Field{
		Key: "unknown", Kind: dissect.Object, Doc: "a control message that no dialect has",
		Children: []*dissect.Field{&controlIDField, &controlData},
	}
	controlIDField = dissect.Field{Key: "id", Kind: dissect.Uint, Bits: 8, Source: "NET_CTRLMSG_*, src/engine/shared/network.h", Doc: "its number"}
	controlData    = dissect.Field{Key: "data", Kind: dissect.Hex, Doc: "what follows the number"}
	responseToken  = dissect.Field{Key: "response_token", Kind: dissect.Hex, Bits: 32, Source: "0.7: CNetBase::SendControlMsgWithToken, src/engine/shared/network.cpp", Doc: "the sender's token"}
	clientToken    = dissect.Field{Key: "client_token", Kind: dissect.Hex, Bits: 32, Source: "0.6.5: src/engine/shared/network_conn.cpp", Doc: "0.6.5: the client's token"}
	serverToken    = dissect.Field{Key: "server_token", Kind: dissect.Hex, Bits: 32, Source: "0.6.5, DDNet: src/engine/shared/network_conn.cpp, network_server.cpp", Doc: "the server's token"}
	controlMagic   = dissect.Field{Key: "magic", Kind: dissect.Text, Bits: 32, Source: "SECURITY_TOKEN_MAGIC, DDNet's src/engine/shared/network.h", Doc: "TKEN: the sender knows DDNet's tokens"}
	zeroField      = dissect.Field{Key: "zero", Kind: dissect.Hex, Bits: 32, Source: "0.6.5: src/engine/shared/network_conn.cpp", Doc: "0.6.5: four zero bytes"}
	paddingField   = dissect.Field{
		Key: "padding", Kind: dissect.Uint, Unit: "bytes", Doc: "zero bytes that make a request longer than its answer",
		Source: "NET_TOKENREQUEST_DATASIZE, src/engine/shared/network.h",
	}
	reasonField = dissect.Field{Key: "reason", Kind: dissect.Text, Doc: "why; absent where none is given"}
	controlRest = dissect.Field{Key: "rest", Kind: dissect.Hex, Doc: "bytes that do not belong to the message"}
)

// dissectControl decodes a control packet.
func (c *conversation) dissectControl(rec *dissect.Record, t *dissect.Tree) {
	p := c.packet
	cut := rec.Truncated()
	t.Open(&controlField, 0)
	defer func() { t.Close(len(p.payload) << 3) }()
	if len(p.payload) == 0 {
		c.controlCut(rec, 0, cut)
		return
	}
	r := controlReader{t: t, b: p.payload, pos: 1}
	if t.Framed() {
		t.Add(&controlCode, uint64(p.payload[0]), 0, 8)
	}
	switch id := p.payload[0]; {
	case id == controlKeepalive:
		r.open(&keepaliveField)
	case id == controlConnect:
		r.open(&connectField)
		r.connect(p.dialect)
	case id == controlAccept && p.dialect == tables.V07:
		r.open(&acceptField)
		r.take(&serverToken, tokenLen, true)
	case id == controlAccept:
		r.open(&connectAcceptField)
		if !r.magic() {
			r.take(&serverToken, tokenLen, true)
		}
	case id == controlAccept06 && p.dialect != tables.V07:
		r.open(&acceptField)
	case id == controlClose:
		r.open(&closeField)
		r.reason()
	case id == controlToken && p.dialect == tables.V07:
		r.open(&tokenMessageField)
		r.take(&responseToken, tokenLen, false)
		r.padding(true)
	default:
		r.open(&unknownControlField)
		t.Add(&controlIDField, uint64(id), 0, 8)
		rec.Expert(dissect.Note, message.ExpertUnknownMessage, &controlIDField, 0, "no control message has this number")
		r.take(&controlData, len(p.payload)-1, true)
	}
	if id := p.payload[0]; (id == controlConnect || id == controlToken) && c.fromClient {
		c.countAsked(rec)
	}
	r.addRest()
	t.Close(len(p.payload) << 3)
	if r.short || cut {
		c.controlCut(rec, len(p.payload), cut)
	}
	if rec.Damaged && c.gate.now.live() {
		rec.Refuse(nil, notRead)
	}
}

// expertTokenFlood is an attack, docs/attacks.md.
const expertTokenFlood = "attack_token_flood"

// asking is more than a client asks for tokens and connections: it repeats them twice a second.
//
// CNetConnection::Update in src/engine/shared/network_conn.cpp.
var asking = dissect.RateLimit{Burst: 20, Period: 100 * time.Millisecond}

// countAsked counts a client's request for a token or a connection.
func (c *conversation) countAsked(rec *dissect.Record) {
	if rec.HasTime && !c.asked.Admits(rec.Time, asking) {
		rec.Expert(dissect.Warning, expertTokenFlood, nil, 0,
			"more requests for tokens and connections than a client makes: they keep the server busy")
	}
}

// controlCut adds an entry for an incomplete control message.
func (c *conversation) controlCut(rec *dissect.Record, pos int, cut bool) {
	switch {
	case cut:
		rec.Expert(dissect.Warning, message.ExpertTruncatedByCapture, nil, pos<<3,
			"the capture has %d of the datagram's %d bytes", len(rec.Payload), rec.Length)
	case c.packet.fault == nil:
		rec.Expert(dissect.Fault, message.ExpertTruncated, nil, pos<<3, "the control message ends too early")
	}
}

// A controlReader reads the fields of a control message.
type controlReader struct {
	t     *dissect.Tree
	b     []byte
	pos   int
	short bool
}

func (r *controlReader) open(f *dissect.Field) { r.t.Open(f, 0) }

// take reads n bytes. They may be absent altogether.
func (r *controlReader) take(f *dissect.Field, n int, optional bool) {
	b := r.b[r.pos:]
	if len(b) == 0 && optional {
		return
	}
	if len(b) < n {
		r.short = true
		n = len(b)
	}
	if n > 0 {
		r.t.AddBytes(f, b[:n], r.pos<<3, n<<3)
	}
	r.pos += n
}

// magic reads DDNet's magic bytes, if they follow.
func (r *controlReader) magic() bool {
	if !bytes.HasPrefix(r.b[r.pos:], []byte(tokenMagic)) {
		return false
	}
	r.take(&controlMagic, len(tokenMagic), false)
	return true
}

// connect reads the fields after CONNECT, which differ by dialect.
func (r *controlReader) connect(d tables.Dialect) {
	switch {
	case r.magic(): // DDNet, also when it repeats a request in 0.7
		if d == tables.V07 {
			r.take(&responseToken, tokenLen, true)
		}
	case d == tables.V07:
		r.take(&responseToken, tokenLen, false)
		r.padding(false)
	case len(r.b) > connectUnusedBytes06+tokenLen:
		r.take(&zeroField, connectUnusedBytes06, false)
		r.take(&clientToken, tokenLen, false)
		r.padding(false)
	}
}

// padding counts zero bytes, which every request has.
func (r *controlReader) padding(always bool) {
	n := leadingZeros(r.b[min(r.pos, len(r.b)):])
	if n > 0 || always {
		r.t.Add(&paddingField, uint64(n), r.pos<<3, n<<3)
	}
	r.pos += n
}

// reason reads a text that ends with a NUL or with the packet.
func (r *controlReader) reason() {
	text := r.b[r.pos:]
	n := len(text)
	if end := bytes.IndexByte(text, 0); end >= 0 {
		text, n = text[:end], end+1
	}
	if n > 0 {
		r.t.AddBytes(&reasonField, text, r.pos<<3, n<<3)
	}
	r.pos += n
}

// addRest adds the unread bytes.
func (r *controlReader) addRest() {
	if rest := r.b[min(r.pos, len(r.b)):]; len(rest) > 0 {
		r.t.AddBytes(&controlRest, rest, r.pos<<3, len(rest)<<3)
	}
}
