package bots

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
)

var (
	number  = dissect.Field{Key: "client_num", Kind: dissect.Uint}
	bot     = dissect.Field{Key: "bot", Kind: dissect.Bool}
	player  = dissect.Field{Kind: dissect.Object, Children: []*dissect.Field{&number, &bot}}
	client  = dissect.Field{Key: "client", Kind: dissect.Object, Children: []*dissect.Field{&number}}
	players = dissect.Field{Key: "players", Kind: dissect.List, Children: []*dissect.Field{&player}}
)

// TestIn: the mark of who connects is the event's, that of who is there when the map begins the player's.
func TestIn(t *testing.T) {
	t.Parallel()
	connects := func(n uint64, marked bool) func(*dissect.Tree) {
		return func(tree *dissect.Tree) {
			tree.Open(&client, 0)
			tree.Add(&number, n, 0, 0)
			tree.Close(0)
			if marked {
				tree.AddBool(&bot, true, 0, 0)
			}
		}
	}
	for _, tt := range []struct {
		name, kind string
		add        func(*dissect.Tree)
		want       map[int64]bool
	}{
		{"a bot connects", event.Connect, connects(3, true), map[int64]bool{3: true}},
		{"a person takes the number", event.Connect, connects(3, false), map[int64]bool{3: false}},
		{"another event says nothing", event.Enter, connects(3, false), map[int64]bool{}},
		{"a map begins", event.MapStart, func(tree *dissect.Tree) {
			tree.Open(&players, 0)
			for n, marked := range []bool{false, true} {
				tree.Open(&player, 0)
				tree.Add(&number, uint64(n), 0, 0)
				if marked {
					tree.AddBool(&bot, true, 0, 0)
				}
				tree.Close(0)
			}
			tree.Open(&player, 0) // whose number is not known
			tree.Close(0)
			tree.Close(0)
		}, map[int64]bool{0: false, 1: true}},
	} {
		var tree dissect.Tree
		tree.AddLabel(&dissect.EventKind, tt.kind, 0, 0)
		tt.add(&tree)
		if diff := cmp.Diff(tt.want, maps.Collect(In(tree.Top()))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
