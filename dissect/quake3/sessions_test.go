package quake3

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// clientMessage writes a client message.
func (s *sessionWriter) clientMessage() []byte {
	if s.last != nil && s.one(5) {
		return s.last // with user commands that were sent before
	}
	room := s.begin()
	s.w.Bits(7, 32)
	s.w.Bits(s.Uint32()>>20, 32)
	s.w.Bits(42, 32)
	for range 1 + s.IntN(5) {
		if !room() {
			break
		}
		switch s.IntN(6) {
		case 0:
			s.clientOp(tables.ClcNop, "nop")
		case 1:
			for range s.IntN(s.gen.CommandWindow) {
				s.clientOp(tables.ClcClientCommand, "client_command")
				s.reliable("say hello", `userinfo "\name\UnnamedPlayer\rate\25000"`, "cp 7 1 2 3", "download pak1.pk3", "")
			}
		case 2:
			s.clientOp(tables.ClcMove, "move")
			s.moves()
		case 3:
			s.clientOp(tables.ClcMoveNoDelta, "move_no_delta")
			s.moves()
		case 4, 5:
			if s.gen.Voip {
				s.clientOp(uint32(tables.ClcVoipSpeex+s.IntN(2)), "voip")
				size := s.IntN(200)
				s.w.Bits(s.Uint32()&255, 8)
				s.w.Bits(s.Uint32(), 32)
				s.w.Bits(s.Uint32()&15, 8)
				s.bytes(8)
				s.w.Bits(s.Uint32()&7, 8)
				s.w.Bits(uint32(size), 16)
				s.bytes(size)
			}
		}
	}
	s.clientOp(tables.ClcEOF, "eof")
	s.last = s.tail()
	return s.last
}

func (s *sessionWriter) clientOp(number uint32, key string) {
	s.w.Bits(number, 8)
	s.wrote = append(s.wrote, key)
}

// moves writes user commands: as many as a packet may have, or fewer.
func (s *sessionWriter) moves() {
	count := 32
	if s.one(2) {
		count = 1 + s.IntN(32)
	}
	s.w.Bits(uint32(count), 8)
	if s.gen.UserCommand == tables.UserCommandButtons {
		s.eyes()
	}
	for range count {
		soon := s.one(2)
		s.w.Bit(soon)
		s.w.Bits(s.Uint32()>>24, map[bool]int{true: 8, false: 32}[soon])
		if s.gen.UserCommand != tables.UserCommandUnkeyed && !s.bit(!s.one(4)) {
			continue
		}
		for _, f := range operation.UserCommandForms[s.gen.UserCommand] {
			changed := s.one(2)
			if s.w.Bit(changed); changed {
				s.w.Bits(s.Uint32()&(1<<f.Bits-1), f.Bits)
			}
		}
	}
}

// eyes writes the eyes of a client of Medal of Honor.
func (s *sessionWriter) eyes() {
	if !s.bit(!s.one(4)) {
		return
	}
	for _, bits := range [...]int{8, 8, 8, 32, 32} {
		if s.bit(s.one(2)) {
			s.w.Bits(s.Uint32()>>(32-bits), bits)
		}
	}
}

// The endpoints of a session.
var (
	clientEnd = netip.MustParseAddrPort("198.51.100.7:27970")
	serverEnd = netip.MustParseAddrPort("192.0.2.1:27960")
)

// A speaker sends a session's messages in packets, native whatever the game has: what is damaged here are messages, and
// not ciphers.
type speaker struct {
	server, client *sessionWriter
	sequences      [2]uint32
	list           []dissecttest.Sent
}

// speak makes a session of a generation, which begins with a gamestate.
func speak(gen *tables.Generation, seed uint64, count int) []dissecttest.Sent {
	s := speaker{server: newSessionWriter(gen, seed), client: newSessionWriter(gen, seed+1<<32)}
	for i := range count {
		body := s.server.serverMessage(i == 0 || s.server.one(8))
		s.send(false, body, slices.Clone(s.server.wrote))
		if !gen.Old {
			body = s.client.clientMessage()
			s.send(true, body, slices.Clone(s.client.wrote))
		}
	}
	return s.list
}

// send sends a message: whole or in fragments; sometimes twice, after a lost one, or after the next.
func (s *speaker) send(fromClient bool, body []byte, wrote []string) {
	from, to, sequence := serverEnd, clientEnd, &s.sequences[0]
	if fromClient {
		from, to, sequence = to, from, &s.sequences[1]
	}
	*sequence++
	if s.server.one(12) {
		*sequence += 2
	}
	if len(body) <= netchan.FragmentSize && s.server.one(3) {
		s.list = append(s.list, dissecttest.Send(from, to, datagram(nativeHeader(*sequence, fromClient), body), wrote...))
		if n := len(s.list); s.server.one(8) {
			s.list = append(s.list, s.list[n-1])
		} else if n > 1 && s.list[n-2].Src == from && s.server.one(2) {
			s.list[n-1], s.list[n-2] = s.list[n-2], s.list[n-1]
		}
		return
	}
	for at := 0; ; at += netchan.FragmentSize { // the last one is shorter, and may be empty
		part := body[at:min(at+netchan.FragmentSize, len(body))]
		header := nativeHeader(*sequence, fromClient)
		binary.LittleEndian.PutUint32(header, *sequence|netchan.FragmentBit)
		header = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(header, uint16(at)), uint16(len(part)))
		sent := dissecttest.Send(from, to, datagram(header, part))
		if len(part) < netchan.FragmentSize {
			sent.Wrote = wrote
		}
		if s.list = append(s.list, sent); sent.Wrote != nil {
			return
		}
	}
}

// spoken is the protocol in a session of a generation, after its handshake.
func spoken(gen *tables.Generation) *dissect.Protocol {
	p := New()
	p.NewRouter = func() dissect.Router { return make(spokenRouter) }
	p.NewConversation = func(opts dissect.Options) dissect.Conversation {
		c := nativeSession(opts)
		if gen.Sided || gen.Game == tables.FamilyEliteForce { // its handshake shows the game
			c.Declared = gen.Game
		}
		c.setVersion(gen.Number()) // of several rows; their gamestates show which
		c.encoding, c.proven = netchan.Native, true
		return c
	}
	return p
}

// A spokenRouter knows the sessions by the addresses of their clients.
type spokenRouter map[netip.Addr]*dissect.Stream

func (r spokenRouter) Route(p *dissect.Packet, _ int64, _ bool) dissect.Route {
	client, direction := p.Dst, dissect.ServerToClient
	if p.Src.Port() == clientEnd.Port() {
		client, direction = p.Src, dissect.ClientToServer
	}
	if r[client.Addr()] == nil {
		r[client.Addr()] = new(dissect.Stream)
	}
	return dissect.Route{Decision: dissect.Mine, Stream: r[client.Addr()], Direction: direction}
}

func (spokenRouter) Claim(uint16, string) {}
func (spokenRouter) Expire(int64)         {}

// sessions are those of every generation, count messages of the server long.
func sessions(count int) dissecttest.Sessions {
	return dissecttest.Sessions{
		Protocol: New(), Kinds: tables.NumGenerations, Seeds: 2,
		Write: func(kind int, seed uint64) []dissecttest.Sent { return speak(tables.GenerationAt(kind), seed, count) },
		Engine: func(kind int, cfg *engine.Config) {
			cfg.Protocols = []*dissect.Protocol{spoken(tables.GenerationAt(kind))}
		},
		Read: opsOf,
		// a server's base is not always the writer's; times are random
		Notes: []string{"base_missing", "fragment_out_of_order", leap.ExpertTimeUnknown},
		Once:  true, // states of players and vehicles have the same fields
		Never: map[string]string{
			"*.undecoded":           "damage alone",
			"quake3.key":            "of ciphered sessions",
			"quake3.netchan.header": "of protocols whose format is not known, TestUnknownFraming",

			"quake3.oob": "the sessions begin after the handshake; FuzzOOB",

			"quake3.gamespy": "queries are no part of sessions; TestGameSpy",

			"*.damage": "a counter of OSP and CPMA, by their names; TestPersistantByName",
			"*.robber": "a counter of Smokin' Guns, by its name; TestPersistantByName",
		},
	}
}

// opsOf lists the keys of a message's operations.
func opsOf(rec *dissect.Record) (keys []string) {
	root := rec.Tree.Top().Get("quake3")
	for _, message := range []string{"server_message", "client_message"} {
		for op := range root.Get(message).Get("ops").Children() {
			keys = append(keys, op.Key())
		}
	}
	return keys
}

// TestSessions: what is written in every generation is read as it was written, and every operation and every field
// occurs.
func TestSessions(t *testing.T) {
	t.Parallel()
	sessions(12).Test(t)
}

// FuzzSessions damages sessions.
func FuzzSessions(f *testing.F) { sessions(2).Fuzz(f) }
