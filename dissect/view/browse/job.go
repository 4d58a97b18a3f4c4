package browse

import (
	"cmp"
	"context"
	"sync/atomic"
)

// keptJobs is how many passes over the inputs are remembered with what they found, of each kind.
const keptJobs = 6

// runningJobs is how many passes over the inputs run at the same time; others wait. One that nobody waits for any more
// leaves the queue, but one that runs needs a moment to end, and its memory until then.
const runningJobs = 6

// A job is a pass over the inputs in the background, and what it found so far. What it finds is guarded by the index's
// lock, so that waiting for rows and for findings is one thing.
type job struct {
	stop func()
	used int
	read atomic.Int64 // bytes of the inputs so far

	done   bool
	fault  error
	rows   []uint32 // of a filter: numbers of the rows that match; of an order all of them, sorted
	lines  store    // of events and conversations: JSON, one line each
	starts []int64  // of the lines in it
	size   int64
	at     []uint32 // rows of the lines
	tables []Table  // of a statistic
	plot   *plotted // of a plot
	roster []RosterFile

	// Of a column, whose cells are in lines.
	count  int // cells; of an order rows with a value
	known  int // rows whose cells are known
	places []cellPlace
	cell   []byte // memory for one
}

// Jobs are the passes of one kind, by what was asked for.
type jobs struct {
	byName map[string]*job
	turn   int
	most   int // that are remembered; 0: keptJobs
}

// A progress is how far a job is.
type progress struct {
	Many  int     `json:"many"` // lines so far
	Done  bool    `json:"done"`
	Part  float64 `json:"part"` // of the inputs that was read, from 0 to 1
	Fault string  `json:"fault,omitempty"`
}

// job returns the job of a name, begun by start if it is new. The session's lock is held.
func (s *Session) job(of *jobs, name string, start func(ctx context.Context, j *job) error) *job {
	if of.byName == nil {
		of.byName = map[string]*job{}
	}
	of.turn++
	if j := of.byName[name]; j != nil {
		j.used = of.turn
		return j
	}
	if len(of.byName) >= cmp.Or(of.most, keptJobs) {
		oldest, turn := "", of.turn
		for k, j := range of.byName {
			if j.used < turn {
				oldest, turn = k, j.used
			}
		}
		of.byName[oldest].stop()
		delete(of.byName, oldest)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	j := &job{used: of.turn, stop: func() {
		cancel()
		s.index.mu.Lock()
		defer s.index.mu.Unlock()
		s.index.grown.Broadcast()
	}}
	of.byName[name] = j
	s.tasks.Go(func() {
		err := s.inTurn(ctx, func() error { return start(ctx, j) })
		x := s.index
		x.mu.Lock()
		defer x.mu.Unlock()
		if ctx.Err() == nil {
			j.fault = err
		}
		j.done = true
		if j.lines != nil && ctx.Err() != nil {
			j.lines.Close() // nobody can ask for them any more
		}
		x.grown.Broadcast()
	})
	return j
}

// inTurn runs a pass when there is room for one, or not at all if it is stopped before.
func (s *Session) inTurn(ctx context.Context, pass func() error) error {
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
		return pass()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// progress returns how far a job is. The index's lock is held.
func (j *job) progress(s *Session, many int) progress {
	p := progress{Many: many, Done: j.done}
	size := int64(0)
	for _, source := range s.sources {
		size += source.Size
	}
	if size > 0 {
		p.Part = min(1, float64(j.read.Load())/float64(size))
	}
	if j.done {
		p.Part = 1
	}
	if j.fault != nil {
		p.Fault = j.fault.Error()
	}
	return p
}

// Stop ends the passes of filters and panels that nobody waits for any more. What they found is forgotten.
func (s *Session) Stop(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range []*jobs{&s.selections, &s.panels, &s.columns} {
		if j := of.byName[name]; j != nil {
			j.stop()
			delete(of.byName, name)
			return true
		}
	}
	return false
}

// A follower gives the rows of frames that come in rising order.
type follower struct {
	index   *index
	file    int
	number  int // of the row that comes next
	scanner rowScanner
	frame   uint64 // that was asked for last
	at      int    // its row
	ctx     context.Context
}

func (s *Session) follow(ctx context.Context, file int) *follower {
	return &follower{index: s.index, file: file, number: -1, ctx: ctx}
}

// row returns the number of the row of a frame, and waits until the index has it.
func (f *follower) row(frame uint64) (int, bool) {
	if frame == f.frame && f.number >= 0 {
		return f.at, true
	}
	if frame < f.frame { // what is said at the end of an input is about packets that were before
		return f.index.find(f.file, frame)
	}
	f.frame = frame
	x := f.index
	for {
		x.mu.Lock()
		for !x.stopped && f.ctx.Err() == nil && !x.done && x.count <= max(f.number, x.files[f.file].first) {
			x.grown.Wait()
		}
		if f.number < 0 && x.files[f.file].first < x.count {
			f.number = x.files[f.file].first
			block := f.number / blockRows
			f.scanner = rowScanner{index: x, offset: x.blocks[block].offset}
			f.scanner.skip = f.number % blockRows
		}
		f.scanner.limit = x.size
		ended := x.stopped || f.ctx.Err() != nil || f.number < 0 || x.done && f.number >= x.count
		count := x.count
		x.mu.Unlock()
		if ended {
			return 0, false
		}
		for f.number < count {
			b, err := f.scanner.next()
			if err != nil {
				return 0, false
			}
			if f.scanner.skip > 0 {
				f.scanner.skip--
				continue
			}
			f.number++
			if rowFile(b) == f.file && rowFrame(b) == frame {
				f.at = f.number - 1
				return f.at, true
			}
		}
	}
}
