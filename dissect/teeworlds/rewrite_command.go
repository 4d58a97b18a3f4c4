package teeworlds

import (
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
