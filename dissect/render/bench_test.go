package render

import (
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

import "testing"

func BenchmarkJSON(b *testing.B) {
	for _, bb := range []struct {
		name string
		opts JSON
	}{{"plain", JSON{}}, {"bits", JSON{Bits: true}}} {
		b.Run(bb.name, func(b *testing.B) {
			rec := bigRecord()
			dst := AppendJSON(nil, rec, bb.opts)
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				dst = AppendJSON(dst[:0], rec, bb.opts)
			}
		})
	}
}

func BenchmarkList(b *testing.B) {
	rec := bigRecord()
	list := List{Width: 120}
	dst := list.Append(nil, rec)
	b.SetBytes(int64(len(dst)))
	b.ReportAllocs()
	for b.Loop() {
		dst = list.Append(dst[:0], rec)
	}
}

func BenchmarkFields(b *testing.B) {
	s, err := NewSelector([]string{
		"frame", "time", "fake.message.ops.snapshot.server_time",
		"fake.message.ops.snapshot.entities.number",
	}, protocols, FieldColumns())
	if err != nil {
		b.Fatal(err)
	}
	rec := bigRecord()
	dst := s.Append(nil, rec)
	b.SetBytes(int64(len(dst)))
	b.ReportAllocs()
	for b.Loop() {
		dst = s.Append(dst[:0], rec)
	}
}

func BenchmarkTable(b *testing.B) {
	rec := bigRecord()
	var table Table
	dst := table.Append(nil, rec)
	b.SetBytes(int64(len(dst)))
	b.ReportAllocs()
	for b.Loop() {
		dst = table.Append(dst[:0], rec)
	}
}

func BenchmarkHex(b *testing.B) {
	rec := newRecord("")
	rec.Payload = make([]byte, 1300)
	rec.Length = len(rec.Payload)
	dst := AppendHex(nil, rec)
	b.SetBytes(int64(len(rec.Payload)))
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendHex(dst[:0], rec)
	}
}

func BenchmarkFloat(b *testing.B) {
	for _, bb := range []struct {
		name string
		v    float32
	}{{"whole", -1234}, {"eighths", 1523.125}, {"any", 360.0 / 65536 * 12345}} {
		b.Run(bb.name, func(b *testing.B) {
			var dst []byte
			for b.Loop() {
				dst, _ = text.AppendFloat(dst[:0], bb.v)
			}
		})
	}
}
