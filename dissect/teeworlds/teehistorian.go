package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

// dissectTeehistorian decodes a record of a teehistorian file.
func (c *conversation) dissectTeehistorian(rec *dissect.Record) {
	if c.historian == nil {
		c.historian = teehistorian.NewReader(teehistorian.Options{
			State: c.wants.state, Inputs: c.wants.inputs, Scenes: c.wants.scenes,
			Events: c.events != nil || c.wants.demos != nil, Demo: c.wants.demos != nil,
		})
		c.demo = teehistorian.NewDemo(c.wants.demos)
	}
	rec.Direction = dissect.Undecidable // a server's notes, for nobody
	t := rec.Decoding()
	t.Open(&rootField, 0)
	t.AddLabel(&versionField, tables.DDNet.String(), 0, 0)
	c.historian.Dissect(rec, t)
	_, timed := teehistorian.Moment(rec.Hint)
	c.events.Tick(rec, teehistorian.Tick(rec.Hint), timed, c.historian.Chunks)
	if c.demo != nil {
		c.demo.Take(rec, c.historian)
	}
	if t != nil {
		t.CloseAll(len(rec.Payload) << 3)
		t.Family = uint8(tables.DDNet)
	}
	c.rewriter.historian(rec)
}
