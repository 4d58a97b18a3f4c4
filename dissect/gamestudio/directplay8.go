package gamestudio

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
)

// Where DirectPlay 8 is written.
const (
	reliableSource  = "MC-DPL8R, DirectPlay 8 Protocol: Reliable"
	coreSource      = "MC-DPL8CS, DirectPlay 8 Protocol: Core and Service Providers"
	discoverySource = "MC-DPLHP, DirectPlay 8 Protocol: Host and Port Enumeration"
)

// Fields of the record's object.
var (
	dplayField = dissect.Field{
		Key: dplayName, Kind: dissect.Object, Scope: dissect.Datagram, Doc: "DirectPlay 8 transport",
		Children: []*dissect.Field{&dplayVersion, &discoveryField, &controlField, &dataField, &dissect.Undecoded},
	}
	dplayVersion = dissect.Field{
		Key: "version", Name: "dwCurrentProtocolVersion", Kind: dissect.Label, Source: reliableSource,
		Doc: "version of the connection's protocol, absent while its handshake was not seen; 1.5 has coalescence, 1.6 signing",
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

// Minor versions that brought something.
const (
	minorUnknown   = -1
	minorCoalesced = 5
	minorSigned    = 6
)

// A dplay is the state of a connection.
type dplay struct {
	minor   int // of the version, or minorUnknown
	session uint32
	signing signing
	again   bool   // the frame at hand was seen before
	ended   string // how the frame at hand ends the connection, or ""
	names   names
	sides   [2]dplaySide
}

// A dplaySide is one direction: what was seen of its frames.
type dplaySide struct {
	seen    bool
	newest  uint32 // number of the newest frame, carried on beyond its eight bits
	arrived uint64 // bit k: frame newest-k was seen
	joins   joins
}

func newDPlay() *dplay { return &dplay{minor: minorUnknown} }

// begin forgets the connection before, unless it is the same.
func (d *dplay) begin(session uint32, minor int) {
	if d.minor == minorUnknown || d.session != session {
		*d = dplay{session: session}
	}
	d.minor = minor
}

// firstNumber is what numbers of frames are carried on from.
const firstNumber = 1 << 16

// extend carries a frame's eight bits on to a number that does not wrap.
func (s *dplaySide) extend(sequence uint8) uint32 {
	if !s.seen {
		return firstNumber | uint32(sequence)
	}
	return s.newest + uint32(int32(int8(sequence-uint8(s.newest))))
}

// number is extend for a frame that was seen, which it notes.
func (s *dplaySide) number(sequence uint8) (n uint32, duplicate bool) {
	n = s.extend(sequence)
	if !s.seen {
		s.seen, s.newest, s.arrived = true, n, 1
		return n, false
	}
	switch ahead := int32(n - s.newest); {
	case ahead >= 64:
		s.newest, s.arrived = n, 1
	case ahead > 0:
		s.newest, s.arrived = n, s.arrived<<ahead|1
	case -ahead >= 64:
		return n, false
	default:
		bit := uint64(1) << -ahead
		duplicate = s.arrived&bit != 0
		s.arrived |= bit
	}
	return n, duplicate
}

// dissectDirectPlay8 decodes one datagram of DirectPlay 8 into an object of its own, and leaves the
// application's packets in parts.
func (c *conversation) dissectDirectPlay8(rec *dissect.Record, tree *dissect.Tree, h hint) {
	if c.dplay == nil {
		c.dplay = newDPlay()
	}
	var r reader
	r.reset(dplayName, rec.Payload, 0, len(rec.Payload), tree)
	r.cut = rec.Truncated()
	r.enter(&dplayField)
	c.dplay.ended = ""
	if ok, _ := dplayMark(rec.Payload); ok {
		session := binary.LittleEndian.Uint32(rec.Payload[8:])
		c.left = c.left && session == c.dplay.session
		c.dplay.begin(session, int(rec.Payload[4]))
	}
	if d := c.dplay; d.minor != minorUnknown {
		tree.AddLabel(&dplayVersion, versionNames[min(d.minor, len(versionNames)-1)], 0, 0)
	}
	switch b := rec.Payload; {
	case len(b) == 0:
		r.fail(nil, 0, dissect.ErrTruncated)
	case b[0] == 0:
		r.discovery()
	case b[0]&commandData != 0:
		c.dissectFrame(rec, &r, h)
	case b[0]&commandUser2 != 0:
		c.dplay.control(rec, &r)
	default:
		r.malformed(nil, 0, "first byte 0x%02x is neither discovery nor a data or control frame", b[0])
	}
	r.report(rec)
	r.leave()
	tree.CloseAll(len(rec.Payload) << 3)
}

var versionNames = [...]string{"1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"}

// sideOf numbers the endpoints of a conversation: the sender's.
func sideOf(rec *dissect.Record) int {
	if rec.Dst.Compare(rec.Src) < 0 {
		return 1
	}
	return 0
}
