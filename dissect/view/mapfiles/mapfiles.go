// Package mapfiles takes the map files that an input carries out of it: those that servers sent to clients, and the
// map of a demo.
package mapfiles

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/view/gamemap"
)

const (
	// maxCarried is how many bytes of files that an input carries are kept at a time.
	maxCarried = 128 << 20
	// pieceCost is what a piece takes beside its bytes: its place in the map, and the rest of its block of memory. An
	// input may carry files byte by byte.
	pieceCost = 96
	// maxOpen is how many files arrive at a time.
	maxOpen = 10_000
)

// Maps are the map files that an input carries. They take records made with dissect.Options.Files.
type Maps struct {
	open map[int]*file // by stream
	held int           // bytes, with pieceCost
	maps gamemap.Library
	seen map[string]bool // names that are complete: several clients load the same
	// Dropped is the number of files for which there was no place.
	Dropped int
}

// A file is one on its way. Its pieces may come in any order, and more than once.
type file struct {
	name   string
	pieces map[int64][]byte // by offset
	size   int64            // -1: not known
	over   bool             // it is too long
}

// Add takes what a record adds to the files of its stream.
func (c *Maps) Add(rec *dissect.Record) {
	for i := range rec.Files {
		p := &rec.Files[i]
		if p.Begin {
			c.finish(rec.Stream)
			if c.open == nil {
				c.open, c.seen = map[int]*file{}, map[string]bool{}
			}
			if len(c.open) >= maxOpen {
				c.Dropped++
				continue
			}
			c.open[rec.Stream] = &file{pieces: map[int64][]byte{}, size: -1}
		}
		f := c.open[rec.Stream]
		if f == nil {
			continue
		}
		if p.File != nil {
			f.head(p.File)
		}
		c.piece(f, p)
		if p.End {
			f.size = p.Offset
			c.finish(rec.Stream)
		}
	}
}

// head takes what is known of the file.
func (f *file) head(h *extract.FileHead) {
	if h.Name != nil {
		f.name = string(h.Name)
		if h.Extension != "" {
			f.name += "." + h.Extension
		}
	}
	if h.Size >= 0 {
		f.size = h.Size
	}
}

// piece keeps a piece of a file.
func (c *Maps) piece(f *file, p *extract.File) {
	if _, known := f.pieces[p.Offset]; known || len(p.Data) == 0 || f.over {
		return
	}
	if c.held+pieceCost+len(p.Data) > maxCarried {
		f.over = true
		c.Dropped++
		c.forget(f)
		return
	}
	f.pieces[p.Offset] = bytes.Clone(p.Data)
	c.held += pieceCost + len(p.Data)
}

func (c *Maps) forget(f *file) {
	for _, b := range f.pieces {
		c.held -= pieceCost + len(b)
	}
	f.pieces = nil
}

// finish takes the file of a stream into the library, if it is whole and one with maps.
func (c *Maps) finish(stream int) {
	f := c.open[stream]
	if f == nil {
		return
	}
	delete(c.open, stream)
	data := f.whole()
	c.forget(f)
	if data == nil || c.seen[f.name] || c.held+len(data) > maxCarried {
		return
	}
	if c.maps.AddFile(f.name, data) == nil {
		c.seen[f.name] = true
		c.held += len(data)
	}
}

// whole puts the pieces together; nil: something is missing.
func (f *file) whole() []byte {
	var data []byte
	offsets := make([]int64, 0, len(f.pieces))
	for offset := range f.pieces {
		offsets = append(offsets, offset)
	}
	slices.SortFunc(offsets, cmp.Compare)
	for _, offset := range offsets {
		end := int64(len(data))
		if offset > end {
			return nil
		}
		if b := f.pieces[offset]; offset+int64(len(b)) > end {
			data = append(data, b[end-offset:]...)
		}
	}
	if f.size >= 0 && int64(len(data)) < f.size {
		return nil
	}
	if f.size >= 0 {
		data = data[:f.size]
	}
	return data
}

// Library completes what is open, and gives what was found.
func (c *Maps) Library() *gamemap.Library {
	for stream := range c.open {
		c.finish(stream)
	}
	return &c.maps
}

// Clear returns what is solid in a map, of the files that are complete; nil: there is no such map. It keeps nothing.
func (c *Maps) Clear(mapName string) func(from, to [3]float64) bool {
	if c.maps.Empty() {
		return nil
	}
	solid, err := c.maps.Solid(mapName)
	if err != nil || solid == nil {
		return nil
	}
	return solid.Clear
}
