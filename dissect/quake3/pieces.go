package quake3

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// pieces returns the parts of the protocol that can be decoded by themselves.
func (s source) pieces() []dissect.Piece {
	versions := pieceVersions()
	return []dissect.Piece{
		{
			Name: protocolName + ".packet", Versions: versions, Keyed: true,
			Doc:    "a datagram: out of band, or with a header; --key is the challenge",
			Decode: s.decodePacket,
		},
		{
			Name:   protocolName + ".connectionless",
			Doc:    "a packet out of band: a word after ff ff ff ff, with what follows it",
			Decode: s.decodeConnectionless,
		},
		{
			Name: protocolName + ".server_message", Versions: versions, Keyed: true,
			Doc:    "a message of the server, reassembled; deciphered with --key, which is the challenge",
			Decode: func(rec *dissect.Record, o dissect.PieceOptions) { s.decodeMessage(rec, o, false) },
		},
		{
			Name: protocolName + ".client_message", Versions: versions, Keyed: true,
			Doc:    "a message of a client, reassembled; deciphered with --key, which is the challenge",
			Decode: func(rec *dissect.Record, o dissect.PieceOptions) { s.decodeMessage(rec, o, true) },
		},
		{
			Name: protocolName + ".entity", Versions: versions,
			Doc: "a number and the delta of an entity against an empty one, as in snapshots",
			Decode: func(rec *dissect.Record, o dissect.PieceOptions) {
				s.decodeState(rec, o, (*world.Reader).ReadEntityAlone)
			},
		},
		{
			Name: protocolName + ".player_state", Versions: versions,
			Doc: "the delta of a player state against an empty one, as in snapshots",
			Decode: func(rec *dissect.Record, o dissect.PieceOptions) {
				s.decodeState(rec, o, (*world.Reader).ReadPlayerAlone)
			},
		},
		{
			Name: protocolName + ".usercmd", Versions: versions, Keyed: true,
			Doc:    "a user command against an empty one; --key is what its values are XORed with",
			Decode: decodeUserCommand,
		},
	}
}

// pieceVersions returns the numbers of the protocols whose messages can be read, 68 first.
func pieceVersions() []string {
	versions := []string{"68"}
	for _, gen := range tables.Rows() {
		if v := gen.Version; v > 0 && v != 68 {
			versions = append(versions, strconv.Itoa(v))
		}
	}
	return versions
}

// generationOfPiece returns the generation of a version of pieceVersions.
func generationOfPiece(o dissect.PieceOptions) *tables.Generation {
	version, _ := strconv.Atoi(o.Version)
	return tables.GenerationOf(version)
}

// pieceSession returns a conversation that has agreed on the version of a piece.
func (s source) pieceSession(o dissect.PieceOptions) *conversation {
	c := s.newConversation(dissect.Options{})
	c.restart(false)
	c.setGeneration(generationOfPiece(o))
	return c
}

// decodeConnectionless decodes a packet out of band. It is shown whatever the receiver would do with it.
func (s source) decodeConnectionless(rec *dissect.Record, o dissect.PieceOptions) {
	c := s.newConversation(dissect.Options{})
	c.oob = new(oob.Packet)
	c.oob.Parse(rec.Payload)
	if rec.Direction = c.oob.Direction; rec.Direction == dissect.Undecidable {
		rec.Direction = o.Direction
	}
	c.open(rec.Tree, rec)
	if oob.HasMarker(rec.Payload) {
		c.oob.Dissect(rec.Tree, rec)
	} else {
		rec.Tree.AddBytes(&dissect.Undecoded, rec.Payload, 0, len(rec.Payload)<<3)
		rec.Expert(dissect.Fault, expertTruncated, nil, 0, "a packet out of band begins with ff ff ff ff")
	}
	c.close(rec.Tree)
}

// decodePacket decodes a datagram.
func (s source) decodePacket(rec *dissect.Record, o dissect.PieceOptions) {
	if oob.HasMarker(rec.Payload) {
		s.decodeConnectionless(rec, o)
		return
	}
	c := s.pieceSession(o)
	rec.Direction = o.Direction
	fromClient := o.Direction == dissect.ClientToServer
	c.encoding = encodingOf(c.version)
	side := &c.sides[netchan.SideIndex(fromClient)]
	if key := o.Key; key != nil {
		c.challenge, c.challengeKnown = key.Number, true
	}
	whole := c.receive(rec, side, fromClient, "")
	m := &side.held
	if o.Key == nil && m.header.HasChecksum { // nothing to compare it with
		m.entries = slices.DeleteFunc(m.entries, func(e entry) bool { return e.code == expertChecksum })
		m.refusal, m.uncompared = "", true
	}
	if !whole {
		c.showPacket(rec, m)
		return
	}
	c.unlock(o.Key, m)
	c.dissectMessage(rec, m)
	c.leaveWorld()
}

// unlock puts the command of the key where the message that acknowledges it looks for it.
func (c *conversation) unlock(key *dissect.PieceKey, m *message) {
	if key == nil {
		return
	}
	window := &c.client
	if m.fromClient {
		window = &c.server
	}
	window.put(m.prefix().reliableAck, key.Command)
}

// decodeMessage decodes a reassembled message. Without a key it is read as deciphered, as in demos. Those of the
// engines before Huffman coding are not the same in sessions and in demos: the form that can be read is taken.
func (s source) decodeMessage(rec *dissect.Record, o dissect.PieceOptions, fromClient bool) {
	if rec.Direction = dissect.ServerToClient; fromClient {
		rec.Direction = dissect.ClientToServer
	}
	encoding := netchan.Recorded
	if o.Key != nil {
		encoding = netchan.Legacy
	}
	if generationOfPiece(o).Scrambled {
		encoding = netchan.Scrambled
		for _, e := range [...]netchan.Encoding{netchan.Scrambled, netchan.Recorded} {
			tried := dissect.NewRecord()
			tried.Packet, tried.Direction = rec.Packet, rec.Direction
			if s.decodeMessageAs(tried, o, e); !tried.Damaged {
				encoding = e
				break
			}
		}
	}
	s.decodeMessageAs(rec, o, encoding)
}

func (s source) decodeMessageAs(rec *dissect.Record, o dissect.PieceOptions, encoding netchan.Encoding) {
	c := s.pieceSession(o)
	c.encoding = encoding
	fromClient := rec.Direction == dissect.ClientToServer
	m := &c.sides[netchan.SideIndex(fromClient)].held
	m.reset(fromClient)
	m.body, m.alone = rec.Payload, true
	if key := o.Key; key != nil {
		c.challenge, c.challengeKnown = key.Number, true
		m.header.Sequence = key.Sequence
		c.unlock(key, m)
	}
	c.dissectMessage(rec, m)
	c.leaveWorld()
}

// decodeState decodes a part of a snapshot as a delta of an empty one.
func (s source) decodeState(rec *dissect.Record, o dissect.PieceOptions, read func(*world.Reader, *decode.Decoder)) {
	c := s.pieceSession(o)
	c.encoding = netchan.Recorded
	c.enterWorld()
	rec.Direction, rec.Message = dissect.ServerToClient, rec.Payload
	c.open(rec.Tree, rec)
	d := &c.dec
	d.Reset(protocolName, rec.Payload, c.snapshots.Generation.Coding, rec.Tree)
	d.Enter(&serverMessageField)
	d.Enter(&serverOpsField)
	read(&c.snapshots, d)
	d.Leave()
	leftOver(d, rec)
	d.Leave()
	c.report(rec, &message{}, d.Err(), true)
	c.close(rec.Tree)
	c.leaveWorld()
}

// leftOver reports bytes after the end of a piece of bits. Its writer may have put a byte more when the bits ended with
// one: MSG_WriteBits counts the byte of the next bit.
func leftOver(d *decode.Decoder, rec *dissect.Record) {
	start := (d.Pos() + 7) / 8
	if rest := rec.Payload[min(start, len(rec.Payload)):]; !d.Failed() && len(bytes.Trim(rest, "\x00")) > 0 {
		oob.AddIgnored(d.Tree(), rec, rec.Payload, start, "piece")
	}
}

// decodeUserCommand decodes one user command as a delta of an empty one.
func decodeUserCommand(rec *dissect.Record, o dissect.PieceOptions) {
	c := newConversation(dissect.Options{})
	c.restart(false)
	c.setGeneration(generationOfPiece(o))
	c.encoding = netchan.Recorded
	rec.Direction, rec.Message = dissect.ClientToServer, rec.Payload
	c.open(rec.Tree, rec)
	gen, d := c.snapshots.Generation, &c.dec
	d.Reset(protocolName, rec.Payload, gen.Coding, rec.Tree)
	d.Enter(&clientMessageField)
	d.Enter(&clientOpsField)
	key := operation.Key{Known: true}
	if o.Key != nil {
		key.Key = uint32(o.Key.Number)
	}
	c.moves.ReadAlone(d, key, gen.UserCommand)
	d.Leave()
	leftOver(d, rec)
	d.Leave()
	c.report(rec, &message{fromClient: true}, d.Err(), true)
	c.close(rec.Tree)
}
