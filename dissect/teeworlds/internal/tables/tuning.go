package tables

import "slices"

// TuneParamsID is the id of Sv_TuneParams in every dialect.
const TuneParamsID = 6

// TuneDamageIndex is the index of laser_damage in DDNet's list of tuning values.
const TuneDamageIndex = 30

// TuneLists are the lengths of DDNet's list of tuning values, laser_damage included, in all servers
// that speak 0.7. Each list begins with the shorter ones. Earlier servers sent a shorter list to
// clients of unknown version.
//
// CGameContext::SendTuningParams in DDNet's src/game/server/gamecontext.cpp; DDNet's src/game/tuning.h.
var TuneLists = [...]int{33, 37, 38, 44, 45, 47}

// tuneOrders are the orders of the values in an Sv_TuneParams of 0.7. Teeworlds has no
// laser_damage. DDNet sends its own list: complete while the client has no character, later without
// laser_damage.
type tuneOrders struct {
	Complete      *Message
	WithoutDamage *Message
	Undetermined  *Message // values from TuneDamageIndex on have no names
}

// addTuneOrders adds the orders of DDNet to the message of 0.7.
func (s *messageSet) addTuneOrders(objects *objectSet) {
	def, complete := s.ByID[V07][0][TuneParamsID], s.ByID[DDNet][0][TuneParamsID]
	without, undetermined := *def, *def
	without.Parts = slices.Delete(slices.Clone(complete.Parts), TuneDamageIndex, TuneDamageIndex+1)
	unnamed := makePart(def.Field, tune("undetermined").list(ToEnd), objects, V07,
		"DDNet: src/game/server/gamecontext.cpp")
	undetermined.Parts = append(slices.Clone(complete.Parts[:TuneDamageIndex]), unnamed)
	def.Orders = &tuneOrders{complete, &without, &undetermined}
}
