// Package footprint measures how much memory a value keeps: everything that it refers to, whatever its type. State
// that is added to a conversation is in the account of memory without a line about it.
package footprint

import (
	"reflect"
	"strings"
	"unsafe"
)

// A Sizer measures itself: its memory is used again by others, or has more room than it holds.
type Sizer interface {
	// MemorySize returns the bytes that it holds, with those of what it refers to.
	MemorySize() int
}

// A Meter measures values. It is for one goroutine.
type Meter struct {
	seen  map[unsafe.Pointer]bool
	types map[reflect.Type]*shape
}

// A shape is what has to be known of a type.
type shape struct {
	leads  bool // a value can refer to memory of its own
	shared bool // a pointer to it leads to what all sessions share
	sizer  bool // a pointer to it is a Sizer
	fields []int
}

// NewMeter returns a Meter.
func NewMeter() *Meter {
	return &Meter{seen: map[unsafe.Pointer]bool{}, types: map[reflect.Type]*shape{}}
}

// Of returns the bytes that a value keeps, about.
func (m *Meter) Of(v any) int {
	if v == nil {
		return 0
	}
	if len(m.seen) > manyPlaces {
		m.seen = map[unsafe.Pointer]bool{}
	}
	clear(m.seen)
	return m.more(reflect.ValueOf(&v).Elem())
}

// manyPlaces is how many places are remembered at most for what cannot lead back to itself: what is referred to twice
// counts twice from there on.
const manyPlaces = 100_000

// again reports whether what lies at a place was counted before. leads means that it can lead to other places.
func (m *Meter) again(p unsafe.Pointer, leads bool) bool {
	if m.seen[p] {
		return true
	}
	if leads || len(m.seen) < manyPlaces {
		m.seen[p] = true
	}
	return false
}

var sizerType = reflect.TypeFor[Sizer]()

func (m *Meter) shape(t reflect.Type) *shape {
	if s := m.types[t]; s != nil {
		return s
	}
	s := &shape{leads: true} // until the type is known: it may contain itself
	m.types[t] = s
	s.shared, s.sizer = isShared(t), reflect.PointerTo(t).Implements(sizerType)
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if m.shape(t.Field(i).Type).leads {
				s.fields = append(s.fields, i)
			}
		}
		s.leads = len(s.fields) > 0 && !s.shared
	case reflect.Array:
		s.leads = t.Len() > 0 && m.shape(t.Elem()).leads
	case reflect.Pointer:
		s.leads = !isShared(t.Elem())
	case reflect.Interface, reflect.Slice, reflect.Map, reflect.String:
	default:
		s.leads = false
	}
	return s
}

// isShared reports whether values of a type belong to no session: descriptions, tables, options, memory to be used
// again.
func isShared(t reflect.Type) bool {
	path := t.PkgPath()
	return path == "sync" || strings.HasPrefix(path, "sync/") || strings.HasSuffix(path, "/tables") ||
		strings.HasSuffix(path, "/names") || strings.HasSuffix(path, "/huffcodec") ||
		strings.HasSuffix(path, "/dissect") && (t.Name() == "Field" || t.Name() == "Protocol" || t.Name() == "Options" ||
			t.Name() == "Record" || t.Name() == "Reading")
}

// more returns the bytes that a value keeps beside its own.
func (m *Meter) more(v reflect.Value) int {
	s := m.shape(v.Type())
	if !s.leads {
		return 0
	}
	switch v.Kind() {
	case reflect.Pointer:
		return m.pointer(v)
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		if e := v.Elem(); e.Kind() == reflect.Pointer {
			return m.pointer(e)
		} else {
			return int(e.Type().Size()) + m.more(e)
		}
	case reflect.String:
		return v.Len()
	case reflect.Slice:
		return m.slice(v)
	case reflect.Map:
		return m.mapping(v)
	case reflect.Array:
		n := 0
		for i := range v.Len() {
			n += m.more(v.Index(i))
		}
		return n
	case reflect.Struct:
		n := 0
		for _, i := range s.fields {
			n += m.more(v.Field(i))
		}
		return n
	}
	return 0
}

func (m *Meter) pointer(v reflect.Value) int {
	p := v.UnsafePointer()
	t := v.Type().Elem()
	s := m.shape(t)
	if p == nil || s.shared || m.again(p, s.leads) {
		return 0
	}
	if s.sizer {
		return reflect.NewAt(t, p).Interface().(Sizer).MemorySize()
	}
	return int(t.Size()) + m.more(v.Elem())
}

func (m *Meter) slice(v reflect.Value) int {
	p := v.UnsafePointer()
	if v.Cap() == 0 || m.again(p, false) {
		return 0
	}
	n := v.Cap() * int(v.Type().Elem().Size())
	if m.shape(v.Type().Elem()).leads {
		for i := range v.Len() {
			n += m.more(v.Index(i))
		}
	}
	return n
}

// mapOverhead is what an entry of a map takes beside key and value, with the empty places.
const mapOverhead = 16

func (m *Meter) mapping(v reflect.Value) int {
	p := v.UnsafePointer()
	if v.IsNil() || m.again(p, false) {
		return 0
	}
	t := v.Type()
	n := 48 + v.Len()*(int(t.Key().Size()+t.Elem().Size())+mapOverhead)
	if !m.shape(t.Key()).leads && !m.shape(t.Elem()).leads {
		return n
	}
	for i := v.MapRange(); i.Next(); {
		n += m.more(i.Key()) + m.more(i.Value())
	}
	return n
}
