package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
)

// protocolList is --list-protocols: what is dissected, and the names for -d.
func (p *program) protocolList(asJSON bool) []byte {
	var b bytes.Buffer
	if asJSON {
		lines := json.NewEncoder(&b)
		for _, known := range p.protocols {
			line := struct {
				Protocol string   `json:"protocol"`
				Title    string   `json:"title"`
				Dissects []string `json:"decode_as"`
			}{known.Name(), known.Title(), known.Dissects()}
			if err := lines.Encode(line); err != nil {
				panic(err) // made of strings, into memory
			}
		}
		return b.Bytes()
	}
	columns := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, known := range p.protocols {
		fmt.Fprintf(columns, "%s\t%s\t-d udp.port==N,%s\n", known.Name(), known.Title(), strings.Join(known.Dissects(), "|"))
	}
	columns.Flush()
	return b.Bytes()
}
