package browse

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"sort"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// Values are what a field has in rows of the list.
type Values struct {
	progress
	Values []string `json:"values"` // as many as rows were asked for; "" where the record does not have the field
	Known  int      `json:"known"`  // rows from the beginning of the list whose values are known
}

// Column returns the values of a field, by its display name, in rows of the list, which must rise. They are read in the
// background when the field is wanted for the first time. Several values of one record have commas between them.
func (s *Session) Column(name string, rows []int) (Values, error) {
	reader, err := s.fieldReader(name)
	if err != nil {
		return Values{}, err
	}
	j := s.columnJob(reader)
	x := s.index
	x.mu.Lock()
	defer x.mu.Unlock()
	v := Values{progress: j.progress(s, j.count), Known: j.known}
	if j.done {
		v.Known = x.count
	}
	v.Values, err = j.cells(rows[:min(len(rows), maxRows)])
	return v, err
}

// columnJob returns the pass that reads the values of a field.
func (s *Session) columnJob(reader *fieldReader) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.job(&s.columns, reader.name, func(ctx context.Context, j *job) error { return s.readColumn(ctx, j, reader) })
}

// cellBlock is how many values of a column have one entry in memory.
const cellBlock = 64

// A cellPlace is the position of the first of cellBlock values.
type cellPlace struct {
	row    uint32
	offset int64
}

// readColumn reads the values of a field. In the store a value is the number of its row, four bytes, its length, two,
// and the text.
func (s *Session) readColumn(ctx context.Context, j *job, reader *fieldReader) error {
	cells, err := newStore(s.opts.Folder, s.opts.InMemory)
	if err != nil {
		return err
	}
	s.index.mu.Lock()
	j.lines = cells
	s.index.mu.Unlock()
	return s.eachRow(ctx, j, nil, func(dst []byte, rec *dissect.Record) []byte {
		from := len(dst)
		dst = reader.append(dst, rec)
		text := bytes.ReplaceAll(dst[from:], []byte("\n"), []byte(", "))
		return append(dst[:from], beginning(text, maxCell)...)
	}, func(_, row int, k *engine.Kept) error {
		text := k.Bytes
		j.cell = binary.LittleEndian.AppendUint32(j.cell[:0], uint32(row))
		j.cell = append(binary.LittleEndian.AppendUint16(j.cell, uint16(len(text))), text...)
		if _, err := cells.Write(j.cell); err != nil {
			return err
		}
		s.index.mu.Lock()
		defer s.index.mu.Unlock()
		if j.count%cellBlock == 0 {
			j.places = append(j.places, cellPlace{uint32(row), j.size})
		}
		j.count++
		j.size += int64(len(j.cell))
		j.known = row + 1
		return nil
	})
}

// beginning returns at most so many bytes of a text, and no part of a character.
func beginning(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// maxCell is how many bytes of a value are shown in the list.
const maxCell = 256

// cells returns the values of rows. The index's lock is held.
func (j *job) cells(rows []int) ([]string, error) {
	values := make([]string, len(rows))
	block := -1 // that b is the rest of
	var b []byte
	for i, row := range rows {
		n := sort.Search(len(j.places), func(i int) bool { return int(j.places[i].row) > row }) - 1
		if n < 0 {
			continue
		}
		if n != block {
			end := j.size
			if n+1 < len(j.places) {
				end = j.places[n+1].offset
			}
			b = make([]byte, end-j.places[n].offset)
			if _, err := j.lines.ReadAt(b, j.places[n].offset); err != nil {
				return values, err
			}
			block = n
		}
		for len(b) > 0 && int(binary.LittleEndian.Uint32(b)) <= row {
			length := 6 + int(binary.LittleEndian.Uint16(b[4:]))
			if int(binary.LittleEndian.Uint32(b)) == row {
				values[i] = string(b[6:length])
			}
			b = b[length:]
		}
	}
	return values, nil
}

// eachRow passes over the inputs and calls take for each record that matches and whose text is not empty, with the
// numbers of its input and row, in the order of the list: k.Bytes is the text. text nil: for each record with events.
func (s *Session) eachRow(ctx context.Context, j *job, only *chosen, text func(dst []byte, rec *dissect.Record) []byte,
	take func(file, row int, k *engine.Kept) error,
) error {
	for i := range s.sources {
		if only != nil && only.file >= 0 && only.file != i {
			continue
		}
		cfg := s.config(i)
		cfg.Options.Events = text == nil
		matches := func(int, *dissect.Record) bool { return true }
		if only != nil {
			matches = only.matcher(&cfg, s.finishers())
		}
		at := s.follow(ctx, i)
		var fault error // of take; those of the input were reported when the list was made
		cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
			switch {
			case !matches(out.Worker, rec):
			case text == nil && len(rec.Events.Nodes) > 0:
				out.Keep(rec)
			case text != nil:
				start := len(out.Bytes)
				b := text(out.Bytes, rec)
				if out.Bytes = b[:start]; len(b) > start {
					k := out.Keep(rec)
					k.Bytes = append(k.Bytes, b[start:]...)
				}
			}
			return nil
		}
		cfg.InOrder = func(dst []byte, k *engine.Kept) ([]byte, error) {
			row, _ := at.row(k.Frame)
			fault = take(i, row, k)
			return dst, cmp.Or(fault, ctx.Err())
		}
		if _, err := s.pass(ctx, i, cfg, passOptions{
			link:     only != nil && only.filter.NeedsLink(),
			progress: &j.read,
		}); fault != nil || err != nil && ctx.Err() != nil {
			return cmp.Or(fault, err)
		}
	}
	return nil
}
