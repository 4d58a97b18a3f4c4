package dissecttest

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// fields: every field that can be in a record has documentation and a source.
func (s *suite) fields() {
	if err := schema.Check(s.Beside); err != nil {
		s.report("%v", err)
	}
	if name := s.Protocol.Name; s.Protocol.Root().Key != name {
		s.report("the root's key is %q, the protocol is called %q", s.Protocol.Root().Key, name)
	}
	if dissects := s.Protocol.Dissects; len(dissects) == 0 || dissects[0] != s.Protocol.Name {
		s.report("the first of Dissects is not the name: %q", dissects)
	}
	if title := s.Protocol.Title; title == "" || strings.Contains(title, "\n") {
		s.report("the title is no line: %q", title)
	}
	s.described()
}

// described looks at the words about every path.
func (s *suite) described() {
	known := map[string]schema.FieldInfo{}
	for _, f := range schema.ListFields(s.Beside, false) {
		known[f.Path] = f
		if f.Path != s.Protocol.Name && !strings.HasPrefix(f.Path, s.Protocol.Name+".") || f.Beside != "" {
			continue
		}
		if dot := strings.LastIndexByte(f.Path, '.'); dot >= 0 && slices.Contains(inner, f.Path[dot+1:]) {
			whole := known[f.Path[:dot]]
			f.Doc, f.Source = cmp.Or(f.Doc, whole.Doc), cmp.Or(f.Source, whole.Source)
			known[f.Path] = f
		}
		leaf := f.Type != "object" && f.Items != "object"
		switch {
		case f.Doc == "":
			s.report("%s has no documentation", f.Path)
		case leaf && f.Source == "" && f.Bits > 0:
			s.report("%s is on the wire and has no source", f.Path)
		}
	}
}

// inner are the keys of what the words about the whole are about too: coordinates, angles, elements of a Sparse.
var inner = []string{"x", "y", "z", "pitch", "yaw", "roll", "*"}

// schema: every record of the samples validates, with all that can be shown.
func (s *suite) schema() {
	for _, sample := range s.samples {
		for _, o := range []dissect.Options{{}, {State: true}} {
			for rec := range s.dissect(sample, engine.Config{Options: o}) {
				if s.validate(sample, "", rec); s.full() {
					return
				}
			}
		}
	}
}

// A validator compares records with the schema: those that show something new.
type validator struct {
	schema  *jsonschema.Schema
	novelty Novelty
	line    []byte
}

func newValidator(protocols []*dissect.Protocol) (*validator, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Records(protocols, false)))
	if err != nil {
		return nil, fmt.Errorf("the schema is no JSON: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("records.json", doc); err != nil {
		return nil, err
	}
	schema, err := c.Compile("records.json")
	return &validator{schema: schema}, err
}

// validate compares a record with the schema unless it shows nothing new.
func (s *suite) validate(sample *sample, done string, rec *dissect.Record) {
	v := s.validator
	if rec.Closing || !s.isOwn(rec) || !v.novelty.Add(rec) { // a closing record is no packet and has no JSON
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
