package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/q3dissect/q3dissect/samples/gen/foreign"
)

// foreignFlows writes flows of programs that q3dissect does not dissect: some of each kind, all at once.
func foreignFlows(args []string) error {
	f := flag.NewFlagSet("foreign", flag.ContinueOnError)
	only := f.String("kind", "", "one kind alone; list: print their names")
	seeds := f.Int("seeds", 8, "flows of each kind")
	usec := f.Int64("usec", 100, "microseconds between packets")
	out := f.String("o", "", "capture to write")
	if err := f.Parse(args); err != nil {
		return err
	}
	var kinds []foreign.Kind
	for _, k := range foreign.Kinds() {
		if *only == "list" {
			fmt.Println(k.Name)
		}
		if *only == "" || *only == k.Name {
			kinds = append(kinds, k)
		}
	}
	if *only == "list" {
		return nil
	}
	if len(kinds) == 0 {
		return fmt.Errorf("no kind is called %q", *only)
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	w := newFloodWriter(file, *usec)
	for seed := range *seeds {
		flows := make([][]foreign.Datagram, len(kinds))
		for i, k := range kinds {
			flows[i] = k.Flow(uint64(seed))
		}
		for n := range foreign.Datagrams {
			for i := range flows {
				w.server = max(kinds[i].Port, 1024)
				w.datagram(uint32(seed*len(kinds)+i), flows[i][n].FromServer, flows[i][n].Payload)
			}
		}
	}
	if err := w.close(); err != nil {
		return err
	}
	return file.Close()
}
