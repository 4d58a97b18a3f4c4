package world

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Unpack makes an empty world equal to the one that was packed.
func (k *Packed) Unpack(w *World) {
	pool, baselines, ring, scratch := w.Pool, w.Baselines, w.Ring, w.scratch
	*w = k.of
	w.Pool, w.Baselines, w.Ring = pool, baselines, ring
	w.Pool.free = w.Pool.free[:0]
	u := unpacker{in: k.bytes, pool: &w.Pool, newest: make([]int32, MaxEntities)}
	for number := u.uint(); number != 0; number = u.uint() {
		w.Baselines.Set(int32(number)-1, u.state(int32(number)-1))
	}
	for place := u.uint(); place != 0; place = u.uint() {
		slot := &w.Ring[place-1]
		if *slot == nil {
			*slot = new(Snapshot)
		}
		u.snapshot(*slot)
	}
	if len(u.in) > 0 {
		if w.scratch = scratch; scratch == nil {
			w.scratch = new(Snapshot)
		}
		u.bare(w.scratch)
	}
	w.Pool.leave(u.states)
}

// next returns the state of an index, the one after the last of those that were taken.
func (p *Pool) next(i int32) *tables.State {
	if int(i) == len(p.used) {
		p.blocks = append(p.blocks, new([statesPerBlock]tables.State))
		p.used = append(p.used, make([]bool, statesPerBlock)...)
	}
	return p.At(i)
}

// leave frees the states from an index on.
func (p *Pool) leave(from int32) {
	for i := from; int(i) < len(p.used); i++ {
		p.free = append(p.free, i)
	}
}

// An unpacker reads what a packer wrote.
type unpacker struct {
	in     []byte
	pool   *Pool
	states int32   // so far
	newest []int32 // by entity: index of the state that was read last, plus one
	player Player  // the one that was read last
	others map[uint8]*Player
}

func (u *unpacker) long() uint64 {
	v, n := binary.Uvarint(u.in)
	u.in = u.in[n:]
	return v
}

func (u *unpacker) uint() uint32 { return uint32(u.long()) }

func (u *unpacker) byte() byte {
	b := u.in[0]
	u.in = u.in[1:]
	return b
}

// values changes the values that differ.
func (u *unpacker) values(v []uint32) {
	i := 0
	for gap := u.byte(); gap != end; gap = u.byte() {
		i += int(gap)
		v[i] ^= u.uint()
		i++
	}
}

// fields changes what differs in a state.
func (u *unpacker) fields(s *tables.State) {
	s.Known ^= u.long()
	u.values(s.Values[:])
	if u.uint() == 0 {
		s.More = nil
		return
	}
	if s.More == nil {
		s.More = new(tables.More)
	}
	for i := range s.More {
		s.More[i].Known ^= u.long()
		u.values(s.More[i].Values[:])
	}
}

func (u *unpacker) state(number int32) (index int32) {
	if index = int32(u.uint()) - 1; index < 0 {
		index = u.states
		s := u.pool.next(index)
		if i := u.newest[number]; i != 0 {
			s.Set(u.pool.At(i - 1))
		} else {
			s.Set(&unknownEntity)
		}
		u.fields(s)
		u.states++
	}
	u.newest[number] = index + 1
	return index
}

func (u *unpacker) bare(s *Snapshot) {
	flags := u.uint()
	s.drop()
	s.Valid, s.Partial, s.Untimed = flags&1 != 0, flags&2 != 0, flags&4 != 0
	s.Sequence, s.ServerTime = int32(u.uint()), int32(u.uint())
	s.near, s.Flags = int32(u.uint()), u.uint()
}

func (u *unpacker) snapshot(s *Snapshot) {
	if u.bare(s); !s.Valid {
		return
	}
	u.next(&s.Player, &u.player)
	number := int32(0)
	for step := u.uint(); step != 0; step = u.uint() {
		number += int32(step) - 1
		s.Entities = append(s.Entities, entityRef{Number: number, State: u.state(number)})
	}
	n := u.uint()
	if n == 0 {
		return
	}
	s.Players = make(map[uint8]*Player, n-1)
	if u.others == nil {
		u.others = map[uint8]*Player{}
	}
	for range n - 1 {
		client := u.byte()
		last := u.others[client]
		if last == nil {
			last = new(Player)
			u.others[client] = last
		}
		p := new(Player)
		u.next(p, last)
		s.Players[client] = p
	}
}

// next reads a player, who then is the last one.
func (u *unpacker) next(p, last *Player) {
	u.fields(&last.State)
	for i := range last.Arrays {
		last.ArraysKnown[i] ^= uint16(u.long())
		u.elements(&last.Arrays[i])
	}
	hasExtra, hasVehicle := u.byte() != 0, u.byte() != 0
	switch {
	case !hasExtra:
		last.Extra = nil
	default:
		if last.Extra == nil {
			last.Extra = new(ExtraArrays)
		}
		for i := range last.Extra.Values {
			last.Extra.Known[i] ^= uint16(u.long())
			u.elements(&last.Extra.Values[i])
		}
	}
	if last.Vehicle = nil; hasVehicle {
		last.Vehicle = new(Player)
		u.next(last.Vehicle, new(Player))
	}
	p.Set(last)
}

func (u *unpacker) elements(v *[arrayLength]int32) {
	i := 0
	for gap := u.byte(); gap != end; gap = u.byte() {
		i += int(gap)
		v[i] = int32(uint32(v[i]) ^ u.uint())
		i++
	}
}
