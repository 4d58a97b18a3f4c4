package keys

import "sync"

// A Work is the work that the searches for keys in all inputs of a run may take together without success: a thousand
// small inputs take no more than a large one. What an input may take depends on the inputs before it alone, whatever
// runs at the same time: on those that are so far before it that they are usually done.
type Work struct {
	mu     sync.Mutex
	ended  sync.Cond
	shares []*Share // in the order of the inputs
}

const (
	mostWork = 150 << 20 // bytes parsed without success, about 20 s
	ahead    = 16        // inputs that may be searched before the first of them is known to have failed
)

// A Share is the part of an input. nil: there is no Work, and nothing is counted.
type Share struct {
	of    *Work
	index int
	spent int64
	ended bool
}

// NewWork begins a run.
func NewWork() *Work {
	w := new(Work)
	w.ended.L = &w.mu
	return w
}

// Share returns the share of the next input. Each must be ended.
func (w *Work) Share() *Share {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &Share{of: w, index: len(w.shares)}
	w.shares = append(w.shares, s)
	return s
}

// Left returns how much of the work is left for the input, at least 0. It waits until the inputs that it depends on
// have ended.
func (s *Share) Left() int64 {
	if s == nil {
		return mostWork
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	left := int64(mostWork)
	for _, earlier := range s.of.shares[:max(0, s.index-ahead+1)] {
		for !earlier.ended {
			s.of.ended.Wait()
		}
		left -= earlier.spent
	}
	return max(left, 0)
}

// Spend takes note of work without success, or with less than 0, that it had success after all.
func (s *Share) Spend(bytes int64) {
	if s == nil {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if !s.ended {
		s.spent += bytes
	}
}

// End ends the input.
func (s *Share) End() {
	if s == nil {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.ended = true
	s.of.ended.Broadcast()
}
