package enet

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/infocolumn"
)

// infoCommands is the number of commands that the list names individually.
const infoCommands = 4

// appendInfo appends the list's Info column: the commands of the packet.
func appendInfo(dst []byte, rec *dissect.Record) []byte {
	i := infoAppender{infocolumn.NewInfo(dst, rec.Tree)}
	if root := i.Tree.Find(dissect.TopLevel, protocolName); root >= 0 {
		for _, o := range [...]struct {
			field *dissect.Field
			what  string
		}{{&packedDataField, "compressed: "}, {&encryptedField, "encrypted: "}} {
			if n := i.Tree.Child(root, o.field); n >= 0 {
				i.Add(o.what)
				i.Size(len(i.Bytes(n)))
			}
		}
		if list := i.Tree.Find(root, commandsField.Key); list >= 0 {
			i.List(list, infoCommands, i.command)
		}
		if further := i.Tree.Child(root, &furtherField); further >= 0 {
			for n := range i.Tree.Children(further) {
				if list := i.Tree.Child(n, &commandsField); list >= 0 {
					i.List(list, infoCommands, i.command)
				}
			}
		}
	}
	return i.End(rec)
}

// An infoAppender summarises a record in a line.
type infoAppender struct{ infocolumn.Info }

// command appends a command of ENet.
func (i *infoAppender) command(n int) {
	f := i.Tree.Nodes[n].Field
	if i.Tree.Child(n, &duplicateField) >= 0 {
		i.Add("[duplicate] ")
	}
	i.Add(f.Key)
	number := func(before string, f *dissect.Field) {
		if c := i.Tree.Child(n, f); c >= 0 {
			i.Add(before)
			i.Number(int64(i.Tree.Nodes[c].Uint()))
		}
	}
	number(" ", &otherNumberField)
	number(" ", gotSequenceField)
	number(" ", numberField)
	number(" of ", countField)
	if c := i.Tree.Child(n, &reasonField); c >= 0 {
		if name := i.Tree.At(c).Name(); name != "" {
			i.Add(": ")
			i.Add(name)
		}
	}
	if c := i.Tree.Child(n, &dataField); c >= 0 && i.Tree.Child(n, lengthField) < 0 {
		i.Add(": ")
		i.Size(len(i.Bytes(c)))
	}
	if c := i.Tree.Child(n, lengthField); c >= 0 {
		i.Add(": ")
		i.Size(int(i.Tree.Nodes[c].Uint()))
	}
}
