package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

var description = eventtree.Description{Root: &Field, MatchTime: &evMatchTime, Clean: speech.AppendClean}

// An eventWriter adds events with their players.
type eventWriter struct{ eventtree.Writer }

func newEventWriter() eventWriter { return eventWriter{eventtree.NewWriter(nil, &description)} }

// use points the writer at a record and its game.
func (w *eventWriter) use(rec *dissect.Record, g *gameView) {
	w.Tree, w.Time, w.Timed, w.Match = &rec.Events, int64(g.time), g.timed, &g.match.contest
}

// client adds a player by number, with what is known about the player, or by the name alone if the number is
// negative: a name that a sentence of the server mentions.
func (w *eventWriter) client(f *dissect.Field, roster *roster, number int, name []byte) {
	w.clientNamed(f, roster, number, roster.mention(name, fromPrint))
}

// clientNamed is client with a name of another origin.
func (w *eventWriter) clientNamed(f *dissect.Field, roster *roster, number int, name knownName) {
	w.Tree.Open(f, 0)
	w.clientFields(roster, number, name)
	w.Tree.Close(0)
}

func (w *eventWriter) clientFields(roster *roster, number int, name knownName) {
	var p *player
	if number >= 0 {
		w.Tree.Add(&evClientNum, uint64(number), 0, 0)
		if p = roster.lately(number, int32(w.Time)); p != nil {
			name = knownName{p.name, p.nameFrom}
		} else if name.name == nil {
			name = roster.names[number]
		}
	}
	w.named(name)
	if p != nil && p.team >= 0 {
		w.Tree.Add(&evPlayerTeam, uint64(p.team), 0, 0)
	}
	if number >= 0 && number == roster.own && len(roster.guid) > 0 {
		w.Text(&evGUID, roster.guid)
	}
}

// named adds a name, if it is known, and where it is from.
func (w *eventWriter) named(name knownName) {
	if name.name == nil {
		return
	}
	w.Both(&evName, &evNameClean, name.name)
	if name.from != "" {
		w.Label(&evNameFrom, name.from)
	}
}

func (w *eventWriter) position(x, y, z uint32) {
	w.Tree.Open(&evPosition, 0)
	w.Tree.Add(&evPositionX, uint64(x), 0, 0)
	w.Tree.Add(&evPositionY, uint64(y), 0, 0)
	w.Tree.Add(&evPositionZ, uint64(z), 0, 0)
	w.Tree.Close(0)
}

var language = eventtree.Language{Own: "somebody", Unknown: "somebody", Teams: teamNames, Clean: speech.AppendClean}

// teamNames returns the names of the two teams whose scores a game announces.
func teamNames(family uint8) [2]string {
	teams := tables.Games[family].Match.Teams
	if teams[0] == 0 {
		return [2]string{"red", "blue"}
	}
	return [2]string{tables.TeamNames.Name(family, uint64(teams[0])), tables.TeamNames.Name(family, uint64(teams[1]))}
}

// AppendSentence appends a description of an event. node is its index among the events of a record.
func AppendSentence(dst []byte, events *dissect.Tree, node int) []byte {
	s := eventtree.NewSentence(dst, events, node, &language)
	switch string(s.Kind()) {
	case event.RaceFinish:
		s.Who(evClient.Key, "somebody")
		s.Add(" finished the race")
		s.Clock(" after ", evFinishTime.Key)
	case event.RconDenied:
		s.Add("rcon denied")
		s.Text(": ", evTextClean.Key)
	default:
		s.Write()
	}
	return s.Dst
}
