package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
)

// Codes of expert entries about damaged bytes.
const (
	expertMalformed          = "malformed"            // the bytes break the format
	expertTruncatedByCapture = "truncated_by_capture" // the capture holds fewer bytes than the wire carried
)

// An out-of-band datagram begins with four bytes FF; what follows is text (CL_ConnectionlessPacket in
// code/client/cl_main.c, SV_ConnectionlessPacket in code/server/sv_main.c).
const oobMarkerLen = 4

// An oobKind is one of the commands that out-of-band packets are known to carry.
type oobKind uint8

const (
	oobUnknown oobKind = iota // a word nobody knows, or no word at all
	oobGetInfo
	oobGetStatus
	oobGetChallenge
	oobConnect
	oobRcon
	oobChallengeResponse
	oobConnectResponse
	oobInfoResponse
	oobStatusResponse
	oobPrint
	oobEcho
	oobDisconnect
	oobHeartbeat
	oobGetServers
	oobGetServersExt
	oobServersResponse
	oobServersExtResponse
	oobGetMotd
	oobMotd
	oobGetKeyAuthorize
	oobKeyAuthorize
	oobGetIPAuthorize
	oobIPAuthorize
	oobBanUser
)

// oobCommands describes the known commands by their kind: the word, who says it, and what its
// words mean (nil: nothing with a key of its own). A server counts as the client of the master and
// authorize servers.
//
// Sources: cl_main.c, sv_main.c, sv_client.c, sv_ccmds.c of ioquake3, 1.32 and Quake3e.
var oobCommands = [...]struct {
	name  string
	from  dissect.Direction
	words oobWords
}{
	oobUnknown:            {},
	oobGetInfo:            {name: "getinfo", from: dissect.ClientToServer, words: oobWords{&oobChallenge}},
	oobGetStatus:          {name: "getstatus", from: dissect.ClientToServer, words: oobWords{&oobChallenge}},
	oobGetChallenge:       {name: "getchallenge", from: dissect.ClientToServer, words: oobWords{&oobClientChallenge, &oobGameName}},
	oobConnect:            {name: "connect", from: dissect.ClientToServer},
	oobRcon:               {name: "rcon", from: dissect.ClientToServer, words: oobWords{&oobPassword}},
	oobChallengeResponse:  {name: "challengeResponse", from: dissect.ServerToClient, words: oobWords{&oobChallenge, &oobClientChallenge, &oobProtocol}},
	oobConnectResponse:    {name: "connectResponse", from: dissect.ServerToClient, words: oobWords{&oobChallenge, &oobProtocol}},
	oobInfoResponse:       {name: "infoResponse", from: dissect.ServerToClient},
	oobStatusResponse:     {name: "statusResponse", from: dissect.ServerToClient},
	oobPrint:              {name: "print", from: dissect.ServerToClient},
	oobEcho:               {name: "echo", from: dissect.ServerToClient},
	oobDisconnect:         {name: "disconnect"}, // both sides say it
	oobHeartbeat:          {name: "heartbeat", from: dissect.ClientToServer},
	oobGetServers:         {name: "getservers", from: dissect.ClientToServer, words: oobWords{&oobGameName, &oobProtocol}},
	oobGetServersExt:      {name: "getserversExt", from: dissect.ClientToServer, words: oobWords{&oobGameName, &oobProtocol}},
	oobServersResponse:    {name: "getserversResponse", from: dissect.ServerToClient},
	oobServersExtResponse: {name: "getserversExtResponse", from: dissect.ServerToClient},
	oobGetMotd:            {name: "getmotd", from: dissect.ClientToServer},
	oobMotd:               {name: "motd", from: dissect.ServerToClient},
	oobGetKeyAuthorize:    {name: "getKeyAuthorize", from: dissect.ClientToServer, words: oobWords{nil, &oobKey}},
	oobKeyAuthorize:       {name: "keyAuthorize", from: dissect.ServerToClient},
	oobGetIPAuthorize:     {name: "getIpAuthorize", from: dissect.ClientToServer, words: oobWords{&oobChallenge, nil, &oobGameName}},
	oobIPAuthorize:        {name: "ipAuthorize", from: dissect.ServerToClient, words: oobWords{&oobChallenge}},
	oobBanUser:            {name: "banUser", from: dissect.ClientToServer},
}

// oobWords are what the words of a command mean, in their order.
type oobWords []*dissect.Field

// A span is a stretch of bytes.
type span struct{ start, end int }

// An oobPacket is an out-of-band packet taken apart: what routing and decoding need to know of it,
// without a tree. The value is reused; its slices alias the payload or scratch memory of the packet and
// are valid until the next parse.
type oobPacket struct {
	command      []byte            // the first word as sent; empty in an empty packet
	kind         oobKind           // compared without regard to case
	direction    dissect.Direction // what the command says about who sends it
	challenge    int32             // the server's challenge, from challengeResponse, connectResponse or connect
	hasChallenge bool              //
	protocol     int               // of the stream to come, from challengeResponse, connectResponse or connect; 0: not told
	qport        uint16            // from connect
	hasQport     bool              //
	userinfo     []byte            // connect: the infostring, as far as it can be trusted

	payload  []byte       // the datagram
	data     []byte       // the same, decompressed where it was compressed
	line     span         // the command line, in data
	words    words        // of the command line
	block    connectState // how the compressed part of connect came out
	inflated []byte       // scratch memory: a decompressed datagram
	scratch  []byte       // scratch memory: the text of an address
}

// parse takes a datagram apart. Its first four bytes are FF. Every input has a result; what is wrong
// with it is said by dissect.
func (p *oobPacket) parse(payload []byte) {
	*p = oobPacket{payload: payload, data: payload, words: p.words, inflated: p.inflated, scratch: p.scratch}
	p.words.reset()
	if p.parseServerList() {
		return
	}
	p.splitLine()
	p.kind = oobKindOf(p.command)
	if p.kind == oobConnect {
		p.inflateConnect()
	}
	p.direction = oobCommands[p.kind].from
	switch p.kind {
	case oobChallengeResponse:
		p.challenge, p.hasChallenge = atoi(p.word(0))
		p.protocol = positive(p.word(2))
	case oobConnectResponse:
		p.challenge, p.hasChallenge = atoi(p.word(0))
		p.protocol = positive(p.word(1))
	case oobConnect:
		p.readUserinfo()
	}
}

// parseServerList recognises the answers of master servers, which are binary from the end of the word
// on. They are compared by prefix, as nothing separates the word from the data (cl_main.c).
func (p *oobPacket) parseServerList() bool {
	rest := p.data[min(oobMarkerLen, len(p.data)):]
	for _, kind := range [...]oobKind{oobServersResponse, oobServersExtResponse} {
		name := oobCommands[kind].name
		if len(rest) >= len(name) && equalFold(rest[:len(name)], name) {
			p.command = rest[:len(name)]
			p.kind, p.direction = kind, dissect.ServerToClient
			p.line = span{oobMarkerLen, oobMarkerLen + len(name)}
			return true
		}
	}
	return false
}

// splitLine finds the command line, its first word and the words behind. The line ends at a line feed,
// a NUL or the end of the data.
func (p *oobPacket) splitLine() {
	start := min(oobMarkerLen, len(p.data))
	p.line = span{start, len(p.data)}
	if i := bytes.IndexAny(p.data[start:], "\n\x00"); i >= 0 {
		p.line.end = start + i
	}
	p.words.split(p.data[start:p.line.end])
	p.command = p.words.at(0)
}

// word gives a word behind the command, counted from 0; nil when there are fewer.
func (p *oobPacket) word(i int) []byte { return p.words.at(i + 1) }

// place finds a word in data. It relies on words keeping the capacity of the data that they alias.
func (p *oobPacket) place(word []byte) span {
	start := cap(p.data) - cap(word)
	return span{start, start + len(word)}
}

// body gives what follows the line feed that ends the command line; ok is false without one.
func (p *oobPacket) body() (body span, ok bool) {
	if p.serverList() || p.line.end >= len(p.data) || p.data[p.line.end] != '\n' {
		return span{}, false
	}
	return span{p.line.end + 1, len(p.data)}, true
}

// serverList reports whether the packet is a master server's binary answer.
func (p *oobPacket) serverList() bool {
	return p.kind == oobServersResponse || p.kind == oobServersExtResponse
}

// oobKindOf gives the kind of a command word.
func oobKindOf(word []byte) oobKind {
	for kind := range oobCommands {
		if kind > 0 && equalFold(word, oobCommands[kind].name) {
			return oobKind(kind)
		}
	}
	return oobUnknown
}

// isOOB reports whether a datagram is out of band.
func isOOB(payload []byte) bool {
	return len(payload) >= oobMarkerLen && bytes.Equal(payload[:oobMarkerLen], []byte{0xff, 0xff, 0xff, 0xff})
}
