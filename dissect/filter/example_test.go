package filter_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// The status queries of a capture, found as -Y finds them. A name that no record has is an error with the nearest one.
func Example() {
	protocols := all.Protocols()
	names := filter.Records(protocols)
	f, err := names.Compile(`quake3.oob.command == "getstatus" and src == 127.0.0.0/8`)
	if err != nil {
		log.Fatal(err)
	}
	m := f.Matcher() // of one goroutine
	for rec, err := range open.Records("../../samples/quake3/oob.pcap", protocols, dissect.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if m.Match(rec) {
			fmt.Println(rec.Frame, rec.Lookup("quake3.oob.command"))
		}
	}

	_, err = names.Compile(`quake3.oob.comand == "getstatus"`)
	var fault *filter.Error
	fmt.Println(errors.As(err, &fault), err)
	// Output:
	// 13 getstatus
	// 15 getstatus
	// 50 getstatus
	// 52 getstatus
	// 80 getstatus
	// 82 getstatus
	// true column 1: unknown field quake3.oob.comand; did you mean quake3.oob.command?
}
