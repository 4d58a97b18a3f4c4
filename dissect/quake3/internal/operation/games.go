package operation

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

// Operations of the games made from Quake III.
var (
	SetGame = dissect.Field{
		Key: "setgame", Name: "svc_setgame", Kind: dissect.Object,
		Source:   "CL_ParseSetGame, codemp/client/cl_parse.cpp of OpenJK",
		Doc:      "folder of the mod that the server runs (Jedi Academy), once before the first snapshot",
		Children: []*dissect.Field{&setGameText, &dissect.Undecoded}, Frame: textFrame,
	}
	setGameText = dissect.Field{
		Key: "game", Kind: dissect.Text, Source: "CL_ParseSetGame, codemp/client/cl_parse.cpp of OpenJK",
		Doc: "fs_game; empty for the base game",
	}
	MapChange = dissect.Field{
		Key: "mapchange", Name: "svc_mapchange", Kind: dissect.Object,
		Source: "SV_SendClientMapChange, codemp/server/sv_client.cpp of OpenJK",
		Doc:    "the map is about to change (Jedi Outcast and Academy)", Frame: opFrame,
	}
	Binary = dissect.Field{
		Key: "binary", Kind: dissect.Hex, Source: "CL_ParseBinaryMessage, src/client/cl_net_chan.c of ET: Legacy",
		Doc: "bytes after the end of the message that the game's module sends, without Huffman code (Enemy Territory)",
	}
)

// Fields of the data of a random map, which end a gamestate of Jedi Academy.
var (
	RandomMap = dissect.Field{
		Key: "random_map", Kind: dissect.Object, Source: randomMapSource,
		Doc: "data of the random map generator (Jedi Academy)",
		Children: []*dissect.Field{
			&randomMapSize, &randomMapPacked, &randomMapHeights, &randomMapFlatSize, &randomMapFlatPacked,
			&randomMapFlat, &randomMapSeed, &randomMapSymbolCount, &randomMapSymbols, &dissect.Undecoded,
		},
	}
	randomMapSize = dissect.Field{
		Key: "size", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: randomMapSource,
		Doc: "size of the height map; 0: nothing more",
	}
	randomMapPacked     = dissect.Field{Key: "packed", Kind: dissect.Bool, Bits: 1, Source: randomMapSource, Doc: "the height map is a zlib stream"}
	randomMapHeights    = dissect.Field{Key: "height_map", Kind: dissect.Hex, Source: randomMapSource, Doc: "the height map"}
	randomMapFlatSize   = dissect.Field{Key: "flatten_size", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: randomMapSource, Doc: "size of the flatten map"}
	randomMapFlatPacked = dissect.Field{Key: "flatten_packed", Kind: dissect.Bool, Bits: 1, Source: randomMapSource, Doc: "the flatten map is a zlib stream"}
	randomMapFlat       = dissect.Field{Key: "flatten_map", Kind: dissect.Hex, Source: randomMapSource, Doc: "the flatten map"}
	randomMapSeed       = dissect.Field{Key: "seed", Kind: dissect.Int, Bits: 32, Source: randomMapSource, Doc: "seed of the generator"}

	randomMapSymbolCount = dissect.Field{Key: "symbol_count", Kind: dissect.Uint, Bits: 16, Source: randomMapSource, Doc: "symbols of the automap"}
	randomMapSymbols     = dissect.Field{
		Key: "symbols", Kind: dissect.List, Source: randomMapSource, Doc: "symbols of the automap",
		Children: []*dissect.Field{&randomMapSymbol},
	}
	randomMapSymbol = dissect.Field{
		Kind: dissect.Object, Source: randomMapSource, Doc: "a symbol of the automap",
		Children: []*dissect.Field{&symbolType, &symbolSide, &symbolX, &symbolY, &dissect.Undecoded},
	}
	symbolType = dissect.Field{Key: "type", Kind: dissect.Uint, Bits: 8, Source: randomMapSource, Doc: "kind of symbol"}
	symbolSide = dissect.Field{Key: "side", Kind: dissect.Uint, Bits: 8, Source: randomMapSource, Doc: "whose it is"}
	symbolX    = dissect.Field{Key: "x", Kind: dissect.Int, Bits: 32, Source: randomMapSource, Doc: "place on the map"}
	symbolY    = dissect.Field{Key: "y", Kind: dissect.Int, Bits: 32, Source: randomMapSource, Doc: "place on the map"}
)

const (
	randomMapSource   = "CL_ParseRMG, codemp/client/cl_parse.cpp of the released Jedi Academy"
	maxAutomapSymbols = 512
)

// ReadRandomMap reads the end of a gamestate of Jedi Academy. Bytes are read into text, which is returned.
func ReadRandomMap(d *decode.Decoder, text []byte) []byte {
	if d.Failed() {
		return text
	}
	d.Enter(&RandomMap)
	defer d.Leave()
	size := d.Uint(&randomMapSize)
	if size == 0 || d.Failed() {
		return text
	}
	d.Bool(&randomMapPacked)
	text = d.Hex(&randomMapHeights, int(size), text)
	size = d.Uint(&randomMapFlatSize)
	d.Bool(&randomMapFlatPacked)
	text = d.Hex(&randomMapFlat, int(size), text)
	d.Int(&randomMapSeed)
	at := d.Pos()
	count := int(d.Uint(&randomMapSymbolCount))
	if !d.Failed() && count > maxAutomapSymbols {
		d.Malformed(&randomMapSymbolCount, at, "%d symbols of the automap, there are at most %d", count, maxAutomapSymbols)
	}
	d.Enter(&randomMapSymbols)
	defer d.Leave()
	for ; count > 0 && !d.Failed(); count-- {
		d.Enter(&randomMapSymbol)
		d.Uint(&symbolType)
		d.Uint(&symbolSide)
		d.Int(&symbolX)
		d.Int(&symbolY)
		d.Leave()
	}
	return text
}

// ReadSetGame reads svc_setgame: characters up to a zero, as they are.
func ReadSetGame(d *decode.Decoder, at int, text []byte) []byte {
	d.EnterOp(&SetGame, at)
	defer d.Leave()
	return d.Text(&setGameText, text)
}
