package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// language has the words for clients without a name: rcon commands of a teehistorian file without a client are the
// server's own, or those of a vote.
var language = eventtree.Language{Own: "the client", Unknown: "the server", Clean: appendClean}

// AppendSentence appends a description of an event. node is its index among the events of a record.
func AppendSentence(dst []byte, events *dissect.Tree, node int) []byte {
	s := eventtree.NewSentence(dst, events, node, &language)
	s.Write()
	return s.Dst
}
