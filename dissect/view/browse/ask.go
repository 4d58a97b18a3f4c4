package browse

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/filter"
)

// A Fault is the reason why a question has no answer.
type Fault struct {
	Error  string       `json:"error"`
	Filter *FilterCheck `json:"filter,omitempty"` // the filter is wrong
}

// Questions returns the names of what can be asked, sorted.
func Questions() []string {
	return slices.Sorted(maps.Keys(questions))
}

// questions are what can be asked by name.
var questions = map[string]func(s *Session, q *query) (any, error){
	"status": func(s *Session, _ *query) (any, error) { return s.Status(), nil },
	"rows": func(s *Session, q *query) (any, error) {
		return s.Sorted(q.number("from"), q.number("count"), q.text("filter"), q.text("sort"))
	},
	"find": func(s *Session, q *query) (any, error) { return s.Find(q.number("file"), uint64(q.number("number"))) },
	"next": func(s *Session, q *query) (any, error) { return s.Next(q.number("row"), q.text("backwards") != "") },
	"place": func(s *Session, q *query) (any, error) {
		return s.PlaceSorted(q.number("row"), q.text("filter"), q.text("sort")), nil
	},
	"marks": func(s *Session, q *query) (any, error) { return s.Marks(q.number("parts")), nil },
	"record": func(s *Session, q *query) (any, error) {
		if q.text("framing") != "" {
			return s.FramedRecord(q.number("row"))
		}
		return s.Record(q.number("row"))
	},
	"json": func(s *Session, q *query) (any, error) {
		line, err := s.JSON(q.number("row"))
		return json.RawMessage(line), err
	},
	"check":    func(s *Session, q *query) (any, error) { return s.Check(q.text("filter")), nil },
	"complete": func(s *Session, q *query) (any, error) { return s.Complete(q.text("filter"), q.number("at")), nil },
	"events":   func(s *Session, q *query) (any, error) { return s.Events(q.number("from"), q.number("count")) },
	"follow": func(s *Session, q *query) (any, error) {
		return s.Follow(q.number("file"), q.number("stream"), q.number("from"), q.number("count"))
	},
	"roster": func(s *Session, _ *query) (any, error) { return s.Roster(), nil },
	"talk": func(s *Session, q *query) (any, error) {
		return s.Talk(q.number("file"), q.number("stream"), q.number("from"), q.number("count"))
	},
	"statistics": func(s *Session, _ *query) (any, error) { return s.Statistics(), nil },
	"statistic":  func(s *Session, q *query) (any, error) { return s.Statistic(q.text("z")) },
	"column":     func(s *Session, q *query) (any, error) { return s.Column(q.text("field"), q.numbers("rows")) },
	"plot":       func(s *Session, q *query) (any, error) { return s.Plot(q.text("field"), q.text("filter")) },
	"when":       func(s *Session, q *query) (any, error) { return s.When(q.number("file"), q.seconds("time")) },
	"stop":       func(s *Session, q *query) (any, error) { return s.Stop(q.text("job")), nil },
}

// Ask answers a question by name, with its arguments as an address has them. The answer is JSON; ok is false if
// it is a Fault.
func (s *Session) Ask(name string, arguments url.Values) (answer []byte, ok bool) {
	do := questions[name]
	if do == nil {
		return fault(fmt.Errorf("nothing is called %q", name)), false
	}
	q := query{values: arguments}
	a, err := do(s, &q)
	if q.err != nil {
		err = q.err
	}
	if err != nil {
		return fault(err), false
	}
	b, err := json.Marshal(a)
	if err != nil {
		return fault(err), false
	}
	return b, true
}

func fault(err error) []byte {
	f := Fault{Error: err.Error()}
	var e *filter.Error
	if errors.As(err, &e) {
		v := mistakeOf(e)
		f.Filter = &v
	}
	b, err := json.Marshal(f)
	if err != nil {
		panic(err) // strings and numbers
	}
	return b
}

// A query reads arguments and keeps the first mistake.
type query struct {
	values url.Values
	err    error
}

func (q *query) text(name string) string { return q.values.Get(name) }

// number reads a number; one that is not there is 0.
func (q *query) number(name string) int {
	text := q.values.Get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if (err != nil || n < 0) && q.err == nil {
		q.err = fmt.Errorf("%s=%s: want a number from 0 on", name, text)
	}
	return n
}

// seconds reads a number of seconds.
func (q *query) seconds(name string) float64 {
	v, err := strconv.ParseFloat(q.values.Get(name), 64)
	if (err != nil || math.IsNaN(v) || math.Abs(v) > 1e9) && q.err == nil {
		q.err = fmt.Errorf("%s=%s: want seconds", name, q.values.Get(name))
	}
	return v
}

// numbers reads numbers with commas between them.
func (q *query) numbers(name string) (list []int) {
	text := q.values.Get(name)
	if text == "" {
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(part)
		if (err != nil || n < 0) && q.err == nil {
			q.err = fmt.Errorf("%s=%s: want numbers from 0 on", name, text)
		}
		list = append(list, n)
	}
	return list
}
