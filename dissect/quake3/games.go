package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// What a session whose protocol number does not say by which tables it is coded does to find out.

// retryTables reads a message that could not be read by other tables that it may be coded by, and keeps to those that fit.
// back takes away what the first reading left in the record.
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

// setTables chooses between the tables of one protocol number by what the server information says: Jedi Outcast 1.02 and
// 1.03 both call theirs 15. CL_ParseGamestate, src/client/cl_parse.cpp of jk2mv.
func (c *conversation) setTables(serverinfo []byte) {
	gen := c.snapshots.Generation
	if gen.Game == tables.JediOutcast && gen.Number() == 15 && bytes.Contains(dissect.InfoValue(serverinfo, "version"), []byte("v1.03")) {
		c.snapshots.Generation = tables.GenerationOf(tables.Outcast103)
	}
}
