package oob

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// A Foreign is a query of an engine outside the family, or the answer to one.
type Foreign struct {
	Engine    Engine // NoEngine: the packet is none
	Name      string // of the query, as its documentation has it
	Direction dissect.Direction
	Alone     bool // the packet alone proves it; another counts where such a one came before
}

// queryEnd is the size of a query with a challenge: the mark, a letter, four bytes.
const queryEnd = markerLen + 1 + 4

// foreignInfo is the first query that programs send to servers of Half-Life and Source.
const foreignInfo = "TSource Engine Query\x00"

// Foreign returns what the packet is in the words of Half-Life and Source, whose queries are a letter.
//
// Source: https://developer.valvesoftware.com/wiki/Server_queries
func (p *Packet) Foreign() Foreign {
	if len(p.payload) <= markerLen {
		return Foreign{}
	}
	rest := p.payload[markerLen:]
	switch rest[0] {
	case 'T':
		if n := len(rest) - len(foreignInfo); (n == 0 || n == 4) && string(rest[:len(foreignInfo)]) == foreignInfo {
			return Foreign{Source, "A2S_INFO", dissect.ClientToServer, true}
		}
	case 'U', 'V':
		if len(p.payload) == queryEnd {
			return Foreign{Source, letters[rest[0]], dissect.ClientToServer, bytes.Equal(rest[1:], p.payload[:markerLen])}
		}
	case 'W':
		if len(rest) == 1 {
			return Foreign{Source, letters['W'], dissect.ClientToServer, false}
		}
	case 'A':
		if len(p.payload) == queryEnd {
			return Foreign{Source, letters['A'], dissect.ServerToClient, false}
		}
	case 'I', 'm':
		if f := (foreignFacts{rest: rest[1:]}); f.read(rest[0]) {
			return Foreign{f.engine, letters[rest[0]], dissect.ServerToClient, true}
		}
	case 'D', 'E':
		if len(rest) > 2 && (rest[0] == 'D' || rest[len(rest)-1] == 0) || rest[0] == 'D' && len(rest) == 2 {
			return Foreign{Source, letters[rest[0]], dissect.ServerToClient, false}
		}
	}
	return Foreign{}
}

// letters are the names of the queries, by the first byte of query and answer.
var letters = [128]string{
	'U': "A2S_PLAYER", 'V': "A2S_RULES", 'W': "A2S_SERVERQUERY_GETCHALLENGE", 'A': "S2C_CHALLENGE", 'I': "A2S_INFO",
	'm': "A2S_INFO", 'D': "A2S_PLAYER", 'E': "A2S_RULES",
}

// foreignName returns the name of the query that a command begins, or "".
func foreignName(command []byte) string {
	switch {
	case string(command) == "TSource":
		return "A2S_INFO"
	case len(command) == 1 && command[0] < 128:
		return letters[command[0]]
	}
	return ""
}

// A foreignFacts reads the answer of a server of Half-Life or Source to A2S_INFO.
type foreignFacts struct {
	rest   []byte
	failed bool
	pairs  []dissect.Pair
	keep   bool // pairs are wanted
	engine Engine

	onSteam bool // the folder is tables.SteamFolder, which no game of Source has
}

func (f *foreignFacts) byte() byte {
	if len(f.rest) == 0 {
		f.failed = true
		return 0
	}
	b := f.rest[0]
	f.rest = f.rest[1:]
	return b
}

func (f *foreignFacts) text(key string) {
	text, rest, ok := bytes.Cut(f.rest, []byte{0})
	if !ok || token.IndexControl(text) >= 0 {
		f.failed = true
		return
	}
	f.rest = rest
	f.onSteam = f.onSteam || key == "folder" && string(text) == tables.SteamFolder
	f.pair(key, text)
}

func (f *foreignFacts) number(key string) byte {
	n := f.byte()
	if f.keep {
		f.pair(key, strconv.AppendUint(nil, uint64(n), 10))
	}
	return n
}

func (f *foreignFacts) pair(key string, value []byte) {
	if f.keep {
		f.pairs = append(f.pairs, dissect.Pair{Key: []byte(key), Value: value})
	}
}

// Numbers of the protocol in answers: 48 and less is Half-Life's.
const (
	leastHalfLife = 40
	lastHalfLife  = 48
)

// read reads an answer to A2S_INFO, of Source ('I') or as Half-Life had it at first ('m').
func (f *foreignFacts) read(letter byte) bool {
	f.engine = HalfLife
	if letter == 'm' {
		f.text("address")
	} else if n := f.number("protocol"); n < leastHalfLife || n > lastHalfLife {
		f.engine = Source
	}
	for _, key := range [...]string{"name", "map", "folder", "game"} {
		f.text(key)
	}
	if letter == 'I' {
		f.byte() // number of the application
		f.byte()
	}
	if f.onSteam {
		f.engine = OnSteam
	}
	f.number("players")
	f.number("max_players")
	if letter == 'm' {
		f.number("protocol")
	} else {
		f.number("bots")
	}
	kind, system := f.byte()|0x20, f.byte()|0x20
	return !f.failed && bytes.IndexByte([]byte("dlp"), kind) >= 0 && bytes.IndexByte([]byte("lwmo"), system) >= 0 &&
		f.byte() <= 1 && !f.failed
}

// ForeignFacts returns the query that a datagram of another engine is, and appends the facts in a server's answer.
func ForeignFacts(payload []byte, dst []dissect.Pair) (Foreign, []dissect.Pair) {
	p := Packet{payload: payload}
	q := p.Foreign()
	if q.Engine == NoEngine || payload[markerLen] != 'I' && payload[markerLen] != 'm' {
		return q, dst
	}
	f := foreignFacts{rest: payload[markerLen+1:], keep: true, pairs: dst}
	f.read(payload[markerLen])
	return q, f.pairs
}

// addForeign adds a query of another engine: its letter or first word. What follows is not read.
func (p *Packet) addForeign(t *dissect.Tree, rec *dissect.Record, q Foreign) {
	command := Span{markerLen, markerLen + 1}
	if p.payload[markerLen] == 'T' {
		command.End = markerLen + len("TSource")
	}
	p.add(t, &CommandField, command)
	t.Open(&ArgumentsField, 8*command.End)
	t.Close(8 * command.End)
	what := "a query"
	if q.Direction == dissect.ServerToClient {
		what = "an answer"
	}
	if q.Engine == OnSteam {
		rec.Expert(dissect.Note, ExpertForeignEngine, nil, 0, "an answer of a %v server to a query of Steam: %s", q.Engine,
			q.Name)
	} else {
		rec.Expert(dissect.Note, ExpertForeignEngine, nil, 0, "%s of %v, another engine: %s", what, q.Engine, q.Name)
	}
	p.addUndecoded(t, command.End)
}

// relatives are games whose engines took over the family's queries, by the name that they give themselves: in the
// server's information, in getservers and in heartbeats.
//
// Sources: GetInfoOutOfBand.h of citizenfx/fivem; NetConn_BuildStatusResponse in netconn.c of DarkPlaces; getservers in
// cl_serverlist.c of qfusion.
var relatives = []struct {
	name   string
	engine Engine
}{
	{"CitizenFX", FiveM}, {"Xonotic", Xonotic}, {"Nexuiz", Xonotic}, {"Warfork", Warfork}, {"Warsow", Warfork},
}

// relative is Relative of the packet.
func (p *Packet) relative() Engine {
	if p.Kind == InfoResponse || p.Kind == StatusResponse {
		return Relative(p.Kind, p.ServerInfo(), nil)
	}
	return Relative(p.Kind, nil, p.Word(0))
}

// Relative returns the engine that took over the family's queries and whose packet this is, if the packet names it: in
// an infostring, or in the first word of a query for servers.
func Relative(kind Kind, info, word []byte) Engine {
	name := word
	switch kind {
	case InfoResponse, StatusResponse:
		name = dissect.InfoValue(info, "gamename")
	case GetServers, GetServersExt:
	default:
		return NoEngine
	}
	for _, r := range relatives {
		if token.EqualFold(name, r.name) {
			return r.engine
		}
	}
	return NoEngine
}
