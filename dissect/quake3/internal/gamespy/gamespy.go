// Package gamespy reads the queries of GameSpy's server browsers, which servers of Medal of Honor answer on a port of
// their own: a word between backslashes, and keys and values as the answer.
//
// Source: code/gamespy/sv_gamespy.c of openmohaa, and the queries that it registers. No traffic was at hand.
package gamespy

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

const source = "code/gamespy/sv_gamespy.c of openmohaa"

// Fields of a query or an answer.
var (
	Field = dissect.Field{
		Key: "gamespy", Kind: dissect.Object, Scope: dissect.Datagram, Source: source,
		Doc:      "a query of GameSpy's server browsers, or a part of the answer (Medal of Honor)",
		Children: []*dissect.Field{&QueryField, &argumentField, &InfoField, &queryIDField, &finalField, &dissect.Undecoded},
		Frame:    []*dissect.Field{&separatorsField},
	}
	separatorsField = dissect.Field{
		Key: "separators", Kind: dissect.List, Framing: dissect.Apart, Source: source,
		Doc:      "the backslashes before and after the query",
		Children: []*dissect.Field{{Kind: dissect.Hex, Framing: dissect.Apart}},
	}
	QueryField = dissect.Field{
		Key: "query", Kind: dissect.Text, Source: source,
		Doc: "what is asked for: basic, info, rules, players, status, echo, secure",
	}
	argumentField = dissect.Field{
		Key: "argument", Kind: dissect.Text, Source: source, Doc: "the text after the query; absent if there is none",
	}
	InfoField = dissect.Field{
		Key: "info", Kind: dissect.Info, Source: source,
		Doc: "the answer: facts about the server, and player_N, frags_N, deaths_N, ping_N of each player",
	}
	queryIDField = dissect.Field{
		Key: "query_id", Name: "queryid", Kind: dissect.Text, Source: source,
		Doc: "number of the answer and of the part: 12.1 is the first part of answer 12",
	}
	finalField = dissect.Field{
		Key: "final", Kind: dissect.Bool, Source: source, Doc: "true: the last part of the answer; absent otherwise",
	}
)

// queries are the words that servers answer.
var queries = [...]string{"basic", "info", "rules", "players", "status", "echo", "secure"}

// idKey precedes the number of an answer, which every part has.
var idKey = []byte(`\queryid\`)

// Direction returns the direction of a datagram, and whether it is GameSpy's: a query word, or an answer with its
// number.
func Direction(payload []byte) (dissect.Direction, bool) {
	if len(payload) < 3 || payload[0] != '\\' || bytes.IndexFunc(payload, isControl) >= 0 {
		return dissect.Undecidable, false
	}
	if bytes.Contains(payload, idKey) {
		return dissect.ServerToClient, true
	}
	word, _, ok := bytes.Cut(payload[1:], []byte{'\\'})
	return dissect.ClientToServer, ok && slices.Contains(queries[:], string(word))
}

// Family reports whether an answer is that of a server of Medal of Honor: by the game's name, which the answers to
// basic and status have, or by a setting that only this game has, which the answer to info has.
func Family(payload []byte) bool {
	return bytes.Contains(payload, idKey) &&
		(bytes.Contains(payload, []byte(`\gamename\mohaa`)) || bytes.Contains(payload, []byte(`\allowlean\`)))
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f }

// Dissect adds the object of a datagram for which Direction returned true.
func Dissect(t *dissect.Tree, payload []byte) {
	bits := 8 * len(payload)
	t.Open(&Field, 0)
	if id, ok := cutAfter(payload, idKey); ok {
		t.AddBytes(&InfoField, payload, 0, bits)
		t.AddBytes(&queryIDField, id, 0, 0)
		if _, final := cutAfter(payload, []byte(`\final\`)); final {
			t.AddBool(&finalField, true, 0, 0)
		}
		t.Close(bits)
		return
	}
	word, argument, _ := bytes.Cut(payload[1:], []byte{'\\'})
	t.AddBytes(&QueryField, word, 8, 8*len(word))
	if len(argument) > 0 {
		t.AddBytes(&argumentField, argument, bits-8*len(argument), 8*len(argument))
	}
	if t.Framed() {
		t.FrameGaps(&separatorsField, payload, 0)
	}
	t.Close(bits)
}

// cutAfter returns the value after a key, up to the next backslash.
func cutAfter(payload, key []byte) ([]byte, bool) {
	_, value, ok := bytes.Cut(payload, key)
	value, _, _ = bytes.Cut(value, []byte{'\\'})
	return value, ok
}

// AppendInfo appends the list's text about a datagram: the query, or the server's map and name. node is its object.
func AppendInfo(dst []byte, t *dissect.Tree, node int, text func(dst, text []byte) []byte) []byte {
	if n := t.Child(node, &QueryField); n >= 0 {
		return append(append(dst, "gamespy "...), t.Bytes(&t.Nodes[n])...)
	}
	dst = append(dst, "gamespy answer"...)
	if n := t.Child(node, &InfoField); n >= 0 {
		for _, key := range [...]string{"mapname", "hostname"} {
			if value := dissect.InfoValue(t.Bytes(&t.Nodes[n]), key); len(value) > 0 {
				dst = text(append(dst, ' '), value)
			}
		}
	}
	return dst
}
