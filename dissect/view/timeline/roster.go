package timeline

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// What games call the two sides.
var (
	redBlue    = [2]string{"red", "blue"}
	axisAllies = [2]string{"axis", "allies"}
)

// maxNames bounds the names that are kept of a player.
const maxNames = 32

// numbered returns the player who has a number now, and adds an unknown one.
func (g *Game) numbered(number int64) (player int, ok bool) {
	if player, ok = g.roster[number]; ok {
		return player, true
	}
	return g.enter(number, "", "")
}

// enter adds a player; false: there are too many.
func (g *Game) enter(number int64, name, clean string) (player int, ok bool) {
	if number >= 0 && clean != "" {
		if player, ok = g.byName[clean]; ok { // who asked to be let in
			delete(g.byName, clean)
			g.Players[player].Client, g.roster[number] = number, player
			return player, true
		}
	}
	if len(g.Players) >= maxPlayers {
		return 0, false
	}
	player = len(g.Players)
	g.Players = append(g.Players, &Player{Client: number, Name: name, Clean: clean})
	if number >= 0 {
		g.roster[number] = player
	} else {
		g.byName[clean] = player
	}
	return player, true
}

// who returns the player that a part of an event names; nil: it names none.
func (g *Game) who(v dissect.Value) *int {
	if !v.Exists() {
		return nil
	}
	number, name, clean := numberOf(v), textOf(v.Get("name")), textOf(v.Get("name_clean"))
	if clean == "" {
		clean = name
	}
	var player int
	var ok bool
	switch {
	case number >= 0:
		if player, ok = g.numbered(number); !ok {
			return nil
		}
	case clean == "":
		return nil
	default:
		if player, ok = g.named(name, clean); !ok {
			return nil
		}
	}
	p := g.Players[player]
	if p.Clean == "" {
		p.Name, p.Clean = name, clean
	}
	if side := g.sideOf(v); side != "" {
		p.side(side)
	}
	return &player
}

// sideOf is red or blue by the team that a part of an event says, "" where it says neither. Axis and allies have these
// colours in pictures, too: the game is one that calls its teams so.
func (g *Game) sideOf(v dissect.Value) string {
	switch team := v.Get("team").Name(); team {
	case "red", "blue":
		return team
	case "axis":
		g.Sides = axisAllies
		return "red"
	case "allies":
		g.Sides = axisAllies
		return "blue"
	}
	return ""
}

// side counts an event of a player in a team.
func (p *Player) side(team string) {
	if p.sides == nil {
		p.sides = map[string]int{}
	}
	p.sides[team]++
	if p.Team == "" || p.sides[team] > p.sides[p.Team] {
		p.Team = team
	}
}

// named returns the player with a name who is in the game or asks to connect.
func (g *Game) named(name, clean string) (player int, ok bool) {
	if player, ok = g.byName[clean]; ok {
		return player, true
	}
	player = -1
	for _, i := range g.roster {
		if g.Players[i].Clean == clean && i > player {
			player = i
		}
	}
	if player >= 0 {
		return player, true
	}
	return g.enter(-1, name, clean)
}

// come adds a player who is in the game with a name: a new one, or a new name of the player with the number.
func (g *Game) come(v dissect.Value, kind string, now float64) {
	number, name, clean := numberOf(v), textOf(v.Get("name")), textOf(v.Get("name_clean"))
	if number < 0 || name == "" {
		return
	}
	player, ok := g.roster[number]
	switch {
	case !ok:
		_, _ = g.enter(number, name, clean)
		return
	case g.Players[player].Clean == "":
		g.Players[player].Name, g.Players[player].Clean = name, clean
		return
	case g.Players[player].Name == name:
		return
	case kind != event.Rename && g.Players[player].Clean != clean:
		_, _ = g.enter(number, name, clean)
		return
	}
	p := g.Players[player]
	if len(p.Names) == 0 {
		p.Names = append(p.Names, NameFrom{0, p.Name, p.Clean})
	}
	if len(p.Names) < maxNames {
		p.Names = append(p.Names, NameFrom{thousandths(now), name, clean})
	}
	p.Name, p.Clean = name, clean
}

// numberOf is the client number in a part of an event, -1 where it has none.
func numberOf(v dissect.Value) int64 {
	for _, key := range [...]string{"client_num", "client_id"} {
		if n := v.Get(key); n.Exists() {
			return n.Int()
		}
	}
	return -1
}

// textOf is a text as the records show it.
func textOf(v dissect.Value) string {
	if !v.Exists() {
		return ""
	}
	return wiretext.String(v.Bytes())
}

// wordOf is the name of a number, or the text of a label.
func wordOf(v dissect.Value) string {
	if name := v.Name(); name != "" {
		return name
	}
	return v.String()
}
