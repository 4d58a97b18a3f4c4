package recover

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// maxStudied is the number of texts that are learned from a session's commands.
const maxStudied = 256

// study learns from a command how others of the session may begin: a player's name is in the userinfo, in the
// player's configstring and before all of the player's chat.
func (s *Session) study(text []byte) {
	if len(s.studied) >= maxStudied {
		return
	}
	lines := [][]byte{text}
	name := between(text, `\name\`, `\"`)
	if name == nil && bytes.HasPrefix(text, []byte("cs 5")) {
		if name = between(text, `n\`, `\"`); name != nil {
			lines = append(lines, slices.Concat([]byte(`userinfo "\name\`), name, []byte(`\`)))
		}
	}
	if name != nil {
		lines = append(lines, slices.Concat([]byte(`chat "`), name, []byte("^7\x19: ^2")), slices.Concat([]byte(`print "`), name, []byte("^7 ")))
	}
	for _, line := range lines {
		s.studied = append(s.studied, line)
		for _, lex := range s.lexicons {
			if lex != nil {
				lex.learn(line)
			}
		}
	}
}

// makeLexicon makes the lexicon of a corpus, if there is none.
func (s *Session) makeLexicon(corpus tables.Corpus) {
	if s.lexicons[corpus] != nil {
		return
	}
	lex := newLexicon(readCorpus().of(corpus))
	for _, line := range s.studied {
		lex.learn(line)
	}
	s.lexicons[corpus] = lex
}

// between returns the text between a mark and the next of some characters.
func between(text []byte, mark, end string) []byte {
	i := bytes.Index(text, []byte(mark))
	if i < 0 {
		return nil
	}
	rest := text[i+len(mark):]
	if j := bytes.IndexAny(rest, end); j > 0 {
		return rest[:j]
	}
	return nil
}
