package prose

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// Match makes sentences about matches, for games whose events of them have the same shape.
type Match struct {
	TeamGame, Score1, Score2   *dissect.Field // of score
	Winner, Scores, Score      *dissect.Field // of match_end; the scores of scoreboard too
	Reason, Duration, Complete *dissect.Field
}

// AddScore adds the two highest scores, or those of the teams.
func (m *Match) AddScore(e *Event) {
	labels := [...]string{"first ", ", second "}
	if n := e.Child(m.TeamGame); n != nil && n.Bool() {
		labels = [...]string{"red ", ", blue "}
	}
	for i, f := range [...]*dissect.Field{m.Score1, m.Score2} {
		e.Add(labels[i])
		if e.Number("", f); e.Child(f) == nil {
			e.Add("-")
		}
	}
}

// AddEnd adds the winner, the scores, the reason and the duration. Who adds the player or team of an object.
func (m *Match) AddEnd(e *Event, who func(node int)) {
	e.Add("the match is over: ")
	if i := e.Tree.Child(e.Node, m.Winner); i >= 0 {
		who(i)
		e.Add(" won, ")
	}
	if e.Child(m.Scores) != nil {
		m.AddScores(e, who)
		e.Add(", ")
	}
	e.Text("", m.Reason)
	if n := e.Child(m.Duration); n != nil {
		seconds := n.Int() / 1000
		e.Dst = strconv.AppendInt(append(e.Dst, " after "...), seconds/60, 10)
		e.Dst = append(e.Dst, ':', byte('0'+seconds%60/10), byte('0'+seconds%10))
	}
	if n := e.Child(m.Complete); n != nil && !n.Bool() {
		e.Add(" (not all of it is there)")
	}
}

// AddScores adds the scores of players or teams.
func (m *Match) AddScores(e *Event, who func(node int)) {
	list := e.Tree.Child(e.Node, m.Scores)
	if list < 0 {
		return
	}
	for i, end := list+1, int(e.Tree.Nodes[list].End); i < end; i = int(e.Tree.Nodes[i].End) {
		if i > list+1 {
			e.Add(", ")
		}
		who(i)
		if n := e.Tree.Child(i, m.Score); n >= 0 {
			e.Dst = strconv.AppendInt(append(e.Dst, ' '), e.Tree.Nodes[n].Int(), 10)
		}
	}
}
