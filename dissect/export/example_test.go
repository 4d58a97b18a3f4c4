package export_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A demo out of a capture, which the game plays, and the chat in it.
func ExampleDemos() {
	dir, err := os.MkdirTemp("", "demos")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	demos, err := export.NewDemos(export.Config{Dir: dir, Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	demos.BeginInput("")
	options := dissect.Options{Demos: &extract.DemoRange{}}
	for rec, err := range open.Records("../../samples/quake3/68-natrebind.pcap", all.Protocols(), options) {
		if err != nil {
			log.Fatal(err)
		}
		demos.Add(0, rec)
	}
	if err := demos.EndInput(); err != nil {
		log.Fatal(err)
	}
	manifest, err := demos.Close()
	if err != nil {
		log.Fatal(err)
	}
	for _, demo := range manifest.Demos {
		fmt.Println(demo.File, demo.Map, demo.Player)
		for rec, err := range open.Records(filepath.Join(dir, demo.File), all.Protocols(), dissect.Options{Events: true}) {
			if err != nil {
				log.Fatal(err)
			}
			for event := range rec.Events.Top().Children() {
				if event.Get("event").String() == "chat" {
					fmt.Printf("%s: %s\n", event.Lookup("client.name_clean"), event.Get("text_clean"))
				}
			}
		}
	}
	// Output:
	// 000-0-aggressor.dm_68 aggressor NatNadia
	// NatNadia: before rebinding
	// NatNadia: after first rebinding
	// NatNadia: after second rebinding
	// Gargoyle: You know, I really do want to be anarchy... how do I go about that?
}
