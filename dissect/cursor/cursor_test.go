package cursor_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
)

var (
	idField   = dissect.Field{Key: "id", Kind: dissect.Uint, Bits: 16}
	nameField = dissect.Field{Key: "name", Kind: dissect.Text}
	rootField = dissect.Field{
		Key: "hello", Kind: dissect.Object,
		Children: []*dissect.Field{&idField, &nameField, &dissect.Undecoded},
	}
)

func Example() {
	var tree dissect.Tree
	var r cursor.Reader
	message := []byte("\x01\x02Sarge\x00")
	r.Reset("hello", message, 0, len(message), &tree)
	r.Enter(&rootField)
	id := r.Network(&idField)
	name := r.Text(&nameField)
	r.Leave()
	fmt.Printf("%#x %s, %d bytes left, error: %v\n", id, name, r.Rest(), r.Err())
	// Output: 0x102 Sarge, 0 bytes left, error: <nil>
}

// After the first failure every read returns zero, and the error keeps the first place.
func TestReaderStopsAtTheFirstFailure(t *testing.T) {
	message := []byte{1, 2, 3}
	for n := range len(message) + 1 {
		var tree dissect.Tree
		var r cursor.Reader
		r.Reset("hello", message, 0, n, &tree)
		r.Enter(&rootField)
		first, second := r.Network(&idField), r.Number(&idField)
		r.Leave()
		if n < 2 && first != 0 || n >= 2 && first != 0x0102 || second != 0 {
			t.Errorf("%d bytes: read %#x and %#x", n, first, second)
		}
		err := r.Err()
		if err == nil || !errors.Is(err, dissect.ErrTruncated) {
			t.Fatalf("%d bytes: error %v", n, err)
		}
		if want := 8 * (n &^ 1); err.Bit != want {
			t.Errorf("%d bytes: the error is at bit %d, want %d", n, err.Bit, want)
		}
		if rest := tree.Top().Get("hello").Get(dissect.Undecoded.Key); rest.Exists() != (n%2 == 1) {
			t.Errorf("%d bytes: undecoded bytes: %v", n, rest.Exists())
		}
	}
}
