package cursor_test

import (
	"errors"
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
)

// A message of a count and that many names. Reads after the end return zero, so the code needs one check; the error
// names the field and its place.
func ExampleReader() {
	count := dissect.Field{Key: "count", Kind: dissect.Uint, Bits: 8}
	name := dissect.Field{Key: "name", Kind: dissect.Text}
	list := dissect.Field{Key: "names", Kind: dissect.List, Children: []*dissect.Field{&name}}

	message := []byte("\x03anna\x00bob\x00car") // the last name is cut
	var tree dissect.Tree
	var r cursor.Reader
	r.Reset("example", message, 0, len(message), &tree)
	n := r.Number(&count)
	r.Enter(&list)
	for range n {
		fmt.Printf("%q\n", r.Text(&name))
	}
	r.Leave()
	err := r.Err()
	fmt.Println(errors.Is(err, dissect.ErrTruncated), err)
	// Output:
	// "anna"
	// "bob"
	// ""
	// true example: names.name at byte 0xa bit 0: ends too early
}
