package world

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A Packed is a World in a tenth of its memory: each state is what differs from the one before it of the same entity.
type Packed struct {
	of    World  // without what is in bytes
	bytes []byte // baselines, then the snapshots by their sequence numbers, then the one that was read last
}

// Pack returns the world packed. The world itself stays as it is.
func (w *World) Pack() *Packed {
	p := packer{places: make([]uint32, len(w.Pool.used)), newest: make([]int32, MaxEntities)}
	for number, i := range w.Baselines.All() {
		p.uint(uint32(number) + 1)
		p.state(number, i, &w.Pool)
	}
	p.uint(0)
	for _, s := range w.inOrder() {
		p.uint(uint32(s.Sequence&(packetBackup-1)) + 1)
		p.snapshot(s, &w.Pool)
	}
	p.uint(0)
	if w.scratch != nil {
		p.bare(w.scratch)
	}
	of := *w
	of.Pool, of.Baselines, of.Ring, of.scratch = Pool{}, Baselines{}, [packetBackup]*Snapshot{}, nil
	return &Packed{of: of, bytes: slices.Clip(slices.Clone(p.out))}
}

// inOrder returns the snapshots in the order of their sequence numbers, so that each resembles the one before.
func (w *World) inOrder() (list []*Snapshot) {
	for _, s := range w.Ring {
		if s != nil {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *Snapshot) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return list
}

// A packer writes what differs between one value and the next of its kind.
type packer struct {
	out    []byte
	states uint32   // so far
	places []uint32 // by index in the pool: place in the order in which states are written, plus one; 0: it was not
	newest []int32  // by entity: index in the pool of the state that was written last, plus one
	player Player   // the one that was written last
	others map[uint8]*Player
}

func (p *packer) uint(v uint32) { p.out = binary.AppendUvarint(p.out, uint64(v)) }

// end is the distance that ends a list of values.
const end = math.MaxUint8

// values writes those that differ from others.
func (p *packer) values(v, from []uint32) {
	last := 0
	for i, x := range v {
		if x != from[i] {
			p.out = append(p.out, byte(i-last))
			p.uint(x ^ from[i])
			last = i + 1
		}
	}
	p.out = append(p.out, end)
}

// known writes a mask.
func (p *packer) known(v, from uint64) { p.out = binary.AppendUvarint(p.out, v^from) }

func (p *packer) fields(s, from *tables.State) {
	p.known(s.Known, from.Known)
	p.values(s.Values[:], from.Values[:])
	if s.More == nil {
		p.uint(0)
		return
	}
	p.uint(1)
	var none tables.More
	before := from.More
	if before == nil {
		before = &none
	}
	for i := range s.More {
		p.known(s.More[i].Known, before[i].Known)
		p.values(s.More[i].Values[:], before[i].Values[:])
	}
}

// state writes a state of an entity: 0 and what differs from its last one, or the place of one that was written.
func (p *packer) state(number, index int32, pool *Pool) {
	place := p.places[index]
	p.uint(place)
	if place == 0 {
		from := &unknownEntity
		if i := p.newest[number]; i != 0 {
			from = pool.At(i - 1)
		}
		p.fields(pool.At(index), from)
		p.states++
		p.places[index] = p.states
	}
	p.newest[number] = index + 1
}

// bare writes a snapshot without what is in it.
func (p *packer) bare(s *Snapshot) {
	flags := uint32(0)
	for i, set := range [...]bool{s.Valid, s.Partial, s.Untimed} {
		if set {
			flags |= 1 << i
		}
	}
	p.uint(flags)
	p.uint(uint32(s.Sequence))
	p.uint(uint32(s.ServerTime))
	p.uint(uint32(s.near))
	p.uint(s.Flags)
}

func (p *packer) snapshot(s *Snapshot, pool *Pool) {
	if p.bare(s); !s.Valid {
		return
	}
	p.next(&s.Player, &p.player)
	last := int32(0)
	for _, e := range s.Entities {
		p.uint(uint32(e.Number-last) + 1)
		p.state(e.Number, e.State, pool)
		last = e.Number
	}
	p.uint(0)
	if s.Players == nil {
		p.uint(0)
		return
	}
	p.uint(uint32(len(s.Players)) + 1)
	if p.others == nil {
		p.others = map[uint8]*Player{}
	}
	for _, client := range slices.Sorted(maps.Keys(s.Players)) {
		p.out = append(p.out, client)
		from := p.others[client]
		if from == nil {
			from = new(Player)
			p.others[client] = from
		}
		p.next(s.Players[client], from)
	}
}

// next writes a player, who then is the last one.
func (p *packer) next(q, last *Player) {
	p.fields(&q.State, &last.State)
	for i := range q.Arrays {
		p.known(uint64(q.ArraysKnown[i]), uint64(last.ArraysKnown[i]))
		p.elements(&q.Arrays[i], &last.Arrays[i])
	}
	p.out = append(p.out, present(q.Extra != nil), present(q.Vehicle != nil))
	if q.Extra != nil {
		before := last.Extra
		if before == nil {
			before = new(ExtraArrays)
		}
		for i := range q.Extra.Values {
			p.known(uint64(q.Extra.Known[i]), uint64(before.Known[i]))
			p.elements(&q.Extra.Values[i], &before.Values[i])
		}
	}
	if q.Vehicle != nil {
		p.next(q.Vehicle, new(Player))
	}
	last.Set(q)
}

func (p *packer) elements(v, from *[arrayLength]int32) {
	if *v == *from {
		p.out = append(p.out, end)
		return
	}
	var a, b [arrayLength]uint32
	for i := range v {
		a[i], b[i] = uint32(v[i]), uint32(from[i])
	}
	p.values(a[:], b[:])
}

func present(is bool) byte {
	if is {
		return 1
	}
	return 0
}
