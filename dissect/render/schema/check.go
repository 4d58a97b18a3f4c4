package schema

import (
	"errors"
	"fmt"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
)

// Check reports every field that breaks a rule for records: one path has one JSON type, no key equals a
// generated sibling's or one of the common part, keys are snake_case, containers of elements describe exactly
// one, and only containers have children.
func Check(protocols []*dissect.Protocol) error {
	var c fieldChecker
	taken := []string{"positions", "link", "expert", "file_error", "incomplete"}
	for _, m := range slices.Concat(recordhead.Common, recordhead.Asked) {
		taken = append(taken, m.Key)
	}
	top := fieldunion.Of(protocols, true)
	for _, s := range top {
		if s.Kind != dissect.Object {
			c.report(s.Key, "is no object")
		}
	}
	c.object("", top, taken)
	return errors.Join(c.problems...)
}

type fieldChecker struct{ problems []error }

func (c *fieldChecker) report(path, format string, args ...any) {
	c.problems = append(c.problems, fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...)))
}

// object checks shapes that are members of one object.
func (c *fieldChecker) object(path string, members []*fieldunion.Shape, taken []string) {
	for _, s := range members {
		taken = append(taken, s.Key)
	}
	for _, s := range members {
		at := fieldunion.Join(path, s.Key)
		if !snakeCase(s.Key) {
			c.report(at, "%q is not snake_case", s.Key)
		}
		for _, suffix := range s.Siblings() {
			if slices.Contains(taken, s.Key+suffix) {
				c.report(at, "the sibling %s exists twice", s.Key+suffix)
			}
		}
		c.shape(at, s)
	}
	for i, key := range taken {
		if slices.Contains(taken[:i], key) {
			c.report(fieldunion.Join(path, key), "exists twice")
		}
	}
}

func (c *fieldChecker) shape(path string, s *fieldunion.Shape) {
	if s.Clash {
		for _, f := range s.Fields {
			c.report(path, "is %v in one place and another type elsewhere", f.Kind)
		}
		return
	}
	switch s.Kind {
	case dissect.Object, dissect.Choices:
		c.object(path, s.Children, nil)
	case dissect.List, dissect.Sparse:
		if len(s.Children) != 1 || s.Element().Key != "" {
			c.report(path, "%v needs one child, without key", s.Kind)
			return
		}
		if s.Kind == dissect.Sparse && s.Element().Rawable() {
			c.report(path, "a sparse array cannot hold text of the wire")
		}
		c.shape(path+"[]", s.Element())
	case dissect.Info: // its children say what keys mean
	default:
		if len(s.Children) > 0 {
			c.report(path, "%v cannot have children", s.Kind)
		}
	}
}

func snakeCase(key string) bool {
	for i := range len(key) {
		switch c := key[i]; {
		case c >= 'a' && c <= 'z', c == '_':
		case c >= '0' && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return key != ""
}

// CheckEvents is Check for the fields of events.
func CheckEvents(protocols []*dissect.Protocol) error {
	var c fieldChecker
	taken := []string{recordhead.EventInfo.Key}
	for _, m := range slices.Concat(recordhead.Event, recordhead.Asked) {
		taken = append(taken, m.Key)
	}
	c.object("", fieldunion.OfEvents(protocols), taken)
	return errors.Join(c.problems...)
}
