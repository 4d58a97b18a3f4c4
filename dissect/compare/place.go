package compare

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// MaxDatagrams is how many datagrams of games a Place can have.
const MaxDatagrams = 20_000_000

// A Place is one of the two captures, as the datagrams of games that it has.
type Place struct {
	Name string
	// Letter names the place in texts: "A" for the first of Compare and "B" for the second if it is empty. Of more
	// than two captures each has its own.
	Letter string

	conversations []*Conversation
	byStream      map[int]*Conversation
	total         int
	cut           int   // datagrams that were captured only in part
	first, last   int64 // times of the first and the last datagram
}

// A Conversation is what one capture has of the traffic of a client with a server.
type Conversation struct {
	Stream         int // its number in the capture
	Protocol       string
	Client, Server netip.AddrPort // as the capture has them
	Datagrams      int

	sent   [2][]datagram // by client and server, in the order of the capture
	loader loader
}

// A datagram is what is kept of one. id is what it is recognised by at the other place.
type datagram struct {
	time  int64
	frame uint64
	id    identity
	head  identity // the same of its beginning alone, for captures that cut datagrams
}

// An identity is a part of the SHA-256 of a payload and its length. An attacker who can write into a capture could make
// two that are equal; chance does not.
type identity uint64

// headBytes is how much of a payload is always looked at: what remains of a packet that was cut at 96 bytes. It holds
// the sequence numbers of every protocol.
const headBytes = 48

func identify(payload []byte, length int) identity {
	h := sha256.Sum256(payload)
	return identity(binary.LittleEndian.Uint64(h[:]) ^ uint64(length)*0x9e3779b97f4a7c15)
}

// NewPlace returns a place without datagrams.
func NewPlace(name string) *Place { return &Place{Name: name, byStream: map[int]*Conversation{}} }

// Datagrams returns how many datagrams of games the capture has.
func (p *Place) Datagrams() int { return p.total }

// Add adds a record of the capture. They must come in the order of the capture. Records of no game, of no direction, or
// without a time are passed over. dissect.Options.Events and Inputs show when clients connect and load maps, which
// counts as pauses otherwise. The error means that there are more datagrams than MaxDatagrams.
func (p *Place) Add(rec *dissect.Record) error {
	if rec.Protocol == nil || rec.Stream < 0 || rec.Direction == dissect.Undecidable || !rec.HasTime ||
		rec.Recorded() || rec.Closing {
		return nil
	}
	if p.total == MaxDatagrams {
		return fmt.Errorf("more than %d datagrams of games: compare a part of the captures", MaxDatagrams)
	}
	c := p.byStream[rec.Stream]
	if c == nil {
		c = &Conversation{Stream: rec.Stream, Protocol: rec.Protocol.Name, Client: rec.Src, Server: rec.Dst}
		if rec.Direction == dissect.ServerToClient {
			c.Client, c.Server = c.Server, c.Client
		}
		p.byStream[rec.Stream] = c
		p.conversations = append(p.conversations, c)
	}
	if p.total == 0 {
		p.first, p.last = rec.Time, rec.Time
	}
	p.first, p.last = min(p.first, rec.Time), max(p.last, rec.Time)
	p.total++
	if rec.Truncated() {
		p.cut++
	}
	c.Datagrams++
	c.loader.add(rec)
	from := index(rec.Direction)
	c.sent[from] = append(c.sent[from], datagram{
		time: rec.Time, frame: rec.Frame,
		id:   identify(rec.Payload, rec.Length),
		head: identify(rec.Payload[:min(headBytes, len(rec.Payload))], rec.Length),
	})
	return nil
}

// index is the index of a direction's sender: 0 for the client.
func index(d dissect.Direction) int {
	if d == dissect.ClientToServer {
		return 0
	}
	return 1
}

// prepare chooses what datagrams are recognised by: all of the payload, or its beginning if one of the captures cut
// some.
func (p *Place) prepare(whole bool) {
	if whole {
		return
	}
	for _, c := range p.conversations {
		for _, list := range c.sent {
			for i := range list {
				list[i].id = list[i].head
			}
		}
	}
}

// ends are a conversation's addresses and protocol.
type ends struct {
	protocol       string
	client, server netip.AddrPort
}

func (c *Conversation) ends() ends { return ends{c.Protocol, c.Client, c.Server} }
