package view

import "github.com/q3dissect/q3dissect/dissect"

// refusals counts datagrams by what ICMP errors report of them.
type refusals struct{ unreachable, timeExceeded, needsFragmentation uint64 }

func (r *refusals) add(q *dissect.Quote) {
	switch q.Kind() {
	case dissect.QuotedUnreachable:
		r.unreachable++
	case dissect.QuotedTimeExceeded:
		r.timeExceeded++
	case dissect.QuotedNeedsFragmentation:
		r.needsFragmentation++
	}
}

// refusalColumns are the columns of refusals. They come last: tables without refusals do not have them.
func refusalColumns[R any](of func(R) *refusals) columns[R] {
	count := func(n func(*refusals) uint64) func(R) any {
		return func(row R) any { return onlyIf(*of(row) != refusals{}, n(of(row))) }
	}
	return columns[R]{
		{
			integerColumn("unreachable", "ICMP errors that quote one of the datagrams: port, host or network unreachable, or "+
				"prohibited; the last three columns are absent without such errors").at(BelowLine),
			count(func(r *refusals) uint64 { return r.unreachable }),
		},
		{
			integerColumn("time_exceeded", "likewise: its time to live ended, or fragments of it are missing").at(BelowLine),
			count(func(r *refusals) uint64 { return r.timeExceeded }),
		},
		{
			integerColumn("needs_fragmentation", "likewise: it is too big for a link").at(BelowLine),
			count(func(r *refusals) uint64 { return r.needsFragmentation }),
		},
	}
}

// withoutRefusals returns the columns without those of refusals, unless there are any.
func (cs columns[R]) withoutRefusals(any bool) columns[R] {
	if any {
		return cs
	}
	return cs[:len(cs)-len(refusalColumns[R](nil))]
}
