// Package gamemap makes drawings of maps out of map files: the background of players' paths in a picture.
//
//	m, err := gamemap.Read("q3dm6.bsp", data)
//
// It reads BSP files of the Quake III engine and its family (IBSP 46 and 47, RBSP 1), which are seen from above, and
// maps of Teeworlds and DDNet, which are seen from the side. A [Library] finds the file of a map by the map's name: in
// folders, in pk3 files, and among the files that a capture or a demo carries.
//
// A drawing is bounded, whatever the file contains: see the limits below. Memory is at most a small multiple of the
// file.
package gamemap

import (
	"bytes"
	"errors"
)

// A Map is a map as it is drawn. Coordinates are the game's units, rounded.
type Map struct {
	Name string `json:"name"` // of the file, without folders
	From string `json:"from"` // where the file comes from: the file of a user, or what an input carries

	// Boxes are x, y, width and height of what is solid in a map that is seen from the side. y points down.
	Boxes [][4]int32 `json:"boxes,omitempty"`

	// Floors are polygons that can be stood on, lowest first. Each begins with its mean height, then has the first
	// point, then every further point as its difference to the one before: z, x, y, dx, dy, dx, dy, ...
	Floors [][]int32 `json:"floors,omitempty"`
	// Liquids are surfaces of water, slime and lava, in the same form.
	Liquids [][]int32 `json:"liquids,omitempty"`
	// Walls are lines: x and y of one end, dx and dy to the other, the lowest and the highest z.
	Walls [][6]int32 `json:"walls,omitempty"`

	// LeftOut is how many polygons, lines or boxes there was no place for: the smallest ones.
	LeftOut int `json:"left_out,omitempty"`
}

// What a plan has at most. Maps that are played have less.
const (
	maxBoxes    = 200_000
	maxPolygons = 25_000
	maxWalls    = 25_000
	maxPoints   = 200_000 // of all polygons
)

// MaxFile is the length in bytes of the largest map file that is read.
const MaxFile = 64 << 20

// ErrFormat means that a file is not a map of a known format, or breaks off.
var ErrFormat = errors.New("not a map of a known format: BSP (IBSP 46 and 47, RBSP 1), pk3 or a map of Teeworlds")

// Read draws the map in a file.
func Read(name string, data []byte) (*Map, error) {
	var p *Map
	var err error
	switch {
	case bytes.HasPrefix(data, []byte("DATA")):
		p = new(Map)
		p.Boxes, p.LeftOut, err = solidBoxes(data)
	case bytes.HasPrefix(data, []byte("IBSP")), bytes.HasPrefix(data, []byte("RBSP")):
		p, err = readBSP(data)
	default:
		err = ErrFormat
	}
	if err != nil {
		return nil, err
	}
	p.Name = name
	return p, nil
}
