package directplay8

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/infocolumn"
)

// infoMessages is how many messages the list names one by one.
const infoMessages = 4

// appendInfo appends the list's last column: what the frame is.
func appendInfo(dst []byte, rec *dissect.Record) []byte {
	i := infoAppender{infocolumn.NewInfo(dst, rec.Tree)}
	root := i.Tree.Find(dissect.TopLevel, protocolName)
	if root < 0 {
		return i.End(rec)
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
	return i.End(rec)
}

// An infoAppender puts a record into a line.
type infoAppender struct{ infocolumn.Info }

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
		i.Dst = append(i.Dst, i.Bytes(name)...)
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
			i.Size(int(i.Tree.Nodes[size].Uint()))
			if c := i.Tree.Child(n, &frameCommand); c >= 0 && i.Tree.Nodes[c].Uint()&commandWhole != commandWhole {
				i.Add(" of a message")
			}
		}
	}
	if i.Tree.Child(n, &frameReassembled) >= 0 {
		i.Add(", which is complete")
	}
}

// parts appends how many messages a frame has, and the names of the first of DirectPlay's own among them.
func (i *infoAppender) parts(list int) {
	i.Add(": ")
	i.Count(i.Tree.Len(list), "message")
	shown := 0
	for n, end := list+1, int(i.Tree.Nodes[list].End); n < end && shown < infoMessages; n = int(i.Tree.Nodes[n].End) {
		core := i.Tree.Child(n, &coreField)
		if core < 0 {
			continue
		}
		if shown++; shown > 1 {
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

// core appends a core message by its name, and what it is about.
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
			i.Printable(i.Bytes(c))
		}
	}
}

// coreName appends the name of a core message, and returns what is known of the kind, or nil.
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
