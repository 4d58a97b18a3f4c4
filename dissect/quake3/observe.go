package quake3

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
)

// logChange logs an effect of a message for the observers, if there are any.
func (c *conversation) logChange(change observe.Change, text []byte) {
	if len(c.observers) > 0 {
		c.log.Add(change, text)
	}
}

// logCommand logs a user command that has not come before.
func (c *conversation) logCommand(cmd *operation.UserCommand) {
	if len(c.observers) == 0 {
		return
	}
	const looked = 1<<0 | 1<<1 | 1<<6 // the fields that observers see, in usercmdFields
	c.log.Commands = append(c.log.Commands, observe.UserCommand{
		Time: cmd.Time, Pitch: uint16(cmd.Values[0]), Yaw: uint16(cmd.Values[1]), Buttons: uint32(cmd.Values[6]),
		Known: cmd.Unknown&looked == 0, Up: int8(cmd.Values[5]), KnownUp: cmd.Unknown&(1<<5) == 0,
		Weapon: uint8(cmd.Values[7]), KnownArm: cmd.Unknown&(1<<7) == 0,
	})
}

// observed returns the state of the session for observers.
func (c *conversation) observed() observe.Session {
	s := observe.Session{
		Number: c.session, Version: c.version, Native: c.encoding == netchan.Native, Family: c.family,
		Recorded: c.encoding == netchan.Recorded,
	}
	if c.play != nil {
		s.ServerID, s.HearsServer = c.serverID, c.sides[netchan.SideIndex(false)].packets > 0
		s.World, s.Reader = c.world, &c.snapshots
		if c.client.known {
			s.Acknowledged = c.client.newest
		}
	}
	return s
}

// showObservers shows the last message to the observers.
func (c *conversation) showObservers(rec *dissect.Record, m *message, err *dissect.Error, known bool) {
	v := &c.shown
	*v = observe.Message{
		Session: c.observed(), Log: &c.log, FromClient: m.fromClient, Sequence: m.header.Sequence,
		Body: c.body, End: c.dec.Pos(), Left: c.leftOut(m, err, known),
	}
	v.Refused = m.refusal != ""
	v.Counts = known && !v.Refused && (err == nil || m.cut > 0)
	v.Keeps = v.Counts && !m.arrival.Duplicate && !m.arrival.Late
	for i := range m.entries {
		v.Reordered = v.Reordered || m.entries[i].code == expertFragmentOrder
	}
	for _, o := range c.observers {
		o.Message(v, rec)
	}
}

// leftOut returns the reason why a client does not accept a message, or why it cannot be given to one.
func (c *conversation) leftOut(m *message, err *dissect.Error, known bool) extract.DemoLeft {
	switch {
	case m.header.HasChecksum && !m.checksumOK:
		return extract.DemoChecksum
	case m.arrival.Duplicate:
		return extract.DemoDuplicate
	case m.arrival.Late:
		return extract.DemoLate
	case !known:
		return extract.DemoNoKey
	case m.cut > 0:
		return extract.DemoCut
	case err != nil:
		return extract.DemoDamaged
	}
	return ""
}
