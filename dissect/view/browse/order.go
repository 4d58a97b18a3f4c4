package browse

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// What is sorted at once: 12 bytes of memory for each row by a number, 72 for each by a text.
const (
	maxOrdered      = 10 << 20 // rows by a number
	maxOrderedTexts = 1 << 20  // rows by a text
	orderedText     = 64       // bytes of a text that count
	keptOrders      = 2        // that are remembered, four bytes for each row
)

// An ordering is a column that the list is sorted by.
type ordering struct {
	name   string
	isText bool
	number func(w *row) (float64, bool)    // of a row of the index
	text   func(dst []byte, w *row) []byte // of a row of the index, if isText
	reader *fieldReader                    // of a field, which the index does not have
}

// ordering finds a column by its name: one of the list, or the display name of a field.
func (s *Session) ordering(name string) (ordering, error) {
	o := ordering{name: name}
	switch name {
	case "number":
		o.number = func(w *row) (float64, bool) { return 0, true } // the order of the list
	case "time":
		start := s.index.firstTime(0)
		o.number = func(w *row) (float64, bool) { return float64(w.packet.Time - start), w.packet.HasTime }
	case "length":
		o.number = func(w *row) (float64, bool) { return float64(w.packet.Length), true }
	case "protocol":
		o.text = func(dst []byte, w *row) []byte { return append(dst, w.protocol...) }
	case "info":
		o.text = func(dst []byte, w *row) []byte { return append(dst, w.info...) }
	case "source":
		o.text = func(dst []byte, w *row) []byte { return appendAddrKey(dst, w, true) }
	case "destination":
		o.text = func(dst []byte, w *row) []byte { return appendAddrKey(dst, w, false) }
	default:
		reader, err := s.fieldReader(name)
		if err != nil {
			return o, err
		}
		o.reader = reader
		n := slices.IndexFunc(s.fields(), func(f schema.FieldInfo) bool { return f.Path == name })
		values := "" // type of them in JSON
		if n >= 0 {
			values = cmp.Or(s.fields()[n].Items, s.fields()[n].Type)
		}
		o.isText = !slices.Contains([]string{"integer", "number", "boolean"}, values)
		return o, nil
	}
	o.isText = o.text != nil
	return o, nil
}

// appendAddrKey appends an address as bytes that are ordered as addresses are.
func appendAddrKey(dst []byte, w *row, source bool) []byte {
	a := w.packet.Dst
	if source {
		a = w.packet.Src
	}
	if !a.IsValid() {
		return dst
	}
	b := a.Addr().As16()
	dst = append(append(dst, byte(a.Addr().BitLen())), b[:]...)
	return binary.BigEndian.AppendUint16(dst, a.Port())
}

// Sorted returns rows of the list in the order of a column, the highest first if its name follows "-". Rows without a
// value come last. Until all of them are known and sorted, the page has the rows in their own order, and Sorted is
// false.
func (s *Session) Sorted(from, count int, filter, column string) (Page, error) {
	if column == "" {
		return s.Rows(from, count, filter)
	}
	page, err := s.Rows(from, 0, filter)
	if err != nil {
		return page, err
	}
	name, down := strings.CutPrefix(column, "-")
	by, err := s.ordering(name)
	if err != nil {
		return page, err
	}
	s.mu.Lock()
	s.orders.most = keptOrders
	j := s.job(&s.orders, filter+"\n"+name,
		func(ctx context.Context, j *job) error { return s.order(ctx, j, &by, filter) })
	s.mu.Unlock()
	x := s.index
	x.mu.Lock()
	done, fault := j.done, j.fault
	x.mu.Unlock()
	if fault != nil {
		return page, fault
	}
	if !done || len(j.rows) != page.Many {
		return s.Rows(from, count, filter)
	}
	page.Sorted = true
	from, count = max(from, 0), min(max(count, 0), maxRows)
	for place := from; place < min(from+count, len(j.rows)); place++ {
		number := int(j.rows[turned(place, j.count, down)])
		w, err := x.row(number)
		if err != nil {
			return page, err
		}
		page.Rows = append(page.Rows, s.show(number, &w))
	}
	return page, nil
}

// turned returns the index of a place: of the first many rows, those with a value, the last one comes first if down.
func turned(place, many int, down bool) int {
	if down && place < many {
		return many - 1 - place
	}
	return place
}

// PlaceSorted returns the place of a row in the order of a column, or, while it is not sorted, that of Place.
func (s *Session) PlaceSorted(number int, filter, column string) Found {
	name, down := strings.CutPrefix(column, "-")
	s.mu.Lock()
	j := s.orders.byName[filter+"\n"+name]
	s.mu.Unlock()
	var rows []uint32
	have := 0
	if j != nil && column != "" {
		s.index.mu.Lock()
		rows, have = j.rows, j.count
		s.index.mu.Unlock()
	}
	if rows == nil {
		return s.Place(number, filter)
	}
	at := slices.Index(rows, uint32(number))
	return Found{Row: turned(max(at, 0), have, down), Exact: at >= 0}
}

// order sorts the rows that match a filter, once they are all known.
func (s *Session) order(ctx context.Context, j *job, by *ordering, filter string) error {
	var values *job
	if by.reader != nil {
		values = s.columnJob(by.reader)
	}
	rows, err := s.chosenRows(ctx, filter, values)
	if err != nil {
		return err
	}
	if most := cmp.Or(s.opts.ordered, maxOrdered); len(rows) > most {
		return fmt.Errorf("at most %d rows are sorted, and there are %d: choose fewer with a filter", most, len(rows))
	}
	if most := cmp.Or(s.opts.ordered/2, maxOrderedTexts); by.isText && len(rows) > most {
		return fmt.Errorf("at most %d rows are sorted by a text, and there are %d: choose fewer with a filter", most,
			len(rows))
	}
	keys := newOrderKeys(by.isText, len(rows))
	if values != nil {
		err = s.fieldKeys(ctx, keys, values, rows)
	} else {
		err = s.rowKeys(ctx, keys, by, rows)
	}
	if err != nil {
		return err
	}
	sorted, have := keys.sort()
	for i, n := range sorted {
		sorted[i] = rows[n]
	}
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	j.rows, j.count = sorted, have
	return nil
}

var errStopped = errors.New("the search for the rows was stopped")

// chosenRows returns the rows that match a filter, when all inputs were read and the values of a field, if any, are
// known.
func (s *Session) chosenRows(ctx context.Context, filter string, values *job) ([]uint32, error) {
	var selection *job
	if filter != "" {
		if _, err := s.Rows(0, 0, filter); err != nil {
			return nil, err
		}
		s.mu.Lock()
		selection = s.selections.byName[filter]
		s.mu.Unlock()
		if selection == nil {
			return nil, errStopped
		}
	}
	x := s.index
	x.mu.Lock()
	defer x.mu.Unlock()
	isDone := func(j *job) bool { return j == nil || j.done }
	for !x.stopped && ctx.Err() == nil && !(x.done && isDone(selection) && isDone(values)) {
		x.grown.Wait()
	}
	if x.stopped || ctx.Err() != nil {
		return nil, context.Canceled
	}
	if selection != nil {
		return selection.rows, nil // it is complete
	}
	rows := make([]uint32, x.count)
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows, nil
}

// rowKeys reads the values of a column of the list.
func (s *Session) rowKeys(ctx context.Context, keys *orderKeys, by *ordering, rows []uint32) error {
	if by.name == "number" || len(rows) == 0 {
		for i := range rows {
			keys.addNumber(float64(i), true)
		}
		return nil
	}
	var w row
	var fault error
	var text []byte
	next := 0
	err := s.index.scan(int(rows[0]), func(number int, b []byte) bool {
		if number != int(rows[next]) {
			return true
		}
		if fault = cmp.Or(w.decode(b, s.index.readings), ctx.Err()); fault != nil {
			return false
		}
		if by.text != nil {
			text = by.text(text[:0], &w)
			keys.addText(text)
		} else {
			keys.addNumber(by.number(&w))
		}
		next++
		if next%pauseEvery == 0 && s.opts.Pause != nil {
			s.opts.Pause()
		}
		return next < len(rows)
	})
	return cmp.Or(fault, err)
}

// fieldKeys reads the values of a field, which are known: of several in one record the first one counts.
func (s *Session) fieldKeys(ctx context.Context, keys *orderKeys, values *job, rows []uint32) error {
	numbers := make([]int, 0, maxRows)
	for part := range slices.Chunk(rows, maxRows) {
		numbers = numbers[:0]
		for _, n := range part {
			numbers = append(numbers, int(n))
		}
		s.index.mu.Lock()
		cells, err := values.cells(numbers)
		s.index.mu.Unlock()
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		for _, cell := range cells {
			if keys.isText {
				keys.addText([]byte(cell))
				continue
			}
			first, _, _ := strings.Cut(cell, ",")
			keys.addNumber(numberOf(first))
		}
		if s.opts.Pause != nil {
			s.opts.Pause()
		}
	}
	return nil
}

// numberOf reads a number, or true and false.
func numberOf(text string) (float64, bool) {
	list := numbers(text)
	if len(list) != 1 {
		return 0, false
	}
	return list[0], true
}

// orderKeys are what rows are sorted by: numbers, or texts one after the other.
type orderKeys struct {
	isText bool
	number []float64 // NaN: there is none
	arena  []byte
	ends   []uint32
}

func newOrderKeys(isText bool, many int) *orderKeys {
	if isText {
		return &orderKeys{isText: true, ends: make([]uint32, 0, many)}
	}
	return &orderKeys{number: make([]float64, 0, many)}
}

func (k *orderKeys) addNumber(v float64, ok bool) {
	if !ok {
		v = math.NaN()
	}
	k.number = append(k.number, v)
}

func (k *orderKeys) addText(text []byte) {
	k.arena = append(k.arena, text[:min(len(text), orderedText)]...)
	k.ends = append(k.ends, uint32(len(k.arena)))
}

// has reports whether a row has a value.
func (k *orderKeys) has(i uint32) bool {
	if k.isText {
		return len(k.text(i)) > 0
	}
	return !math.IsNaN(k.number[i])
}

func (k *orderKeys) text(i uint32) []byte {
	if i == 0 {
		return k.arena[:k.ends[0]]
	}
	return k.arena[k.ends[i-1]:k.ends[i]]
}

// sort returns the numbers of the rows in their order: those with a value, whose count it gives too, then the others.
func (k *orderKeys) sort() (order []uint32, have int) {
	many := max(len(k.number), len(k.ends))
	order = make([]uint32, 0, many)
	for i := range uint32(many) {
		if k.has(i) {
			order = append(order, i)
		}
	}
	have = len(order)
	slices.SortFunc(order, func(a, b uint32) int {
		if k.isText {
			return cmp.Or(bytes.Compare(k.text(a), k.text(b)), cmp.Compare(a, b))
		}
		return cmp.Or(cmp.Compare(k.number[a], k.number[b]), cmp.Compare(a, b))
	})
	for i := range uint32(many) {
		if !k.has(i) {
			order = append(order, i)
		}
	}
	return order, have
}
