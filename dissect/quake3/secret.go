package quake3

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/secret"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// AppendSecrets finds passwords and CD keys in commands, infostrings and the words of rcon. If the end of
// rcon's password is not known, all words after rcon count.
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
	done int // index of the first node after those masked entirely
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
	command, start := oob.KnownCommand(f.t, object)
	for i, end := object+1, int(f.t.Nodes[object].End); i < end; i = int(f.t.Nodes[i].End) {
		switch n := &f.t.Nodes[i]; {
		case n.Field == &oob.CommandField:
		case command < 0:
			f.whole(i, int(n.End))
		case i == command:
			if start > 0 {
				f.dst = append(f.dst, dissect.Secret{Node: i, To: start})
			}
			f.spans(i, start, secret.AppendSpans(nil, f.t.Bytes(n)[start:]))
			f.done = max(f.done, i+1)
		case n.Field == &oob.ArgumentsField:
			f.arguments(i, f.t.Bytes(&f.t.Nodes[command])[start:])
		}
	}
}

// arguments masks the words of an rcon whose console command is known: the password, and the others if the
// command contains a secret itself.
func (f *secretFinder) arguments(list int, command []byte) {
	end := list + 2
	if len(secret.AppendSpans(nil, command)) > 0 {
		end = int(f.t.Nodes[list].End)
	}
	f.whole(list+1, min(end, int(f.t.Nodes[list].End)))
}

// spans masks parts of a text node, which begin at an offset.
func (f *secretFinder) spans(node, offset int, spans []secret.Span) {
	for _, s := range spans {
		f.dst = append(f.dst, dissect.Secret{Node: node, From: offset + s.From, To: offset + s.To})
	}
}

// command masks everything after the first word of a reliable command that carries a password.
func (f *secretFinder) command(object int) {
	name := f.t.Child(object, &commandName)
	text := f.t.Child(object, &commandText)
	if name < 0 || text < 0 || !token.IsSecretCommand(f.t.Bytes(&f.t.Nodes[name])) {
		return
	}
	f.spans(text, 0, secret.AppendSpans(nil, f.t.Bytes(&f.t.Nodes[text])))
	f.done = max(f.done, name+1)
	if list := f.t.Child(object, &commandArguments); list >= 0 {
		f.whole(list+1, int(f.t.Nodes[list].End))
	}
}

func (f *secretFinder) size(node int) int { return len(f.t.Bytes(&f.t.Nodes[node])) }

// infostring masks what follows a secret key in a text that is an infostring or holds one between quotes.
func (f *secretFinder) infostring(node int) {
	ends := "\\"
	if f.t.Nodes[node].Field.Kind == dissect.Text {
		ends = "\\\"\n"
	}
	f.spans(node, 0, secret.AppendInfoSpans(nil, f.t.Bytes(&f.t.Nodes[node]), ends))
}
