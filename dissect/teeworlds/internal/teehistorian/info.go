package teehistorian

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/infocolumn"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// AppendInfo describes the record in i. node is the object of Field.
func AppendInfo(i *infocolumn.Info, rec *dissect.Record, node int) {
	v := infoView{i, rec}
	t := i.Tree
	tick, chunks := -1, -1
	for n, end := node+1, int(t.Nodes[node].End); n < end; n = int(t.Nodes[n].End) {
		switch t.Nodes[n].Field {
		case &headerField:
			v.header(n)
			return
		case &trailingField:
			i.Size(len(i.Bytes(n)))
			i.Add(" after the end mark")
			return
		case &tickField:
			tick = n
		case &chunksField:
			chunks = n
		}
	}
	v.tick(tick, chunks)
}

type infoView struct {
	*infocolumn.Info
	rec *dissect.Record
}

func (v *infoView) header(n int) {
	v.Add("teehistorian ")
	v.value(n, "version", "")
	v.value(n, "version_minor", ".")
	v.value(n, "map_name", " of ")
	v.value(n, "server_name", " on ")
	v.value(n, "server_version", ", ")
	v.value(n, "start_time", ", ")
}

// value adds a child's value after some words, if there is such a child. It reports whether there is.
func (v *infoView) value(parent int, key, before string) bool {
	n := v.Tree.Find(parent, key)
	if n < 0 {
		return false
	}
	v.Add(before)
	node := &v.Tree.Nodes[n]
	switch {
	case node.Field.Kind.Number():
		v.Number(node.Int())
	case node.Field.Kind == dissect.Bool && node.Bool():
		v.Add("on")
	case node.Field.Kind == dissect.Bool:
		v.Add("off")
	default:
		v.Dst = append(v.Dst, v.Bytes(n)...)
	}
	return true
}

// tick adds what happened in a tick. Movements and inputs, which nearly every tick has, are counted. tick and chunks
// are the nodes of its number and of its chunks, or -1.
func (v *infoView) tick(tick, chunks int) {
	t := v.Tree
	if tick >= 0 {
		v.Add("tick ")
		v.Number(v.Value(tick))
	}
	v.Add(":")
	moves, changed := 0, 0
	empty := len(v.Dst)
	first, end := 0, 0
	if chunks >= 0 {
		first, end = chunks+1, int(t.Nodes[chunks].End)
	}
	for n := first; n < end; n = int(t.Nodes[n].End) {
		switch f := t.Nodes[n].Field; f {
		case &chunkTable[0].field:
			moves++
		case &chunkTable[-chunkInputDiff].field, &chunkTable[-chunkInputNew].field:
			changed++
		case &chunkTable[-chunkTickSkip].field:
		default:
			v.item(len(v.Dst) == empty)
			v.chunk(n)
		}
	}
	if moves > 0 {
		v.item(len(v.Dst) == empty)
		v.Count(moves, "move")
	}
	if changed > 0 {
		v.item(len(v.Dst) == empty)
		v.Count(changed, "input")
	}
	if len(v.Dst) == empty {
		v.Add(" nothing")
	}
}

func (v *infoView) item(first bool) {
	if !first {
		v.Add(";")
	}
	v.Add(" ")
}

// infoKeys are the values of a chunk that follow its client and name.
var infoKeys = [...]string{"team", "practice", "name", "reason", "time_ticks", "ddnet_version"}

// chunk adds one chunk.
func (v *infoView) chunk(n int) {
	t := v.Tree
	switch f := t.Nodes[n].Field; f {
	case &chunkTable[-chunkConsoleCommand].field:
		v.command(n)
	case &chunkTable[-chunkMessage].field:
		v.message(n)
	default:
		v.Add(f.Key)
		for _, key := range [...]string{"client_id", "client_id1", "client_id2"} {
			v.value(n, key, " ")
		}
		for _, key := range infoKeys {
			v.value(n, key, " ")
		}
	}
}

// command adds a command. Only a client's number is shown of those who run commands.
func (v *infoView) command(n int) {
	t := v.Tree
	by := t.Child(n, &callerField)
	if by >= 0 && v.Value(by) >= 0 {
		v.Number(v.Value(by))
		v.Add(" ")
	}
	kind := "rcon "
	if flags := t.Child(n, &flagsField); flags >= 0 && v.Value(flags) == chatCommands {
		kind = "/"
	} else if by >= 0 && v.Value(by) < 0 {
		kind = "console "
	}
	v.Add(kind)
	name := t.Child(n, &commandField)
	if name < 0 {
		return
	}
	v.Dst = append(v.Dst, v.Bytes(name)...)
	hide := !v.rec.ShowSecrets && tables.IsSecretCommand(v.Bytes(name))
	for a := range t.Children(t.Child(n, &ArgumentsField)) {
		v.Add(" ")
		if hide {
			v.Add(dissect.SecretMask)
		} else {
			v.Dst = append(v.Dst, v.Bytes(a)...)
		}
	}
}

// chatCommands are the flags of a command that was typed into the chat: CFGFLAG_CHAT.
const chatCommands = 128

// message adds the client and the name of a message, and what somebody calls itself.
func (v *infoView) message(n int) {
	t := v.Tree
	v.value(n, "client_id", "")
	for c := range t.Children(n) {
		if f := t.Nodes[c].Field; f.Kind == dissect.Object {
			v.Add(" ")
			v.Add(f.Key)
			for _, key := range [...]string{"name", "team", "emoticon"} {
				v.value(c, key, " ")
			}
		}
	}
}

// AppendSecrets appends the arguments of commands that are secrets.
func AppendSecrets(dst []dissect.Secret, rec *dissect.Record) []dissect.Secret {
	t := rec.Tree
	for i := range t.Nodes {
		if t.Nodes[i].Field != &chunkTable[-chunkConsoleCommand].field {
			continue
		}
		name := t.Child(i, &commandField)
		if name < 0 || !tables.IsSecretCommand(t.Bytes(&t.Nodes[name])) {
			continue
		}
		for a := range t.Children(t.Child(i, &ArgumentsField)) {
			if n := len(t.Bytes(&t.Nodes[a])); n > 0 {
				dst = append(dst, dissect.Secret{Node: a, To: n})
			}
		}
	}
	return dst
}
