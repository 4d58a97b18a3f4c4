package records_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A timedFile is a recording with the values of its clock, in the order of the file, in its own unit. write returns the
// file with other values.
type timedFile struct {
	values []int32
	second int32 // of the unit
	write  func(values []int32) []byte
}

// cut returns a file whose clock's values are 4 bytes each, the highest first, at these positions.
func cut(b []byte, at []int, second int32) timedFile {
	f := timedFile{second: second}
	for _, i := range at {
		f.values = append(f.values, int32(binary.BigEndian.Uint32(b[i:])))
	}
	f.write = func(values []int32) []byte {
		out := bytes.Clone(b)
		for n, i := range at {
			binary.BigEndian.PutUint32(out[i:], uint32(values[n]))
		}
		return out
	}
	return f
}

// timedDemo finds the full ticks of a demo of Teeworlds: CDemoRecorder in src/engine/shared/demo.cpp.
func timedDemo(b []byte) timedFile {
	const magic, sha = 8, 48
	pos := 176
	if b[7] > 3 {
		pos += 260
	}
	if b[7] > 5 {
		pos += sha
	}
	pos += int(binary.BigEndian.Uint32(b[136:]))
	var at []int
	for pos < len(b) {
		head := b[pos]
		pos++
		switch size := int(head & 0x1f); {
		case head&0x80 != 0 && (b[7] > 4 && head&0x20 == 0 || b[7] < 5 && head&0x3f == 0 && head&0x40 != 0):
			if pos+4 <= len(b) {
				at = append(at, pos)
			}
			pos += 4
		case head&0x80 != 0:
		case size == 30:
			pos += 1 + int(b[pos])
		case size == 31:
			pos += 2 + int(binary.LittleEndian.Uint16(b[pos:]))
		default:
			pos += size
		}
	}
	return cut(b, at, 50)
}

// timedGhost finds the ticks of a ghost of DDNet's client, and codes its characters again.
func timedGhost(b []byte) timedFile {
	const head, tickAt = 8 + 1 + 16 + 64 + 4 + 4 + 4 + 32, 11
	type chunk struct {
		kind, items byte
		ints        []int32
	}
	var chunks []chunk
	f := timedFile{second: 50}
	for pos := head; pos+4 <= len(b); {
		size := int(binary.BigEndian.Uint16(b[pos+2:]))
		plain, _, _ := huffcodec.DecodeTeeworlds(nil, b[pos+4:pos+4+size], 1<<20)
		c := chunk{kind: b[pos], items: b[pos+1], ints: ghostInts(plain)}
		per := len(c.ints) / int(c.items)
		if c.kind == 2 {
			tick := int32(0)
			for i := tickAt; i < len(c.ints); i += per {
				tick += c.ints[i]
				f.values = append(f.values, tick)
			}
		}
		chunks = append(chunks, c)
		pos += 4 + size
	}
	f.write = func(values []int32) []byte {
		out := bytes.Clone(b[:head])
		for _, c := range chunks {
			ints, before := bytes.NewBuffer(nil), int32(0)
			for i, n := range c.ints {
				if per := len(c.ints) / int(c.items); c.kind == 2 && i%per == tickAt {
					n, before = values[0]-before, values[0]
					values = values[1:]
				}
				ints.Write(ghostInt(n))
			}
			packed := huffcodec.EncodeTeeworlds(nil, ints.Bytes())
			out = append(out, c.kind, c.items, byte(len(packed)>>8), byte(len(packed)))
			out = append(out, packed...)
		}
		return out
	}
	return f
}

func ghostInts(b []byte) (list []int32) {
	for len(b) > 0 {
		n, used := int64(b[0]&0x3f), 1
		for shift := 6; b[used-1]&0x80 != 0; shift += 7 {
			n |= int64(b[used]&0x7f) << shift
			used++
		}
		if b[0]&0x40 != 0 {
			n = ^n
		}
		list, b = append(list, int32(n)), b[used:]
	}
	return list
}

func ghostInt(v int32) []byte {
	n, sign := int64(v), byte(0)
	if n < 0 {
		sign, n = 0x40, ^n
	}
	first := sign | byte(n&63)
	if n >>= 6; n == 0 {
		return []byte{first}
	}
	return binary.AppendUvarint([]byte{first | 0x80}, uint64(n))
}

// timedQuake finds the server times of a demo of Quake III, which are four bytes with the codes of the whole message.
// It has no values if the messages are coded in another way.
func timedQuake(t *testing.T, b []byte, packets []dissect.Packet) timedFile {
	type place struct{ message, bit, bits int }
	var places []place
	f := timedFile{second: 1000}
	var bodies [][]byte
	for i := range packets {
		bodies = append(bodies, bytes.Clone(packets[i].Payload))
	}
	reftest.DissectPackets(t, packets, engine.Config{
		Protocols: all.Protocols(), Workers: 1,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			for i := range rec.Tree.Nodes {
				n := &rec.Tree.Nodes[i]
				if n.Field.Key == "server_time" && n.Field.Name == "serverTime" {
					places = append(places, place{int(rec.Frame) - 1, int(n.Bit), int(n.Bits)})
					f.values = append(f.values, int32(n.Int()))
				}
			}
			return dst, nil
		},
	})
	f.write = func(values []int32) (out []byte) {
		next := 0
		for i, body := range bodies {
			message := body[8:]
			var w huffcodec.Writer
			w.Reset(huffcodec.Static)
			from := 0
			for ; next < len(places) && places[next].message == i; next++ {
				w.Copy(message, from, places[next].bit)
				w.Bits(uint32(values[next]), 32)
				from = places[next].bit + places[next].bits
			}
			w.Copy(message, from, 8*len(message))
			size := (w.Pos() + 7) / 8
			out = append(out, body[:4]...)
			out = binary.LittleEndian.AppendUint32(out, uint32(size))
			out = append(out, w.Data()[:size]...)
		}
		return append(out, 255, 255, 255, 255, 255, 255, 255, 255)
	}
	if same := f.write(f.values); !bytes.Equal(same, b) {
		f.values = nil
	}
	return f
}
