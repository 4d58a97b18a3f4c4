package quake3

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// AppendInfo appends the list's last column: what a person wants to know of the record.
func (Protocol) AppendInfo(dst []byte, rec *dissect.Record) []byte {
	t := rec.Tree
	if len(t.Nodes) == 0 {
		return dst
	}
	if oob := t.Child(0, &oobField); oob >= 0 {
		return appendOOBInfo(dst, t, oob)
	}
	netchan := t.Child(0, &netchanField)
	start := len(dst)
	if netchan >= 0 {
		switch {
		case t.Child(netchan, &netchanDuplicate) >= 0:
			dst = append(dst, "[duplicate] "...)
		case t.Child(netchan, &netchanLate) >= 0:
			dst = append(dst, "[late] "...)
		}
	}
	i := infoAppender{t: t, dst: dst}
	i.start = len(dst)
	switch {
	case t.Child(0, &serverMessageField) >= 0:
		i.message(t.Child(0, &serverMessageField), &serverOpsField)
	case t.Child(0, &clientMessageField) >= 0:
		i.message(t.Child(0, &clientMessageField), &clientOpsField)
	case netchan >= 0:
		i.fragment(netchan)
	}
	if i.dst = i.unread(rec, i.dst); len(i.dst) == start {
		i.dst = append(i.dst, "nothing"...)
	}
	return i.dst
}

// An infoAppender tells a message's operations one after the other.
type infoAppender struct {
	t     *dissect.Tree
	dst   []byte
	start int
}

// next separates what comes from what was said.
func (i *infoAppender) next() {
	if len(i.dst) > i.start {
		i.dst = append(i.dst, "; "...)
	}
}

func (i *infoAppender) text(s string)      { i.dst = append(i.dst, s...) }
func (i *infoAppender) number(n int64)     { i.dst = strconv.AppendInt(i.dst, n, 10) }
func (i *infoAppender) count(n int)        { i.number(int64(n)) }
func (i *infoAppender) value(n int) int64  { return i.t.Nodes[n].Int() }
func (i *infoAppender) bytes(n int) []byte { return i.t.Bytes(&i.t.Nodes[n]) }

// child gives the number of a child field, or 0.
func (i *infoAppender) child(node int, f *dissect.Field) int64 {
	if n := i.t.Child(node, f); n >= 0 {
		return i.value(n)
	}
	return 0
}

func (i *infoAppender) message(message int, list *dissect.Field) {
	ops := i.t.Child(message, list)
	if ops < 0 {
		return
	}
	repeated := 0
	for n, end := ops+1, int(i.t.Nodes[ops].End); n < end; n = int(i.t.Nodes[n].End) {
		switch i.t.Nodes[n].Field {
		case &serverCommandField, &clientCommandField:
			if i.t.Child(n, &commandRepeat) >= 0 {
				repeated++
				continue
			}
			i.command(n)
		case &gamestateField:
			i.gamestate(n)
		case &snapshotField:
			i.snapshot(n)
		case &downloadField:
			i.download(n)
		case &moveField, &moveNoDeltaField:
			i.move(n)
		case &serverVoipField, &clientVoipField:
			i.voip(n)
		}
	}
	if len(i.dst) > i.start {
		return
	}
	if repeated > 0 {
		i.count(repeated)
		i.plural(repeated, " repeated command", " repeated commands")
		return
	}
	i.text("acknowledge ")
	i.number(i.child(message, &reliableAcknowledge))
}

// command tells a reliable command; a userinfo by the name in it, since it may hold a password.
func (i *infoAppender) command(n int) {
	text := i.t.Child(n, &commandText)
	if text < 0 {
		return
	}
	i.next()
	if info := i.t.Child(n, &userinfoField); info >= 0 {
		i.text("userinfo ")
		i.dst = append(i.dst, dissect.InfoValue(i.bytes(info), "name")...)
		return
	}
	i.dst = append(i.dst, bytes.TrimRight(i.bytes(text), "\n")...)
}

func (i *infoAppender) gamestate(n int) {
	i.next()
	i.text("gamestate")
	configstrings, baselines := 0, 0
	if list := i.t.Child(n, &configstringsField); list >= 0 {
		configstrings = i.t.Len(list)
		if first := list + 1; configstrings > 0 && i.child(first, &configstringIndex) == csServerinfo {
			if value := i.t.Child(first, &configstringValue); value >= 0 {
				i.text(" ")
				i.dst = append(i.dst, dissect.InfoValue(i.bytes(value), "mapname")...)
			}
		}
	}
	if list := i.t.Child(n, &baselinesField); list >= 0 {
		baselines = i.t.Len(list)
	}
	i.text(": ")
	i.count(configstrings)
	i.text(" configstrings, ")
	i.count(baselines)
	i.text(" baselines")
}

func (i *infoAppender) snapshot(n int) {
	i.next()
	i.text("snapshot")
	if i.t.Child(n, &snapDeltaNum) < 0 {
		return
	}
	i.text(" ")
	i.number(i.child(n, &snapServerTime))
	if delta := i.child(n, &snapDeltaNum); delta == 0 {
		i.text(" full")
	} else {
		i.text(" Δ")
		i.number(delta)
	}
	entities := 0
	if list := i.t.Child(n, &entitiesField); list >= 0 {
		entities = i.t.Len(list)
	}
	i.text(": ")
	i.count(entities)
	i.plural(entities, " entity", " entities")
}

func (i *infoAppender) plural(n int, one, many string) {
	if n == 1 {
		many = one
	}
	i.text(many)
}

func (i *infoAppender) download(n int) {
	i.next()
	i.text("download block ")
	i.number(i.child(n, &downloadBlock))
	if text := i.t.Child(n, &downloadError); text >= 0 {
		i.text(": ")
		i.dst = append(i.dst, i.bytes(text)...)
		return
	}
	i.text(": ")
	i.number(i.child(n, &downloadSize))
	i.text(" bytes")
	if size := i.t.Child(n, &downloadFileSize); size >= 0 {
		i.text(" of ")
		i.number(i.value(size))
	}
}

func (i *infoAppender) move(n int) {
	i.next()
	i.text("move ")
	count := i.child(n, &moveCount)
	i.number(count)
	i.plural(int(count), " cmd", " cmds")
}

func (i *infoAppender) voip(n int) {
	i.next()
	i.text("voip")
	if sender := i.t.Child(n, &voipSender); sender >= 0 {
		i.text(" from client ")
		i.number(i.value(sender))
	}
	i.text(": ")
	i.number(i.child(n, &voipFrames))
	i.text(" frames, ")
	i.number(i.child(n, &voipSize))
	i.text(" bytes")
}

// fragment tells a packet that completes no message.
func (i *infoAppender) fragment(n int) {
	place := i.t.Child(n, &netchanFragment)
	if place < 0 {
		i.text("message ")
		i.number(i.child(n, &netchanSequence))
		return
	}
	i.text("fragment of message ")
	i.number(i.child(n, &netchanSequence))
	i.text(": ")
	i.number(i.child(place, &fragmentLength))
	i.text(" bytes at ")
	i.number(i.child(place, &fragmentStart))
}

// unread says so when a part could not be decoded.
func (i *infoAppender) unread(rec *dissect.Record, dst []byte) []byte {
	for _, e := range rec.Experts {
		if e.Severity >= dissect.Warning {
			dst = append(dst, " ["...)
			dst = append(dst, e.Code...)
			return append(dst, ']')
		}
	}
	return dst
}
