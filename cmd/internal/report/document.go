package report

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/gamemap"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// schemaVersion is that of the document inside of a report.
const schemaVersion = 1

// A document is everything that a report shows. The page draws it and computes nothing of it.
type document struct {
	SchemaVersion int     `json:"schema_version"`
	Title         string  `json:"title"`
	Secrets       bool    `json:"secrets"` // passwords are shown
	Filter        string  `json:"filter,omitempty"`
	Evidence      any     `json:"evidence"` // which bytes were read: SetEvidence
	Files         []*file `json:"files"`

	Incomplete incomplete.List `json:"incomplete,omitempty"` // what the inputs did not give

	Plans    []*gamemap.Map `json:"plans,omitempty"`    // of the maps that are played
	Compared bool           `json:"compared,omitempty"` // the inputs are captures of one path
	Paths    []*path        `json:"paths,omitempty"`    // of these: SetPaths
}

// A file is one input.
type file struct {
	Name        string            `json:"name"`
	Recording   bool              `json:"recording"`
	Laid        bool              `json:"laid,omitempty"` // runs of several inputs: it has no records
	Game        uint64            `json:"game_datagrams"` // or messages of a recording
	Messages    uint64            `json:"messages"`
	Damaged     uint64            `json:"damaged"`
	unsupported uint64            // datagrams of protocols that are not read
	lacks       incomplete.List   // what it did not give
	Protocols   []string          `json:"protocols"`
	Words       []string          `json:"words"`   // what is in it, in sentences
	Unknown     []string          `json:"unknown"` // what is not, and why
	Matches     []match           `json:"matches"`
	Statistics  map[string]*table `json:"statistics"`
	Pictures    *timeline.Data    `json:"pictures"`
	Plans       map[string]int    `json:"plans,omitempty"` // by the map's name, indices into the document's plans
}

// A match is a line of the catalogue with who played, and where it is in the pictures.
type match struct {
	catalogue.Listing
	Mode    string          `json:"mode,omitempty"`         // what is played, in words
	Players *table          `json:"player_table,omitempty"` // rows of the statistic match
	Game    *int            `json:"game,omitempty"`         // index into the pictures' games
	Course  *timeline.Match `json:"course,omitempty"`
}

// A table is one of view.
type table struct {
	Columns []column `json:"columns"`
	Rows    [][]any  `json:"rows"`
	Notes   []string `json:"notes,omitempty"`
}

type column struct {
	Key  string `json:"key"`
	Type string `json:"type"`
	Unit string `json:"unit,omitempty"`
	Doc  string `json:"doc,omitempty"`
	// Values describe the values that a text may have.
	Values map[string]string `json:"values,omitempty"`
}

// maxRows bounds the rows of a table in the page; they are ordered by weight.
const maxRows = 3000

func tableOf(t *view.Table) *table {
	t = t.ForPeople()
	view.ForPages(t.Rows)
	out := &table{Rows: t.Rows, Notes: t.Notes}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, column{c.Key, c.Type, c.Unit, c.Doc, c.Values})
	}
	if len(out.Rows) > maxRows {
		out.Notes = append(out.Notes, "only the first 3000 rows: q3dissect -q -z "+t.Name+" has all")
		out.Rows = slices.Clone(out.Rows[:maxRows])
	}
	if out.Rows == nil {
		out.Rows = [][]any{}
	}
	return out
}

// index returns the place of a column in a row; -1: the table does not have it.
func (t *table) index(key string) int {
	return slices.IndexFunc(t.Columns, func(c column) bool { return c.Key == key })
}

// at returns the value of a column in a row.
func (t *table) at(row []any, key string) any {
	if i := t.index(key); i >= 0 {
		return row[i]
	}
	return nil
}

func (t *table) text(row []any, key string) string { s, _ := t.at(row, key).(string); return s }

func (t *table) number(row []any, key string) float64 {
	switch v := t.at(row, key).(type) {
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}
