package teeworlds

import "github.com/q3dissect/q3dissect/dissect"

// A table holds the names of the numbers from first on, or those of bits from 0 on; "" where there is none.
type table struct {
	first int
	names []string
}

// tables hold one table for each dialect that has the enumeration.
type tables [numDialects]table

// everywhere is a table that is the same in every dialect.
func everywhere(t table) tables { return tables{v07: t, v06: t, ddnet: t} }

// numbers makes the names of an enumeration. An Enum names numbers from 0 on, so those of negative numbers are
// left out.
func numbers(all tables) dissect.Enum {
	e := dissect.Enum{Tables: make([][]string, numDialects)}
	for d, t := range all {
		if t.names == nil {
			continue
		}
		if t.first < 0 {
			e.Tables[d] = t.names[min(-t.first, len(t.names)):]
		} else {
			e.Tables[d] = append(make([]string, t.first), t.names...)
		}
	}
	return e
}

// mask makes the names of a set of bits.
func mask(all tables) dissect.Enum {
	e := numbers(all)
	e.Mask = true
	return e
}
