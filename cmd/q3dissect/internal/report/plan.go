package report

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// A plan is the map itself, behind the ways of the players.
type plan struct {
	Name  string     `json:"name"`
	Boxes [][4]int32 `json:"boxes"` // x, y, width, height in the game's units: what is solid
}

// What a map may have at most. Those that are played have less.
const (
	maxMapFile  = 64 << 20
	maxMapTiles = 16 << 20
	maxBoxes    = 200_000
)

var errNoMap = errors.New("is no map of Teeworlds")

// readPlan reads the file of --map.
func readPlan(name string) (*plan, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxMapFile))
	if err != nil {
		return nil, err
	}
	boxes, err := solidBoxes(b)
	if err != nil {
		return nil, err
	}
	return &plan{filepath.Base(name), boxes}, nil
}

// A data file of Teeworlds: src/engine/shared/datafile.cpp; what is in a map: src/game/mapitems.h.
const (
	mapHead          = 36
	mapLayer         = 5 // MAPITEMTYPE_LAYER
	mapTiles         = 2 // LAYERTYPE_TILES
	mapGameLayer     = 1 // TILESLAYERFLAG_GAME
	mapTileSize      = 32
	mapPackedVersion = 4 // from this version of a layer on, a tile says how often it is repeated
	tileSolid        = 1
	tileNoHook       = 3
)

// ints are the numbers of a data file, whose reading ends where it ends.
type ints []byte

func (b ints) at(byteOffset int) (int, bool) {
	if byteOffset < 0 || byteOffset+4 > len(b) {
		return 0, false
	}
	return int(int32(binary.LittleEndian.Uint32(b[byteOffset:]))), true
}

// A mapFile is where the parts of a data file lie, in bytes.
type mapFile struct {
	b                       ints
	version, numData        int
	itemOffsets, numItems   int
	dataOffsets, sizes      int
	items, itemSize, packed int
}

func openMap(b []byte) (m mapFile, err error) {
	m.b = b
	if len(b) < mapHead || string(b[:4]) != "DATA" {
		return m, errNoMap
	}
	var head [8]int
	for i := range head {
		head[i], _ = m.b.at(4 + 4*i)
	}
	types := head[3]
	m.version, m.numItems, m.numData, m.itemSize = head[0], head[4], head[5], head[6]
	for _, n := range [...]int{types, m.numItems, m.numData, m.itemSize} {
		if n < 0 || n > len(b) {
			return m, errNoMap
		}
	}
	m.itemOffsets = mapHead + 12*types
	m.dataOffsets = m.itemOffsets + 4*m.numItems
	m.sizes = m.dataOffsets + 4*m.numData
	m.items = m.sizes
	if m.version >= 4 {
		m.items += 4 * m.numData
	}
	m.packed = m.items + m.itemSize
	if m.version < 3 || m.version > 4 || m.packed > len(b) {
		return m, errNoMap
	}
	return m, nil
}

// solidBoxes gives the solid tiles of a map, those beside each other as one.
func solidBoxes(b []byte) ([][4]int32, error) {
	m, err := openMap(b)
	if err != nil {
		return nil, err
	}
	for i := range m.numItems {
		offset, ok := m.b.at(m.itemOffsets + 4*i)
		if !ok || offset < 0 || offset > m.itemSize {
			return nil, errNoMap
		}
		at := m.items + offset
		kind, _ := m.b.at(at)
		var layer [15]int
		whole := true
		for n := range layer {
			layer[n], ok = m.b.at(at + 8 + 4*n)
			whole = whole && ok
		}
		if kind>>16 != mapLayer || layer[1] != mapTiles || !whole || layer[6]&mapGameLayer == 0 {
			continue
		}
		return m.boxes(layer[4], layer[5], layer[14], layer[3] >= mapPackedVersion)
	}
	return nil, errNoMap
}

// data unpacks one of the data of the file.
func (m *mapFile) data(number, most int) ([]byte, error) {
	from, ok := m.b.at(m.dataOffsets + 4*number)
	if number < 0 || number >= m.numData || !ok || from < 0 || m.packed+from > len(m.b) {
		return nil, errNoMap
	}
	z, err := zlib.NewReader(bytes.NewReader(m.b[m.packed+from:]))
	if err != nil {
		return nil, errNoMap
	}
	out, err := io.ReadAll(io.LimitReader(z, int64(most)))
	if err != nil {
		return nil, errNoMap
	}
	return out, nil
}

// boxes reads a layer of tiles, four bytes each: index, flags, how often it is repeated, nothing.
func (m *mapFile) boxes(width, height, data int, packed bool) (list [][4]int32, err error) {
	if width <= 0 || height <= 0 || width > maxMapTiles || height > maxMapTiles/width {
		return nil, errNoMap
	}
	tiles, err := m.data(data, 4*width*height)
	if err != nil {
		return nil, err
	}
	at := 0
	for ; len(tiles) >= 4 && at < width*height; tiles = tiles[4:] {
		times := 1
		if packed {
			times += int(tiles[2])
		}
		if tiles[0] != tileSolid && tiles[0] != tileNoHook {
			at += times
			continue
		}
		for ; times > 0 && at < width*height; times-- {
			x, y := int32(at%width*mapTileSize), int32(at/width*mapTileSize)
			if n := len(list); n > 0 && list[n-1][1] == y && list[n-1][0]+list[n-1][2] == x {
				list[n-1][2] += mapTileSize
			} else if n < maxBoxes {
				list = append(list, [4]int32{x, y, mapTileSize, mapTileSize})
			}
			at++
		}
	}
	return list, nil
}
