// Package view makes one thing of many records: statistics of what went by.
//
//	kinds, err := view.Parse("io,10", view.Env{Filter: ...})
//	s := kind.New()
//	for rec := range records {
//		s.Add(rec)
//	}
//	for _, table := range s.Tables() {
//		out = table.AppendText(out)
//	}
//
// A statistic takes the records of one goroutine, in the order in which they are finished. Its memory is bounded
// however many keys the traffic has: see top.
//
// The package knows no game. What it needs beyond fields it asks a protocol for, through the interfaces in dissect/told.go,
// and through its events.
package view
