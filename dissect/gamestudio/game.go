package gamestudio

import (
	"bytes"
	"fmt"
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// Fields of the record's object. There is a second one for reassembled messages, where positions
// count from the start of the message.
var (
	rootField = dissect.Field{
		Key: gameName, Kind: dissect.Object, Scope: dissect.Datagram, Doc: "3D GameStudio (Acknex)", Children: rootChildren,
	}
	joinedField = dissect.Field{
		Key: gameName, Kind: dissect.Object, Scope: dissect.Message, Doc: "3D GameStudio (Acknex)", Children: rootChildren,
	}
	rootChildren = []*dissect.Field{&editionField, &directPlay4Field, &messagesField, &undeterminedField}

	editionField = dissect.Field{
		Key: "edition", Kind: dissect.Label,
		Doc: "public description that the messages are read by: late, or a5-2002 after its SVC_INFO was seen or when asked " +
			"for",
	}
	messagesField = dissect.Field{
		Key: "messages", Kind: dissect.Choices, Source: lateSource, Doc: "the messages of the packet, in order",
		Children: messageFields(),
	}
	undeterminedField = dissect.Field{
		Key: "undetermined", Kind: dissect.Hex,
		Doc: "bytes that cannot be read because no public text describes them; the expert entry says why",
	}
)

func messageFields() []*dissect.Field {
	var fields []*dissect.Field
	for _, m := range clientMessages {
		fields = append(fields, &m.field)
	}
	for _, m := range serverMessages {
		fields = append(fields, &m.field)
	}
	for _, u := range updates {
		fields = append(fields, &u.field)
	}
	return fields
}

// A variant is one of the dialects that a session may use. Nothing on the wire identifies it.
type variant uint8

// The variants: they differ in a server's coordinates and in the index of a client's CLS_REMOVE.
// The first one of each side is the manual's default.
const (
	shortCoordinates  variant = iota // three of three bytes
	longCoordinates                  // three of four bytes
	shortWithoutZ                    // two of three bytes
	longWithoutZ                     // two of four bytes
	serverVariants    = 4
	longRemove        = 0
	shortRemoveWidth  = 1
	clientVariants    = 2
	serverVariantsOld = 2 // without NOSEND_Z
)

// A game is what is known about the messages of one session.
type game struct {
	edition     edition
	wantsEvents bool // events are wanted
	noZ         bool // positions without z are considered
	hints       hints
	servers     [serverVariants]int // packets that only this variant can be
	clients     [clientVariants]int
	sound       uint8 // packets that could be read, up to enoughSound

	// Buffers used within one datagram.
	walker walker
	tail   []byte // bytes that cannot be read
	tailAt int
	notes  []gameNote
}

// A gameNote is an expert entry that waits until the list of messages is closed.
type gameNote struct {
	code  string
	field *dissect.Field // of the record's object; nil: the object
	at    int
	text  string
}

// addNote adds an entry if the record is shown.
func (g *game) addNote(tree *dissect.Tree, code string, f *dissect.Field, at int, format string, args ...any) {
	if tree != nil {
		g.notes = append(g.notes, gameNote{code, f, at, fmt.Sprintf(format, args...)})
	}
}

// firmly is the number of packets after which a variant is certain: a variant holds for a whole
// session, so later packets that only fit another one do not count.
const firmly = 4

// sync2002Bytes is the beginning of SVC_INFO in the 2002 edition: its code and the constant.
var sync2002Bytes = []byte{0x07, 0x18, 0x12, 0x19, 0x11}

// dissect reads the application packets of one datagram into an object of their own. direction is known.
func (g *game) dissect(rec *dissect.Record, space []byte, packets []dissect.Payload, fromClient bool) {
	if g.edition == late && !fromClient {
		for _, p := range packets {
			if bytes.Contains(space[p.At:p.End], sync2002Bytes) {
				g.edition = edition2002
			}
		}
	}
	tree := rec.Decoding()
	if len(packets) == 0 {
		return
	}
	tree.AddLabel(&editionField, g.edition.String(), 0, 0)
	tree.Open(&messagesField, packets[0].At<<3)
	g.tail, g.notes, g.walker.angle = g.tail[:0], g.notes[:0], false
	for _, p := range packets {
		g.packet(rec, tree, space, p, fromClient)
	}
	tree.Close(packets[len(packets)-1].End << 3)
	for _, n := range g.notes {
		rec.Expert(dissect.Note, n.code, n.field, n.at<<3, "%s", n.text)
	}
	if len(g.tail) > 0 {
		tree.AddBytes(&undeterminedField, g.tail, g.tailAt<<3, len(g.tail)<<3)
	}
}

// undirected shows packets whose direction is not known.
func (g *game) undirected(rec *dissect.Record, space []byte, packets []dissect.Payload) {
	tree := rec.Decoding()
	g.tail = g.tail[:0]
	for _, p := range packets {
		g.leave(space, p.At, p.End)
	}
	if len(g.tail) == 0 {
		return
	}
	tree.AddBytes(&undeterminedField, g.tail, g.tailAt<<3, len(g.tail)<<3)
	rec.Expert(dissect.Note, expertUndetermined, &undeterminedField, g.tailAt<<3,
		"which side sent this is not known, and the same codes mean different messages in each direction")
}

// bare shows a datagram of DirectPlay 4 that lacks the prefix.
func (g *game) bare(rec *dissect.Record, tree *dissect.Tree) {
	if b := rec.Payload; len(b) > 0 {
		tree.AddBytes(&undeterminedField, b, 0, len(b)<<3)
		rec.Expert(dissect.Note, expertUndetermined, &undeterminedField, 0,
			"undetermined: no DirectPlay 4 prefix, as its reliable protocol may leave it out; where the message begins is not "+
				"known")
	}
}

// leave keeps bytes that cannot be read.
func (g *game) leave(space []byte, at, end int) {
	if len(g.tail) == 0 {
		g.tailAt = at
	}
	g.tail = append(g.tail, space[at:end]...)
}

// dialect returns the dialect of a variant.
func (g *game) dialect(v variant, fromClient bool) dialect {
	d := dialect{edition: g.edition, fromClient: fromClient, width: 3, coordinates: 3, removeLong: true}
	if fromClient {
		d.removeLong = v == longRemove
		return d
	}
	if v == longCoordinates || v == longWithoutZ {
		d.width = 4
	}
	if v >= shortWithoutZ {
		d.coordinates = 2
	}
	return d
}

// enoughSound is how many packets that can be read show that one which cannot is not the session's.
const enoughSound = 3

// A choice is the variant chosen for a packet.
type choice struct {
	variant variant
	limit   int    // byte of the first message that cannot be read in any variant; else none
	several bool   // the packet fits more than one variant
	counted []int  // counter of the only variant that fits, or nil
	reason  string // why reading stops at limit
	fault   bool   // the packet violates the format in every variant
}

// choose tries every variant on a packet, and keeps those that fit it exactly.
func (g *game) choose(space []byte, p dissect.Payload, fromClient bool) choice {
	counts, variants := g.servers[:], serverVariantsOld
	if g.noZ && g.edition == late {
		variants = serverVariants
	}
	if fromClient {
		counts, variants = g.clients[:], clientVariants
	}
	c := choice{limit: math.MaxInt}
	w := &g.walker
	survivors := 0
	for v := range variant(variants) {
		w.try(space, p, g.dialect(v, fromClient))
		if w.depends < 0 && v == 0 {
			c.fault = w.stop == fault && !p.Cut
			return c // all variants read it alike
		}
		if v == 0 {
			c.limit = w.depends
		}
		if w.stop != atEnd && (!p.Cut || w.r.Why() != dissect.ErrTruncated) {
			continue
		}
		survivors++
		if survivors == 1 || counts[v] > counts[c.variant] {
			c.variant = v
		}
	}
	most := 0
	for v := range counts {
		if counts[v] > counts[most] {
			most = v
		}
	}
	switch {
	case survivors == 0:
		c.reason = "undetermined: no reading of %s explains the packet to its end"
	case survivors == 1 && counts[most] >= firmly && counts[c.variant] == 0:
		c.reason = "undetermined: %s would have to differ from the session's"
	case survivors == 1:
		c.limit, c.counted = math.MaxInt, counts
	default:
		c.limit, c.several = math.MaxInt, true
	}
	return c
}

// try walks through a packet only to check its length.
func (w *walker) try(space []byte, p dissect.Payload, d dialect) {
	w.r.Reset(gameName, space, p.At, p.End, nil)
	w.r.Cut = p.Cut
	w.d, w.hints, w.rec, w.events.Tree = d, nil, nil, nil
	w.walk(math.MaxInt)
}

// packet reads one application packet into the open list of messages.
func (g *game) packet(rec *dissect.Record, tree *dissect.Tree, space []byte, p dissect.Payload, fromClient bool) {
	c := g.choose(space, p, fromClient)
	first := false // the first packet in which the session departs from the manual
	if c.counted != nil {
		first = c.variant != 0 && c.counted[c.variant] == 0
		c.counted[c.variant]++
	}
	w := &g.walker
	w.r.Reset(gameName, space, p.At, p.End, tree)
	w.r.Cut = p.Cut
	w.d, w.hints, w.rec = g.dialect(c.variant, fromClient), &g.hints, rec
	refused := c.fault && g.sound == enoughSound
	if refused {
		w.hints = nil
	} else if g.wantsEvents && !p.Repeated {
		w.events = eventtree.NewWriter(&rec.Events, &description)
	}
	w.walk(c.limit)
	w.r.Report(rec)
	if refused {
		rec.Refuse(nil, "it cannot be read as messages of the game, as others can")
	} else if !c.fault {
		g.sound += min(1, enoughSound-g.sound)
	}

	subject := "the coordinates' width"
	if fromClient {
		subject = "the length of CLS_REMOVE"
	}
	if c.several && !w.r.Failed() {
		g.addNote(tree, expertUndetermined, nil, p.At,
			"%s is undetermined: several readings explain the packet, and the first one, or that of earlier packets, was taken",
			subject)
	}
	if first {
		g.addNote(tree, expertUndetermined, nil, p.At,
			"%s is undetermined: inferred from the packet's length, which only one reading explains", subject)
	}
	if w.stop == fault || w.stop == atEnd && w.stopAt == p.End {
		return
	}
	g.leave(space, w.stopAt, p.End)
	if w.messages == 0 && looksRandom(space[p.At:p.End]) {
		g.addNote(tree, expertPacked, &undeterminedField, p.At,
			"the packet looks random: it may be encrypted or compressed (dplay_encrypt, A7.30 or later), or made by "+
				"SendPacket; no public text describes the format")
		return
	}
	switch w.stop {
	case atEnd:
		g.addNote(tree, expertUndetermined, &undeterminedField, w.stopAt, c.reason, subject)
	case unknownRow:
		g.addNote(tree, expertUndetermined, &undeterminedField, w.stopAt,
			"command 0x%02x: undetermined, no public copy of the 2002 edition shows its arguments", space[w.stopAt])
	case unknownBits:
		g.addNote(tree, expertUndetermined, &undeterminedField, w.stopAt,
			"undetermined: the update has bits that no public table assigns, so their parameters have no known length")
	default:
		g.addNote(tree, expertUndetermined, &undeterminedField, w.stopAt, "command 0x%02x: undetermined, no public length",
			space[w.stopAt])
	}
}

// Bytes look random if this many of them have this many different values. 48 random bytes have 44
// different values on average, and almost always at least 38.
const (
	randomSample   = 48
	randomDistinct = 38
)

func looksRandom(b []byte) bool {
	if len(b) < randomSample {
		return false
	}
	var seen [256]bool
	distinct := 0
	for _, c := range b[:randomSample] {
		if !seen[c] {
			seen[c] = true
			distinct++
		}
	}
	return distinct >= randomDistinct
}
