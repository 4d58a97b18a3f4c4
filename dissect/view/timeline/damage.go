package timeline

import (
	"maps"
	"slices"
)

// A damageAt is how much damage a player had done to others at a time.
type damageAt struct {
	time   float64
	player int
	damage int
}

// maxDamage bounds the announcements of damage that are kept of a game.
const maxDamage = 100_000

// addDamage keeps the damage of a scoreboard.
func (g *Game) addDamage(e *Event) {
	for _, d := range e.Damage {
		if len(g.damage) < maxDamage {
			g.damage = append(g.damage, damageAt{e.Time, d[0], d[1]})
		}
	}
}

// findDamage finds the course of the damage in a match. A game may announce less again, after a match or for another:
// only more counts.
func (g *Game) findDamage(m *Match) {
	const after = 10 // seconds in which the numbers of the end may come
	players := map[int]*Score{}
	for _, d := range g.damage {
		if d.time < m.From || d.time > m.To+after || d.player >= len(g.Players) {
			continue
		}
		s := players[d.player]
		if s == nil {
			s = &Score{Name: g.Players[d.player].Clean, Player: &d.player, Points: [][2]float64{{m.From, 0}}}
			players[d.player] = s
		}
		if value := float64(d.damage); value > s.Points[len(s.Points)-1][1] {
			s.Points = append(s.Points, [2]float64{min(d.time, m.To), value})
		}
	}
	for _, player := range slices.Sorted(maps.Keys(players)) {
		if s := players[player]; len(s.Points) > 1 {
			m.Damage = append(m.Damage, *s)
		}
	}
}
