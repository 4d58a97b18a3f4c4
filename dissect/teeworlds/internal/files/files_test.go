package files

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A mapSender plays the server's vital chunks, one in each packet.
type mapSender struct {
	dialect tables.Dialect
	files   *Reader
	rec     *dissect.Record
	got     []extract.File
}

func newMapSender(d tables.Dialect) *mapSender {
	return &mapSender{dialect: d, files: NewReader(dissect.Options{Files: true}), rec: dissect.NewRecord()}
}

// An arrival is how a chunk comes.
type arrival uint8

const (
	inOrder   arrival = iota
	duplicate         // again: the reader does not see it
	gap               // before others that go before it
)

func (s *mapSender) send(sequence int, as arrival, m *message.Message) {
	if as == duplicate {
		return
	}
	s.rec.Files = s.rec.Files[:0]
	s.files.Take(s.rec, Chunk{Dialect: s.dialect, Sequence: sequence & (tables.MaxSequence - 1), Gap: as == gap}, m)
	for _, p := range s.rec.Files {
		p.Data = bytes.Clone(p.Data)
		s.got = append(s.got, p)
	}
}

func (s *mapSender) announce(sequence int, size, pieceSize int32) {
	m := message.Message{System: true, Def: &tables.Message{Key: keyMapChange}, Text: []byte("dm1")}
	m.Ints[tables.KeepMapSize], m.Ints[tables.KeepChunkSize], m.Ints[tables.KeepMapCRC] = size, pieceSize, 5
	s.send(sequence, inOrder, &m)
}

func (s *mapSender) piece(sequence int, as arrival, data string) {
	s.send(sequence, as, &message.Message{System: true, Def: &tables.Message{Key: keyMapData}, Data: []byte(data)})
}

func (s *mapSender) numbered(sequence int, crc, chunk, last int32, data string) {
	m := message.Message{System: true, Def: &tables.Message{Key: keyMapData}, Data: []byte(data)}
	m.Ints[tables.KeepMapCRC], m.Ints[tables.KeepChunk], m.Ints[tables.KeepLast] = crc, chunk, last
	s.send(sequence, inOrder, &m)
}

func (s *mapSender) other(sequence int, as arrival) {
	s.send(sequence, as, &message.Message{System: true, Def: &tables.Message{Key: "rcon_line"}})
}

// TestMapPieces plays downloads. Order and numbers: sections 12 and 15 of the protocol, after CServer and CClient
// in src/engine.
func TestMapPieces(t *testing.T) {
	begin := func(size int64) extract.File {
		return extract.File{Begin: true, File: &extract.FileHead{
			Name: []byte("dm1"), Extension: "map", Size: size,
			CRC32: 5, HasCRC32: true,
		}}
	}
	at := func(offset int64, data string, assumed bool) extract.File {
		return extract.File{Offset: offset, Data: []byte(data), Assumed: assumed}
	}
	for _, test := range []struct {
		name    string
		Dialect tables.Dialect
		Reader  func(s *mapSender)
		want    []extract.File
	}{
		{"0.7, others in between", tables.V07, func(s *mapSender) {
			s.announce(1022, 5, 2)
			s.piece(1023, inOrder, "ab")
			s.other(1024, inOrder)
			s.piece(1025, inOrder, "cd")
			s.piece(1025, duplicate, "cd")
			s.piece(1026, inOrder, "e")
		}, []extract.File{begin(5), at(0, "ab", false), at(2, "cd", false), at(4, "e", false), {Offset: 5, End: true}}},
		{"0.7, sent again in order", tables.V07, func(s *mapSender) {
			s.announce(1, 5, 2)
			s.piece(3, gap, "cd")
			s.piece(2, inOrder, "ab")
			s.piece(3, inOrder, "cd")
			s.piece(4, inOrder, "e")
		}, []extract.File{begin(5), at(0, "ab", false), at(2, "cd", false), at(4, "e", false), {Offset: 5, End: true}}},
		{"0.7, acknowledged but not captured", tables.V07, func(s *mapSender) {
			s.announce(1, 9, 2)
			s.piece(3, gap, "cd")
			s.other(4, gap)
			s.piece(5, inOrder, "ef")
			s.piece(6, inOrder, "gh")
			s.piece(7, inOrder, "i")
		}, []extract.File{
			begin(9), at(2, "cd", true), at(4, "ef", true), at(6, "gh", true), at(8, "i", true),
			{Offset: 9, End: true},
		}},
		{"0.7, something else was not captured", tables.V07, func(s *mapSender) {
			s.announce(1, 5, 2)
			s.piece(2, inOrder, "ab")
			s.piece(4, inOrder, "cd") // 3 was no piece: the end does not fit
			s.piece(5, inOrder, "e")
		}, []extract.File{begin(5), at(0, "ab", false), at(4, "c", true), {Offset: 5, End: true, Assumed: true}}},
		{"0.7, not announced", tables.V07, func(s *mapSender) { s.piece(2, inOrder, "ab") }, nil},
		{"0.7, announced only", tables.V07, func(s *mapSender) { s.announce(1, 5, 2); s.other(2, inOrder) }, nil},
		{"0.6, any order", tables.V06, func(s *mapSender) {
			s.announce(1, 5, 0)
			s.numbered(2, 5, 2, 1, "e")
			s.numbered(3, 5, 1, 0, "cd")
			s.numbered(4, 6, 0, 0, "xx") // of another map
			s.numbered(5, 5, 0, 0, "ab")
		}, []extract.File{begin(5), at(4, "e", false), {Offset: 5, End: true}, at(2, "cd", false), at(0, "ab", false)}},
		{"0.6, not announced", tables.DDNet, func(s *mapSender) {
			s.numbered(9, 7, 3, 1, "x") // its place is not known
			s.numbered(9, 7, 1, 0, "ab")
			s.numbered(9, 7, 2, 1, "c")
		}, []extract.File{
			{Begin: true, File: &extract.FileHead{Extension: "map", Size: -1, CRC32: 7, HasCRC32: true}},
			at(2, "ab", false), at(4, "c", false),
			{Offset: 5, End: true},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newMapSender(test.Dialect)
			test.Reader(s)
			if diff := cmp.Diff(test.want, s.got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzMapPieces holds what is said of pieces against what Files relies on: data belong to a file that has
// begun, and a place is never negative; pieces without a number end where the file does.
func FuzzMapPieces(f *testing.F) {
	f.Add([]byte{0, 1, 5, 2, 1, 2, 0, 2, 1, 3, 0, 2})
	f.Add([]byte{0, 1, 200, 3, 1, 9, 2, 3, 3, 10, 0, 3, 4, 1, 1, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, d := range []tables.Dialect{tables.V07, tables.V06} {
			s := newMapSender(d)
			for b := b; len(b) >= 4; b = b[4:] {
				sequence, x, y := int(b[1]), int32(int8(b[2])), int32(int8(b[3]))
				switch b[0] % 5 {
				case 0:
					s.announce(sequence, x, y)
				case 1:
					s.piece(sequence, arrival(b[2]%3), string(make([]byte, b[3])))
				case 2:
					s.numbered(sequence, x, y, int32(b[1]&1), string(make([]byte, b[3])))
				case 3:
					s.other(sequence, arrival(b[2]%3))
				case 4:
					s.files.Restart()
				}
			}
			size, begun := int64(-1), false
			for _, p := range s.got {
				if p.File != nil {
					size = p.File.Size
				}
				begun = begun || p.Begin
				if !begun || p.Offset < 0 || d == tables.V07 && size >= 0 && p.Offset+int64(len(p.Data)) > size {
					t.Fatalf("%+v of a file of %d bytes, begun: %t", p, size, begun)
				}
			}
		}
	})
}
