package world

import (
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

// ReadEntityAlone reads the number of an entity and its delta, as one of an empty entity, into the objects that it has
// in a snapshot.
func (r *Reader) ReadEntityAlone(d *decode.Decoder) {
	r.World.begin(0)
	d.Enter(&SnapshotField)
	defer d.Leave()
	d.Enter(&EntitiesField)
	defer d.Leave()
	at := d.Pos()
	number := (d.Bits(EntityNumBits) - r.Generation.EntityBias) & (MaxEntities - 1)
	if d.Check(&entityNumber) {
		r.readEntity(d, at, int32(number), updateBaseline, -1)
	}
}

// ReadPlayerAlone reads a player state as a delta of an empty one, into the objects that it has in a snapshot.
func (r *Reader) ReadPlayerAlone(d *decode.Decoder) {
	s := r.World.begin(0)
	d.Enter(&SnapshotField)
	defer d.Leave()
	zero := zeroPlayer(r.Generation)
	s.Player.Set(&zero)
	r.readPlayer(d, &s.Player)
	if r.Generation.Vehicle != nil {
		r.readVehicle(d, &s.Player)
	}
}
