package anonymize

import (
	"crypto/rand"

	"github.com/q3dissect/q3dissect/dissect"
)

// Remove selects what a copy lacks that is otherwise as it was.
type Remove struct {
	Chat  bool // the words of what players say: asterisks are in their place
	Names bool // names of players and clans, wherever they occur; each copy has others in their place
}

// NewRemoving returns a collection of names for SealRemoving. What replaces them depends on nothing else.
func NewRemoving() *Identities {
	var key Key
	_, _ = rand.Read(key[:]) // it never fails
	return New(key)
}

// SealRemoving returns a Replacer that removes no more than what is selected. Data of unknown meaning, which may have
// it, too, become zeros.
func (ids *Identities) SealRemoving(what Remove) *Replacer {
	for word, kind := range ids.words {
		if kind != dissect.PersonName {
			delete(ids.words, word)
		}
	}
	r := ids.Seal(Keep{Chat: !what.Chat, Files: true})
	for word := range r.words {
		if !what.Names {
			r.words[word] = []byte(word)
		}
	}
	r.only = &what
	return r
}

// appendSpeaker appends chat with asterisks in place of its words, but for the name of the speaker and what is around
// it, where a game has them in the text: "(Sarge): hi".
func (r *Replacer) appendSpeaker(dst, text []byte) []byte {
	from := visible(text, 0)
	for from < len(text) && !isAlnum(text[from]) && r.texts.longest(text[from:]) == 0 {
		from = visible(text, from+1)
	}
	to := min(from, len(text))
	if to += r.texts.longest(text[to:]); to > from {
		end := visible(text, to)
		for end < len(text) && (text[end] == ')' || text[end] == ']' || text[end] == 0x19) {
			end = visible(text, end+1)
		}
		if end < len(text) && text[end] == ':' {
			return appendAsterisks(r.replaceNames(dst, text[:end], false, appendGap), text[end:])
		}
	}
	return appendAsterisks(dst, text)
}

// appendOnly appends a text with its names replaced.
func (r *Replacer) appendOnly(dst, text []byte, whole bool) []byte {
	return r.replaceNames(dst, text, whole, appendGap)
}

// replaceNames appends a text with what was learnt replaced, and what is between as gap appends it.
func (r *Replacer) replaceNames(dst, text []byte, whole bool, gap func(dst, gap []byte) []byte) []byte {
	done := 0
	for i := 0; i < len(text); {
		n := r.texts.longest(text[i:])
		if n == 0 || whole && !isWhole(text, i, i+n) {
			i++
			continue
		}
		dst = append(gap(dst, text[done:i]), r.words[string(text[i:i+n])]...)
		i += n
		done = i
	}
	return gap(dst, text[done:])
}

// appendOnlyPersonal appends a text that identifies a person as a whole: a name has another one in its place.
func (r *Replacer) appendOnlyPersonal(dst []byte, p dissect.Personal, text []byte) []byte {
	switch {
	case p == dissect.PersonName && r.only.Names:
		return r.appendName(dst, p, text)
	case p == dissect.PersonGUID || p == dissect.PersonSecret:
		return append(dst, text...)
	}
	return r.appendOnly(dst, text, false)
}
