package gamestudio

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/tell"
)

// infoMessages is how many messages or commands the list tells one by one.
const infoMessages = 4

// AppendInfo appends the list's last column: the messages of the packet.
func (Protocol) AppendInfo(dst []byte, rec *dissect.Record) []byte {
	i := newInfo(dst, rec)
	if root := i.Tree.Find(dissect.TopLevel, gameName); root >= 0 {
		if list := i.Tree.Child(root, &messagesField); list >= 0 {
			i.list(list, i.message)
		}
		if n := i.Tree.Child(root, &undeterminedField); n >= 0 {
			i.Next()
			i.Add("undetermined: ")
			i.size(len(i.bytes(n)))
		}
		if n := i.Tree.Child(root, &directPlay4Field); n >= 0 && i.Empty() {
			i.Add("DirectPlay 4 system message")
		}
	}
	return i.end(rec)
}

// AppendInfo appends the list's last column: what the frame is.
func (DirectPlay8) AppendInfo(dst []byte, rec *dissect.Record) []byte {
	i := newInfo(dst, rec)
	root := i.Tree.Find(dissect.TopLevel, dplayName)
	if root < 0 {
		return i.end(rec)
	}
	if n := i.Tree.Child(root, &discoveryField); n >= 0 {
		i.discovery(n)
	}
	if n := i.Tree.Child(root, &controlField); n >= 0 && n+1 < int(i.Tree.Nodes[n].End) {
		i.control(n + 1)
	}
	if n := i.Tree.Child(root, &dataField); n >= 0 {
		i.data(n)
	}
	return i.end(rec)
}

// AppendInfo appends the list's last column: the commands of the packet.
func (ENet) AppendInfo(dst []byte, rec *dissect.Record) []byte {
	i := newInfo(dst, rec)
	if root := i.Tree.Find(dissect.TopLevel, enetName); root >= 0 {
		if n := i.Tree.Child(root, &enetPackedData); n >= 0 {
			i.Add("compressed: ")
			i.size(len(i.bytes(n)))
		}
		if list := i.Tree.Find(root, enetCommandsField.Key); list >= 0 {
			i.list(list, i.command)
		}
	}
	return i.end(rec)
}

// An infoAppender tells a record in a line.
type infoAppender struct{ tell.Info }

func newInfo(dst []byte, rec *dissect.Record) infoAppender {
	return infoAppender{tell.NewInfo(dst, rec.Tree)}
}

// end says so when a part could not be read.
func (i *infoAppender) end(rec *dissect.Record) []byte {
	if i.Empty() {
		i.Add("nothing")
	}
	i.Unread(rec)
	return i.Dst
}

func (i *infoAppender) bytes(n int) []byte { return i.Tree.Bytes(&i.Tree.Nodes[n]) }
func (i *infoAppender) size(n int)         { i.Count(n, " byte", " bytes") }

// list tells the first elements of a list, and how many more there are.
func (i *infoAppender) list(list int, say func(n int)) {
	told := 0
	for n, end := list+1, int(i.Tree.Nodes[list].End); n < end; n = int(i.Tree.Nodes[n].End) {
		if told < infoMessages {
			i.Next()
			say(n)
		}
		told++
	}
	if told > infoMessages {
		i.Add("; ")
		i.Number(int64(told - infoMessages))
		i.Add(" more")
	}
}

// message tells one message: its name, and of its values those that say what it is about.
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
		case f == &fileHint, f == &playerHint, f == &positionFixed, f == &scaleUnit, f == &byBitOrder, f == &byTableOrder, f == &dissect.Undecoded:
		case f == &entityIndex:
			i.number(node)
			if hint := i.Tree.Child(n, &fileHint); hint >= 0 {
				i.Add(" (")
				i.printable(i.bytes(hint))
				i.Add(")")
			}
		case f.Kind == dissect.Text:
			i.Add(" ")
			i.printable(i.bytes(c))
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

func (i *infoAppender) printable(b []byte) { i.Dst = append(i.Dst, bytes.TrimSpace(b)...) }

func (i *infoAppender) discovery(n int) {
	if q := i.Tree.Child(n, &queryField); q >= 0 {
		i.Add("discovery query")
	}
	r := i.Tree.Child(n, &responseField)
	if r < 0 {
		return
	}
	i.Add("discovery response")
	if name := i.Tree.Child(r, &sessionName); name >= 0 {
		i.Add(" ")
		i.Dst = append(i.Dst, i.bytes(name)...)
	}
}

func (i *infoAppender) control(n int) {
	i.Add(i.Tree.Nodes[n].Field.Key)
	if next := i.Tree.Child(n, &nextExpected); next >= 0 {
		i.Add(", expects ")
		i.Number(int64(i.Tree.Nodes[next].Uint()))
	}
}

func (i *infoAppender) data(n int) {
	if i.Tree.Child(n, &frameDuplicate) >= 0 {
		i.Add("[duplicate] ")
	}
	i.Add("data")
	if s := i.Tree.Child(n, &frameSequence); s >= 0 {
		i.Add(" ")
		i.Number(int64(i.Tree.Nodes[s].Uint()))
	}
	switch {
	case i.Tree.Child(n, &sessionID) >= 0:
		i.Add(": keep-alive")
	case i.Tree.Child(n, &partsField) >= 0:
		i.parts(i.Tree.Child(n, &partsField))
	case i.Tree.Child(n, &coreField) >= 0:
		i.core(i.Tree.Child(n, &coreField))
	case i.Tree.Child(n, &coreJoined) >= 0:
		i.core(i.Tree.Child(n, &coreJoined))
	case i.ends(n):
		i.Add(": end of the stream")
	default:
		if size := i.Tree.Child(n, &framePayloadSize); size >= 0 {
			i.Add(": ")
			i.size(int(i.Tree.Nodes[size].Uint()))
			if c := i.Tree.Child(n, &frameCommand); c >= 0 && i.Tree.Nodes[c].Uint()&commandWhole != commandWhole {
				i.Add(" of a message")
			}
		}
	}
	if i.Tree.Child(n, &frameReassembled) >= 0 {
		i.Add(", which is complete")
	}
}

// parts tells how many messages a frame has, and the names of the first of DirectPlay's own among them.
func (i *infoAppender) parts(list int) {
	i.Add(": ")
	i.Count(i.Tree.Len(list), " message", " messages")
	told := 0
	for n, end := list+1, int(i.Tree.Nodes[list].End); n < end && told < infoMessages; n = int(i.Tree.Nodes[n].End) {
		core := i.Tree.Child(n, &coreField)
		if core < 0 {
			continue
		}
		if told++; told > 1 {
			i.Add(",")
		} else {
			i.Add(":")
		}
		i.Add(" ")
		i.coreName(core)
	}
}

// ends reports whether a data frame has nothing but the end of its side's stream.
func (i *infoAppender) ends(n int) bool {
	control, size := i.Tree.Child(n, &frameControl), i.Tree.Child(n, &framePayloadSize)
	return control >= 0 && i.Tree.Nodes[control].Uint()&controlEnd != 0 && size >= 0 && i.Tree.Nodes[size].Uint() == 0
}

// core tells a core message by its name, and what it is about.
func (i *infoAppender) core(n int) {
	i.Add(": ")
	m := i.coreName(n)
	if m == nil {
		return
	}
	body := i.Tree.Child(n, &m.field)
	if body < 0 {
		return
	}
	for _, f := range [...]*dissect.Field{&placeSession.content, &placeName.content, &coreResultName} {
		if c := i.Tree.Child(body, f); c >= 0 {
			i.Add(" ")
			i.printable(i.bytes(c))
		}
	}
}

// coreName tells the name of a core message, and gives what is known of the kind, or nil.
func (i *infoAppender) coreName(n int) *coreMessage {
	kind := i.Tree.Child(n, &coreType)
	if kind < 0 {
		i.Add("core message")
		return nil
	}
	v := i.Tree.Nodes[kind].Uint()
	m := coreOf(v)
	if m == nil {
		i.Add("core message 0x")
		i.Dst = strconv.AppendUint(i.Dst, v, 16)
		return nil
	}
	i.Add(m.field.Key)
	return m
}

// command tells a command of ENet.
func (i *infoAppender) command(n int) {
	f := i.Tree.Nodes[n].Field
	if i.Tree.Child(n, &enetDuplicate) >= 0 {
		i.Add("[duplicate] ")
	}
	i.Add(f.Key)
	number := func(before string, f *dissect.Field) {
		if c := i.Tree.Child(n, f); c >= 0 {
			i.Add(before)
			i.Number(int64(i.Tree.Nodes[c].Uint()))
		}
	}
	number(" ", enetGotSequence)
	number(" ", enetNumberField)
	number(" of ", enetCount)
	if c := i.Tree.Child(n, &enetData); c >= 0 && i.Tree.Child(n, enetLength) < 0 {
		i.Add(": ")
		i.size(len(i.bytes(c)))
	}
	if c := i.Tree.Child(n, enetLength); c >= 0 {
		i.Add(": ")
		i.size(int(i.Tree.Nodes[c].Uint()))
	}
}
