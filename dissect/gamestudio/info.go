package gamestudio

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// infoMessages is how many messages or commands the list tells one by one.
const infoMessages = 4

// AppendInfo appends the list's last column: the messages of the packet.
func (Protocol) AppendInfo(dst []byte, rec *dissect.Record) []byte {
	i := infoAppender{t: rec.Tree, dst: dst}
	i.begin()
	if root := i.t.Find(-1, gameName); root >= 0 {
		if list := i.t.Child(root, &messagesField); list >= 0 {
			i.list(list, i.message)
		}
		if n := i.t.Child(root, &undeterminedField); n >= 0 {
			i.next()
			i.text("undetermined: ")
			i.size(len(i.bytes(n)))
		}
		if n := i.t.Child(root, &directPlay4Field); n >= 0 && len(i.dst) == i.start {
			i.text("DirectPlay 4 system message")
		}
	}
	return i.end(rec)
}

// AppendInfo appends the list's last column: what the frame is.
func (DirectPlay8) AppendInfo(dst []byte, rec *dissect.Record) []byte {
	i := infoAppender{t: rec.Tree, dst: dst}
	i.begin()
	root := i.t.Find(-1, dplayName)
	if root < 0 {
		return i.end(rec)
	}
	if n := i.t.Child(root, &discoveryField); n >= 0 {
		i.discovery(n)
	}
	if n := i.t.Child(root, &controlField); n >= 0 && n+1 < int(i.t.Nodes[n].End) {
		i.control(n + 1)
	}
	if n := i.t.Child(root, &dataField); n >= 0 {
		i.data(n)
	}
	return i.end(rec)
}

// AppendInfo appends the list's last column: the commands of the packet.
func (ENet) AppendInfo(dst []byte, rec *dissect.Record) []byte {
	i := infoAppender{t: rec.Tree, dst: dst}
	i.begin()
	if root := i.t.Find(-1, enetName); root >= 0 {
		if n := i.t.Child(root, &enetPackedData); n >= 0 {
			i.text("compressed: ")
			i.size(len(i.bytes(n)))
		}
		if list := i.t.Find(root, enetCommandsField.Key); list >= 0 {
			i.list(list, i.command)
		}
	}
	return i.end(rec)
}

// An infoAppender tells a record in a line.
type infoAppender struct {
	t     *dissect.Tree
	dst   []byte
	start int
}

func (i *infoAppender) text(s string)      { i.dst = append(i.dst, s...) }
func (i *infoAppender) count(n int)        { i.dst = strconv.AppendInt(i.dst, int64(n), 10) }
func (i *infoAppender) bytes(n int) []byte { return i.t.Bytes(&i.t.Nodes[n]) }

func (i *infoAppender) size(n int) {
	i.count(n)
	if n == 1 {
		i.text(" byte")
		return
	}
	i.text(" bytes")
}

func (i *infoAppender) begin() { i.start = len(i.dst) }

// end says so when a part could not be read.
func (i *infoAppender) end(rec *dissect.Record) []byte {
	if len(i.dst) == i.start {
		i.text("nothing")
	}
	for _, e := range rec.Experts {
		if e.Severity >= dissect.Warning {
			i.text(" [")
			i.text(e.Code)
			i.text("]")
			break
		}
	}
	return i.dst
}

// next separates what comes from what was said.
func (i *infoAppender) next() {
	if len(i.dst) > i.start {
		i.text("; ")
	}
}

// list tells the first elements of a list, and how many more there are.
func (i *infoAppender) list(list int, tell func(n int)) {
	told := 0
	for n, end := list+1, int(i.t.Nodes[list].End); n < end; n = int(i.t.Nodes[n].End) {
		if told < infoMessages {
			i.next()
			tell(n)
		}
		told++
	}
	if told > infoMessages {
		i.text("; ")
		i.count(told - infoMessages)
		i.text(" more")
	}
}

// message tells one message: its name, and of its values those that say what it is about.
func (i *infoAppender) message(n int) {
	name := i.t.Nodes[n].Field.Key[len("svc_"):]
	update := len(name) == len("update1") && name[:len("update")] == "update"
	if update {
		name = "update"
	}
	i.text(name)
	for c, end := n+1, int(i.t.Nodes[n].End); c < end; c = int(i.t.Nodes[c].End) {
		node := &i.t.Nodes[c]
		switch f := node.Field; {
		case f == &fileHint, f == &playerHint, f == &positionFixed, f == &scaleUnit, f == &byBitOrder, f == &byTableOrder, f == &dissect.Undecoded:
		case f == &entityIndex:
			i.number(node)
			if hint := i.t.Child(n, &fileHint); hint >= 0 {
				i.text(" (")
				i.printable(i.bytes(hint))
				i.text(")")
			}
		case f.Kind == dissect.Text:
			i.text(" ")
			i.printable(i.bytes(c))
		case f == &position:
			i.text(" at")
			for axis := c + 1; axis < int(node.End); axis++ {
				i.text(" ")
				i.dst = strconv.AppendFloat(i.dst, float64(i.t.Nodes[axis].Float()), 'f', -1, 32)
			}
		case update:
			i.text(" ")
			i.text(f.Key)
		case f == &entityLong, f == &entityDPID, f == &varIndex, f == &stringIndex, f == &soundIndex, f == &functionIndex:
			i.number(node)
		}
	}
}

func (i *infoAppender) number(n *dissect.Node) {
	i.text(" ")
	i.dst = strconv.AppendInt(i.dst, n.Int(), 10)
}

func (i *infoAppender) printable(b []byte) { i.dst = append(i.dst, bytes.TrimSpace(b)...) }

func (i *infoAppender) discovery(n int) {
	if q := i.t.Child(n, &queryField); q >= 0 {
		i.text("discovery query")
	}
	r := i.t.Child(n, &responseField)
	if r < 0 {
		return
	}
	i.text("discovery response")
	if name := i.t.Child(r, &sessionName); name >= 0 {
		i.text(" ")
		i.dst = append(i.dst, i.bytes(name)...)
	}
}

func (i *infoAppender) control(n int) {
	i.text(i.t.Nodes[n].Field.Key)
	if next := i.t.Child(n, &nextExpected); next >= 0 {
		i.text(", expects ")
		i.count(int(i.t.Nodes[next].Uint()))
	}
}

func (i *infoAppender) data(n int) {
	if i.t.Child(n, &frameDuplicate) >= 0 {
		i.text("[duplicate] ")
	}
	i.text("data")
	if s := i.t.Child(n, &frameSequence); s >= 0 {
		i.text(" ")
		i.count(int(i.t.Nodes[s].Uint()))
	}
	switch {
	case i.t.Child(n, &sessionID) >= 0:
		i.text(": keep-alive")
	case i.t.Child(n, &partsField) >= 0:
		i.text(": ")
		i.count(i.t.Len(i.t.Child(n, &partsField)))
		i.text(" messages")
	case i.t.Child(n, &coreField) >= 0:
		i.core(i.t.Child(n, &coreField))
	case i.t.Child(n, &coreJoined) >= 0:
		i.core(i.t.Child(n, &coreJoined))
	case i.ends(n):
		i.text(": end of the stream")
	default:
		if size := i.t.Child(n, &framePayloadSize); size >= 0 {
			i.text(": ")
			i.size(int(i.t.Nodes[size].Uint()))
			if c := i.t.Child(n, &frameCommand); c >= 0 && i.t.Nodes[c].Uint()&commandWhole != commandWhole {
				i.text(" of a message")
			}
		}
	}
	if i.t.Child(n, &frameReassembled) >= 0 {
		i.text(", which is complete")
	}
}

// ends reports whether a data frame has nothing but the end of its side's stream.
func (i *infoAppender) ends(n int) bool {
	control, size := i.t.Child(n, &frameControl), i.t.Child(n, &framePayloadSize)
	return control >= 0 && i.t.Nodes[control].Uint()&controlEnd != 0 && size >= 0 && i.t.Nodes[size].Uint() == 0
}

// core tells a core message by its name.
func (i *infoAppender) core(n int) {
	i.text(": ")
	kind := i.t.Child(n, &coreType)
	if kind < 0 {
		i.text("core message")
		return
	}
	v := i.t.Nodes[kind].Uint()
	if m := coreOf(v); m != nil {
		i.text(m.field.Key)
		body := i.t.Child(n, &m.field)
		for _, f := range [...]*dissect.Field{&placeSession.content, &placeName.content, &coreResultName} {
			if body < 0 {
				break
			}
			if c := i.t.Child(body, f); c >= 0 {
				i.text(" ")
				i.printable(i.bytes(c))
			}
		}
		return
	}
	i.text("core message 0x")
	i.dst = strconv.AppendUint(i.dst, v, 16)
}

// command tells a command of ENet.
func (i *infoAppender) command(n int) {
	f := i.t.Nodes[n].Field
	if i.t.Child(n, &enetDuplicate) >= 0 {
		i.text("[duplicate] ")
	}
	i.text(f.Key)
	tell := func(before string, f *dissect.Field) {
		if c := i.t.Child(n, f); c >= 0 {
			i.text(before)
			i.count(int(i.t.Nodes[c].Uint()))
		}
	}
	tell(" ", enetGotSequence)
	tell(" ", enetNumberField)
	tell(" of ", enetCount)
	if c := i.t.Child(n, &enetData); c >= 0 && i.t.Child(n, enetLength) < 0 {
		i.text(": ")
		i.size(len(i.bytes(c)))
	}
	if c := i.t.Child(n, enetLength); c >= 0 {
		i.text(": ")
		i.size(int(i.t.Nodes[c].Uint()))
	}
}
