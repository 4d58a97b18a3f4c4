package teeworlds

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// The words that take a password, or a code that stands for a player: src/engine/shared/config_variables.h of each
// game, DDNet's src/engine/server/authmanager.cpp and src/game/server/ddracechat.cpp.
var (
	rconSecrets = []string{
		"password", "sv_rcon_password", "sv_rcon_mod_password", "sv_rcon_helper_password", "rcon_auth",
		"login", "ec_password", "auth_add", "auth_change", "auth_add_p", "auth_change_p",
	}
	chatSecrets = []string{"/timeout"}
)

// authLevels may stand between such a word and the password.
var authLevels = []string{"admin", "mod", "moderator", "helper"}

// commandsOf returns the words after which the text of a field is secret, or nil if the field is
// not a command.
func commandsOf(f *dissect.Field) []string {
	switch f {
	case tables.RconCommand:
		return rconSecrets
	case tables.Say:
		return chatSecrets
	}
	return nil
}

// eachSecret calls found with the position of each secret word: those after a word that takes a
// secret, up to a semicolon.
func eachSecret(command []byte, after []string, found func(from, to int)) {
	secret := false
	for at := 0; at < len(command); {
		n := bytes.IndexAny(command[at:], " \t;\"'")
		if n < 0 {
			n = len(command) - at
		}
		if n == 0 {
			secret = secret && command[at] != ';'
			at++
			continue
		}
		word := command[at : at+n]
		if secret && !isOneOf(word, authLevels) {
			found(at, at+n)
		}
		secret = secret || isOneOf(word, after)
		at += n
	}
}

func isOneOf(word []byte, words []string) bool {
	for _, w := range words {
		if len(w) == len(word) && bytes.EqualFold(word, []byte(w)) {
			return true
		}
	}
	return false
}

// appendCommand appends a command without its secret words, and with its other words as a function appends them.
func (r *rewriter) appendCommand(dst, command []byte, after []string, words func(dst, text []byte) []byte) []byte {
	done := 0
	eachSecret(command, after, func(from, to int) {
		dst = words(dst, command[done:from])
		dst = r.with.AppendPersonal(dst, dissect.PersonSecret, command[from:to])
		done = to
	})
	return words(dst, command[done:])
}
