package gamemap

import (
	"encoding/binary"
	"math"
)

// A BSP file begins with a magic, a version and the places of its lumps. Lumps are arrays of records, little endian.
// "Unofficial Quake 3 Map Specs" by Kekoa Proudfoot describes IBSP 46. Version 47 of Return to Castle Wolfenstein,
// Enemy Territory and Quake Live has the same records. RBSP 1 of Jedi Outcast and Jedi Academy has four lightmaps and
// colours in place of one in faces and vertices.
const (
	lumpTextures = 1
	lumpPlanes   = 2
	lumpBrushes  = 8
	lumpSides    = 9
	lumpVertexes = 10
	lumpIndexes  = 11 // "meshverts": offsets from the first vertex of a face, three for a triangle
	lumpFaces    = 13

	bspHead     = 8
	lumpEntry   = 8
	textureSize = 72 // name of 64 bytes, flags of the surface, flags of the contents
	planeSize   = 16 // normal, distance
	brushSize   = 12 // first side, number of sides, texture
)

// A layout is where the records of a format have what a plan needs, in bytes.
type layout struct {
	vertexSize, vertexNormal int
	faceSize                 int
	patchWidth, patchHeight  int
	sideSize                 int // of brushes: plane, texture, and in RBSP the number of a face
}

var (
	layoutIBSP = layout{vertexSize: 44, vertexNormal: 28, faceSize: 104, patchWidth: 96, patchHeight: 100, sideSize: 8}
	layoutRBSP = layout{vertexSize: 80, vertexNormal: 52, faceSize: 148, patchWidth: 140, patchHeight: 144, sideSize: 12}
)

// Fields of a face at the same place in both, in bytes.
const (
	faceTexture     = 0
	faceKind        = 8
	faceVertex      = 12
	faceVertexes    = 16
	faceIndex       = 20
	faceIndexes     = 24
	faceLeastLength = 28
)

// Kinds of faces that have an area; the others are billboards and, in Enemy Territory, foliage.
const (
	facePolygon = 1
	facePatch   = 2
	faceMesh    = 3
)

// Flags of surfaces and contents, surfaceflags.h of the games; the same in all of them.
const (
	surfaceSky       = 0x4
	surfaceNoDraw    = 0x80
	contentsSolid    = 0x1
	contentsLiquid   = 0x8 | 0x10 | 0x20 // lava, slime, water
	contentsDetailed = contentsSolid | contentsLiquid
)

// A bsp is a file with its lumps.
type bsp struct {
	layout
	data []byte
}

func readBSP(data []byte) (*Map, error) {
	if len(data) < bspHead {
		return nil, ErrFormat
	}
	b := bsp{layout: layoutIBSP, data: data}
	switch version := int32(binary.LittleEndian.Uint32(data[4:])); {
	case data[0] == 'I' && (version == 46 || version == 47):
	case data[0] == 'R' && version == 1:
		b.layout = layoutRBSP
	default:
		return nil, ErrFormat
	}
	d := drawing{}
	if len(b.lump(lumpFaces)) >= b.faceSize && len(b.lump(lumpVertexes)) >= b.vertexSize {
		b.faces(&d)
	} else {
		b.brushes(&d) // a map of a server alone has nothing to look at
	}
	p := d.plan()
	if len(p.Floors)+len(p.Walls) == 0 {
		return nil, ErrFormat
	}
	return p, nil
}

// lump returns the bytes of a lump, empty where it does not lie within the file.
func (b *bsp) lump(n int) []byte {
	at := bspHead + lumpEntry*n
	if at+lumpEntry > len(b.data) {
		return nil
	}
	from, length := int64(binary.LittleEndian.Uint32(b.data[at:])), int64(binary.LittleEndian.Uint32(b.data[at+4:]))
	if from+length > int64(len(b.data)) {
		return nil
	}
	return b.data[from : from+length]
}

// texture returns the flags of a texture.
func (b *bsp) texture(n int) (surface, contents uint32) {
	r, ok := record(b.lump(lumpTextures), n, textureSize)
	if !ok {
		return 0, contentsSolid
	}
	return binary.LittleEndian.Uint32(r[64:]), binary.LittleEndian.Uint32(r[68:])
}

// record returns one of the records of a lump.
func record(lump []byte, n, size int) ([]byte, bool) {
	if n < 0 || n >= len(lump)/size {
		return nil, false
	}
	return lump[n*size : (n+1)*size], true
}

func number(b []byte, at int) int { return int(int32(binary.LittleEndian.Uint32(b[at:]))) }

func float(b []byte, at int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[at:])))
}

func vectorAt(b []byte, at int) vector {
	return vector{float(b, at), float(b, at+4), float(b, at+8)}
}

// A vertex of a face.
type vertex struct{ place, normal vector }

// vertexes returns a run of vertexes; false: it does not lie within the lump, or is not of this world.
func (b *bsp) vertexes(first, count int) ([]vertex, bool) {
	lump := b.lump(lumpVertexes)
	if all := len(lump) / b.vertexSize; first < 0 || count <= 0 || first > all || count > all-first {
		return nil, false
	}
	list := make([]vertex, count)
	for i := range list {
		r := lump[(first+i)*b.vertexSize:]
		list[i] = vertex{vectorAt(r, 0), vectorAt(r, b.vertexNormal)}
		if !list[i].place.inWorld() {
			return nil, false
		}
	}
	return list, true
}

// faces draws what the game shows.
func (b *bsp) faces(d *drawing) {
	lump := b.lump(lumpFaces)
	// Compilers share runs of indexes between faces. Faces of a forged file may all name the longest run.
	d.budget = maxWork + len(b.data)/4
	for n := range len(lump) / b.faceSize {
		face := lump[n*b.faceSize : (n+1)*b.faceSize]
		surface, contents := b.texture(number(face, faceTexture))
		if surface&(surfaceSky|surfaceNoDraw) != 0 {
			continue
		}
		vertexes, ok := b.vertexes(number(face, faceVertex), number(face, faceVertexes))
		if !d.spend(len(vertexes)) {
			return
		}
		if !ok {
			continue
		}
		liquid := contents&contentsLiquid != 0
		switch number(face, faceKind) {
		case facePolygon, faceMesh:
			first, count := number(face, faceIndex), number(face, faceIndexes)
			indexes := b.indexes(first, count, len(vertexes))
			if !d.spend(len(indexes)) {
				return
			}
			d.triangles(vertexes, indexes, liquid)
		case facePatch:
			if !d.spend(patchWork * len(vertexes)) {
				return
			}
			d.patch(vertexes, number(face, b.patchWidth), number(face, b.patchHeight), liquid)
		}
	}
}

// maxWork is how many vertexes and indexes of faces are looked at, in addition to one for every four bytes of the file:
// as many as all of it can hold.
const maxWork = 8 << 20

// patchWork is what the curved surface around a control point costs, in vertexes of triangles.
const patchWork = 64

// indexes returns the triangles of a face, as numbers of its vertexes.
func (b *bsp) indexes(first, count, vertexes int) []int32 {
	lump := b.lump(lumpIndexes)
	if all := len(lump) / 4; first < 0 || count < 3 || first > all || count > all-first {
		return nil
	}
	list := make([]int32, 0, count)
	for i := range count - count%3 {
		n := number(lump, 4*(first+i))
		if n < 0 || n >= vertexes {
			return nil
		}
		list = append(list, int32(n))
	}
	return list
}
