package browse

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/matchid"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view"
)

type panels = jobs

// Lines are a part of what a panel lists.
type Lines struct {
	progress
	From  int    `json:"from"`
	Lines []Line `json:"lines"`
}

// A Line is one line of a panel: what the command prints with --json, and the row that it is about.
type Line struct {
	Row  int             `json:"row"`
	Line json.RawMessage `json:"line"`
}

// Events returns what happens in the games, as q3dissect events --json has it.
func (s *Session) Events(from, count int) (Lines, error) {
	s.mu.Lock()
	j := s.job(&s.panels, "events", func(ctx context.Context, j *job) error {
		var numbers matchid.Numbers // in order
		var text []byte
		return s.collectLines(ctx, j, nil, nil, func(k *engine.Kept) []byte {
			numbers.Number(&k.Record)
			text = render.AppendEventsJSON(text[:0], &k.Record, render.JSON{})
			return text
		})
	})
	s.mu.Unlock()
	return s.lines(j, from, count)
}

// Follow returns one stream as a conversation, as -z follow --json has it.
func (s *Session) Follow(file, stream, from, count int) (Lines, error) {
	if file < 0 || file >= len(s.sources) {
		return Lines{}, ErrNoRow
	}
	f, err := s.names.Compile(fmt.Sprintf("stream == %d or demo_message", stream))
	if err != nil {
		return Lines{}, err
	}
	name := "follow," + strconv.Itoa(file) + "," + strconv.Itoa(stream)
	s.mu.Lock()
	j := s.job(&s.panels, name, func(ctx context.Context, j *job) error {
		write := view.Follow{}
		return s.collectLines(ctx, j, &chosen{file: file, filter: f}, write.Append,
			func(k *engine.Kept) []byte { return k.Bytes })
	})
	s.mu.Unlock()
	return s.lines(j, from, count)
}

// Talk returns one stream as a conversation for reading, as -z follow has it: what both sides send all the time is
// counted between the lines.
func (s *Session) Talk(file, stream, from, count int) (Lines, error) {
	if file < 0 || file >= len(s.sources) {
		return Lines{}, ErrNoRow
	}
	f, err := s.names.Compile(fmt.Sprintf("stream == %d or demo_message", stream))
	if err != nil {
		return Lines{}, err
	}
	name := "talk," + strconv.Itoa(file) + "," + strconv.Itoa(stream)
	s.mu.Lock()
	j := s.job(&s.panels, name, func(ctx context.Context, j *job) error { return s.readTalk(ctx, j, file, f) })
	s.mu.Unlock()
	return s.lines(j, from, count)
}

// readTalk collects the rows of a conversation. Workers put the length of the text before what they prepare.
func (s *Session) readTalk(ctx context.Context, j *job, file int, f *filter.Filter) error {
	if err := s.beginLines(j); err != nil {
		return err
	}
	const head = 4
	talk := view.NewTalk()
	first := 0 // row that the counts begin with
	err := s.eachRow(ctx, j, &chosen{file: file, filter: f}, func(dst []byte, rec *dissect.Record) []byte {
		if rec.Protocol == nil {
			return dst
		}
		start := len(dst)
		dst, mark := talk.Prepare(append(dst, make([]byte, head)...), rec)
		binary.LittleEndian.PutUint32(dst[start:], uint32(mark-start-head))
		return dst
	}, func(_, row int, k *engine.Kept) error {
		counted := talk.Counts()
		lines := talk.Append(nil, &k.Record, k.Bytes[head:], int(binary.LittleEndian.Uint32(k.Bytes)))
		if counted && len(lines) > 0 {
			end := 1 + bytes.IndexByte(lines, '\n')
			if err := s.addLines(j, first, lines[:end]); err != nil {
				return err
			}
			lines = lines[end:]
		}
		if talk.Counts() && (!counted || len(lines) > 0) {
			first = row
		}
		return s.addLines(j, row, lines)
	})
	return cmp.Or(err, s.addLines(j, first, talk.Rest(nil)))
}

// chosen selects the records of a panel.
type chosen struct {
	file   int // -1: all
	filter *filter.Filter
}

// matcher returns a function that reports whether a record is one of them, for a pass with a number of workers.
func (c *chosen) matcher(cfg *engine.Config, workers int) func(worker int, rec *dissect.Record) bool {
	cfg.Before = c.filter.Before()
	matchers := make([]*filter.Matcher, workers)
	for w := range matchers {
		matchers[w] = c.filter.Matcher()
	}
	return func(worker int, rec *dissect.Record) bool { return matchers[worker].Match(rec) }
}

// collectLines makes the lines of a panel: of what text makes of records, as eachRow has it.
func (s *Session) collectLines(ctx context.Context, j *job, only *chosen,
	text func(dst []byte, rec *dissect.Record) []byte, of func(k *engine.Kept) []byte,
) error {
	if err := s.beginLines(j); err != nil {
		return err
	}
	return s.eachRow(ctx, j, only, text, func(_, row int, k *engine.Kept) error { return s.addLines(j, row, of(k)) })
}

// beginLines makes the store for the lines of a panel.
func (s *Session) beginLines(j *job) error {
	lines, err := newStore(s.opts.Folder, s.opts.InMemory)
	if err != nil {
		return err
	}
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	j.lines = lines
	return nil
}

// addLines adds lines about a row.
func (s *Session) addLines(j *job, row int, text []byte) error {
	if _, err := j.lines.Write(text); err != nil {
		return err
	}
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	for line := range bytes.Lines(text) {
		j.starts = append(j.starts, j.size)
		j.at = append(j.at, uint32(row))
		j.size += int64(len(line))
	}
	return nil
}

// lines returns a part of the lines of a panel.
func (s *Session) lines(j *job, from, count int) (Lines, error) {
	from, count = max(from, 0), min(max(count, 0), maxRows)
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	answer := Lines{progress: j.progress(s, len(j.starts)), From: from, Lines: []Line{}}
	to := min(from+count, len(j.starts))
	if from >= to {
		return answer, nil
	}
	end := j.size
	if to < len(j.starts) {
		end = j.starts[to]
	}
	text := make([]byte, end-j.starts[from])
	if _, err := j.lines.ReadAt(text, j.starts[from]); err != nil {
		return answer, err
	}
	for i := from; i < to; i++ {
		stop := end
		if i+1 < len(j.starts) {
			stop = j.starts[i+1]
		}
		line := bytes.TrimRight(text[j.starts[i]-j.starts[from]:stop-j.starts[from]], "\n")
		answer.Lines = append(answer.Lines, Line{Row: int(j.at[i]), Line: line})
	}
	return answer, nil
}

// A Table is what a statistic came to, as -z has it.
type Table struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
	Rows    [][]any  `json:"rows"`
	Notes   []string `json:"notes,omitempty"`
}

// A Column describes a part of every row of a Table.
type Column struct {
	Key  string `json:"key"`
	Type string `json:"type"`
	Unit string `json:"unit,omitempty"`
	Doc  string `json:"doc,omitempty"`
	// Values describe the values that a text may have.
	Values map[string]string `json:"values,omitempty"`
}

// Statistic is the answer to a statistic.
type Statistic struct {
	progress
	Tables []Table `json:"tables"`
}

// A StatisticKind is a statistic that can be asked for.
type StatisticKind struct {
	Name  string `json:"name"`
	Usage string `json:"usage"`
	Doc   string `json:"doc"`
}

// Statistics lists what can be asked for.
func (s *Session) Statistics() []StatisticKind {
	var list []StatisticKind
	for _, k := range view.Kinds() {
		list = append(list, StatisticKind{k.Name, k.Usage, k.Doc})
	}
	return list
}

// Statistic returns what a value of -z comes to. There are tables when it is done.
func (s *Session) Statistic(value string) (Statistic, error) {
	kind, args, err := view.Find(value)
	if err != nil {
		return Statistic{}, err
	}
	env := view.Env{Secrets: s.opts.Secrets, Filter: func(text string) (func(*dissect.Record) bool, error) {
		f, err := s.names.Compile(text)
		if err != nil {
			return nil, err
		}
		return f.Matcher().Match, nil
	}, Values: func(text string, numbers bool) (func(*dissect.Record, func(float64)), error) {
		series, err := s.names.Series(text, numbers)
		if err != nil {
			return nil, err
		}
		return series.Each, nil
	}}
	st, err := kind.New(args, &env)
	if err != nil {
		return Statistic{}, err
	}
	s.mu.Lock()
	j := s.job(&s.panels, "z,"+value, func(ctx context.Context, j *job) error { return s.count(ctx, j, &kind, st) })
	s.mu.Unlock()
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	return Statistic{progress: j.progress(s, len(j.tables)), Tables: append([]Table{}, j.tables...)}, nil
}

// count gives all records to a statistic.
func (s *Session) count(ctx context.Context, j *job, kind *view.Kind, st view.Statistic) error {
	for i := range s.sources {
		cfg := s.config(i)
		cfg.Workers = 1 // it takes the records one by one
		cfg.Options.Events, cfg.Options.Inputs = kind.Needs.Events, kind.Needs.Inputs
		cfg.Options.Files = kind.Needs.Files
		cfg.Finish = func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			if !rec.Closing || kind.Needs.Events {
				st.Add(rec)
			}
			return dst, nil
		}
		if _, err := s.pass(ctx, i, cfg, passOptions{link: kind.Needs.Link, progress: &j.read}); err != nil &&
			ctx.Err() != nil {
			return err
		}
	}
	var tables []Table
	for _, whole := range st.Tables() {
		t := whole.ForPeople()
		view.ForPages(t.Rows)
		a := Table{Name: t.Name, Rows: finite(t.Rows), Notes: t.Notes}
		if t.Unknown != "" {
			a.Notes = append(a.Notes, t.Unknown)
		}
		for _, c := range t.Columns {
			a.Columns = append(a.Columns, Column{c.Key, c.Type, c.Unit, c.Doc, c.Values})
		}
		tables = append(tables, a)
	}
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	j.tables = tables
	return nil
}

// finite replaces numbers that JSON does not have by nothing.
func finite(rows [][]any) [][]any {
	for _, row := range rows {
		for i, v := range row {
			if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				row[i] = nil
			}
		}
	}
	return append([][]any{}, rows...)
}
