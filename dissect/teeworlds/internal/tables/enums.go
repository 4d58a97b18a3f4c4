package tables

import "github.com/q3dissect/q3dissect/dissect"

// A table holds the names of the values from first on, or of the bits from 0 on; "" where there is
// none.
type table struct {
	first int
	names []string
}

// byDialect holds one table for each dialect that has the enumeration.
type byDialect [NumDialects]table

// everywhere is a table that is the same in every dialect.
func everywhere(t table) byDialect { return byDialect{V07: t, V06: t, DDNet: t} }

// numbers makes the names of an enumeration. Its tables begin with the lowest number of any dialect's.
func numbers(all byDialect) dissect.Enum {
	e := dissect.Enum{Tables: make([][]string, NumDialects)}
	for _, t := range all {
		if t.names != nil {
			e.First = min(e.First, int64(t.first))
		}
	}
	for d, t := range all {
		if t.names != nil {
			e.Tables[d] = append(make([]string, int64(t.first)-e.First), t.names...)
		}
	}
	return e
}

// mask makes the names of a set of bits.
func mask(all byDialect) dissect.Enum {
	e := numbers(all)
	e.Mask = true
	return e
}
