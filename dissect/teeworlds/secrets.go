package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

// appendSecrets finds the secrets in commands: words of chat and rcon, arguments in a teehistorian file.
func appendSecrets(dst []dissect.Secret, rec *dissect.Record) []dissect.Secret {
	if rec.Recorded() {
		if teehistorian.Recorded(rec.Hint) {
			dst = teehistorian.AppendSecrets(dst, rec)
		}
		return dst
	}
	t := rec.Tree
	for i := range t.Nodes {
		if words := tables.SecretWords(t.Nodes[i].Field); words != nil {
			tables.EachSecret(t.Bytes(&t.Nodes[i]), words, func(from, to int) {
				dst = append(dst, dissect.Secret{Node: i, From: from, To: to})
			})
		}
	}
	return dst
}
