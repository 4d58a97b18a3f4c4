package recover

import (
	"math/bits"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// wantPlayer begins the player's state.
func (c *cursor) wantPlayer(m *model) {
	if m.pilot != nil {
		c.want(stPilot, 1)
		return
	}
	c.want(stPlayerCount, 8)
}

// pilot takes the flag of the table that a player is coded by.
func (c *cursor) pilot(s *scene, v uint32) {
	c.score += s.bit(bitPilot, v)
	if v != 0 {
		c.flags |= inPilot
	}
	c.want(stPlayerCount, 8)
}

// notesRiding looks at the number of the player's vehicle.
func (c *cursor) notesRiding(m *model, v uint32) {
	pilot := 0
	if c.flags&inPilot != 0 {
		pilot = 1
	}
	if int(c.field) != m.riding[pilot] {
		return
	}
	if c.flags |= knowsRiding | rides; v == 0 {
		c.flags &^= rides
	}
}

// Arrays by number: stats, persistant, ammo or holdable, powerups; in Wolfenstein four of ammunition and four of
// clips more.
const (
	statsArray, powerupsArray = 0, 3
	ammoArrays, clipArrays    = 4, 8
	wolfArrays                = 12
	weaponsStat               = 4 // of Jedi Academy, which has 19 bits
)

// arrays takes the arrays of a player.
func (c *cursor) arrays(s *scene, v uint32) {
	if s.m.gen.Arrays == tables.ArraysActive {
		c.activeArrays(s, v)
		return
	}
	switch c.state {
	case stArrays:
		bit, next := bitArrays, uint8(ammoArrays)
		if c.array >= ammoArrays {
			bit, next = bitAmmo, clipArrays
		}
		if c.score += s.bit(bit, v); v == 0 {
			c.array = next
		}
		c.nextArray(s)
		return
	case stArray:
		bit := bitArrays + 1 + int(c.array)
		if c.array >= ammoArrays {
			bit = bitAmmo + 1 + int(c.array) - ammoArrays
		}
		c.score += s.bit(bit, v)
		if v != 0 {
			c.want(stArrayMask, 16)
			return
		}
		c.array++
	case stArrayMask:
		c.mask = uint16(v)
		if v == 0 {
			c.die()
			return
		}
		c.arrayValue(s.m)
		return
	case stArrayValue:
		c.mask &= c.mask - 1
		if c.mask != 0 {
			c.arrayValue(s.m)
			return
		}
		c.array++
	}
	c.nextArray(s)
}

// nextArray advances to the next array, or to the bit for several of them.
func (c *cursor) nextArray(s *scene) {
	wolf := s.m.gen.Arrays == tables.ArraysGrouped
	switch {
	case !wolf && c.array >= ammoArrays, c.array == wolfArrays:
		c.endPlayer(s)
	case wolf && c.array == ammoArrays && c.flags&inAmmo == 0:
		c.flags |= inAmmo
		c.want(stArrays, 1)
	default:
		c.want(stArray, 1)
	}
}

func (c *cursor) arrayValue(m *model) {
	switch {
	case c.array == powerupsArray:
		c.want(stArrayValue, 32)
	case c.array == statsArray && m.gen.Arrays == tables.ArraysWideWeapons && bits.TrailingZeros16(c.mask) == weaponsStat:
		c.want(stArrayValue, 19)
	default:
		c.want(stArrayValue, 16)
	}
}

// endPlayer ends a player's state: that of the vehicle may follow.
func (c *cursor) endPlayer(s *scene) {
	if s.m.vehicle != nil && c.flags&inVehicle == 0 {
		riding := c.flags&rides != 0
		if c.flags&knowsRiding == 0 {
			riding = s.riding || c.flags&inPilot != 0
		}
		if riding {
			c.flags |= inVehicle
			c.want(stPlayerCount, 8)
			return
		}
	}
	c.prev = -1
	c.want(stEntity, 10)
}
