package operation

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestWWWDownload: in Enemy Territory the block -1 has an address, and a name of its own; in Return to Castle
// Wolfenstein 65535 is a block as any other. CL_ParseDownload, src/client/cl_parse.c of ET: Legacy.
func TestWWWDownload(t *testing.T) {
	for _, tt := range []struct {
		name       string
		family     uint8
		web        bool
		block      uint32
		want, path string
	}{
		{"Enemy Territory, an address", tables.FamilyET, true, 0xffff, "www_download", "download.url"},
		{"Enemy Territory, the block before", tables.FamilyET, true, 0xfffe, "", "download.size"},
		{"Enemy Territory, a block", tables.FamilyET, true, 1, "", "download.size"},
		{"Wolfenstein", tables.FamilyRTCW, false, 0xffff, "", "download.size"},
	} {
		var w huffcodec.Writer
		w.Reset(huffcodec.Static)
		w.Bits(tt.block, 16)
		if tt.path == "download.url" {
			w.String("http://192.0.2.9/pak1.pk3")
			w.Bits(4096, 32)
			w.Bits(1, 32)
		} else {
			w.Bits(0, 16)
		}
		var d decode.Decoder
		rec := dissect.NewRecord()
		rec.Tree.Family = tt.family
		d.Reset("quake3", w.Data(), huffcodec.Static, rec.Tree)
		new(Download).Read(&d, 0, Message{Web: tt.web}, nil)
		block := rec.Tree.Top().Lookup("download.block")
		if d.Failed() || block.Uint() != uint64(tt.block) || block.Name() != tt.want ||
			!rec.Tree.Top().Lookup(tt.path).Exists() {
			t.Errorf("%s: block %d %q, %s: %v", tt.name, block.Uint(), block.Name(), tt.path,
				rec.Tree.Top().Lookup(tt.path).Exists())
		}
	}
}
