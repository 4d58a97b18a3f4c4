package quake3

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// pieces returns the parts of the protocol that can be decoded by themselves.
func (s source) pieces() []dissect.Piece {
	versions := pieceVersions()
	return []dissect.Piece{
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

// decodeMessage decodes a reassembled message. Without a key it is read as deciphered, as in demos.
func (s source) decodeMessage(rec *dissect.Record, o dissect.PieceOptions, fromClient bool) {
	c := s.newConversation(dissect.Options{})
	c.restart(false)
	c.encoding = netchan.Recorded
	c.setGeneration(generationOfPiece(o))
	m := &c.sides[netchan.SideIndex(fromClient)].held
	m.reset(fromClient)
	m.body = rec.Payload
	if rec.Direction = dissect.ServerToClient; fromClient {
		rec.Direction = dissect.ClientToServer
	}
	if key := o.Key; key != nil {
		c.encoding, c.challenge, c.challengeKnown = netchan.Legacy, key.Number, true
		m.header.Sequence = key.Sequence
		window := &c.client
		if fromClient {
			window = &c.server
		}
		window.put(m.prefix().reliableAck, key.Command)
	}
	c.dissectMessage(rec, m)
	c.leaveWorld()
}

// decodeUserCommand decodes one user command as a delta of an empty one.
func decodeUserCommand(rec *dissect.Record, o dissect.PieceOptions) {
	c := newConversation(dissect.Options{})
	c.restart(false)
	c.encoding = netchan.Recorded
	c.setGeneration(generationOfPiece(o))
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
	c.readTail(d, rec, false)
	d.Leave()
	c.report(rec, &message{fromClient: true}, d.Err(), true)
	c.close(rec.Tree)
}
