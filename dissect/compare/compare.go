// Package compare puts two captures of the same traffic side by side: one at the client's end of a path and one at the
// server's, or at any two places between them. It finds what was lost, doubled, reordered and delayed between the
// places, and which end was late by itself.
//
//	a, b := compare.NewPlace("client.pcap"), compare.NewPlace("server.pcap")
//	... a.Add(record), b.Add(record) for every record of each
//	result := compare.Compare(a, b)
//
// A datagram is recognised at the other place by its payload, which no router changes, so addresses may differ (NAT)
// and the clocks need not agree. Conversations are paired by the datagrams they have in common. The clocks' offset and
// drift follow from the shortest delays of both directions.
//
// Memory is about 150 bytes for each game datagram of both captures together.
package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Result is what two captures have in common, and what only one of them has.
type Result struct {
	A, B  *Place
	Clock Clock
	Pairs []*Pair
	// Several means that more than two captures are compared, each with the next: JSON then has the letters of the
	// places.
	Several bool
	Common  int             // datagrams that both have
	Same    bool            // they have the same times too: one file is a copy or a part of the other, or of a third
	OnlyA   []*Conversation // conversations of A without a partner in B
	OnlyB   []*Conversation
}

// A Pair is a conversation that both captures have.
type Pair struct {
	A, B *Conversation
	// AtClient means that place A is nearer to the client than B. Placed is false if the datagrams do not show it: they
	// went in one direction only, or took no time.
	AtClient, Placed bool
	Paths            []*Path // client to server, server to client; those that have datagrams
}

// A Path is one direction of a pair, from the place nearer to the sender to the other one. Times are Unix nanoseconds
// by the clock of A, durations nanoseconds.
type Path struct {
	Direction dissect.Direction
	FromA     bool // place A is nearer to the sender

	Sent       int // captured near the sender, while the other capture ran
	Arrived    int // of these, captured at the other place
	Lost       int // of these, not captured there
	Duplicated int // captured there more often than sent
	Reordered  int // arrived after one that was sent later
	Uncaptured int // captured there, but not near the sender, although its capture ran: it is incomplete
	Outside    int // captured at one place while the other capture did not run

	letters [2]string // of the places A and B

	LostFrames       []uint64 // frames of the capture near the sender
	UncapturedFrames []uint64 // frames of the other capture

	Bursts  []Burst  // losses in a row, in the order of time
	Delay   Delay    // of those that arrived
	Pauses  []Pause  // of the sender
	Queues  []Queue  // times of long delays
	Seconds []Second // those in which something was sent or arrived

	First, Last int64 // when the first and the last datagram were sent
}

// A Burst is a run of datagrams that were all lost.
type Burst struct {
	Time, Until int64 // when the first and the last were sent
	Frames      []uint64
}

// A Delay describes the times that datagrams took from one place to the other.
type Delay struct {
	Min, Median, P99, Max int64
	Jitter                int64 // mean difference between the delays of two that arrived one after the other
}

// A Pause is a time in which the sender sent nothing, other than while the client connected or loaded a map.
type Pause struct{ Time, Length int64 }

// A Queue is a time in which most datagrams took much longer than is usual, as they do when they wait in a queue.
type Queue struct {
	Time, Until int64 // the first and the last second
	DelayMax    int64
}

// A Second is what happened in one second, by the time at which datagrams were sent.
type Second struct {
	Time                            int64
	Sent, Lost, Duplicated          int
	Reordered                       int
	DelayMin, DelayMedian, DelayMax int64 // 0 if none arrived
	LongestGap                      int64 // between two datagrams of the sender; the later one is in this second
}

// Compare compares two places. They must not be added to any more.
func Compare(a, b *Place) *Result {
	r := &Result{A: a, B: b}
	a.Letter, b.Letter = cmp.Or(a.Letter, "A"), cmp.Or(b.Letter, "B")
	whole := a.cut == 0 && b.cut == 0
	a.prepare(whole)
	b.prepare(whole)
	r.pair()
	points := make([]points, len(r.Pairs))
	for i, p := range r.Pairs {
		points[i] = p.points()
		p.place(&points[i])
	}
	r.Same = sameTimes(points)
	r.Clock = fit(r.Pairs, points)
	for i, p := range r.Pairs {
		if !p.Placed {
			p.placeBy(&points[i], &r.Clock)
		}
		for _, d := range []dissect.Direction{dissect.ClientToServer, dissect.ServerToClient} {
			if path := r.path(p, d); path != nil {
				p.Paths = append(p.Paths, path)
				r.Common += path.Arrived
			}
		}
	}
	return r
}

// Related reports whether the captures are of the same traffic. Queries and the beginnings of handshakes are often the
// same in different sessions: such captures have less in common than a tenth of the smaller one, and few datagrams.
func (r *Result) Related() bool {
	const few = 8
	return r.Common >= few || r.Common > 0 && 10*r.Common >= min(r.A.total, r.B.total)
}

// sameTimes reports whether common datagrams have the same time in both captures, or times that differ by the same in
// both directions: on a path what travels one way is later at one place, and what travels back at the other.
func sameTimes(all []points) bool {
	count, first, directions := 0, int64(0), [2]bool{}
	for i := range all {
		for from, list := range all[i] {
			for _, pt := range list {
				if count == 0 {
					first = pt.more
				}
				if pt.more != first {
					return false
				}
				count++
				directions[from] = true
			}
		}
	}
	return count > 1 && (first == 0 || directions == [2]bool{true, true})
}

// Only returns the frames of A, or of B, whose datagrams the other capture lacks although it ran, each with the reason.
func (r *Result) Only(a bool) map[uint64]string {
	only := map[uint64]string{}
	for _, pair := range r.Pairs {
		for _, p := range pair.Paths {
			frames, why := p.LostFrames, fmt.Sprintf("lost between %s and %s", p.from(), p.to())
			if p.FromA != a {
				frames, why = p.UncapturedFrames, fmt.Sprintf("arrived, but is not in %s", p.from())
			}
			for _, frame := range frames {
				only[frame] = why
			}
		}
	}
	conversations, other := r.OnlyA, r.B.Letter
	if !a {
		conversations, other = r.OnlyB, r.A.Letter
	}
	for _, c := range conversations {
		for _, list := range c.sent {
			for i := range list {
				only[list[i].frame] = fmt.Sprintf("%s has nothing of the conversation", other)
			}
		}
	}
	return only
}

// pair finds for each conversation of A that of B with the most datagrams in common, and then pairs those that are left
// by their addresses.
func (r *Result) pair() {
	owner := owners(r.B)
	mine := owners(r.A)
	votes := map[[2]int]int{}
	for id, a := range mine {
		if b, ok := owner[id]; ok && a != shared && b != shared {
			votes[[2]int{a, b}]++
		}
	}
	pairs := make([][2]int, 0, len(votes))
	for p := range votes {
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, func(x, y [2]int) int {
		return cmp.Or(cmp.Compare(votes[y], votes[x]), cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	takenA, takenB := make([]bool, len(r.A.conversations)), make([]bool, len(r.B.conversations))
	take := func(a, b int) {
		if !takenA[a] && !takenB[b] {
			takenA[a], takenB[b] = true, true
			r.Pairs = append(r.Pairs, &Pair{A: r.A.conversations[a], B: r.B.conversations[b]})
		}
	}
	for _, p := range pairs {
		take(p[0], p[1])
	}
	byAddress := map[ends]int{}
	for i, c := range r.B.conversations {
		if _, ok := byAddress[c.ends()]; !takenB[i] && !ok {
			byAddress[c.ends()] = i
		}
	}
	for i, c := range r.A.conversations {
		if b, ok := byAddress[c.ends()]; ok {
			take(i, b)
		}
	}
	slices.SortFunc(r.Pairs, func(x, y *Pair) int { return cmp.Compare(x.A.Stream, y.A.Stream) })
	r.OnlyA, r.OnlyB = rest(r.A, takenA), rest(r.B, takenB)
}

func rest(p *Place, taken []bool) (list []*Conversation) {
	for i, c := range p.conversations {
		if !taken[i] {
			list = append(list, c)
		}
	}
	return list
}

// shared marks a datagram that several conversations have.
const shared = -1

// owners returns the conversation that has a datagram, by its identity.
func owners(p *Place) map[identity]int {
	owner := make(map[identity]int, p.total)
	for i, c := range p.conversations {
		for _, list := range c.sent {
			for k := range list {
				if o, ok := owner[list[k].id]; ok && o != i {
					owner[list[k].id] = shared
				} else {
					owner[list[k].id] = i
				}
			}
		}
	}
	return owner
}
