package gamemap

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// A data file of Teeworlds: src/engine/shared/datafile.cpp; what is in a map: src/game/mapitems.h.
const (
	maxMapTiles      = 4 << 20
	mapHead          = 36
	mapLayer         = 5 // MAPITEMTYPE_LAYER
	mapTiles         = 2 // LAYERTYPE_TILES
	mapGameLayer     = 1 // TILESLAYERFLAG_GAME
	mapTileSize      = 32
	mapPackedVersion = 4 // from this version of a layer on, a tile has its number of repetitions
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
		return m, ErrFormat
	}
	var head [8]int
	for i := range head {
		head[i], _ = m.b.at(4 + 4*i)
	}
	types := head[3]
	m.version, m.numItems, m.numData, m.itemSize = head[0], head[4], head[5], head[6]
	for _, n := range [...]int{types, m.numItems, m.numData, m.itemSize} {
		if n < 0 || n > len(b) {
			return m, ErrFormat
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
		return m, ErrFormat
	}
	return m, nil
}

// solidBoxes returns the solid tiles of a map, those beside each other as one.
func solidBoxes(b []byte) (boxes [][4]int32, leftOut int, err error) {
	m, err := openMap(b)
	if err != nil {
		return nil, 0, err
	}
	for i := range m.numItems {
		offset, ok := m.b.at(m.itemOffsets + 4*i)
		if !ok || offset < 0 || offset > m.itemSize {
			return nil, 0, ErrFormat
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
	return nil, 0, ErrFormat
}

// data unpacks one of the data of the file.
func (m *mapFile) data(number int) (*bufio.Reader, error) {
	from, ok := m.b.at(m.dataOffsets + 4*number)
	if number < 0 || number >= m.numData || !ok || from < 0 || m.packed+from > len(m.b) {
		return nil, ErrFormat
	}
	z, err := zlib.NewReader(bytes.NewReader(m.b[m.packed+from:]))
	if err != nil {
		return nil, ErrFormat
	}
	return bufio.NewReader(z), nil
}

// boxes reads a layer of tiles, four bytes each: index, flags, how often it is repeated, nothing.
func (m *mapFile) boxes(width, height, data int, packed bool) (list [][4]int32, leftOut int, err error) {
	if width <= 0 || height <= 0 || width > maxMapTiles || height > maxMapTiles/width {
		return nil, 0, ErrFormat
	}
	tiles, err := m.data(data)
	if err != nil {
		return nil, 0, err
	}
	var tile [4]byte
	for at := 0; at < width*height; {
		if _, err := io.ReadFull(tiles, tile[:]); err != nil {
			return nil, 0, ErrFormat
		}
		times := 1
		if packed {
			times += int(tile[2])
		}
		if tile[0] != tileSolid && tile[0] != tileNoHook {
			at += times
			continue
		}
		for ; times > 0 && at < width*height; times-- {
			x, y := int32(at%width*mapTileSize), int32(at/width*mapTileSize)
			if n := len(list); n > 0 && list[n-1][1] == y && list[n-1][0]+list[n-1][2] == x {
				list[n-1][2] += mapTileSize
			} else if n < maxBoxes {
				list = append(list, [4]int32{x, y, mapTileSize, mapTileSize})
			} else {
				leftOut++
			}
			at++
		}
	}
	return list, leftOut, nil
}
