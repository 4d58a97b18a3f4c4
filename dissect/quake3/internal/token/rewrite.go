package token

import (
	"bytes"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// personalKeys are the keys of infostrings whose values identify a person: userinfo (CL_Init in
// code/client/cl_main.c), players' configstrings (ClientUserinfoChanged in code/game/g_client.c), and those that Quake3e,
// OpenArena and PunkBuster add.
var personalKeys = map[string]dissect.Personal{
	"name": dissect.PersonName, "n": dissect.PersonName,
	"cl_guid": dissect.PersonGUID, "guid": dissect.PersonGUID, "pbguid": dissect.PersonGUID, "steamid": dissect.PersonGUID, "steam": dissect.PersonGUID,
}

// secretKeys are the keys of infostrings whose values are passwords or CD keys. password is the game's (ClientConnect in
// code/game/g_client.c); servers do not publish the others, but people type them into userinfo
// and serverinfo (setu, sets).
var secretKeys = [...]string{
	"password", "rconpassword", "rcon_password", "sv_rconpassword", "sv_privatepassword", "g_password", "cl_cdkey", "cdkey",
}

// secretCommands are the words whose arguments contain a password.
var secretCommands = [...]string{"rcon", "rconpassword", "password", "login", "getkeyauthorize"}

// KeyPersonal returns what the value of an infostring's key identifies. The case of the key is ignored.
func KeyPersonal(key []byte) dissect.Personal {
	if IsSecretKey(key) {
		return dissect.PersonSecret
	}
	return personalKeys[string(bytes.ToLower(key))]
}

// IsSecretKey reports whether the value of a key of an infostring is a password or CD key.
func IsSecretKey(key []byte) bool { return isOneOf(key, secretKeys[:]) }

// IsSecretCommand reports whether a word takes a password.
func IsSecretCommand(word []byte) bool { return isOneOf(word, secretCommands[:]) }

// isOneOf reports whether a word is in a list of lower-case words, ignoring its case.
func isOneOf(word []byte, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return len(w) == len(word) && bytes.EqualFold(word, []byte(w)) })
}

// AppendRewrittenCommand appends a command with replaced texts. The first word and the separators stay; every
// word after one that takes a password is cut, since the end of an unquoted password is unknown.
func AppendRewrittenCommand(dst, text []byte, with dissect.Rewriting) []byte {
	end := 0
	for end < len(text) && text[end] > ' ' {
		end++
	}
	dst = append(dst, text[:end]...)
	if !IsSecretCommand(text[:end]) {
		return AppendRewritten(dst, text[end:], with)
	}
	for rest := text[end:]; len(rest) > 0; {
		n := 0
		for n < len(rest) && rest[n] > ' ' && rest[n] != '"' {
			n++
		}
		if n > 0 {
			dst, rest = with.AppendPersonal(dst, dissect.PersonSecret, rest[:n]), rest[n:]
			continue
		}
		dst, rest = append(dst, rest[0]), rest[1:]
	}
	return dst
}

// quoteOrLine are the characters that end an infostring within a text: no infostring contains them.
const quoteOrLine = "\"\n"

// AppendRewritten appends a text with replaced parts: a quoted part, or a line, may be an infostring, with a
// backslash before its first key or, in a player's configstring, without.
func AppendRewritten(dst, text []byte, with dissect.Rewriting) []byte {
	for len(text) > 0 {
		end := bytes.IndexAny(text, quoteOrLine)
		if end < 0 {
			end = len(text)
		}
		if part := text[:end]; bytes.IndexByte(part, '\\') >= 0 {
			dst = appendRewrittenInfo(dst, part, with)
		} else {
			dst = with.AppendText(dst, part)
		}
		if end < len(text) {
			dst = append(dst, text[end])
			end++
		}
		text = text[end:]
	}
	return dst
}

// beforeInfo returns the words before an infostring in a text, and the first key if no backslash precedes it: a
// print of a server has words before the infostring ("ClientUserinfoChanged: 0 n\name\t\0", G_Printf in code/game/g_client.c).
func beforeInfo(text []byte) (words, key []byte) {
	first, _, _ := bytes.Cut(text, []byte{'\\'})
	at := bytes.LastIndexAny(first, " \n\t") + 1
	if key := first[at:]; at == 0 && plainKey(key) || KeyPersonal(key) != dissect.NotPersonal {
		return first[:at], key
	}
	return first, nil
}

// appendRewrittenInfo appends an infostring with replaced values.
func appendRewrittenInfo(dst, text []byte, with dissect.Rewriting) []byte {
	words, key := beforeInfo(text)
	dst = with.AppendText(dst, words)
	text = text[len(words):]
	isKey := len(key) > 0 // else a backslash, or the end
	personal := dissect.NotPersonal
	for {
		part, rest, more := bytes.Cut(text, []byte{'\\'})
		switch {
		case isKey && plainKey(part):
			dst = append(dst, part...)
			personal = KeyPersonal(part)
		case personal != dissect.NotPersonal:
			dst = with.AppendPersonal(dst, personal, part)
			personal = dissect.NotPersonal
		default:
			dst = with.AppendText(dst, part)
		}
		if !more {
			return dst
		}
		isKey = !isKey
		dst, text = append(dst, '\\'), rest
	}
}

// plainKey reports whether a word looks like a key of an infostring: letters, digits and underscores, like all
// cvars and the keys of game modules. It stays even if a player has that name.
func plainKey(word []byte) bool {
	for _, c := range word {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return len(word) > 0
}

// Personals calls found for each value in the infostrings of a text that identifies a person.
func Personals(text []byte, found func(p dissect.Personal, value []byte)) {
	for part := range bytes.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(quoteOrLine, r) }) {
		words, key := beforeInfo(part)
		isKey := len(key) > 0
		for piece := range bytes.SplitSeq(part[len(words):], []byte{'\\'}) {
			if isKey {
				key = piece
			} else if p := KeyPersonal(key); p != dissect.NotPersonal && len(piece) > 0 {
				found(p, piece)
			}
			isKey = !isKey
		}
	}
}

// StatusNames calls found for each name in the table that the console command status prints: the column under "name" of a
// line that begins with "num score" or "cl score", after a line of dashes.
//
// SV_Status_f in code/server/sv_ccmds.c.
func StatusNames(text []byte, found func(name []byte)) {
	column := -1
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n\x00")
		switch {
		case bytes.Contains(line, []byte(" score ")) && bytes.Contains(line, []byte(" name ")):
			column = bytes.Index(line, []byte(" name ")) + 1
		case column < 0 || bytes.HasPrefix(line, []byte("--")):
		case len(line) <= column:
			column = -1
		default:
			if name := statusName(line[column:]); len(name) > 0 {
				found(name)
			}
		}
	}
}

// statusName returns the name that a cell begins with. Blanks and a colour code end it, and its own blanks are single ones.
func statusName(cell []byte) []byte {
	for _, end := range []string{"  ", " ^7"} {
		cell, _, _ = bytes.Cut(cell, []byte(end))
	}
	return bytes.TrimSuffix(cell, []byte("^7"))
}
