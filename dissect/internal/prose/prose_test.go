package prose

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

var (
	toolField = dissect.Field{Key: "tool", Kind: dissect.Uint, Enum: &dissect.Enum{Tables: [][]string{{"axe"}}}}
	nextField = dissect.Field{Key: "next", Kind: dissect.Uint, Enum: toolField.Enum}
	nameField = dissect.Field{Key: "name", Kind: dissect.Text}
	voidField = dissect.Field{Key: "void", Kind: dissect.Text}
	loudField = dissect.Field{Key: "loud", Kind: dissect.Bool}
	noneField = dissect.Field{Key: "none", Kind: dissect.Int}
	rootField = dissect.Field{
		Kind:     dissect.Object,
		Children: []*dissect.Field{&dissect.EventKind, &toolField, &nextField, &nameField, &voidField, &loudField, &noneField},
	}
)

func chop() *dissect.Tree {
	t := new(dissect.Tree)
	t.Open(&rootField, 0)
	t.AddLabel(&dissect.EventKind, "chop", 0, 0)
	t.Add(&toolField, 0, 0, 0)
	t.Add(&nextField, 7, 0, 0)
	t.AddBytes(&nameField, []byte("Ann\nLee\n\n"), 0, 0)
	t.AddBytes(&voidField, nil, 0, 0)
	t.AddBool(&loudField, true, 0, 0)
	t.Close(0)
	return t
}

func TestEvent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		want string
		tell func(*Event)
	}{
		{"chop", func(e *Event) { e.Add(e.Kind()) }},
		{" by Ann\nLee", func(e *Event) { e.Text(" by ", &nameField) }},
		{"", func(e *Event) { e.Text(" by ", &voidField) }}, // it is there and says nothing
		{" with axe", func(e *Event) { e.Named(" with ", &toolField) }},
		{" then 7", func(e *Event) { e.Named(" then ", &nextField) }}, // a number without a name
		{" number 0", func(e *Event) { e.Number(" number ", &toolField) }},
		{", loudly", func(e *Event) { e.Flag(", loudly", &loudField) }},
		{"", func(e *Event) {
			e.Text(" by ", &noneField)
			e.Number(" number ", &noneField)
			e.Named(" with ", &noneField)
			e.Flag(", loudly", &noneField)
		}},
	} {
		e := NewEvent([]byte("> "), chop(), 0)
		if tt.tell(&e); string(e.Dst) != "> "+tt.want {
			t.Errorf("%q, want %q behind what was there", e.Dst, tt.want)
		}
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	i := NewInfo([]byte("> "), chop())
	if i.Next(); !i.Empty() {
		t.Errorf("%q before anything was said", i.Dst)
	}
	i.Count(1, " tree", " trees")
	i.Next()
	i.Count(int(i.Value(i.Tree.Child(0, &nextField))), " branch", " branches")
	i.Unread(&dissect.Record{Experts: []dissect.Expert{
		{Severity: dissect.Note, Code: "odd"}, {Severity: dissect.Warning, Code: "lost"}, {Severity: dissect.Fault, Code: "broken"},
	}})
	if want := "> 1 tree; 7 branches [lost]"; string(i.Dst) != want || i.Empty() {
		t.Errorf("%q, want %q", i.Dst, want)
	}
}
