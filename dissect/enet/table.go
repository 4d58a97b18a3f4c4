package enet

import (
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A generation is one of ENet's three wire formats, that of ENet-CSharp 2, which is made from the newest, or that of
// Photon, which is made from the oldest.
type generation uint8

const (
	v13 generation = iota // 1.3
	v12                   // 1.1 and 1.2
	v20                   // ENet-CSharp 2: no compression, the time's bit is the second one, checksums of 64 bits
	v10                   // 1.0, to 2006
	photon
	generations
)

var generationNames = [generations]string{"1.3", "1.2", "2.0", "1.0", "photon"}

// long reports whether commands have a head of twelve bytes, with their length and numbers of 32 bits.
func (g generation) long() bool { return g >= v10 }

// recent reports whether commands are those of 1.3, and packets may have a checksum.
func (g generation) recent() bool { return g == v13 || g == v20 }

// Numbers of commands. Those of 1.0 differ in part.
const (
	opAcknowledge = 1 + iota
	opConnect
	opVerify
	opDisconnect
	opPing
	opReliable
	opUnreliable
	opFragment
	opUnsequenced
	opBandwidth
	opThrottle
	opUnreliableFragment // from 1.3.2 on

	// Photon's own.
	opServerTime
	opReliableUnsequenced
	opFragmentUnsequenced
	opAcknowledgeUnsequenced
	opOther // those whose meaning is not published

	noChannel = 0xff // of commands that concern the whole peer
)

// ops10 and opsPhoton translate the command numbers of 1.0 and Photon, from 9 on, to those of today.
var (
	ops10     = [...]byte{9: opBandwidth, 10: opThrottle, 11: opUnsequenced}
	opsPhoton = [...]byte{
		11: opUnsequenced, 12: opServerTime, 13: opOther, 14: opReliableUnsequenced, 15: opFragmentUnsequenced,
		16: opAcknowledgeUnsequenced,
	}
)

// number describes a big-endian number of a command. Numbers whose width differs between
// generations have no width here; the command's shape has it.
func number(key, name string, bits int, doc string) *dissect.Field {
	return &dissect.Field{Key: key, Name: name, Kind: dissect.Uint, Bits: bits, Source: headerSource, Doc: doc}
}

// Parts of commands.
var (
	wantsAckField = dissect.Field{Key: "acknowledge", Name: "ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE", Kind: dissect.Bool, Bits: 1, Source: headerSource, Doc: "the receiver is to acknowledge"}
	noOrderField  = dissect.Field{Key: "unsequenced", Name: "ENET_PROTOCOL_COMMAND_FLAG_UNSEQUENCED", Kind: dissect.Bool, Bits: 1, Source: headerSource, Doc: "in no order"}
	channelField  = dissect.Field{Key: "channel", Name: "channelID", Kind: dissect.Uint, Bits: 8, Source: headerSource, Doc: "255: the command concerns the peer"}
	sizeField     = dissect.Field{Key: "command_length", Name: "commandLength", Kind: dissect.Uint, Bits: 32, Unit: "bytes", Source: headerSource, Doc: "of the command and its data; 1.0 and Photon"}
	sequenceField = dissect.Field{Key: "sequence", Name: "reliableSequenceNumber", Kind: dissect.Uint, Source: headerSource, Doc: "reliable sequence number of the channel; 16 bits, in 1.0 and Photon 32"}

	duplicateField   = dissect.Field{Key: "duplicate", Kind: dissect.Bool, Doc: "true: the command was seen before; a receiver drops it; absent otherwise"}
	reassembledField = dissect.Field{
		Key: "reassembled_from", Kind: dissect.List,
		Doc:      "frames of the capture that hold the fragments of the message that this one completes",
		Children: []*dissect.Field{{Kind: dissect.Uint}},
	}
	lengthField = number("length", "dataLength", 16, "bytes of data; not in 1.0 and Photon")
	dataField   = dissect.Field{Key: "data", Kind: dissect.Hex, Doc: "what the application sent; absent where it is decoded, in an object of its own"}
	joinedField = dissect.Field{Key: "message", Kind: dissect.Hex, Scope: dissect.Message, Doc: "the message that the fragments make up"}

	outPeerField   = number("outgoing_peer_id", "outgoingPeerID", 16, "number under which the sender knows the peer")
	inSessionField = number("incoming_session_id", "incomingSessionID", 8,
		"session id in headers of packets to the peer that connects; 255: none yet")
	outSessionField = number("outgoing_session_id", "outgoingSessionID", 8,
		"session id in headers of packets from the peer that connects; 255: none yet")
	mtuField      = number("mtu", "", 0, "bytes of the largest packet; 32 bits, before 1.3 16")
	windowField   = number("window_size", "windowSize", 32, "bytes that may be under way")
	channelsField = number("channel_count", "channelCount", 32, "channels of the connection")
	inField       = number("incoming_bandwidth", "incomingBandwidth", 32, "bytes per second; 0: no limit")
	outField      = number("outgoing_bandwidth", "outgoingBandwidth", 32, "bytes per second; 0: no limit")
	intervalField = number("packet_throttle_interval", "packetThrottleInterval", 32,
		"ms over which the throttle is measured")
	accelerateField = number("packet_throttle_acceleration", "packetThrottleAcceleration", 32,
		"added to the throttle, of 32, when the round trip gets shorter")
	decelerateField = number("packet_throttle_deceleration", "packetThrottleDeceleration", 32,
		"taken off the throttle, of 32, when the round trip gets longer")
	connectIDField = &dissect.Field{
		Key: "connect_id", Name: "connectID", Kind: dissect.Hex, Bits: 32,
		Source: headerSource, Doc: "number of the connection; travels in the sender's byte order",
	}
	userDataField = number("data", "", 32, "a number from the application; in 1.0 in the byte order of the sender")
	unrelSeqField = number("unreliable_sequence", "unreliableSequenceNumber", 0,
		"number within the reliable one; 16 bits, in 1.0 32")
	groupField = number("group", "unsequencedGroup", 0, "number of the packet; 16 bits, in 1.0 32")
	startField = number("start_sequence", "startSequenceNumber", 0,
		"sequence number of the message's first fragment; 16 bits, in 1.0 32")
	countField       = number("fragment_count", "fragmentCount", 32, "fragments of the message")
	numberField      = number("fragment_number", "fragmentNumber", 32, "number of this one, from 0")
	totalField       = number("total_length", "totalLength", 32, "bytes of the message")
	offsetField      = number("fragment_offset", "fragmentOffset", 32, "where the fragment begins in the message")
	gotSequenceField = number("received_sequence", "receivedReliableSequenceNumber", 0,
		"number that is acknowledged; 16 bits, in 1.0 32")
	gotTimeField = number("received_sent_time", "receivedSentTime", 0,
		"time that the acknowledged packet had; 16 bits, in 1.0 32")

	// Photon alone.
	reasonField = dissect.Field{
		Key: "reason", Name: "reservedByte", Kind: dissect.Uint, Bits: 8, Source: photonSource,
		Doc:  "of a server: why it ends the connection; Photon alone",
		Enum: &dissect.Enum{First: 1, Tables: [][]string{photonFamily: {"server_logic", "server_timeout", "user_limit"}}},
	}
	otherNumberField = dissect.Field{Key: "type", Name: "commandType", Kind: dissect.Uint, Bits: 8, Source: photonSource, Doc: "number of the command"}
	otherFlagsField  = dissect.Field{Key: "command_flags", Name: "commandFlags", Kind: dissect.Uint, Bits: 8, Source: photonSource, Doc: "flags of the command"}
	otherDataField   = dissect.Field{Key: "data", Kind: dissect.Hex, Doc: "what follows the head of the command"}
)

// A slot is a number of a command and its width.
type slot struct {
	field *dissect.Field
	size  int // bytes
}

// slots builds a list of slots; each number in the arguments is the width in bytes of the fields
// after it.
func slots(list ...any) (all []slot) {
	size := 0
	for _, item := range list {
		switch v := item.(type) {
		case int:
			size = v
		case *dissect.Field:
			all = append(all, slot{v, size})
		case []slot:
			all = append(all, v...)
		}
	}
	return all
}

// A shape is the layout of a command in one generation.
type shape struct {
	slots    []slot
	size     int // bytes of the command without its data
	lengthAt int // byte of the data's length; 0: none
}

// A command describes one command in all generations.
type command struct {
	field    dissect.Field
	shapes   [generations]*shape // nil if the generation lacks the command
	data     bool                // bytes follow: the application's, if carries
	carries  bool
	fragment bool    // they are a part of a message
	repeated bool    // reliable: sent again until acknowledged
	peer     bool    // concerns the peer, not a channel
	flags    [2]byte // bits that a sender sets in addition to the number
}

// newCommand describes a command. The layouts are its slots in 1.3, in 1.1 and 1.2, in 1.0, and in Photon, where that
// does not have those of 1.0.
func newCommand(key, name, doc string, flags [2]byte, layouts ...[]slot) *command {
	sends, acknowledges := strings.HasPrefix(key, "send_"), strings.HasPrefix(key, "acknowledge")
	c := &command{
		data: sends, carries: sends, fragment: strings.Contains(key, "fragment"), peer: !sends && !acknowledges, flags: flags,
		repeated: !acknowledges && !strings.HasPrefix(key, "send_un"),
	}
	like10 := 2
	if len(layouts) == like10+1 {
		layouts = append(layouts, layouts[like10])
	}
	described := [...]generation{v13, v12, v10, photon}
	children := []*dissect.Field{&wantsAckField, &noOrderField, &channelField, &sizeField, &sequenceField}
	if c.repeated {
		children = append(children, &duplicateField)
	}
	seen := map[*dissect.Field]bool{}
	for i, list := range layouts {
		g := described[i]
		shape := &shape{slots: list, size: commandHeadLen(g)}
		for _, s := range list {
			if s.field == lengthField {
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
	c.shapes[v20] = c.shapes[v13]
	if c.data {
		children = append(children, &dataField)
	}
	if c.fragment {
		children = append(children, &reassembledField, &joinedField)
	}
	c.field = dissect.Field{
		Key: key, Name: name, Kind: dissect.Object, Doc: doc, Source: headerSource,
		Children: append(children, &dissect.Undecoded), Frame: commandFrame,
	}
	return c
}

// Flags in a command's first byte, next to its number. 1.0 has other flags, in a byte of their own.
const (
	opMask          = 0x0f
	ackFlag         = 0x80
	unsequencedFlag = 0x40

	ackFlag10         = 1
	unsequencedFlag10 = 2
)

// commandTable returns the commands, indexed by number.
var commandTable = func() (table [opOther + 1]*command) {
	plain, reliable, unsequenced := [2]byte{}, [2]byte{ackFlag, ackFlag}, [2]byte{unsequencedFlag, unsequencedFlag}
	either := [2]byte{ackFlag, unsequencedFlag}
	throttles := slots(4, intervalField, accelerateField, decelerateField)
	limits := slots(4, windowField, channelsField, inField, outField, throttles)
	verify := slots(2, outPeerField, 1, inSessionField, outSessionField, 4, mtuField, limits, connectIDField)
	oldVerify := slots(2, outPeerField, mtuField, limits)
	bandwidths, data := slots(4, inField, outField), slots(4, userDataField)
	length := slots(2, lengthField)
	parts := slots(4, countField, numberField, totalField, offsetField)
	fragment := slots(2, startField, lengthField, parts)

	table[opAcknowledge] = newCommand("acknowledge", "ENET_PROTOCOL_COMMAND_ACKNOWLEDGE", "acknowledges a command", plain,
		slots(2, gotSequenceField, gotTimeField), slots(2, gotSequenceField, gotTimeField),
		slots(4, gotSequenceField, gotTimeField))
	table[opConnect] = newCommand("connect", "ENET_PROTOCOL_COMMAND_CONNECT", "asks for a connection", reliable,
		slots(4, verify, userDataField), slots(4, oldVerify, connectIDField), oldVerify)
	table[opVerify] = newCommand("verify_connect", "ENET_PROTOCOL_COMMAND_VERIFY_CONNECT", "accepts a connection",
		reliable, verify, oldVerify, oldVerify)
	table[opDisconnect] = newCommand("disconnect", "ENET_PROTOCOL_COMMAND_DISCONNECT", "ends the connection",
		either, data, data, data, nil)
	table[opDisconnect].field.Children = append(table[opDisconnect].field.Children, &reasonField)
	table[opPing] = newCommand("ping", "ENET_PROTOCOL_COMMAND_PING", "asks for an acknowledgement",
		reliable, nil, nil, nil)
	table[opReliable] = newCommand("send_reliable", "ENET_PROTOCOL_COMMAND_SEND_RELIABLE", "a reliable message",
		reliable, length, length, nil)
	table[opUnreliable] = newCommand("send_unreliable", "ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE",
		"an unreliable message", plain,
		slots(2, unrelSeqField, length), slots(2, unrelSeqField, length), slots(4, unrelSeqField))
	table[opFragment] = newCommand("send_fragment", "ENET_PROTOCOL_COMMAND_SEND_FRAGMENT",
		"a fragment of a reliable message", reliable,
		fragment, fragment, slots(4, startField, parts))
	table[opUnsequenced] = newCommand("send_unsequenced", "ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED",
		"an unreliable message without order", unsequenced,
		slots(2, groupField, length), slots(2, groupField, length), slots(4, groupField))
	table[opBandwidth] = newCommand("bandwidth_limit", "ENET_PROTOCOL_COMMAND_BANDWIDTH_LIMIT", "limits of the sender",
		reliable, bandwidths, bandwidths, bandwidths)
	table[opThrottle] = newCommand("throttle_configure", "ENET_PROTOCOL_COMMAND_THROTTLE_CONFIGURE",
		"throttle for the receiver", reliable, throttles, throttles, throttles)
	table[opUnreliableFragment] = newCommand("send_unreliable_fragment", "ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE_FRAGMENT",
		"a fragment of an unreliable message", plain,
		fragment, nil, nil)
	last := table[opUnreliableFragment] // of 1.3 alone
	last.shapes = [generations]*shape{v13: last.shapes[v13], v20: last.shapes[v13]}
	last.field.Children = slices.DeleteFunc(last.field.Children, func(f *dissect.Field) bool { return f == &sizeField })
	table[opBandwidth].shapes[photon], table[opThrottle].shapes[photon] = nil, nil
	addPhotonCommands(&table)
	return table
}()

// The commands of a packet. In a compressed packet, positions count from the start of the
// decompressed bytes.
var (
	commandsField = dissect.Field{
		Key: "commands", Kind: dissect.Choices, Source: headerSource, Doc: "the commands of the packet, in order",
		Children: commandFields(),
	}
	commandsPackedField = dissect.Field{
		Key: "commands", Kind: dissect.Choices, Scope: dissect.Message, Source: headerSource, Doc: commandsField.Doc,
		Children: commandFields(),
	}
)

func commandFields() []*dissect.Field {
	var fields []*dissect.Field
	for _, c := range commandTable[1:] {
		fields = append(fields, &c.field)
	}
	return fields
}
