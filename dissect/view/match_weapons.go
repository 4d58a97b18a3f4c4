package view

import (
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/parts"
)

// A weaponUse is what a player did with a weapon, as the game announced it: a number, or nil.
type weaponUse struct {
	weapon                                     string
	shots, hits, accuracy, kills, deaths, done any
}

// weaponsOf returns the weapons of a line of a scoreboard.
func weaponsOf(list dissect.Value) (weapons []weaponUse) {
	number := func(v dissect.Value) any { return onlyIf(v.Exists(), v.Int()) }
	for v := range list.Children() {
		w := weaponUse{
			weapon: numberName(v.Get("weapon")),
			shots:  number(v.Get("shots")), hits: number(v.Get("hits")), kills: number(v.Get("kills")),
			deaths: number(v.Get("deaths")), done: number(v.Get("damage_given")),
		}
		switch shots := v.Get("shots").Int(); {
		case v.Get("accuracy").Exists():
			w.accuracy = float64(v.Get("accuracy").Int())
		case shots > 0:
			w.accuracy = round(100*float64(v.Get("hits").Int())/float64(shots), 1)
		}
		weapons = append(weapons, w)
	}
	return weapons
}

// weaponRows returns the weapons as rows, and as "railgun 37 % of 27, gauntlet 0 % of 2".
func weaponRows(list []weaponUse) (rows [][]any, text string) {
	var parts []string
	for _, w := range list {
		rows = append(rows, []any{w.weapon, w.shots, w.hits, w.accuracy, w.kills, w.deaths, w.done})
		percent, known := w.accuracy.(float64)
		if !known {
			continue
		}
		one := w.weapon + " " + strconv.FormatFloat(round(percent, 0), 'f', 0, 64) + " %"
		if shots, ok := w.shots.(int64); ok {
			one += " of " + strconv.FormatInt(shots, 10)
		}
		parts = append(parts, one)
	}
	return rows, strings.Join(parts, ", ")
}

// shots returns the weapons whose shots the game announced.
func (q *matchPlayer) shots() (list []WeaponShots) {
	for _, w := range q.weapons {
		shots, _ := w.shots.(int64)
		hits, _ := w.hits.(int64)
		if shots > 0 {
			list = append(list, WeaponShots{w.weapon, shots, hits})
		}
	}
	return list
}

// shoot counts the shots and hits of the player whose view snapshots show.
func (s *matchStream) shoot(inputs []parts.Input) {
	for i := range inputs {
		in := &inputs[i]
		if in.Kind != parts.InputView {
			continue
		}
		if q := s.playing(int64(in.Player)); q != nil {
			q.shotsSeen += int64(in.Shots)
			if in.Hits > 0 { // OSP and CPMA count damage
				q.hitsSeen++
			}
		}
	}
}
