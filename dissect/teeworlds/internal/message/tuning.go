package message

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// chooseTuneOrder returns the form of an Sv_TuneParams of 0.7 before its values are read. It is
// determined by their number and by the length of the list that the server sent before.
func (m *Reader) chooseTuneOrder(def *tables.Message) *tables.Message {
	count, whole := countInts(m.u)
	vanilla := len(def.Parts)
	if m.Demo { // messages in demos are padded with zeros to whole ints of four bytes
		for padding := 0; padding < 3 && count > vanilla && m.u.data[len(m.u.data)-1-padding] == 0; padding++ {
			count--
		}
	}
	switch {
	case count <= tables.TuneDamageIndex, count <= vanilla && !m.Cut:
		return def
	case m.Cut || !whole: // the number of values is not known
		return m.undetermined(def)
	}
	complete, without := slices.Contains(tables.TuneLists[:], count), slices.Contains(tables.TuneLists[:], count+1)
	switch {
	case complete && without:
		complete, without = m.TuneValues == count, m.TuneValues == count+1
	case complete:
		m.TuneValues = count
	case without:
		m.TuneValues = count + 1
	}
	switch {
	case complete:
		return def.Orders.Complete
	case without:
		return def.Orders.WithoutDamage
	}
	return m.undetermined(def)
}

// countInts counts the ints to the end of the data. whole reports whether the last one is complete.
func countInts(u Unpacker) (count int, whole bool) {
	for u.Left() > 0 {
		if u.Int(); u.Failed() {
			return count, false
		}
		count++
	}
	return count, true
}

// undetermined returns the form that names only the values before laser_damage, and adds an entry.
func (m *Reader) undetermined(def *tables.Message) *tables.Message {
	u := def.Orders.Undetermined
	m.addExpert(dissect.Note, expertUndetermined, &idField, m.at,
		"the number of values does not show whether laser_damage is among them; those from number %d on have no names",
		tables.TuneDamageIndex)
	return u
}
