package reftest

import (
	"fmt"
	"strconv"
)

// An Event is the JSON object of an event.
type Event map[string]any

// Kind is which event it is.
func (e Event) Kind() string { return fmt.Sprint(e["event"]) }

// Number returns the number at a path, or -1.
func (e Event) Number(path ...string) int {
	s, ok := e.Value(path...)
	n, err := strconv.Atoi(s)
	if !ok || err != nil {
		return -1
	}
	return n
}

// Text returns the text at a path, or "".
func (e Event) Text(path ...string) string {
	s, _ := e.Value(path...)
	return s
}

// Value returns the value at a path, as text.
func (e Event) Value(path ...string) (string, bool) {
	var v any = map[string]any(e)
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return "", false
		}
		if v, ok = m[key]; !ok {
			return "", false
		}
	}
	return fmt.Sprint(v), true
}
