package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// rconAuth adds an attempt at remote control.
func (g *gameView) rconAuth(w *writer, m *decodedMessage) {
	g.rconSent = true
	g.beginRcon(w, event.Rcon)
	if user := m.text("name"); len(user) > 0 {
		w.Text(&evUser, user)
	}
	w.Password(&evPassword, m.text("password"), g.secrets)
	w.End()
}

// rconCommand adds a command.
func (g *gameView) rconCommand(w *writer, m *decodedMessage) {
	if tables.IsProbe(m.text("command")) {
		return
	}
	g.beginRcon(w, event.Rcon)
	w.Text(&evCommand, g.masked(m.text("command"), tables.RconCommand()))
	w.End()
}

// masked returns a text of a field that may have secrets, with a mask for each unless they are wanted.
func (g *gameView) masked(text []byte, f *dissect.Field) []byte {
	if g.secrets {
		return text
	}
	return tables.AppendMasked(nil, text, tables.SecretWords(f))
}

func (g *gameView) beginRcon(w *writer, kind string) {
	w.Begin(kind)
	if g.players.own >= 0 {
		w.client(&evClient, &g.players, g.players.own)
	}
	w.Flag(&evOwn, true)
}

func (g *gameView) rconOn(w *writer, _ *decodedMessage) {
	g.rconSent = false
	g.beginRcon(w, event.RconGranted)
	w.End()
}

func (g *gameView) rconOff(w *writer, _ *decodedMessage) {
	g.beginRcon(w, event.RconEnded)
	w.End()
}

// rconStatus handles NETMSG_RCON_AUTH_STATUS of 0.6.
func (g *gameView) rconStatus(w *writer, m *decodedMessage) {
	if m.number("authed") != 0 {
		g.rconOn(w, m)
		return
	}
	g.rconOff(w, m)
}

// rconRefusals are the beginnings of the answers to a wrong password: CServer::ProcessClientPacket in
// src/engine/server/server.cpp.
var rconRefusals = [...]string{"Wrong password", "No rcon password set"}

// rconLine reads a line of the console that may answer a password.
func (g *gameView) rconLine(w *writer, m *decodedMessage) {
	line := m.text("line")
	for _, refusal := range rconRefusals {
		if g.rconSent && bytes.HasPrefix(line, []byte(refusal)) {
			g.rconSent = false
			g.beginRcon(w, event.RconDenied)
			w.Both(&evText, &evTextClean, line)
			w.End()
			return
		}
	}
}
