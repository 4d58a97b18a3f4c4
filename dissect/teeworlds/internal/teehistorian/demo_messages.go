package teehistorian

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Numbers of messages: datasrc/network.py of 0.6.
const (
	messageBroadcast = 2
	messageChat      = 3
	messageKill      = 4
	messageEmoticon  = 10
)

var teamsState = tables.UUIDOf("teamsstate@netmsg.ddnet.tw")

// send writes a message at the present tick.
func (d *Demo) send(payload []byte) {
	if d.w.Begun() && d.inRange(d.w.Tick) && d.inRange(d.tick) {
		d.data = d.w.Message(d.data, payload)
	}
}

// ints returns a message of numbers.
func ints(id int32, values ...int32) []byte {
	b := message.AppendInt(nil, id<<1)
	for _, v := range values {
		b = message.AppendInt(b, v)
	}
	return b
}

// withText appends a text to a message.
func withText(b []byte, s string) []byte {
	if end := bytes.IndexByte([]byte(s), 0); end >= 0 {
		s = s[:end]
	}
	return append(append(b, s...), 0)
}

// say sends a line of the chat. -1 is the server.
func (d *Demo) say(client int32, line string) { d.send(withText(ints(messageChat, 0, client), line)) }

// kill sends that a client died.
func (d *Demo) kill(client int, weapon int32) {
	if !d.wants.Alone || d.isOwn(d.person(client)) {
		d.send(ints(messageKill, int32(client), int32(client), weapon, 0))
	}
}

// emoticon sends what a client shows above its head.
func (d *Demo) emoticon(client int, body []byte) {
	var u message.Unpacker
	u.Reset(body, 0)
	u.Int()
	if n := u.Int(); !u.Failed() && n >= 0 && n < 16 {
		d.send(ints(messageEmoticon, int32(client), n))
	}
}

// sendTeams sends the teams of the race.
//
// CGameTeams::SendTeamsState, DDNet's src/game/server/teams.cpp.
func (d *Demo) sendTeams() {
	d.teamed = false
	b := append(message.AppendInt(nil, 0), teamsState[:]...)
	size := oldDemoClients
	if len(d.people) > size {
		size = maxDemoClients
	}
	for i := range size {
		team := int32(0)
		if i < len(d.people) {
			team = d.people[i].raceTeam
		}
		b = message.AppendInt(b, team)
	}
	d.send(b)
}

// command takes over a command of rcon that clients see: what the server says, and teams.
func (d *Demo) command(c *events.Chunk) {
	if c.Number == chatCommands || len(c.Args) == 0 {
		return
	}
	switch string(c.Text) {
	case "say":
		d.say(-1, string(c.Args[0]))
	case "broadcast":
		d.send(withText(ints(messageBroadcast), string(c.Args[0])))
	case "set_team":
		if len(c.Args) < 2 {
			return
		}
		client, err := strconv.Atoi(string(c.Args[0]))
		team, err2 := strconv.Atoi(string(c.Args[1]))
		if err == nil && err2 == nil && client >= 0 && client < maxDemoClients {
			d.person(client).ask(int32(team), d.tick)
		}
	}
}
