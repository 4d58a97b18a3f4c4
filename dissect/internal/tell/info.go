package tell

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// An Info puts what a record holds into words for the last column of the list: one thing after the other, which it
// appends to Dst.
type Info struct {
	Tree  *dissect.Tree
	Dst   []byte
	start int
}

// NewInfo begins the words about a tree.
func NewInfo(dst []byte, t *dissect.Tree) Info { return Info{Tree: t, Dst: dst, start: len(dst)} }

// Empty reports whether nothing was said so far.
func (i *Info) Empty() bool { return len(i.Dst) == i.start }

// Next separates what comes from what was said.
func (i *Info) Next() {
	if !i.Empty() {
		i.Dst = append(i.Dst, "; "...)
	}
}

// Add adds words.
func (i *Info) Add(words string) { i.Dst = append(i.Dst, words...) }

// Number adds a number.
func (i *Info) Number(n int64) { i.Dst = strconv.AppendInt(i.Dst, n, 10) }

// Count adds a number and what there are so many of.
func (i *Info) Count(n int, one, many string) {
	i.Number(int64(n))
	if n == 1 {
		many = one
	}
	i.Add(many)
}

// Value gives the value of the node at an index.
func (i *Info) Value(node int) int64 { return i.Tree.Nodes[node].Int() }

// Unread says so when a part of the record could not be decoded: the code of the first expert entry that is more than
// a note, in brackets.
func (i *Info) Unread(rec *dissect.Record) {
	for _, e := range rec.Experts {
		if e.Severity >= dissect.Warning {
			i.Add(" [")
			i.Add(e.Code)
			i.Add("]")
			return
		}
	}
}
