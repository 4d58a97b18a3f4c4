package dissect

// SecretMask is what views write for a password or key. It has the same length for each of them.
const SecretMask = "********"

// A Secret is a part of a text in a Record's tree that views mask: a password or a CD key. The whole value
// of a node whose Field is Secret needs none.
type Secret struct {
	Node     int // index in Tree.Nodes of a Text or Info node
	From, To int // bytes of its value
}

// A SecretSource is a Protocol with texts that hold passwords or keys among other things: commands and
// infostrings.
type SecretSource interface {
	Protocol
	// AppendSecrets appends the secrets of a finished record, by node and then by place; they do not
	// overlap.
	AppendSecrets(dst []Secret, rec *Record) []Secret
}
