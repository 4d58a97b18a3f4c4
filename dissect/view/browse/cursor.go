package browse

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

const (
	keptCursors = 16       // places in streams that are remembered
	keptRecords = 128      // answers that are remembered
	keptBytes   = 16 << 20 // of their memory, about, beyond those of lookBack
	lookBack    = 32       // records before one that was asked for that are kept when a stream is read backwards
)

// Cursors are places in streams from which on they are dissected, and records that were asked for.
type cursors struct {
	framing bool // the records have what frames their fields
	places  []*cursor
	turn    int
	records map[int]*Record
	order   []int // of the records, oldest first
	size    int   // of the records: bytes of memory, about
}

// A cursor is a place in a stream.
type cursor struct {
	replay *engine.Replay
	rows   streamScanner
	used   int    // when it was used last
	frame  uint64 // of the datagram that was dissected last
	want   map[uint64]wanted
}

// A wanted record is one that is to be kept when it comes.
type wanted struct {
	number int
	row    row
}

// record returns a record, from memory or by dissecting its stream.
func (c *cursors) record(s *Session, number int) (*Record, error) {
	if a := c.records[number]; a != nil {
		return a, nil
	}
	w, err := s.index.row(number)
	if err != nil {
		return nil, err
	}
	if w.stream < 0 {
		rec := dissect.NewRecord()
		rec.Packet, rec.File, rec.FirstTime = w.packet, s.recordFile(w.file), s.index.firstTime(w.file)
		return c.keep(number, s.build(number, &w, rec)), nil
	}
	place := c.place(s, &w)
	early, err := place.advance(s, c, number, &w)
	if err != nil {
		c.drop(place)
		return nil, err
	}
	a := c.records[number]
	if a == nil {
		return nil, ErrNoRow
	}
	if early {
		c.forget(number) // asked for again it may say more
	}
	return a, nil
}

// place returns a cursor of a row's stream: the one that was left nearest before the row, or else one at the nearest
// saved state, or at the beginning.
func (c *cursors) place(s *Session, w *row) *cursor {
	c.turn++
	key := streamKey{w.file, w.stream}
	var near *cursor
	for _, p := range c.places {
		if p.rows.key == key && p.frame < w.packet.Frame && (near == nil || p.frame > near.frame) {
			near = p
		}
	}
	state := s.saved.before(key, w.packet.Frame)
	if near != nil && (state == nil || state.Frame <= near.frame) {
		near.used = c.turn
		return near
	}
	if len(c.places) >= keptCursors {
		oldest := slices.MinFunc(c.places, func(a, b *cursor) int { return a.used - b.used })
		c.drop(oldest)
	}
	p := &cursor{rows: streamScanner{index: s.index, key: key}, used: c.turn, want: map[uint64]wanted{}}
	show := func(rec *dissect.Record) {
		if want, ok := p.want[rec.Frame]; ok {
			delete(p.want, rec.Frame)
			c.keep(want.number, s.build(want.number, &want.row, rec))
		}
	}
	cfg := s.config(w.file)
	cfg.Options.Framing = c.framing
	if state == nil {
		p.replay = engine.NewReplay(cfg, s.recordFile(w.file), w.stream, show)
	} else {
		p.replay = engine.NewReplayFrom(cfg, s.recordFile(w.file), state, show)
		p.rows.seek(state.Frame + 1)
		p.frame = state.Frame
	}
	c.places = append(c.places, p)
	return p
}

// drop forgets a cursor.
func (c *cursors) drop(p *cursor) {
	c.places = slices.DeleteFunc(c.places, func(o *cursor) bool { return o == p })
}

// keep remembers an answer for a while.
func (c *cursors) keep(number int, a *Record) *Record {
	if c.records == nil {
		c.records = map[int]*Record{}
	}
	if c.records[number] == nil {
		c.order = append(c.order, number)
	}
	c.forget(number)
	c.records[number] = a
	c.size += a.size()
	for n := len(c.order); n > keptRecords || c.size > keptBytes && n > lookBack+1; n-- {
		c.forget(c.order[0])
		c.order = c.order[1:]
	}
	return a
}

// forget drops an answer.
func (c *cursors) forget(number int) {
	if a := c.records[number]; a != nil {
		c.size -= a.size()
		delete(c.records, number)
	}
}

// size returns about how many bytes of memory an answer takes: most of it is fields, with three texts of their own.
func (a *Record) size() int {
	const field = 256
	size := len(a.line) + len(a.Fields)*field
	for i := range a.Layers {
		size += len(a.Layers[i].Bytes)
	}
	return size
}

// advance dissects the stream up to a row, and on until its record has what it waits for. early means that what it
// waits for may be in the part that is not read yet.
func (p *cursor) advance(s *Session, c *cursors, number int, to *row) (early bool, err error) {
	window := lookBehind(s, number, to)
	for {
		b, ok, err := p.rows.next()
		if err != nil {
			return false, err
		}
		if !ok {
			p.replay.Release()
			c.drop(p) // more of the stream may come, for which this would have been too early
			return !s.Status().Done, nil
		}
		frame := rowFrame(b)
		if frame <= p.frame {
			continue // before the state that the cursor began with
		}
		want, shown := window[frame]
		if shown && c.records[want] != nil {
			shown = false
		}
		var w row
		if shown {
			b = bytes.Clone(b)
		}
		if err := w.decode(b, s.index.readings); err != nil {
			return false, err
		}
		w.ticket.FirstTime = s.index.firstTime(w.file)
		if shown {
			p.want[frame] = wanted{want, w}
		}
		p.frame = frame
		p.replay.Datagram(&w.packet, w.ticket, shown)
		if frame >= to.packet.Frame && !p.replay.Waits() {
			return false, nil
		}
	}
}

// lookBehind returns the rows of a stream that lead to one: itself and a few before it, by frame, so that
// the next one backwards is there.
func lookBehind(s *Session, number int, to *row) map[uint64]int {
	window := map[uint64]int{to.packet.Frame: number}
	first := max(0, number-lookBack)
	_ = s.index.scan(first, func(n int, b []byte) bool { // a fault shows when the row itself is read
		if rowFile(b) == to.file && rowStream(b) == to.stream {
			window[rowFrame(b)] = n
		}
		return n < number
	})
	return window
}
