package oob

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// connectWord is what precedes the compressed part of connect (NET_OutOfBandData in code/qcommon/net_chan.c,
// Huff_Compress in code/qcommon/huffman.c).
const connectWord = "connect "

// connectBlock returns where the compressed part of connect begins, in bytes of the datagram.
func (p *Packet) connectBlock() int { return p.mark + len(connectWord) }

// Plausible sizes of a compressed userinfo in bytes: a shorter one lacks what every client sends, a longer one
// does not fit the engine's strings.
const (
	minUserinfo = 20
	maxUserinfo = 2048
)

// A connectState is the state of the bytes after "connect ".
type connectState uint8

const (
	connectBare    connectState = iota // there are none
	connectPlain                       // text without compression (protocol 43)
	connectWhole                       // decompressed
	connectCut                         // decompressed in part: the block ends too early
	connectGarbled                     // neither text nor a compressed block
)

// inflateConnect decompresses the userinfo. No field marks it as compressed, and protocol 43 sends plain text;
// but a block of plausible size begins with a byte below 9, and text does not.
func (p *Packet) inflateConnect() {
	at := p.connectBlock()
	if len(p.payload) <= at {
		return
	}
	if string(p.payload[p.mark:at]) != connectWord { // the server reads the command in upper case without decompressing
		p.block = connectPlain
		return
	}
	block := p.payload[at:]
	if len(block) >= 2 {
		if n := int(block[0])<<8 | int(block[1]); n >= minUserinfo && n <= maxUserinfo {
			p.inflate(block, n)
			return
		}
	}
	switch text := bytes.TrimRight(block, "\x00\r\n"); {
	case len(text) == 0:
	case token.IndexControl(text) >= 0:
		p.garbled()
	default:
		p.block = connectPlain
	}
}

// garbled leaves the block as it is: it cannot be read.
func (p *Packet) garbled() {
	p.block, p.Data = connectGarbled, p.payload[:p.connectBlock()]
	p.splitLine()
}

// inflate decompresses a block that claims to hold n bytes.
func (p *Packet) inflate(block []byte, n int) {
	at := p.connectBlock()
	p.inflated = append(p.inflated[:0], p.payload[:at]...)
	text, err := huffcodec.DecodeAdaptive(p.inflated, block)
	p.inflated = text
	p.block = connectWhole
	if err != nil || len(text) < at+n {
		p.block = connectCut
	}
	head := text[at:min(len(text), at+minUserinfo)]
	if len(head) == 0 || token.IndexControl(head) >= 0 {
		p.garbled()
		return
	}
	p.Data = text
	p.splitLine()
}

// compressed reports whether the userinfo was sent compressed.
func (p *Packet) compressed() bool { return p.block == connectWhole || p.block == connectCut }

// readUserinfo reads the infostring of connect and the numbers in it.
//
// Newer ioquake3 truncates short blocks that compress badly, and the result ends in garbage. So the infostring
// ends before the first control character, and a last value without a closing quote is ignored.
func (p *Packet) readUserinfo() {
	info := p.Word(0)
	if i := token.IndexControl(info); i >= 0 {
		info = info[:i]
	}
	if bytes.IndexByte(info, '\\') < 0 {
		return
	}
	p.Userinfo = info
	if last := bytes.LastIndexByte(info, '\\'); !p.closed() {
		if bytes.Count(info, []byte{'\\'})&1 != 0 { // half a key, without its value
			if p.Userinfo = info[:last]; last == 0 {
				p.Userinfo = nil
			}
		}
		info = info[:last]
	}
	p.Challenge, p.HasChallenge = token.Atoi(dissect.InfoValue(info, "challenge"))
	p.Protocol = token.Positive(dissect.InfoValue(info, "protocol"))
	if v, ok := token.Atoi(dissect.InfoValue(info, "qport")); ok && v >= 0 && v <= 0xffff {
		p.Qport, p.HasQport = uint16(v), true
	}
}

// closed reports whether the userinfo is complete: a word in two quotes without control characters, or plain
// text without quotes.
func (p *Packet) closed() bool {
	w := p.Place(p.Word(0))
	if p.Data[w.Start-1] != '"' {
		return p.block == connectPlain
	}
	return w.End < p.line.End && token.IndexControl(p.Word(0)) < 0
}

// addConnect adds the userinfo and whether it was compressed.
func (p *Packet) addConnect(t *dissect.Tree, rec *dissect.Record) {
	at := p.connectBlock()
	bit := 8 * at
	switch p.block {
	case connectBare:
		return
	case connectGarbled:
		p.endsEarly(t, rec, at, "neither a compressed userinfo nor text")
		return
	}
	t.AddBool(&compressedField, p.compressed(), bit, 0)
	if p.Userinfo != nil {
		p.add(t, &infoField, p.Place(p.Userinfo))
	}
	if p.block != connectCut && (p.Userinfo == nil || p.closed()) || rec.Truncated() {
		return
	}
	if p.block == connectCut {
		// The sender's own truncation leaves about as many bytes as the text has; with fewer, some are missing.
		claimed := int(p.payload[at])<<8 | int(p.payload[at+1])
		if len(p.payload)-at < claimed {
			p.endsEarly(t, rec, len(p.payload), "the compressed userinfo ends after %d of %d bytes",
				len(p.Data)-at, claimed)
			return
		}
	}
	rec.Expert(dissect.Note, expertUserinfoCut, &infoField, bit,
		"the userinfo lacks its closing quote, as when newer ioquake3 loses the end of a short one in compressing it")
}
