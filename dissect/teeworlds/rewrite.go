package teeworlds

import (
	"bytes"
	"encoding/hex"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/connless"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/ghost"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// appendIdentities appends names, clans, passwords and connection ids.
func appendIdentities(dst []dissect.Identity, rec *dissect.Record) []dissect.Identity {
	t := rec.Tree
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch p := personalOf(n.Field); {
		case n.Field.Kind.Container():
		case p == dissect.PersonGUID && n.Field.Kind != dissect.Text:
			dst = append(dst, dissect.Identity{Personal: p, Text: hex.AppendEncode(nil, t.Bytes(n))})
		case p > dissect.PersonUnknown: // the words of a server's name are those of other texts, too
			dst = append(dst, dissect.Identity{Personal: p, Text: t.Bytes(n)})
		case tables.SecretWords(n.Field) != nil:
			tables.EachSecret(t.Bytes(n), tables.SecretWords(n.Field), func(from, to int) {
				dst = append(dst, dissect.Identity{Personal: dissect.PersonSecret, Text: t.Bytes(n)[from:to]})
			})
		}
	}
	return dst
}

func personalOf(f *dissect.Field) dissect.Personal {
	return max(tables.Personal(f), connless.Personal(f), teehistorian.Personal(f), ghost.Personal(f))
}

// A rewriter rewrites the datagrams of a conversation with other texts (dissect.Rewriting).
type rewriter struct {
	with      dissect.Rewriting
	snapshots *snapshot.Rewriter
	message   []byte // the bytes after the header, before compression
	replaced  int    // texts and data in it
	gap       int    // where a part of a snapshot goes in message, or -1
	part      snapshotPart
	out, data []byte
	held      heldSnapshot
	recordedCopy
}

func newRewriter(with dissect.Rewriting) *rewriter {
	if with == nil {
		return nil
	}
	return &rewriter{with: with, snapshots: snapshot.NewRewriter(with)}
}

// forget starts a new connection.
func (r *rewriter) forget() {
	if r != nil {
		r.snapshots.Forget()
	}
}

// datagram rewrites the datagram that was just read.
func (r *rewriter) datagram(c *conversation, rec *dissect.Record) {
	p := c.packet
	if r == nil || rec.Truncated() || p.short || p.dialect == tables.Unknown || p.fault != nil || p.oddEnd {
		return
	}
	r.message, r.gap, r.replaced = r.message[:0], -1, 0
	if c.snapshots != nil {
		r.snapshots.Types = c.snapshots.Object
	}
	switch {
	case p.has(flagConnless):
		r.texts(rec.Tree, rec.Tree.Child(0, &connless.Field), rec.Payload, p.header, len(rec.Payload))
		rec.Rewritten = &dissect.Rewritten{
			State: dissect.RewriteDone, Replaced: r.replaced,
			Payload: r.buildPacket(rec.Payload[:p.header], false),
		}
		return
	case p.has(flagControl):
		r.texts(rec.Tree, rec.Tree.Child(0, &controlField), p.message, 0, len(p.message))
	case !r.chunks(c, rec.Tree):
		return
	}
	if r.gap >= 0 {
		r.hold(c, rec)
		return
	}
	if len(r.message) <= tables.MaxPayload {
		rec.Rewritten = &dissect.Rewritten{
			State: dissect.RewriteDone, Replaced: r.replaced,
			Payload: r.buildPacket(rec.Payload[:p.header], p.has(flagCompression)),
		}
	}
}

// isOpaque reports whether a field has bytes that no table describes.
func isOpaque(f *dissect.Field) bool {
	switch f {
	case &message.UnknownData, &message.RestField, &trailingField, &controlRest, &controlData:
		return true
	}
	return connless.Opaque(f) || teehistorian.Opaque(f)
}

// appendBlank appends bytes in place of some that could not be read. The ends of texts, and the two highest bits, which
// continue an int and are its sign, stay: so they still cannot.
func appendBlank(dst, b []byte) []byte {
	for _, c := range b {
		if c != 0 {
			c = c&0xc0 | ' '
		}
		dst = append(dst, c)
	}
	return dst
}

// buildPacket appends r.message to a header, compressed or not.
func (r *rewriter) buildPacket(header []byte, compressed bool) []byte {
	r.out = append(r.out[:0], header...)
	if compressed {
		r.out = huffcodec.EncodeTeeworlds(r.out, r.message)
	} else {
		r.out = append(r.out, r.message...)
	}
	return r.out
}

// chunks writes a packet of chunks to r.message. It returns false if that is not possible.
func (r *rewriter) chunks(c *conversation, t *dissect.Tree) bool {
	p := c.packet
	pos := 0
	for n := range t.Children(t.Child(0, &chunksField)) {
		var h chunkHead
		if !h.parse(p.payload[pos:], p.dialect) {
			break
		}
		start, body := len(r.message), pos+h.length
		end := body + h.size
		if end > len(p.payload) {
			r.message = append(r.message, p.payload[pos:body]...)
			pos = body
			break
		}
		whole := r.gap < 0
		r.message = append(r.message, p.payload[pos:body]...)
		if !r.chunk(c, t, n, body, end) {
			return false
		}
		if !putChunkSize(r.message[start:], len(r.message)-start-h.length, p.dialect) {
			return false
		}
		if whole && r.gap >= 0 {
			r.part.chunkAt, r.part.chunkHeader = start, h.length
		}
		pos = end
	}
	r.message = appendBlank(r.message, p.payload[pos:])
	r.message = append(r.message, p.message[len(p.payload):]...) // DDNet's token
	return true
}

// chunk appends the message of chunk n, which has the bytes from <= i < to of the payload.
func (r *rewriter) chunk(c *conversation, t *dissect.Tree, n, from, to int) bool {
	if !c.fromClient {
		for _, key := range [...]string{snapshot.KeySnap, snapshot.KeySnapSingle, snapshot.KeySnapEmpty} {
			if body := t.Find(n, key); body >= 0 {
				return r.snapshot(c, t, key, body, from, to)
			}
		}
	}
	r.texts(t, n, c.packet.payload, from, to)
	return true
}

// putChunkSize writes the size into the header of a chunk. It returns false if the size is too
// large.
func putChunkSize(b []byte, size int, d tables.Dialect) bool {
	low := 4
	if d == tables.V07 {
		low = 6
	}
	if size >= 1<<(6+low) {
		return false
	}
	mask := byte(1<<low - 1)
	b[0] = b[0]&^0x3f | byte(size>>low)
	b[1] = b[1]&^mask | byte(size)&mask
	return true
}

// texts appends the bytes from <= i < to of a message with the texts of the nodes below parent replaced.
func (r *rewriter) texts(t *dissect.Tree, parent int, src []byte, from, to int) {
	server := false // the server is the one who speaks
	for i, end := parent+1, int(t.Nodes[parent].End); i < end; i++ {
		n := &t.Nodes[i]
		if n.Field == tables.ChatClient() {
			server = n.Int() < 0
		}
		at, size := int(n.Bit)>>3, int(n.Bits)>>3
		if n.Field == &snapshot.Field {
			i = int(n.End) - 1
			continue
		}
		extra := n.Field == tables.ExtraIntsField.Children[0]
		if n.Field.Kind != dissect.Text && n.Field.Kind != dissect.Hex && !extra || size == 0 || at < from || at+size > to {
			continue
		}
		if extra {
			r.message = append(append(r.message, src[from:at]...), 0)
			from = at + size
			continue
		}
		start := len(r.message)
		r.message = append(r.message, src[from:at]...)
		text := t.Bytes(n)
		replaced := false
		value := len(r.message)
		if r.message, replaced = r.appendValue(r.message, n.Field, text, server); !replaced {
			r.message = r.message[:start]
			continue
		}
		if !bytes.Equal(r.message[value:], text) {
			r.replaced++
		}
		r.message = append(r.message, src[at+len(text):at+size]...) // the NUL, or several
		from = at + size
	}
	r.message = append(r.message, src[from:to]...)
}

// appendValue appends the replacement of a text or of bytes. It returns false if the value does not
// change. server is true for chat of the server itself.
func (r *rewriter) appendValue(dst []byte, f *dissect.Field, value []byte, server bool) ([]byte, bool) {
	switch p := personalOf(f); {
	case r.arguments != dissect.NotPersonal && f.Kind == dissect.Text && !teehistorian.IsCommand(f):
		return r.with.AppendPersonal(dst, r.arguments, value), true
	case r.blank && f.Kind == dissect.Hex:
		return append(dst, make([]byte, len(value))...), true
	case teehistorian.Harmless(f):
		return dst, false
	case p == dissect.PersonGUID && f.Kind == dissect.Text:
		return r.with.AppendPersonal(dst, p, value), true
	case p == dissect.PersonGUID:
		return r.appendIdentifier(dst, value), true
	case p != dissect.NotPersonal:
		return r.with.AppendPersonal(dst, p, value), true
	case f == tables.RconCommand() && tables.IsProbe(value):
		return dst, false
	case f == tables.RconCommand() || teehistorian.IsArgument(f):
		return r.appendCommand(dst, value, tables.SecretWords(tables.RconCommand()), r.appendWords), true
	case f == tables.RconLine(): // the server's log, with commands in it
		return r.appendLine(dst, value), true
	case f == tables.Say():
		return r.appendCommand(dst, value, tables.SecretWords(f), r.with.AppendChat), true
	case f == tables.Chat() && !server:
		return r.with.AppendChat(dst, value), true
	case f.Kind == dissect.Text && isHarmlessText(f.Key) && plainName(value):
		return r.with.AppendHarmless(dst, value), true
	case f.Kind == dissect.Text:
		return r.with.AppendText(dst, value), true
	case f == tables.MapData():
		return r.with.AppendFile(dst, value), true
	case f.Key == "ip":
		return connless.AppendAddress(dst, f, value, r.with)
	case f == &dissect.Undecoded:
		return appendBlank(dst, value), true
	case isOpaque(f):
		return append(dst, make([]byte, len(value))...), true
	case slices.Contains(harmlessBytes[:], f.Key):
		return dst, false
	}
	return r.appendIdentifier(dst, value), true
}

// harmlessTexts are the keys of texts that name maps, kinds of games, protocols and versions of programs.
var harmlessTexts = [...]string{
	"magic", "map", "map_name", "game_type", "version", "net_version", "ddnet_version_string", "args_format",
	"params", "colon", "protocol",
}

func isHarmlessText(key string) bool { return slices.Contains(harmlessTexts[:], key) }

// plainName reports whether a text consists of what names of maps and versions consist of.
func plainName(text []byte) bool {
	return !slices.ContainsFunc(text, func(c byte) bool { return c < ' ' || c == 0x7f || c == '"' || c == '\\' })
}

// harmlessBytes are the keys of bytes that say nothing about a person: tokens of a connection, and which message or
// object is meant.
var harmlessBytes = [...]string{"token", "response_token", "server_token", "client_token", "uuid", "crc"}

// appendIdentifier appends other bytes in place of some that identify something, the same for the same ones.
func (r *rewriter) appendIdentifier(dst, value []byte) []byte {
	text := r.with.AppendPersonal(nil, dissect.PersonGUID, hex.AppendEncode(nil, value))
	b, err := hex.DecodeString(string(text))
	if err != nil {
		b = make([]byte, len(value)) // the text was replaced as a name
	}
	return append(dst, b...)
}
