package browse

import (
	"sort"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/engine"
)

const (
	saveEvery  = 4 << 10   // datagrams of a stream between two of its states
	savedBytes = 128 << 20 // of memory for the states of all streams
	smallBytes = 32 << 20  // the same where the index is in memory too
)

// savedStates are the states of long streams from which on they are dissected again. When they take too much memory,
// every second one of each stream is dropped, and only every second one of later ones is kept.
type savedStates struct {
	every uint64 // datagrams between two states of a stream
	limit int    // bytes

	mu      sync.Mutex
	size    int // bytes
	step    int // of so many states one is kept
	streams map[streamKey]*streamStates
}

// streamStates are the states of a stream, the earliest first.
type streamStates struct {
	count int // that were offered
	kept  []keptState
}

// A keptState is a state with its number among those of its stream, from 1.
type keptState struct {
	number int
	*engine.SavedState
}

func newSavedStates(o *Options) *savedStates {
	s := &savedStates{every: saveEvery, limit: savedBytes, step: 1, streams: map[streamKey]*streamStates{}}
	if o.InMemory {
		s.limit = smallBytes
	}
	if o.saveEvery > 0 {
		s.every, s.limit = o.saveEvery, o.savedBytes
	}
	return s
}

// saver returns what takes the states of an input.
func (s *savedStates) saver(file int) *engine.Saver {
	return &engine.Saver{Every: s.every, Save: func(state *engine.SavedState) { s.add(file, state) }}
}

func (s *savedStates) add(file int, state *engine.SavedState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := streamKey{file, state.Stream}
	of := s.streams[key]
	if of == nil {
		of = &streamStates{}
		s.streams[key] = of
	}
	of.count++
	if of.count%s.step != 0 {
		return
	}
	of.kept = append(of.kept, keptState{of.count, state})
	s.size += state.Size
	for s.size > s.limit {
		s.thin()
	}
}

// thin drops every second state.
func (s *savedStates) thin() {
	s.step *= 2
	s.size = 0
	for _, of := range s.streams {
		kept := of.kept[:0]
		for _, k := range of.kept {
			if k.number%s.step == 0 {
				kept = append(kept, k)
				s.size += k.Size
			}
		}
		clear(of.kept[len(kept):])
		of.kept = kept
	}
}

// before returns the latest state of a stream before a frame, or nil.
func (s *savedStates) before(key streamKey, frame uint64) *engine.SavedState {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.streams[key]
	if of == nil {
		return nil
	}
	n := sort.Search(len(of.kept), func(i int) bool { return of.kept[i].Frame >= frame })
	if n == 0 {
		return nil
	}
	return of.kept[n-1].SavedState
}
