package scores

import (
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A Weapon has the values of a player's weapon in a score command.
type Weapon struct {
	Number               int // weapon_t, code/game/bg_public.h
	Hits, Shots, Kills   int32
	Deaths, Damage       int32
	Accuracy             int32 // in percent
	HasDeaths, HasDamage bool  // the command has them
	HasAccuracy          bool  // the command has it, and neither hits nor shots
}

// used reports whether the player did anything with the weapon.
func (w *Weapon) used() bool { return w.Hits|w.Shots|w.Kills|w.Deaths|w.Damage|w.Accuracy != 0 }

// Words of a weapon: hits, shots, accuracy, damage and kills in Quake Live's commands; hits, shots, kills, deaths,
// picked up and dropped in CPMA's.
//
// Source: udtParserPlugInStats of uberdemotools, plug_in_stats.cpp; recordings.
const (
	weaponWords = 5
	armsWords   = 6
)

// duelists is the number of players in a command about a duel.
const duelists = 2

// readWeapons reads the weapons of a player of Quake Live, from the gauntlet on.
func (l *Line) readWeapons(words *token.Words, at, count int) {
	l.Weapons = l.Weapons[:0]
	for i := range count {
		var n Weapon
		n.Number, n.HasDamage = 1+i, true
		for j, to := range [...]*int32{&n.Hits, &n.Shots, nil, &n.Damage, &n.Kills} {
			if to != nil {
				*to, _ = token.Atoi(words.At(at + i*weaponWords + j))
			}
		}
		if n.used() {
			l.Weapons = append(l.Weapons, n)
		}
	}
}

// readArms reads the weapons of CPMA's commands and the damage that follows them. The word of letters is at end.
func (l *Line) readArms(words *token.Words, end int) {
	mask, _ := token.Atoi(words.At(2))
	at := 3
	l.Weapons = l.Weapons[:0]
	for weapon := 0; mask > 0; mask, weapon = mask>>1, weapon+1 {
		if mask&1 == 0 {
			continue
		}
		var n Weapon
		n.Number, n.HasDeaths = weapon, true
		for j, to := range [...]*int32{&n.Hits, &n.Shots, &n.Kills, &n.Deaths} {
			*to, _ = token.Atoi(words.At(at + j))
		}
		if at += armsWords; at > end {
			l.Weapons = l.Weapons[:0]
			return
		}
		if n.used() {
			l.Weapons = append(l.Weapons, n)
		}
	}
	if at+2 < end {
		l.set(Given, words, at)
		l.set(Received, words, at+1)
	}
}

// readIndexed reads Quake Live's commands that name players by their place in the last scores: dscores has the two
// duelists, tdmstats, ctfstats and castats have one player each.
//
// Source: udtParserPlugInStats of uberdemotools, plug_in_stats.cpp; recordings.
func (s *Sheet) readIndexed(name string, words *token.Words) {
	switch name {
	case "dscores":
		each := (words.Len() - 1) / duelists
		for i := range min(duelists, len(s.order)) {
			const head, oldest = 18, 83 // words before the weapons; of a player in 73
			if words.Len() != 1+duelists*each || each < oldest || (each-head)%weaponWords != 0 {
				return
			}
			l, at := s.line(s.order[i]), 1+i*each
			for j, c := range [...]Column{Ping, Kills, Deaths, Accuracy, Given} {
				l.set(c, words, at+j)
			}
			l.readWeapons(words, at+head, (each-head)/weaponWords)
		}
	case "tdmstats":
		const head = 13
		if l := s.placed(words); l != nil && words.Len() >= head {
			l.set(Suicides, words, 2)
			l.set(TeamKills, words, 3)
			l.set(Given, words, 5)
			l.set(Received, words, 6)
			if rest := words.Len() - head; rest >= weaponWords && rest%weaponWords == 0 {
				l.readWeapons(words, head, rest/weaponWords)
			}
		}
	case "castats":
		const head, least = 4, 4 + 2*14 // with the weapons up to the heavy machine gun
		if l := s.placed(words); l != nil && words.Len() >= least && (words.Len()-head)%2 == 0 {
			l.set(Given, words, 2)
			l.set(Received, words, 3)
			l.readAccuracies(words, head)
		}
	case "ctfstats":
		if l := s.placed(words); l != nil && words.Len() == 14 {
			l.set(Suicides, words, 2)
			l.set(Given, words, 3)
			l.set(Received, words, 4)
		}
	}
}

// placed returns the line of the player whose place is the first word; nil: there is no such place.
func (s *Sheet) placed(words *token.Words) *Line {
	if i, ok := token.Atoi(words.At(1)); ok && i >= 0 && int(i) < len(s.order) {
		return s.line(s.order[i])
	}
	return nil
}

// readAccuracies reads the weapons of castats, from the gauntlet on: accuracy and kills.
func (l *Line) readAccuracies(words *token.Words, at int) {
	l.Weapons = l.Weapons[:0]
	for i := 0; at+2*i+1 < words.Len(); i++ {
		n := Weapon{Number: 1 + i, HasAccuracy: true}
		n.Accuracy, _ = token.Atoi(words.At(at + 2*i))
		n.Kills, _ = token.Atoi(words.At(at + 2*i + 1))
		if n.used() {
			l.Weapons = append(l.Weapons, n)
		}
	}
}

// readArsenal reads OSP's xstats1: the client, a mask of the weapons, four numbers for each weapon (hits and, above the
// lowest 16 bits, dropped; shots and picked up; kills; deaths), armor and health taken, damage given and received. OSP
// of 2001 has hits, shots and damage alone.
//
// Source: udtParserPlugInStats of uberdemotools, plug_in_stats.cpp; recordings, in which the damage that one duelist
// gives equals the damage that the other takes.
func (s *Sheet) readArsenal(words *token.Words) {
	const head, each, lowest, brief, full = 3, 4, 1<<16 - 1, 2, 8
	client, ok := token.Atoi(words.At(1))
	mask, known := token.Atoi(words.At(2))
	end := head + each*bits.OnesCount32(uint32(mask))
	damage := end // place of the damage given
	switch rest := words.Len() - end; {
	case !ok || !known || client < 0 || client >= tables.MaxPlayers || rest < brief:
		return
	case rest >= full:
		damage += 2
	case rest != brief:
		return
	}
	l := s.line(int(client))
	l.Weapons = l.Weapons[:0]
	for weapon, at := 0, head; at < end; mask, weapon = int32(uint32(mask)>>1), weapon+1 {
		if mask&1 == 0 {
			continue
		}
		n := Weapon{Number: weapon, HasDeaths: true}
		for j, to := range [...]*int32{&n.Hits, &n.Shots, &n.Kills, &n.Deaths} {
			*to, _ = token.Atoi(words.At(at + j))
		}
		n.Hits, n.Shots = n.Hits&lowest, n.Shots&lowest
		if at += each; n.used() {
			l.Weapons = append(l.Weapons, n)
		}
	}
	l.set(Given, words, damage)
	l.set(Received, words, damage+1)
}
