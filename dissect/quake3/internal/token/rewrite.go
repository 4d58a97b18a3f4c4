package token

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
)

// AppendRewrittenCommand appends a command with replaced texts. A known first word and the separators stay; every
// word after one that takes a password is cut, since the end of an unquoted password is unknown.
func AppendRewrittenCommand(dst, text []byte, with dissect.Rewriting) []byte {
	var w Words
	w.Split(text)
	name := w.At(0)
	if name == nil {
		return AppendRewritten(dst, text, with)
	}
	end := cap(text) - cap(name) + len(name)
	switch rest := text[end:]; {
	case IsSecretCommand(name):
		keep := len(rest) - asksStatus(&w, rest)
		return append(appendCutWords(append(dst, text[:end]...), rest[:keep], with), rest[keep:]...)
	case EqualFold(name, sayTo):
		dst = append(dst, text[:end]...)
		to := 0
		if w.Len() > 1 {
			to = cap(rest) - cap(w.At(1)) + len(w.At(1))
		}
		return with.AppendChat(with.AppendText(dst, rest[:to]), rest[to:])
	case isVoice(&w):
		return AppendRewritten(append(dst, text[:end]...), rest, with)
	case isChatCommand(name):
		return with.AppendChat(append(dst, text[:end]...), rest)
	case printedChat(rest) > 0 && EqualFold(name, "print"):
		dst = append(dst, text[:end]...)
		head := printedChat(rest)
		return with.AppendChat(with.AppendText(dst, rest[:head]), rest[head:])
	case IsTextCommand(name):
		return AppendRewritten(append(dst, text[:end]...), rest, with)
	case isCommand(name):
		return appendArguments(append(dst, text[:end]...), rest, &w, with)
	}
	return appendArguments(AppendRewritten(dst, text[:end], with), text[end:], &w, with)
}

// asksStatus returns the length of the end of a console command that asks for the table of players after a password of
// one word, or 0: what the server prints next is read as that table.
func asksStatus(w *Words, rest []byte) int {
	const words, status = 3, " status"
	command := bytes.TrimRight(rest, " \n\x00")
	if w.Len() != words || !EqualFold(w.At(0), "rcon") || !bytes.HasSuffix(command, []byte(status)) {
		return 0
	}
	return len(rest) - len(command) + len(status)
}

// sayTo is the client's command of Medal of Honor with which everything is said: 0 is to all, -1 to the team, other
// numbers are players. Source: Player::EventDMMessage, code/fgame/player.cpp of openmohaa.
const sayTo = "dmmessage"

// chatMark begins what Medal of Honor's server prints of chat. Source: HUD_MESSAGE_CHAT_WHITE, code/qcommon/q_shared.h
// of openmohaa.
const chatMark = 2

// echoMark begins what it prints to who said something to one player alone, whose number follows. Source:
// Player::EventDMMessage, code/fgame/player.cpp of openmohaa.
const echoMark = "Message to player "

// printedChat returns how much of what is printed precedes the name and the words of chat: the mark, and a channel in
// brackets or the name of the server's console, or all of an echo. It is 0 if no chat is printed.
func printedChat(rest []byte) int {
	text := bytes.TrimLeft(rest, " \"")
	if len(text) == 0 || text[0] != chatMark {
		return 0
	}
	text = text[1:]
	if bytes.HasPrefix(text, []byte(echoMark)) {
		return len(rest)
	}
	if end := bytes.IndexByte(text, ')'); end > 0 && text[0] == '(' {
		text = text[end:]
	} else if console := []byte("console:"); bytes.HasPrefix(text, console) {
		text = text[len(console):]
	}
	return len(rest) - len(text)
}

// isVoice reports whether a command is a server's voice message to one player, which has the number of a sound's group,
// two numbers of players and the name of the sound, and no word that anybody wrote. G_VoiceTo in code/game/g_cmds.c.
func isVoice(w *Words) bool {
	const arguments = 4
	if w.Len() != 1+arguments || !EqualFold(w.At(0), "vtell") {
		return false
	}
	for i := 1; i < arguments; i++ {
		if _, ok := Atoi(w.At(i)); !ok {
			return false
		}
	}
	return true
}

// appendArguments appends what follows the first word of a command: once a word is the name of a secret cvar,
// everything after it is cut.
func appendArguments(dst, rest []byte, w *Words, with dissect.Rewriting) []byte {
	for i := 1; i < w.Len(); i++ {
		word := w.At(i)
		if IsSecretKey(word) && i+1 < w.Len() {
			end := cap(rest) - cap(word) + len(word)
			return appendCutWords(AppendRewritten(dst, rest[:end], with), rest[end:], with)
		}
	}
	return AppendRewritten(dst, rest, with)
}

// appendCutWords appends a text with all but blanks and quotes cut.
func appendCutWords(dst, text []byte, with dissect.Rewriting) []byte {
	for len(text) > 0 {
		n := 0
		for n < len(text) && text[n] > ' ' && text[n] != '"' {
			n++
		}
		if n > 0 {
			dst, text = with.AppendPersonal(dst, dissect.PersonSecret, text[:n]), text[n:]
			continue
		}
		dst, text = append(dst, text[0]), text[1:]
	}
	return dst
}

// isCommand reports whether a word is a command whose name stays, even if a player is called like it: what is read of
// the rest depends on it.
func isCommand(word []byte) bool {
	return isOneOf(word, []string{
		"cs", "bcs0", "bcs1", "bcs2", "scores", "tinfo", "userinfo", "disconnect", "map_restart", "team", "vote",
		"callvote", "callteamvote", "download", "nextdl", "stopdl", "donedl", "follow", "kill", "score", "challengeresponse",
		"connectresponse", "getchallenge", "getinfo", "getstatus", "inforesponse", "statusresponse", "connect", "heartbeat",
		"getservers", "getserversext", "ipauthorize", "motd", "getmotd", "echo", "printdeathmsg", "voteresult",
	})
}

// quoteOrLine are the characters that end an infostring within a text: no infostring contains them.
const quoteOrLine = "\"\n"

// AppendRewritten appends a text with replaced parts: a quoted part, or a line, may be an infostring, with a
// backslash before its first key or, in a player's configstring, without. The rest of a line that contains the value
// of a secret cvar is cut.
func AppendRewritten(dst, text []byte, with dissect.Rewriting) []byte {
	for line := range bytes.SplitAfterSeq(text, []byte{'\n'}) {
		end := len(line)
		if spans := AppendAnswers(nil, line); len(spans) > 0 {
			end = spans[0].From
		}
		dst = appendCutWords(appendLine(dst, line[:end], with), line[end:], with)
	}
	return dst
}

// appendLine appends a line with replaced parts.
func appendLine(dst, line []byte, with dissect.Rewriting) []byte {
	for len(line) > 0 {
		end := bytes.IndexAny(line, quoteOrLine)
		if end < 0 {
			end = len(line)
		}
		if part := line[:end]; bytes.IndexByte(part, '\\') >= 0 {
			dst = appendRewrittenInfo(dst, part, with)
		} else {
			dst = with.AppendText(dst, part)
		}
		if end < len(line) {
			dst = append(dst, line[end])
			end++
		}
		line = line[end:]
	}
	return dst
}

// A piece is a part of an infostring between backslashes.
type piece struct {
	key   []byte // nil for a key
	value []byte
	isKey bool
}

// eachPiece calls found for the words before an infostring and for its pieces, a key and its value by turns. Which
// pieces are keys depends on how many known ones are at even and at odd places: a part of a long configstring can begin
// anywhere.
func eachPiece(text []byte, found func(p piece)) {
	words, rest := beforeInfo(text)
	if len(words) > 0 {
		found(piece{value: words})
	}
	var known [2]int
	i := 0
	for part := range bytes.SplitSeq(rest, []byte{'\\'}) {
		if isKnownKey(part) {
			known[i&1]++
		}
		i++
	}
	keys := 1 // a backslash precedes the first key
	if first, _, _ := bytes.Cut(rest, []byte{'\\'}); known[0] > known[1] || known[0] == known[1] && len(first) > 0 &&
		len(words) == 0 && plainKey(first) {
		keys = 0
	}
	var before []byte
	i = 0
	for part := range bytes.SplitSeq(rest, []byte{'\\'}) {
		p := piece{value: part, isKey: i&1 == keys}
		if !p.isKey || IsSecretKey(before) && !isKnownKey(part) {
			p.key, p.isKey = before, false
		}
		found(p)
		before = part
		i++
	}
}

// beforeInfo returns the words before an infostring in a text, and the rest, which begins with a backslash or with the
// first key: a print of a server has words before the infostring ("ClientUserinfoChanged: 0 n\name\t\0", G_Printf in
// code/game/g_client.c).
func beforeInfo(text []byte) (words, info []byte) {
	first, _, _ := bytes.Cut(text, []byte{'\\'})
	at := bytes.LastIndexAny(first, " \n\t") + 1
	if at > 0 && isKnownKey(first[at:]) {
		return first[:at], text[at:]
	}
	return nil, text
}

// appendRewrittenInfo appends an infostring with replaced values, and with unknown keys replaced.
func appendRewrittenInfo(dst, text []byte, with dissect.Rewriting) []byte {
	words, _ := beforeInfo(text)
	inWords, first := len(words) > 0, true
	eachPiece(text, func(p piece) {
		if inWords {
			dst = with.AppendText(dst, p.value)
			inWords = false
			return
		}
		if !first {
			dst = append(dst, '\\')
		}
		first = false
		switch {
		case p.isKey && plainKey(p.value) && (isKnownKey(p.value) || isReadKey(p.value)):
			dst = append(dst, p.value...)
		case p.isKey && readBeginning(p.value) > 0:
			n := readBeginning(p.value)
			dst = with.AppendText(append(dst, p.value[:n]...), p.value[n:])
		case p.isKey:
			dst = with.AppendPersonal(dst, dissect.PersonUnknown, p.value)
		default:
			dst = appendValue(dst, p.key, p.value, with)
		}
	})
	return dst
}

// appendValue appends the value of a key of an infostring: as it is, apart from names in it, if it is harmless.
func appendValue(dst, key, value []byte, with dissect.Rewriting) []byte {
	switch p := valuePersonal(key, value); {
	case len(value) == 0:
		return dst
	case p != dissect.NotPersonal:
		return with.AppendPersonal(dst, p, value)
	case isOneOf(key, assetKeys[:]) && isAsset(value), isNumeric(value) && (isHarmlessKey(key) || isReadKey(key)):
		return with.AppendHarmless(dst, value)
	case isHarmlessKey(key) || isReadKey(key):
		return with.AppendText(dst, value)
	}
	return with.AppendPersonal(dst, dissect.PersonUnknown, value)
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
	for len(text) > 0 {
		part, rest := text, []byte(nil)
		if end := bytes.IndexAny(text, quoteOrLine); end >= 0 {
			part, rest = text[:end], text[end+1:]
		}
		text = rest
		if bytes.IndexByte(part, '\\') < 0 {
			continue // no key, and so no value
		}
		eachPiece(part, func(piece piece) {
			if p := valuePersonal(piece.key, piece.value); !piece.isKey && piece.key != nil && p != dissect.NotPersonal &&
				len(piece.value) > 0 {
				found(p, piece.value)
			}
		})
	}
}

// StatusNames calls found for each name in the table that the console command status prints: the column under "name" of
// a line that begins with "num score" or "cl score", after a line of dashes.
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

// statusName returns the name that a cell begins with. Blanks and a colour code end it, and its own blanks are single
// ones.
func statusName(cell []byte) []byte {
	for _, end := range []string{"  ", " ^7"} {
		cell, _, _ = bytes.Cut(cell, []byte(end))
	}
	return bytes.TrimSuffix(cell, []byte("^7"))
}
