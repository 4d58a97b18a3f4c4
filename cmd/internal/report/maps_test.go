package report

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/mapfiles"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// made makes the report of a file, and gives its document.
func made(t *testing.T, name string, maps ...string) *document {
	t.Helper()
	r := New(Options{})
	for _, m := range maps {
		if err := r.AddMap(m); err != nil {
			t.Fatal(err)
		}
	}
	in, err := open.File(name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := r.Read(in, name, nil, nil); err != nil {
		t.Fatal(err)
	}
	return &r.document
}

const samples = "../../../samples/"

// Maps that an input carries are drawn: of a demo, and those that clients load.
func TestCarriedMaps(t *testing.T) {
	t.Parallel()
	for name, mapName := range map[string]string{
		samples + "teeworlds/07-ctf.demo":                       "ctflab",
		shared("captures/teeworlds/tw07-ctf3.pcap"):             "ctflab",
		shared("captures/teeworlds/dd06-full.pcap"):             "labtsunami",
		shared("captures/quake3/q3-68-download.pcap"):           "labmap",
		shared("captures/idtech3/jka-26-download.pcap"):         "mp/lab_dl",
		shared("captures/teeworlds/tw07-midsession.pcap"):       "",
		shared("captures/quake3/q3-68-connect-play.pcap"):       "",
		shared("captures/idtech3/jka-26-download-refused.pcap"): "",
		samples + "quake3/68-download.pcap":                     "", // the file is not one with a map
		samples + "teeworlds/07-ipv6-join.pcap":                 "labdm7",
	} {
		if _, err := os.Stat(name); err != nil {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			d := made(t, name)
			if mapName == "" {
				if len(d.Plans) > 0 {
					t.Errorf("there is a map %s from %s", d.Plans[0].Name, d.Plans[0].From)
				}
				return
			}
			i, ok := d.Files[0].Plans[mapName]
			if !ok {
				t.Fatalf("the map %s is not drawn; there are %v", mapName, d.Files[0].Plans)
			}
			if p := d.Plans[i]; len(p.Floors)+len(p.Boxes) < 10 || p.From != "carried by the input" || p.LeftOut > 0 {
				t.Errorf("%s from %s: %d floors, %d boxes, %d left out", p.Name, p.From, len(p.Floors), len(p.Boxes), p.LeftOut)
			}
		})
	}
}

// Players are on the floors of the map that they loaded: where they are, 24 units above the ground, there is a floor.
func TestFloorsAreUnderThePlayers(t *testing.T) {
	t.Parallel()
	name := shared("captures/quake3/q3-68-download.pcap")
	if _, err := os.Stat(name); err != nil {
		t.Skip("the reference captures are not at hand")
	}
	d := made(t, name)
	p := d.Plans[d.Files[0].Plans["labmap"]]
	places, stands := 0, 0
	for _, g := range d.Files[0].Pictures.Games {
		for _, track := range g.Tracks {
			var x, y, z int32
			for i := range track.X {
				x, y, z = x+track.X[i], y+track.Y[i], z+track.Z[i]
				places++
				for _, floor := range p.Floors {
					if up := z - 24 - floor[0]; up > -40 && up < 80 && within(floor, x, y) { // on it, on a slope, or in a jump
						stands++
						break
					}
				}
			}
		}
	}
	if places < 100 || stands < places*9/10 {
		t.Errorf("%d of %d places are on a floor", stands, places)
	}
	t.Logf("%d of %d places are on one of %d floors", stands, places, len(p.Floors))
}

// within reports whether a point lies in a polygon: a ray from it crosses the edges an odd number of times.
func within(floor []int32, x, y int32) (inside bool) {
	var points [][2]float64
	var px, py int32
	for i := 1; i+1 < len(floor); i += 2 {
		px, py = px+floor[i], py+floor[i+1]
		points = append(points, [2]float64{float64(px), float64(py)})
	}
	for i, a := range points {
		b := points[(i+1)%len(points)]
		if (a[1] > float64(y)) != (b[1] > float64(y)) && float64(x) < (b[0]-a[0])*(float64(y)-a[1])/(b[1]-a[1])+a[0] {
			inside = !inside
		}
	}
	return inside
}

// A map is looked for once, however many games play it, and so many maps are looked for.
func TestMapsAreLookedForOnce(t *testing.T) {
	t.Parallel()
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	if _, err := z.Create("maps/other.bsp"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r := New(Options{})
	if err := r.maps.AddFile("x.pk3", archive.Bytes()); err != nil {
		t.Fatal(err)
	}
	f := &file{Pictures: &timeline.Data{}}
	for i := range maxMaps { // q3dm6 is one of them
		f.Pictures.Games = append(f.Pictures.Games,
			&timeline.Game{Maps: []timeline.Map{{Name: "q3dm6"}, {Name: fmt.Sprint("q3dm", i)}}})
	}
	r.draw(f, &mapfiles.Maps{})
	if len(f.Unknown) != maxMaps {
		t.Errorf("%d sentences about %d maps", len(f.Unknown), maxMaps)
	}
	if want := "The map q3dm6 is not among those of --map."; f.Unknown[0] != want {
		t.Errorf("%q, want %q", f.Unknown[0], want)
	}
	f.Pictures.Games = append(f.Pictures.Games, &timeline.Game{Maps: []timeline.Map{{Name: "one more"}}})
	f.Unknown = nil
	r.draw(f, &mapfiles.Maps{})
	if want := "More than 100 maps are played: the others were not looked for."; f.Unknown[len(f.Unknown)-1] != want {
		t.Errorf("%q, want %q", f.Unknown[len(f.Unknown)-1], want)
	}
}

// shared returns the path of a file of the reference folder.
func shared(name string) string {
	dir := os.Getenv("Q3DISSECT_REFERENCE")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}
