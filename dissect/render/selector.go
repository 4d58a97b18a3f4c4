package render

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldpath"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
	"github.com/q3dissect/q3dissect/dissect/internal/wireshark"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// A Selector writes chosen fields of records as columns, one line for each record. It is made once and
// may serve several goroutines.
//
// A field is chosen by its display name: keys joined by dots, arrays skipped. All values of the name
// are in its column. A container's value is its JSON; stats.7 is one element of a sparse array, stats.*
// all of them, info.hostname one key of an infostring.
type Selector struct {
	columns Columns
	names   []string
	sources []source
	fields  *branch // what is wanted of the protocols' objects, as a tree of keys
	framing bool    // some of that frames other fields
	pool    sync.Pool
}

// A source is the origin of a column: a member of the common part, or the hits of its number.
type source struct {
	member *recordhead.Field  // of the common part, of link or of expert
	object []recordhead.Field // of link or expert, where all of it is wanted
	expert bool               // one value for each expert entry
	link   bool               // one of the facts of the link layer
	raw    bool               // one of the packet of the file
	more   *source            // a member whose values follow, for a name of two members
}

// common reports whether the column comes from the common part.
func (s *source) common() bool { return s.member != nil || s.object != nil }

// A branch is a key with wanted values, and the keys inside it.
type branch struct {
	key    string
	wants  []want
	raw    bool // some want the bytes
	inside []*branch
}

// A want is a value that a column wants.
type want struct {
	column int
	aspect fieldpath.Aspect
	key    string // of an infostring
}

// choice is the aspect of an element of a Choices, as JSON.
const choice = fieldpath.InfoValue + 1

// A hit is a value for a column.
type hit struct {
	node int32
	want want
}

// An UnknownField is a name that no record can have.
type UnknownField struct {
	Name    string
	Nearest string // the known name most like it, or ""
}

// Error names the field and suggests the nearest known one.
func (e *UnknownField) Error() string {
	if e.Nearest == "" {
		return fmt.Sprintf("unknown field %q", e.Name)
	}
	return fmt.Sprintf("unknown field %q, did you mean %q?", e.Name, e.Nearest)
}

// NewSelector prepares the columns for the names. An unknown name is an *UnknownField.
func NewSelector(names []string, protocols []*dissect.Protocol, columns Columns) (*Selector, error) {
	s := &Selector{columns: columns, names: names, sources: make([]source, len(names)), fields: new(branch)}
	s.pool.New = func() any { return &scan{hits: make([][]hit, len(names))} }
	var roots []*dissect.Field
	for _, p := range protocols {
		roots = append(roots, p.Root())
	}
	for i, name := range names {
		if key, _, _ := strings.Cut(name, "."); key == "positions" || key == "file_error" || key == "incomplete" {
			return nil, fmt.Errorf("field %q is no column: it is only in JSON", name)
		}
		s.sources[i] = commonSource(name)
		if s.sources[i].common() {
			continue
		}
		p, ok := fieldpath.Compile(name, roots)
		if !ok {
			return nil, &UnknownField{Name: name, Nearest: schema.NearestField(name, protocols)}
		}
		s.fields.add(&p, i)
		s.framing = s.framing || p.Framing()
	}
	return s, nil
}

// commonSource finds a name in the common part, also by Wireshark's names.
func commonSource(name string) source {
	if ours := wireshark.Fields(name); ours != nil && ours[0] != name {
		s := commonSource(ours[0])
		if len(ours) > 1 {
			second := commonSource(ours[1])
			s.more = &second
		}
		return s
	}
	switch key, inner, nested := strings.Cut(name, "."); {
	case !nested && key == "expert":
		return source{expert: true, object: recordhead.Expert}
	case !nested && key == "link":
		return source{object: recordhead.Link, link: true}
	case key == "expert":
		return source{member: recordhead.Find(recordhead.Expert, inner), expert: true}
	case key == "link":
		return source{member: recordhead.Find(recordhead.Link, inner), link: true}
	}
	if f := recordhead.Find(recordhead.Wireshark, name); f != nil {
		return source{member: f, raw: f.Raw}
	}
	if f := recordhead.Find(recordhead.Asked, name); f != nil {
		return source{member: f}
	}
	return source{member: recordhead.Find(recordhead.Common, name)}
}

// NeedsFraming reports whether a column has fields that frame others: trees need Options.Framing.
func (s *Selector) NeedsFraming() bool { return s.framing }

// NeedsLink reports whether a column has facts of the link layer.
func (s *Selector) NeedsLink() bool {
	return slices.ContainsFunc(s.sources, func(src source) bool { return src.link })
}

// NeedsRaw reports whether a column has facts of the packet of the file: records need Packet.Raw.
func (s *Selector) NeedsRaw() bool {
	return slices.ContainsFunc(s.sources, func(src source) bool { return src.raw })
}

// Notes returns lines of help about names of Wireshark's whose values differ from its own.
func (s *Selector) Notes() (notes []string) {
	for _, name := range s.names {
		if note := wireshark.Note(name); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// add adds a column's name; it returns false if there is no such field.
func (b *branch) add(p *fieldpath.Path, column int) {
	for _, key := range p.Keys {
		b = b.child(key)
	}
	b.raw = b.raw || p.Aspect == fieldpath.RawBytes
	b.wants = append(b.wants, want{column: column, aspect: p.Aspect, key: p.Key})
}

// child returns the branch of a key, a new one if needed.
func (b *branch) child(key string) *branch {
	for _, c := range b.inside {
		if c.key == key {
			return c
		}
	}
	c := &branch{key: key}
	b.inside = append(b.inside, c)
	return c
}

// AppendHeader appends the text before the first record: the names, if they are wanted.
func (s *Selector) AppendHeader(dst []byte) []byte {
	if s.columns.BOM {
		dst = utf8.AppendRune(dst, '\ufeff')
	}
	if !s.columns.Header {
		return dst
	}
	for i, name := range s.names {
		if i > 0 {
			dst = append(dst, s.columns.Separator...)
		}
		from := len(dst)
		dst = s.columns.close(append(dst, name...), from)
	}
	return append(dst, s.columns.endLine()...)
}

// Append appends the line of one record.
func (s *Selector) Append(dst []byte, rec *dissect.Record) []byte {
	if rec.Closing {
		return dst // no packet
	}
	c := s.pool.Get().(*scan)
	defer s.pool.Put(c)
	c.tree = rec.Tree
	for i := range c.hits {
		c.hits[i] = c.hits[i][:0]
	}
	c.members(s.fields, 0, len(rec.Tree.Nodes))
	for i := range s.sources {
		if i > 0 {
			dst = append(dst, s.columns.Separator...)
		}
		out := values{columns: &s.columns, dst: dst, from: len(dst)}
		if src := &s.sources[i]; src.common() {
			for ; src != nil; src = src.more {
				out.common(src, rec)
			}
		} else {
			out.hits(c.tree, c.hits[i])
		}
		dst = out.dst
		if len(dst) > out.from {
			dst = s.columns.close(dst, out.from)
		}
	}
	return append(dst, s.columns.endLine()...)
}
