package matches

import (
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Queue passes events from the workers of an Engine to its Output, which sees them in the order of the packets:
// Finish keeps the events of a record, writes the ticket that it gets, and Output redeems the ticket. So what depends on
// that order, as the numbers of matches, does not depend on the number of workers. The zero value is ready to use.
type Queue struct {
	mu    sync.Mutex
	kept  []*dissect.Record // by ticket; nil: the ticket is free
	free  []uint32          // tickets
	spare []*dissect.Record
}

// spareRecords bounds the records that are used again.
const spareRecords = 256

// Keep takes the events of a record, with what describes the record, and returns a ticket for them. It may be called by
// any goroutine.
func (q *Queue) Keep(rec *dissect.Record) (ticket uint32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var k *dissect.Record
	if n := len(q.spare); n > 0 {
		k, q.spare = q.spare[n-1], q.spare[:n-1]
	} else {
		k = dissect.NewRecord()
	}
	rec.MoveEvents(k)
	if n := len(q.free); n > 0 {
		ticket, q.free = q.free[n-1], q.free[:n-1]
		q.kept[ticket] = k
		return ticket
	}
	q.kept = append(q.kept, k)
	return uint32(len(q.kept) - 1)
}

// Redeem returns the record of a ticket: it has no tree and no payload. It is the caller's until Release.
func (q *Queue) Redeem(ticket uint32) *dissect.Record {
	q.mu.Lock()
	defer q.mu.Unlock()
	k := q.kept[ticket]
	q.kept[ticket] = nil
	q.free = append(q.free, ticket)
	return k
}

// Release returns a record of Redeem, whose memory is used again.
func (q *Queue) Release(k *dissect.Record) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.spare) < spareRecords {
		q.spare = append(q.spare, k)
	}
}
