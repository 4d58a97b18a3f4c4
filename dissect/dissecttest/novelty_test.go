package dissecttest

import (
	"math"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

var (
	noveltyNumber = &dissect.Field{Key: "number", Kind: dissect.Int}
	noveltyFloat  = &dissect.Field{Key: "float", Kind: dissect.Float}
	noveltyText   = &dissect.Field{Key: "text", Kind: dissect.Text}
	noveltyInner  = &dissect.Field{Key: "inner", Kind: dissect.Object, Children: []*dissect.Field{noveltyNumber}}
	noveltyRoot   = &dissect.Field{
		Key: "root", Kind: dissect.Object,
		Children: []*dissect.Field{noveltyNumber, noveltyInner, noveltyText},
	}
)

// Of records that are alike the first few are new; one with another path, kind of value, attribute or expert is new
// again.
func TestNovelty(t *testing.T) {
	t.Parallel()
	var n Novelty
	add := func(fill func(rec *dissect.Record)) bool {
		rec := dissect.NewRecord()
		rec.Tree.Open(noveltyRoot, 0)
		fill(rec)
		rec.Tree.CloseAll(0)
		return n.Add(rec)
	}
	for _, row := range []struct {
		name string
		fill func(rec *dissect.Record)
	}{
		{"a number", func(rec *dissect.Record) { rec.Tree.Add(noveltyNumber, 1, 0, 8) }},
		{"a negative one", func(rec *dissect.Record) { rec.Tree.Add(noveltyNumber, math.MaxUint64, 0, 8) }},
		{"the same field elsewhere", func(rec *dissect.Record) {
			rec.Tree.Open(noveltyInner, 0)
			rec.Tree.Add(noveltyNumber, 1, 0, 8)
		}},
		{"an empty object", func(rec *dissect.Record) { rec.Tree.Open(noveltyInner, 0) }},
		{"a float", func(rec *dissect.Record) { rec.Tree.Add(noveltyFloat, 0, 0, 32) }},
		{"not a number", func(rec *dissect.Record) {
			rec.Tree.Add(noveltyFloat, uint64(math.Float32bits(float32(math.NaN()))), 0, 32)
		}},
		{"infinite", func(rec *dissect.Record) {
			rec.Tree.Add(noveltyFloat, uint64(math.Float32bits(float32(math.Inf(1)))), 0, 32)
		}},
		{"a text", func(rec *dissect.Record) { rec.Tree.AddBytes(noveltyText, []byte("a"), 0, 8) }},
		{"bytes that are not UTF-8", func(rec *dissect.Record) { rec.Tree.AddBytes(noveltyText, []byte{0xff}, 0, 8) }},
		{"a text with a quote", func(rec *dissect.Record) { rec.Tree.AddBytes(noveltyText, []byte(`"`), 0, 8) }},
		{"a direction", func(rec *dissect.Record) { rec.Direction = dissect.ServerToClient }},
		{"an expert", func(rec *dissect.Record) { rec.Expert(dissect.Fault, "odd", noveltyNumber, 0, "odd") }},
	} {
		var found []bool
		for range enough + 1 {
			found = append(found, add(row.fill))
		}
		for i, is := range found {
			if is != (i < enough) {
				t.Errorf("%s: new %v", row.name, found)
				break
			}
		}
	}
}
