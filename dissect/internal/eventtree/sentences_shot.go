package eventtree

import "strconv"

// Keys of a shot.
const (
	playersKey = "players"
	screenKey  = "screen"
	tracedKey  = "traced"
)

// shot adds a shot with the nearest player: margins and what the server shows, and no verdict.
func (s *Sentence) shot() {
	s.Who(clientKey, theClient)
	s.Add(" fires")
	s.Text(" ", "weapon")
	if players := s.Tree.Find(s.Node, playersKey); players >= 0 {
		for i := range s.Tree.Children(players) {
			s.near(i)
			break
		}
	}
	s.Text("; the server shows: ", "impact")
	if s.Has(targetKey) {
		s.Add(" of ")
		s.Who(targetKey, nameless)
	}
	s.Number("; hits change by ", "hits")
	s.Number("; damage grows by ", "damage")
	s.Text("; not decidable: ", reasonKey)
}

// near adds how near a shot was to a player.
func (s *Sentence) near(player int) {
	s.Add(": ")
	if !s.identity(player) {
		s.Add(nameless)
	}
	s.margin(" on the screen ", player, screenKey)
	s.margin(", traced ", player, tracedKey)
}

// margin adds a distance beside a player's box, or how deep it is in the box.
func (s *Sentence) margin(before string, player int, key string) {
	i := s.Tree.Find(player, key)
	if i < 0 {
		return
	}
	units, word := float64(s.Tree.Nodes[i].Float()), "beside by "
	if units < 0 {
		units, word = -units, "through by "
	}
	s.Add(before + word)
	s.Dst = strconv.AppendFloat(s.Dst, units, 'f', 1, 64)
	s.Add(" units")
}
