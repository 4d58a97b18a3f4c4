package directplay8

import (
	"net/netip"
	"slices"
	"unicode/utf16"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
)

// Fields of core messages.
var (
	coreField  = dissect.Field{Key: "core", Kind: dissect.Object, Source: coreSource, Doc: "message of DirectPlay itself", Children: coreChildren()}
	coreJoined = dissect.Field{
		Key: "core", Kind: dissect.Object, Scope: dissect.Message, Source: coreSource, Doc: "message of DirectPlay itself",
		Children: coreChildren(),
	}
	coreType = dissect.Field{
		Key: "type", Name: "dwPacketType", Kind: dissect.Uint, Bits: 32, Source: coreSource, Doc: "kind of the message",
		Enum: coreEnum(coreMessages),
	}
	coreBody = dissect.Field{Key: "data", Kind: dissect.Hex, Source: coreSource, Doc: "body of a message that the specification does not have, or gives none"}
)

func coreChildren() []*dissect.Field {
	fields := []*dissect.Field{&coreType}
	for _, m := range coreMessages {
		if m.items != nil {
			fields = append(fields, &m.field)
		}
	}
	return append(fields, &coreBody, &dissect.Undecoded)
}

// core reads the core message in b[at:end] into f, and takes the facts about players from it. It returns its type, and
// the place of the application's bytes that it wraps, or -1.
func (r *reader) core(f *dissect.Field, at, end int, names *names) (kind uint64, application int) {
	whole, outer := r.End, r.At
	r.At, r.End = at, end
	application = -1
	r.Enter(f)
	kind = r.Number(&coreType)
	m := coreOf(kind)
	switch {
	case r.Failed():
	case m == nil || m.items == nil:
		if r.Rest() > 0 {
			r.Hex(&coreBody, r.Rest())
		}
	default:
		c := coreCursor{reader: *r, message: m, base: r.At, names: names}
		c.body()
		*r = c.reader
		if kind == coreRequestNotice && !r.Failed() {
			application = r.At
		}
	}
	r.Leave()
	r.End = whole
	r.At = max(outer, r.At)
	if r.Failed() {
		r.At = min(r.At, whole)
	}
	return kind, application
}

// A coreCursor reads the body of one core message. The reader is a copy, which goes back when it is done: a pointer
// to one would move it to the heap for every frame.
type coreCursor struct {
	reader
	message *coreMessage
	base    int // what offsets count from: the byte after the type
	names   *names

	// What the items at hand said.
	dpnid, info, library uint64
	name                 string
	counts               [2]uint64 // numbers of elements that follow
	places               [maxPlaces]placing
	placed               int
	spans                [][2]int // what is pointed to
}

// A placing is an offset and size that were read.
type placing struct {
	*corePlace
	from, size uint64
}

// maxPlaces is how many offsets a message has at most, without those of list elements.
const maxPlaces = 6

// body reads the message into an object of its own.
func (c *coreCursor) body() {
	c.Enter(&c.message.field)
	defer c.Leave()
	fixed := c.layout()
	switch c.message.kind {
	case coreRequestNotice: // the application's bytes follow
		return
	case coreSendConnectInfo:
		fixed = c.nameTable(fixed)
	case coreAckNametableOp:
		fixed = c.operations(fixed)
	}
	c.unreferenced(fixed)
}

// layout reads the fixed part and what its offsets point to. It returns the place after the fixed part.
func (c *coreCursor) layout() (fixed int) {
	c.items(c.message.items)
	if c.message.kind == coreConnectInfo && c.library >= modernLibrary {
		c.items(alternates)
	}
	fixed = c.At
	c.contents(fixed)
	c.learn()
	return fixed
}

// learn takes the facts about a player from the message.
func (c *coreCursor) learn() {
	n := c.names
	if n == nil || c.Failed() {
		return
	}
	switch c.message.kind {
	case coreConnectInfo:
		n.client = keepName(n.client, c.name)
	case coreAddPlayer:
		n.learn(c.dpnid, c.name)
	case coreUpdateInfo:
		if c.info&1 != 0 {
			n.renamed(c.dpnid, c.name)
		}
	}
}

// items reads values of the fixed part.
func (c *coreCursor) items(items []coreItem) {
	for i := range items {
		it := &items[i]
		switch {
		case it.maybe && c.Rest() == 0:
		case it.place != nil:
			from, size := c.Number(&it.place.offset), c.Number(&it.place.size)
			c.places[c.placed] = placing{it.place, from, size}
			c.placed++
		case it.field.Kind == dissect.Label:
			c.guid(it.field)
		default:
			c.value(it)
		}
	}
}

// value reads a number, and keeps it where the message needs it.
func (c *coreCursor) value(it *coreItem) {
	at := c.At
	v := c.Number(it.field)
	switch it.field {
	case &coreDPNID:
		c.dpnid = v
	case &coreInfoFlags:
		c.info = v
	case &coreLibrary:
		c.library = v
	case &coreEntryCount, &coreOpCount:
		c.counts[0] = v
	case &coreMemberCount:
		c.counts[1] = v
	case &coreResult:
		if name := resultNames[uint32(v)]; name != "" {
			c.Tree.AddLabel(&coreResultName, name, at<<3, 32)
		}
	}
	if it.hint && !c.Failed() && c.names != nil && c.Tree != nil {
		if name := c.names.players[v]; name != "" {
			c.Tree.AddLabel(&corePlayerHint, name, 0, 0)
		}
	}
}

// resultNames are the DPNERR_ constants with which a connection can fail.
var resultNames = map[uint32]string{
	0x80004005: "generic",
	0x80158050: "alreadyclosing",
	0x80158260: "hostrejectedconnection",
	0x80158300: "invalidapplication",
	0x80158380: "invalidinstance",
	0x80158390: "invalidinterface",
	0x80158410: "invalidpassword",
	0x80158460: "invalidversion",
	0x80158530: "nothost",
}

// contents shows what the offsets of the items point to. fixed is where the fixed part ends.
func (c *coreCursor) contents(fixed int) {
	c.name = ""
	for i := range c.placed {
		p := &c.places[i]
		if p.from == 0 || p.size == 0 || c.Failed() {
			continue
		}
		from, end := uint64(c.base)+p.from, uint64(c.base)+p.from+p.size
		if end > uint64(c.End) {
			c.failOffset(&p.offset, fixed, p.from, p.size)
			return
		}
		c.content(p, int(from), int(end))
	}
}

// failOffset stops because an offset points after the message. The bytes after the fixed part stay undecoded.
func (c *coreCursor) failOffset(f *dissect.Field, fixed int, from, size uint64) {
	if c.Cut {
		c.Fail(f, fixed, dissect.ErrTruncated)
		return
	}
	c.Malformed(f, fixed, "%d bytes at offset %d, and the message has %d", size, from, c.End-c.base)
}

func (c *coreCursor) content(p *placing, from, end int) {
	b := c.B[from:end]
	if p.corePlace == placeName {
		c.name = utf16Text(b)
	}
	if c.Tree == nil && p.corePlace != placeAddresses {
		return
	}
	c.spans = append(c.spans, [2]int{from, end})
	switch p.content.Kind {
	case dissect.Label:
		c.Tree.AddLabel(&p.content, utf16Text(b), from<<3, len(b)<<3)
	case dissect.Text:
		text := b
		if zero := slices.Index(b, 0); zero >= 0 {
			text = b[:zero]
		}
		c.Tree.AddBytes(&p.content, text, from<<3, len(b)<<3)
	case dissect.List:
		c.addresses(p, from, end)
	default:
		c.Tree.AddBytes(&p.content, b, from<<3, len(b)<<3)
	}
}

// addresses reads a row of DN_ALTERNATE_ADDRESS.
func (c *coreCursor) addresses(p *placing, from, end int) {
	c.EnterAt(&p.content, from)
	for from < end && !c.Failed() {
		size := int(c.B[from])
		if size < 3 || size > end-from-1 {
			c.Malformed(&p.content, from, "an address of %d bytes, and %d are left", size, end-from-1)
			break
		}
		b := c.B[from : from+1+size]
		c.EnterAt(&addressField, from)
		c.Tree.Add(&addressSize, uint64(size), from<<3, 8)
		c.Tree.Add(&addressFamily, uint64(b[1]), (from+1)<<3, 8)
		c.Tree.Add(&addressPort, uint64(b[2])<<8|uint64(b[3]), (from+2)<<3, 16)
		if a, ok := netip.AddrFromSlice(b[4:]); ok && (b[1] == familyIPv4 && a.Is4() || b[1] == familyIPv6 && a.Is6()) {
			if c.Tree != nil {
				c.Tree.AddLabel(&addressText, a.String(), (from+4)<<3, (size-3)<<3)
			}
		} else {
			c.Tree.AddBytes(&addressData, b[4:], (from+4)<<3, (size-3)<<3)
		}
		from += 1 + size
		c.Tree.Close(from << 3)
	}
	c.Tree.Close(from << 3)
}

// Address families as Windows numbers them.
const (
	familyIPv4 = 2
	familyIPv6 = 23
)

// unreferenced shows bytes after the fixed part that no offset points to.
func (c *coreCursor) unreferenced(fixed int) {
	if c.Failed() {
		return
	}
	defer func() { c.At = c.End }()
	if c.Tree == nil {
		return
	}
	slices.SortFunc(c.spans, func(a, b [2]int) int { return a[0] - b[0] })
	open, at := false, fixed
	for _, s := range append(c.spans, [2]int{c.End, c.End}) {
		if s[0] > at {
			if !open {
				open = true
				c.EnterAt(&coreUnreferenced, at)
			}
			c.Tree.AddBytes(coreUnreferenced.Children[0], c.B[at:s[0]], at<<3, (s[0]-at)<<3)
		}
		at = max(at, s[1])
	}
	if open {
		c.Tree.Close(c.End << 3)
	}
}

// utf16Text is a text of little-endian 16-bit units, to its zero.
func utf16Text(b []byte) string {
	var units []uint16
	for i := 0; i+1 < len(b); i += 2 {
		u := uint16(cursor.Little(b[i : i+2]))
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units))
}
