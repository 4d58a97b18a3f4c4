package quake3

import "bytes"

// strong reports whether the packet alone shows that its flow belongs to a game of the Quake III
// family: a command that the family has for itself, in the family's form.
//
// Other games begin their packets with the same four bytes. Source and GoldSrc ask "TSource Engine
// Query", "details", "players"; Quake and QuakeWorld share getchallenge, connect and rcon but write
// them differently; all of them print.
func (p *oobPacket) strong() bool {
	if p.serverList() {
		l := p.list()
		return l.pos == p.line.end && (l.next() || l.state == listEnded)
	}
	if indexControl(p.data[p.line.start:p.line.end]) >= 0 {
		return false
	}
	body, hasBody := p.body()
	args := p.words.len() - 1
	switch p.kind {
	case oobGetInfo, oobGetStatus:
		return args <= 1
	case oobGetChallenge:
		// Quake II and QuakeWorld end the bare form with a line feed; GoldSrc adds a word.
		return args == 0 && !hasBody || args >= 1 && decimal(p.word(0))
	case oobConnect:
		return p.hasChallenge || p.protocol > 0 && p.hasQport
	case oobRcon:
		// GoldSrc puts a challenge before the quoted password.
		return args >= 1 && !hasBody && !(args >= 2 && decimal(p.word(0)) && p.data[p.place(p.word(1)).start-1] == '"')
	case oobChallengeResponse:
		return args >= 1 && args <= 3 && decimal(p.word(0))
	case oobConnectResponse:
		return args == 0 || args <= 2 && decimal(p.word(0))
	case oobInfoResponse, oobStatusResponse:
		return hasBody && bytes.HasPrefix(p.data[body.start:], []byte{'\\'})
	case oobHeartbeat:
		return string(p.word(0)) == "QuakeArena-1" || string(p.word(0)) == "DarkPlaces"
	case oobGetServers, oobGetServersExt:
		return decimal(p.word(0)) || decimal(p.word(1))
	case oobGetMotd, oobMotd:
		return bytes.HasPrefix(p.word(0), []byte{'\\'})
	case oobGetKeyAuthorize:
		return args == 2 && decimal(p.word(0))
	case oobGetIPAuthorize, oobIPAuthorize:
		return args >= 2 && decimal(p.word(0))
	case oobBanUser:
		return bytes.Count(p.word(0), []byte{'.'}) == 3 && len(bytes.Trim(p.word(0), "0123456789.")) == 0
	case oobKeyAuthorize:
		return true
	}
	return false
}
