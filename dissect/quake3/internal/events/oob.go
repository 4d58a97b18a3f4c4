package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

// mask stands for a password. It has the same length for every one.
const mask = "********"

// OutOfBand tells what an out-of-band packet means: the way into the game, remote control.
func (e *Reader) OutOfBand(s *observe.Session, p *oob.Packet, rec *dissect.Record) {
	w := &e.out
	rec.Events.Family = s.Family
	w.tree, w.timed = &rec.Events, false
	if e.game != nil && !e.game.left {
		w.time, w.timed = e.game.time, e.game.timed
	}
	switch p.Kind {
	case oob.GetChallenge:
		e.asked = p.Kind
	case oob.Connect:
		e.asked = p.Kind
		e.tellRequestToConnect(p)
	case oob.Rcon:
		e.asked = p.Kind
		e.tellRcon(p)
	case oob.Print:
		if body, ok := p.Body(); ok {
			e.tellAnswer(bytes.TrimRight(p.Data[body.Start:body.End], "\n\x00"))
		}
	case oob.Disconnect:
		if e.game != nil && rec.Direction == dissect.ServerToClient {
			e.game.tellOwnDisconnect(w, nil)
		}
	}
}

// tellRequestToConnect tells a connect, once for each challenge: clients repeat it every three seconds.
func (e *Reader) tellRequestToConnect(p *oob.Packet) {
	name := dissect.InfoValue(p.Userinfo, "name")
	if len(name) > 0 {
		e.name = append([]byte(nil), name...)
	}
	if !p.HasChallenge || e.told && e.offered == p.Challenge {
		return
	}
	e.offered, e.told = p.Challenge, true
	w := &e.out
	w.begin(kindRequest)
	w.tree.Open(&evClient, 0)
	w.both(&evName, &evNameClean, name)
	w.tree.Close(0)
	w.true(&evOwn, true)
	if p.Protocol != 0 {
		w.int(&evProtocol, int64(p.Protocol))
	}
	w.end()
}

// tellRcon tells an attempt at remote control.
func (e *Reader) tellRcon(p *oob.Packet) {
	w := &e.out
	w.begin(kindRcon)
	if len(e.name) > 0 {
		number := -1
		if e.game != nil {
			number = e.game.own
		}
		w.client(&evClient, e.roster(), number, e.name)
	}
	if password := p.Word(0); password != nil {
		if e.secrets {
			w.text(&evPassword, password)
		} else {
			w.label(&evPassword, mask)
		}
	}
	command := oob.Span{}
	if p.Words.Len() > 1 {
		command = p.RconCommand()
	}
	// Where the game splits a quoted password, the command begins with the rest of it.
	if end := p.Place(p.Word(0)).End; p.Words.Len() > 1 && command.Start < end && !e.secrets {
		command.Start = min(end+1, command.End)
	}
	w.text(&evCommand, bytes.TrimLeft(p.Data[command.Start:command.End], " "))
	w.end()
}

func (e *Reader) roster() *roster {
	if e.game == nil {
		return &roster{}
	}
	return &e.game.roster
}

// refusals of rcon, SVC_RemoteCommand in code/server/sv_main.c.
var rconRefusals = [...]string{"Bad rconpassword", "No rconpassword set"}

// tellAnswer tells what the server printed in answer to the client.
func (e *Reader) tellAnswer(text []byte) {
	kind := ""
	switch e.asked {
	case oob.Connect, oob.GetChallenge:
		kind = kindRefused
	case oob.Rcon:
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
