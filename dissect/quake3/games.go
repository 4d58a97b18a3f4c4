package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Sessions whose protocol number does not determine the tables that they are coded with.

// retryTables reads a message that could not be read again with the other tables that are possible, and keeps
// those that fit. back removes from the record what the first reading added.
func (c *conversation) retryTables(rec *dissect.Record, tree *dissect.Tree, m *message, back func()) bool {
	first := c.snapshots.Generation
	keep := (c.encoding != native || m.checksumOK) && !m.arrival.duplicate && !m.arrival.late
	if first.Vehicle != nil && c.snapshots.Assumed {
		back()
		c.snapshots.AssumeVehicle = !c.snapshots.AssumeVehicle
		if c.read(rec, tree, m, keep) == nil {
			return true
		}
	}
	if c.version != 0 || c.encoding != native {
		return false
	}
	for _, version := range [...]int{71, nativeRTCW} {
		gen := tables.GenerationOf(version)
		if gen == first || gen.Version != version {
			continue
		}
		back()
		c.snapshots.Generation = gen
		if c.read(rec, tree, m, keep) == nil {
			c.setFamily()
			return true
		}
		c.snapshots.Generation = first
	}
	back()
	c.read(rec, tree, m, keep)
	return false
}

// setTables chooses between the tables of one protocol number by the server information: Jedi Outcast 1.02 and
// 1.03 both use 15. CL_ParseGamestate, src/client/cl_parse.cpp of jk2mv.
func (c *conversation) setTables(serverinfo []byte) {
	gen := c.snapshots.Generation
	if gen.Game == tables.JediOutcast && gen.Number() == 15 && bytes.Contains(dissect.InfoValue(serverinfo, "version"), []byte("v1.03")) {
		c.snapshots.Generation = tables.GenerationOf(tables.Outcast103)
	}
}
