package oob

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// An Engine is an engine outside the family whose out-of-band packets begin with the same four bytes and share
// some words: getchallenge and connect begin a session of each.
type Engine uint8

// The engines. NoEngine means that the packet is not characteristic of any of them.
const (
	NoEngine Engine = iota
	QuakeWorld
	Quake2
	HalfLife
	Source
	FiveM
	Xonotic
	Warfork
	OnSteam // the game of the family whose servers answer Steam's queries as those of Source do
)

// String returns the name of the engine, or "" for the zero value.
func (e Engine) String() string {
	return [...]string{
		"", "QuakeWorld", "Quake II", "Half-Life", "Source", "FiveM", "Xonotic", "Warfork", tables.SteamName,
	}[e]
}

// Engine returns the engine that the form of a packet's words is characteristic of. Only the handshake counts:
// programs that look for servers send the queries of all engines to any server.
//
// Sources: SV_ConnectionlessPacket and CL_ConnectionlessPacket of QW/server/sv_main.c, QW/client/cl_main.c and
// quake2's server/sv_main.c, client/cl_main.c, whose source is published; Half-Life's handshake as its clients
// and servers send it.
func (p *Packet) Engine() Engine {
	args := p.Words.Len() - 1
	switch p.Kind {
	case GetChallenge:
		// "getchallenge steam", "getchallenge valve"
		if args == 1 && (string(p.Word(0)) == "steam" || string(p.Word(0)) == "valve") {
			return HalfLife
		}
	case Connect:
		return p.connectEngine()
	case Unknown:
		return p.answerEngine(args)
	}
	return NoEngine
}

// connectEngine reads "connect <protocol> <qport> <challenge> "<userinfo>"" of QuakeWorld and Quake II, and "connect
// <protocol> <challenge> "<what identifies the client>" "<userinfo>"" of Half-Life, which has bytes of a ticket on the
// next line. The family has no number before the infostring.
func (p *Packet) connectEngine() Engine {
	words := &p.Words
	if p.block == connectGarbled {
		line, _, _ := bytes.Cut(p.payload[p.mark:], []byte{'\n'})
		words = &p.uninflated
		words.Split(line)
	}
	args := words.Len() - 1
	protocol, ok := token.Atoi(words.At(1))
	switch {
	case args < 3 || !ok || !token.Decimal(words.At(1)) || !token.Decimal(words.At(2)):
	case protocol >= 43 && protocol <= 48 && bytes.HasPrefix(words.At(3), []byte(`\prot\`)):
		return HalfLife
	case args < 4 || !token.Decimal(words.At(3)) || !bytes.HasPrefix(words.At(4), []byte{'\\'}):
	case protocol >= 24 && protocol <= 29:
		return QuakeWorld
	case protocol >= 30 && protocol <= 39:
		return Quake2
	}
	return NoEngine
}

// answerEngine reads servers' answers to getchallenge and connect.
func (p *Packet) answerEngine(args int) Engine {
	word := p.command
	switch {
	case args >= 1 && string(word) == "challenge" && token.Decimal(p.Word(0)), args == 0 &&
		string(word) == "client_connect":
		return Quake2
	case args >= 1 && string(word) == "A00000000" && token.Decimal(p.Word(0)):
		return HalfLife
	case args >= 2 && string(word) == "B" && token.Decimal(p.Word(0)) && bytes.Count(p.Word(1), []byte{'.'}) == 3:
		return HalfLife
	case args == 0 && len(word) >= 2 && word[0] == 'c' && token.Decimal(word[1:]), args == 0 && string(word) == "j":
		return QuakeWorld
	}
	return NoEngine
}
