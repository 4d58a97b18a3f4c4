package browse

import (
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A fieldReader reads the values of one field out of records, as -T fields -e shows them, with secrets masked. It
// serves several goroutines.
type fieldReader struct {
	name     string
	selector *render.Selector
}

// fieldReader makes one for a field by its display name. The error is a *render.UnknownField.
func (s *Session) fieldReader(name string) (*fieldReader, error) {
	columns := render.FieldColumns()
	columns.Aggregator = "\n"
	selector, err := render.NewSelector([]string{name}, s.opts.Protocols, columns)
	if err != nil {
		return nil, err
	}
	return &fieldReader{name, selector}, nil
}

// append appends the values that a record has, one line each without a line feed after the last; nothing if it has
// none.
func (r *fieldReader) append(dst []byte, rec *dissect.Record) []byte {
	if hasSecrets(rec) {
		var values []string
		for _, c := range render.FieldCells(rec) {
			if c.Name == r.name && c.Value != "" {
				values = append(values, c.Value)
			}
		}
		return append(dst, strings.Join(values, "\n")...)
	}
	from := len(dst)
	dst = r.selector.Append(dst, rec)
	if n := len(dst); n > from && dst[n-1] == '\n' {
		dst = dst[:n-1]
	}
	return dst
}

// hasSecrets reports whether a record has something that is to be masked.
func hasSecrets(rec *dissect.Record) bool {
	if rec.ShowSecrets {
		return false
	}
	if len(rec.AppendSecrets(nil)) > 0 {
		return true
	}
	return slices.ContainsFunc(rec.Tree.Nodes, func(n dissect.Node) bool { return n.Field.Secret })
}
