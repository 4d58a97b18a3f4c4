package quake3

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// baselineField describes svc_baseline.
var baselineField = dissect.Field{
	Kind: dissect.Object, Name: "svc_baseline", Source: "CL_ParseGamestate, code/client/cl_parse.c", Doc: "one baseline: the fields that are not zero",
	Children: slices.Concat([]*dissect.Field{&entityNumber}, entityOutput.children, []*dissect.Field{&dissect.Undecoded}),
}

// readBaseline reads svc_baseline behind its op. With keep the entity starts from it.
func (r *snapshotReader) readBaseline(d *dissect.Decoder, at int, keep bool) {
	d.EnterAt(&baselineField, at)
	defer d.Leave()
	number := d.Uint(&entityNumber)
	removed, hasDelta := d.Bit(), false
	if !removed {
		hasDelta = d.Bit()
	}
	if removed && !d.Failed() {
		d.Malformed(&entityNumber, d.Pos()-1, "baseline %d is marked as removed", number)
	}
	if d.Failed() {
		return
	}
	slot, state := r.world.take()
	*state = *r.gen.entity.zero
	if hasDelta {
		changed := r.readDelta(d, &state.values)
		addFields(d.Tree(), r.gen.entity, &state.values, changed, &r.span, r.entityContext(state))
	}
	if keep && !d.Failed() {
		r.world.baselines[number] = slot + 1
	}
}
