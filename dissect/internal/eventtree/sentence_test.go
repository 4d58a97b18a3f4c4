package eventtree

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
)

var (
	toolField = dissect.Field{Key: "tool", Kind: dissect.Uint, Enum: &dissect.Enum{Tables: [][]string{{"axe"}}}}
	nextField = dissect.Field{Key: "next", Kind: dissect.Uint, Enum: toolField.Enum}
	nameField = dissect.Field{Key: "name", Kind: dissect.Text}
	voidField = dissect.Field{Key: "void", Kind: dissect.Text}
	loudField = dissect.Field{Key: "loud", Kind: dissect.Bool}
	noneField = dissect.Field{Key: "none", Kind: dissect.Int}
	rootField = dissect.Field{
		Kind: dissect.Object,
		Children: []*dissect.Field{
			&dissect.EventKind, &toolField, &nextField, &nameField, &voidField,
			&loudField, &noneField,
		},
	}
)

// chop is an event with one field of each kind.
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

func TestSentence(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		want  string
		write func(*Sentence)
	}{
		{"chop", func(e *Sentence) { e.Add(string(e.Kind())) }},
		{" by Ann\nLee", func(e *Sentence) { e.Text(" by ", "name") }},
		{"", func(e *Sentence) { e.Text(" by ", "void") }}, // it is empty
		{" with axe", func(e *Sentence) { e.Named(" with ", "tool") }},
		{" then 7", func(e *Sentence) { e.Named(" then ", "next") }}, // a number without a name
		{" number 0", func(e *Sentence) { e.Number(" number ", "tool") }},
		{", loudly", func(e *Sentence) { e.Flag(", loudly", "loud") }},
		{"", func(e *Sentence) {
			e.Text(" by ", "none")
			e.Number(" number ", "none")
			e.Named(" with ", "none")
			e.Flag(", loudly", "none")
		}},
	} {
		e := NewSentence([]byte("> "), chop(), 0, &Language{})
		if tt.write(&e); string(e.Dst) != "> "+tt.want {
			t.Errorf("%q, want %q after what was there", e.Dst, tt.want)
		}
	}
}

// A sentence is written without allocating, as events are part of every record with them.
func TestSentencesDoNotAllocate(t *testing.T) {
	tree := new(dissect.Tree)
	kill := dissect.Field{Kind: dissect.Object}
	name := dissect.Field{Key: "name_clean", Kind: dissect.Text}
	player := func(key, called string) {
		f := Player(key, "", nil)
		tree.Open(&f, 0)
		tree.AddBytes(&name, []byte(called), 0, 0)
		tree.Close(0)
	}
	tree.Open(&kill, 0)
	tree.AddLabel(&dissect.EventKind, event.Kill, 0, 0)
	player("killer", "Ann")
	player("victim", "Lee")
	tree.Close(0)
	language := Language{Own: "somebody", Unknown: "somebody"}
	dst := make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() {
		s := NewSentence(dst[:0], tree, 0, &language)
		s.Write()
		dst = s.Dst
	}); n > 0 || string(dst) != "Ann killed Lee" {
		t.Errorf("%q with %v allocations", dst, n)
	}
}
