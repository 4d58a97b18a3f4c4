package anonymize_test

import (
	"bytes"
	"fmt"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
)

// One key gives one replacement: of a name with and without colours, and of an address.
func Example() {
	ids := anonymize.New(anonymize.DeriveKey([]byte("a long passphrase")))
	ids.Learn(dissect.PersonName, []byte("^1Lab^7Alpha"))
	r := ids.Seal(anonymize.Keep{})

	entered := r.AppendText(nil, []byte("LabAlpha entered the game"))
	name, rest, _ := bytes.Cut(entered, []byte(" "))
	fmt.Println(len(name), bytes.Contains(entered, []byte("LabAlpha")), string(rest))

	again := r.AppendText(nil, []byte("LabAlpha"))
	fmt.Println(bytes.Equal(name, again))

	addr := netip.MustParseAddr("192.0.2.7")
	first, second := r.Addr(addr), r.Addr(addr)
	fmt.Println(first == addr, first == second)
	// Output:
	// 8 false entered the game
	// true
	// false true
}
