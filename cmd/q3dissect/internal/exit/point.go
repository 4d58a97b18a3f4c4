package exit

import (
	"errors"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect/filter"
)

// excerptWidth is how much of a filter is shown above the carets.
const excerptWidth = 76

// FilterError describes a fault in a filter, with carets below the place.
func FilterError(where string, err error) error {
	var fault *filter.Error
	if !errors.As(err, &fault) {
		return Usagef("%s: %v", where, err)
	}
	return point(where, fault)
}

// PointAt is FilterError for another text than a filter.
func PointAt(where, text string, from, to int, message string) error {
	return point(where, &filter.Error{Filter: text, From: from, To: to, Message: message})
}

func point(where string, fault *filter.Error) error {
	err := Usagef("%s, %v", where, fault)
	excerpt, carets := fault.Excerpt(excerptWidth)
	if strings.TrimSpace(excerpt) == "" {
		return err
	}
	return &errorWithLines{err, []string{"  " + terminal.Visible(excerpt), "  " + carets}}
}

// An errorWithLines is an error with lines below it that show the place.
type errorWithLines struct {
	error
	lines []string
}

// Unwrap returns the error without the lines.
func (e *errorWithLines) Unwrap() error { return e.error }

// LinesBelow returns the lines of an error that has some.
func LinesBelow(err error) []string {
	var e *errorWithLines
	if errors.As(err, &e) {
		return e.lines
	}
	return nil
}
