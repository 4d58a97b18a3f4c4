package world

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Fields of an entity of a snapshot.
var (
	entityField = dissect.Field{
		Kind: dissect.Object, Name: "entityState_t", Source: "MSG_ReadDeltaEntity, code/qcommon/msg.c",
		Doc: "one entity: the fields whose changed bit is set", Frame: entityFrame,
	}
	entityStateField = dissect.Field{
		Key: "state", Kind: dissect.Object, Doc: "with --state: every field of the entity whose value is known",
	}
)

// readEntities reads the entity list and merges it with the base's, CL_ParsePacketEntities in
// code/client/cl_parse.c: entities that are not listed stay as they are in the base.
func (r *Reader) readEntities(d *decode.Decoder, base *Snapshot) {
	d.Enter(&EntitiesField)
	defer d.Leave()
	var old []entityRef
	if base != nil {
		old = base.Entities
	}
	s, last, bits, bias := r.World.scratch, int32(-1), d.Reader(), r.Generation.EntityBias
	for {
		at := bits.Pos()
		number := int32((bits.Bits(EntityNumBits) - bias) & (MaxEntities - 1))
		if !d.Check(&entityNumber) {
			return
		}
		kept := 0
		for kept < len(old) && old[kept].Number < number { // EntityNumNone is higher than any number
			kept++
		}
		s.Entities = append(s.Entities, old[:kept]...)
		if r.ShowState {
			r.addUnchanged(d, old[:kept])
		}
		old = old[kept:]
		if number == EntityNumNone {
			r.endAt = at
			return
		}
		if number <= last {
			d.Malformed(&entityNumber, at, "entity %d follows entity %d, numbers must rise", number, last)
			return
		}
		last = number
		kind, from := updateBaseline, int32(-1)
		switch {
		case len(old) > 0 && old[0].Number == number:
			kind, from = updateDelta, old[0].State
			old = old[1:]
		case s.Partial:
			kind = updateUnknown
		}
		if !r.readEntity(d, at, number, kind, from) {
			return
		}
	}
}

// readEntity reads one entity after its number, MSG_ReadDeltaEntity in code/qcommon/msg.c, and adds its new
// state to the scratch snapshot. from is its state in the base, or -1.
func (r *Reader) readEntity(d *decode.Decoder, at int, number int32, kind update, from int32) bool {
	d.EnterAt(&entityField, at)
	defer d.Leave()
	defer d.End(d.Details())
	tree, bits := d.Tree(), d.Reader()
	flagsAt := bits.Pos()
	tree.Add(&entityNumber, uint64(number), at, flagsAt-at)
	if removed := bits.Bit(); removed {
		frameBit(d, &entityRemoved, true)
		tree.AddLabel(&entityUpdate, updateNames[updateRemoved], flagsAt, 1)
		if r.Generation.Shared != nil {
			r.readShared(d, nil)
			d.AddIndicators()
		}
		return d.Check(&entityUpdate)
	}
	hasDelta := bits.Bit()
	if !d.Check(&entityUpdate) {
		return false
	}
	tree.AddLabel(&entityUpdate, updateNames[kind], flagsAt, 2)
	if tree.Framed() {
		tree.AddBool(&entityRemoved, false, flagsAt, 1)
		tree.AddBool(&entityChanged, hasDelta, flagsAt+1, 1)
	}
	pool, s := &r.World.Pool, r.World.scratch
	if !hasDelta && from >= 0 && r.Generation.Shared == nil {
		s.Entities = append(s.Entities, entityRef{number, from})
		r.addState(tree, pool.At(from))
		return true
	}
	slot, state := r.World.Take()
	s.Entities = append(s.Entities, entityRef{number, slot})
	switch {
	case from >= 0:
		state.Set(pool.At(from))
	case kind == updateBaseline:
		state.Set(r.World.Baseline(number, r.Generation.Entity))
	default:
		state.Set(&unknownEntity)
	}
	if hasDelta {
		r.readFields(d, state)
	}
	if r.Generation.Shared != nil {
		r.readShared(d, state)
	}
	if tree.Framed() {
		d.AddIndicators()
	}
	r.addState(tree, state)
	return !d.Failed()
}

// readFields reads the fields of an entity's delta into state and shows those that changed.
func (r *Reader) readFields(d *decode.Decoder, state *tables.State) {
	if r.Generation.Entity.Wide {
		readWide(r.Generation.Entity, d, state, r.wideMemory(), &highestChanged)
		addWide(d.Tree(), r.Generation.Entity, state, &r.wide.spans, r.entityContext(state))
		return
	}
	changed := r.readDelta(d, &state.Values)
	state.Known |= changed
	if tree := d.Tree(); tree != nil {
		addFields(tree, r.Generation.Entity, &state.Values, changed, &r.span, r.entityContext(state))
	}
}

// readDelta reads an entity's delta in the form of the generation.
func (r *Reader) readDelta(d *decode.Decoder, v *tables.Values) uint64 {
	if r.Generation.Old {
		return readMasked(r.Generation.Entity, d, v, &r.span, r.Generation)
	}
	return readPrefix(r.Generation.Entity, d, v, &r.span)
}

// addState shows the absolute state of an entity, with --state.
func (r *Reader) addState(tree *dissect.Tree, state *tables.State) {
	if !r.ShowState || tree == nil {
		return
	}
	tree.Open(&entityStateField, 0)
	addAbsolute(tree, r.Generation.Entity, state, r.entityContext(state))
	tree.Close(0)
}

// addUnchanged shows entities that the list left out, with --state.
func (r *Reader) addUnchanged(d *decode.Decoder, entities []entityRef) {
	tree := d.Tree()
	if tree == nil {
		return
	}
	for _, e := range entities {
		tree.Open(&entityField, d.Pos())
		tree.Add(&entityNumber, uint64(e.Number), d.Pos(), 0)
		tree.AddLabel(&entityUpdate, updateNames[updateUnchanged], d.Pos(), 0)
		r.addState(tree, r.World.Pool.At(e.State))
		tree.Close(0)
	}
}

// entityContext returns the context of the entity's model index or event parameter.
func (r *Reader) entityContext(state *tables.State) tables.Context {
	table := r.Generation.Entity
	if state.Known&table.ETypeMask != 0 {
		name := tables.EntityTypeNames.Name(*r.Family, uint64(state.Values[table.EType]))
		if name == "item" {
			return tables.ItemContext
		}
		if event, ok := strings.CutPrefix(name, tables.EventEntityPrefix); ok {
			return tables.EventContext(event)
		}
	}
	if state.Known&table.EventMask != 0 {
		return tables.EventContext(tables.EventNames.Name(*r.Family, uint64(state.Values[table.Event])))
	}
	return tables.NoContext
}
