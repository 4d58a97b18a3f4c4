package speech

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A Death is a sentence about a death, split into its parts.
type Death struct {
	Victim, Killer []byte // Killer: nil without one
	By             tables.DeathBy
	Means, Weapon  string // "": the words do not name it
	Place          string // the part of the body that was hit; "": not named
}

// Copy returns the death with names of its own.
func (d *Death) Copy() Death {
	c := *d
	c.Victim, c.Killer = bytes.Clone(d.Victim), bytes.Clone(d.Killer)
	return c
}

// inThe precedes a part of the body. Some servers leave it out.
const inThe = "in the "

// ReadDeathCommand parses printdeathmsg: the words after the victim, those after the killer, the killer, the victim,
// and a letter for the cause, which is small if victim and receiver are in one team. An "x" is an empty text.
//
// Source: G_PrintDeathMessage, code/fgame/g_utils.cpp, and CG_ServerCommand, code/cgame/cg_servercmds.c of openmohaa.
func ReadDeathCommand(text *tables.Text, w *token.Words) (d Death, ok bool) {
	words, then, kind := w.At(1), w.At(2), w.At(5)
	if w.Len() < 6 || len(kind) != 1 || len(w.At(4)) == 0 {
		return d, false
	}
	d.Victim = w.At(4)
	switch token.Lower(kind[0]) {
	case 's':
		d.By = tables.DeathBySelf
	case 'p':
		d.By, d.Killer = tables.DeathByPlayer, w.At(3)
	case 'w':
		d.By = tables.DeathByWorld
	default:
		return d, false
	}
	longest := 0
	for i := range text.Deaths {
		s := &text.Deaths[i]
		tail, found := cutWords(words, s.Words)
		place, whole := bodyPart(text, tail)
		if found && whole && len(s.Words) > longest && (s.By == d.By || s.By == tables.DeathByUnknown) {
			longest, d.Means, d.Weapon, d.Place = len(s.Words), s.Means, s.Weapon, place
		}
	}
	if _, place := cutPlace(text, then); d.Place == "" {
		d.Place = place
	}
	return d, true
}

// ReadDeath parses a sentence about a death. players are the names of those who are in the game; nil: they are not
// known, and a sentence that can be split in two ways has no parts.
func ReadDeath(text *tables.Text, sentence []byte, players [][]byte) (d Death, ok bool) {
	length := 0
	for _, name := range players {
		if rest, said := cutName(sentence, name); said && len(name) > length {
			if found, is := readAfter(text, rest, players); is {
				d, ok, length = found, true, len(name)
				d.Victim = name
			}
		}
	}
	if ok || players != nil {
		return d, ok
	}
	for at := 1; at < len(sentence); at++ {
		if sentence[at] != ' ' {
			continue
		}
		if found, is := readAfter(text, sentence[at+1:], nil); is {
			if ok {
				return Death{}, false
			}
			d, ok = found, true
			d.Victim = sentence[:at]
		}
	}
	return d, ok
}

// readAfter parses what follows the victim's name: the longest words that it begins with, of equal ones those whose
// other half is there too.
func readAfter(text *tables.Text, rest []byte, players [][]byte) (d Death, ok bool) {
	best := 0
	for i := range text.Deaths {
		s := &text.Deaths[i]
		tail, said := cutWords(rest, s.Words)
		if !said {
			continue
		}
		found, whole, is := readTail(text, s, tail, players)
		weight := 2 * len(s.Words)
		if whole {
			weight++
		}
		if is && weight > best {
			d, ok, best = found, true, weight
		}
	}
	return d, ok
}

// readTail parses what follows the words of a sentence: the killer, where a player kills, and a part of the body before
// the killer or at the end. whole reports whether the words after the killer are there too.
func readTail(text *tables.Text, s *tables.DeathSentence, tail []byte, players [][]byte) (d Death, whole, ok bool) {
	d = Death{By: s.By, Means: s.Means, Weapon: s.Weapon}
	if s.By != tables.DeathByPlayer {
		d.Place, ok = bodyPart(text, tail)
		return d, true, ok
	}
	rest, place := cutPlace(text, tail)
	rest, whole = bytes.CutSuffix(rest, []byte(s.Then))
	if d.Killer, ok = among(players, rest); ok {
		d.Place = place
		return d, whole, true
	}
	if after, part := cutFirstPlace(text, rest); part != "" {
		rest, place = after, part
	}
	d.Killer, d.Place = rest, place
	if known, ok := among(players, rest); ok {
		d.Killer = known
	}
	return d, whole, len(rest) > 0
}

// cutWords cuts words off the beginning of a sentence, and the blank after them.
func cutWords(sentence []byte, words string) (tail []byte, ok bool) {
	tail, ok = bytes.CutPrefix(sentence, []byte(words))
	if !ok || len(tail) > 0 && tail[0] != ' ' {
		return nil, false
	}
	return bytes.TrimPrefix(tail, []byte(" ")), true
}

// bodyPart returns the part of the body that a text names. whole reports whether the text has nothing else; an empty
// one names no part.
func bodyPart(text *tables.Text, s []byte) (part string, whole bool) {
	s = bytes.TrimPrefix(s, []byte(inThe))
	for _, part := range text.BodyParts {
		if string(s) == part {
			return part, true
		}
	}
	return "", len(s) == 0
}

// cutPlace cuts a part of the body off the end of a text.
func cutPlace(text *tables.Text, s []byte) (rest []byte, part string) {
	const before = " " + inThe
	if at := bytes.LastIndex(s, []byte(before)); at >= 0 {
		if part, _ = bodyPart(text, s[at+1:]); part != "" {
			return s[:at], part
		}
	}
	return s, ""
}

// cutFirstPlace cuts a part of the body off the beginning of a text: servers that have it there write the killer's name
// after it.
func cutFirstPlace(text *tables.Text, s []byte) (rest []byte, part string) {
	rest = s
	after := bytes.TrimPrefix(s, []byte(inThe))
	for _, p := range text.BodyParts {
		if tail, ok := cutWords(after, p); ok && len(tail) > 0 && len(p) > len(part) {
			rest, part = tail, p
		}
	}
	return rest, part
}

// cutName cuts a name off the beginning of a sentence, and the blank after it.
func cutName(sentence, name []byte) (rest []byte, ok bool) {
	n := len(name)
	if n == 0 || len(sentence) <= n || sentence[n] != ' ' || !sameName(name, sentence[:n]) {
		return nil, false
	}
	return sentence[n+1:], true
}

// among returns the player whom a sentence names.
func among(players [][]byte, said []byte) (name []byte, ok bool) {
	for _, name := range players {
		if len(name) > 0 && sameName(name, said) {
			return name, true
		}
	}
	return nil, false
}

// sameName reports whether a sentence about a death names a player: a blank at the end of a name is a question mark
// there.
//
// Source: SanitizeName, code/fgame/g_utils.cpp of openmohaa.
func sameName(name, said []byte) bool {
	n := len(name) - 1
	return len(name) == len(said) && (bytes.Equal(name, said) ||
		bytes.Equal(name[:n], said[:n]) && name[n] <= ' ' && said[n] == '?')
}
