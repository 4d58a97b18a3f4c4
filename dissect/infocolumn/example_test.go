package infocolumn_test

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/infocolumn"
)

// The last column of the list for a message of a protocol: what it is, and what is in it.
func ExampleInfo() {
	health := dissect.Field{Key: "health", Kind: dissect.Int}
	name := dissect.Field{Key: "name", Kind: dissect.Text}
	items := dissect.Field{Key: "items", Kind: dissect.List, Children: []*dissect.Field{&name}}
	status := dissect.Field{Key: "status", Kind: dissect.Object, Children: []*dissect.Field{&health, &items}}

	var tree dissect.Tree
	tree.Open(&status, 0)
	tree.AddInt(&health, 75, 0, 8)
	tree.Open(&items, 8)
	for i, item := range []string{"shotgun", "armor", "medkit"} {
		tree.AddBytes(&name, []byte(item), 16+i*64, 64)
	}
	tree.CloseAll(16 + 3*64)

	line := infocolumn.NewInfo(nil, &tree)
	line.Add("status: ")
	line.Number(line.Value(tree.Child(0, &health)))
	line.Add(" health")
	list := tree.Child(0, &items)
	line.Next()
	line.Count(tree.Len(list), "item")
	line.List(list, 2, func(node int) { line.Printable(line.Bytes(node)) })
	fmt.Printf("%s\n", line.End(&dissect.Record{}))

	// A part that could not be decoded is mentioned at the end.
	rec := dissect.Record{Experts: []dissect.Expert{{Severity: dissect.Warning, Code: "truncated_by_capture"}}}
	line = infocolumn.NewInfo(nil, &tree)
	line.Add("status")
	fmt.Printf("%s\n", line.End(&rec))
	// Output:
	// status: 75 health; 3 items; shotgun; armor; 1 more
	// status [truncated_by_capture]
}
