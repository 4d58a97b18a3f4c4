package report

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// A jsonText writes a value as json.Marshal does, part by part: the text of a long capture is larger than all that it
// is made of, and is never in memory as a whole.
type jsonText struct {
	to   io.Writer
	size int
	err  error
}

// ownText are the values that make their own text.
var ownText = reflect.TypeFor[json.Marshaler]()

// textDepth is how deep values are taken apart: document, its files, a file, its pictures, their games, a game.
const textDepth = 6

// value writes a value, in parts down to a depth.
func (p *jsonText) value(v reflect.Value, depth int) {
	switch kind := v.Kind(); {
	case depth == 0 || v.Type().Implements(ownText):
		p.whole(v)
	case kind == reflect.Pointer && !v.IsNil():
		p.value(v.Elem(), depth)
	case kind == reflect.Struct && !embeds(v.Type()):
		p.object(v, depth-1)
	case kind == reflect.Slice && !v.IsNil():
		p.text("[")
		for i := range v.Len() {
			if i > 0 {
				p.text(",")
			}
			p.value(v.Index(i), depth-1)
		}
		p.text("]")
	default:
		p.whole(v)
	}
}

// object writes a struct.
func (p *jsonText) object(v reflect.Value, depth int) {
	separator := "{"
	for i := range v.NumField() {
		key, options, tagged := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if key == "" || tagged && options == "omitempty" && empty(v.Field(i)) {
			continue // those without a tag are not exported
		}
		p.text(separator + `"` + key + `":`)
		p.value(v.Field(i), depth)
		separator = ","
	}
	if separator == "{" {
		p.text("{")
	}
	p.text("}")
}

// embeds reports whether a struct has fields that belong to the object around them.
func embeds(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Anonymous {
			return true
		}
	}
	return false
}

// empty reports whether omitempty leaves a value out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		return false
	case reflect.Slice, reflect.Map, reflect.Array:
		return v.Len() == 0
	}
	return v.IsZero()
}

func (p *jsonText) whole(v reflect.Value) {
	b, err := json.Marshal(v.Interface())
	if err != nil && p.err == nil {
		p.err = err
	}
	p.write(b)
}

func (p *jsonText) text(s string) { p.write([]byte(s)) }

func (p *jsonText) write(b []byte) {
	if p.err != nil {
		return
	}
	p.size += len(b)
	_, p.err = p.to.Write(b)
}
