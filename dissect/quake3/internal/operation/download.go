package operation

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

const downloadSource = "CL_ParseDownload, code/client/cl_parse.c; SV_WriteDownloadToClient, code/server/sv_client.c"

// Fields of svc_download.
var (
	DownloadField = dissect.Field{
		Key: "download", Name: "svc_download", Kind: dissect.Object, Source: downloadSource, Doc: "a block of a file",
		Children: []*dissect.Field{
			&DownloadBlock, &DownloadFileSize, &DownloadError, &downloadURL, &downloadFlags,
			&DownloadSize, &DownloadData, &dissect.Undecoded,
		},
		Frame: []*dissect.Field{&decode.Alignment, &decode.Op, &decode.Terminator, &dataAlignment},
	}
	DownloadBlock = dissect.Field{
		Key: "block", Kind: dissect.Uint, Bits: 16, Enum: &tables.DownloadBlockNames, Source: downloadSource,
		Doc: "number of the block modulo 65536",
	}
	DownloadFileSize = dissect.Field{
		Key: "file_size", Name: "downloadSize", Kind: dissect.Int, Bits: 32, Unit: "bytes", Source: downloadSource,
		Doc: "size of the file, in its first block only; negative: an error message follows",
	}
	DownloadError = dissect.Field{Key: "error", Kind: dissect.Text, Source: downloadSource, Doc: "why there is no download"}
	DownloadSize  = dissect.Field{
		Key: "size", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: downloadSource,
		Doc: "size of the block; 0 ends the file",
	}
	DownloadData = dissect.Field{Key: "data", Kind: dissect.Hex, Source: downloadSource, Doc: "the bytes of the block"}
)

// Fields of the block that gives an address, tables.WWWBlock.
var (
	downloadURL = dissect.Field{
		Key: "url", Kind: dissect.Text, Source: "CL_ParseDownload, src/client/cl_parse.c of ET: Legacy",
		Doc: "address to download the file from, in block 65535 (www_download, Enemy Territory)",
	}
	downloadFlags = dissect.Field{
		Key: "flags", Kind: dissect.Uint, Bits: 32, Enum: &tables.DownloadFlagNames,
		Source: "src/qcommon/dl_public.h of ET: Legacy",
		Doc:    "what the client does while it downloads from the address",
	}
)

// A Download follows the block numbers of the download in progress. They wrap on the wire, and the
// block 65536 has no file size although it shows as 0.
type Download struct {
	newest int // highest block so far, not wrapped
}

// first reports whether a block numbered 0 on the wire is the file's first: it is, unless numbers have
// come close to wrapping. Repeated first blocks carry the size again.
func (s *Download) first(block int) bool {
	const wrap, window = 1 << 16, 1 << 12 // far more than the 48 blocks that can be under way
	last := s.newest & (wrap - 1)
	if block == 0 && last >= wrap-window || block < window && s.newest >= wrap && last < window {
		return false
	}
	return block == 0
}

// saw records a block.
func (s *Download) saw(block int) {
	const wrap = 1 << 16
	full := s.newest&^(wrap-1) | block
	if full < s.newest-wrap/2 {
		full += wrap
	}
	s.newest = max(s.newest, full)
}

// A Message is what reading a block depends on in its message.
type Message struct {
	Web       bool // the protocol has blocks that give an address
	Cut       bool // the capture has only the beginning
	Keep      bool // the effects of the message count
	Scrambled bool // of a scrambled session: a refusal has no text, and data begin on a whole byte
}

// Read reads svc_download. Bytes are read into text, which is returned. With done, observers get the change,
// with the block's bytes or the error as its text.
func (s *Download) Read(d *decode.Decoder, at int, in Message, text []byte) (_ []byte,
	change observe.Change, done bool,
) {
	d.EnterOp(&DownloadField, at)
	defer d.Leave()
	block := int(d.Uint(&DownloadBlock))
	if d.Failed() {
		return text, change, false
	}
	if in.Web && block == tables.WWWBlock {
		text = d.Text(&downloadURL, text)
		d.Int(&DownloadFileSize)
		d.Uint(&downloadFlags)
		return text, change, false
	}
	first, fileSize := s.first(block), int32(0)
	if first {
		if fileSize = d.Int(&DownloadFileSize); fileSize < 0 {
			if in.Scrambled {
				text = text[:0]
			} else {
				text = d.Text(&DownloadError, text)
			}
			if !in.Keep || d.Failed() {
				return text, change, false
			}
			return text, observe.Change{Kind: observe.Refusal}, true
		}
	}
	sizeAt := d.Pos()
	size := int(d.Uint(&DownloadSize))
	// Each byte takes at least two bits, so a size beyond that is wrong before anything is read.
	if !d.Failed() && 2*size > d.Len()-d.Pos() && !in.Cut {
		d.Malformed(&DownloadSize, sizeAt, "block of %d bytes in a message with %d bits left", size, d.Len()-d.Pos())
	}
	if d.Failed() {
		return text, change, false
	}
	if in.Scrambled {
		alignData(d, size)
	}
	text = d.Hex(&DownloadData, size, text)
	if !in.Keep || d.Failed() {
		return text, change, false
	}
	s.saw(block)
	return text, observe.Change{Kind: observe.Block, Index: block, First: first, Size: int64(fileSize)}, true
}

// alignData moves from inside a byte to the data of a block, which end the message: they begin at the next byte, or,
// as the known engines write them, at the one after it.
func alignData(d *decode.Decoder, size int) {
	if size == 0 || d.Pos()&7 == 0 {
		return
	}
	at := d.Pos()
	if d.Align(); d.Len()-d.Pos() == 8*(size+1) {
		d.Bits(8)
	}
	d.FrameBits(&dataAlignment, at, d.Pos())
}
