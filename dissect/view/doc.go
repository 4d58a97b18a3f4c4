// Package view summarizes many records: it has the statistics of -z.
//
//	kind, args, err := view.Find("io,10")
//	s, err := kind.New(args, &view.Env{Filter: ...})
//	for rec := range records {
//		s.Add(rec)
//	}
//	for _, table := range s.Tables() {
//		out = table.AppendJSON(out)
//	}
//
// A statistic takes the records of one goroutine, in the order in which they are finished. Its memory is
// bounded however many keys the traffic has: see top.
//
// The package knows no game. What it needs apart from fields it gets from a protocol through the interfaces in
// dissect/views.go, and from its events.
package view
