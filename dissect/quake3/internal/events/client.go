package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// tellClientCommands tells what the client says. As a rule the server's messages tell what came of it:
// what the client says is only remembered. Where none of them is in the capture, chat and renames are
// told as the client asks for them.
func (e *Reader) tellClientCommands(m *observe.Message) {
	alone := !m.HearsServer
	for i := range m.Changes {
		c := &m.Changes[i]
		if c.Kind != observe.Command || c.Repeat {
			continue
		}
		e.text.Split(m.Text(c))
		switch w := &e.text; string(w.At(0)) {
		case "disconnect":
			e.game.tellOwnDisconnect(&e.out, nil)
		case "userinfo":
			e.setGUID(w.At(1))
			e.rename(dissect.InfoValue(w.At(1), "name"), alone)
		case "tell":
			if !alone {
				e.remember(w, w.From(2))
				continue
			}
			e.tellRequest(channelTell, w, w.From(2), nil)
		case "vtell":
			if !alone {
				e.remember(w, w.At(2))
				continue
			}
			e.tellRequest(channelTell, w, nil, w.At(2))
		case "say":
			e.requestAlone(alone, channelSay, w.From(1), nil)
		case "say_team":
			e.requestAlone(alone, channelTeam, w.From(1), nil)
		case "vsay":
			e.requestAlone(alone, channelSay, nil, w.At(1))
		case "vsay_team":
			e.requestAlone(alone, channelTeam, nil, w.At(1))
		}
	}
}

// remember keeps whom a private line is for, until the server repeats it.
func (e *Reader) remember(w *token.Words, text []byte) {
	if target, ok := token.Atoi(w.At(1)); ok && token.Decimal(w.At(1)) {
		e.game.tells.put(int(target), text)
	}
}

func (e *Reader) requestAlone(alone bool, channel string, text, voice []byte) {
	if alone {
		e.tellRequest(channel, nil, text, voice)
	}
}

// tellRequest tells a line of chat by what the client asks for. to is the command where it names a target.
func (e *Reader) tellRequest(channel string, to *token.Words, text, voice []byte) {
	w, g := &e.out, e.game
	w.begin(kindChat)
	w.label(&evChannel, channel)
	if g.own >= 0 || e.name != nil {
		w.client(&evClient, &g.roster, g.own, e.name)
	}
	w.true(&evOwn, true)
	if to != nil {
		if target, ok := token.Atoi(to.At(1)); ok && token.Decimal(to.At(1)) {
			w.client(&evTarget, &g.roster, int(target), nil)
		}
	}
	if voice != nil {
		w.text(&evVoice, voice)
	} else {
		w.both(&evText, &evTextClean, text)
	}
	w.end()
}

// setGUID takes over the GUID of a userinfo.
func (e *Reader) setGUID(userinfo []byte) {
	guid := dissect.InfoValue(userinfo, "cl_guid")
	if len(guid) == 0 || bytes.Equal(guid, e.guid) {
		return
	}
	e.guid = append([]byte(nil), guid...)
}

// rename takes over the name that the client gives itself.
func (e *Reader) rename(name []byte, alone bool) {
	if len(name) == 0 || bytes.Equal(name, e.name) {
		return
	}
	if alone && e.name != nil {
		w := &e.out
		w.begin(kindRename)
		w.client(&evClient, &e.game.roster, e.game.own, name)
		w.true(&evOwn, true)
		w.both(&evOldName, &evOldNameClean, e.name)
		w.end()
	}
	e.name = append([]byte(nil), name...)
}
