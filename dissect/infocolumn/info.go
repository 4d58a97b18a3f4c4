// Package infocolumn writes the last column of the list, a record's content in words, for all protocols.
package infocolumn

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// An Info describes a record's content in the last column of the list. It appends to Dst, one item after the
// other.
type Info struct {
	Tree  *dissect.Tree
	Dst   []byte
	start int
}

// NewInfo begins the description of a tree.
func NewInfo(dst []byte, t *dissect.Tree) Info { return Info{Tree: t, Dst: dst, start: len(dst)} }

// Empty reports whether nothing was added so far.
func (i *Info) Empty() bool { return len(i.Dst) == i.start }

// Next adds a separator unless the description is still empty.
func (i *Info) Next() {
	if !i.Empty() {
		i.Dst = append(i.Dst, "; "...)
	}
}

// Add adds words.
func (i *Info) Add(words string) { i.Dst = append(i.Dst, words...) }

// Number adds a number.
func (i *Info) Number(n int64) { i.Dst = strconv.AppendInt(i.Dst, n, 10) }

// Count adds a number and its noun: "3 items". The plural is the noun with an s, unless it is given.
func (i *Info) Count(n int, noun string, plural ...string) {
	i.Number(int64(n))
	i.Add(" ")
	switch {
	case n == 1:
		i.Add(noun)
	case len(plural) > 0:
		i.Add(plural[0])
	default:
		i.Add(noun)
		i.Add("s")
	}
}

// Value returns the value of the node at an index.
func (i *Info) Value(node int) int64 { return i.Tree.Nodes[node].Int() }

// Unread adds, in brackets, the code of the first expert entry that is a warning or worse: a part of the record
// could not be decoded. That its receiver would not act on the datagram comes before all others.
func (i *Info) Unread(rec *dissect.Record) {
	for _, e := range rec.Experts {
		if e.Severity >= dissect.Warning && (!rec.Refused || e.Code == dissect.ExpertNotAccepted) {
			i.Add(" [")
			i.Add(e.Code)
			i.Add("]")
			return
		}
	}
}

// End returns the finished line. It mentions a part that could not be decoded, and a record that has nothing to
// describe.
func (i *Info) End(rec *dissect.Record) []byte {
	if i.Empty() {
		i.Add("nothing")
	}
	i.Unread(rec)
	return i.Dst
}

// Bytes returns the bytes of the node at an index.
func (i *Info) Bytes(node int) []byte { return i.Tree.Bytes(&i.Tree.Nodes[node]) }

// Size adds a number of bytes.
func (i *Info) Size(n int) { i.Count(n, "byte") }

// Printable adds a text without the space around it.
func (i *Info) Printable(b []byte) { i.Dst = append(i.Dst, bytes.TrimSpace(b)...) }

// List adds the first elements of a list, each by describe, and how many more there are.
func (i *Info) List(list, first int, describe func(node int)) {
	count := 0
	for n, end := list+1, int(i.Tree.Nodes[list].End); n < end; n = int(i.Tree.Nodes[n].End) {
		if count < first {
			i.Next()
			describe(n)
		}
		count++
	}
	if count > first {
		i.Add("; ")
		i.Number(int64(count - first))
		i.Add(" more")
	}
}
