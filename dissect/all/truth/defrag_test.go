package truth_test

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

// TestDefragPhysics: physics and mode of a DeFRaG demo are those of the server information, df_promode 1 and
// defrag_gametype 5.
func TestDefragPhysics(t *testing.T) {
	t.Parallel()
	in, err := open.File(reference.Folder(t, "cases")+"/defrag-cpm.dm_68", open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	c, starts := catalogue.New(), 0
	for rec, err := range engine.Records(in.Packets(), engine.Config{
		Protocols: all.Protocols(), NoTree: true, Options: dissect.Options{Events: true},
	}) {
		if err != nil {
			break
		}
		c.Add(rec)
		for e := range rec.Events.Top().Children() {
			if physics := e.Get("physics"); physics.Exists() {
				starts++
				if physics.String() != "cpm" || e.Get("mode").String() != "online" {
					t.Errorf("%s: physics %s, mode %s", e.Get("event"), physics, e.Get("mode"))
				}
			}
		}
	}
	if starts == 0 {
		t.Error("no event has the physics")
	}
	for _, l := range c.Listings(catalogue.File{Name: "defrag-cpm.dm_68", Demo: true}) {
		if line := string(l.AppendJSON(nil)); !strings.Contains(line, `"physics":"cpm","mode":"online"`) {
			t.Error(line)
		}
	}
}
