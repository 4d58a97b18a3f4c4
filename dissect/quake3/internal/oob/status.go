package oob

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// addServerInfo adds the infostring of infoResponse, which is all of its text (SVC_Info in
// code/server/sv_main.c, CL_ServerInfoPacket in code/client/cl_main.c).
func (p *Packet) addServerInfo(t *dissect.Tree, rec *dissect.Record) {
	body, ok := p.serverInfo()
	if !ok {
		p.endsEarly(t, rec, len(p.Data), "no infostring after the command")
		return
	}
	p.add(t, &infoField, p.upTo(body, 0))
}

// serverInfo returns the text after the line of the command, or the quoted word after the command, which is how
// servers of Elite Force send infoResponse (code/server/sv_main.c of Lilium Voyager).
func (p *Packet) serverInfo() (info Span, ok bool) {
	if info, ok = p.Body(); ok {
		return info, true
	}
	if word := p.Word(0); p.Kind == InfoResponse && len(word) > 0 && word[0] == '\\' {
		return p.Place(word), true
	}
	return Span{}, false
}

// ServerInfo returns the infostring of infoResponse and statusResponse.
func (p *Packet) ServerInfo() []byte {
	body, ok := p.serverInfo()
	if !ok {
		return nil
	}
	info := p.upTo(p.upTo(body, 0), '\n')
	return p.Data[info.Start:info.End]
}

// addStatus adds the infostring and the players of statusResponse: a line of facts about the server,
// then a line for each player up to an empty line or the end (SVC_Status in code/server/sv_main.c,
// CL_ServerStatusResponse in code/client/cl_main.c).
func (p *Packet) addStatus(t *dissect.Tree, rec *dissect.Record) {
	body, ok := p.Body()
	if !ok {
		p.endsEarly(t, rec, len(p.Data), "no infostring after the command")
		return
	}
	body = p.upTo(body, 0)
	info := p.upTo(body, '\n')
	p.add(t, &infoField, info)
	if info.End == body.End {
		return
	}
	from := info.End + 1
	t.Open(&playersField, 8*from)
	bad := -1
	for from < body.End {
		line := p.upTo(Span{from, body.End}, '\n')
		if line.Start == line.End {
			break
		}
		if !p.addPlayer(t, line) {
			bad = from
			break
		}
		from = min(line.End+1, body.End)
	}
	t.Close(8 * from)
	if bad >= 0 {
		p.endsEarly(t, rec, bad, "no score, ping and name of a player")
	}
}

// addPlayer adds a line <score> <ping> "<name>". Other games of the family put the team or more words before the
// name, or leave the quotes off.
func (p *Packet) addPlayer(t *dissect.Tree, line Span) bool {
	score, rest := p.nextNumber(line)
	ping, rest := p.nextNumber(rest)
	team, rest := p.playerTeam(rest)
	name, ok := p.playerName(rest)
	scoreValue, scoreOK := token.Atoi(p.Data[score.Start:score.End])
	pingValue, pingOK := token.Atoi(p.Data[ping.Start:ping.End])
	if !ok || !scoreOK || !pingOK {
		return false
	}
	t.Open(&playerField, 8*line.Start)
	t.AddInt(&scoreField, int64(scoreValue), 8*score.Start, 8*(score.End-score.Start))
	t.AddInt(&pingField, int64(pingValue), 8*ping.Start, 8*(ping.End-ping.Start))
	if teamValue, ok := token.Atoi(p.Data[team.Start:team.End]); ok {
		t.AddInt(&teamField, int64(teamValue), 8*team.Start, 8*(team.End-team.Start))
	}
	p.add(t, &PlayerName, name)
	t.Close(8 * line.End)
	return true
}

// nextNumber splits a decimal number and the blanks before it from a line; the number is empty if there is
// none.
func (p *Packet) nextNumber(line Span) (number, rest Span) {
	line = p.skipBlanks(line)
	i := line.Start
	for i < line.End && p.Data[i] != ' ' {
		i++
	}
	number, rest = Span{line.Start, i}, Span{i, line.End}
	if !token.Decimal(p.Data[number.Start:number.End]) {
		number.End = number.Start
	}
	return number, rest
}

// playerTeam splits the number of the team from the rest of a line: the only word before a name in quotes. It is empty
// if there is none.
func (p *Packet) playerTeam(rest Span) (team, name Span) {
	team, name = p.nextNumber(rest)
	if name = p.skipBlanks(name); name.Start == name.End || p.Data[name.Start] != '"' {
		return Span{rest.Start, rest.Start}, rest
	}
	return team, name
}

// playerName finds the name in the rest of a line: between the first quote and the last, since a name may
// contain quotes in some games; without a quote, all of the rest.
func (p *Packet) playerName(rest Span) (name Span, ok bool) {
	rest = p.skipBlanks(rest)
	b := p.Data[rest.Start:rest.End]
	first, last := bytes.IndexByte(b, '"'), bytes.LastIndexByte(b, '"')
	switch {
	case first < 0:
		return rest, len(b) > 0
	case first == last:
		return Span{}, false
	}
	return Span{rest.Start + first + 1, rest.Start + last}, true
}

// skipBlanks removes the blanks at the beginning of a span.
func (p *Packet) skipBlanks(s Span) Span {
	for s.Start < s.End && p.Data[s.Start] == ' ' {
		s.Start++
	}
	return s
}
