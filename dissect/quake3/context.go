package quake3

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

// Carries reports whether a record is a part of a handshake, a gamestate, or brings a reliable command: keys and
// states of later messages are made of these. Snapshots that others are deltas of do not count: almost all are.
func (Protocol) Carries(rec *dissect.Record) bool {
	nodes := rec.Tree.Nodes
	for i := range nodes {
		switch nodes[i].Field {
		case &oob.Field, &gamestateField:
			return true
		case &clientCommandField, &serverCommandField:
			if rec.Tree.Child(i, &commandRepeat) < 0 {
				return true
			}
		}
	}
	return false
}

// AppendParts appends the frames of the fragments that a record's message was made of.
func (Protocol) AppendParts(dst []uint64, rec *dissect.Record) []uint64 {
	for i := range rec.Tree.Nodes {
		if rec.Tree.Nodes[i].Field != &netchanReassembled {
			continue
		}
		for c := range rec.Tree.Children(i) {
			dst = append(dst, rec.Tree.Nodes[c].Uint())
		}
		break
	}
	return dst
}
