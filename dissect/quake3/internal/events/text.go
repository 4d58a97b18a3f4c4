package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

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
