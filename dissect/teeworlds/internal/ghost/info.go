package ghost

import "github.com/q3dissect/q3dissect/dissect/infocolumn"

// AppendInfo describes the record in i. node is the object of Field.
func AppendInfo(i *infocolumn.Info, node int) {
	t := i.Tree
	text := func(parent int, key, before string) {
		if n := t.Find(parent, key); n >= 0 {
			i.Add(before)
			i.Printable(i.Bytes(n))
		}
	}
	number := func(parent int, key, before, after string) {
		if n := t.Find(parent, key); n >= 0 {
			i.Add(before)
			i.Number(i.Value(n))
			i.Add(after)
		}
	}
	if n := t.Child(node, &headerField); n >= 0 {
		number(n, "version", "ghost ", "")
		text(n, "map_name", " of ")
		text(n, "owner", " by ")
		number(n, "time", ", ", " ms")
		number(n, "ticks", ", ", " characters")
	}
	if n := t.Child(node, &startField); n >= 0 {
		number(n, "tick", "start at tick ", "")
	}
	if n := t.Child(node, &skinField); n >= 0 {
		text(n, "name", "skin ")
	}
	if n := t.Child(node, &characterField); n >= 0 {
		number(node, "race_time", "", " ms")
		number(n, "tick", ", tick ", "")
		number(n, "x", ": at ", "")
		number(n, "y", ",", "")
	}
	if t.Child(node, &unknownField) >= 0 {
		number(node, "type", "item of type ", "")
	}
	if i.Empty() {
		number(node, "num_items", "chunk of ", " items")
	}
}
