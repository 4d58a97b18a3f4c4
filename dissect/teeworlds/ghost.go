package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/ghost"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// dissectGhost decodes a record of a ghost.
func (c *conversation) dissectGhost(rec *dissect.Record) {
	if c.ghost == nil {
		c.ghost = ghost.NewReader(c.wants.inputs || c.wants.scenes)
	}
	rec.Direction = dissect.Undecidable // the client's own recording, for nobody
	t := rec.Decoding()
	t.Open(&rootField, 0)
	t.AddLabel(&versionField, tables.DDNet.String(), 0, 0)
	c.ghost.Dissect(rec, t)
	c.rewriter.ghostRecord(rec)
	c.events.Ghost(rec, &c.ghost.Run)
	if c.wants.scenes {
		addGhostScene(rec)
	}
	if t != nil {
		t.CloseAll(len(rec.Payload) << 3)
		t.Family = uint8(tables.DDNet)
	}
}

// addGhostScene adds the runner, as its inputs show him.
func addGhostScene(rec *dissect.Record) {
	for i := range rec.Inputs {
		in := &rec.Inputs[i]
		rec.Scene.Reset()
		rec.Scene.Known, rec.Scene.Time = true, in.Time
		rec.Scene.Things = append(rec.Scene.Things, extract.Thing{
			Kind: extract.ThingPlayer, Number: -1, Owner: -1, Place: in.Place, Yaw: in.Yaw, HasView: in.HasView,
			Firing: in.Shots > 0,
		})
	}
}
