package teeworlds

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

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
