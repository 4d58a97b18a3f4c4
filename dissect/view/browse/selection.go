package browse

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/filter"
)

type selections = jobs

// A FilterCheck is the result of checking a filter: if it is wrong, why and where.
type FilterCheck struct {
	OK      bool   `json:"ok"`
	Message string `json:"message,omitempty"`
	From    int    `json:"from"`   // first character that is wrong, from 0
	To      int    `json:"to"`     // first one after it
	Column  int    `json:"column"` // from 1
}

// Check checks a filter.
func (s *Session) Check(text string) FilterCheck {
	if text == "" {
		return FilterCheck{OK: true}
	}
	_, err := s.names.Compile(text)
	var e *filter.Error
	switch {
	case err == nil:
		return FilterCheck{OK: true}
	case errors.As(err, &e):
		return mistakeOf(e)
	}
	return FilterCheck{Message: err.Error()}
}

// selected returns rows that fit a filter. What was found so far is given while the inputs are still looked through.
func (s *Session) selected(from, count int, text string) (Page, error) {
	f, err := s.names.Compile(text)
	if err != nil {
		return Page{}, err
	}
	s.mu.Lock()
	j := s.job(&s.selections, text, func(ctx context.Context, j *job) error { return s.choose(ctx, j, f) })
	s.mu.Unlock()
	x := s.index
	x.mu.Lock()
	p := j.progress(s, len(j.rows))
	page := Page{From: from, Many: p.Many, Done: p.Done, Part: p.Part, Fault: p.Fault, Rows: []Row{}}
	numbers := append([]uint32(nil), j.rows[min(from, len(j.rows)):min(from+count, len(j.rows))]...)
	x.mu.Unlock()
	for _, number := range numbers {
		w, err := x.row(int(number))
		if err != nil {
			return page, err
		}
		page.Rows = append(page.Rows, s.show(int(number), &w))
	}
	return page, nil
}

// choose looks for the rows that fit a filter.
func (s *Session) choose(ctx context.Context, j *job, f *filter.Filter) error {
	for i := range s.sources {
		matchers := make([]*filter.Matcher, s.finishers())
		for w := range matchers {
			matchers[w] = f.Matcher()
		}
		at := s.follow(ctx, i)
		cfg := s.config(i)
		cfg.Before = f.Before()
		cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
			if !matchers[worker].Match(rec) {
				return dst, nil
			}
			return binary.LittleEndian.AppendUint64(dst, rec.Frame), nil
		}
		cfg.Output = func(b []byte) error {
			var found []uint32
			for ; len(b) > 0; b = b[8:] {
				if n, ok := at.row(binary.LittleEndian.Uint64(b)); ok {
					found = append(found, uint32(n))
				}
			}
			s.index.mu.Lock()
			defer s.index.mu.Unlock()
			j.rows = append(j.rows, found...)
			s.index.grown.Broadcast()
			return ctx.Err()
		}
		if _, err := s.pass(ctx, i, cfg, passOptions{link: f.NeedsLink(), progress: &j.read}); err != nil &&
			ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// Place returns the place of a row among those that fit a filter: how many of them come before it, as far as they were
// looked for.
func (s *Session) Place(number int, text string) Found {
	if text == "" {
		return Found{Row: number, Exact: true}
	}
	s.mu.Lock()
	j := s.selections.byName[text]
	s.mu.Unlock()
	if j == nil {
		return Found{}
	}
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	lo, hi := 0, len(j.rows)
	for lo < hi {
		if mid := (lo + hi) / 2; int(j.rows[mid]) < number {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return Found{Row: lo, Exact: lo < len(j.rows) && int(j.rows[lo]) == number}
}

// mistakeOf returns a mistake with its place in characters.
func mistakeOf(e *filter.Error) FilterCheck {
	characters := func(n int) int { return len([]rune(e.Filter[:min(max(n, 0), len(e.Filter))])) }
	return FilterCheck{Message: e.Message, Column: e.Column(), From: characters(e.From), To: characters(e.To)}
}
