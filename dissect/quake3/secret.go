package quake3

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// AppendSecrets finds passwords and CD keys in commands, infostrings and the words of rcon. All words after
// rcon count: the password may be unquoted and hold blanks, so that its end cannot be seen.
func (Protocol) AppendSecrets(dst []dissect.Secret, rec *dissect.Record) []dissect.Secret {
	f := secretFinder{t: rec.Tree, dst: dst}
	nodes := f.t.Nodes
	for i := range nodes {
		switch nodes[i].Field {
		case &oob.Field:
			f.oob(i)
		case &clientCommandField:
			f.command(i)
		}
		if kind := nodes[i].Field.Kind; kind == dissect.Info || kind == dissect.Text && i >= f.done {
			f.infostring(i)
		}
	}
	return f.dst
}

type secretFinder struct {
	t    *dissect.Tree
	dst  []dissect.Secret
	done int // index of the first node that was not masked whole
}

// whole masks the text nodes from <= i < to.
func (f *secretFinder) whole(from, to int) {
	for i := from; i < to; i++ {
		if n := &f.t.Nodes[i]; n.Field.Kind == dissect.Text && !n.Field.Secret && f.size(i) > 0 {
			f.dst = append(f.dst, dissect.Secret{Node: i, To: len(f.t.Bytes(n))})
		}
	}
	f.done = max(f.done, to)
}

// oob masks the words of commands that carry a password or key.
func (f *secretFinder) oob(object int) {
	if !oob.HasSecret(f.t, object) {
		return
	}
	for i, end := object+1, int(f.t.Nodes[object].End); i < end; i = int(f.t.Nodes[i].End) {
		if f.t.Nodes[i].Field != &oob.CommandField {
			f.whole(i, int(f.t.Nodes[i].End))
		}
	}
}

// command masks everything after the first word of a reliable command that carries a password.
func (f *secretFinder) command(object int) {
	name := f.t.Child(object, &commandName)
	text := f.t.Child(object, &commandText)
	if name < 0 || text < 0 || !token.IsSecretCommand(f.t.Bytes(&f.t.Nodes[name])) {
		return
	}
	b := f.t.Bytes(&f.t.Nodes[text])
	start := bytes.Index(b, f.t.Bytes(&f.t.Nodes[name])) + f.size(name)
	if start = min(start+1, len(b)); start < len(b) {
		f.dst = append(f.dst, dissect.Secret{Node: text, From: start, To: len(b)})
	}
	f.done = max(f.done, name+1)
	if list := f.t.Child(object, &commandArguments); list >= 0 {
		f.whole(list+1, int(f.t.Nodes[list].End))
	}
}

func (f *secretFinder) size(node int) int { return len(f.t.Bytes(&f.t.Nodes[node])) }

// infostring masks what follows a secret key in a text that is an infostring or holds one between quotes.
func (f *secretFinder) infostring(node int) {
	b, ends := f.t.Bytes(&f.t.Nodes[node]), "\\"
	if f.t.Nodes[node].Field.Kind == dissect.Text {
		ends = "\\\"\n"
	}
	for start := 0; ; {
		size := bytes.IndexByte(b[start:], '\\')
		if size < 0 {
			return
		}
		value := start + size + 1
		if token.IsSecretKey(b[start : value-1]) {
			end := len(b)
			if size := bytes.IndexAny(b[value:], ends); size >= 0 {
				end = value + size
			}
			if end > value {
				f.dst = append(f.dst, dissect.Secret{Node: node, From: value, To: end})
			}
		}
		start = value
	}
}
