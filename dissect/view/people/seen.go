package people

import (
	"cmp"
	"hash/fnv"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// A MatchSeen is a match as one recording shows it, and what proves that another recording shows the same one.
type MatchSeen struct {
	Map, Hostname string
	Began         int64 // server time, ms
	Length        int64 // ms
	Complete      bool
	Result        bool // the winner is known
	Server        string
	Zero          int64 // capture time at which the server's clock was 0, ms; 0: not known

	Proofs []Proof // a sample of the events: those with the lowest hashes
	First  int64   // server time of the first and the last event of the kinds that are samples, ms
	Last   int64
	Events int // of these kinds
}

// A Proof is an event that another recording of the match has at the same time.
type Proof struct {
	Hash uint32
	Time int64 // server time, ms
}

// maxProofs is the size of the sample.
const maxProofs = 64

func compareProofs(a, b Proof) int {
	return cmp.Or(cmp.Compare(a.Hash, b.Hash), cmp.Compare(a.Time, b.Time))
}

// same reports whether two recordings show one match: the same map, server and start, and either the same address and
// time, of captures, or most of what both must have shown at the same time.
func (m *MatchSeen) same(o *MatchSeen) bool {
	if m.Map != o.Map || m.Hostname != o.Hostname && m.Hostname != "" && o.Hostname != "" ||
		!merge.SameStart(m.Began, o.Began) {
		return false
	}
	if m.Server != "" && m.Server == o.Server && m.Zero != 0 && o.Zero != 0 && SameClock(m.Zero, o.Zero) {
		return true
	}
	first, last := max(m.First, o.First), min(m.Last, o.Last)
	below := min(m.limit(), o.limit())
	a, b := m.within(first, last, below), o.within(first, last, below)
	common := 0
	for _, p := range a {
		at := slices.IndexFunc(b, func(q Proof) bool {
			return q.Hash == p.Hash && merge.SameMoment(q.Time, p.Time)
		})
		if at >= 0 {
			b = slices.Delete(b, at, at+1)
			common++
		}
	}
	return common >= merge.LeastCommon && 2*common >= min(len(a), common+len(b))
}

// limit returns the hash below which the sample has all events.
func (m *MatchSeen) limit() uint64 {
	if len(m.Proofs) < maxProofs {
		return 1 << 32
	}
	return uint64(m.Proofs[len(m.Proofs)-1].Hash)
}

func (m *MatchSeen) within(first, last int64, below uint64) (list []Proof) {
	for _, p := range m.Proofs {
		if uint64(p.Hash) < below && p.Time >= first && p.Time <= last {
			list = append(list, p)
		}
	}
	return list
}

// Better orders recordings of a match: those that show most of it first.
func (m *MatchSeen) Better(o *MatchSeen) int {
	return cmp.Or(compareBool(o.Complete, m.Complete), compareBool(o.Result, m.Result), cmp.Compare(o.Length, m.Length))
}

// SameClock reports whether two moments of the capture's clock, in milliseconds, can be the one at which a server's
// clock was 0. Snapshots to a client may be a second apart.
func SameClock(a, b int64) bool { return max(a-b, b-a) <= 1000 }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Add keeps an event, if it is part of the sample: its kind, what proves that another recording shows the same one, and
// its time of the server's clock, in milliseconds.
func (m *MatchSeen) Add(kind, proof string, time int64) {
	if m.Events == 0 {
		m.First = time
	}
	m.Last = time
	m.Events++
	sum := fnv.New32a()
	sum.Write([]byte(kind + "\x00" + proof))
	// Equal events of other moments are others; a moment apart in two recordings they may be in two of these spans.
	const span = 10_000
	sum.Write([]byte{byte(time / span), byte(time / span >> 8)})
	one := Proof{sum.Sum32(), time}
	at, _ := slices.BinarySearchFunc(m.Proofs, one, compareProofs)
	if at < maxProofs {
		m.Proofs = slices.Insert(m.Proofs, at, one)
		m.Proofs = m.Proofs[:min(len(m.Proofs), maxProofs)]
	}
}
