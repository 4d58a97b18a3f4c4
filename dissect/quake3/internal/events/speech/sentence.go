package speech

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A keyword is a string that Jedi Outcast and Academy send by its name, which the client replaces by its own
// language, and the words of Quake III for it.
type keyword struct {
	key, words string
	last       bool // the rest of the line belongs to it: "@@@VOTEPASSED (fraglimit 25)"
}

// keywords are the strings that are looked for.
//
// Source: G_GetStringEdString("MP_SVGAME", ...) in codemp/game of OpenJK; recordings.
var keywords = [...]keyword{
	{key: "PLENTER", words: "entered the game"},
	{key: "DISCONNECTED", words: "disconnected"},
	{key: "WAS_KICKED", words: "was kicked"},
	{key: "PLCALLEDVOTE", words: "called a vote.", last: true},
	{key: "VOTEPASSED", words: "Vote passed.", last: true},
	{key: "VOTEFAILED", words: "Vote failed.", last: true},
	{key: "TEAMVOTEPASSED", words: "Team vote passed.", last: true},
	{key: "TEAMVOTEFAILED", words: "Team vote failed.", last: true},
	{key: "TIMELIMIT_HIT", words: "Timelimit hit"},
	{key: "HIT_THE_KILL_LIMIT", words: "hit the fraglimit"},
	{key: "HIT_CAPTURELIMIT", words: "hit the capturelimit"},
}

// KeywordMark precedes a keyword.
const KeywordMark = "@@@"

// Plain puts a line of the derived games into Quake III's words, where it can.
func Plain(family uint8, line []byte) []byte {
	switch text := &tables.Games[family].Text; {
	case text.Keywords:
		return spellOut(line)
	case text.Marks:
		line = bytes.TrimPrefix(DropMarks(line), []byte(White))
	default:
		for _, s := range text.Sentences {
			if head, ok := bytes.CutSuffix(line, []byte(s.Ends)); ok {
				return append(bytes.Clone(head), s.Common...)
			}
		}
	}
	return line
}

// spellOut replaces the first keyword of a line.
func spellOut(line []byte) []byte {
	at := bytes.Index(line, []byte(KeywordMark))
	if at < 0 {
		return line
	}
	rest := line[at+len(KeywordMark):]
	end := 0
	for end < len(rest) && (rest[end] == '_' || rest[end] >= 'A' && rest[end] <= 'Z') {
		end++
	}
	for _, k := range keywords {
		if string(rest[:end]) != k.key {
			continue
		}
		spelt := append(append([]byte(nil), line[:at]...), k.words...)
		if !k.last {
			spelt = append(spelt, rest[end:]...)
		}
		return spelt
	}
	return line
}

// endings are the ends of the server's sentences about a player, after the name.
//
// Source: ClientBegin in code/game/g_client.c, Cmd_CallVote_f and Cmd_CallTeamVote_f in code/game/g_cmds.c, PrintMsg's
// callers in code/game/g_team.c; SV_DropClient's callers in code/server.
var endings = [...]string{
	"entered the game", "called a vote.", "called a team vote.", "disconnected", "was kicked", "timed out",
	"got the RED flag!", "got the BLUE flag!", "got the flag!", "captured the RED flag!", "captured the BLUE flag!",
	"captured the flag!", "returned the RED flag!", "returned the BLUE flag!",
}

// Subject splits a sentence of the server about a player, whose name is not known otherwise, by how it ends.
func Subject(sentence []byte) (name, rest []byte, ok bool) {
	if bytes.IndexByte(sentence, '\n') >= 0 {
		return nil, nil, false
	}
	for _, end := range endings {
		head, found := bytes.CutSuffix(sentence, []byte(" "+end))
		if !found {
			continue
		}
		head = bytes.TrimSuffix(bytes.TrimSuffix(head, []byte(White)), []byte(White))
		return head, sentence[len(sentence)-len(end):], len(head) > 0
	}
	return nil, nil, false
}

// Marks around names in lines of Wolfenstein: whether the client translates the following text.
//
// Source: CG_LocalizeServerCommand, MP/code/cgame/cg_servercmds.c of iortcw.
var localizeMarks = [][]byte{[]byte("[lof]"), []byte("[lon]")}

// DropMarks removes the marks of Wolfenstein from a line.
func DropMarks(line []byte) []byte {
	for _, mark := range localizeMarks {
		if bytes.Contains(line, mark) {
			line = bytes.ReplaceAll(line, mark, nil)
		}
	}
	return line
}

// DropColour cuts a colour code off the beginning of a text.
func DropColour(text []byte) []byte {
	if len(text) > 1 && text[0] == '^' && text[1] != '^' {
		return text[2:]
	}
	return text
}
