package timeline

// joinNumberless makes one player of one who is known by his name alone, as the author of a chat line is in a capture
// that begins within a game, and the only one with that name whose number became known later. It returns the index of
// the player that each is, or nil where nothing changed.
func (g *Game) joinNumberless() (to []int) {
	numbered := map[string]int{} // -1: several have the name
	for i, p := range g.Players {
		if p.Client < 0 || p.Clean == "" {
			continue
		}
		if _, ok := numbered[p.Clean]; ok {
			i = -1
		}
		numbered[p.Clean] = i
	}
	to = make([]int, len(g.Players))
	kept := g.Players[:0:0]
	for i, p := range g.Players {
		if other, ok := numbered[p.Clean]; p.Client < 0 && ok && other >= 0 {
			g.Players[other].take(p)
			to[i] = -1
			continue
		}
		to[i] = len(kept)
		kept = append(kept, p)
	}
	if len(kept) == len(g.Players) {
		return nil
	}
	for i, p := range g.Players {
		if to[i] < 0 {
			to[i] = to[numbered[p.Clean]]
		}
	}
	g.Players = kept
	for i := range g.Events {
		for _, player := range []*int{g.Events[i].Player, g.Events[i].Other} {
			if player != nil {
				*player = to[*player]
			}
		}
	}
	for i := range g.damage {
		if d := &g.damage[i]; d.player < len(to) {
			d.player = to[d.player]
		}
	}
	for number, player := range g.roster {
		g.roster[number] = to[player]
	}
	for _, w := range g.done {
		w.player = to[w.player]
	}
	return to
}

// take adds what is known of another player who is the same.
func (p *Player) take(other *Player) {
	for team, n := range other.sides {
		for range n {
			p.side(team)
		}
	}
	p.Bot, p.Own = p.Bot || other.Bot, p.Own || other.Own
}
