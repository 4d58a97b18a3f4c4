package rows_test

import (
	"fmt"
	"log"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// The rows of one datagram: its packet, the message, its operations.
func Example() {
	protocols := all.Protocols()
	schema, err := rows.New(protocols, rows.Options{})
	if err != nil {
		log.Fatal(err)
	}
	shredder := schema.NewShredder() // of one goroutine
	var b []byte
	for rec, err := range open.Records("../../samples/quake3/68-download.pcap", protocols, dissect.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if rec.Frame != 12 {
			continue
		}
		b = shredder.Append(b[:0], rec)
		for c := schema.Read(b); c.Row(); {
			fmt.Println(c.Table().Name)
			for c.Cell() {
				if name := c.Column().Name; name == "block" || name == "size" {
					fmt.Println(" ", name, c.Int())
				} else {
					c.SkipCell() // every cell is read or skipped
				}
			}
		}
	}
	// Output:
	// packets
	// quake3
	// quake3_server_message_ops_download
	//   block 0
	//   size 1024
	// quake3_server_message_ops_eof
}
