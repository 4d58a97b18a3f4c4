package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/secret"
)

// OutOfBand reports the events of an out-of-band packet: connecting to the game, remote control.
func (e *Reader) OutOfBand(s *observe.Session, p *oob.Packet, rec *dissect.Record) {
	w := &e.out
	e.finishSession(rec)
	rec.Events.Family = s.Family
	w.Tree, w.Timed, w.Match = &rec.Events, false, nil
	if e.game != nil && !e.game.left {
		w.use(rec, e.game)
	}
	switch p.Kind {
	case oob.GetChallenge:
		e.request, e.console = p.Kind, console{}
	case oob.Connect:
		e.request = p.Kind
		e.reportConnectRequest(p)
	case oob.Rcon:
		command := p.RconCommand()
		e.request, e.console = p.Kind, console{asked: string(bytes.TrimSpace(p.Data[command.Start:command.End])) == "status"}
		e.reportRcon(p)
	case oob.Print:
		if body, ok := p.Body(); ok {
			text := p.Data[body.Start:body.End]
			e.reportAnswer(bytes.TrimRight(text, "\n\x00"))
			if e.console.asked && e.game != nil && !e.game.roster.known {
				e.console.read(w, e.game, bytes.TrimRight(text, "\x00"))
			}
		}
	case oob.StatusResponse, oob.InfoResponse:
		if body, ok := p.Body(); ok && e.game != nil {
			info, _, _ := bytes.Cut(p.Data[body.Start:body.End], []byte{'\n'})
			e.game.family = s.Family
			e.game.readServer(w, info, p.Kind == oob.StatusResponse)
		}
	case oob.Disconnect:
		if e.game != nil && rec.Direction == dissect.ServerToClient {
			e.game.reportOwnDisconnect(w, nil)
		}
	}
}

// reportConnectRequest reports a connect, once for each challenge: clients repeat it every three seconds.
func (e *Reader) reportConnectRequest(p *oob.Packet) {
	name, guid := dissect.InfoValue(p.Userinfo, "name"), dissect.InfoValue(p.Userinfo, "cl_guid")
	e.asks = request{bytes.Clone(name), bytes.Clone(guid)}
	// what is known of a client that plays counts until the request is answered
	if e.game == nil || e.game.left || e.name == nil && e.guid == nil {
		e.asks.settle(e)
		guid = e.guid
	}
	if !p.HasChallenge || e.hasOffered && e.offered == p.Challenge {
		return
	}
	e.offered, e.hasOffered = p.Challenge, true
	w := &e.out
	w.Begin(event.ConnectRequest)
	w.Tree.Open(&evClient, 0)
	w.Both(&evName, &evNameClean, name)
	if len(guid) > 0 {
		w.Text(&evGUID, guid)
	}
	w.Tree.Close(0)
	w.Flag(&eventtree.Own, true)
	if p.Protocol != 0 {
		w.Number(&evProtocol, int64(p.Protocol))
	}
	w.End()
}

// A request is what a client says of itself when it asks for a connection.
type request struct{ name, guid []byte }

// settle makes it what is known of the client: anybody can send a request in its name while it plays.
func (r *request) settle(e *Reader) {
	if len(r.name) > 0 {
		e.name, e.nameFrom = r.name, ""
	}
	if len(r.guid) > 0 {
		e.guid = r.guid
	}
	*r = request{}
}

// reportRcon reports an attempt at remote control.
func (e *Reader) reportRcon(p *oob.Packet) {
	w := &e.out
	w.Begin(event.Rcon)
	if len(e.name) > 0 {
		number := -1
		if e.game != nil {
			number = e.game.own
		}
		w.clientNamed(&evClient, e.roster(), number, e.roster().mention(e.name, e.nameFrom))
	}
	if password := p.Word(0); password != nil {
		w.Password(&evPassword, password, e.secrets)
	}
	if p.Words.Len() > 1 {
		e.writeConsoleCommand(p)
	}
	w.End()
}

// writeConsoleCommand adds the command of rcon, unless it may contain a part of the password.
func (e *Reader) writeConsoleCommand(p *oob.Packet) {
	command := p.RconCommand()
	text := p.Data[command.Start:command.End]
	switch {
	case e.secrets:
		e.out.Text(&evCommand, bytes.TrimLeft(text, " "))
	case p.PasswordEnds:
		e.out.Text(&evCommand, secret.Mask(oob.CommandAfter(p.Word(0), text)))
	}
}

func (e *Reader) roster() *roster {
	if e.game == nil {
		return &roster{}
	}
	return &e.game.roster
}

// reportAnswer reports the text that the server prints in answer to the client.
func (e *Reader) reportAnswer(text []byte) {
	kind := ""
	switch e.request {
	case oob.Connect, oob.GetChallenge:
		kind = event.ConnectRefused
	case oob.Rcon:
		if oob.Refuses(text) {
			kind = event.RconDenied
		}
	}
	if kind == "" {
		return
	}
	w := &e.out
	w.Begin(kind)
	if len(e.name) > 0 {
		w.clientNamed(&evClient, e.roster(), -1, e.roster().mention(e.name, e.nameFrom))
	}
	w.Both(&evText, &evTextClean, text)
	w.End()
}
