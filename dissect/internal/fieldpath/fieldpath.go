// Package fieldpath resolves the names of fields in records: a path of keys, one of the siblings that records add to a
// field, or a key of an infostring.
package fieldpath

import (
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
)

// An Aspect is a field itself or what records add to it.
type Aspect uint8

// The aspects.
const (
	Itself    Aspect = iota
	Name             // the name of a number
	BitNames         // the names of the bits that are set
	RawBytes         // the bytes of a text
	InfoValue        // the value of a key of an infostring
)

// A Path is a name of a field.
type Path struct {
	Keys   []string // of the containers, lists left out, and of the field
	Fields []*dissect.Field
	Aspect Aspect
	Key    string // of an infostring, shape.AnyKey for all
}

// Compile resolves a name. roots are the fields at the top, as for dissect.CompilePath. It returns false if no record
// can have the field.
func Compile(name string, roots []*dissect.Field) (p Path, ok bool) {
	if p.find(name, roots, nil) {
		return p, true
	}
	for _, sibling := range siblings {
		if plain, ok := strings.CutSuffix(name, sibling.suffix); ok && p.find(plain, roots, sibling.has) {
			p.Aspect = sibling.aspect
			return p, true
		}
	}
	for at := strings.IndexByte(name, '.'); at >= 0; {
		if !p.find(name[:at], roots, nil) {
			return Path{}, false
		}
		p.Aspect, p.Key = InfoValue, name[at+1:]
		if slices.ContainsFunc(p.Fields, isInfo) {
			return p, true
		}
		next := strings.IndexByte(p.Key, '.')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return Path{}, false
}

// Framing reports whether some of the fields frame others.
func (p *Path) Framing() bool {
	return slices.ContainsFunc(p.Fields, func(f *dissect.Field) bool { return f.Framing != dissect.NoFraming })
}

// find takes the fields with a path of keys, if some pass a check.
func (p *Path) find(name string, roots []*dissect.Field, has func(*dissect.Field) bool) bool {
	found, err := dissect.CompilePath(name, roots...)
	if err != nil || found.Derived() {
		return false
	}
	p.Fields = nil
	for _, f := range found.Fields() {
		if (has == nil || has(f)) && !slices.Contains(p.Fields, f) {
			p.Fields = append(p.Fields, f)
		}
	}
	p.Keys = strings.Split(name, ".")
	return len(p.Fields) > 0
}

// siblings are the keys that records add to a field's own.
var siblings = []struct {
	suffix string
	aspect Aspect
	has    func(*dissect.Field) bool
}{
	{fieldunion.NamesSuffix, BitNames, func(f *dissect.Field) bool { return Named(f) && f.Enum.Mask }},
	{fieldunion.NameSuffix, Name, func(f *dissect.Field) bool { return Named(f) && !f.Enum.Mask }},
	{fieldunion.RawSuffix, RawBytes, Rawable},
}

// Named reports whether values of the field can have names.
func Named(f *dissect.Field) bool { return fieldunion.Named(f) && len(f.Enum.All()) > 0 }

// Rawable reports whether records may have the bytes of the field's text beside it.
func Rawable(f *dissect.Field) bool {
	f = Innermost(f)
	return f != nil && (f.Kind == dissect.Text || f.Kind == dissect.Info)
}

func isInfo(f *dissect.Field) bool {
	f = Innermost(f)
	return f != nil && f.Kind == dissect.Info
}

// Innermost returns the element of a list, or of the lists in a list; nil where none is described.
func Innermost(f *dissect.Field) *dissect.Field {
	for f != nil && f.Kind == dissect.List {
		if len(f.Children) == 0 {
			return nil
		}
		f = f.Children[0]
	}
	return f
}
