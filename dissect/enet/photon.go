package enet

import (
	"bytes"
	"hash/crc32"

	"github.com/q3dissect/q3dissect/dissect"
)

// Photon, by Exit Games, speaks a dialect of ENet 1.0 over UDP: the same headers, with flags that 1.0 does not have,
// the same commands but for those that end a connection, limit and throttle, and some of its own. What its messages
// contain is not dissected.
//
// Sources: the vendor's description, and what programs of others publish about it: the constants NCommand.CT_* and
// FV_*, which are the names of the commands here, and packets that were captured.
const photonSource = "doc.photonengine.com, Binary Protocol; NCommand of Photon's client"

// Flags of a packet.
const (
	photonEncrypted = 1
	photonChecksum  = 204
)

// Sizes of the headers of encrypted packets and of those with a checksum. The former have no time and number of
// commands.
const (
	photonEncryptedLen = 7
	photonChecksumLen  = headerLen10 + 4
)

// What distinguishes Photon from 1.0: the byte that 1.0 reserves, as Photon's clients send it, and the first two bytes
// of a message: a constant and the message's type, with a bit for encrypted ones.
const (
	reservedAt     = 3 // in a command
	photonReserved = 4
	photonMessage  = 0xf3
	photonTypes    = 9
	photonTypeBits = 0x7f
)

// looksLikePhoton reports whether a command that 1.0 could have too is as Photon writes it.
func looksLikePhoton(command, data []byte) bool {
	return command[reservedAt] == photonReserved || len(data) >= 2 && data[0] == photonMessage &&
		data[1]&photonTypeBits < photonTypes
}

// photonNoPeer is the second number of a peer that has none yet, of clients that want the server to trace the
// connection.
const photonNoPeer = 1<<16 - 2

// photonPort reports whether a port is one of those that Photon's servers have by default. They only decide what
// could be either dialect.
func photonPort(p *dissect.Packet) bool {
	return isPhotonPort(p.Src.Port()) || isPhotonPort(p.Dst.Port())
}

func isPhotonPort(port uint16) bool { return port >= 5055 && port <= 5058 }

// addPhotonCommands adds the commands that only Photon has.
func addPhotonCommands(table *[opOther + 1]*command) {
	add := func(number int, key, name, doc string, flags byte, like []slot) {
		c := newCommand(key, name, doc, [2]byte{flags, flags}, nil, nil, nil, like)
		c.shapes = [generations]*shape{photon: c.shapes[photon]}
		c.field.Source = photonSource
		table[number] = c
	}
	const both = ackFlag | unsequencedFlag
	add(opServerTime, "server_time", "CT_EG_SERVERTIME", "asks for an acknowledgement at once, whose time is the server's",
		ackFlag, nil)
	add(opReliableUnsequenced, "send_reliable_unsequenced", "CT_EG_SEND_RELIABLE_UNSEQUENCED",
		"a reliable message without order", both, nil)
	add(opFragmentUnsequenced, "send_fragment_unsequenced", "CT_EG_SEND_FRAGMENT_UNSEQUENCED",
		"a fragment of a reliable message without order", both,
		table[opFragment].shapes[v10].slots)
	add(opAcknowledgeUnsequenced, "acknowledge_unsequenced", "CT_EG_ACK_UNSEQUENCED",
		"acknowledges a command without order", 0,
		table[opAcknowledge].shapes[v10].slots)
	table[opOther] = &command{
		data: true, shapes: [generations]*shape{photon: {size: commandHeadLen(photon)}},
		field: dissect.Field{
			Key: "other", Kind: dissect.Object, Source: photonSource, Doc: "a command of Photon whose meaning is not published",
			Children: []*dissect.Field{
				&otherNumberField, &otherFlagsField, &channelField, &sizeField, &sequenceField,
				&otherDataField, &dissect.Undecoded,
			},
		},
	}
}

// photonSum computes the checksum of one of Photon's packets: the CRC, not inverted at the end, with zeros in the
// checksum's place.
func photonSum(b []byte) uint32 {
	var zeros [photonChecksumLen - headerLen10]byte
	crc := crc32.Update(0, crc32.IEEETable, b[:headerLen10])
	crc = crc32.Update(crc, crc32.IEEETable, zeros[:])
	return ^crc32.Update(crc, crc32.IEEETable, b[photonChecksumLen:])
}

// joined reports whether the rest of a datagram is more packets of the connection: a receiver's system that joins
// datagrams gives several as one, each with a header and checksum of its own.
func (s *scanner) joined(first, rest []byte) bool {
	for len(rest) > 0 {
		n := s.photonPacket(first, rest)
		if n == 0 {
			return false
		}
		rest = rest[n:]
	}
	return true
}

// photonPacket returns the size of the packet at the beginning of b, of the connection of the first one of the
// datagram; 0: it is none.
func (s *scanner) photonPacket(first, b []byte) int {
	var h header
	if !h.parse(b, layout{generation: photon}) || h.encrypted || h.count == 0 ||
		!bytes.Equal(b[headerLen10-4:headerLen10], first[headerLen10-4:headerLen10]) {
		return 0
	}
	commands := s.commands
	used, ok := s.walk(b[h.size:], photon, h.count)
	if !ok || s.commands-commands != h.count {
		return 0
	}
	return h.size + used
}

// firstPacket returns the size of the first packet of a datagram: all of it, unless others that can be read follow.
func (e *connection) firstPacket(b []byte, l layout) int {
	if l.generation != photon || !e.scan.scan(b, l) {
		return len(b)
	}
	head := e.scan.head
	e.scan.found = found{}
	used, _ := e.scan.walk(b[head.size:], photon, head.count)
	return head.size + used
}

// dissectJoined reads the packets after the first one of a datagram.
func (c *conversation) dissectJoined(rec *dissect.Record, r *reader, l layout) {
	e := &c.conn
	b := rec.Payload
	r.Enter(&furtherField)
	for !r.Failed() && r.End < len(b) {
		n := e.scan.photonPacket(b, b[r.End:])
		if n == 0 {
			break
		}
		at := r.End
		r.End += n
		r.Enter(&furtherPacketField)
		var head header
		r.readHeader(&head, l)
		if head.summed && !r.Failed() {
			e.check(rec, r.Tree, b[at:r.End], at, &head)
		}
		c.dissectCommands(rec, r, &commandsField, l.generation)
		r.Leave()
	}
	r.Leave()
}

// Fields of the packets after the first one of a datagram.
var (
	furtherField = dissect.Field{
		Key: "packets", Kind: dissect.List, Source: photonSource, Children: []*dissect.Field{&furtherPacketField},
		Doc: "Photon: the packets after the first one, where the receiver's system joined several datagrams to one",
	}
	furtherPacketField = dissect.Field{
		Kind: dissect.Object, Doc: "a packet with its own header and checksum", Source: photonSource,
		Children: []*dissect.Field{
			&peerField, &flagsField, &commandCountField, &timeField, &challengeField, &checksumField, &checksumOKField,
			&commandsField,
		},
	}
)

// photonFamily is the table of an Enum that has Photon's names; 1.0 has none for the same numbers.
const photonFamily = 1

// readLongHeader reads the header of a packet of 1.0 or Photon.
func (r *reader) readLongHeader(h *header, l layout) {
	if l.generation == photon && r.Tree != nil {
		r.Tree.Family = photonFamily
	}
	r.Network(&peerField)
	r.Network(&flagsField)
	if !h.encrypted {
		r.Network(&commandCountField)
		r.readSlot(slot{&timeField, 4})
	}
	r.Hex(&challengeField, 4)
	if h.summed {
		r.Network(&checksumField)
	}
}

// readEncrypted shows the rest of an encrypted packet as bytes.
func (r *reader) readEncrypted() {
	if r.Rest() > 0 {
		r.Hex(&encryptedField, r.Rest())
	}
}
