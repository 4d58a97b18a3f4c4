package quake3

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

const downloadSource = "CL_ParseDownload, code/client/cl_parse.c; SV_WriteDownloadToClient, code/server/sv_client.c"

// Fields of svc_download.
var (
	downloadField = dissect.Field{
		Key: "download", Name: "svc_download", Kind: dissect.Object, Source: downloadSource, Doc: "a block of a file",
		Children: []*dissect.Field{&downloadBlock, &downloadFileSize, &downloadError, &downloadURL, &downloadFlags, &downloadSize, &downloadData, &dissect.Undecoded},
	}
	downloadBlock = dissect.Field{
		Key: "block", Kind: dissect.Uint, Bits: 16, Source: downloadSource, Doc: "number of the block modulo 65536",
	}
	downloadFileSize = dissect.Field{
		Key: "file_size", Name: "downloadSize", Kind: dissect.Int, Bits: 32, Unit: "bytes", Source: downloadSource,
		Doc: "size of the file, in its first block only; negative: an error message follows",
	}
	downloadError = dissect.Field{Key: "error", Kind: dissect.Text, Source: downloadSource, Doc: "why there is no download"}
	downloadSize  = dissect.Field{
		Key: "size", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: downloadSource, Doc: "size of the block; 0 ends the file",
	}
	downloadData = dissect.Field{Key: "data", Kind: dissect.Hex, Source: downloadSource, Doc: "the bytes of the block"}
)

// webBlock is the block that gives an address to download from, Enemy Territory only.
const webBlock = 0xffff

// Fields of the block that gives an address.
var (
	downloadURL = dissect.Field{
		Key: "url", Kind: dissect.Text, Source: "CL_ParseDownload, src/client/cl_parse.c of ET: Legacy",
		Doc: "address to download the file from, in block 65535 (Enemy Territory)",
	}
	downloadFlags = dissect.Field{
		Key: "flags", Kind: dissect.Uint, Bits: 32, Enum: &tables.DownloadFlagNames, Source: "src/qcommon/dl_public.h of ET: Legacy",
		Doc: "what the client does while it downloads from the address",
	}
)

// A downloadState follows the block numbers of the download in progress. They wrap on the wire, and the
// block 65536 has no file size although it shows as 0.
type downloadState struct {
	newest int // highest block so far, not wrapped
}

// first reports whether a block numbered 0 on the wire is the file's first: it is, unless numbers have
// come close to wrapping. Repeated first blocks carry the size again.
func (s *downloadState) first(block int) bool {
	const wrap, window = 1 << 16, 1 << 12 // far more than the 48 blocks that can be under way
	last := s.newest & (wrap - 1)
	if block == 0 && last >= wrap-window || block < window && s.newest >= wrap && last < window {
		return false
	}
	return block == 0
}

// saw notes a block.
func (s *downloadState) saw(block int) {
	const wrap = 1 << 16
	full := s.newest&^(wrap-1) | block
	if full < s.newest-wrap/2 {
		full += wrap
	}
	s.newest = max(s.newest, full)
}

// readDownload reads svc_download.
func (c *conversation) readDownload(d *decode.Decoder, at int, keep bool) {
	d.EnterAt(&downloadField, at)
	defer d.Leave()
	block := int(d.Uint(&downloadBlock))
	if d.Failed() {
		return
	}
	if c.snapshots.Generation.WebDownload && block == webBlock {
		c.text = d.Text(&downloadURL, c.text)
		d.Int(&downloadFileSize)
		d.Uint(&downloadFlags)
		return
	}
	first, fileSize := c.downloads.first(block), int32(0)
	if first {
		if fileSize = d.Int(&downloadFileSize); fileSize < 0 {
			c.text = d.Text(&downloadError, c.text)
			if keep && !d.Failed() {
				c.logChange(observe.Change{Kind: observe.Refusal}, c.text)
			}
			return
		}
	}
	sizeAt := d.Pos()
	size := int(d.Uint(&downloadSize))
	// Each byte takes at least two bits, so a size beyond that is wrong before anything is read.
	if !d.Failed() && 2*size > d.Len()-d.Pos() && c.cut == 0 {
		d.Malformed(&downloadSize, sizeAt, "block of %d bytes in a message with %d bits left", size, d.Len()-d.Pos())
	}
	if d.Failed() {
		return
	}
	c.text = d.Hex(&downloadData, size, c.text)
	if keep && !d.Failed() {
		c.downloads.saw(block)
		c.logChange(observe.Change{Kind: observe.Block, Index: block, First: first, Size: int64(fileSize)}, c.text)
	}
}
