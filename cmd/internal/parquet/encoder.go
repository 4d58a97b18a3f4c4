package parquet

import (
	"bytes"
	"hash/crc32"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/q3dissect/q3dissect/dissect/rows"
)

// windowBytes is how far back zstd looks. Hardly a page is larger, and an encoder keeps twice as much.
const windowBytes = 128 << 10

// An encoder is what columns share to encode their pages. The first error stays.
type encoder struct {
	zstd   *zstd.Encoder
	body   []byte // the values of a page
	packed []byte // and compressed
	text   bytes.Buffer
	thrift *thrift.Encoder // writes to text
	err    error
}

func newEncoder() *encoder {
	z, err := zstd.NewWriter(nil,
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithZeroFrames(true),
		zstd.WithEncoderCRC(false), zstd.WithWindowSize(windowBytes), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options contradict each other
	}
	e := &encoder{zstd: z}
	e.thrift = thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(&e.text))
	return e
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// marshal returns a structure of parquet.thrift in Thrift's compact protocol. It is valid until the next call.
func (e *encoder) marshal(v any) []byte {
	e.text.Reset()
	e.fail(e.thrift.Encode(v))
	return e.text.Bytes()
}

// compress returns body compressed, or as it is if that is not longer.
func (e *encoder) compress(body []byte) (packed []byte, compressed bool) {
	if len(body) == 0 {
		return body, false
	}
	e.packed = e.zstd.EncodeAll(body, e.packed[:0])
	if len(e.packed) < len(body) {
		return e.packed, true
	}
	return body, false
}

// endPage completes the open page: a DataPageHeaderV2, whose levels are not compressed.
func (c *column) endPage(e *encoder) {
	if c.entries == 0 {
		return
	}
	var body []byte
	encoding := format.Plain
	if c.values > 0 {
		body, encoding = c.encode(e)
		e.body = body
	}
	packed, compressed := e.compress(body)
	var repetition, definition []byte
	if c.repetition.width > 0 {
		repetition = c.repetition.end()
	}
	if c.definition.width > 0 {
		definition = c.definition.end()
	}
	sum := crc32.Update(crc32.Update(crc32.ChecksumIEEE(repetition), crc32.IEEETable, definition), crc32.IEEETable, packed)
	nulls, levels := c.entries-c.values, len(repetition)+len(definition)
	header := e.marshal(&format.PageHeader{
		Type:                 format.DataPageV2,
		UncompressedPageSize: int32(levels + len(body)),
		CompressedPageSize:   int32(levels + len(packed)),
		CRC:                  int32(sum),
		DataPageHeaderV2: thrift.New(format.DataPageHeaderV2{
			NumValues:                  int32(c.entries),
			NumNulls:                   int32(nulls),
			NumRows:                    int32(c.rows),
			Encoding:                   encoding,
			DefinitionLevelsByteLength: int32(len(definition)),
			RepetitionLevelsByteLength: int32(len(repetition)),
			IsCompressed:               thrift.New(compressed),
			Statistics:                 format.Statistics{NullCount: int64(nulls)},
		}),
	})
	c.size += len(header) + levels + len(body)
	c.pages = append(append(append(append(c.pages, header...), repetition...), definition...), packed...)
	c.total += c.entries
	c.nulls += nulls
	if !slices.Contains(c.encodings, encoding) {
		c.encodings = append(c.encodings, encoding)
	}
	c.resetPage()
}

// dictionaryPage returns the page with the chunk's dictionary, if its pages use one, and its size before compression.
func (c *column) dictionaryPage(e *encoder) (page []byte, size int) {
	if !slices.Contains(c.encodings, format.RLEDictionary) {
		return nil, 0
	}
	// A dictionary page has no flag that it is not compressed.
	e.packed = e.zstd.EncodeAll(c.dictionary.plain, e.packed[:0])
	header := e.marshal(&format.PageHeader{
		Type:                 format.DictionaryPage,
		UncompressedPageSize: int32(len(c.dictionary.plain)),
		CompressedPageSize:   int32(len(e.packed)),
		CRC:                  int32(crc32.ChecksumIEEE(e.packed)),
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{
			NumValues: int32(c.dictionary.count), Encoding: format.Plain,
		}),
	})
	if c.typ == rows.String {
		c.bounds.texts(c.dictionary.plain)
	}
	return append(slices.Clone(header), e.packed...), len(header) + len(c.dictionary.plain)
}
