package engine

import (
	"reflect"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/cacheline"
)

// What each worker writes with every record ends with a distance: the next value in memory can be another worker's.
func TestWorkersShareNoCacheLine(t *testing.T) {
	t.Parallel()
	for _, v := range []any{worker{}, Out{}, batch{}} {
		kind := reflect.TypeOf(v)
		if last := kind.Field(kind.NumField() - 1); last.Type != reflect.TypeFor[cacheline.Distance]() {
			t.Errorf("%s ends with %s", kind.Name(), last.Name)
		}
	}
	const line = 64
	kind := reflect.TypeFor[writer]()
	asked, _ := kind.FieldByName("failed")
	changes, _ := kind.FieldByName("next")
	if changes.Offset-asked.Offset < line {
		t.Error("the front asks for a field that shares its cache line with what each record changes")
	}
}
