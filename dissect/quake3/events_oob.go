package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
)

// mask stands for a password. It has the same length for every one.
const mask = "********"

// tellOOB tells what an out-of-band packet means: the way into the game, remote control.
func (e *eventReader) tellOOB(c *conversation, rec *dissect.Record) {
	if e == nil {
		return
	}
	p, w := c.oob, &e.out
	rec.Events.Family = c.family
	w.tree, w.timed = &rec.Events, false
	if e.game != nil && !e.game.left {
		w.time, w.timed = e.game.time, e.game.timed
	}
	switch p.kind {
	case oobGetChallenge:
		e.asked = p.kind
	case oobConnect:
		e.asked = p.kind
		e.tellRequestToConnect(p)
	case oobRcon:
		e.asked = p.kind
		e.tellRcon(p)
	case oobPrint:
		if body, ok := p.body(); ok {
			e.tellAnswer(bytes.TrimRight(p.data[body.start:body.end], "\n\x00"))
		}
	case oobDisconnect:
		if e.game != nil && rec.Direction == dissect.ServerToClient {
			e.game.tellOwnDisconnect(w, nil)
		}
	}
}

// tellRequestToConnect tells a connect, once for each challenge: clients repeat it every three seconds.
func (e *eventReader) tellRequestToConnect(p *oobPacket) {
	name := dissect.InfoValue(p.userinfo, "name")
	if len(name) > 0 {
		e.name = append([]byte(nil), name...)
	}
	if !p.hasChallenge || e.told && e.offered == p.challenge {
		return
	}
	e.offered, e.told = p.challenge, true
	w := &e.out
	w.begin(kindRequest)
	w.tree.Open(&evClient, 0)
	w.both(&evName, &evNameClean, name)
	w.tree.Close(0)
	w.true(&evOwn, true)
	if p.protocol != 0 {
		w.int(&evProtocol, int64(p.protocol))
	}
	w.end()
}

// tellRcon tells an attempt at remote control.
func (e *eventReader) tellRcon(p *oobPacket) {
	w := &e.out
	w.begin(kindRcon)
	if len(e.name) > 0 {
		number := -1
		if e.game != nil {
			number = e.game.own
		}
		w.client(&evClient, e.roster(), number, e.name)
	}
	if password := p.word(0); password != nil {
		if e.secrets {
			w.text(&evPassword, password)
		} else {
			w.label(&evPassword, mask)
		}
	}
	command := span{}
	if p.words.len() > 1 {
		command = p.rconCommand()
	}
	// Where the game splits a quoted password, the command begins with the rest of it.
	if end := p.place(p.word(0)).end; p.words.len() > 1 && command.start < end && !e.secrets {
		command.start = min(end+1, command.end)
	}
	w.text(&evCommand, bytes.TrimLeft(p.data[command.start:command.end], " "))
	w.end()
}

func (e *eventReader) roster() *roster {
	if e.game == nil {
		return &roster{}
	}
	return &e.game.roster
}

// refusals of rcon, SVC_RemoteCommand in code/server/sv_main.c.
var rconRefusals = [...]string{"Bad rconpassword", "No rconpassword set"}

// tellAnswer tells what the server printed in answer to the client.
func (e *eventReader) tellAnswer(text []byte) {
	kind := ""
	switch e.asked {
	case oobConnect, oobGetChallenge:
		kind = kindRefused
	case oobRcon:
		for _, r := range rconRefusals {
			if bytes.HasPrefix(text, []byte(r)) {
				kind = kindRconDenied
			}
		}
	}
	if kind == "" {
		return
	}
	w := &e.out
	w.begin(kind)
	if len(e.name) > 0 {
		w.client(&evClient, e.roster(), -1, e.name)
	}
	w.both(&evText, &evTextClean, text)
	w.end()
}
