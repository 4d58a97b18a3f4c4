package browse

import (
	"errors"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// ErrNoRow: there is no such row, or not yet.
var ErrNoRow = errors.New("there is no such packet")

// maxRows bounds an answer.
const maxRows = 2000

// A Row is a line of the list.
type Row struct {
	Row  int `json:"row"`            // its number, from 0
	File int `json:"file,omitempty"` // number of the input in the status
	// as the list has it: of the packet from 1, or of a recording's message from 0
	Number      uint64 `json:"number"`
	Time        string `json:"time,omitempty"`
	Source      string `json:"source,omitempty"`
	Destination string `json:"destination,omitempty"`
	Protocol    string `json:"protocol"`
	Length      int    `json:"length"`
	Info        string `json:"info"`
	Stream      int    `json:"stream"` // -1: none
	Direction   string `json:"direction,omitempty"`
	Severity    string `json:"severity,omitempty"` // of the worst expert entry
}

// A Page is a part of the list.
type Page struct {
	Rows  []Row   `json:"rows"`
	From  int     `json:"from"`            // place of the first of them among those that fit the filter
	Many  int     `json:"many"`            // rows that fit so far
	Done  bool    `json:"done"`            // there will be no more
	Part  float64 `json:"part"`            // of the inputs that was looked through, from 0 to 1
	Fault string  `json:"fault,omitempty"` // why there are no more

	Sorted bool `json:"sorted,omitempty"` // in the order that was asked for
}

// Rows returns rows of the list: those that fit a filter, or all. The error is a *filter.Error where that is wrong.
func (s *Session) Rows(from, count int, filter string) (Page, error) {
	from, count = max(from, 0), min(max(count, 0), maxRows)
	if filter != "" {
		return s.selected(from, count, filter)
	}
	x := s.index
	x.mu.Lock()
	page := Page{From: from, Many: x.count, Done: x.done, Part: 1, Rows: []Row{}}
	x.mu.Unlock()
	if from >= page.Many || count == 0 {
		return page, nil
	}
	var fault error
	err := x.scan(from, func(number int, b []byte) bool {
		var w row
		if fault = w.decode(b, x.readings); fault != nil {
			return false
		}
		page.Rows = append(page.Rows, s.show(number, &w))
		return len(page.Rows) < count
	})
	return page, errors.Join(err, fault)
}

// show makes the line of a row.
func (s *Session) show(number int, w *row) Row {
	rec := dissect.Record{Packet: w.packet, FirstTime: s.index.firstTime(w.file)}
	return Row{
		Row: number, File: w.file, Number: w.packet.Number(), Protocol: w.protocol, Info: w.info, Length: w.packet.Length,
		Stream: w.stream, Direction: w.ticket.Direction.String(), Severity: severityName(w.severity),
		Time:        string(render.AppendTimeCell(nil, &rec)),
		Source:      string(render.AppendEndpointCell(nil, &rec, w.packet.Src)),
		Destination: string(render.AppendEndpointCell(nil, &rec, w.packet.Dst)),
	}
}

func severityName(s int) string {
	if s == noSeverity {
		return ""
	}
	return dissect.Severity(s - 1).String()
}

// firstTime is Record.FirstTime of an input.
func (x *index) firstTime(file int) int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.files[file].firstTime
}

// Find returns the row of a packet, or of the first one after it that is in the list. number is what the list shows; of
// several inputs, file names the one.
func (s *Session) Find(file int, number uint64) (Found, error) {
	x := s.index
	x.mu.Lock()
	if file < 0 || file >= len(x.files) {
		x.mu.Unlock()
		return Found{}, ErrNoRow
	}
	if x.files[file].recording {
		number++
	}
	x.mu.Unlock()
	n, exact := x.find(file, number)
	x.mu.Lock()
	defer x.mu.Unlock()
	if n >= x.count {
		return Found{}, ErrNoRow
	}
	return Found{Row: n, Exact: exact}, nil
}

// A Found is a row that was looked for.
type Found struct {
	Row   int  `json:"row"`
	Exact bool `json:"exact"` // it is that of the number
}

// Next returns the row of the same conversation that follows a row, or comes before it.
func (s *Session) Next(number int, backwards bool) (Found, error) {
	w, err := s.index.row(number)
	if err != nil || w.stream < 0 {
		return Found{}, errors.Join(err, ErrNoRow)
	}
	scanner := streamScanner{index: s.index, key: streamKey{w.file, w.stream}}
	scanner.seek(w.packet.Frame)
	before := uint64(0)
	for {
		b, ok, err := scanner.next()
		if err != nil || !ok {
			return Found{}, errors.Join(err, ErrNoRow)
		}
		frame := rowFrame(b)
		if backwards && frame >= w.packet.Frame {
			frame = before
			if frame == 0 {
				return Found{}, ErrNoRow
			}
		} else if backwards || frame <= w.packet.Frame {
			before = frame
			continue
		}
		n, exact := s.index.find(w.file, frame)
		return Found{Row: n, Exact: exact}, nil
	}
}

// Marks returns the worst severity in each of so many equal parts of the list: "", "note", "warning", "error".
func (s *Session) Marks(parts int) []string {
	x := s.index
	x.mu.Lock()
	defer x.mu.Unlock()
	parts = min(max(parts, 1), maxRows)
	marks := make([]int, parts)
	for i := range x.blocks {
		at := int(int64(i) * int64(parts) / int64(len(x.blocks)))
		marks[at] = max(marks[at], int(x.blocks[i].severity))
	}
	names := make([]string, parts)
	for i, m := range marks {
		names[i] = severityName(m)
	}
	return names
}
