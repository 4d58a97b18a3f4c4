package token

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/readerwords"
)

// personalKeys are the keys of infostrings whose values identify a person: userinfo (CL_Init in
// code/client/cl_main.c), players' configstrings (ClientUserinfoChanged in code/game/g_client.c), and those that
// Quake3e, OpenArena and PunkBuster add.
var personalKeys = map[string]dissect.Personal{
	"name": dissect.PersonName, "n": dissect.PersonName,
	"qkey": dissect.PersonGUID, "steam": dissect.PersonGUID,
}

// isIdentityKey reports whether the value of a key in lower case is an identifier: cl_guid, etguid, ja_guid, pbguid,
// steamid, steamid64.
func isIdentityKey(key []byte) bool {
	return bytes.HasSuffix(key, []byte("guid")) || bytes.HasPrefix(key, []byte("steamid"))
}

// secretKeys are keys whose values are secret, besides those that end like a password: CD keys, what the client of
// Enemy Territory's mods logs in with, and the address of a network card.
var secretKeys = [...]string{"cl_cdkey", "cdkey", "authl", "nxmac"}

// secretEnds are the ends of keys and cvars with passwords: g_password, rconPassword, masterpassword,
// sv_privatePassword, refpass.
var secretEnds = [...]string{"password", "passwd", "pass"}

// plainEnds are ends of other keys: g_needpass is whether there is a password.
var plainEnds = [...]string{"needpass", "compass", "bypass"}

// secretCommands are the words whose arguments contain a password, besides those that end like one: sclogin and
// shoutcaster are those of Enemy Territory's mods, amlogin is one of Jedi Academy's.
var secretCommands = [...]string{
	"rcon", "rconrecovery", "login", "amlogin", "sclogin",
	"shoutcaster", "getkeyauthorize", "authorizethis",
}

// chatCommands are the words that chat follows: those of clients, then those of servers.
var chatCommands = [...]string{
	"say", "say_team", "say_teamnl", "say_buddy", "say_limbo", "say_fireteam", "tell", "vsay", "vsay_team", "vsay_buddy",
	"vtell", "vosay", "vosay_team", "votell", "vtaunt", "m", "mt", "msg", "priv", "pm", "msay", "amsay", "amtell",
	"ampsay", "enc_say", "enc_say_team", "messagemode", "ma", "chat", "tchat", "lchat", "ltchat", "mchat", "bchat",
	"dchat", "enc_chat", "enc_tchat", sayTo,
}

// KeyPersonal returns what the value of an infostring's key identifies. The case of the key is ignored.
func KeyPersonal(key []byte) dissect.Personal {
	var memory [longestWord]byte
	lower := lowered(&memory, key)
	switch {
	case IsSecretKey(key):
		return dissect.PersonSecret
	case isIdentityKey(lower):
		return dissect.PersonGUID
	}
	return personalKeys[string(lower)]
}

// longestWord is how many letters lowered has memory for.
const longestWord = 64

// lowered returns bytes.ToLower of a word, in memory if it is short and has letters of ASCII alone.
func lowered(memory *[longestWord]byte, word []byte) []byte {
	if len(word) > len(memory) {
		return bytes.ToLower(word)
	}
	for i, c := range word {
		if c >= 0x80 {
			return bytes.ToLower(word)
		}
		memory[i] = Lower(c)
	}
	return memory[:len(word)]
}

// valuePersonal returns what a value identifies: by its key, or by its form.
func valuePersonal(key, value []byte) dissect.Personal {
	if p := KeyPersonal(key); p != dissect.NotPersonal || !isIdentifier(value) {
		return p
	}
	return dissect.PersonGUID
}

// Lengths of identifiers: an MD5 sum in hexadecimal digits, and a number of Steam's in decimal ones.
const (
	hexIdentifier     = 32
	decimalIdentifier = 17
)

// isIdentifier reports whether a value has the form of an identifier.
func isIdentifier(value []byte) bool {
	decimal := true
	for _, c := range value {
		if c < '0' || c > '9' {
			decimal = false
			if c = Lower(c); c < 'a' || c > 'f' {
				return false
			}
		}
	}
	return len(value) == hexIdentifier || decimal && len(value) == decimalIdentifier
}

// IsSecretKey reports whether the value of a key of an infostring, or of a cvar, is a password or CD key.
func IsSecretKey(key []byte) bool {
	return endsLikePassword(key) || isOneOf(key, secretKeys[:])
}

// IsSecretCommand reports whether a word takes a password.
func IsSecretCommand(word []byte) bool {
	return endsLikePassword(word) || isOneOf(word, secretCommands[:])
}

// isChatCommand reports whether chat follows a word.
func isChatCommand(word []byte) bool { return isOneOf(word, chatCommands[:]) }

// IsTextCommand reports whether a word is followed by text that is no command line: chat, or what a server prints.
func IsTextCommand(word []byte) bool {
	return isChatCommand(word) || isOneOf(word, []string{"print", "cp", "cpm", "bp", "pcp"})
}

func endsLikePassword(word []byte) bool {
	hasEnd := func(end string) bool {
		return len(word) >= len(end) && EqualFold(word[len(word)-len(end):], end)
	}
	return slices.ContainsFunc(secretEnds[:], hasEnd) && !slices.ContainsFunc(plainEnds[:], hasEnd)
}

// isOneOf reports whether a word is in a list of lower-case words, ignoring its case.
func isOneOf(word []byte, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return EqualFold(word, w) })
}

// assetKeys are the keys whose values name maps, mods and versions of programs.
var assetKeys = [...]string{
	"mapname", "map", "mapconfig", "gamename", "com_gamename", "fs_game", "game", "version", "gameversion", "etversion",
	"mod_version", "shortversion", "net_version",
}

// harmlessKey returns harmlessKeys, made when they are first asked for.
var harmlessKey = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, k := range strings.Fields(harmlessKeys) {
		m[k] = true
	}
	return m
})

// textKeys are keys whose values are free text about the server or its owner, or a clan: they are replaced as a whole.
var textKeys = [...]string{
	"sv_hostname", "hostname", "sv_owner", "sv_location", "location", "sv_contact", "mod_url", "sv_dlurl", "nick", "xcn",
	"nb", "gt_0", "gt_1", "gt_2",
}

// isKnownKey reports whether a word is a key of an infostring that is known.
func isKnownKey(word []byte) bool {
	return KeyPersonal(word) != dissect.NotPersonal || isHarmlessKey(word) || isOneOf(word, textKeys[:])
}

func isHarmlessKey(key []byte) bool {
	var memory [longestWord]byte
	return harmlessKey()[string(lowered(&memory, key))] || isOneOf(key, assetKeys[:])
}

// isReadKey reports whether a reader of events asks for the value of a key. Free text is none, whoever reads it.
func isReadKey(key []byte) bool {
	var memory [longestWord]byte
	return readerwords.Has(lowered(&memory, key)) && !isOneOf(key, textKeys[:])
}

// readBeginning returns the length of the beginning of a key that a reader of events compares with, up to its
// underscore: of the keys of OSP's lists of players.
func readBeginning(key []byte) int {
	n := bytes.IndexByte(key, '_') + 1
	if !plainKey(key) || !isReadKey(key[:n]) {
		return 0
	}
	return n
}

// isNumeric reports whether a value consists of numbers: signs, points and the blanks, commas and colons between them,
// and the letter that C puts after some.
func isNumeric(value []byte) bool { return len(bytes.Trim(value, "0123456789 .,:+*/f-")) == 0 }

// isAsset reports whether a value can be the name of a map or mod, or a version.
func isAsset(value []byte) bool {
	for _, c := range value {
		if (c < '0' || c > '9') && (Lower(c) < 'a' || Lower(c) > 'z') && !bytes.ContainsRune([]byte(" ._:/()+,-"), rune(c)) {
			return false
		}
	}
	for word := range bytes.FieldsSeq(value) {
		if isHost(word) {
			return false
		}
	}
	return true
}

// fileSuffixes are what the names of files of these games end in, and versions: letters alone, as domains end in.
var fileSuffixes = [...]string{"bsp", "map", "qvm", "exe", "dll", "so", "cfg", "arena", "git", "svn", "dirty"}

// isHost reports whether a word can be the name of a host: a letter in the part before the last dot, and letters alone
// after it.
func isHost(word []byte) bool {
	dot := bytes.LastIndexByte(word, '.')
	if dot < 0 {
		return false
	}
	isLetter := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
	end := bytes.TrimRightFunc(word[dot+1:], func(r rune) bool { return !isLetter(r) })
	return len(end) > 1 && !bytes.ContainsFunc(end, func(r rune) bool { return !isLetter(r) }) &&
		bytes.ContainsFunc(word[:dot], isLetter) && !isOneOf(end, fileSuffixes[:])
}
