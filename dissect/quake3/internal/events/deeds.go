package events

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

const (
	// maxSkills is SK_NUM_SKILLS, src/game/bg_public.h of ET: Legacy.
	maxSkills = 7
	// maxClasses is how many changes of class are kept of a player in a match.
	maxClasses = 100
)

// saber is the means of death whose events have the killer's style.
const saber = "saber"

// deeds are what the players did in a match beside kills.
type deeds struct {
	classes [tables.MaxPlayers][]classSince
	revived [tables.MaxPlayers]uint16
	powers  [tables.MaxPlayers][scene.ForcePowers]uint16
}

// A classSince is a class from a time of the match on.
type classSince struct {
	class int
	since int32
}

// noteDeeds keeps what the present snapshot shows, while the match is on.
func (g *gameView) noteDeeds() {
	c := &g.match.contest
	classes := g.rules().Text.ClassKey != ""
	seen := &g.scene.Seen
	if !c.open || c.over || !classes && len(seen.Powers) == 0 && !seen.Player.Revived {
		return
	}
	if c.deeds == nil {
		c.deeds = new(deeds)
	}
	d := c.deeds
	for _, p := range seen.Powers {
		d.powers[p.Client][p.Power]++
	}
	if p := &seen.Player; p.Revived && p.Client >= 0 && p.Client < tables.MaxPlayers {
		d.revived[p.Client]++
	}
	if !classes {
		return
	}
	for i := range d.classes {
		p := g.roster.at(i)
		if p == nil || p.class < 0 || p.team == teamSpectator {
			continue
		}
		if n := len(d.classes[i]); n == 0 || n < maxClasses && d.classes[i][n-1].class != p.class {
			d.classes[i] = append(d.classes[i], classSince{p.class, c.clock.elapsed(g.time)})
		}
	}
}

// writePlayers adds the players who were seen in the match, with what they did.
func (c *contest) writePlayers(w *eventWriter, roster *roster) {
	if c.walks == nil && c.deeds == nil {
		return
	}
	w.Tree.Open(&evPlayers, 0)
	for i := range tables.MaxPlayers {
		walked := c.walks != nil && c.walks[i].seen > 0
		if !walked && !c.deeds.has(i) {
			continue
		}
		w.Tree.Open(evPlayers.Children[0], 0)
		w.clientFields(roster, i, knownName{})
		if p := roster.at(i); p != nil {
			w.Flag(&evBot, p.bot)
		}
		if walked {
			w.Tree.Add(&eventtree.Distance, uint64(math.Float32bits(float32(c.walks[i].distance))), 0, 0)
			w.Number(&eventtree.SeenTime, int64(c.walks[i].seen))
		}
		if c.deeds != nil {
			c.deeds.write(w, roster, i)
		}
		w.Tree.Close(0)
	}
	w.Tree.Close(0)
}

// has reports whether there is anything of a player.
func (d *deeds) has(client int) bool {
	return d != nil && (len(d.classes[client]) > 0 || d.revived[client] > 0 ||
		d.powers[client] != [scene.ForcePowers]uint16{})
}

// write adds what a player did.
func (d *deeds) write(w *eventWriter, roster *roster, client int) {
	if list := d.classes[client]; len(list) > 0 {
		w.Tree.Open(&evClasses, 0)
		for _, c := range list {
			w.Tree.Open(evClasses.Children[0], 0)
			w.Tree.Add(&evClass, uint64(c.class), 0, 0)
			w.Number(&evMatchTime, int64(c.since))
			w.Tree.Close(0)
		}
		w.Tree.Close(0)
	}
	if p := roster.at(client); p != nil && p.skills != [maxSkills]uint8{} {
		w.Tree.Open(&evSkills, 0)
		for skill, level := range p.skills {
			w.Tree.Open(evSkills.Children[0], 0)
			w.Tree.Add(&evSkill, uint64(skill), 0, 0)
			w.Number(&evLevel, int64(level))
			w.Tree.Close(0)
		}
		w.Tree.Close(0)
	}
	if n := d.revived[client]; n > 0 {
		w.Tree.Add(&evRevived, uint64(n), 0, 0)
	}
	if d.powers[client] == [scene.ForcePowers]uint16{} {
		return
	}
	w.Tree.Open(&evPowers, 0)
	for power, n := range d.powers[client] {
		if n > 0 {
			w.Tree.Open(evPowers.Children[0], 0)
			w.Tree.Add(&evPower, uint64(power), 0, 0)
			w.Tree.Add(&evUses, uint64(n), 0, 0)
			w.Tree.Close(0)
		}
	}
	w.Tree.Close(0)
}
