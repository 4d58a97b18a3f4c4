package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
)

// Codes of expert entries about out-of-band packets.
const (
	expertIgnoredBytes  = "ignored_bytes"       // bytes that no game reads
	expertRconSplit     = "rcon_password_split" // a quoted password with blanks, which the game splits
	expertUserinfoCut   = "userinfo_cut"        // a userinfo without its closing quote
	expertListNotClosed = "list_not_closed"     // a server list without its end mark
)

// dissect adds the object of the packet that was parsed last. t may be nil; it is the record's own.
// Positions are in bits of the datagram. What came out of the compressed block has the block's place.
func (p *oobPacket) dissect(t *dissect.Tree, rec *dissect.Record) {
	t.Open(&oobField, 0)
	p.addWords(t)
	switch p.kind {
	case oobRcon:
		p.addRcon(t, rec)
	case oobConnect:
		p.addConnect(t, rec)
	case oobStatusResponse:
		p.addStatus(t, rec)
	case oobInfoResponse:
		p.addServerInfo(t, rec)
	case oobGetMotd, oobMotd:
		p.addMotd(t)
	case oobServersResponse, oobServersExtResponse:
		p.addServers(t, rec)
	}
	if end := p.line.end; end < len(p.data) && p.data[end] == 0 && !p.compressed() && !p.serverList() {
		p.trailing(t, rec, end+1)
	}
	if rec.Truncated() {
		rec.Expert(dissect.Warning, expertTruncatedByCapture, nil, 8*len(p.payload),
			"the capture holds %d of %d bytes", len(p.payload), rec.Length)
	}
	t.Close(8 * len(p.payload))
}

// bits gives the place in the datagram of a stretch of data.
func (p *oobPacket) bits(s span) (bit, bits int) {
	if p.compressed() && s.end > connectBlock {
		return 8 * connectBlock, 8 * (len(p.payload) - connectBlock)
	}
	return 8 * s.start, 8 * (s.end - s.start)
}

// add adds a stretch of data as text, bytes or infostring.
func (p *oobPacket) add(t *dissect.Tree, f *dissect.Field, s span) {
	bit, bits := p.bits(s)
	t.AddBytes(f, p.data[s.start:s.end], bit, bits)
}

// addWords adds command, arguments and text, and the words that have a meaning in this command.
func (p *oobPacket) addWords(t *dissect.Tree) {
	start, size := p.bits(p.line)
	if p.serverList() {
		p.add(t, &oobCommand, p.line)
		t.Open(&oobArguments, start+size)
		t.Close(start + size)
		return
	}
	command := span{p.line.start, p.line.start}
	if p.words.len() > 0 {
		command = p.place(p.command)
	}
	p.add(t, &oobCommand, command)
	t.Open(&oobArguments, 8*command.end)
	for i := 1; i < p.words.len(); i++ {
		p.add(t, &oobArgument, p.place(p.words.at(i)))
	}
	t.Close(start + size)
	if body, ok := p.body(); ok {
		p.add(t, &oobText, body)
	}
	meanings, first := oobCommands[p.kind].words, 0
	if p.kind == oobGetServers && decimal(p.word(0)) {
		first = 1 // Quake III itself asks without the game's name
	}
	for i, f := range meanings[min(first, len(meanings)):] {
		p.addWord(t, f, i)
	}
}

// addWord adds a word under the key that says what it means.
func (p *oobPacket) addWord(t *dissect.Tree, f *dissect.Field, i int) {
	if f == nil || i+1 >= p.words.len() {
		return
	}
	place := p.place(p.word(i))
	if f.Kind == dissect.Text {
		p.add(t, f, place)
		return
	}
	if v, ok := atoi(p.word(i)); ok && decimal(p.word(i)) {
		bit, bits := p.bits(place)
		t.AddInt(f, int64(v), bit, bits)
	}
}

// addRcon adds the console command. The game takes the password for a word, which may be quoted, but
// finds the command behind the first blanks that follow the password's beginning.
func (p *oobPacket) addRcon(t *dissect.Tree, rec *dissect.Record) {
	if p.words.len() < 2 {
		return
	}
	command := p.rconCommand()
	if command.start < command.end {
		p.add(t, &oobRconCommand, command)
	}
	if command.start < p.place(p.word(0)).end {
		rec.Expert(dissect.Note, expertRconSplit, &oobRconCommand, 8*command.start,
			"the game splits a quoted password at its blank: the command begins inside the quotes")
	}
}

// rconCommand finds the console command as SVC_RemoteCommand in code/server/sv_main.c does: past four
// characters, blanks, other characters, blanks.
func (p *oobPacket) rconCommand() span {
	line := p.data[:p.line.end]
	i := p.line.start + len("rcon")
	for i < len(line) && line[i] == ' ' {
		i++
	}
	for i < len(line) && line[i] != ' ' {
		i++
	}
	for i < len(line) && line[i] == ' ' {
		i++
	}
	return span{i, len(line)}
}

// addMotd adds the infostring of a question or answer about the message of the day.
func (p *oobPacket) addMotd(t *dissect.Tree) {
	if word := p.word(0); bytes.IndexByte(word, '\\') >= 0 {
		p.add(t, &oobInfo, p.place(word))
	}
}

// upTo gives the part of a stretch before a byte, or all of it.
func (p *oobPacket) upTo(s span, c byte) span {
	if i := bytes.IndexByte(p.data[s.start:s.end], c); i >= 0 {
		s.end = s.start + i
	}
	return s
}

// malformed says that the bytes from a place on are wrong, and keeps them.
func (p *oobPacket) malformed(t *dissect.Tree, rec *dissect.Record, from int, format string, args ...any) {
	var f *dissect.Field
	if from < len(p.payload) {
		f = &dissect.Undecoded
	}
	rec.Expert(dissect.Fault, expertMalformed, f, 8*from, format, args...)
	p.addUndecoded(t, from)
}

// endsEarly is malformed for what a capture that cuts datagrams explains.
func (p *oobPacket) endsEarly(t *dissect.Tree, rec *dissect.Record, from int, format string, args ...any) {
	if rec.Truncated() {
		p.addUndecoded(t, from)
		return
	}
	p.malformed(t, rec, from, format, args...)
}

// trailing keeps the bytes behind the end of the packet that no game reads.
func (p *oobPacket) trailing(t *dissect.Tree, rec *dissect.Record, from int) {
	if from < len(p.payload) {
		rec.Expert(dissect.Note, expertIgnoredBytes, &dissect.Undecoded, 8*from,
			"%d bytes behind the end of the packet, which games ignore", len(p.payload)-from)
		p.addUndecoded(t, from)
	}
}

// addUndecoded keeps the bytes of the datagram from a place on.
func (p *oobPacket) addUndecoded(t *dissect.Tree, from int) {
	if from < len(p.payload) {
		t.AddBytes(&dissect.Undecoded, p.payload[from:], 8*from, 8*(len(p.payload)-from))
	}
}
