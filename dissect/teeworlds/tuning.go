package teeworlds

import "slices"

// tuneParamsID is the id of Sv_TuneParams in every dialect.
const tuneParamsID = 6

// tuneDamageIndex is where laser_damage stands in DDNet's list of tuning values.
const tuneDamageIndex = 30

// tuneLists are the lengths that DDNet's list of tuning values has had, laser_damage included, in servers that speak
// 0.7. Each list begins with the shorter ones. Earlier servers sent clients whose version they did not know less of it.
//
// CGameContext::SendTuningParams in DDNet's src/game/server/gamecontext.cpp; DDNet's src/game/tuning.h.
var tuneLists = [...]int{33, 37, 38, 44, 45, 47}

// tuneOrders are the orders of the values in an Sv_TuneParams of 0.7. Teeworlds has no laser_damage. DDNet sends its own
// list, complete while the client has no character, and without laser_damage later.
type tuneOrders struct {
	complete      *messageDef
	withoutDamage *messageDef
	undetermined  *messageDef // values from tuneDamageIndex on have no names
}

// addTuneOrders adds the orders of DDNet to the message of 0.7.
func (s *messageSet) addTuneOrders(objects *objectSet) {
	def, complete := s.byID[v07][0][tuneParamsID], s.byID[ddnet][0][tuneParamsID]
	without, undetermined := *def, *def
	without.parts = slices.Delete(slices.Clone(complete.parts), tuneDamageIndex, tuneDamageIndex+1)
	unnamed := makePart(def.field, tune("undetermined").list(toEnd), objects, v07, "DDNet: src/game/server/gamecontext.cpp")
	undetermined.parts = append(slices.Clone(complete.parts[:tuneDamageIndex]), unnamed)
	def.orders = &tuneOrders{complete, &without, &undetermined}
}
