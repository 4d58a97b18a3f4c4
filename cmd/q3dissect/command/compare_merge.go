package command

import (
	"iter"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/compare"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A mergeReader reads the records of one of the captures that are printed as one list.
type mergeReader struct {
	letter string
	clocks []*compare.Clock  // from the capture's clock back to that of the first capture, in this order
	why    map[uint64]string // what happened to its datagrams in between, by frame
	in     *open.Input
	next   func() (*dissect.Record, error, bool)
	stop   func()
	rec    *dissect.Record // nil at the end
}

// mergeReaders opens the captures again.
func (p *program) mergeReaders(results []*compare.Result, names []string) (list []*mergeReader, err error) {
	var clocks []*compare.Clock
	for i, name := range names {
		m := &mergeReader{clocks: clocks, why: map[uint64]string{}}
		if i > 0 {
			m.letter = results[i-1].B.Letter
			addReasons(m.why, results[i-1].Only(false))
		}
		if i < len(results) {
			m.letter = results[i].A.Letter
			addReasons(m.why, results[i].Only(true))
			clocks = append([]*compare.Clock{&results[i].Clock}, clocks...)
		}
		list = append(list, m)
		if m.in, err = open.File(name, open.Options{Protocols: p.protocols}); err != nil {
			return list, err
		}
		m.next, m.stop = iter.Pull2(engine.Records(m.in.Packets(), engine.Config{
			Protocols: p.protocols, Outline: true,
		}))
		m.advance()
	}
	return list, nil
}

// addReasons adds reasons, after those that are there.
func addReasons(to, more map[uint64]string) {
	for frame, why := range more {
		if to[frame] != "" {
			why = to[frame] + "; " + why
		}
		to[frame] = why
	}
}

// advance goes to the next record, with its time by the clock of the first capture. A capture that breaks off ends
// there, which was reported when it was read first.
func (m *mergeReader) advance() {
	for {
		rec, err, ok := m.next()
		if !ok || err != nil {
			m.rec = nil
			return
		}
		if !rec.HasTime || rec.Closing {
			continue
		}
		for _, c := range m.clocks {
			rec.Time = c.ToA(rec.Time)
		}
		m.rec = rec
		return
	}
}

func (m *mergeReader) close() {
	if m.stop != nil {
		m.stop()
	}
	if m.in != nil {
		_ = m.in.Close() // it was only read
	}
}

// printMerged prints the datagrams of games of all captures as one list in the order of time, by the clock of the first
// capture, with the letter of the capture before each line and what happened to the datagram after it.
func (p *program) printMerged(results []*compare.Result, names []string) error {
	readers, err := p.mergeReaders(results, names)
	defer func() {
		for _, m := range readers {
			m.close()
		}
	}()
	if err != nil {
		return exit.With(exit.Unreadable)
	}
	list := render.List{}
	width := terminal.Width(p.Stdout)
	const most = 64 << 10 // bytes that are written at once
	var out []byte
	begin, begun := int64(0), false
	for {
		var first *mergeReader
		for _, m := range readers {
			if m.rec != nil && (first == nil || m.rec.Time < first.rec.Time) {
				first = m
			}
		}
		if first == nil {
			return p.Print(out)
		}
		if !begun {
			begin, begun = first.rec.Time, true
		}
		first.rec.FirstTime = begin
		if list.Width = 0; width > 0 {
			list.Width = max(width-2, 1)
		}
		out = list.Append(append(append(out, first.letter...), ' '), first.rec)
		if why := first.why[first.rec.Frame]; why != "" {
			out = append(append(append(out[:len(out)-1], "  ["...), why...), "]\n"...)
		}
		if len(out) >= most {
			if err := p.Print(out); err != nil {
				return err
			}
			out = out[:0]
		}
		first.advance()
	}
}
