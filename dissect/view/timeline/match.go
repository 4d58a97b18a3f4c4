package timeline

import "github.com/q3dissect/q3dissect/dissect/event"

// finish completes a game at the end of the input: matches with their course, teams, tracks.
func (g *Game) finish(length, step float64) {
	g.play(g.joinNumberless())
	g.settleTeams()
	g.findMatches(length)
	g.findPauses()
	for i := range g.Matches {
		g.score(&g.Matches[i])
		g.findDamage(&g.Matches[i])
	}
	g.draw(step)
}

// settleTeams forgets the teams where there are not two: who plays in a game without teams may be called red.
func (g *Game) settleTeams() {
	for _, p := range g.Players {
		if p.sides["blue"] > 0 {
			return
		}
	}
	for _, p := range g.Players {
		p.Team = ""
	}
}

// findMatches finds the beginning and end of matches. One lasts until the next begins at the latest.
func (g *Game) findMatches(length float64) {
	open := -1
	for i := range g.Events {
		e := &g.Events[i]
		switch e.Kind {
		case event.MatchStart:
			if open >= 0 && e.Match != nil && *e.Match != g.Matches[open].Number {
				g.cutMatches(e.Time)
			}
			g.Matches = append(g.Matches, Match{From: e.Time, To: length, Map: g.mapAt(e.Time)})
			open = len(g.Matches) - 1
		case event.MatchEnd:
			if open < 0 {
				g.Matches = append(g.Matches, Match{Map: g.mapAt(e.Time)})
				open = len(g.Matches) - 1
			}
			g.Matches[open].To, g.Matches[open].Ended = e.Time, true
		default:
			continue
		}
		m := &g.Matches[open]
		if e.Match != nil {
			m.Number = *e.Match
		}
		if e.StartTime != nil {
			m.StartTime = *e.StartTime
		}
		if e.Kind == event.MatchEnd {
			open = -1
		}
	}
}

// cutMatches ends the last match, whose end was not seen, each time that its beginning was seen.
func (g *Game) cutMatches(at float64) {
	last := g.Matches[len(g.Matches)-1].Number
	for i := len(g.Matches) - 1; i >= 0 && g.Matches[i].Number == last && !g.Matches[i].Ended; i-- {
		g.Matches[i].To = at
	}
}

func (g *Game) mapAt(t float64) (name string) {
	for _, m := range g.Maps {
		if m.Time <= t || name == "" {
			name = m.Name
		}
	}
	return name
}

// Scores at or below forfeit mean no score: -999 after a forfeit in Quake Live, and SCORE_NOT_PRESENT in
// code/game/bg_public.h.
const forfeit = -999

// score finds the course of a match: the teams' scores as the game shows them, or each player's kills less his own
// deaths.
func (g *Game) score(m *Match) {
	teams := [2]Score{{Name: g.Sides[0], Team: "red"}, {Name: g.Sides[1], Team: "blue"}}
	scored := false
	players := map[int]*Score{}
	var order []int
	add := func(player int, t, change float64) {
		s := players[player]
		if s == nil {
			s = &Score{Name: g.Players[player].Clean, Player: &player, Points: [][2]float64{{m.From, 0}}}
			players[player] = s
			order = append(order, player)
		}
		s.Points = append(s.Points, [2]float64{t, s.Points[len(s.Points)-1][1] + change})
	}
	for i := range g.Events {
		e := &g.Events[i]
		switch {
		case e.Time < m.From || e.Time > m.To:
		case m.Ended && e.Time == m.To && e.Scores != nil && *e.Scores == [2]float64{}: // a restart has set them back
		case e.Kind == event.Score && e.TeamGame && e.Scores != nil:
			scored = true
			for side := range teams {
				if e.Scores[side] > forfeit {
					teams[side].Points = append(teams[side].Points, [2]float64{e.Time, e.Scores[side]})
				}
			}
		case e.Kind == event.Kill && e.Player != nil && (e.Other == nil || *e.Player != *e.Other):
			add(*e.Player, e.Time, 1)
		case e.Kind == event.Kill && e.Other != nil:
			add(*e.Other, e.Time, -1)
		}
	}
	if scored {
		m.Scores, m.Kind = teams[:], "score"
		return
	}
	for _, player := range order {
		m.Scores, m.Kind = append(m.Scores, *players[player]), "kills"
	}
}
