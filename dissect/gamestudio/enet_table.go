package gamestudio

import (
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A generation is one of ENet's three wire formats.
type generation uint8

const (
	enet13 generation = iota // 1.3
	enet12                   // 1.1 and 1.2
	enet10                   // 1.0, to 2006
	enetGenerations
)

var generationNames = [enetGenerations]string{"1.3", "1.2", "1.0"}

// Numbers of commands. Those of 1.0 differ in part.
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

	enetNoChannel = 0xff // of commands that concern the peer
)

// enetFirstNumbers gives the numbers of 1.0, from 9 on, in those of today.
var enetFirstNumbers = [...]byte{9: enetBandwidth, 10: enetThrottle, 11: enetUnsequenced}

// enetNumber describes a big-endian number of a command. Those whose width differs by generation have none: it
// stands in the command's shape.
func enetNumber(key, name string, bits int, doc string) *dissect.Field {
	return &dissect.Field{Key: key, Name: name, Kind: dissect.Uint, Bits: bits, Source: enetSource, Doc: doc}
}

// Parts of commands.
var (
	enetWantsAck = dissect.Field{Key: "acknowledge", Name: "ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE", Kind: dissect.Bool, Bits: 1, Source: enetSource, Doc: "the receiver is to acknowledge"}
	enetNoOrder  = dissect.Field{Key: "unsequenced", Name: "ENET_PROTOCOL_COMMAND_FLAG_UNSEQUENCED", Kind: dissect.Bool, Bits: 1, Source: enetSource, Doc: "stands in no order"}
	enetChannelF = dissect.Field{Key: "channel", Name: "channelID", Kind: dissect.Uint, Bits: 8, Source: enetSource, Doc: "255: the command concerns the peer"}
	enetSize     = dissect.Field{Key: "command_length", Name: "commandLength", Kind: dissect.Uint, Bits: 32, Unit: "bytes", Source: enetSource, Doc: "of the command and its data; 1.0 alone"}
	enetSequence = dissect.Field{Key: "sequence", Name: "reliableSequenceNumber", Kind: dissect.Uint, Source: enetSource, Doc: "reliable sequence number of the channel; 16 bits, in 1.0 32"}

	enetDuplicate   = dissect.Field{Key: "duplicate", Kind: dissect.Bool, Doc: "true: the command was seen before; a receiver drops it; absent otherwise"}
	enetReassembled = dissect.Field{
		Key: "reassembled_from", Kind: dissect.List, Doc: "frames of the capture that hold the fragments of the message that this one completes",
		Children: []*dissect.Field{{Kind: dissect.Uint}},
	}
	enetLength = enetNumber("length", "dataLength", 16, "bytes of data; not in 1.0")
	enetData   = dissect.Field{Key: "data", Kind: dissect.Hex, Doc: "what the application sent; absent where it stands, decoded, in an object of its own"}
	enetJoined = dissect.Field{Key: "message", Kind: dissect.Hex, Scope: dissect.Message, Doc: "the message that the fragments make up"}

	enetOutPeer     = enetNumber("outgoing_peer_id", "outgoingPeerID", 16, "number under which the sender knows the peer")
	enetInSession   = enetNumber("incoming_session_id", "incomingSessionID", 8, "")
	enetOutSession  = enetNumber("outgoing_session_id", "outgoingSessionID", 8, "")
	enetMTU         = enetNumber("mtu", "", 0, "bytes of the largest packet; 32 bits, before 1.3 16")
	enetWindow      = enetNumber("window_size", "windowSize", 32, "bytes that may be under way")
	enetChannels    = enetNumber("channel_count", "channelCount", 32, "channels of the connection")
	enetIn          = enetNumber("incoming_bandwidth", "incomingBandwidth", 32, "bytes per second; 0: no limit")
	enetOut         = enetNumber("outgoing_bandwidth", "outgoingBandwidth", 32, "bytes per second; 0: no limit")
	enetInterval    = enetNumber("packet_throttle_interval", "packetThrottleInterval", 32, "ms over which the throttle is measured")
	enetAccelerate  = enetNumber("packet_throttle_acceleration", "packetThrottleAcceleration", 32, "")
	enetDecelerate  = enetNumber("packet_throttle_deceleration", "packetThrottleDeceleration", 32, "")
	enetConnectID   = &dissect.Field{Key: "connect_id", Name: "connectID", Kind: dissect.Hex, Bits: 32, Source: enetSource, Doc: "number of the connection; travels in the sender's byte order"}
	enetUserData    = enetNumber("data", "", 32, "a number from the application; in 1.0 in the byte order of the sender")
	enetUnrelSeq    = enetNumber("unreliable_sequence", "unreliableSequenceNumber", 0, "number within the reliable one; 16 bits, in 1.0 32")
	enetGroup       = enetNumber("group", "unsequencedGroup", 0, "number of the packet; 16 bits, in 1.0 32")
	enetStart       = enetNumber("start_sequence", "startSequenceNumber", 0, "sequence number of the message's first fragment; 16 bits, in 1.0 32")
	enetCount       = enetNumber("fragment_count", "fragmentCount", 32, "fragments of the message")
	enetNumberField = enetNumber("fragment_number", "fragmentNumber", 32, "number of this one, from 0")
	enetTotal       = enetNumber("total_length", "totalLength", 32, "bytes of the message")
	enetOffset      = enetNumber("fragment_offset", "fragmentOffset", 32, "where the fragment begins in the message")
	enetGotSequence = enetNumber("received_sequence", "receivedReliableSequenceNumber", 0, "number that is acknowledged; 16 bits, in 1.0 32")
	enetGotTime     = enetNumber("received_sent_time", "receivedSentTime", 0, "time that the acknowledged packet had; 16 bits, in 1.0 32")
)

// An enetSlot is a number of a command and its width.
type enetSlot struct {
	field *dissect.Field
	size  int // bytes
}

// slots are numbers of a command; a number stands for the bytes of the fields behind it.
func slots(list ...any) (all []enetSlot) {
	size := 0
	for _, item := range list {
		switch v := item.(type) {
		case int:
			size = v
		case *dissect.Field:
			all = append(all, enetSlot{v, size})
		case []enetSlot:
			all = append(all, v...)
		}
	}
	return all
}

// An enetShape is what a command looks like in a generation.
type enetShape struct {
	slots    []enetSlot
	size     int // bytes of the whole command but for its data
	lengthAt int // byte of the data's length; 0: none
}

// An enetCommand is one of them.
type enetCommand struct {
	field    dissect.Field
	shapes   [enetGenerations]*enetShape // nil: the generation lacks it
	data     bool                        // the application's bytes follow
	repeated bool                        // sent again until it is acknowledged
	peer     bool                        // concerns the peer and no channel
	flags    [2]byte                     // bits that a sender sets beside the number
}

// newENetCommand describes a command; first, second and third are its numbers in 1.3, in 1.1 and 1.2, and in 1.0.
func newENetCommand(key, name, doc string, flags [2]byte, first, second, third []enetSlot) *enetCommand {
	sends := strings.HasPrefix(key, "send_")
	c := &enetCommand{
		data: sends, peer: !sends && key != "acknowledge", flags: flags,
		repeated: key != "acknowledge" && !strings.HasPrefix(key, "send_un"),
	}
	children := []*dissect.Field{&enetWantsAck, &enetNoOrder, &enetChannelF, &enetSize, &enetSequence}
	if c.repeated {
		children = append(children, &enetDuplicate)
	}
	seen := map[*dissect.Field]bool{}
	for g, list := range [...][]enetSlot{first, second, third} {
		shape := &enetShape{slots: list, size: enetHeadSize(generation(g))}
		for _, s := range list {
			if s.field == enetLength {
				shape.lengthAt = shape.size
			}
			shape.size += s.size
			if !seen[s.field] {
				seen[s.field] = true
				children = append(children, s.field)
			}
		}
		c.shapes[g] = shape
	}
	if c.data {
		children = append(children, &enetData)
	}
	if strings.HasSuffix(key, "fragment") {
		children = append(children, &enetReassembled, &enetJoined)
	}
	c.field = dissect.Field{
		Key: key, Name: name, Kind: dissect.Object, Doc: doc, Source: enetSource, Children: append(children, &dissect.Undecoded),
	}
	return c
}

// Bits of a command's first byte beside its number; in 1.0 they are others, in a byte of their own.
const (
	enetOpMask          = 0x0f
	enetAckFlag         = 0x80
	enetUnsequencedFlag = 0x40

	enetFirstAckFlag         = 1
	enetFirstUnsequencedFlag = 2
)

// enetCommandTable has the commands by their numbers.
var enetCommandTable = func() (table [enetUnreliableFragment + 1]*enetCommand) {
	plain, reliable, unsequenced := [2]byte{}, [2]byte{enetAckFlag, enetAckFlag}, [2]byte{enetUnsequencedFlag, enetUnsequencedFlag}
	either := [2]byte{enetAckFlag, enetUnsequencedFlag}
	throttles := slots(4, enetInterval, enetAccelerate, enetDecelerate)
	limits := slots(4, enetWindow, enetChannels, enetIn, enetOut, throttles)
	verify := slots(2, enetOutPeer, 1, enetInSession, enetOutSession, 4, enetMTU, limits, enetConnectID)
	oldVerify := slots(2, enetOutPeer, enetMTU, limits)
	bandwidths, data := slots(4, enetIn, enetOut), slots(4, enetUserData)
	length := slots(2, enetLength)
	parts := slots(4, enetCount, enetNumberField, enetTotal, enetOffset)
	fragment := slots(2, enetStart, enetLength, parts)

	table[enetAcknowledge] = newENetCommand("acknowledge", "ENET_PROTOCOL_COMMAND_ACKNOWLEDGE", "acknowledges a command", plain,
		slots(2, enetGotSequence, enetGotTime), slots(2, enetGotSequence, enetGotTime), slots(4, enetGotSequence, enetGotTime))
	table[enetConnect] = newENetCommand("connect", "ENET_PROTOCOL_COMMAND_CONNECT", "asks for a connection", reliable,
		slots(4, verify, enetUserData), slots(4, oldVerify, enetConnectID), oldVerify)
	table[enetVerify] = newENetCommand("verify_connect", "ENET_PROTOCOL_COMMAND_VERIFY_CONNECT", "accepts a connection", reliable, verify, oldVerify, oldVerify)
	table[enetDisconnect] = newENetCommand("disconnect", "ENET_PROTOCOL_COMMAND_DISCONNECT", "ends the connection", either, data, data, data)
	table[enetPing] = newENetCommand("ping", "ENET_PROTOCOL_COMMAND_PING", "asks for an acknowledgement", reliable, nil, nil, nil)
	table[enetReliable] = newENetCommand("send_reliable", "ENET_PROTOCOL_COMMAND_SEND_RELIABLE", "a reliable message", reliable, length, length, nil)
	table[enetUnreliable] = newENetCommand("send_unreliable", "ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE", "an unreliable message", plain,
		slots(2, enetUnrelSeq, length), slots(2, enetUnrelSeq, length), slots(4, enetUnrelSeq))
	table[enetFragment] = newENetCommand("send_fragment", "ENET_PROTOCOL_COMMAND_SEND_FRAGMENT", "a fragment of a reliable message", reliable,
		fragment, fragment, slots(4, enetStart, parts))
	table[enetUnsequenced] = newENetCommand("send_unsequenced", "ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED", "an unreliable message without order", unsequenced,
		slots(2, enetGroup, length), slots(2, enetGroup, length), slots(4, enetGroup))
	table[enetBandwidth] = newENetCommand("bandwidth_limit", "ENET_PROTOCOL_COMMAND_BANDWIDTH_LIMIT", "limits of the sender", reliable, bandwidths, bandwidths, bandwidths)
	table[enetThrottle] = newENetCommand("throttle_configure", "ENET_PROTOCOL_COMMAND_THROTTLE_CONFIGURE", "throttle for the receiver", reliable, throttles, throttles, throttles)
	table[enetUnreliableFragment] = newENetCommand("send_unreliable_fragment", "ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE_FRAGMENT", "a fragment of an unreliable message", plain,
		fragment, nil, nil)
	last := table[enetUnreliableFragment] // of 1.3 alone
	last.shapes[enet12], last.shapes[enet10] = nil, nil
	last.field.Children = slices.DeleteFunc(last.field.Children, func(f *dissect.Field) bool { return f == &enetSize })
	return table
}()

// The commands of a packet. Where it was compressed, places count in what it decodes to.
var (
	enetCommandsField = dissect.Field{
		Key: "commands", Kind: dissect.Choices, Source: enetSource, Doc: "the commands of the packet, in order", Children: enetObjects(),
	}
	enetCommandsPacked = dissect.Field{
		Key: "commands", Kind: dissect.Choices, Scope: dissect.Message, Source: enetSource, Doc: enetCommandsField.Doc, Children: enetObjects(),
	}
)

func enetObjects() []*dissect.Field {
	var fields []*dissect.Field
	for _, c := range enetCommandTable[1:] {
		fields = append(fields, &c.field)
	}
	return fields
}
