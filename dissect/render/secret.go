package render

import "github.com/q3dissect/q3dissect/dissect"

// A masker returns the texts of one record as a view shows them: passwords and keys replaced by
// dissect.SecretMask, unless Record.ShowSecrets is set.
type masker struct {
	show    bool
	secrets []dissect.Secret // in the order of the nodes
	buf     []byte
}

func newMasker(rec *dissect.Record) masker {
	m := masker{show: rec.ShowSecrets}
	if !m.show {
		m.secrets = rec.AppendSecrets(nil)
	}
	return m
}

// hides reports whether the whole value of a field is masked, if it is not empty.
func (m *masker) hides(f *dissect.Field) bool { return f.Secret && !m.show }

// text returns the bytes of a Text or Info node. It is called for the nodes in order; the result is valid
// until the next call.
func (m *masker) text(tree *dissect.Tree, node int) []byte {
	n := &tree.Nodes[node]
	b := tree.Bytes(n)
	if m.hides(n.Field) && len(b) > 0 {
		return []byte(dissect.SecretMask)
	}
	for len(m.secrets) > 0 && m.secrets[0].Node < node {
		m.secrets = m.secrets[1:]
	}
	if len(m.secrets) == 0 || m.secrets[0].Node > node {
		return b
	}
	m.buf = m.buf[:0]
	end := 0
	for _, s := range m.secrets {
		if s.Node != node {
			break
		}
		m.buf = append(append(m.buf, b[end:s.From]...), dissect.SecretMask...)
		end = s.To
	}
	return append(m.buf, b[end:]...)
}
