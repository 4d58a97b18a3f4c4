package quake3

import (
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// Fields of an entity of a snapshot.
var (
	entityField = dissect.Field{
		Kind: dissect.Object, Name: "entityState_t", Source: "MSG_ReadDeltaEntity, code/qcommon/msg.c",
		Doc:      "one entity: the fields whose changed bit is set",
		Children: slices.Concat([]*dissect.Field{&entityNumber, &entityUpdate}, entityOutput.children, []*dissect.Field{&entityStateField, &dissect.Undecoded}),
	}
	entityStateField = dissect.Field{
		Key: "state", Kind: dissect.Object, Doc: "with --state: every field of the entity whose value is known",
		Children: entityOutput.children,
	}
)

// readEntities reads the entity list and merges it with the base's, CL_ParsePacketEntities in
// code/client/cl_parse.c: what the list leaves out stays as it is in the base.
func (r *snapshotReader) readEntities(d *dissect.Decoder, base *snapshot) {
	d.Enter(&entitiesField)
	defer d.Leave()
	var old []entityRef
	if base != nil {
		old = base.entities
	}
	s, last, bits := r.world.scratch, int32(-1), d.Reader()
	for {
		at := bits.Pos()
		number := int32(bits.Bits(entityNumBits))
		if !d.Check(&entityNumber) {
			return
		}
		kept := 0
		for kept < len(old) && old[kept].number < number { // entityNumNone is higher than all
			kept++
		}
		s.entities = append(s.entities, old[:kept]...)
		if r.all {
			r.addUnchanged(d, old[:kept])
		}
		old = old[kept:]
		if number == entityNumNone {
			return
		}
		if number <= last {
			d.Malformed(&entityNumber, at, "entity %d follows entity %d, numbers must rise", number, last)
			return
		}
		last = number
		kind, from := updateBaseline, int32(-1)
		switch {
		case len(old) > 0 && old[0].number == number:
			kind, from = updateDelta, old[0].state
			old = old[1:]
		case s.partial:
			kind = updateUnknown
		}
		if !r.readEntity(d, at, number, kind, from) {
			return
		}
	}
}

// readEntity reads one entity behind its number, MSG_ReadDeltaEntity in code/qcommon/msg.c, and adds
// what it becomes to the scratch snapshot. from is its state in the base, or -1.
func (r *snapshotReader) readEntity(d *dissect.Decoder, at int, number int32, kind update, from int32) bool {
	tree, bits := d.Tree(), d.Reader()
	d.EnterAt(&entityField, at)
	defer d.Leave()
	flagsAt := bits.Pos()
	tree.Add(&entityNumber, uint64(number), at, flagsAt-at)
	if removed := bits.Bit(); removed {
		tree.AddLabel(&entityUpdate, updateNames[updateRemoved], flagsAt, 1)
		return d.Check(&entityUpdate)
	}
	hasDelta := bits.Bit()
	if !d.Check(&entityUpdate) {
		return false
	}
	tree.AddLabel(&entityUpdate, updateNames[kind], flagsAt, 2)
	pool, s := &r.world.pool, r.world.scratch
	if !hasDelta && from >= 0 {
		s.entities = append(s.entities, entityRef{number, from})
		r.addState(tree, pool.at(from))
		return true
	}
	slot, state := r.world.take()
	s.entities = append(s.entities, entityRef{number, slot})
	switch {
	case from >= 0:
		*state = *pool.at(from)
	case kind == updateBaseline:
		*state = *r.world.baseline(number, r.gen.entity)
	default:
		state.known = 0
	}
	if hasDelta {
		r.readFields(d, state)
	}
	r.addState(tree, state)
	return !d.Failed()
}

// readFields reads the fields of an entity's delta into state and shows those that changed.
func (r *snapshotReader) readFields(d *dissect.Decoder, state *entityState) {
	changed := r.readDelta(d, &state.values)
	state.known |= changed
	if tree := d.Tree(); tree != nil {
		addFields(tree, r.gen.entity, &state.values, changed, &r.span, r.entityContext(state))
	}
}

// readDelta reads an entity's delta in the generation's way.
func (r *snapshotReader) readDelta(d *dissect.Decoder, v *deltaValues) uint64 {
	if r.gen.old {
		return readMasked(r.gen.entity, d, v, &r.span, r.gen.maskTail)
	}
	return readPrefix(r.gen.entity, d, v, &r.span)
}

// addState shows the absolute state of an entity, with --state.
func (r *snapshotReader) addState(tree *dissect.Tree, state *entityState) {
	if !r.all || tree == nil {
		return
	}
	tree.Open(&entityStateField, 0)
	addFields(tree, r.gen.entity, &state.values, state.known, nil, r.entityContext(state))
	tree.Close(0)
}

// addUnchanged shows entities that the list left out, with --state.
func (r *snapshotReader) addUnchanged(d *dissect.Decoder, entities []entityRef) {
	tree := d.Tree()
	if tree == nil {
		return
	}
	for _, e := range entities {
		tree.Open(&entityField, d.Pos())
		tree.Add(&entityNumber, uint64(e.number), d.Pos(), 0)
		tree.AddLabel(&entityUpdate, updateNames[updateUnchanged], d.Pos(), 0)
		r.addState(tree, r.world.pool.at(e.state))
		tree.Close(0)
	}
}

// entityContext says what the entity's model index or event parameter means.
func (r *snapshotReader) entityContext(state *entityState) context {
	table := r.gen.entity
	if state.known&table.eTypeMask != 0 {
		name := entityTypeNames.Name(*r.names, uint64(state.values[table.eType]))
		if name == "item" {
			return ofItem
		}
		if event, ok := strings.CutPrefix(name, eventEntityPrefix); ok {
			return eventContext(event)
		}
	}
	if state.known&table.eventMask != 0 {
		return eventContext(eventNames.Name(*r.names, uint64(state.values[table.event])))
	}
	return plain
}
