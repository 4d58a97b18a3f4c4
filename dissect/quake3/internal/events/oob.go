package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/secret"
)

// OutOfBand tells what an out-of-band packet means: the way into the game, remote control.
func (e *Reader) OutOfBand(s *observe.Session, p *oob.Packet, rec *dissect.Record) {
	w := &e.out
	e.finishSession(rec)
	rec.Events.Family = s.Family
	w.tree, w.timed, w.contest = &rec.Events, false, nil
	if e.game != nil && !e.game.left {
		w.use(rec, e.game)
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
	e.setGUID(p.Userinfo)
	if !p.HasChallenge || e.told && e.offered == p.Challenge {
		return
	}
	e.offered, e.told = p.Challenge, true
	w := &e.out
	w.begin(kindRequest)
	w.tree.Open(&evClient, 0)
	w.both(&evName, &evNameClean, name)
	if e.guid != nil {
		w.text(&evGUID, e.guid)
	}
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
	password := p.Word(0)
	switch {
	case password == nil:
	case e.secrets:
		w.text(&evPassword, password)
	default:
		w.label(&evPassword, dissect.SecretMask)
	}
	if p.Words.Len() > 1 {
		e.tellConsoleCommand(p)
	}
	w.end()
}

// tellConsoleCommand adds the command of rcon, unless a part of the password may stand in it.
func (e *Reader) tellConsoleCommand(p *oob.Packet) {
	command := p.RconCommand()
	text := p.Data[command.Start:command.End]
	switch {
	case e.secrets:
		e.out.text(&evCommand, bytes.TrimLeft(text, " "))
	case p.PasswordEnds:
		e.out.text(&evCommand, secret.Mask(oob.CommandAfter(p.Word(0), text)))
	}
}

func (e *Reader) roster() *roster {
	if e.game == nil {
		return &roster{}
	}
	return &e.game.roster
}

// tellAnswer tells what the server printed in answer to the client.
func (e *Reader) tellAnswer(text []byte) {
	kind := ""
	switch e.asked {
	case oob.Connect, oob.GetChallenge:
		kind = kindRefused
	case oob.Rcon:
		if oob.Refuses(text) {
			kind = kindRconDenied
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
