package modeltest

import (
	"fmt"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// A toy is a protocol whose datagrams say what is to happen to them; see toyDatagram.
type toy struct {
	name      string
	odd       byte                               // the toy's conversations have even or odd numbers
	made      func(*toyRouter)                   // told of every new router
	shrunk    func()                             // told of every Shrink
	forgets   bool                               // some conversations have nothing to keep when they are idle
	dissected func(r *dissect.Record, done bool) // told of every Dissect
	ends      bool                               // conversations have something to say at the end
}

// A toyDatagram is the content of a toy's datagram.
type toyDatagram struct {
	kind      byte              // toyMine, toyWeak or toyForeign
	conv      byte              // number of the conversation on the wire
	direction dissect.Direction //
	brings    byte              // what the other direction may be waiting for
	needs     byte              // wait until the other direction has brought as much
	flags     byte              // toyDamaged, toyMessage
	size      int               // bytes; at least toyHeader
}

const (
	toyHeader  = 6
	toyMine    = 'M' // decides the conversation
	toyWeak    = 'W' // Mine once the conversation is decided; at last, if brings is odd
	toyDecoy   = 'D' // Foreign once the conversation is decided; at last, Foreign
	toyGiveUp  = 'G' // Foreign, and so are weak ones until the conversation is decided again
	toyForeign = 'F'

	toyDamaged = 1
	toyMessage = 2
)

func (d toyDatagram) payload() []byte {
	b := make([]byte, max(d.size, toyHeader))
	copy(b, []byte{d.kind, d.conv, byte(d.direction), d.brings, d.needs, d.flags})
	return b
}

// packet sets the addresses of the datagram: four conversations share a pair.
func (d toyDatagram) packet(frame uint64) dissect.Packet {
	src := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, d.conv / 4}), 1000)
	dst := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, 1}), 2000)
	if d.direction == dissect.ServerToClient {
		src, dst = dst, src
	}
	b := d.payload()
	return dissect.Packet{Frame: frame, Src: src, Dst: dst, UDP: true, Payload: b, Length: len(b)}
}

var (
	toyRoot = dissect.Field{Key: "toy", Kind: dissect.Object, Children: []*dissect.Field{&toySum}}
	toySum  = dissect.Field{Key: "sum", Kind: dissect.Uint}
)

func (t *toy) protocol() *dissect.Protocol {
	return &dissect.Protocol{
		Name: t.name, Title: "a toy", Root: func() *dissect.Field { return &toyRoot },
		Dissects:        []string{t.name, t.name + "-variant"},
		NewRouter:       t.newRouter,
		NewConversation: func(dissect.Options) dissect.Conversation { return &toyConversation{toy: t} },
		AppendInfo:      func(dst []byte, _ *dissect.Record) []byte { return dst },
		End:             func(c dissect.Conversation, rec *dissect.Record) bool { return c.(*toyConversation).end(rec) },
	}
}

func (t *toy) newRouter() dissect.Router {
	r := &toyRouter{
		toy: t, convs: make(map[byte]*dissect.Stream), decided: make(map[byte]int64),
		hopeless: make(map[byte]bool),
	}
	if t.made != nil {
		t.made(r)
	}
	return r
}

type toyRouter struct {
	toy      *toy
	convs    map[byte]*dissect.Stream
	decided  map[byte]int64 // newest time
	claimed  map[uint16]string
	hopeless map[byte]bool
	asked    []string // frames, with "!" for the last time
	expired  []int64
}

func (r *toyRouter) Route(p *dissect.Packet, now int64, last bool) dissect.Route {
	if r.toy.made != nil {
		ask := fmt.Sprint(p.Frame)
		if last {
			ask += "!"
		}
		r.asked = append(r.asked, ask)
	}
	if r.claimed[p.Src.Port()] != "" || r.claimed[p.Dst.Port()] != "" {
		return r.mine(now, 255-r.toy.odd, dissect.ClientToServer)
	}
	if len(p.Payload) < toyHeader || p.Payload[1]%2 != r.toy.odd {
		return dissect.Route{}
	}
	kind, conv := p.Payload[0], p.Payload[1]
	_, decided := r.decided[conv]
	switch {
	case kind == toyGiveUp:
		delete(r.decided, conv)
		r.hopeless[conv] = true
	case kind != toyMine && r.hopeless[conv]:
	case kind == toyMine, kind == toyWeak && decided, kind == toyWeak && last && p.Payload[3]%2 == 1:
		return r.mine(now, conv, dissect.Direction(p.Payload[2]))
	case (kind == toyWeak || kind == toyDecoy) && !decided:
		return dissect.Route{Decision: dissect.Undecided} // even at last: counts as Foreign
	}
	return dissect.Route{}
}

func (r *toyRouter) mine(now int64, conv byte, d dissect.Direction) dissect.Route {
	stream := r.convs[conv]
	if stream == nil {
		stream = new(dissect.Stream)
		r.convs[conv] = stream
	}
	delete(r.hopeless, conv)
	r.decided[conv] = max(r.decided[conv], now)
	return dissect.Route{Decision: dissect.Mine, Stream: stream, Direction: d, Hint: uint64(conv)}
}

func (r *toyRouter) Claim(port uint16, as string) {
	if r.claimed == nil {
		r.claimed = make(map[uint16]string)
	}
	r.claimed[port] = as
}

func (r *toyRouter) Expire(before int64) {
	r.expired = append(r.expired, before)
	for conv, last := range r.decided {
		if last < before {
			delete(r.decided, conv)
		}
	}
}

// A toyConversation remembers what it was asked to do in a checksum, so that any other order shows.
type toyConversation struct {
	toy     *toy
	seen    [3]byte // by direction
	sum     uint64
	shrinks byte
}

func (c *toyConversation) Dissect(rec *dissect.Record) bool {
	done := c.dissect(rec)
	if c.toy.dissected != nil {
		c.toy.dissected(rec, done)
	}
	return done
}

func (c *toyConversation) dissect(rec *dissect.Record) bool {
	tree := rec.Decoding()
	tree.Open(&toyRoot, 0)
	if len(rec.Payload) < toyHeader { // claimed
		tree.CloseAll(0)
		return true
	}
	d := rec.Payload
	own, other := rec.Direction, (dissect.ClientToServer+dissect.ServerToClient-rec.Direction)%3
	if own != dissect.Undecidable && d[4] > c.seen[other] && !rec.Final {
		// What an attempt leaves must not show.
		rec.Damaged, rec.MessageDone, rec.Message = true, true, d
		rec.Experts = append(rec.Experts, dissect.Expert{Code: "attempt"})
		return false
	}
	c.seen[own] = max(c.seen[own], d[3])
	final := byte(0)
	if own != dissect.Undecidable && d[4] > c.seen[other] {
		final = 1
	}
	c.add(byte(rec.Frame), byte(rec.Frame>>8), final, c.shrinks, byte(len(d)))
	c.add(d[:toyHeader]...)
	tree.Add(&toySum, c.sum, 0, 64)
	tree.CloseAll(64)
	if d[5]&toyMessage != 0 {
		rec.MessageDone = true
	}
	if d[5]&toyDamaged != 0 {
		rec.Expert(dissect.Fault, "damaged", &toySum, 0, "as it says")
	}
	return true
}

// add is FNV-1a.
func (c *toyConversation) add(bytes ...byte) {
	for _, b := range bytes {
		c.sum = (c.sum ^ uint64(b)) * 1099511628211
	}
}

// end returns a note for every other stream, if the toy ends.
func (c *toyConversation) end(rec *dissect.Record) bool {
	rec.Frame = c.sum
	return c.toy.ends && rec.Stream%2 == 1
}

func (c *toyConversation) Shrink() (kept any) {
	if c.toy.shrunk != nil {
		c.toy.shrunk()
	}
	c.shrinks++
	c.seen = [3]byte{}
	if c.toy.forgets && c.sum%2 != 0 {
		return nil
	}
	return c
}

// toyLine renders everything that a record has.
func toyLine(_ int, dst []byte, r *dissect.Record) ([]byte, error) {
	protocol := "-"
	if r.Protocol != nil {
		protocol = r.Protocol.Name
	}
	sum := uint64(0)
	if len(r.Tree.Nodes) == 2 {
		sum = r.Tree.Nodes[1].Uint()
	}
	dst = fmt.Appendf(dst, "%s#%d %s %d %v hint %d first %d previous %d", r.File, r.Frame, protocol, r.Stream, r.Direction,
		r.Hint, r.FirstTime, r.Previous)
	dst = fmt.Appendf(dst, " nodes %d sum %x message %t %v\n", len(r.Tree.Nodes), sum, r.Message != nil, r.Experts)
	return dst, nil
}
