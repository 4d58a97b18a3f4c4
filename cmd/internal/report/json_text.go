package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"
)

// A jsonText writes a value as json.Marshal does, part by part: the text of a long capture is larger than all that it
// is made of, and is never in memory as a whole.
type jsonText struct {
	to   *bufio.Writer
	size int
	err  error
	part bytes.Buffer
	json *json.Encoder // to part
}

// writeJSON writes a value and returns the size of its text.
func writeJSON(to io.Writer, v any, depth int) (size int, err error) {
	p := jsonText{to: bufio.NewWriter(to)}
	p.json = json.NewEncoder(&p.part)
	p.value(reflect.ValueOf(v), depth)
	if p.err == nil {
		p.err = p.to.Flush()
	}
	return p.size, p.err
}

// ownText are the values that make their own text.
var ownText = reflect.TypeFor[json.Marshaler]()

// textDepth is how deep values are taken apart: document, its files, a file, its pictures, their games, a game, its
// events.
const textDepth = 7

// value writes a value, in parts down to a depth.
func (p *jsonText) value(v reflect.Value, depth int) {
	switch kind := v.Kind(); {
	case depth == 0 || v.Type().Implements(ownText):
		p.whole(v)
	case kind == reflect.Pointer && !v.IsNil():
		p.value(v.Elem(), depth)
	case kind == reflect.Struct && !embeds(v.Type()):
		p.object(v, depth-1)
	case kind == reflect.Map && !v.IsNil() && v.Type().Key().Kind() == reflect.String:
		p.members(v, depth-1)
	case kind == reflect.Slice && !v.IsNil() && isLarge(v.Type().Elem()):
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

// members writes a map, in the order of its keys.
func (p *jsonText) members(v reflect.Value, depth int) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	separator := "{"
	for _, key := range keys {
		p.text(separator)
		p.whole(key)
		p.text(":")
		p.value(v.MapIndex(key), depth)
		separator = ","
	}
	if separator == "{" {
		p.text("{")
	}
	p.text("}")
}

// isLarge reports whether elements of a list are worth a part each: numbers and texts are not.
func isLarge(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Slice
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
	if v.CanAddr() {
		v = v.Addr() // no copy
	}
	p.part.Reset()
	if err := p.json.Encode(v.Interface()); err != nil {
		if p.err == nil {
			p.err = err
		}
		return
	}
	text, _ := bytes.CutSuffix(p.part.Bytes(), []byte("\n"))
	p.size += len(text)
	_, _ = p.to.Write(text) // the writer keeps the error
}

func (p *jsonText) text(s string) {
	p.size += len(s)
	_, _ = p.to.WriteString(s)
}
