package directplay8

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/internal/payloads"
)

// The specifications of DirectPlay 8.
const (
	reliableSource  = "MC-DPL8R, DirectPlay 8 Protocol: Reliable"
	coreSource      = "MC-DPL8CS, DirectPlay 8 Protocol: Core and Service Providers"
	discoverySource = "MC-DPLHP, DirectPlay 8 Protocol: Host and Port Enumeration"
)

// Fields of the record's object.
var (
	rootField = dissect.Field{
		Key: protocolName, Kind: dissect.Object, Scope: dissect.Datagram, Doc: "DirectPlay 8 transport",
		Children: []*dissect.Field{&versionField, &discoveryField, &controlField, &dataField, &dissect.Undecoded},
	}
	versionField = dissect.Field{
		Key: "version", Name: "dwCurrentProtocolVersion", Kind: dissect.Label, Source: reliableSource,
		Doc: "version of the connection's protocol, absent while its handshake was not seen; 1.5 has coalescence, 1.6 " +
			"signing",
	}
)

// The first byte of a datagram.
const (
	commandData     = 0x01
	commandReliable = 0x02
	commandOrdered  = 0x04
	commandPoll     = 0x08
	commandFirst    = 0x10
	commandLast     = 0x20
	commandUser1    = 0x40 // a core message
	commandUser2    = 0x80 // voice; without commandData: a control frame
	commandWhole    = commandFirst | commandLast
)

// Bits of the second byte of a data frame.
const (
	controlRetry     = 0x01
	controlKeepAlive = 0x02
	controlCoalesced = 0x04
	controlEnd       = 0x08
	controlSackLow   = 0x10
)

// Minor versions that changed the protocol.
const (
	minorUnknown   = -1
	minorCoalesced = 5
	minorSigned    = 6
)

// A connection is the state of one connection.
type connection struct {
	minor   int // of the version, or minorUnknown
	session uint32
	signing signing
	ended   string // how the current frame ends the connection, or ""
	begunBy int    // the side that asked for it
	carries bool   // the other side has answered, or data frames were seen, and no end
	agreed  bool   // it was accepted
	sound   uint8  // datagrams that could be read, up to enoughSound

	again, reliable bool // the current frame was seen before; it is sent until acknowledged

	names names
	sides [2]direction
}

// A direction is what was seen of the frames of one direction.
type direction struct {
	numbers numbers
	joins   joins
	next    uint8 // number of the frame that the sender expects next
	expects bool  // it is known

	// What two datagrams of the sender acknowledge: anybody can send one, and copies are one witness.
	acknowledged uint8 // number after the last such frame
	sure         bool  // it is known
	witness      uint32
}

// acknowledge notes the number of the frame that the sender of a datagram expects next.
func (d *direction) acknowledge(next uint8, datagram []byte) {
	print := flows.Fingerprint(0, datagram)
	if d.expects && print != d.witness {
		d.acknowledged, d.sure = next, true
		if int8(next-d.next) > 0 {
			d.acknowledged = d.next
		}
	}
	d.next, d.expects, d.witness = next, true, print
}

func newConnection() *connection { return &connection{minor: minorUnknown} }

// begin drops the previous connection unless it is the same one.
func (d *connection) begin(session uint32, minor int) {
	if d.minor == minorUnknown || d.session != session {
		*d = connection{session: session}
	}
	d.minor = minor
}

// end records how the current frame ends the connection.
func (d *connection) end(how string) { d.ended, d.carries = how, false }

// How a frame ends the connection, as reported to payload readers.
const (
	endStream    = "end_stream"        // the last frame of a side
	endHard      = "hard_disconnect"   // immediately
	endTerminate = "terminate_session" // the server removes the player
)

// A conversation is the traffic between two endpoints.
type conversation struct {
	conn      *connection // nil before the first frame
	asked     *connection // the one of a handshake that nobody answered while conn carries frames; nil: none
	carried   payloads.Collector
	read      bool // a reader takes the payloads of the current datagram
	direction dissect.Direction
}

// Shrink drops everything: there are no keys to keep, and a connection that resumes is counted from
// its next frame.
func (c *conversation) Shrink() (kept any) { return nil }

// Dissect decodes one datagram. The application's packets are left to their reader, or shown as
// bytes.
func (c *conversation) Dissect(rec *dissect.Record) bool {
	if c.conn == nil {
		c.conn = newConnection()
	}
	c.carried.Begin(rec)
	c.read, c.direction = rec.Reading != nil, rec.Direction
	if why := c.refusal(rec); why != "" {
		c.refuse(rec, why)
		return true
	}
	c.dissect(rec)
	if d := c.conn; !rec.Damaged {
		d.sound += min(1, enoughSound-d.sound)
	} else if d.sound == enoughSound && !rec.Truncated() {
		rec.Refuse(nil, noFrame)
	}
	return true
}

// dissect decodes a datagram.
func (c *conversation) dissect(rec *dissect.Record) {
	tree := rec.Decoding()
	var r reader
	r.Reset(protocolName, rec.Payload, 0, len(rec.Payload), tree)
	r.Cut = rec.Truncated()
	r.Enter(&rootField)
	c.conn.ended = ""
	d := c.conn
	if ok, byServer := handshakeMark(rec.Payload); ok {
		d = c.greet(rec, byServer)
	}
	if d.minor != minorUnknown {
		tree.AddLabel(&versionField, versionNames[min(d.minor, len(versionNames)-1)], 0, 0)
	}
	switch b := rec.Payload; {
	case len(b) == 0:
		r.Fail(nil, 0, dissect.ErrTruncated)
	case b[0] == 0:
		r.discovery()
	case b[0]&commandData != 0:
		c.dissectFrame(rec, &r)
	case b[0]&commandUser2 != 0:
		d.control(rec, &r)
	default:
		r.Malformed(nil, 0, "first byte 0x%02x is neither discovery nor a data or control frame", b[0])
	}
	r.Report(rec)
	r.Leave()
	tree.CloseAll(len(rec.Payload) << 3)
	c.carried.Ends, c.carried.Client, c.carried.Players = c.conn.ended, c.conn.names.client, c.conn.names.players
	if !c.read {
		cursor.ReportCut(rec)
	}
}

// greet returns the connection that a handshake is about. Anybody can send one, so in the middle of a connection
// another one begins when the other side answers.
func (c *conversation) greet(rec *dissect.Record, byServer bool) *connection {
	b, side := rec.Payload, sideOf(rec)
	session, minor, asker := sessionOf(b), int(b[4]), side
	if byServer {
		asker = 1 - side
	}
	switch d := c.conn; {
	case d.minor != minorUnknown && d.session == session:
		d.begin(session, minor)
		if b[1] != opConnect && !d.agreed { // no frame before it is the connection's
			d.carries, d.agreed, d.sides = true, true, [2]direction{}
		}
	case !d.carries:
		c.carried.Begins = session != d.session
		d.begin(session, minor)
		d.begunBy = asker
	case c.asked == nil, c.asked.session != session:
		c.asked = newConnection()
		c.asked.begin(session, minor)
		c.asked.begunBy = side
		return c.asked
	case c.asked.begunBy == side:
		return c.asked
	default:
		c.change()
	}
	return c.conn
}

// change makes the connection that was asked for the current one.
func (c *conversation) change() {
	c.conn, c.asked, c.carried.Begins = c.asked, nil, true
	c.conn.carries = true
}

var versionNames = [...]string{"1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"}

// sideOf returns the sender's index among the two endpoints of a conversation.
func sideOf(rec *dissect.Record) int {
	if rec.Dst.Compare(rec.Src) < 0 {
		return 1
	}
	return 0
}
