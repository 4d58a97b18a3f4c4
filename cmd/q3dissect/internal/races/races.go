// Package races finds the finished runs of races in many recordings, and ranks them by map.
package races

import (
	"cmp"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/inorder"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// A Run is a race of one player from start to finish. Times are in milliseconds.
type Run struct {
	Rank   int    `json:"rank"` // among those of the map, 1 is the fastest
	Map    string `json:"map"`
	Player string `json:"player"`
	Time   int64  `json:"time"`
	Start  *int64 `json:"start"`  // by the server's clock; nil: in another game, where the run was saved
	Finish int64  `json:"finish"` // by the server's clock
	File   string `json:"file"`

	raw string // the name as it was sent
}

// Raw returns the player's name as it was sent.
func (r *Run) Raw() string { return r.raw }

// A Search is where runs are looked for.
type Search struct {
	Protocols []*dissect.Protocol
	Workers   int
	Memory    int
	Player    string // only this one's; "": everybody's
	Most      int    // of each map; 0: all
	Complain  func(string)
	Progress  *input.FileProgress
	Interrupt *input.Interrupt
}

// Find returns the runs of all files, ranked: those of each map by time, and of equal ones in the order of the files.
// The status is the highest of any file.
func (s *Search) Find(paths []open.Path) (runs []Run, status int) {
	workers := s.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	kept := leastKept
	order := inorder.New(nil)
	wanted := func(i int) (begin, more bool) {
		more = i < len(paths) && !s.Interrupt.Happened()
		return more, more
	}
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for one := order.Begin(wanted); one != nil; one = order.Begin(wanted) {
				found, code, fault := s.in(paths[one.Index])
				one.End(func() {
					s.Progress.Tick()
					runs, status = append(runs, found...), max(status, code)
					if s.Most > 0 && len(runs) > 2*kept {
						runs = rank(runs, s.Most)
						kept = max(kept, len(runs))
					}
					if fault != "" {
						s.Progress.Clear()
						s.Complain(fault)
					}
				})
			}
		})
	}
	working.Wait()
	s.Progress.Clear()
	return rank(runs, s.Most), max(status, s.Interrupt.Status())
}

// leastKept is how many runs are kept: after twice as many, those that cannot be wanted are dropped.
const leastKept = 1 << 12

// rank sorts runs, ranks them, and leaves out those of each map after so many; 0: none.
func rank(runs []Run, most int) []Run {
	slices.SortStableFunc(runs, func(a, b Run) int {
		return cmp.Or(cmp.Compare(a.Map, b.Map), cmp.Compare(a.Time, b.Time))
	})
	for i := range runs {
		if runs[i].Rank = 1; i > 0 && runs[i].Map == runs[i-1].Map {
			runs[i].Rank = runs[i-1].Rank + 1
		}
	}
	return slices.DeleteFunc(runs, func(r Run) bool { return most > 0 && r.Rank > most })
}

// in returns the runs of one file.
func (s *Search) in(path open.Path) (runs []Run, status int, fault string) {
	in, err := open.File(path.Name, open.Options{Protocols: s.Protocols, NoText: !path.Given})
	if err != nil {
		var unknown *dissect.FileError
		if errors.As(err, &unknown) && unknown.Code == dissect.UnknownFormat && !path.Given {
			return nil, exit.Done, ""
		}
		return nil, exit.Unreadable, path.Name + ": " + exit.Reason(err)
	}
	defer in.Close()
	if _, recording := in.Recording(); !recording {
		return nil, exit.Done, "" // captures have each run once for every client
	}
	mapName, kept := "", leastKept
	for rec, err := range engine.Records(in.Packets(), engine.Config{
		Protocols: s.Protocols, Memory: s.Memory, NoTree: true, Options: dissect.Options{Events: true},
	}) {
		if err != nil {
			return runs, exit.BrokenOff, path.Name + ": " + exit.Reason(err)
		}
		if s.Interrupt.Happened() {
			break
		}
		if s.Most > 0 && len(runs) > 2*kept {
			runs = rank(runs, s.Most)
			kept = max(kept, len(runs))
		}
		for e := range event.Of(rec) {
			switch e.Kind {
			case event.MapStart:
				mapName = e.Get("map").String()
			case event.RaceFinish:
				r := Run{Map: mapName, Time: e.Get("finish_time").Int(), File: path.Name, Finish: e.ServerTime().Milliseconds()}
				if start := r.Finish - r.Time; start >= 0 {
					r.Start = &start
				}
				p := e.Player("client")
				r.Player, r.raw = p.Name, p.Raw
				numbered := e.Get("client").Get("client_num").Exists() // ghosts have a name alone
				if numbered && (s.Player == "" || s.Player == r.Player || s.Player == r.raw) {
					runs = append(runs, r)
				}
			}
		}
	}
	return runs, exit.Done, ""
}

// Choose returns the run of a rank of each map.
func Choose(runs []Run, rank int) (chosen []Run) {
	for _, r := range runs {
		if r.Rank == rank {
			chosen = append(chosen, r)
		}
	}
	return chosen
}

// AppendJSON appends a line for each run.
func AppendJSON(dst []byte, runs []Run) []byte {
	for i := range runs {
		line, _ := json.Marshal(&runs[i]) // plain data
		dst = append(append(dst, line...), '\n')
	}
	return dst
}

// AppendText appends a table of the runs, with the name of each map above its own.
func AppendText(dst []byte, runs []Run, style table.Style) []byte {
	return table.Of(runs, []table.ColumnOf[Run]{
		{Column: table.Column{Name: "map", Place: table.InHeading}, Cell: func(r *Run) string { return r.Map }},
		{Column: table.Column{Name: "rank", Right: true}, Cell: func(r *Run) string { return strconv.Itoa(r.Rank) }},
		{Column: table.Column{Name: "time", Right: true}, Cell: func(r *Run) string { return quantity.Race(r.Time) }},
		{Column: table.Column{Name: "player"}, Cell: func(r *Run) string { return r.Player }},
		{Column: table.Column{Name: "start", Right: true}, Cell: start},
		{Column: table.Column{Name: "file"}, Cell: func(r *Run) string { return r.File }},
	}).AppendText(dst, style)
}

// start returns when a run began, in words.
func start(r *Run) string {
	if r.Start == nil {
		return "saved"
	}
	return quantity.Race(*r.Start)
}
