package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/demos"
)

// copyChunk adds the chunk that was just read to the demo that is made of this one.
func (c *conversation) copyChunk(rec *dissect.Record, h demoHint) {
	if h.chunk() == demoHeaderChunk && rec.Frame == 1 {
		c.copy = demos.NewCopy(c.wants.demos, c.packet.dialect, rec.Payload, rec.Attached)
		return
	}
	if c.copy == nil {
		return
	}
	one := demos.Chunk{
		Kind: byte(h.chunk()), Bad: rec.Damaged || len(rec.Payload) == 1 || h&hintHole != 0, Tick: h.tick(),
		Timed: h&hintTick != 0, Doubted: h&hintDoubt != 0, Odd: h&hintOdd != 0, Marks: rec.Before, Data: rec.Payload,
		Last: rec.After,
	}
	header, _ := demoSize(rec.Payload)
	switch {
	case one.Bad:
	case h.chunk() == demoMessage:
		one.Key, one.Payload = c.told, c.unpacked
	case h.chunk() == demoSnapshot:
		one.Bad = !wholeSnapshot(rec.Payload[header:])
	default:
		one.Bad = !c.snapshots.Exact()
	}
	c.copy.Take(rec, &one, c.presentSnapshot)
}

// presentSnapshot copies the snapshot that was read last. false: there is none.
func (c *conversation) presentSnapshot(to *demos.Snapshot) bool {
	now, ok := c.snapshots.At(c.snapshots.Latest())
	if !ok {
		return false
	}
	for i := range now.Items {
		it := &now.Items[i]
		values := now.Values(it)
		copy(to.Add(it.Key.Type(), it.Key.ID(), len(values)), values)
	}
	return true
}
