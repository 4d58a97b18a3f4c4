package teeworlds

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

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

// chooseTuneOrder gives the form of an Sv_TuneParams of 0.7, whose values are read next: their number determines it,
// together with the length of the list that the server showed before.
func (m *messageReader) chooseTuneOrder(def *messageDef) *messageDef {
	count, whole := countInts(m.u)
	vanilla := len(def.parts)
	if m.demo { // messages of demos are filled up with zeros to whole ints of four bytes
		for padding := 0; padding < 3 && count > vanilla && m.u.data[len(m.u.data)-1-padding] == 0; padding++ {
			count--
		}
	}
	switch {
	case count <= tuneDamageIndex, count <= vanilla && !m.cut:
		return def
	case m.cut || !whole: // the number of values is not known
		return m.undetermined(def)
	}
	complete, without := slices.Contains(tuneLists[:], count), slices.Contains(tuneLists[:], count+1)
	switch {
	case complete && without:
		complete, without = m.tuneValues == count, m.tuneValues == count+1
	case complete:
		m.tuneValues = count
	case without:
		m.tuneValues = count + 1
	}
	switch {
	case complete:
		return def.orders.complete
	case without:
		return def.orders.withoutDamage
	}
	return m.undetermined(def)
}

// countInts counts the ints to the end of the data. whole: the last does not break off.
func countInts(u unpacker) (count int, whole bool) {
	for u.Left() > 0 {
		if u.Int(); u.Failed() {
			return count, false
		}
		count++
	}
	return count, true
}

// undetermined gives the form that names only the values before laser_damage, and notes it.
func (m *messageReader) undetermined(def *messageDef) *messageDef {
	u := def.orders.undetermined
	m.note(dissect.Note, expertUndetermined, &idField, m.at, "the number of values does not show whether laser_damage is among them; those from number %d on have no names", tuneDamageIndex)
	return u
}
