package events

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/token"

// A weaponLine is what a score command says of a player's weapon.
type weaponLine struct {
	weapon                int // weapon_t, code/game/bg_public.h
	hits, shots, kills    int32
	deaths, damage        int32
	hasDeaths, hasDamages bool
}

// used reports whether the player did anything with the weapon.
func (l *weaponLine) used() bool { return l.hits|l.shots|l.kills|l.deaths|l.damage != 0 }

// Words of a weapon: hits, shots, accuracy, damage and kills in Quake Live's commands; hits, shots, kills, deaths, picked up
// and dropped in CPMA's.
//
// Source: udtParserPlugInStats of uberdemotools, plug_in_stats.cpp; recordings.
const (
	weaponWords = 5
	armsWords   = 6
)

// readWeapons reads the weapons of a player of Quake Live, from the gauntlet on.
func (l *line) readWeapons(words *token.Words, at, count int) {
	l.weapons = l.weapons[:0]
	for i := range count {
		var n weaponLine
		n.weapon, n.hasDamages = 1+i, true
		for j, to := range [...]*int32{&n.hits, &n.shots, nil, &n.damage, &n.kills} {
			if to != nil {
				*to, _ = token.Atoi(words.At(at + i*weaponWords + j))
			}
		}
		if n.used() {
			l.weapons = append(l.weapons, n)
		}
	}
}

// readArms reads the weapons of CPMA's commands and the damage that follows them, of a command whose letters stand at end.
func (l *line) readArms(words *token.Words, end int) {
	mask, _ := token.Atoi(words.At(2))
	at := 3
	l.weapons = l.weapons[:0]
	for weapon := 0; mask > 0; mask, weapon = mask>>1, weapon+1 {
		if mask&1 == 0 {
			continue
		}
		var n weaponLine
		n.weapon, n.hasDeaths = weapon, true
		for j, to := range [...]*int32{&n.hits, &n.shots, &n.kills, &n.deaths} {
			*to, _ = token.Atoi(words.At(at + j))
		}
		if at += armsWords; at > end {
			l.weapons = l.weapons[:0]
			return
		}
		if n.used() {
			l.weapons = append(l.weapons, n)
		}
	}
	if at+2 < end {
		l.set(colGiven, words, at)
		l.set(colReceived, words, at+1)
	}
}

// readIndexed reads Quake Live's commands that name players by their place in the last scores: dscores has the two
// duelists, tdmstats and ctfstats have one player each.
//
// Source: udtParserPlugInStats of uberdemotools, plug_in_stats.cpp; recordings.
func (s *sheet) readIndexed(name string, words *token.Words) {
	switch name {
	case "dscores":
		each := (words.Len() - 1) / duelists
		for i := range min(duelists, len(s.order)) {
			const head, oldest = 18, 83 // words before the weapons; of a player in 73
			if words.Len() != 1+duelists*each || each < oldest || (each-head)%weaponWords != 0 {
				return
			}
			l, at := s.add(s.order[i]), 1+i*each
			for j, c := range [...]column{colPing, colKills, colDeaths, colAccuracy, colGiven} {
				l.set(c, words, at+j)
			}
			l.readWeapons(words, at+head, (each-head)/weaponWords)
		}
	case "tdmstats":
		const head = 13
		if l := s.placed(words); l != nil && words.Len() >= head {
			l.set(colSuicides, words, 2)
			l.set(colGiven, words, 5)
			l.set(colReceived, words, 6)
			if rest := words.Len() - head; rest >= weaponWords && rest%weaponWords == 0 {
				l.readWeapons(words, head, rest/weaponWords)
			}
		}
	case "ctfstats":
		if l := s.placed(words); l != nil && words.Len() == 14 {
			l.set(colSuicides, words, 2)
			l.set(colGiven, words, 3)
			l.set(colReceived, words, 4)
		}
	}
}

// placed gives the line of the player whose place is the first word; nil: there is no such place.
func (s *sheet) placed(words *token.Words) *line {
	if i, ok := token.Atoi(words.At(1)); ok && i >= 0 && int(i) < len(s.order) {
		return s.add(s.order[i])
	}
	return nil
}

// writeWeapons adds the weapons.
func (l *line) writeWeapons(w *eventWriter) {
	if len(l.weapons) == 0 {
		return
	}
	w.tree.Open(&evWeapons, 0)
	for i := range l.weapons {
		n := &l.weapons[i]
		w.tree.Open(evWeapons.Children[0], 0)
		w.tree.Add(&evWeapon, uint64(n.weapon), 0, 0)
		w.number(&evHits, int64(n.hits))
		w.number(&evShots, int64(n.shots))
		w.number(&evKills, int64(n.kills))
		if n.hasDeaths {
			w.number(&evDeaths, int64(n.deaths))
		}
		if n.hasDamages {
			w.number(&evGiven, int64(n.damage))
		}
		w.tree.Close(0)
	}
	w.tree.Close(0)
}
