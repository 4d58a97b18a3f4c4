package world

import (
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Complete gives the objects of states the fields of all games. Messages are read without it: a value has its own
// field. It is for those who ask what a record can contain.
var Complete = sync.OnceFunc(func() {
	entity, player := tables.EntityFields(), tables.PlayerFields()
	vehicle, tv := tables.VehicleFields(), tables.TVPlayerFields()
	stats, rest := statFields(), func(more ...*dissect.Field) []*dissect.Field { return append(more, &dissect.Undecoded) }
	number := []*dissect.Field{&entityNumber}[:1:1]

	BaselineField.Children = slices.Concat(number, entity, rest(&sharedRemoved))
	entityField.Children = slices.Concat(append(number, &entityUpdate), entity, rest(&sharedRemoved, &entityStateField))
	entityStateField.Children = entity
	currentStateField.Children = slices.Concat(number, tables.TVEntityFields(), rest(&sharedRemoved))

	playerField.Children = slices.Concat([]*dissect.Field{&playerPilot}, player, stats, rest(&playerStateField))
	playerStateField.Children = slices.Concat(player, stats)
	tvPlayerField.Children = slices.Concat(tv, stats, rest(&tvPlayerStateField))
	tvPlayerStateField.Children = slices.Concat(tv, stats)
	vehicleField.Children = slices.Concat(vehicle, stats[:statArrays+1], rest(&vehicleStateField))
	vehicleStateField.Children = slices.Concat(vehicle, stats[:statArrays+1])
})
