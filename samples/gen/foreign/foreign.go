// Package foreign makes the traffic of programs that q3dissect does not dissect, correctly formed by their public
// descriptions: what a program that names protocols must leave alone.
//
//	for _, k := range foreign.Kinds() {
//		for _, d := range k.Flow(seed) { … }
//	}
//
// The same kind and seed give the same datagrams. Bytes of keys and media are random.
package foreign

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// Datagrams is how many a flow has.
const Datagrams = 50

// A Kind is one kind of traffic.
type Kind struct {
	Name string
	Port uint16 // of the server; 0: any
	// Greets means that the flows have out-of-band texts that games of other engines share with the Quake III family,
	// word for word: naming these is no mistake.
	Greets bool

	fill func(f *flow)
}

// A Datagram is one of a flow.
type Datagram struct {
	FromServer bool
	Payload    []byte
}

// Kinds are all kinds, in a fixed order.
func Kinds() []Kind {
	return slices.Concat(services, measurement, tunnels, media, engines, libraries, shapes)
}

// Flow makes the datagrams between one client and one server.
func (k Kind) Flow(seed uint64) []Datagram {
	h := fnv.New64a()
	h.Write([]byte(k.Name))
	f := &flow{Rand: rand.New(rand.NewPCG(h.Sum64(), seed)), seed: seed}
	for len(f.list) < Datagrams {
		f.round++
		k.fill(f)
	}
	return f.list[:Datagrams]
}

// A flow is being made: fill adds one exchange after the other until there are enough datagrams.
type flow struct {
	*rand.Rand
	list  []Datagram
	round int // of fill, from 1
	seed  uint64

	secret [4]uint64 // what the two sides agree on in the first round
	sent   [2]uint32 // counters of the client's and the server's datagrams
}

// ask adds a datagram of the client.
func (f *flow) ask(parts ...any) { f.add(false, parts) }

// answer adds one of the server.
func (f *flow) answer(parts ...any) { f.add(true, parts) }

func (f *flow) add(fromServer bool, parts []any) {
	f.list = append(f.list, Datagram{fromServer, big(parts...)})
}

// first reports whether this is the first round, in which the secrets are drawn.
func (f *flow) first() bool {
	if f.round == 1 {
		for i := range f.secret {
			f.secret[i] = f.Uint64()
		}
	}
	return f.round == 1
}

// bytes makes n random bytes.
func (f *flow) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(f.Uint32())
	}
	return b
}

// upTo makes between least and most random bytes.
func (f *flow) upTo(least, most int) []byte { return f.bytes(least + f.IntN(most-least+1)) }

// count returns the next number of a side, from 1.
func (f *flow) count(fromServer bool) uint32 {
	side := 0
	if fromServer {
		side = 1
	}
	f.sent[side]++
	return f.sent[side]
}

// either adds a datagram of a side that is drawn, made by what it sends.
func (f *flow) either(payload func(fromServer bool) []byte) {
	fromServer := f.IntN(2) == 1
	f.list = append(f.list, Datagram{fromServer, payload(fromServer)})
}

// word draws a name.
func (f *flow) word() string {
	words := [...]string{"alpha", "bravo", "castle", "delta", "ember", "frost", "gamma", "harbour", "island", "juniper"}
	return words[f.IntN(len(words))] + fmt.Sprint(f.IntN(1000))
}

// big puts numbers, texts and bytes together, numbers with the highest byte first.
func big(parts ...any) []byte { return appendParts(nil, binary.BigEndian, parts) }

// little puts them together with the lowest byte first.
func little(parts ...any) []byte { return appendParts(nil, binary.LittleEndian, parts) }

func appendParts(b []byte, order binary.AppendByteOrder, parts []any) []byte {
	for _, p := range parts {
		switch p := p.(type) {
		case byte:
			b = append(b, p)
		case int: // a byte written as a plain number
			b = append(b, byte(p))
		case uint16:
			b = order.AppendUint16(b, p)
		case uint32:
			b = order.AppendUint32(b, p)
		case uint64:
			b = order.AppendUint64(b, p)
		case string:
			b = append(b, p...)
		case []byte:
			b = append(b, p...)
		default:
			panic(fmt.Sprintf("a %T in a datagram", p))
		}
	}
	return b
}

// uint24 returns the lowest three bytes of a number, the lowest first.
func uint24(n uint32) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16)} }

// zeros makes n bytes 0.
func zeros(n int) []byte { return make([]byte, n) }
