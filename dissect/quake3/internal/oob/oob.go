// Package oob reads out-of-band packets: the command line, its words and infostrings, and the data of each
// known command. A Packet is parsed once; routing and sessions use the result, and Dissect adds it to a tree.
package oob

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Codes of expert entries about damaged bytes.
const (
	ExpertMalformed          = "malformed"            // the bytes break the format
	ExpertTruncatedByCapture = "truncated_by_capture" // the capture holds fewer bytes than the wire carried
)

// An out-of-band datagram begins with four bytes FF, followed by text (CL_ConnectionlessPacket in
// code/client/cl_main.c, SV_ConnectionlessPacket in code/server/sv_main.c).
const markerLen = 4

// A Kind is one of the commands that out-of-band packets are known to carry.
type Kind uint8

// The kinds. Each is a command's word, see commands.
const (
	Unknown Kind = iota // an unknown word, or no word at all
	GetInfo
	GetStatus
	GetChallenge
	Connect
	Rcon
	ChallengeResponse
	ConnectResponse
	InfoResponse
	StatusResponse
	Print
	Echo
	Disconnect
	Heartbeat
	GetServers
	GetServersExt
	ServersResponse
	ServersExtResponse
	GetMotd
	Motd
	GetKeyAuthorize
	KeyAuthorize
	GetIPAuthorize
	IPAuthorize
	BanUser
	GetUpdateInfo
	UpdateResponse
	JK2MV
	GetKey
	AuthorizeThis
)

// commands describes the known commands by their kind: the word, the side that sends it, and the meanings of
// its words (nil: none has a key of its own). A server counts as the client of the master and authorize
// servers.
//
// Sources: cl_main.c, sv_main.c, sv_client.c, sv_ccmds.c of ioquake3, 1.32 and Quake3e; the same of iortcw and ET:
// Legacy for updates; jk2mv's cl_main.cpp for jk2mfport; openmohaa's cl_main.cpp and sv_client.c for getKey.
var commands = [...]struct {
	name  string
	from  dissect.Direction
	words meanings
}{
	Unknown:   {},
	GetInfo:   {name: "getinfo", from: dissect.ClientToServer, words: meanings{&challengeField}},
	GetStatus: {name: "getstatus", from: dissect.ClientToServer, words: meanings{&challengeField}},
	GetChallenge: {
		name: "getchallenge", from: dissect.ClientToServer,
		words: meanings{&clientChallengeField, &gameNameField},
	},
	Connect: {name: "connect", from: dissect.ClientToServer},
	Rcon:    {name: "rcon", from: dissect.ClientToServer, words: meanings{&passwordField}},
	ChallengeResponse: {
		name: "challengeResponse", from: dissect.ServerToClient,
		words: meanings{&challengeField, &clientChallengeField, &protocolField},
	},
	ConnectResponse: {
		name: "connectResponse", from: dissect.ServerToClient,
		words: meanings{&challengeField, &protocolField},
	},
	InfoResponse:   {name: "infoResponse", from: dissect.ServerToClient},
	StatusResponse: {name: "statusResponse", from: dissect.ServerToClient},
	Print:          {name: "print", from: dissect.ServerToClient},
	Echo:           {name: "echo", from: dissect.ServerToClient},
	Disconnect:     {name: "disconnect"}, // sent by both sides
	Heartbeat:      {name: "heartbeat", from: dissect.ClientToServer},
	GetServers: {
		name: "getservers", from: dissect.ClientToServer,
		words: meanings{&gameNameField, &protocolField},
	},
	GetServersExt: {
		name: "getserversExt", from: dissect.ClientToServer,
		words: meanings{&gameNameField, &protocolField},
	},
	ServersResponse:    {name: "getserversResponse", from: dissect.ServerToClient},
	ServersExtResponse: {name: "getserversExtResponse", from: dissect.ServerToClient},
	GetMotd:            {name: "getmotd", from: dissect.ClientToServer},
	Motd:               {name: "motd", from: dissect.ServerToClient},
	GetKeyAuthorize:    {name: "getKeyAuthorize", from: dissect.ClientToServer, words: meanings{nil, &keyField}},
	KeyAuthorize:       {name: "keyAuthorize", from: dissect.ServerToClient},
	GetIPAuthorize: {
		name: "getIpAuthorize", from: dissect.ClientToServer,
		words: meanings{&challengeField, nil, &gameNameField},
	},
	IPAuthorize:    {name: "ipAuthorize", from: dissect.ServerToClient, words: meanings{&challengeField}},
	BanUser:        {name: "banUser", from: dissect.ClientToServer},
	GetUpdateInfo:  {name: "getUpdateInfo", from: dissect.ClientToServer},
	UpdateResponse: {name: "updateResponse", from: dissect.ServerToClient},
	JK2MV:          {name: "jk2mfport", from: dissect.ClientToServer},
	GetKey:         {name: "getKey", from: dissect.ServerToClient, words: meanings{&keyChallengeField}},
	AuthorizeThis:  {name: "authorizeThis", from: dissect.ClientToServer, words: meanings{&keyResponseField}},
}

// wolfChallengeWords are those of a challengeResponse with four words, SV_GetChallenge in MP/code/server/sv_client.c of
// iortcw.
var wolfChallengeWords = meanings{&challengeField, &onlyVisibleField, &clientChallengeField, &protocolField}

// meanings returns what the words of the packet mean.
func (p *Packet) meanings() meanings {
	words := commands[p.Kind].words
	switch {
	case p.Kind == GetServers && token.Decimal(p.Word(0)):
		return words[1:] // Quake III itself asks without the game's name
	case p.Kind == ChallengeResponse && p.Words.Len()-1 == len(wolfChallengeWords):
		return wolfChallengeWords
	}
	return words
}

// meanings are the fields of a command's words, in their order.
type meanings []*dissect.Field

// A Span is a range of bytes.
type Span struct{ Start, End int }

// A Packet is a parsed out-of-band packet: what routing and decoding need of it, without a tree. The value is
// reused; its slices alias the payload or scratch memory of the packet and are valid until the next Parse.
type Packet struct {
	command      []byte            // the first word as sent; empty in an empty packet
	Kind         Kind              // compared without regard to case
	Direction    dissect.Direction // of the command
	Challenge    int32             // the server's challenge, from challengeResponse, connectResponse or connect
	HasChallenge bool              //
	// of the session that follows, from challengeResponse, connectResponse or connect; 0: not known
	Protocol int
	Qport    uint16 // from connect
	HasQport bool   //
	// Sided means that a byte for the direction precedes the text, as in one game alone.
	Sided bool

	Userinfo []byte // connect: the infostring, as far as it is reliable

	PasswordEnds bool // rcon: the end of the password is known; set by Passwords.Follow

	payload  []byte       // the datagram
	mark     int          // bytes before the text
	Data     []byte       // the datagram, decompressed if it was compressed
	line     Span         // the command line, in Data
	Words    token.Words  // of the command line
	block    connectState // state of the compressed part of connect
	inflated []byte       // scratch memory: a decompressed datagram
	scratch  []byte       // scratch memory: the text of an address

	uninflated token.Words // scratch memory: of a connect that cannot be decompressed
}

// Parse parses a datagram. Its first four bytes are FF. Every input has a result; Dissect reports what is wrong
// with it.
func (p *Packet) Parse(payload []byte) {
	*p = Packet{
		payload: payload, Data: payload, Words: p.Words, inflated: p.inflated, scratch: p.scratch,
		uninflated: p.uninflated,
	}
	p.Words.Reset()
	p.findText()
	if p.parseServerList() {
		return
	}
	p.splitLine()
	if p.Kind = kindOf(p.command); p.Kind >= GetKey && !p.Sided {
		p.Kind = Unknown
	}
	if p.Kind == Connect {
		p.inflateConnect()
	}
	if p.Direction = commands[p.Kind].from; p.Sided {
		p.Direction = sides[p.payload[markerLen]]
	}
	switch p.Kind {
	case ChallengeResponse:
		p.Challenge, p.HasChallenge = token.Atoi(p.Word(0))
		p.Protocol = token.Positive(p.Word(slices.Index(p.meanings(), &protocolField)))
	case ConnectResponse:
		p.Challenge, p.HasChallenge = token.Atoi(p.Word(0))
		p.Protocol = token.Positive(p.Word(1))
	case Connect:
		p.readUserinfo()
	}
}

// parseServerList recognises the answers of master servers, which are binary from the end of the word on. They
// are compared by prefix, since nothing separates the word from the data (cl_main.c).
func (p *Packet) parseServerList() bool {
	rest := p.Data[min(p.mark, len(p.Data)):]
	for _, kind := range [...]Kind{ServersResponse, ServersExtResponse} {
		name := commands[kind].name
		if len(rest) >= len(name) && token.EqualFold(rest[:len(name)], name) {
			p.command = rest[:len(name)]
			p.Kind, p.Direction = kind, dissect.ServerToClient
			p.line = Span{p.mark, p.mark + len(name)}
			return true
		}
	}
	return false
}

// splitLine finds the command line, its first word and the words after it. The line ends at a line feed,
// a NUL or the end of the data.
func (p *Packet) splitLine() {
	start := min(p.mark, len(p.Data))
	p.line = Span{start, len(p.Data)}
	if i := bytes.IndexAny(p.Data[start:], "\n\x00"); i >= 0 {
		p.line.End = start + i
	}
	p.Words.Split(p.Data[start:p.line.End])
	p.command = p.Words.At(0)
}

// Word returns a word after the command, counted from 0; nil when there are fewer.
func (p *Packet) Word(i int) []byte { return p.Words.At(i + 1) }

// Place returns the span of a word in Data. It relies on words keeping the capacity of the data that they
// alias.
func (p *Packet) Place(word []byte) Span {
	start := cap(p.Data) - cap(word)
	return Span{start, start + len(word)}
}

// Body returns the part after the line feed that ends the command line; ok is false without one.
func (p *Packet) Body() (body Span, ok bool) {
	if p.serverList() || p.line.End >= len(p.Data) || p.Data[p.line.End] != '\n' {
		return Span{}, false
	}
	return Span{p.line.End + 1, len(p.Data)}, true
}

// serverList reports whether the packet is a master server's binary answer.
func (p *Packet) serverList() bool {
	return p.Kind == ServersResponse || p.Kind == ServersExtResponse
}

// kindOf returns the kind of a command word.
func kindOf(word []byte) Kind {
	for kind := range commands {
		if kind > 0 && token.EqualFold(word, commands[kind].name) {
			return Kind(kind)
		}
	}
	return Unknown
}

// HasMarker reports whether a datagram is out of band.
func HasMarker(payload []byte) bool {
	return len(payload) >= markerLen && binary.LittleEndian.Uint32(payload) == math.MaxUint32
}
