package extract_test

import (
	"fmt"
	"log"
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// How fast a player turns: the largest change of the view between two of his own inputs.
func ExampleInput() {
	var before extract.Input
	var most float64
	options := dissect.Options{Inputs: true}
	for rec, err := range open.Records("../../samples/quake3/68-connect-play.pcap", all.Protocols(), options) {
		if err != nil {
			log.Fatal(err)
		}
		for _, in := range rec.Inputs {
			if in.Kind != extract.InputCommand || !in.HasView {
				continue
			}
			if before.HasView && in.Time > before.Time {
				turned := math.Remainder(float64(in.Yaw-before.Yaw), 360)
				most = max(most, math.Abs(turned)/float64(in.Time-before.Time)*1000)
			}
			before = in
		}
	}
	fmt.Printf("%.0f degrees per second\n", most)
	// Output:
	// 152 degrees per second
}

// A file that a server sends to a client, piece by piece; the capture has its beginning.
func ExampleFile() {
	received := 0
	options := dissect.Options{Files: true}
	for rec, err := range open.Records("../../samples/quake3/68-download.pcap", all.Protocols(), options) {
		if err != nil {
			log.Fatal(err)
		}
		for _, f := range rec.Files {
			received += len(f.Data)
			if f.File != nil && f.File.Size >= 0 { // the size comes with the first piece
				fmt.Printf("%s, %d bytes\n", f.File.Name, f.File.Size)
			}
			if f.End {
				fmt.Println("complete")
			}
		}
	}
	fmt.Println(received, "bytes received")
	// Output:
	// baseoa/zz-q3-68-download.pk3, 611991 bytes
	// 28672 bytes received
}
