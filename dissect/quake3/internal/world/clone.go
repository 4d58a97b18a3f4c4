package world

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Clone returns an independent copy and its approximate size in bytes. Only states that
// are referred to are in it.
func (w *World) Clone() (c *World, size int) {
	c = &World{BaselinesKnown: w.BaselinesKnown, Restarted: w.Restarted, count: w.count, counted: w.counted}
	c.clock, c.seen = w.clock, w.seen
	moved := make(map[int32]int32)
	move := func(i int32) int32 {
		to, ok := moved[i]
		if !ok {
			to = int32(len(moved))
			moved[i] = to
			if int(to)%statesPerBlock == 0 {
				c.Pool.blocks = append(c.Pool.blocks, new([statesPerBlock]tables.State))
			}
			from := w.Pool.At(i)
			c.Pool.At(to).Set(from)
			size += moreBytes(from)
		}
		return to
	}
	for number, i := range w.Baselines.All() {
		c.Baselines.Set(number, move(i))
	}
	for i, s := range w.Ring {
		if s == nil || !s.Valid {
			continue
		}
		c.Ring[i] = s.clone()
		for j := range s.Entities {
			c.Ring[i].Entities[j].State = move(s.Entities[j].State)
		}
		size += snapshotSize + entityRefSize*len(s.Entities) + s.Player.bytes()
		for _, p := range s.Players {
			size += p.bytes()
		}
	}
	c.Pool.used = make([]bool, len(c.Pool.blocks)*statesPerBlock)
	for i := len(moved); i < len(c.Pool.used); i++ {
		c.Pool.free = append(c.Pool.free, int32(i))
	}
	return c, size + worldSize + stateSize*len(c.Pool.used)
}

// MemorySize returns the bytes of what the world holds, about. Memory that an earlier session left is not in it, nor
// states that nothing refers to any more: the result depends on the session alone.
func (w *World) MemorySize() int {
	p := &w.Pool
	clear(p.used)
	p.mark(w.scratch)
	n := worldSize
	for _, s := range append(w.Ring[:len(w.Ring):len(w.Ring)], w.scratch) {
		if s == nil {
			continue
		}
		p.mark(s)
		n += snapshotSize + entityRefSize*len(s.Entities) + s.Player.bytes()
		for _, other := range s.Players {
			n += other.bytes()
		}
	}
	for _, i := range w.Baselines.All() {
		p.used[i] = true
	}
	for i, used := range p.used {
		if used {
			n += stateSize + stateSize/2 + moreBytes(p.At(int32(i))) // a third of all states is unused
		}
	}
	return n
}

// Small reports whether the memory of an empty world is so small that another session may have it.
func (w *World) Small() bool { return len(w.Pool.used) <= smallPool }

// smallPool is a number of states that most sessions need.
const smallPool = 512

// Bytes of memory, about.
const (
	worldSize     = 6 << 10
	snapshotSize  = 96
	playerSize    = 544
	extraSize     = 528
	stateSize     = 248
	moreSize      = 480 // of the further pages of a state
	entityRefSize = 8
)

func moreBytes(s *tables.State) int {
	if s.More == nil {
		return 0
	}
	return moreSize
}

func (p *Player) bytes() int {
	n := playerSize + moreBytes(&p.State)
	if p.Extra != nil {
		n += extraSize
	}
	if p.Vehicle != nil {
		n += p.Vehicle.bytes()
	}
	return n
}

// clone returns a snapshot of its own, whose entities refer to the same states.
func (s *Snapshot) clone() *Snapshot {
	c := *s
	c.Player = Player{}
	c.Player.Set(&s.Player)
	c.Entities = slices.Clone(s.Entities)
	if s.Players != nil {
		c.Players = make(map[uint8]*Player, len(s.Players))
		for client, p := range s.Players {
			own := new(Player)
			own.Set(p)
			c.Players[client] = own
		}
	}
	return &c
}

// Clone returns a Reader without a world that reads on from the same state.
func (r *Reader) Clone() Reader {
	c := *r
	c.World, c.wide, c.area = nil, nil, nil
	return c
}

// Trim gives back the memory that reading a snapshot uses.
func (r *Reader) Trim() { r.wide, r.area = nil, nil }
