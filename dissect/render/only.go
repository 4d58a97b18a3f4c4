package render

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// only returns a tree with some of the top-level objects, selected by key. It shares the texts of the original.
func only(tree *dissect.Tree, keys []string) *dissect.Tree {
	part := *tree
	part.Nodes = make([]dissect.Node, 0, len(tree.Nodes))
	for i := 0; i < len(tree.Nodes); {
		end := int(tree.Nodes[i].End)
		if slices.Contains(keys, tree.Nodes[i].Field.Key) {
			moved := int32(i - len(part.Nodes))
			for _, n := range tree.Nodes[i:end] {
				n.End -= moved
				part.Nodes = append(part.Nodes, n)
			}
		}
		i = end
	}
	return &part
}
