package oob

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/attacks"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Codes of expert entries about out-of-band packets.
const (
	expertIgnoredBytes = "ignored_bytes"       // bytes that no game reads
	expertRconSplit    = "rcon_password_split" // a quoted password with blanks, which the game splits
	expertUserinfoCut  = "userinfo_cut"        // a userinfo without its closing quote
	// ExpertForeignEngine is a packet of another engine, and the end of a stream that turned out to be of one.
	ExpertForeignEngine = "foreign_engine"
	expertListNotClosed = "list_not_closed" // a server list without its end mark
)

// Dissect adds the object of the packet that was parsed last. t is the record's tree, or nil. Positions are in
// bits of the datagram. Decompressed values have the position of the compressed block.
func (p *Packet) Dissect(t *dissect.Tree, rec *dissect.Record) {
	t.Open(&Field, 0)
	if q := p.Foreign(); q.Engine != NoEngine {
		p.addForeign(t, rec, q)
	} else {
		p.addCommand(t, rec)
	}
	if t.Framed() {
		t.AddBytes(&markerField, p.payload[:markerLen], 0, 8*markerLen)
		t.FrameGaps(&separatorsField, p.payload, markerLen)
	}
	t.Close(8 * len(p.payload))
}

// addCommand adds what a packet of the family says.
func (p *Packet) addCommand(t *dissect.Tree, rec *dissect.Record) {
	p.addSender(t)
	p.addWords(t)
	p.addAttacks(rec)
	if e := p.relative(); e != NoEngine {
		rec.Expert(dissect.Note, ExpertForeignEngine, nil, 0, "of %v, another engine, which took over these queries", e)
	}
	switch p.Kind {
	case Rcon:
		p.addRcon(t, rec)
	case Connect:
		p.addConnect(t, rec)
	case StatusResponse:
		p.addStatus(t, rec)
	case InfoResponse:
		p.addServerInfo(t, rec)
	case GetMotd, Motd, GetUpdateInfo:
		p.addMotd(t)
	case ServersResponse, ServersExtResponse:
		p.addServers(t, rec)
	}
	if end := p.line.End; end < len(p.Data) && p.Data[end] == 0 && !p.compressed() && !p.serverList() {
		p.trailing(t, rec, end+1)
	}
	if rec.Truncated() {
		rec.Expert(dissect.Warning, ExpertTruncatedByCapture, nil, 8*len(p.payload),
			"the capture holds %d of %d bytes", len(p.payload), rec.Length)
	}
}

// addAttacks adds entries about known attacks.
func (p *Packet) addAttacks(rec *dissect.Record) {
	var found []attacks.Found
	switch p.Kind {
	case GetInfo, GetStatus:
		found = attacks.Query(p.Word(0), nil)
	case Connect:
		if p.Strong() { // other engines have words before it
			found = attacks.Userinfo(p.Userinfo, p.Words.Len(), nil)
		}
	case Echo:
		found = []attacks.Found{{
			Code: attacks.ExpertEcho,
			Text: "the client sends these words back: a server can have it speak for itself",
		}}
	}
	for _, f := range found {
		rec.Expert(dissect.Warning, f.Code, nil, 8*p.mark, "%s", f.Text)
	}
}

// bits returns the position of a span in the datagram.
func (p *Packet) bits(s Span) (bit, bits int) {
	if p.compressed() && s.End > p.connectBlock() {
		return 8 * p.connectBlock(), 8 * (len(p.payload) - p.connectBlock())
	}
	return 8 * s.Start, 8 * (s.End - s.Start)
}

// add adds a span as text, bytes or infostring.
func (p *Packet) add(t *dissect.Tree, f *dissect.Field, s Span) {
	bit, bits := p.bits(s)
	t.AddBytes(f, p.Data[s.Start:s.End], bit, bits)
}

// addWords adds command, arguments and text, and the words that have a meaning in this command.
func (p *Packet) addWords(t *dissect.Tree) {
	start, size := p.bits(p.line)
	if p.serverList() {
		p.add(t, &CommandField, p.line)
		t.Open(&ArgumentsField, start+size)
		t.Close(start + size)
		return
	}
	command := Span{p.line.Start, p.line.Start}
	if p.Words.Len() > 0 {
		command = p.Place(p.command)
	}
	p.add(t, &CommandField, command)
	t.Open(&ArgumentsField, 8*command.End)
	for i := 1; i < p.Words.Len(); i++ {
		p.add(t, &argumentField, p.Place(p.Words.At(i)))
	}
	t.Close(start + size)
	if body, ok := p.Body(); ok {
		p.add(t, &Text, body)
	}
	for i, f := range p.meanings() {
		p.addWord(t, f, i)
	}
}

// addWord adds a word under the key for its meaning.
func (p *Packet) addWord(t *dissect.Tree, f *dissect.Field, i int) {
	if f == nil || i+1 >= p.Words.Len() {
		return
	}
	place := p.Place(p.Word(i))
	if f.Kind == dissect.Text {
		p.add(t, f, place)
		return
	}
	if v, ok := token.Atoi(p.Word(i)); ok && token.Decimal(p.Word(i)) {
		bit, bits := p.bits(place)
		t.AddInt(f, int64(v), bit, bits)
	}
}

// addMotd adds the infostring of a request or reply of the message of the day, or of updates.
func (p *Packet) addMotd(t *dissect.Tree) {
	if word := p.Word(0); bytes.IndexByte(word, '\\') >= 0 {
		p.add(t, &infoField, p.Place(word))
	}
}

// upTo returns the part of a span before a byte, or all of it.
func (p *Packet) upTo(s Span, c byte) Span {
	if i := bytes.IndexByte(p.Data[s.Start:s.End], c); i >= 0 {
		s.End = s.Start + i
	}
	return s
}

// malformed adds an expert entry that the bytes from a position on are wrong, and adds these bytes.
func (p *Packet) malformed(t *dissect.Tree, rec *dissect.Record, from int, format string, args ...any) {
	var f *dissect.Field
	if from < len(p.payload) {
		f = &dissect.Undecoded
	}
	rec.Expert(dissect.Fault, ExpertMalformed, f, 8*from, format, args...)
	p.addUndecoded(t, from)
}

// endsEarly is malformed for missing bytes, which a capture that cuts datagrams can explain.
func (p *Packet) endsEarly(t *dissect.Tree, rec *dissect.Record, from int, format string, args ...any) {
	if rec.Truncated() {
		p.addUndecoded(t, from)
		return
	}
	p.malformed(t, rec, from, format, args...)
}

// trailing adds the bytes after the end of the packet, which no game reads.
func (p *Packet) trailing(t *dissect.Tree, rec *dissect.Record, from int) {
	AddIgnored(t, rec, p.payload, from, "packet")
}

// AddIgnored adds the bytes of data from a position on, which come after the end of what a game reads, and a note
// about them.
func AddIgnored(t *dissect.Tree, rec *dissect.Record, data []byte, from int, what string) {
	if from < len(data) {
		rec.Expert(dissect.Note, expertIgnoredBytes, &dissect.Undecoded, 8*from,
			"%d bytes after the end of the %s, which games ignore", len(data)-from, what)
		t.AddBytes(&dissect.Undecoded, data[from:], 8*from, 8*(len(data)-from))
	}
}

// addUndecoded adds the bytes of the datagram from a position on.
func (p *Packet) addUndecoded(t *dissect.Tree, from int) {
	if from < len(p.payload) {
		t.AddBytes(&dissect.Undecoded, p.payload[from:], 8*from, 8*(len(p.payload)-from))
	}
}
