package quake3

import (
	"fmt"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// leaves tells a tree as lines "path value", without the protocol's own name; an empty container is a line too.
func leaves(t *dissect.Tree) []string {
	var lines []string
	var walk func(i int, path string)
	walk = func(i int, path string) {
		n := &t.Nodes[i]
		f := n.Field
		if !f.Kind.Container() {
			lines = append(lines, path+" "+leafValue(t, n))
			return
		}
		if int(n.End) == i+1 {
			lines = append(lines, path)
		}
		at := 0
		for c := i + 1; c < int(n.End); c = int(t.Nodes[c].End) {
			child := &t.Nodes[c]
			sub := path
			switch f.Kind {
			case dissect.List:
				sub += "[" + strconv.Itoa(at) + "]"
			case dissect.Choices:
				sub += "[" + strconv.Itoa(at) + "]." + child.Field.Key
			case dissect.Sparse:
				sub += "." + strconv.Itoa(int(child.Index))
			default:
				if sub != "" {
					sub += "."
				}
				sub += child.Field.Key
			}
			walk(c, sub)
			at++
		}
	}
	if len(t.Nodes) > 0 {
		walk(0, "")
	}
	return lines
}

func leafValue(t *dissect.Tree, n *dissect.Node) string {
	switch n.Field.Kind {
	case dissect.Bool:
		return strconv.FormatBool(n.Bool())
	case dissect.Uint:
		return strconv.FormatUint(n.Uint(), 10)
	case dissect.Int:
		return strconv.FormatInt(n.Int(), 10)
	case dissect.Float:
		return strconv.FormatFloat(float64(n.Float()), 'g', -1, 32)
	case dissect.Hex:
		return fmt.Sprintf("%x", t.Bytes(n))
	}
	return string(t.Bytes(n))
}
