package tables

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// The words that take a password, or a code that identifies a player: src/engine/shared/config_variables.h of each
// game, DDNet's src/engine/server/authmanager.cpp and src/game/server/ddracechat.cpp. The code of /timeout takes over a
// player's place, and mods have accounts.
var (
	rconSecrets = []string{
		"password", "sv_rcon_password", "sv_rcon_mod_password", "sv_rcon_helper_password", "rcon_auth",
		"login", "ec_password", "auth_add", "auth_change", "auth_add_p", "auth_change_p", "add_sqlserver",
		"sv_reserved_slots_pass", "sv_dnsbl_key", "sv_register_extra", "sv_register_community_token",
	}
	chatSecrets = []string{"/timeout", "/login", "/register", "/changepassword"}
)

// rconNames are the words that take a name or an address, of the server, of what it asks, or of a player.
var rconNames = []string{
	"sv_name", "sv_hostname", "sv_region_name", "sv_sql_servername", "sv_register_url", "sv_dnsbl_host",
	"sv_conn_logging_server", "bindaddr", "ec_bindaddr", "sv_sql_bindaddr", "auth_remove",
	"player_name", "player_clan", "dummy_name", "dummy_clan",
}

// levelWords may be between such a word and the password.
var levelWords = []string{"admin", "mod", "moderator", "helper"}

// SecretWords returns the words after which the text of a field is secret, or nil if the field is not a command.
func SecretWords(f *dissect.Field) []string {
	switch f {
	case RconCommand():
		return rconSecrets
	case Say():
		return chatSecrets
	}
	return nil
}

// ArgumentsOf returns what the arguments of a command that ran, or the value of a setting, identify.
func ArgumentsOf(command []byte) dissect.Personal {
	switch {
	case IsSecretCommand(command):
		return dissect.PersonSecret
	case isOneOf(command, rconNames):
		return dissect.PersonUnknown
	}
	return dissect.NotPersonal
}

// EachName calls found with the position of each name or address in a command of the remote console: what follows a
// word that takes one, up to a semicolon that is not in quotes.
func EachName(command []byte, found func(from, to int)) {
	for at := 0; at < len(command); {
		n := wordAt(command[at:])
		if n == 0 {
			at++
			continue
		}
		word := command[at : at+n]
		if at += n; !isOneOf(word, rconNames) {
			continue
		}
		for at < len(command) && (command[at] == ' ' || command[at] == '\t') {
			at++
		}
		from, quoted := at, false
		for at < len(command) && (quoted || command[at] != ';') {
			quoted = quoted != (command[at] == '"')
			at++
		}
		if at > from {
			found(from, at)
		}
	}
}

// wordAt returns the length of the word that a text begins with.
func wordAt(text []byte) int {
	if n := bytes.IndexAny(text, " \t;\"'"); n >= 0 {
		return n
	}
	return len(text)
}

// IsSecretCommand reports whether the arguments of a command that ran are secrets. Those of the chat have no slash.
func IsSecretCommand(command []byte) bool {
	return isOneOf(command, rconSecrets) || slices.ContainsFunc(chatSecrets, func(w string) bool {
		return bytes.EqualFold(command, []byte(w[1:]))
	})
}

// EachSecret calls found with the position of each secret word: those after a word that takes a secret, up to a
// semicolon.
func EachSecret(command []byte, after []string, found func(from, to int)) {
	secret := false
	for at := 0; at < len(command); {
		n := wordAt(command[at:])
		if n == 0 {
			secret = secret && command[at] != ';'
			at++
			continue
		}
		word := command[at : at+n]
		if secret && !isOneOf(word, levelWords) {
			found(at, at+n)
		}
		secret = secret || isOneOf(word, after)
		at += n
	}
}

// AppendMasked appends a command with a mask for each secret word.
func AppendMasked(dst, command []byte, after []string) []byte {
	done := 0
	EachSecret(command, after, func(from, to int) {
		dst = append(append(dst, command[done:from]...), dissect.SecretMask...)
		done = to
	})
	return append(dst, command[done:]...)
}

func isOneOf(word []byte, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.EqualFold(word, []byte(w)) })
}

// IsProbe reports whether a command of the remote console is the one with which DDNet's clients report their version
// when they join. Nobody typed it: CClient::OnEnterGame in DDNet's src/engine/client/client.cpp.
func IsProbe(command []byte) bool {
	word, version, _ := bytes.Cut(command, []byte(" "))
	return string(word) == "crashmeplx" && len(bytes.Trim(version, "0123456789.")) == 0
}
