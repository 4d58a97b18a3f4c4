package match

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

// A WeaponUse is what a player did with a weapon, as the game announced it: a number, or nil.
type WeaponUse struct {
	Weapon                                     string
	Shots, Hits, Accuracy, Kills, Deaths, Done any
}

// weaponsOf returns the weapons of a line of a scoreboard.
func weaponsOf(list dissect.Value) (weapons []WeaponUse) {
	number := func(v dissect.Value) any {
		if !v.Exists() {
			return nil
		}
		return v.Int()
	}
	for v := range list.Children() {
		w := WeaponUse{
			Weapon: numberName(v.Get("weapon")),
			Shots:  number(v.Get("shots")), Hits: number(v.Get("hits")), Kills: number(v.Get("kills")),
			Deaths: number(v.Get("deaths")), Done: number(v.Get("damage_given")),
		}
		switch shots := v.Get("shots").Int(); {
		case v.Get("accuracy").Exists():
			w.Accuracy = float64(v.Get("accuracy").Int())
		case shots > 0:
			w.Accuracy = math.Round(10*(100*float64(v.Get("hits").Int())/float64(shots))) / 10
		}
		weapons = append(weapons, w)
	}
	return weapons
}

// Shots returns the weapons whose shots the game announced.
func (q *Player) Shots() (list []people.WeaponShots) {
	for _, w := range q.Weapons {
		shots, _ := w.Shots.(int64)
		hits, _ := w.Hits.(int64)
		if shots > 0 {
			list = append(list, people.WeaponShots{Weapon: w.Weapon, Shots: shots, Hit: hits})
		}
	}
	return list
}

// shoot counts the shots and hits of the player whose view snapshots show.
func (s *Stream) shoot(inputs []extract.Input) {
	for i := range inputs {
		in := &inputs[i]
		if in.Kind != extract.InputView {
			continue
		}
		if q := s.playing(int64(in.Player)); q != nil {
			q.ShotsSeen += int64(in.Shots)
			if in.Struck {
				q.HitsSeen++
			}
		}
	}
}
