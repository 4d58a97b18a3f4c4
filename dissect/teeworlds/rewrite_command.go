package teeworlds

import (
	"regexp"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// appendCommand appends a command without its secret words, and with its other words as a function appends them.
func (r *rewriter) appendCommand(dst, command []byte, after []string, words func(dst, text []byte) []byte) []byte {
	done := 0
	tables.EachSecret(command, after, func(from, to int) {
		dst = words(dst, command[done:from])
		dst = r.with.AppendPersonal(dst, dissect.PersonSecret, command[from:to])
		done = to
	})
	return words(dst, command[done:])
}

// appendWords appends words of a command of the remote console, with names and addresses replaced whole: one of
// harmless words is a name, too.
func (r *rewriter) appendWords(dst, text []byte) []byte {
	done := 0
	tables.EachName(text, func(from, to int) {
		dst = r.with.AppendText(dst, text[done:from])
		dst = r.with.AppendPersonal(dst, dissect.PersonUnknown, text[from:to])
		done = to
	})
	return r.with.AppendText(dst, text[done:])
}

// said is how a line of the server's log begins that has what a player said: the client and the team, then the name.
//
// CGameContext::SendChat, src/game/server/gamecontext.cpp of each game.
var said = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^']*?(chat|whisper)\]?: -?[0-9]+:-?[0-9]+:`)
})

// appendLine appends a line of the server's log.
func (r *rewriter) appendLine(dst, line []byte) []byte {
	if at := len(said().Find(line)); at > 0 {
		return r.with.AppendChat(r.appendWords(dst, line[:at]), line[at:])
	}
	return r.appendWords(dst, line)
}
