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
