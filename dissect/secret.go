package dissect

// MaskSecrets replaces passwords and keys in the fields of a record by SecretMask, for forms whose readers do not
// expect them. It does nothing with ShowSecrets. The payload stays as it is.
func (r *Record) MaskSecrets() {
	if r.ShowSecrets || r.NoTree || r.Tree == nil {
		return
	}
	t := r.Tree
	secrets := r.AppendSecrets(nil)
	for len(secrets) > 0 {
		node, end := &t.Nodes[secrets[0].Node], 0
		from, text := len(t.bytes), t.Bytes(node)
		for i := secrets[0].Node; len(secrets) > 0 && secrets[0].Node == i; secrets = secrets[1:] {
			t.bytes = append(append(t.bytes, text[end:secrets[0].From]...), SecretMask...)
			end = secrets[0].To
		}
		t.bytes = append(t.bytes, text[end:]...)
		node.setBytes(from, len(t.bytes))
	}
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Field.Secret && n.Field.Kind.bytes() && len(t.Bytes(n)) > 0 {
			from := len(t.bytes)
			t.bytes = append(t.bytes, SecretMask...)
			n.setBytes(from, len(t.bytes))
		}
	}
}

// setBytes makes a part of the tree's bytes the node's value.
func (n *Node) setBytes(from, to int) { n.value = uint64(from)<<32 | uint64(to-from) }
