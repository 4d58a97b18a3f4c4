package world

import (
	"iter"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

// Baselines are the indices in the pool of the baselines of entities, by number. They take what they hold: most maps
// use few numbers, and those close together.
type Baselines [MaxEntities / baselinesPerPage]*[baselinesPerPage]int32 // plus one; 0: none

const baselinesPerPage = 64

// At returns the index of an entity's baseline; -1: it has none.
func (b *Baselines) At(number int32) int32 {
	page := b[uint32(number)/baselinesPerPage]
	if page == nil {
		return -1
	}
	return page[uint32(number)%baselinesPerPage] - 1
}

// Set gives an entity a baseline.
func (b *Baselines) Set(number, index int32) {
	page := &b[uint32(number)/baselinesPerPage]
	if *page == nil {
		*page = new([baselinesPerPage]int32)
	}
	(*page)[uint32(number)%baselinesPerPage] = index + 1
}

// All yields the numbers of the entities that have baselines, and the indices of these.
func (b *Baselines) All() iter.Seq2[int32, int32] {
	return func(yield func(number, index int32) bool) {
		for i, page := range b {
			if page == nil {
				continue
			}
			for j, index := range page {
				if index != 0 && !yield(int32(i*baselinesPerPage+j), index-1) {
					return
				}
			}
		}
	}
}

func (b *Baselines) clear() {
	for _, page := range b {
		if page != nil {
			clear(page[:])
		}
	}
}

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
		r.World.Baselines.Set(int32(number), slot)
	}
}
