package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/infocolumn"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gamespy"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/secret"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

// appendInfo appends the list's last column: a summary of the record.
func appendInfo(dst []byte, rec *dissect.Record) []byte {
	t := rec.Tree
	if len(t.Nodes) == 0 {
		return dst
	}
	netchan, message, list := -1, -1, &serverOpsField
	for n, end := 1, int(t.Nodes[0].End); n < end; n = int(t.Nodes[n].End) {
		switch t.Nodes[n].Field {
		case &oob.Field:
			dst = oob.AppendInfo(dst, t, n, rec.ShowSecrets)
			if rec.Refused {
				dst = append(dst, " ["+dissect.ExpertNotAccepted+"]"...)
			}
			return dst
		case &gamespy.Field:
			return gamespy.AppendInfo(dst, t, n, oob.AppendLine)
		case &netchanField:
			netchan = n
		case &serverMessageField:
			message = n
		case &clientMessageField:
			message, list = n, &clientOpsField
		}
	}
	start := len(dst)
	if netchan >= 0 {
		dst = appendArrival(dst, t, netchan)
	}
	i := infoAppender{infocolumn.NewInfo(dst, t), rec.ShowSecrets}
	switch {
	case message >= 0:
		i.message(message, list)
	case netchan >= 0:
		i.fragment(netchan)
	}
	if i.Unread(rec); len(i.Dst) == start {
		i.Add("nothing")
	}
	return i.Dst
}

// appendArrival marks a message that came twice, or after later ones.
func appendArrival(dst []byte, t *dissect.Tree, netchan int) []byte {
	for n, end := netchan+1, int(t.Nodes[netchan].End); n < end; n = int(t.Nodes[n].End) {
		switch t.Nodes[n].Field {
		case &netchanDuplicate:
			return append(dst, "[duplicate] "...)
		case &netchanLate:
			return append(dst, "[late] "...)
		}
	}
	return dst
}

// An infoAppender appends a message's operations one after the other.
type infoAppender struct {
	infocolumn.Info
	showSecrets bool
}

func (i *infoAppender) bytes(n int) []byte { return i.Tree.Bytes(&i.Tree.Nodes[n]) }

// child returns the number of a child field, or 0.
func (i *infoAppender) child(node int, f *dissect.Field) int64 {
	if n := i.Tree.Child(node, f); n >= 0 {
		return i.Value(n)
	}
	return 0
}

func (i *infoAppender) message(message int, list *dissect.Field) {
	ops := i.Tree.Child(message, list)
	if ops < 0 {
		return
	}
	repeated := 0
	for n, end := ops+1, int(i.Tree.Nodes[ops].End); n < end; n = int(i.Tree.Nodes[n].End) {
		switch i.Tree.Nodes[n].Field {
		case &serverCommandField, &clientCommandField:
			if i.Tree.Child(n, &commandRepeat) >= 0 {
				repeated++
				continue
			}
			i.command(n)
		case &gamestateField:
			i.gamestate(n)
		case &world.SnapshotField:
			i.snapshot(n)
		case &operation.DownloadField:
			i.download(n)
		case &operation.Move, &operation.MoveNoDelta:
			i.move(n)
		case &operation.ServerVoip, &operation.ClientVoip:
			i.voip(n)
		}
	}
	if !i.Empty() {
		return
	}
	if repeated > 0 {
		i.Count(repeated, "repeated command")
		return
	}
	i.Add("acknowledge ")
	i.Number(i.child(message, &reliableAcknowledge))
}

// command appends a reliable command; a userinfo by the name in it, since it may hold a password.
func (i *infoAppender) command(n int) {
	text := i.Tree.Child(n, &commandText)
	if text < 0 {
		return
	}
	i.Next()
	if info := i.Tree.Child(n, &userinfoField); info >= 0 {
		i.Add("userinfo ")
		i.Dst = append(i.Dst, dissect.InfoValue(i.bytes(info), "name")...)
		return
	}
	line := bytes.TrimRight(i.bytes(text), "\n")
	if !i.showSecrets {
		line = secret.Mask(line)
	}
	i.Dst = append(i.Dst, line...)
}

func (i *infoAppender) gamestate(n int) {
	i.Next()
	i.Add("gamestate")
	configstrings, baselines := 0, 0
	if list := i.Tree.Child(n, &configstringsField); list >= 0 {
		configstrings = i.Tree.Len(list)
		if first := list + 1; configstrings > 0 && i.child(first, &configstringIndex) == tables.ServerinfoIndex {
			if value := i.Tree.Child(first, &configstringValue); value >= 0 {
				i.Add(" ")
				i.Dst = append(i.Dst, dissect.InfoValue(i.bytes(value), "mapname")...)
			}
		}
	}
	if list := i.Tree.Child(n, &baselinesField); list >= 0 {
		baselines = i.Tree.Len(list)
	}
	i.Add(": ")
	i.Number(int64(configstrings))
	i.Add(" configstrings, ")
	i.Number(int64(baselines))
	i.Add(" baselines")
}

func (i *infoAppender) snapshot(n int) {
	i.Next()
	i.Add("snapshot")
	if i.Tree.Child(n, &world.SnapDeltaNum) < 0 {
		return
	}
	i.Add(" ")
	i.Number(i.child(n, &world.SnapServerTime))
	if delta := i.child(n, &world.SnapDeltaNum); delta == 0 {
		i.Add(" full")
	} else {
		i.Add(" Δ")
		i.Number(delta)
	}
	entities := 0
	if list := i.Tree.Child(n, &world.EntitiesField); list >= 0 {
		entities = i.Tree.Len(list)
	}
	i.Add(": ")
	i.Count(entities, "entity", "entities")
}

func (i *infoAppender) download(n int) {
	i.Next()
	i.Add("download block ")
	i.Number(i.child(n, &operation.DownloadBlock))
	if text := i.Tree.Child(n, &operation.DownloadError); text >= 0 {
		i.Add(": ")
		i.Dst = append(i.Dst, i.bytes(text)...)
		return
	}
	i.Add(": ")
	i.Number(i.child(n, &operation.DownloadSize))
	i.Add(" bytes")
	if size := i.Tree.Child(n, &operation.DownloadFileSize); size >= 0 {
		i.Add(" of ")
		i.Number(i.Value(size))
	}
}

func (i *infoAppender) move(n int) {
	i.Next()
	i.Add("move ")
	i.Count(int(i.child(n, &operation.MoveCount)), "cmd")
}

func (i *infoAppender) voip(n int) {
	i.Next()
	i.Add("voip")
	if sender := i.Tree.Child(n, &operation.VoipSender); sender >= 0 {
		i.Add(" from client ")
		i.Number(i.Value(sender))
	}
	i.Add(": ")
	i.Number(i.child(n, &operation.VoipFrames))
	i.Add(" frames, ")
	i.Number(i.child(n, &operation.VoipSize))
	i.Add(" bytes")
}

// fragment appends a packet that completes no message.
func (i *infoAppender) fragment(n int) {
	place := i.Tree.Child(n, &netchanFragment)
	if i.Tree.Child(n, &netchanHeader) >= 0 {
		i.Add("not read")
		return
	}
	if place < 0 {
		i.Add("message ")
		i.Number(i.child(n, &netchanSequence))
		return
	}
	i.Add("fragment of message ")
	i.Number(i.child(n, &netchanSequence))
	i.Add(": ")
	i.Number(i.child(place, &fragmentLength))
	i.Add(" bytes at ")
	i.Number(i.child(place, &fragmentStart))
}
