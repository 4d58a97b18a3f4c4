package browsertest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A position is an element of the array positions of --bits.
type position struct {
	Path      string `json:"path"`
	BitOffset int    `json:"bit_offset"`
	BitLength int    `json:"bit_length"`
	In        string `json:"in"`
}

// litBytes are the bytes that are lit, in each layer.
const litBytes = `viewer.bytes.layers.map(l => l.spans.flatMap((s, i) => s.classList.contains("lit") || s.classList.contains("lit-part") ? [i] : []))`

// Pointing at any field lights the bytes that --bits names, and of those of a message the bytes of
// the datagram, which follow the header of four bytes.
func TestViewerLightsTheBitsOfFields(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	b := openViewer(t, desk, file)
	var line struct{ Positions []position }
	if err := json.Unmarshal([]byte(output(t, file, "--json", "--bits", "--frames", "26")), &line); err != nil {
		t.Fatal(err)
	}
	if len(line.Positions) < 20 {
		t.Fatalf("%d positions", len(line.Positions))
	}
	goTo(b, 26, line.Positions[0].Path)
	for _, p := range line.Positions {
		b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.tree.reveal(%q)`, p.Path), nil))
		got := eval[[][]int](b, litBytes)
		var want []int
		for i := p.BitOffset >> 3; i <= (p.BitOffset+p.BitLength-1)>>3; i++ {
			want = append(want, i)
		}
		layers := [][]int{want, {}}
		if p.In == "message" {
			layers = [][]int{{}, want}
			for _, i := range want {
				layers[0] = append(layers[0], i+4)
			}
		}
		if !reflect.DeepEqual(got, layers) {
			t.Errorf("%s, %d bits at %d of the %s: lit are %v, want %v", p.Path, p.BitLength, p.BitOffset, p.In, got, layers)
		}
	}
	b.picture("viewer.png")
}

// A field of a message of three fragments is lit in the datagram that brought its bytes.
func TestViewerLightsFragments(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-connect-play.pcap")
	b := openViewer(t, desk, file)
	var line struct{ Positions []position }
	if err := json.Unmarshal([]byte(output(t, file, "--json", "--bits", "--frames", "8")), &line); err != nil {
		t.Fatal(err)
	}
	goTo(b, 8, line.Positions[0].Path)
	frames := eval[[]int](b, `viewer.record.layers.map(l => l.frame ?? 0)`)
	if !reflect.DeepEqual(frames, []int{8, 0, 6, 7}) {
		t.Fatalf("the layers are of frames %v", frames)
	}
	seen := map[int]bool{}
	for _, p := range line.Positions {
		first := p.BitOffset >> 3
		last := (p.BitOffset + p.BitLength - 1) >> 3
		if p.In != "message" || first/1300 != last/1300 {
			continue
		}
		layer := []int{2, 3, 0}[first/1300] // fragments hold 1300 bytes, after a header of eight
		seen[layer] = true
		b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.tree.reveal(%q)`, p.Path), nil))
		for i, lit := range eval[[][]int](b, litBytes) {
			switch {
			case i == 1 && (len(lit) != last-first+1 || lit[0] != first):
				t.Fatalf("%s: %v are lit in the message", p.Path, lit)
			case i == layer && (len(lit) != last-first+1 || lit[0] != first%1300+8):
				t.Fatalf("%s: %v are lit in frame %d", p.Path, lit, frames[i])
			case i != 1 && i != layer && len(lit) > 0:
				t.Fatalf("%s: %v are lit in frame %d too", p.Path, lit, frames[i])
			}
		}
		if len(seen) == 3 && first > 2610 {
			break
		}
	}
	if len(seen) != 3 {
		t.Errorf("fields of %d datagrams were tried", len(seen))
	}
}

// Choosing a byte chooses the smallest field in it, and symbols of the Huffman code are found through the code.
func TestViewerFindsTheFieldOfAByte(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("teeworlds/ddnet-join.pcap"))
	goTo(b, 60, "teeworlds.chunks[0].size")
	lit := eval[[][]int](b, litBytes)
	if len(lit[0]) == 0 || len(lit[1]) == 0 {
		t.Fatalf("lit are %v", lit)
	}
	b.run(chromedp.Evaluate(fmt.Sprintf(`viewer.bytes.layers[1].spans[%d].click()`, lit[1][0]), nil))
	path := eval[string](b, `viewer.tree.selected.path`)
	if !strings.HasPrefix(path, "teeworlds.chunks[0].") {
		t.Errorf("the byte is of %s", path)
	}
	if again := eval[[][]int](b, litBytes); len(again[1]) == 0 || again[1][0] > lit[1][0] ||
		again[1][len(again[1])-1] < lit[1][0] {
		t.Errorf("the byte that was chosen is not lit: %v", again)
	}
}
