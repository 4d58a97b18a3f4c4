package piece

import (
	"fmt"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// A Code is one of the games' Huffman codes.
type Code struct {
	Name, Doc string

	unpack func(src []byte) (Unpacked, error)
	pack   func(dst, data []byte) []byte
}

// Codes are the codes, by the kinds that name them.
var Codes = []Code{
	{
		Name: "huffman.quake3", Doc: "bytes in the static code of messages, protocols 66 and later",
		unpack: unpackStatic, pack: packStatic,
	},
	{
		Name: "huffman.quake3_connect", Doc: "the adaptive code of the connect packet, with its count of 16 bits",
		unpack: unpackAdaptive, pack: huffcodec.EncodeAdaptive,
	},
	{
		Name: "huffman.teeworlds", Doc: "the payload of a packet with the flag compression",
		unpack: unpackTeeworlds, pack: huffcodec.EncodeTeeworlds,
	},
}

// A Symbol is one byte with its code.
type Symbol struct {
	Bit, Bits int
	Value     byte
}

// Unpacked is a block of a code.
type Unpacked struct {
	Data    []byte
	Symbols []Symbol // nil: the codes of the block change from byte to byte, or are not known
	Used    int      // bits
}

// maxUnpacked bounds what a block may hold: the engines' messages have at most 64 KiB.
const maxUnpacked = 1 << 16

// Unpack reads a block. With an error it returns what precedes the fault.
func (c *Code) Unpack(src []byte) (Unpacked, error) { return c.unpack(src) }

// Pack makes a block.
func (c *Code) Pack(data []byte) ([]byte, error) {
	if len(data) >= maxUnpacked {
		return nil, fmt.Errorf("%d bytes: at most %d are packed", len(data), maxUnpacked-1)
	}
	return c.pack(nil, data), nil
}

// isPadding reports whether the bits from a position on can be what fills the last bytes: zeros, and fewer than the
// longest code has.
func isPadding(src []byte, at int) bool {
	const longest = 11
	if len(src)<<3-at > longest {
		return false
	}
	for ; at < len(src)<<3; at++ {
		if src[at>>3]>>(at&7)&1 != 0 {
			return false
		}
	}
	return true
}

// unpackStatic reads symbols to the last that is whole. A block has no end mark: zeros may be left.
func unpackStatic(src []byte) (u Unpacked, err error) {
	r := huffcodec.NewReader(src, huffcodec.Static)
	for r.Pos() < len(src)<<3 {
		at := r.Pos()
		b := r.Byte()
		if r.Failed() {
			if !isPadding(src, at) {
				err = r.Err()
			}
			break
		}
		u.Symbols = append(u.Symbols, Symbol{Bit: at, Bits: r.Pos() - at, Value: b})
		u.Data, u.Used = append(u.Data, b), r.Pos()
	}
	return u, err
}

func packStatic(dst, data []byte) []byte {
	var w huffcodec.Writer
	w.Bytes(data)
	return append(dst, w.Data()...)
}

func unpackAdaptive(src []byte) (u Unpacked, err error) {
	u.Data, err = huffcodec.DecodeAdaptive(nil, src)
	u.Used = len(src) << 3
	return u, err
}

func unpackTeeworlds(src []byte) (u Unpacked, err error) {
	u.Data, u.Used, err = huffcodec.DecodeTeeworlds(nil, src, maxUnpacked)
	at := 0
	for _, b := range u.Data {
		n := huffcodec.TeeworldsCodeLength(b)
		u.Symbols = append(u.Symbols, Symbol{Bit: at, Bits: n, Value: b})
		at += n
	}
	if err != nil {
		return u, &huffcodec.Error{Bit: u.Used, Err: err}
	}
	return u, nil
}
