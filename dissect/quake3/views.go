package quake3

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gamespy"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/secret"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// treeParts are the indices of what views read of a record's tree; -1: it has none.
type treeParts struct{ session, netchan, oob, gamespy, serverMessage, clientMessage int }

// partsOf finds them. Views ask for them with each record, and a look-up by key takes five times as long.
func partsOf(t *dissect.Tree) treeParts {
	p := treeParts{-1, -1, -1, -1, -1, -1}
	for n := range t.Children(t.Child(dissect.TopLevel, &rootField)) {
		switch t.Nodes[n].Field {
		case &sessionField:
			p.session = n
		case &netchanField:
			p.netchan = n
		case &oob.Field:
			p.oob = n
		case &gamespy.Field:
			p.gamespy = n
		case &serverMessageField:
			p.serverMessage = n
		case &clientMessageField:
			p.clientMessage = n
		}
	}
	return p
}

// transit reports how a sequenced packet was transmitted: its number, the number of messages missing before it,
// and the acknowledge field of a client, which names the newest message of the server that the client has.
func transit(rec *dissect.Record, t *dissect.Transit) bool {
	tree := rec.Tree
	of := partsOf(tree)
	if of.netchan < 0 {
		return false
	}
	*t = dissect.Transit{Session: int(tree.At(of.session).Int()), Whole: true}
	reassembled, numbered, leapt := false, false, false
	for n := range tree.Children(of.netchan) {
		switch v := tree.At(n); v.Field() {
		case &netchanSequence:
			t.Sequence, numbered = uint32(v.Uint()), true
		case &netchanFragmented:
			t.Whole = !v.Bool()
		case &netchanReassembled:
			reassembled = true
		case &netchanDuplicate:
			t.Duplicates, t.Again = 1, true
		case &netchanLate:
			t.Late = 1
		case &netchanLostBefore:
			t.Lost = v.Uint()
		}
	}
	if !numbered {
		return false
	}
	t.Whole = t.Whole || reassembled
	for i := range rec.Experts {
		switch rec.Experts[i].Code {
		case expertFragmentLost:
			t.Fragments = true
		case leap.ExpertTimeUnknown:
			leapt = true
		}
	}
	if t.Whole && len(rec.Message) > 0 && !rec.Damaged && !rec.Truncated() {
		t.Bits = bitsOf(tree, of)
	}
	if ack := tree.At(tree.Child(of.clientMessage, &clientMessageAck)); ack.Exists() {
		t.Ack, t.HasAck = uint32(ack.Uint()), true
	}
	for op := range tree.Children(tree.Child(of.serverMessage, &serverOpsField)) {
		if tree.Nodes[op].Field != &world.SnapshotField {
			continue
		}
		// else it could not be deciphered so far
		if base := tree.At(tree.Child(op, &world.SnapDeltaNum)); base.Exists() {
			t.Snapshot, t.HasTime, t.BaseAge = true, !leapt, uint32(base.Uint())
			t.ServerTime = tree.At(tree.Child(op, &world.SnapServerTime)).Int()
		}
	}
	if rec.Recorded() && rec.Frame == 2 && t.BaseAge == 0 {
		// a client that begins to record leaves out what comes before a full snapshot: CL_Record_f, code/client/cl_main.c
		t.Lost = 0
	}
	return true
}

// bitsOf returns where the end of a message is that a writer of Huffman codes made; 0: its last operation is not the
// end, something follows it, or there are two ends, as after a block of a download.
func bitsOf(tree *dissect.Tree, of treeParts) int {
	version := tree.At(tree.Child(tree.Child(dissect.TopLevel, &rootField), &versionField))
	if !version.Exists() || tables.GenerationOf(int(version.Int())).Coding == huffcodec.Raw {
		return 0
	}
	message := max(of.serverMessage, of.clientMessage)
	list := max(tree.Child(message, &serverOpsField), tree.Child(message, &clientOpsField))
	if list < 0 || tree.Nodes[list].End != tree.Nodes[message].End {
		return 0 // a module's bytes follow it
	}
	last := -1
	for op := range tree.Children(list) {
		if last = op; tree.Nodes[op].Field == &operation.DownloadField {
			return 0
		}
	}
	if last < 0 || tree.Nodes[last].Field.Key != eofField.Key {
		return 0
	}
	return int(tree.Nodes[last].Bit + tree.Nodes[last].Bits)
}

// browserQuery is query of GameSpy's server browsers.
func browserQuery(packet dissect.Value, q *dissect.Query) bool {
	*q = dissect.Query{Name: "gamespy answer", Info: q.Info[:0]}
	if word := packet.Get(gamespy.QueryField.Key); word.Exists() {
		q.Name, q.Purpose = "gamespy "+word.String(), dissect.QueryFacts
	}
	info := packet.Get(gamespy.InfoField.Key).Bytes()
	for {
		key, value, rest, ok := dissect.NextPair(info)
		if !ok {
			return true
		}
		q.Info, info = append(q.Info, dissect.Pair{Key: key, Value: value}), rest
	}
}

// query reports the command of an out-of-band packet, and the values in a server's answer.
func query(rec *dissect.Record, q *dissect.Query) bool {
	of := partsOf(rec.Tree)
	if of.gamespy >= 0 {
		return browserQuery(rec.Tree.At(of.gamespy), q)
	}
	packet := rec.Tree.At(of.oob)
	command := packet.Get(oob.CommandField.Key)
	if !command.Exists() {
		return false
	}
	*q = dissect.Query{Name: command.String(), Info: q.Info[:0]}
	var foreign oob.Foreign
	if foreign, q.Info = oob.ForeignFacts(rec.Payload, q.Info); foreign.Engine != oob.NoEngine {
		q.Name, q.Engine = foreign.Name, foreign.Engine.String()
		if rec.Direction != dissect.ServerToClient {
			q.Purpose = dissect.QueryFacts
		}
		return true
	}
	kind := oob.KindOf(command.Bytes())
	info := packet.Get("info").Bytes()
	q.Engine = oob.Relative(kind, info, packet.Get("game_name").Bytes()).String()
	if rec.Direction != dissect.ServerToClient {
		q.Purpose, q.Limit = kind.Purpose()
		return true
	}
	for {
		key, value, rest, ok := dissect.NextPair(info)
		if !ok {
			return true
		}
		q.Info = append(q.Info, dissect.Pair{Key: key, Value: value})
		info = rest
	}
}

// introduction reports the settings that a client sends with connect and with the command userinfo.
func introduction(rec *dissect.Record, id *dissect.Introduction) bool {
	if rec.Direction != dissect.ClientToServer {
		return false
	}
	tree := rec.Tree
	of := partsOf(tree)
	packet := tree.At(of.oob)
	if info := packet.Get("info").Bytes(); info != nil && packet.Get(oob.CommandField.Key).String() == "connect" {
		*id = introductionOf(info)
		id.Connect = true
		qport, err := strconv.ParseUint(string(dissect.InfoValue(info, "qport")), 10, 16)
		id.Qport, id.HasQport = uint16(qport), err == nil
		return true
	}
	for n := range tree.Children(tree.Child(of.clientMessage, &clientOpsField)) {
		if tree.Nodes[n].Field != &clientCommandField {
			continue
		}
		op := tree.At(n)
		if info := op.Get(userinfoField.Key).Bytes(); info != nil && op.Get(commandName.Key).String() == "userinfo" &&
			!op.Get(commandRepeat.Key).Exists() {
			*id = introductionOf(info)
			id.Qport, id.HasQport = uint16(tree.At(tree.Child(of.netchan, &netchanQport)).Uint()), true
			return true
		}
	}
	return false
}

func introductionOf(info []byte) dissect.Introduction {
	return dissect.Introduction{Name: dissect.InfoValue(info, "name"), GUID: dissect.InfoValue(info, "cl_guid")}
}

// carries reports whether a record is part of a handshake or gamestate, or carries a reliable command: keys and
// states of later messages depend on these. Snapshots that others are deltas of do not count: almost all are.
func carries(rec *dissect.Record) bool {
	nodes := rec.Tree.Nodes
	for i := range nodes {
		switch nodes[i].Field {
		case &oob.Field, &gamestateField:
			return true
		case &clientCommandField, &serverCommandField:
			if rec.Tree.Child(i, &commandRepeat) < 0 {
				return true
			}
		}
	}
	return false
}

// appendParts appends the frames of the fragments that a record's message was made of.
func appendParts(dst []uint64, rec *dissect.Record) []uint64 {
	for i := range rec.Tree.Nodes {
		if rec.Tree.Nodes[i].Field != &netchanReassembled {
			continue
		}
		for c := range rec.Tree.Children(i) {
			dst = append(dst, rec.Tree.Nodes[c].Uint())
		}
		break
	}
	return dst
}

// appendSecrets finds passwords and CD keys in commands, infostrings and the words of rcon. If the end of
// rcon's password is not known, all words after rcon count.
func appendSecrets(dst []dissect.Secret, rec *dissect.Record) []dissect.Secret {
	f := secretFinder{t: rec.Tree, dst: dst}
	nodes := f.t.Nodes
	for i := range nodes {
		switch nodes[i].Field {
		case &oob.Field:
			f.oob(i)
		case &clientCommandField:
			f.command(i)
		}
		if kind := nodes[i].Field.Kind; kind == dissect.Info || kind == dissect.Text && i >= f.done {
			f.infostring(i)
		}
	}
	return f.dst
}

type secretFinder struct {
	t    *dissect.Tree
	dst  []dissect.Secret
	done int // index of the first node after those masked entirely
}

// maskTexts masks the text nodes from <= i < to.
func (f *secretFinder) maskTexts(from, to int) {
	for i := from; i < to; i++ {
		if n := &f.t.Nodes[i]; n.Field.Kind == dissect.Text && !n.Field.Secret && f.size(i) > 0 {
			f.dst = append(f.dst, dissect.Secret{Node: i, To: len(f.t.Bytes(n))})
		}
	}
	f.done = max(f.done, to)
}

// oob masks the words of commands that carry a password or key.
func (f *secretFinder) oob(object int) {
	if !oob.HasSecret(f.t, object) {
		if list := f.t.Child(object, &oob.ArgumentsField); list >= 0 {
			f.wordsAfterKey(list)
		}
		return
	}
	command, start := oob.KnownCommand(f.t, object)
	for i, end := object+1, int(f.t.Nodes[object].End); i < end; i = int(f.t.Nodes[i].End) {
		switch n := &f.t.Nodes[i]; {
		case n.Field == &oob.CommandField:
		case command < 0:
			f.maskTexts(i, int(n.End))
		case i == command:
			if rest := bytes.TrimRight(f.t.Bytes(n)[:start], " "); len(rest) > 0 { // the blank after it stays
				f.dst = append(f.dst, dissect.Secret{Node: i, To: len(rest)})
			}
			f.spans(i, start, secret.AppendSpans(nil, f.t.Bytes(n)[start:]))
			f.done = max(f.done, i+1)
		case n.Field == &oob.ArgumentsField:
			f.arguments(i, f.t.Bytes(&f.t.Nodes[command])[start:])
		}
	}
}

// arguments masks the words of an rcon whose console command is known: the password, and the others if the
// command contains a secret itself.
func (f *secretFinder) arguments(list int, command []byte) {
	end := list + 2
	if len(secret.AppendSpans(nil, command)) > 0 {
		end = int(f.t.Nodes[list].End)
	}
	f.maskTexts(list+1, min(end, int(f.t.Nodes[list].End)))
}

// spans masks parts of a text node, which begin at an offset.
func (f *secretFinder) spans(node, offset int, spans []secret.Span) {
	for _, s := range spans {
		f.dst = append(f.dst, dissect.Secret{Node: node, From: offset + s.From, To: offset + s.To})
	}
}

// command masks what follows the first word of a reliable command that carries a password, or the name of a secret
// cvar.
func (f *secretFinder) command(object int) {
	name := f.t.Child(object, &commandName)
	text := f.t.Child(object, &commandText)
	if name < 0 || text < 0 || token.IsTextCommand(f.t.Bytes(&f.t.Nodes[name])) {
		return
	}
	f.spans(text, 0, secret.AppendSpans(nil, f.t.Bytes(&f.t.Nodes[text])))
	f.done = max(f.done, name+1)
	list := f.t.Child(object, &commandArguments)
	switch {
	case list < 0:
	case token.IsSecretCommand(f.t.Bytes(&f.t.Nodes[name])):
		f.maskTexts(list+1, int(f.t.Nodes[list].End))
	default:
		f.wordsAfterKey(list)
	}
}

// wordsAfterKey masks the words of a list after the name of a secret cvar.
func (f *secretFinder) wordsAfterKey(list int) {
	end := int(f.t.Nodes[list].End)
	for i := list + 1; i < end; i++ {
		if n := &f.t.Nodes[i]; n.Field.Kind == dissect.Text && token.IsSecretKey(f.t.Bytes(n)) {
			f.maskTexts(i+1, end)
			return
		}
	}
}

func (f *secretFinder) size(node int) int { return len(f.t.Bytes(&f.t.Nodes[node])) }

// infostring masks what follows a secret key in a text that is an infostring or holds one between quotes.
func (f *secretFinder) infostring(node int) {
	n := &f.t.Nodes[node]
	next := int(n.End) // the value of a configstring is followed by its pairs
	if n.Field.Kind == dissect.Info || next < len(f.t.Nodes) && f.t.Nodes[next].Field.Kind == dissect.Info {
		f.spans(node, 0, secret.AppendInfoSpans(nil, f.t.Bytes(n)))
		return
	}
	f.spans(node, 0, secret.AppendTextSpans(nil, f.t.Bytes(n)))
}

// appendWire appends the parts of datagrams that a message was made of. The cipher does not move bytes, so
// bit for bit the message follows the headers of its datagrams.
func appendWire(dst []dissect.WirePiece, rec *dissect.Record, datagram func(frame uint64) []byte) []dissect.WirePiece {
	var frames [64]uint64
	parts := appendParts(frames[:0], rec)
	if rec.Root().Get(encodingField.Key).String() == netchan.Scrambled.String() {
		if len(parts) == 0 {
			parts = append(parts, rec.Frame)
		}
		return appendScrambledWire(dst, rec, parts, datagram)
	}
	if len(parts) == 0 {
		header := len(rec.Payload) - len(rec.Message)
		if header < 0 || len(rec.Message) == 0 {
			return dst
		}
		return append(dst, piece(rec.Frame, header, 0, len(rec.Message)))
	}
	enc := netchan.Legacy
	if rec.Root().Get(encodingField.Key).String() == netchan.Native.String() {
		enc = netchan.Native
	}
	for _, frame := range parts {
		payload := rec.Payload
		if frame != rec.Frame {
			payload = datagram(frame)
		}
		var h netchan.Header
		if payload == nil || !h.Parse(payload, rec.Direction == dissect.ClientToServer, enc) || !h.Fragmented {
			continue
		}
		if n := min(h.Size, len(payload)-h.Length, len(rec.Message)-h.Start); n > 0 {
			dst = append(dst, piece(frame, h.Length, h.Start, n))
		}
	}
	return dst
}

// piece is a part of a message that is transmitted unchanged; the arguments are in bytes.
func piece(frame uint64, wire, message, size int) dissect.WirePiece {
	return dissect.WirePiece{Frame: frame, Wire: wire << 3, Bits: size << 3, Message: message << 3, MessageBits: size << 3}
}
