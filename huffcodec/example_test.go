package huffcodec_test

import (
	"fmt"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// A server's message with one command: the number it acknowledges, the op, its number and text, and
// the op that ends the message. Then the same message with its second half missing.
func Example() {
	var w huffcodec.Writer
	w.Bits(7, 32)
	w.Byte(5) // svc_serverCommand
	w.Bits(42, 32)
	w.String(`cp "capture the flag"`)
	w.Byte(8) // svc_EOF
	message := w.Data()

	for _, data := range [][]byte{message, message[:len(message)/2]} {
		r := huffcodec.NewReader(data, huffcodec.Static)
		fmt.Println(r.Bits(32), r.Byte(), r.Bits(32))
		fmt.Printf("%s\n", r.AppendString(nil))
		fmt.Println(r.Byte(), r.Err())
	}
	// Output:
	// 7 5 42
	// cp "capture the flag"
	// 8 <nil>
	// 7 5 42
	// cp "capt
	// 0 huffcodec: data ends too early, at byte 0xc bit 4
}
