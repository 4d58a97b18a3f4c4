package gamestudio

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/infocolumn"
)

// infoMessages is the number of messages that the list names individually.
const infoMessages = 4

// appendInfo appends the list's Info column: the messages of the packet.
func appendInfo(dst []byte, rec *dissect.Record) []byte {
	i := infoAppender{infocolumn.NewInfo(dst, rec.Tree)}
	if root := i.Tree.Find(dissect.TopLevel, gameName); root >= 0 {
		if list := i.Tree.Child(root, &messagesField); list >= 0 {
			i.List(list, infoMessages, i.message)
		}
		if n := i.Tree.Child(root, &undeterminedField); n >= 0 {
			i.Next()
			i.Add("undetermined: ")
			i.Size(len(i.Bytes(n)))
		}
		if n := i.Tree.Child(root, &directPlay4Field); n >= 0 && i.Empty() {
			i.Add("DirectPlay 4 system message")
		}
	}
	return i.End(rec)
}

// An infoAppender summarises a record in a line.
type infoAppender struct{ infocolumn.Info }

// message writes one message: its name and its most telling values.
func (i *infoAppender) message(n int) {
	name := i.Tree.Nodes[n].Field.Key[len("svc_"):]
	update := len(name) == len("update1") && name[:len("update")] == "update"
	if update {
		name = "update"
	}
	i.Add(name)
	for c, end := n+1, int(i.Tree.Nodes[n].End); c < end; c = int(i.Tree.Nodes[c].End) {
		node := &i.Tree.Nodes[c]
		switch f := node.Field; {
		case f == &fileHint, f == &playerHint, f == &positionFixed, f == &scaleUnit, f == &byBitOrder, f == &byTableOrder,
			f == &dissect.Undecoded:
		case f == &entityIndex:
			i.number(node)
			if hint := i.Tree.Child(n, &fileHint); hint >= 0 {
				i.Add(" (")
				i.Printable(i.Bytes(hint))
				i.Add(")")
			}
		case f.Kind == dissect.Text:
			i.Add(" ")
			i.Printable(i.Bytes(c))
		case f == &position:
			i.Add(" at")
			for axis := c + 1; axis < int(node.End); axis++ {
				i.Add(" ")
				i.Dst = strconv.AppendFloat(i.Dst, float64(i.Tree.Nodes[axis].Float()), 'f', -1, 32)
			}
		case update:
			i.Add(" ")
			i.Add(f.Key)
		case f == &entityLong, f == &entityDPID, f == &varIndex, f == &stringIndex, f == &soundIndex, f == &functionIndex:
			i.number(node)
		}
	}
}

func (i *infoAppender) number(n *dissect.Node) {
	i.Add(" ")
	i.Number(n.Int())
}
