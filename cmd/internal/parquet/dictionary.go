package parquet

import (
	"encoding/binary"
	"math/bits"
)

const (
	// dictionaryBytes is the most bytes in a dictionary; later pages are written without one.
	dictionaryBytes = 1 << 20
	// dictionaryCost is about what the page of a dictionary takes beside its values, in bytes.
	dictionaryCost = 40
	// smallInts is the least number that is looked up in a map and not in a list.
	smallInts = 1 << 12
)

// A dictionary numbers the different values of a column chunk, from 0 in the order in which they come.
type dictionary struct {
	plain []byte // the values, in the encoding PLAIN
	count int
	small []int32         // by a number below smallInts: its index and 1; 0: none
	large map[int64]int32 // of other numbers
	texts map[string]int32

	last     int32 // index of the last string
	lastText []byte
}

func (d *dictionary) reset() {
	d.plain, d.count = d.plain[:0], 0
	clear(d.small)
	clear(d.large)
	clear(d.texts)
}

// full reports whether later values are written without the dictionary.
func (d *dictionary) full() bool { return len(d.plain) > dictionaryBytes }

// int returns the index of a number.
func (d *dictionary) int(v int64) int32 {
	if uint64(v) < uint64(len(d.small)) {
		if i := d.small[v]; i > 0 {
			return i - 1
		}
	} else if i, ok := d.large[v]; ok {
		return i
	}
	index := int32(d.count)
	switch {
	case uint64(v) < smallInts:
		for int64(len(d.small)) <= v {
			d.small = append(d.small, 0)
		}
		d.small[v] = index + 1
	case d.large == nil:
		d.large = map[int64]int32{v: index}
	default:
		d.large[v] = index
	}
	d.count++
	d.plain = binary.LittleEndian.AppendUint64(d.plain, uint64(v))
	return index
}

// text returns the index of a string. The same often comes again.
func (d *dictionary) text(v []byte) int32 {
	if d.count > 0 && string(d.lastText) == string(v) {
		return d.last
	}
	i, ok := d.texts[string(v)]
	if !ok {
		i = int32(d.count)
		if d.texts == nil {
			d.texts = map[string]int32{}
		}
		d.texts[string(v)] = i
		d.count++
		d.plain = appendText(d.plain, v)
	}
	d.last, d.lastText = i, append(d.lastText[:0], v...)
	return i
}

// pays reports whether n values take fewer bytes with the dictionary than without it.
func (d *dictionary) pays(n, without int) bool {
	return dictionaryCost+len(d.plain)+n*bits.Len(uint(d.count-1))/8 < without
}

// appendPlain appends the strings with some indices in the encoding PLAIN.
func (d *dictionary) appendPlain(dst []byte, indices []int32) []byte {
	starts := make([]int, 0, d.count)
	for at := 0; at < len(d.plain); at += 4 + int(binary.LittleEndian.Uint32(d.plain[at:])) {
		starts = append(starts, at)
	}
	starts = append(starts, len(d.plain))
	for _, i := range indices {
		dst = append(dst, d.plain[starts[i]:starts[i+1]]...)
	}
	return dst
}

// appendText appends a string in the encoding PLAIN: its length as four bytes before it.
func appendText(dst, v []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(v))), v...)
}
