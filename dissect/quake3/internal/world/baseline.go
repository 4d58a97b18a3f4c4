package world

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

// BaselineField describes svc_baseline.
var BaselineField = dissect.Field{
	Kind: dissect.Object, Name: "svc_baseline", Source: "CL_ParseGamestate, code/client/cl_parse.c",
	Doc: "one baseline: the fields that are not zero", Frame: listedFrame,
}

// ReadBaseline reads svc_baseline after its op. With keep, later deltas of the entity can start from it.
func (r *Reader) ReadBaseline(d *decode.Decoder, at int, keep bool) {
	d.EnterOp(&BaselineField, at)
	defer d.Leave()
	at = d.Pos()
	number := (d.Bits(EntityNumBits) - r.Generation.EntityBias) & (MaxEntities - 1)
	if d.Check(&entityNumber) {
		d.Tree().Add(&entityNumber, uint64(number), at, d.Pos()-at)
	}
	removed, hasDelta := d.Bit(), false
	frameBit(d, &entityRemoved, removed)
	if !removed {
		hasDelta = d.Bit()
		frameBit(d, &entityChanged, hasDelta)
	}
	if removed && !d.Failed() {
		d.Malformed(&entityNumber, d.Pos()-1, "baseline %d is marked as removed", number)
	}
	if d.Failed() {
		return
	}
	slot, state := r.World.Take()
	state.Set(r.Generation.Entity.Null)
	if hasDelta {
		r.readFields(d, state)
	}
	if r.Generation.Shared != nil {
		r.readShared(d, state)
	}
	d.AddIndicators()
	if keep && !d.Failed() {
		r.World.Baselines[number] = slot + 1
	}
}
