package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
)

// addServerInfo adds the infostring of infoResponse, which is all of its text (SVC_Info in
// code/server/sv_main.c, CL_ServerInfoPacket in code/client/cl_main.c).
func (p *oobPacket) addServerInfo(t *dissect.Tree, rec *dissect.Record) {
	body, ok := p.body()
	if !ok {
		p.endsEarly(t, rec, len(p.data), "no infostring behind the command")
		return
	}
	p.add(t, &oobInfo, p.upTo(body, 0))
}

// addStatus adds the infostring and the players of statusResponse: a line of facts about the server,
// then a line for each player up to an empty line or the end (SVC_Status in code/server/sv_main.c,
// CL_ServerStatusResponse in code/client/cl_main.c).
func (p *oobPacket) addStatus(t *dissect.Tree, rec *dissect.Record) {
	body, ok := p.body()
	if !ok {
		p.endsEarly(t, rec, len(p.data), "no infostring behind the command")
		return
	}
	body = p.upTo(body, 0)
	info := p.upTo(body, '\n')
	p.add(t, &oobInfo, info)
	if info.end == body.end {
		return
	}
	from := info.end + 1
	t.Open(&oobPlayers, 8*from)
	bad := -1
	for from < body.end {
		line := p.upTo(span{from, body.end}, '\n')
		if line.start == line.end {
			break
		}
		if !p.addPlayer(t, line) {
			bad = from
			break
		}
		from = min(line.end+1, body.end)
	}
	t.Close(8 * from)
	if bad >= 0 {
		p.endsEarly(t, rec, bad, "no score, ping and name of a player")
	}
}

// addPlayer adds a line <score> <ping> "<name>". Other games of the family put more words before the
// name, or leave the quotes off.
func (p *oobPacket) addPlayer(t *dissect.Tree, line span) bool {
	score, rest := p.nextNumber(line)
	ping, rest := p.nextNumber(rest)
	name, ok := p.playerName(rest)
	scoreValue, scoreOK := atoi(p.data[score.start:score.end])
	pingValue, pingOK := atoi(p.data[ping.start:ping.end])
	if !ok || !scoreOK || !pingOK {
		return false
	}
	t.Open(&oobPlayer, 8*line.start)
	t.AddInt(&oobScore, int64(scoreValue), 8*score.start, 8*(score.end-score.start))
	t.AddInt(&oobPing, int64(pingValue), 8*ping.start, 8*(ping.end-ping.start))
	p.add(t, &oobName, name)
	t.Close(8 * line.end)
	return true
}

// nextNumber takes a decimal number and the blanks before it off a line; an empty span is no number.
func (p *oobPacket) nextNumber(line span) (number, rest span) {
	line = p.skipBlanks(line)
	i := line.start
	for i < line.end && p.data[i] != ' ' {
		i++
	}
	number, rest = span{line.start, i}, span{i, line.end}
	if !decimal(p.data[number.start:number.end]) {
		number.end = number.start
	}
	return number, rest
}

// playerName finds the name in the rest of a line: between the first quote and the last, as a name may
// hold quotes in some games; without a quote everything that is left.
func (p *oobPacket) playerName(rest span) (name span, ok bool) {
	rest = p.skipBlanks(rest)
	b := p.data[rest.start:rest.end]
	first, last := bytes.IndexByte(b, '"'), bytes.LastIndexByte(b, '"')
	switch {
	case first < 0:
		return rest, len(b) > 0
	case first == last:
		return span{}, false
	}
	return span{rest.start + first + 1, rest.start + last}, true
}

// skipBlanks takes the blanks off the beginning of a stretch.
func (p *oobPacket) skipBlanks(s span) span {
	for s.start < s.end && p.data[s.start] == ' ' {
		s.start++
	}
	return s
}
