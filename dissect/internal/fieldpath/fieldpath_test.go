package fieldpath

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

func TestCompile(t *testing.T) {
	t.Parallel()
	weapon := &dissect.Field{Key: "weapon", Kind: dissect.Uint, Enum: &dissect.Enum{Tables: [][]string{{"none"}}}}
	flags := &dissect.Field{
		Key: "flags", Kind: dissect.Uint,
		Enum: &dissect.Enum{Mask: true, Tables: [][]string{{"dead"}}},
	}
	words := &dissect.Field{Key: "words", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Text}}}
	stats := &dissect.Field{Key: "stats", Kind: dissect.Sparse, Children: []*dissect.Field{{Kind: dissect.Int}}}
	info := &dissect.Field{Key: "info", Kind: dissect.Info}
	entities := &dissect.Field{
		Key: "entities", Kind: dissect.List,
		Children: []*dissect.Field{{Kind: dissect.Object, Children: []*dissect.Field{weapon, flags}}},
	}
	roots := []*dissect.Field{{
		Key: "game", Kind: dissect.Object,
		Children: []*dissect.Field{entities, words, stats, info},
	}}
	for _, tt := range []struct {
		name   string
		keys   string // "": no field
		aspect Aspect
		key    string
	}{
		{"game", "game", Itself, ""},
		{"game.entities.weapon", "game entities weapon", Itself, ""},
		{"game.entities.weapon_name", "game entities weapon", Name, ""},
		{"game.entities.weapon_names", "", Itself, ""},
		{"game.entities.flags_names", "game entities flags", BitNames, ""},
		{"game.entities.flags_name", "", Itself, ""},
		{"game.words_raw", "game words", RawBytes, ""},
		{"game.info_raw", "game info", RawBytes, ""},
		{"game.stats_raw", "", Itself, ""},
		{"game.stats.7", "game stats 7", Itself, ""},
		{"game.stats.*", "game stats *", Itself, ""},
		{"game.stats.x", "", Itself, ""},
		{"game.info.sv_hostname", "game info", InfoValue, "sv_hostname"},
		{"game.info.a.b", "game info", InfoValue, "a.b"},
		{"game.info.*", "game info", InfoValue, "*"},
		{"game.info.", "game info", InfoValue, ""},
		{"game.", "", Itself, ""},
		{"game.other", "", Itself, ""},
		{"other.info.x", "", Itself, ""},
		{"", "", Itself, ""},
		{".", "", Itself, ""},
	} {
		p, ok := Compile(tt.name, roots)
		if ok != (tt.keys != "") || ok && (strings.Join(p.Keys, " ") != tt.keys || p.Aspect != tt.aspect || p.Key != tt.key ||
			len(p.Fields) == 0) {
			t.Errorf("%q: %v, keys %q, aspect %d of key %q", tt.name, ok, p.Keys, p.Aspect, p.Key)
		}
	}
}
