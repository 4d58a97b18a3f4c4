package view

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/outliers"
)

// TestMomentsTakeTheCarriedMap: the client of a capture loads the map that it plays on, whose walls count without any
// that were named; those that were named count first.
func TestMomentsTakeTheCarriedMap(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("Q3DISSECT_REFERENCE")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	name := filepath.Join(dir, "captures", "quake3", "q3-68-download.pcap")
	in, err := open.File(name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Skip(err)
	}
	defer in.Close()
	kind, _, err := Find("moments")
	if err != nil {
		t.Fatal(err)
	}
	named := false
	s, err := kind.New(nil, &Env{Walls: func(mapName string) outliers.Clear {
		if mapName == "labmap" && named {
			return func(_, _ [3]float64) bool { return true }
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	list := s.(*momentList)
	if list.walls("labmap") != nil {
		t.Fatal("the map is known before it is there")
	}
	var at [3]float64
	for rec, err := range in.Records(dissect.Options{Events: true, Inputs: true, Files: kind.Needs.Files}) {
		if err != nil {
			t.Fatal(err)
		}
		s.Add(rec)
		for i := range rec.Inputs {
			if in := &rec.Inputs[i]; in.HasPlace {
				at = [3]float64{float64(in.Place[0]), float64(in.Place[1]), float64(in.Place[2])}
			}
		}
	}
	clear := list.walls("labmap")
	if clear == nil {
		t.Fatal("the map is not known")
	}
	above, below := at, at
	above[2] += 8
	below[2] -= 200
	if !clear(at, above) || clear(at, below) {
		t.Errorf("from %v up: %t, through the floor: %t", at, clear(at, above), clear(at, below))
	}
	if named = true; !list.walls("labmap")(at, below) {
		t.Error("the map that was named does not count first")
	}
}

// TestMomentsByEarlierName: who is asked for by a name that he gave up is found, and his present name is said.
func TestMomentsByEarlierName(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string][]string{
		"labalpha": {"labalpha is called LabBeta now"}, "LABBETA": nil,
	} {
		kind, _, err := Find("moments")
		if err != nil {
			t.Fatal(err)
		}
		s, err := kind.New([]string{asked}, &Env{})
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range open.Records("../../samples/quake3/71-ipv6-chat.pcap", all.Protocols(),
			dissect.Options{Events: true, Inputs: true}) {
			if err != nil {
				t.Fatal(err)
			}
			s.Add(rec)
		}
		table := s.Tables()[0]
		if len(table.AppendJSON(nil)) == 0 || table.Unknown != "" {
			t.Errorf("%s is not found: %s", asked, table.Unknown)
		}
		if diff := cmp.Diff(want, table.Notes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", asked, diff)
		}
	}
}
