package gamestudio

import (
	"encoding/binary"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// Numbers of commands, the lower four bits of their first byte.
const (
	enetAcknowledge = 1 + iota
	enetConnect
	enetVerify
	enetDisconnect
	enetPing
	enetReliable
	enetUnreliable
	enetFragment
	enetUnsequenced
	enetBandwidth
	enetThrottle
	enetUnreliableFragment // from 1.3.2 on

	enetOpMask          = 0x0f
	enetAckFlag         = 0x80
	enetUnsequencedFlag = 0x40
	enetNoChannel       = 0xff // of commands that concern the peer
)

// number describes a big-endian number of a command.
func enetNumber(key, name string, bits int, doc string) *dissect.Field {
	return &dissect.Field{Key: key, Name: name, Kind: dissect.Uint, Bits: bits, Source: enetSource, Doc: doc}
}

// Parts of commands.
var (
	enetWantsAck = dissect.Field{Key: "acknowledge", Name: "ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE", Kind: dissect.Bool, Bits: 1, Source: enetSource, Doc: "the receiver is to acknowledge"}
	enetNoOrder  = dissect.Field{Key: "unsequenced", Name: "ENET_PROTOCOL_COMMAND_FLAG_UNSEQUENCED", Kind: dissect.Bool, Bits: 1, Source: enetSource, Doc: "stands in no order"}
	enetChannelF = dissect.Field{Key: "channel", Name: "channelID", Kind: dissect.Uint, Bits: 8, Source: enetSource, Doc: "255: the command concerns the peer"}
	enetSequence = dissect.Field{Key: "sequence", Name: "reliableSequenceNumber", Kind: dissect.Uint, Bits: 16, Source: enetSource, Doc: "reliable sequence number of the channel"}

	enetDuplicate   = dissect.Field{Key: "duplicate", Kind: dissect.Bool, Doc: "true: the command was seen before; a receiver drops it; absent otherwise"}
	enetReassembled = dissect.Field{
		Key: "reassembled_from", Kind: dissect.List, Doc: "frames of the capture that hold the fragments of the message that this one completes",
		Children: []*dissect.Field{{Kind: dissect.Uint}},
	}
	enetLength = enetNumber("length", "dataLength", 16, "bytes of data")
	enetData   = dissect.Field{Key: "data", Kind: dissect.Hex, Doc: "what the application sent; absent where it stands, decoded, in an object of its own"}
	enetJoined = dissect.Field{Key: "message", Kind: dissect.Hex, Scope: dissect.Message, Doc: "the message that the fragments make up"}

	enetOutPeer     = enetNumber("outgoing_peer_id", "outgoingPeerID", 16, "number under which the sender knows the peer")
	enetInSession   = enetNumber("incoming_session_id", "incomingSessionID", 8, "")
	enetOutSession  = enetNumber("outgoing_session_id", "outgoingSessionID", 8, "")
	enetMTU         = enetNumber("mtu", "", 32, "bytes of the largest packet")
	enetMTU16       = enetNumber("mtu", "", 16, "bytes of the largest packet")
	enetWindow      = enetNumber("window_size", "windowSize", 32, "bytes that may be under way")
	enetChannels    = enetNumber("channel_count", "channelCount", 32, "channels of the connection")
	enetIn          = enetNumber("incoming_bandwidth", "incomingBandwidth", 32, "bytes per second; 0: no limit")
	enetOut         = enetNumber("outgoing_bandwidth", "outgoingBandwidth", 32, "bytes per second; 0: no limit")
	enetInterval    = enetNumber("packet_throttle_interval", "packetThrottleInterval", 32, "ms over which the throttle is measured")
	enetAccelerate  = enetNumber("packet_throttle_acceleration", "packetThrottleAcceleration", 32, "")
	enetDecelerate  = enetNumber("packet_throttle_deceleration", "packetThrottleDeceleration", 32, "")
	enetConnectID   = &dissect.Field{Key: "connect_id", Name: "connectID", Kind: dissect.Hex, Bits: 32, Source: enetSource, Doc: "number of the connection; travels in the sender's byte order"}
	enetUserData    = enetNumber("data", "", 32, "a number from the application")
	enetUnrelSeq    = enetNumber("unreliable_sequence", "unreliableSequenceNumber", 16, "number within the reliable one")
	enetGroup       = enetNumber("group", "unsequencedGroup", 16, "number of the packet")
	enetStart       = enetNumber("start_sequence", "startSequenceNumber", 16, "sequence number of the message's first fragment")
	enetCount       = enetNumber("fragment_count", "fragmentCount", 32, "fragments of the message")
	enetNumberField = enetNumber("fragment_number", "fragmentNumber", 32, "number of this one, from 0")
	enetTotal       = enetNumber("total_length", "totalLength", 32, "bytes of the message")
	enetOffset      = enetNumber("fragment_offset", "fragmentOffset", 32, "where the fragment begins in the message")
	enetGotSequence = enetNumber("received_sequence", "receivedReliableSequenceNumber", 16, "number that is acknowledged")
	enetGotTime     = enetNumber("received_sent_time", "receivedSentTime", 16, "time that the acknowledged packet had")
)

// An enetCommand is one of them: its object and, by generation, its numbers.
type enetCommand struct {
	field        dissect.Field
	current, old []*dissect.Field
	data         bool // the application's bytes follow, as many as the field length says
	repeated     bool // sent again until it is acknowledged
}

func newENetCommand(key, name, doc string, current, old []*dissect.Field, data bool) *enetCommand {
	c := &enetCommand{current: current, old: old, data: data, repeated: key != "acknowledge" && !strings.HasPrefix(key, "send_un")}
	children := []*dissect.Field{&enetWantsAck, &enetNoOrder, &enetChannelF, &enetSequence}
	if c.repeated {
		children = append(children, &enetDuplicate)
	}
	seen := map[string]bool{}
	for _, f := range append(append([]*dissect.Field{}, current...), old...) {
		if !seen[f.Key] {
			seen[f.Key] = true
			children = append(children, f)
		}
	}
	if data {
		children = append(children, &enetData)
	}
	if key == "send_fragment" || key == "send_unreliable_fragment" {
		children = append(children, &enetReassembled, &enetJoined)
	}
	c.field = dissect.Field{
		Key: key, Name: name, Kind: dissect.Object, Doc: doc, Source: enetSource, Children: append(children, &dissect.Undecoded),
	}
	return c
}

var (
	bandwidths    = []*dissect.Field{enetIn, enetOut}
	throttles     = []*dissect.Field{enetInterval, enetAccelerate, enetDecelerate}
	limits        = append([]*dissect.Field{enetWindow, enetChannels, enetIn, enetOut}, throttles...)
	currentVerify = append([]*dissect.Field{enetOutPeer, enetInSession, enetOutSession, enetMTU}, append(append([]*dissect.Field{}, limits...), enetConnectID)...)
	oldVerify     = append([]*dissect.Field{enetOutPeer, enetMTU16}, limits...)
	fragments     = []*dissect.Field{enetStart, enetLength, enetCount, enetNumberField, enetTotal, enetOffset}
)

// enetCommandTable has the commands by their numbers.
var enetCommandTable = [...]*enetCommand{
	enetAcknowledge: newENetCommand("acknowledge", "ENET_PROTOCOL_COMMAND_ACKNOWLEDGE", "acknowledges a command",
		[]*dissect.Field{enetGotSequence, enetGotTime}, []*dissect.Field{enetGotSequence, enetGotTime}, false),
	enetConnect: newENetCommand("connect", "ENET_PROTOCOL_COMMAND_CONNECT", "asks for a connection",
		append(currentVerify[:len(currentVerify):len(currentVerify)], enetUserData), append(oldVerify[:len(oldVerify):len(oldVerify)], enetConnectID), false),
	enetVerify: newENetCommand("verify_connect", "ENET_PROTOCOL_COMMAND_VERIFY_CONNECT", "accepts a connection", currentVerify, oldVerify, false),
	enetDisconnect: newENetCommand("disconnect", "ENET_PROTOCOL_COMMAND_DISCONNECT", "ends the connection",
		[]*dissect.Field{enetUserData}, []*dissect.Field{enetUserData}, false),
	enetPing: newENetCommand("ping", "ENET_PROTOCOL_COMMAND_PING", "asks for an acknowledgement", nil, nil, false),
	enetReliable: newENetCommand("send_reliable", "ENET_PROTOCOL_COMMAND_SEND_RELIABLE", "a reliable message",
		[]*dissect.Field{enetLength}, []*dissect.Field{enetLength}, true),
	enetUnreliable: newENetCommand("send_unreliable", "ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE", "an unreliable message",
		[]*dissect.Field{enetUnrelSeq, enetLength}, []*dissect.Field{enetUnrelSeq, enetLength}, true),
	enetFragment: newENetCommand("send_fragment", "ENET_PROTOCOL_COMMAND_SEND_FRAGMENT", "a fragment of a reliable message",
		fragments, fragments, true),
	enetUnsequenced: newENetCommand("send_unsequenced", "ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED", "an unreliable message without order",
		[]*dissect.Field{enetGroup, enetLength}, []*dissect.Field{enetGroup, enetLength}, true),
	enetBandwidth: newENetCommand("bandwidth_limit", "ENET_PROTOCOL_COMMAND_BANDWIDTH_LIMIT", "limits of the sender", bandwidths, bandwidths, false),
	enetThrottle:  newENetCommand("throttle_configure", "ENET_PROTOCOL_COMMAND_THROTTLE_CONFIGURE", "throttle for the receiver", throttles, throttles, false),
	enetUnreliableFragment: newENetCommand("send_unreliable_fragment", "ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE_FRAGMENT", "a fragment of an unreliable message",
		fragments, nil, true),
}

var enetCommandsField = dissect.Field{
	Key: "commands", Kind: dissect.Choices, Source: enetSource, Doc: "the commands of the packet, in order", Children: enetObjects(),
}

func enetObjects() []*dissect.Field {
	var fields []*dissect.Field
	for _, c := range enetCommandTable[1:] {
		fields = append(fields, &c.field)
	}
	return fields
}

// fields are the command's numbers in a generation; ok is false where it has no such command.
func (c *enetCommand) fields(old bool) (fields []*dissect.Field, ok bool) {
	if old {
		return c.old, c != enetCommandTable[enetUnreliableFragment]
	}
	return c.current, true
}

// enetCommands reads the commands of a packet.
func (c *conversation) enetCommands(rec *dissect.Record, r *reader, l layout, h hint) {
	r.enter(&enetCommandsField)
	defer r.leave()
	for r.rest() > 0 && !r.failed() {
		at := r.at
		op := r.b[at]
		number := op & enetOpMask
		if number == 0 || int(number) >= len(enetCommandTable) {
			r.malformed(&enetCommandsField, at, "command %d does not exist", number)
			return
		}
		command := enetCommandTable[number]
		fields, ok := command.fields(l.old)
		if !ok {
			r.malformed(&enetCommandsField, at, "command %d does not exist in this generation", number)
			return
		}
		r.enter(&command.field)
		r.at++
		r.tree.AddBool(&enetWantsAck, op&enetAckFlag != 0, at<<3, 1)
		r.tree.AddBool(&enetNoOrder, op&enetUnsequencedFlag != 0, at<<3+1, 1)
		channel := uint8(r.network(&enetChannelF))
		sequence := uint16(r.network(&enetSequence))
		start := r.at
		for _, f := range fields {
			if f.Kind == dissect.Hex {
				r.hex(f, f.Bits>>3)
			} else {
				r.network(f)
			}
		}
		if !r.failed() {
			c.enetCommand(rec, r, enetArrived{
				number: number, acknowledged: op&enetAckFlag != 0, channel: channel, sequence: sequence,
				at: at, body: r.b[start:r.at], fields: fields, command: command,
			}, h)
		}
		r.leave()
	}
}

// An enetArrived is a command whose numbers were read.
type enetArrived struct {
	number       byte
	acknowledged bool
	channel      uint8
	sequence     uint16
	at           int
	body         []byte // its numbers
	fields       []*dissect.Field
	command      *enetCommand
}

// value finds one of the numbers.
func (a *enetArrived) value(f *dissect.Field) (v uint64) {
	at := 0
	for _, g := range a.fields {
		n := g.Bits >> 3
		if g == f {
			for _, b := range a.body[at : at+n] {
				v = v<<8 | uint64(b)
			}
			return v
		}
		at += n
	}
	return 0
}

// enetCommand takes a command for what it says of the connection, and shows the application's bytes.
func (c *conversation) enetCommand(rec *dissect.Record, r *reader, a enetArrived, h hint) {
	e := c.enet
	switch a.number {
	case enetConnect:
		id := a.body[len(a.body)-4:]
		if !e.old {
			id = a.body[len(a.body)-8 : len(a.body)-4]
		}
		if !e.hasID || [4]byte(id) != e.id {
			e.id, e.hasID, e.sides = [4]byte(id), true, [2]enetSide{}
		}
	case enetVerify:
		if !e.old && !e.hasID {
			e.id, e.hasID = [4]byte(a.body[len(a.body)-4:]), true
		}
	}
	side := &e.sides[sideOf(rec)]
	duplicate := a.acknowledged && a.command.repeated && side.arrive(a.channel, a.sequence)
	if duplicate {
		r.tree.AddBool(&enetDuplicate, true, 0, 0)
	}
	if !a.command.data {
		return
	}
	at, size := r.at, int(a.value(enetLength))
	if size > r.rest() && !r.cut {
		r.malformed(enetLength, at-2, "%d bytes of data, and %d are left", size, r.rest())
		return
	}
	if size > r.rest() {
		if r.rest() > 0 {
			r.tree.AddBytes(&enetData, r.b[at:r.end], at<<3, r.rest()<<3)
		}
		r.at = r.end
		r.fail(&enetData, r.end, dissect.ErrTruncated)
		return
	}
	r.at += size
	if a.number == enetFragment || a.number == enetUnreliableFragment {
		c.enetFragment(rec, r, &a, side, duplicate, at, size, h)
		return
	}
	if h&isGame != 0 && size > 0 {
		c.addPayload(r.b, part{at: at, end: at + size, again: duplicate})
		return
	}
	r.tree.AddBytes(&enetData, r.b[at:at+size], at<<3, size<<3)
}

// An enetScan walks through a packet for its lengths alone.
type enetScan struct {
	head     enetHeader
	commands int
	acks     int
	data     int

	// The newest reliable command and acknowledgement.
	reliable             bool
	channel              uint8
	sequence             uint16
	ackChannel           uint8
	ackSequence, ackTime uint16
}

// scan reports whether the layout explains the packet to its end.
func (s *enetScan) scan(b []byte, l layout) bool {
	*s = enetScan{}
	if !s.head.parse(b, l) {
		return false
	}
	at := s.head.size
	if s.head.packed {
		return len(b) > at
	}
	for at < len(b) {
		op := b[at]
		number := op & enetOpMask
		if number == 0 || int(number) >= len(enetCommandTable) || op&0x30 != 0 {
			return false
		}
		command := enetCommandTable[number]
		fields, ok := command.fields(l.old)
		size, lengthAt := 4, 0
		for _, f := range fields {
			size += f.Bits >> 3
			if f == enetLength {
				lengthAt = size - 2
			}
		}
		if !ok || size > len(b)-at {
			return false
		}
		if command.data {
			n := int(binary.BigEndian.Uint16(b[at+lengthAt:]))
			s.data += n
			size += n
		}
		if size > len(b)-at || !s.plausible(b[at:at+size], number, op) {
			return false
		}
		at += size
		s.commands++
	}
	return true
}

// plausible tests what a sender of ENet cannot have put into a command, and notes its numbers.
func (s *enetScan) plausible(b []byte, number, op byte) bool {
	channel, sequence := b[1], binary.BigEndian.Uint16(b[2:])
	peer := false // concerns the peer and no channel
	switch number {
	case enetConnect, enetVerify, enetDisconnect, enetPing, enetBandwidth, enetThrottle:
		peer = true
	case enetAcknowledge:
		s.acks++
		s.ackChannel, s.ackSequence, s.ackTime = channel, binary.BigEndian.Uint16(b[4:]), binary.BigEndian.Uint16(b[6:])
		return op&^enetOpMask == 0
	}
	if peer && channel != enetNoChannel || !peer && channel == enetNoChannel {
		return false
	}
	reliable := number == enetReliable || number == enetFragment || number == enetPing || number == enetConnect || number == enetVerify
	if reliable && op&enetAckFlag == 0 {
		return false
	}
	if op&enetAckFlag != 0 {
		s.reliable, s.channel, s.sequence = true, channel, sequence
	}
	return true
}
