package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// reportClientCommands reads the client's commands. The server's messages show the result, so commands are only
// remembered. Without any server message in the capture, chat and renames are reported when
// the client asks for them.
func (e *Reader) reportClientCommands(m *observe.Message) {
	alone := !m.HearsServer
	for i := range m.Changes {
		c := &m.Changes[i]
		if c.Kind != observe.Command || c.Repeat {
			continue
		}
		e.text.Split(m.Text(c))
		switch w := &e.text; string(w.At(0)) {
		case "disconnect":
			e.game.reportOwnDisconnect(&e.out, nil)
		case "userinfo":
			e.setGUID(w.At(1))
			e.rename(dissect.InfoValue(w.At(1), "name"), alone)
		case "tell":
			if !alone {
				e.remember(w, w.From(2))
				continue
			}
			e.reportRequest(event.ChannelTell, w, w.From(2), nil)
		case "vtell":
			if !alone {
				e.remember(w, w.At(2))
				continue
			}
			e.reportRequest(event.ChannelTell, w, nil, w.At(2))
		case "say":
			e.requestAlone(alone, event.ChannelSay, w.From(1), nil)
		case "say_team":
			e.requestAlone(alone, event.ChannelTeam, w.From(1), nil)
		case "vsay":
			e.requestAlone(alone, event.ChannelSay, nil, w.At(1))
		case "dmmessage":
			e.rememberMessage(w, alone)
		case "vsay_team":
			e.requestAlone(alone, event.ChannelTeam, nil, w.At(1))
		}
	}
}

// remember keeps the recipient of a private line until the server echoes the line.
func (e *Reader) remember(w *token.Words, text []byte) {
	if target, ok := token.Atoi(w.At(1)); ok && token.Decimal(w.At(1)) {
		e.game.tells.Put(int(target), text)
	}
}

func (e *Reader) requestAlone(alone bool, channel string, text, voice []byte) {
	if alone {
		e.reportRequest(channel, nil, text, voice)
	}
}

// reportRequest reports a line of chat from the client's command. to is the command if it names a recipient.
func (e *Reader) reportRequest(channel string, to *token.Words, text, voice []byte) {
	target := int32(-1)
	if to != nil && token.Decimal(to.At(1)) {
		target, _ = token.Atoi(to.At(1))
	}
	e.reportRequestTo(channel, int(target), text, voice)
}

// reportRequestTo is reportRequest with the number of the recipient; negative: none.
func (e *Reader) reportRequestTo(channel string, target int, text, voice []byte) {
	w, g := &e.out, e.game
	w.Begin(event.Chat)
	w.Label(&evChannel, channel)
	if e.name != nil {
		w.clientNamed(&evClient, &g.roster, g.own, g.roster.mention(e.name, e.nameFrom))
	}
	w.Flag(&eventtree.Own, true)
	if target >= 0 {
		w.client(&evTarget, &g.roster, target, nil)
	}
	if voice != nil {
		w.Text(&evVoice, voice)
	} else {
		w.Both(&evText, &evTextClean, text)
	}
	w.End()
}

// setGUID keeps the GUID of a userinfo.
func (e *Reader) setGUID(userinfo []byte) {
	guid := dissect.InfoValue(userinfo, "cl_guid")
	if len(guid) == 0 || bytes.Equal(guid, e.guid) {
		return
	}
	e.guid = append([]byte(nil), guid...)
}

// rename keeps the name of the client's userinfo.
func (e *Reader) rename(name []byte, alone bool) {
	if len(name) == 0 || bytes.Equal(name, e.name) {
		return
	}
	if alone && e.name != nil {
		w := &e.out
		w.Begin(event.Rename)
		w.clientNamed(&evClient, &e.game.roster, e.game.own, e.game.roster.mention(name, fromUserinfo))
		w.Flag(&eventtree.Own, true)
		w.Both(&eventtree.OldName, &evOldNameClean, e.name)
		w.End()
	}
	e.name, e.nameFrom = append([]byte(nil), name...), fromUserinfo
	e.nameOwn()
}
