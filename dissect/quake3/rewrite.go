package quake3

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A rewriter rewrites messages of a conversation with other texts (dissect.Rewriting).
type rewriter struct {
	with     dissect.Rewriting
	w        huffcodec.Writer
	out      []byte
	keyed    [2]rewrittenCommand // the command that the last message is keyed with: of the client's, and of the server's
	recent   [8]rewrittenCommand // of those that messages contain
	next     int                 // of recent: the place of the next one
	replaced int                 // texts and data
	leftOut  int                 // bytes after the end of the message
	broken   bool                // the operation that was begun last has a fault
	tight    bool                // configstrings that are no infostrings may take no more bits than before
}

// A rewrittenCommand is the text of a reliable command, and what replaces it. Many messages are keyed with one command.
type rewrittenCommand struct {
	before, text []byte
	kept         token.Kept
	rekey        uint32 // how the hash of the text changes, made of the characters that are kept
}

// set makes k a command, rewritten. Hashes are made of the characters that are kept.
func (k *rewrittenCommand) set(before []byte, kept token.Kept, with dissect.Rewriting) {
	if len(before) > 0 && bytes.Equal(k.before, before) && k.kept == kept {
		return
	}
	k.before = append(k.before[:0], before...)
	k.text, k.kept, k.rekey = k.text[:0], kept, 0
	if len(before) > 0 {
		k.text = token.AppendRewrittenCommand(k.text, before, with)
		k.rekey = token.HashKey(k.before, kept) ^ token.HashKey(k.text, kept)
	}
}

func newRewriter(with dissect.Rewriting) *rewriter {
	if with == nil {
		return nil
	}
	return &rewriter{with: with}
}

// outOfBand rewrites an out-of-band packet.
func (r *rewriter) outOfBand(rec *dissect.Record, p *oob.Packet) {
	if r == nil || rec.Truncated() {
		return
	}
	var leftOut int
	var ok bool
	if r.out, leftOut, ok = p.AppendRewritten(r.out[:0], r.with); ok {
		r.replaced = 0
		if leftOut == 0 {
			r.count(r.out, rec.Payload)
		}
		rec.Rewritten = &dissect.Rewritten{State: dissect.RewriteDone, Payload: r.out, Replaced: r.replaced, LeftOut: leftOut}
	}
}

// fragment records which part of its message a packet is that does not complete it. One that is scrambled has no header
// for a message that is never complete.
func (r *rewriter) fragment(c *conversation, rec *dissect.Record, h *netchan.Header) {
	if r == nil || !h.Fragmented || rec.Truncated() || h.Size > len(rec.Payload)-h.Length {
		return
	}
	rec.Rewritten = &dissect.Rewritten{
		State: dissect.RewritePart, Message: h.Sequence, Start: h.Start / netchan.FragmentSize,
	}
	if c.encoding != netchan.Scrambled {
		rec.Rewritten.Header, rec.Rewritten.Size = h.Length, h.Size
	}
}

// noOp is the number of no operation of any protocol.
const noOp = 0xff

// rewrite rewrites the last message, which was read from c.body. good reports that it has no fault: of others only
// those of recordings are written, up to the operation that has the fault. skip is that of decipherMessage.
func (c *conversation) rewrite(rec *dissect.Record, m *message, skip int32, good bool) {
	r := c.rewriter
	if r == nil {
		return
	}
	if !good && !rec.Recorded() || m.cut > 0 || rec.Truncated() {
		return
	}
	r.broken = !good
	key, ok := r.acknowledged(c, m, skip)
	if !ok || rec.Outline && r.rekeys(m, key) {
		return
	}
	r.body(c, rec.Tree, m, key)
	body := r.w.Data()[:r.w.Pos()>>3]
	if !c.reaches(m, key, skip, max(len(body), len(c.body))) {
		return
	}
	if c.isTooLong(m, len(body)) {
		r.tight = true
		r.body(c, rec.Tree, m, key)
		r.tight = false
		body = r.w.Data()[:r.w.Pos()>>3]
	}
	if m.header.Fragmented {
		r.out = append(r.out[:0], body...)
		for len(r.out) < len(c.body) {
			r.out = append(r.out, 0)
		}
		c.encipher(r.out, m, key.text)
		list := netchan.Fragments(&m.header, c.plain(rec.Payload), r.out, len(c.body))
		for _, packet := range list {
			c.scramble(packet)
		}
		if len(list) == 0 {
			return // it would take another fragment
		}
		r.fragment(c, rec, &m.header)
		rec.Rewritten.Datagrams, rec.Rewritten.Replaced, rec.Rewritten.LeftOut = list, r.replaced, r.leftOut
		return
	}
	head := m.header.Length
	if rec.Recorded() {
		if head = recordHeader; c.isTooLong(m, len(body)) {
			return // the game reads no such message
		}
	}
	r.out = append(append(r.out[:0], rec.Payload[:head]...), body...)
	c.encipher(r.out[head:], m, key.text)
	c.scramble(r.out)
	if rec.Recorded() {
		binary.LittleEndian.PutUint32(r.out[4:], uint32(len(body)))
	}
	rec.Rewritten = &dissect.Rewritten{
		State: dissect.RewriteDone, Payload: r.out, Replaced: r.replaced, LeftOut: r.leftOut,
	}
}

// blank makes zeros of what is enciphered of a message whose key is not known: nothing of it can be replaced, and its
// numbers stay.
func (r *rewriter) blank(c *conversation, rec *dissect.Record, m *message) {
	if r == nil || rec.Rewritten != nil || rec.Recorded() || m.cut > 0 || rec.Truncated() || c.clear >= len(m.body) {
		return
	}
	leftOut := len(m.body) - c.clear
	if m.header.Fragmented {
		r.out = append(append(r.out[:0], m.body[:c.clear]...), make([]byte, leftOut)...)
		if list := netchan.Fragments(&m.header, rec.Payload, r.out, len(m.body)); len(list) > 0 {
			if r.fragment(c, rec, &m.header); rec.Rewritten != nil {
				rec.Rewritten.Datagrams, rec.Rewritten.LeftOut = list, leftOut
			}
		}
		return
	}
	r.out = append(append(r.out[:0], rec.Payload[:m.header.Length+c.clear]...), make([]byte, leftOut)...)
	rec.Rewritten = &dissect.Rewritten{State: dissect.RewriteDone, Payload: r.out, LeftOut: leftOut}
}

// isTooLong reports whether the last message, rewritten in n bytes, takes more fragments than before, or is longer than
// the messages of demos that the game reads.
func (c *conversation) isTooLong(m *message, n int) bool {
	if c.encoding == netchan.Recorded {
		return n > max(len(c.body), c.snapshots.Generation.MaxMessage)
	}
	return m.header.Fragmented && netchan.MoreFragments(n, len(c.body))
}

// body writes the message, which is keyed with a command, to r.w, up to the end of a byte.
func (r *rewriter) body(c *conversation, tree *dissect.Tree, m *message, key *rewrittenCommand) {
	coding := c.snapshots.Generation.Coding
	r.w.Reset(coding)
	r.replaced = 0
	// The values of user commands are keyed with a hash of the command acknowledged.
	rekey := uint32(0)
	if r.rekeys(m, key) {
		rekey = key.rekey
	}
	values := operation.UserCommandForms[c.snapshots.Generation.UserCommand]
	at := 0
	// What comes after the end of a message is read by nobody, or only by modules of games: nothing is known about it.
	end := min(c.dec.Pos(), len(c.body)<<3)
	if r.broken {
		end = c.lastOp
	}
	var text []byte
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		bit, bits := int(n.Bit), int(n.Bits)
		if bits == 0 || bit < at || bit+bits > end {
			continue // derived from another field, or of the datagram
		}
		switch {
		case n.Field.Kind == dissect.Text:
			text = r.appendText(text[:0], n.Field, tree.Bytes(n))
			r.count(text, tree.Bytes(n))
			r.w.Copy(c.body, at, bit)
			if r.tight && n.Field == &configstringValue && bytes.IndexByte(text, '\\') < 0 {
				text = r.cut(text, n.Field, c.snapshots.Generation, bits)
			}
			r.writeText(text, n.Field, c.snapshots.Generation.Scramble)
		case n.Field.Kind == dissect.Hex && !isBitMask(n.Field):
			text = r.appendData(text[:0], n.Field, tree.Bytes(n))
			r.count(text, tree.Bytes(n))
			r.w.Copy(c.body, at, bit)
			r.w.Bytes(text)
		case rekey != 0 && slices.Contains(values, n.Field):
			r.w.Copy(c.body, at, bit)
			r.w.Bits(readValue(c.body, bit, bits, n.Field.Bits, coding)^rekey, n.Field.Bits)
		default:
			continue
		}
		at = bit + bits
	}
	r.w.Copy(c.body, at, end)
	if r.broken {
		r.w.Bits(noOp, 8)
	}
	r.leftOut = len(c.body) - (end+7)>>3
	if len(c.body) == end>>3+1 {
		// The engine's messages have a byte more where the last one is full, MSG_WriteBits in code/qcommon/msg.c: from
		// others no key is recovered.
		if r.leftOut = 0; r.w.Pos()&7 == 0 {
			r.w.Copy([]byte{0}, 0, 8)
		}
	}
	r.w.Align()
}

// cut returns as much of a text as takes a number of bits with its end.
func (r *rewriter) cut(text []byte, f *dissect.Field, gen *tables.Generation, bits int) []byte {
	var trial rewriter
	for ; len(text) > 0; text = text[:len(text)-1] {
		trial.w.Reset(gen.Coding)
		if trial.writeText(text, f, gen.Scramble); trial.w.Pos() <= bits {
			break
		}
	}
	return text
}

// writeText writes a text and its end, by the permutation that a game has for texts of servers and for commands.
func (r *rewriter) writeText(text []byte, f *dissect.Field, scramble *[256]byte) {
	if scramble == nil || f != &commandText && f != &configstringValue && f != &operation.PrintText {
		r.w.String(string(text))
		return
	}
	for _, b := range text {
		r.w.Byte(scramble[b])
	}
	r.w.Byte(scramble[0])
}

// count counts a text that is replaced by another one.
func (r *rewriter) count(text, before []byte) {
	if !bytes.Equal(text, before) {
		r.replaced++
	}
}

// appendText appends the replacement of a text that a message contains.
func (r *rewriter) appendText(dst []byte, f *dissect.Field, text []byte) []byte {
	if f == &commandText {
		return append(dst, r.command(text)...)
	}
	return token.AppendRewritten(dst, text, r.with)
}

// command returns the replacement of a reliable command. The messages that repeat it until it is acknowledged follow
// each other.
func (r *rewriter) command(text []byte) []byte {
	for i := range r.recent {
		if k := &r.recent[i]; len(text) > 0 && bytes.Equal(k.before, text) {
			return k.text
		}
	}
	k := &r.recent[r.next]
	r.next = (r.next + 1) % len(r.recent)
	k.set(text, 0, r.with)
	return k.text
}

// appendData appends as many bytes as some data have: those of files can be kept, anything else (voice, maps) becomes
// zeros.
func (r *rewriter) appendData(dst []byte, f *dissect.Field, data []byte) []byte {
	if f == &operation.DownloadData {
		return r.with.AppendFile(dst, data)
	}
	return append(dst, make([]byte, len(data))...)
}

// isBitMask reports whether the bytes of a field are bits about areas or clients.
func isBitMask(f *dissect.Field) bool { return f == &world.AreaMask || f == &operation.VoipRecipients }

// outline reports whether an outline of a message's tree is enough to rewrite it: texts and data are in it, and the
// values of its user commands stay as they are.
func (r *rewriter) outline(c *conversation, m *message) bool {
	key, ok := r.acknowledged(c, m, 0)
	return ok && !r.rekeys(m, key)
}

// rekeys reports whether the values of a message's user commands change, since their key is made of a command with
// other words.
func (r *rewriter) rekeys(m *message, key *rewrittenCommand) bool {
	return m.fromClient && key.rekey != 0
}

// acknowledged finds the reliable command that a message is keyed with; it is empty where the key needs none. It
// reports false if a key is missing.
func (r *rewriter) acknowledged(c *conversation, m *message, skip int32) (key *rewrittenCommand, ok bool) {
	window, kept := &c.client, c.hashed()
	key = &r.keyed[0]
	if m.fromClient {
		window, key = &c.server, &r.keyed[1]
	}
	if c.encoding == netchan.Recorded || c.encoding == netchan.Scrambled {
		key.set(nil, kept, r.with)
		return key, true
	}
	before, ok := window.get(m.prefix().reliableAck + skip)
	if !ok && skip == 0 {
		before, ok = c.recoveredKey(m)
	}
	if !ok {
		// A native message of a server has no key. Of a client's only the values of user commands have one: they stay.
		key.set(nil, kept, r.with)
		return key, c.encoding == netchan.Native
	}
	key.set(before, kept, r.with)
	return key, true
}

// readValue reads a field of a width that takes the bits bit <= i < bit+bits of a message.
func readValue(body []byte, bit, bits, width int, coding huffcodec.Coding) uint32 {
	var w huffcodec.Writer // the bits alone, from the start of a byte on: a Reader begins nowhere else
	w.Copy(body, bit, bit+bits)
	r := huffcodec.NewReader(w.Data(), coding)
	return r.Bits(width)
}

// encipher applies the cipher of a legacy session to the body of a message, whose clear beginning is m's.
func (c *conversation) encipher(body []byte, m *message, command []byte) {
	if c.encoding == netchan.Legacy {
		start, key := c.firstKey(m)
		if !c.challengeKnown && c.recovery != nil {
			key ^= byte(c.challenge) ^ byte(c.recovery.session.Keys().Challenge)
		}
		netchan.Decipher(body, min(start, len(body)), key, command, c.snapshots.Generation.Kept)
	}
}

// scramble scrambles a packet of a scrambled session.
func (c *conversation) scramble(packet []byte) {
	if c.encoding == netchan.Scrambled {
		c.scrambler.Scramble(packet)
	}
}

// appendIdentities appends names, GUIDs, passwords and CD keys: of infostrings, of lists of players, and the words
// after those that take a password.
func appendIdentities(dst []dissect.Identity, rec *dissect.Record) []dissect.Identity {
	t := rec.Tree
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case n.Field == &commandText, n.Field == &configstringValue, n.Field.Kind == dissect.Info:
			token.Personals(t.Bytes(n), func(p dissect.Personal, value []byte) {
				dst = append(dst, dissect.Identity{Personal: p, Text: value})
			})
		case n.Field == &oob.Text:
			token.Personals(t.Bytes(n), func(p dissect.Personal, value []byte) {
				dst = append(dst, dissect.Identity{Personal: p, Text: value})
			})
			token.StatusNames(t.Bytes(n), func(name []byte) {
				dst = append(dst, dissect.Identity{Personal: dissect.PersonName, Text: name})
			})
		case n.Field == &oob.PlayerName:
			dst = append(dst, dissect.Identity{Personal: dissect.PersonName, Text: t.Bytes(n)})
		}
		if n.Field.Secret && n.Field.Kind == dissect.Text {
			dst = append(dst, dissect.Identity{Personal: dissect.PersonSecret, Text: t.Bytes(n)})
		}
	}
	return dst
}
