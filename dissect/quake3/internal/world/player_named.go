package world

import (
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// persistantArray is the place of persistant in the arrays of the player state.
const persistantArray = 1

// persistantNamed has the elements of persistant under the names that their game gives them.
var persistantNamed = dissect.Field{
	Key: "persistant_by_name", Name: "PERS_*", Kind: dissect.Object, Aside: true,
	Doc: "the same values of persistant under the game's names: score, hits (that the shooter hears), damage (what OSP " +
		"and CPMA count there instead); absent where they have none",
	Source: "persEnum_t, code/game/bg_public.h",
}

// unusedPrefix begins the names of elements that a game has and does not use.
const unusedPrefix = "unused_"

// A namedArray has the fields of the elements of an array by their names.
type namedArray struct {
	all    []*dissect.Field                                // each name once
	fields [tables.NumFamilies][arrayLength]*dissect.Field // of each family; nil: the element has no name
}

var persistantFields = sync.OnceValue(func() *namedArray {
	n, byName := new(namedArray), map[string]*dissect.Field{}
	for family, names := range tables.PersistantNames.Tables {
		for i, name := range names {
			if name == "" || i >= arrayLength || strings.HasPrefix(name, unusedPrefix) {
				continue
			}
			f := byName[name]
			if f == nil {
				f = &dissect.Field{Key: name, Kind: dissect.Int, Bits: 16}
				byName[name], n.all = f, append(n.all, f)
			}
			n.fields[family][i] = f
		}
	}
	return n
})

// addPersistantNamed shows the elements of persistant that the tree has from a node on under their names.
func (r *Reader) addPersistantNamed(tree *dissect.Tree, from int) {
	array, element := &playerArrays[persistantArray], playerArrays[persistantArray].Children[0]
	for at := from; at < len(tree.Nodes); at = int(tree.Nodes[at].End) {
		if tree.Nodes[at].Field != array {
			continue
		}
		fields, open := &persistantFields().fields[*r.Family], false
		for i, end := at+1, int(tree.Nodes[at].End); i < end; i++ {
			n := tree.Nodes[i]
			if n.Field != element || fields[n.Index] == nil {
				continue
			}
			if !open {
				tree.Open(&persistantNamed, 0)
				open = true
			}
			tree.AddInt(fields[n.Index], n.Int(), 0, 0)
		}
		if open {
			tree.Close(0)
		}
		return
	}
}
