package dissecttest

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// fields: every field that can be in a record has words about it and says where they come from.
func (s *suite) fields() {
	if err := render.CheckFields(s.Beside); err != nil {
		s.report("%v", err)
	}
	if name := s.Protocol.Name(); s.Protocol.Root().Key != name {
		s.report("the root's key is %q, the protocol is called %q", s.Protocol.Root().Key, name)
	}
	if dissects := s.Protocol.Dissects(); len(dissects) == 0 || dissects[0] != s.Protocol.Name() {
		s.report("the first of Dissects is not the name: %q", dissects)
	}
	if title := s.Protocol.Title(); title == "" || strings.Contains(title, "\n") {
		s.report("the title is no line: %q", title)
	}
	s.described()
}

// described looks at the words about every path.
func (s *suite) described() {
	known := map[string]render.FieldInfo{}
	lacking := map[string]bool{}
	for _, f := range render.ListFields(s.Beside) {
		known[f.Path] = f
		if f.Path != s.Protocol.Name() && !strings.HasPrefix(f.Path, s.Protocol.Name()+".") || f.Beside != "" {
			continue
		}
		if dot := strings.LastIndexByte(f.Path, '.'); dot >= 0 && slices.Contains(parts, f.Path[dot+1:]) {
			whole := known[f.Path[:dot]]
			f.Doc, f.Source = cmp.Or(f.Doc, whole.Doc), cmp.Or(f.Source, whole.Source)
			known[f.Path] = f
		}
		leaf := f.Type != "object" && f.Items != "object"
		lacks := ""
		switch {
		case f.Doc == "":
			lacks = "has no documentation"
		case leaf && f.Source == "" && f.Bits > 0:
			lacks = "is on the wire and has no source"
		}
		lacking[f.Path] = lacks != ""
		if lacks != "" && !slices.Contains(s.Lacking, f.Path) {
			s.report("%s %s", f.Path, lacks)
		}
	}
	for _, path := range s.Lacking {
		if !lacking[path] {
			s.report("%s is listed as lacking documentation or source: it has both, or does not exist", path)
		}
	}
}

// parts are the keys of what the words about the whole are about too: coordinates, angles, elements of a Sparse.
var parts = []string{"x", "y", "z", "pitch", "yaw", "roll", "*"}

// schema: every record of the samples validates, with all that can be shown.
func (s *suite) schema() {
	v := s.validator()
	for _, sample := range s.samples {
		for _, o := range []dissect.Options{{}, {State: true}} {
			for rec := range s.dissect(sample, dissect.Config{Options: o}) {
				if v.novel(s, sample, "", rec); s.full() {
					return
				}
			}
		}
	}
}

// A validator compares records with the schema. Of records that have the same fields in the same order it looks at
// the first few.
type validator struct {
	schema *jsonschema.Schema
	seed   maphash.Seed
	seen   map[uint64]int
	line   []byte
}

// sameShape is how many records of one shape are compared.
const sameShape = 3

func (s *suite) validator() *validator {
	v := &validator{seed: maphash.MakeSeed(), seen: make(map[uint64]int)}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(render.Schema(s.Beside)))
	if err != nil {
		s.report("the schema is no JSON: %v", err)
		return v
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("records.json", doc); err != nil {
		s.report("%v", err)
		return v
	}
	if v.schema, err = c.Compile("records.json"); err != nil {
		s.report("%v", err)
	}
	return v
}

// novel validates a record unless there were enough of its shape.
func (v *validator) novel(s *suite, sample *sample, done string, rec *dissect.Record) {
	if v.schema == nil || !s.own(rec) {
		return
	}
	var h maphash.Hash
	h.SetSeed(v.seed)
	for i := range rec.Tree.Nodes {
		maphash.WriteComparable(&h, rec.Tree.Nodes[i].Field)
		maphash.WriteComparable(&h, rec.Tree.Nodes[i].End)
	}
	shape := h.Sum64()
	if v.seen[shape]++; v.seen[shape] > sameShape {
		return
	}
	v.line = render.AppendJSON(v.line[:0], rec, render.JSON{Bits: true, Link: true})
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(v.line))
	if err != nil {
		s.report("%s, packet %d%s: %v in %.200s", sample.name, rec.Frame, done, err, v.line)
		return
	}
	if err := v.schema.Validate(value); err != nil {
		s.report("%s, packet %d%s: %s in %.400s", sample.name, rec.Frame, done, strings.TrimSpace(fmt.Sprint(err)), v.line)
	}
}
