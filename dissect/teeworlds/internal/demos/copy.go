package demos

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A Copy makes a demo that plays of another one, or of a part of it. Chunks are as they were, but for a snapshot whose
// base is not in the copy, which is written whole; what cannot be read is left out.
type Copy struct {
	wants extract.DemoRange
	w     Writer
	head  copyHead
	state state

	before []byte // messages before the first tick, where the file has them, too
	early  []byte // messages that come after the first snapshot
	held   int    // messages in both
	index  uint32
	data   []byte
	snap   Snapshot
	told   *extract.DemoTold

	parts   []extract.DemoPart // that are not over, with DemoRange.Parts
	within  bool               // the first of them has begun
	chained bool               // the snapshot before is in the copy
	broken  bool               // a snapshot before could not be read: differences have no base
	mended  mended
	clock   clock
}

// earlyBytes is how much is kept of messages before the first snapshot, each.
const earlyBytes = 1 << 20

// A Chunk is one of the demo that is copied, which was just read.
type Chunk struct {
	Kind    byte // 0: none of the known ones
	Bad     bool // it could not be read
	Tick    int32
	Timed   bool // Tick is known
	Doubted bool // the tick of the file leaps, and Tick is one near it
	Odd     bool // players do not read the markers as they are meant
	Marks   string
	Data    []byte // as it is in the file, its head included
	Last    string // markers after it, if it is the last one

	Key     string // of a message
	Payload []byte // of a message
}

// NewCopy returns what copies the wanted part of a demo; nil: none is wanted.
func NewCopy(wants *extract.DemoRange, dialect tables.Dialect, header []byte, carried *extract.File) *Copy {
	if wants == nil {
		return nil
	}
	d := &Copy{wants: *wants, state: newState()}
	d.head.take(header, carried, wants.Map, &d.mended)
	d.w = Writer{Dialect: dialect, Legacy: d.head.version < shortTicks}
	d.clock.legacy = d.w.Legacy
	return d
}

// Take adds a chunk. snapshot fills in the present snapshot of the game.
func (d *Copy) Take(rec *dissect.Record, c *Chunk, snapshot func(*Snapshot) bool) {
	d.index++
	d.data = d.data[:0]
	d.choose(rec)
	before := d.w.Chunks
	tick, timed := d.clock.at(c, &d.mended)
	p := &rec.Demo
	*p = extract.Demo{Message: true, Sequence: d.index, ServerTime: tick * tickMsec, HasTime: timed}
	if c.Kind == ChunkMessage {
		p.Left = d.message(c, tick, timed)
	} else {
		p.Left = d.snapshot(c, tick, timed, snapshot)
	}
	if c.Last != "" && d.w.begun {
		d.last(c)
	}
	if d.told == nil && len(d.data) == 0 {
		return
	}
	if d.told == nil {
		d.told = &extract.DemoTold{MapInside: len(d.head.carried) > 0}
		p.Begin = &extract.DemoHead{
			Extension: "demo", Protocol: d.protocol(), Map: d.head.mapName(), Client: -1, Rebuilt: d.mended.begun, Told: d.told,
		}
		if d.within {
			p.Begin.Part = &d.parts[0]
		}
		d.data = slices.Concat(d.head.bytes, d.head.carried, d.before, d.data)
		d.before = nil
	}
	d.told.Header = d.head.append(d.told.Header[:0], d.w.First, d.w.Tick)
	d.told.FirstTick, d.told.LastTick = d.w.First, d.w.Tick
	d.told.Repaired, d.told.Lost = d.mended.words(&d.head, d.w.First, d.w.Tick), d.mended.lost
	p.Data, p.Messages = d.data, d.w.Chunks-before
}

// choose begins and ends the wanted parts.
func (d *Copy) choose(rec *dissect.Record) {
	if d.wants.Parts == nil {
		return
	}
	if d.index == 1 {
		d.parts = d.wants.Parts[max(rec.Stream, 0)]
	}
	for len(d.parts) > 0 && rec.Frame > d.parts[0].Last {
		d.parts, d.within = d.parts[1:], false
	}
	if within := len(d.parts) > 0 && rec.Frame >= d.parts[0].First; within && !d.within {
		d.w = Writer{Dialect: d.w.Dialect, Legacy: d.w.Legacy}
		d.within, d.told, d.chained = true, nil, false
		d.mended = mended{texts: d.mended.texts, mapLost: d.mended.mapLost}
	}
}

// protocol returns the number that the manifest has.
func (d *Copy) protocol() int {
	if d.w.Dialect == tables.V07 {
		return 7
	}
	return 6
}

// tickMsec is how long a tick lasts.
const tickMsec = 20

// inRange reports whether a tick is wanted.
func (d *Copy) inRange(tick int32) bool {
	if d.wants.Parts != nil {
		return d.within
	}
	at := int64(tick) * tickMsec
	return (!d.wants.HasFrom || at >= int64(d.wants.From)) && (!d.wants.HasTo || at <= int64(d.wants.To))
}

// snapshot takes a snapshot, or bytes that are no chunk.
func (d *Copy) snapshot(c *Chunk, tick int32, timed bool, fill func(*Snapshot) bool) extract.DemoLeft {
	whole := c.Kind == ChunkSnapshot
	if c.Bad || c.Kind == 0 || d.broken && !whole {
		d.broken = d.broken || c.Kind != 0 || len(c.Data) > 0
		d.chained = false
		if !d.inRange(tick) {
			return extract.DemoOutside
		}
		return d.lose(c, tick, timed)
	}
	d.broken = false
	switch {
	case !timed:
		d.chained = false
		return extract.DemoNoSnapshot
	case !d.inRange(tick):
		d.chained = false
		return extract.DemoOutside
	case d.w.begun && (tick < d.w.Tick || tick == d.w.Tick && !d.fits(c, whole)):
		d.chained = false
		return d.lose(c, tick, timed)
	case d.chained || whole:
		first := !d.w.begun
		d.mark(c, tick, whole)
		d.copy(c.Data)
		if d.chained = true; first {
			d.introduce()
		}
		return ""
	}
	d.snap.Reset()
	if !fill(&d.snap) {
		return d.lose(c, tick, timed)
	}
	first := !d.w.begun
	d.mended.begun = d.mended.begun || first
	if !first {
		d.mended.recoded++
	}
	d.data = d.w.Whole(d.data, tick, &d.snap)
	if d.chained = true; first {
		d.introduce()
	}
	return ""
}

// fits reports whether a snapshot can be one more of the last tick: a keyframe needs a tick of its own.
func (d *Copy) fits(c *Chunk, whole bool) bool {
	if whole {
		return c.Marks == "" && d.w.key == d.w.Tick
	}
	return d.chained
}

// introduce writes what comes before the first snapshot, and what a client knows from before.
func (d *Copy) introduce() {
	for _, payload := range d.state.messages() {
		d.data = d.w.Message(d.data, payload)
	}
	d.data = append(d.data, d.early...)
	d.w.Chunks += d.held
	d.early = nil
}

// message takes a message.
func (d *Copy) message(c *Chunk, tick int32, timed bool) extract.DemoLeft {
	inside := d.inRange(tick) && (timed || !d.wants.HasFrom)
	if !c.Bad && (!inside || d.wants.Parts != nil) {
		d.state.take(c.Key, c.Payload)
	}
	switch {
	case c.Bad && inside:
		return d.lose(c, tick, timed)
	case !inside, d.wants.Parts != nil && !d.w.begun:
		return extract.DemoOutside
	case d.w.begun:
		if timed && tick > d.w.Tick {
			d.mark(c, tick, false)
		}
		d.copy(c.Data)
		return ""
	}
	to := &d.before
	if timed {
		to = &d.early
	}
	if len(*to)+len(c.Data) > earlyBytes {
		return extract.DemoNoSnapshot
	}
	*to = append(*to, c.Data...)
	d.held++
	return ""
}

// copy appends a chunk as it is.
func (d *Copy) copy(chunk []byte) {
	d.mended.close()
	d.w.Chunks++
	d.data = append(d.data, chunk...)
}

// lose leaves out a chunk that cannot be read, or that has no place.
func (d *Copy) lose(c *Chunk, tick int32, timed bool) extract.DemoLeft {
	if !timed {
		tick = d.w.Tick
	}
	d.mended.lose(c, tick)
	return extract.DemoDamaged
}

// mark appends the markers before a chunk: those of the file, if they lead from the tick before to this one.
func (d *Copy) mark(c *Chunk, tick int32, whole bool) {
	at := d.w.Tick
	if !d.w.begun {
		at = -1
	}
	to, key, ok := walk(c.Marks, d.w.Legacy, at)
	switch {
	case !c.Odd && ok && to == tick && key == whole:
		d.data = append(d.data, c.Marks...)
		d.w.at(tick, whole)
		return
	case d.w.begun && tick == d.w.Tick && (!whole || c.Marks == ""):
		return
	case len(c.Marks) > markerBytes && d.w.begun: // those before it may be right
		steps := c.Marks[:len(c.Marks)-markerBytes]
		if to, key, ok = walk(steps, d.w.Legacy, at); ok && !key && to < tick {
			d.data = append(d.data, steps...)
			d.w.Tick = to
		}
	}
	d.mended.marks++
	d.data = d.w.Mark(d.data, tick, whole)
}

// last appends the markers after the last chunk.
func (d *Copy) last(c *Chunk) {
	to, key, ok := walk(c.Last, d.w.Legacy, d.w.Tick)
	switch {
	case !ok || key:
		if !d.inRange(d.clock.tick) {
			return
		}
		d.mended.lose(&Chunk{Data: []byte(c.Last)}, d.w.Tick)
	case d.inRange(to) && d.chained && d.clock.tick == d.w.Tick:
		d.data = append(d.data, c.Last...)
		d.w.Tick = to
	}
}
