package browse

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// An Export is what the list shows as a file.
type Export struct {
	Form   string   // one of ExportForms
	Filter string   // "": all rows
	Fields []string // that are columns, for csv
	Sort   string   // the column that csv and json are sorted by, as in Sorted; pcapng is in the order of the capture
}

// ExportForms are the forms of files: the columns of the list, the records of --json, and the packets as with -w.
func ExportForms() []string { return []string{"csv", "json", "pcapng"} }

// errNoPackets is the error of recordings: they have no packets.
var errNoPackets = errors.New("the messages of a demo are no packets: export them as CSV or JSON")

// ExportQuery is Export with the arguments of an address: form, filter, columns, sort.
func (s *Session) ExportQuery(ctx context.Context, w io.Writer, arguments url.Values) error {
	e := Export{Form: arguments.Get("form"), Filter: arguments.Get("filter"), Sort: arguments.Get("sort")}
	if columns := arguments.Get("columns"); columns != "" {
		e.Fields = strings.Split(columns, ",")
	}
	return s.Export(ctx, w, &e)
}

// Export writes what the list shows, of inputs that are still read when they were read to their ends. Nothing is
// written if the export is wrong: its filter, a field or its form.
func (s *Session) Export(ctx context.Context, w io.Writer, e *Export) error {
	var f *filter.Filter
	if e.Filter != "" {
		var err error
		if f, err = s.names.Compile(e.Filter); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var err error
	switch e.Form {
	case "csv":
		err = s.exportCSV(ctx, out, e)
	case "json":
		if e.Sort != "" {
			err = s.exportSortedJSON(ctx, out, e, f)
		} else {
			err = s.exportJSON(ctx, out, f)
		}
	case "pcapng":
		err = s.exportPackets(ctx, out, f)
	default:
		return fmt.Errorf("form=%s: want one of %s", e.Form, strings.Join(ExportForms(), ", "))
	}
	return cmp.Or(err, out.Flush())
}

// exportPass passes over the inputs and calls finish for each record that matches, in their order after one another.
func (s *Session) exportPass(ctx context.Context, f *filter.Filter, raw bool, cfg func(*engine.Config),
	finish func(out *engine.Out, rec *dissect.Record),
) error {
	for i := range s.sources {
		c := s.config(i)
		matches := func(int, *dissect.Record) bool { return true }
		if f != nil {
			only := chosen{file: -1, filter: f}
			matches = only.matcher(&c, s.finishers())
		}
		c.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
			if matches(out.Worker, rec) {
				finish(out, rec)
			}
			return nil
		}
		cfg(&c)
		_, err := s.pass(ctx, i, c, passOptions{link: f != nil && f.NeedsLink(), raw: raw})
		var fault *dissect.FileError
		if err != nil && !errors.As(err, &fault) { // the list shows what is wrong with an input
			return err
		}
	}
	return nil
}

// exportJSON writes the records as --json prints them.
func (s *Session) exportJSON(ctx context.Context, w io.Writer, f *filter.Filter) error {
	return s.exportPass(ctx, f, false, func(c *engine.Config) {
		c.Output = func(b []byte) error {
			_, err := w.Write(b)
			return cmp.Or(err, ctx.Err())
		}
	}, appendRecord)
}

// appendRecord appends a record as --json prints it.
func appendRecord(out *engine.Out, rec *dissect.Record) {
	out.Bytes = render.AppendJSON(out.Bytes, rec, render.JSON{})
}

// exportPackets writes the packets as -w does.
func (s *Session) exportPackets(ctx context.Context, w io.Writer, f *filter.Filter) error {
	if s.Status().Demo {
		return errNoPackets
	}
	packets := capture.NewWriter(w, s.opts.Application)
	err := s.exportPass(ctx, f, true, func(c *engine.Config) {
		c.InOrder = func(dst []byte, k *engine.Kept) ([]byte, error) {
			err := packets.Write(&k.Packet, string(k.Bytes[k.Tag:]))
			return dst, cmp.Or(err, ctx.Err())
		}
	}, func(out *engine.Out, rec *dissect.Record) {
		if rec.Partial {
			return // its fragments are packets
		}
		k := out.KeepPacket(rec)
		k.Tag, k.Bytes = len(k.Bytes), render.AppendComment(k.Bytes, rec)
	})
	return cmp.Or(err, packets.Close())
}

// listColumns are the names of the list's own columns in a file.
var listColumns = []string{"number", "time", "source", "destination", "protocol", "length", "info"}

// exportCSV writes the columns of the list, in its order.
func (s *Session) exportCSV(ctx context.Context, w io.Writer, e *Export) error {
	var columns []*job
	for _, name := range e.Fields {
		reader, err := s.fieldReader(name)
		if err != nil {
			return err
		}
		columns = append(columns, s.columnJob(reader))
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	page, err := s.settled(ctx, e, columns)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	head := append(slices.Clone(listColumns), e.Fields...)
	if len(s.sources) > 1 {
		head = append([]string{"file"}, head...)
	}
	_ = out.Write(head) // Error has it
	for from := 0; from < page.Many; from += maxRows {
		page, err := s.Sorted(from, maxRows, e.Filter, e.Sort)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		values, err := s.cellsOf(columns, page.Rows)
		if err != nil {
			return err
		}
		for i := range page.Rows {
			_ = out.Write(s.csvLine(&page.Rows[i], values, i)) // Error has it
		}
		if out.Flush(); out.Error() != nil {
			return out.Error()
		}
	}
	out.Flush()
	return out.Error()
}

// csvLine returns the cells of a row. A text that a spreadsheet would take for a formula begins with '.
func (s *Session) csvLine(r *Row, values [][]string, at int) []string {
	line := make([]string, 0, len(listColumns)+len(values)+1)
	if len(s.sources) > 1 {
		line = append(line, s.sources[r.File].Name)
	}
	line = append(line, strconv.FormatUint(r.Number, 10), r.Time, r.Source, r.Destination, r.Protocol,
		strconv.Itoa(r.Length), r.Info)
	for _, cells := range values {
		line = append(line, cells[at])
	}
	for i, cell := range line {
		line[i] = csvCell(cell)
	}
	return line
}

func csvCell(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// settled waits until the rows of an export are known and in their order.
func (s *Session) settled(ctx context.Context, e *Export, columns []*job) (Page, error) {
	for {
		page, err := s.Sorted(0, 0, e.Filter, e.Sort)
		if err != nil {
			return page, err
		}
		s.index.mu.Lock()
		known := !slices.ContainsFunc(columns, func(j *job) bool { return !j.done })
		s.index.mu.Unlock()
		if page.Done && known && (page.Sorted || e.Sort == "") {
			return page, nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return page, ctx.Err()
		case <-s.ctx.Done():
			return page, s.ctx.Err()
		}
	}
}

// cellsOf returns the values of fields in rows, by field.
func (s *Session) cellsOf(columns []*job, rows []Row) ([][]string, error) {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(rows[a].Row, rows[b].Row) })
	numbers := make([]int, len(rows))
	for i, at := range order {
		numbers[i] = rows[at].Row
	}
	values := make([][]string, len(columns))
	for c, j := range columns {
		s.index.mu.Lock()
		cells, err := j.cells(numbers)
		s.index.mu.Unlock()
		if err != nil {
			return nil, err
		}
		values[c] = make([]string, len(rows))
		for i, at := range order {
			values[c][at] = cells[i]
		}
	}
	return values, nil
}
