package teehistorian

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// Fields that frame others, see dissect.Framing.
var (
	typeField = dissect.Field{
		Key: "type", Kind: dissect.Int, Framing: dissect.Apart, Source: writerSource, Doc: "number of the chunk's type",
	}
	syntaxField = dissect.Field{
		Key: "syntax", Kind: dissect.List, Framing: dissect.Apart, Source: headerSource,
		Children: []*dissect.Field{{Kind: dissect.Text, Framing: dissect.Apart}},
		Doc:      "the JSON between the values: keys, marks and blanks, and the zero at its end",
	}
)

// frameHeader shows what is between the values of a header of size bytes, whose nodes begin with one.
func frameHeader(t *dissect.Tree, b []byte, first int) {
	if !t.Framed() {
		return
	}
	var values [][2]int
	for i := first; i < len(t.Nodes); i++ {
		if n := &t.Nodes[i]; !n.Field.Kind.Container() && n.Bits > 0 {
			values = append(values, [2]int{int(n.Bit), int(n.Bit + n.Bits)})
		}
	}
	slices.SortFunc(values, func(a, b [2]int) int { return a[0] - b[0] })
	values = append(values, [2]int{len(b) << 3, len(b) << 3})
	t.Open(&syntaxField, 0)
	at := 0
	for _, v := range values {
		if at < v[0] {
			t.AddBytes(syntaxField.Children[0], b[at>>3:v[0]>>3], at, v[0]-at)
		}
		at = max(at, v[1])
	}
	t.Close(len(b) << 3)
}
