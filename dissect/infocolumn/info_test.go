package infocolumn

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

var (
	nextField = dissect.Field{Key: "next", Kind: dissect.Uint}
	rootField = dissect.Field{Kind: dissect.Object, Children: []*dissect.Field{&nextField}}
)

func TestInfo(t *testing.T) {
	t.Parallel()
	tree := new(dissect.Tree)
	tree.Open(&rootField, 0)
	tree.Add(&nextField, 7, 0, 0)
	tree.Close(0)
	i := NewInfo([]byte("> "), tree)
	if i.Next(); !i.Empty() {
		t.Errorf("%q before anything was said", i.Dst)
	}
	i.Count(1, "tree")
	i.Next()
	i.Count(int(i.Value(i.Tree.Child(0, &nextField))), "branch", "branches")
	i.Unread(&dissect.Record{Experts: []dissect.Expert{
		{Severity: dissect.Note, Code: "odd"}, {Severity: dissect.Warning, Code: "lost"}, {Severity: dissect.Fault, Code: "broken"},
	}})
	if want := "> 1 tree; 7 branches [lost]"; string(i.Dst) != want || i.Empty() {
		t.Errorf("%q, want %q", i.Dst, want)
	}
	refused := &dissect.Record{Experts: []dissect.Expert{{Severity: dissect.Warning, Code: "lost"}}}
	refused.Refuse(nil, "nobody asked for it")
	i.Unread(refused)
	if want := "> 1 tree; 7 branches [lost] [not_accepted]"; string(i.Dst) != want {
		t.Errorf("%q, want %q", i.Dst, want)
	}
}
