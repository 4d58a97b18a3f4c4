package oob

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Strong reports whether the packet alone proves that its flow belongs to a game of the Quake III family: a
// command that only the family has, in the family's form.
//
// Other games begin their packets with the same four bytes. Source and GoldSrc send "TSource Engine Query",
// "details", "players"; Quake and QuakeWorld share getchallenge, connect and rcon but write them differently;
// all of them send print.
func (p *Packet) Strong() bool {
	if p.serverList() {
		l := p.list()
		return l.pos == p.line.End && (l.next() || l.state == listEnded)
	}
	if token.IndexControl(p.Data[p.line.Start:p.line.End]) >= 0 {
		return false
	}
	if p.Sided && p.Kind != Unknown {
		return true
	}
	body, hasBody := p.Body()
	args := p.Words.Len() - 1
	switch p.Kind {
	case GetInfo, GetStatus:
		return args <= 1
	case GetChallenge:
		// Quake II and QuakeWorld end the bare form with a line feed; GoldSrc adds a word.
		return args == 0 && !hasBody || args >= 1 && token.Decimal(p.Word(0))
	case Connect:
		return p.HasChallenge || p.Protocol > 0 && p.HasQport
	case Rcon:
		// GoldSrc puts a challenge before the quoted password.
		return args >= 1 && !hasBody && !(args >= 2 && token.Decimal(p.Word(0)) && p.Data[p.Place(p.Word(1)).Start-1] == '"')
	case ChallengeResponse:
		return args >= 1 && args <= len(wolfChallengeWords) && token.Decimal(p.Word(0))
	case ConnectResponse:
		return args == 0 || args <= 2 && token.Decimal(p.Word(0))
	case InfoResponse, StatusResponse:
		return hasBody && bytes.HasPrefix(p.Data[body.Start:], []byte{'\\'})
	case Heartbeat:
		switch string(p.Word(0)) {
		case "QuakeArena-1", "DarkPlaces", "Wolfenstein-1", "WolfFlatline-1", "EnemyTerritory-1", "ETFlatline-1":
			return true
		}
		return false
	case GetServers, GetServersExt:
		return token.Decimal(p.Word(0)) || token.Decimal(p.Word(1))
	case GetMotd, Motd:
		return bytes.HasPrefix(p.Word(0), []byte{'\\'})
	case GetKeyAuthorize:
		return args == 2 && token.Decimal(p.Word(0))
	case GetIPAuthorize, IPAuthorize:
		return args >= 2 && token.Decimal(p.Word(0))
	case BanUser:
		return bytes.Count(p.Word(0), []byte{'.'}) == 3 && len(bytes.Trim(p.Word(0), "0123456789.")) == 0
	case KeyAuthorize, JK2MV:
		return true
	}
	return false
}
