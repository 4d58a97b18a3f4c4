package files

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
)

// A download sends the messages of a download, one step in each.
type download struct {
	f   *Reader
	rec *dissect.Record
}

func newDownload() *download {
	return &download{f: New(), rec: dissect.NewRecord()}
}

func (d *download) message(fromClient bool, c observe.Change, text string) []extract.File {
	m := observe.Message{Log: new(observe.Log), FromClient: fromClient, Keeps: true}
	m.Add(c, []byte(text))
	d.rec.Files = d.rec.Files[:0]
	d.f.Message(&m, d.rec)
	return d.rec.Files
}

func (d *download) command(text string) []extract.File {
	return d.message(true, observe.Change{Kind: observe.Command}, text)
}

func (d *download) block(n int, data string) []extract.File {
	return d.message(false, observe.Change{Kind: observe.Block, Index: n & 0xffff}, data)
}

func (d *download) first(size int64, data string) []extract.File {
	return d.message(false, observe.Change{Kind: observe.Block, First: true, Size: size}, data)
}

// TestDownloadWraps sends a file of more than 65536 blocks, out of order around the wrap: the block 65536 is 0 on
// the wire. Block numbers: E.3 of the protocol, SV_WriteDownloadToClient in code/server/sv_client.c.
func TestDownloadWraps(t *testing.T) {
	const blocks = 1<<16 + 100
	d := newDownload()
	d.command("download baseq3/big.pk3")
	d.first(4*blocks-3, "0000")
	seen := map[int64]bool{}
	for i := 1; i < blocks; i++ {
		n := i
		if i > 65000 && i < 65000+1000 && i+1 < blocks { // neighbours change places
			n = (i - 1) ^ 1 + 1
		}
		data := "abcd"
		if n == blocks-1 {
			data = "e"
		}
		parts := d.block(n, data)
		if len(parts) != 1 || parts[0].Offset != int64(4*n) || string(parts[0].Data) != data ||
			parts[0].End || parts[0].Begin {
			t.Fatalf("block %d: got %+v", n, parts)
		}
		seen[parts[0].Offset] = true
	}
	if len(seen) != blocks-1 {
		t.Errorf("%d places of %d blocks", len(seen), blocks-1)
	}
	if diff := cmp.Diff([]extract.File{{Offset: 4*blocks - 3, End: true}}, clip(d.block(blocks, ""))); diff != "" {
		t.Errorf("the end (-want +got)\n%s", diff)
	}
}

// clip copies parts, without empty data.
func clip(parts []extract.File) (out []extract.File) {
	for _, p := range parts {
		if len(p.Data) == 0 {
			p.Data = nil
		}
		out = append(out, p)
	}
	return out
}

func TestDownloadSteps(t *testing.T) {
	kilo := string(bytes.Repeat([]byte("k"), blockSize))
	head := func(name string, size int64) *extract.FileHead {
		h := &extract.FileHead{Size: size}
		if name != "" {
			h.Name = []byte(name)
		}
		return h
	}
	at := func(offset int64, data string) extract.File {
		return extract.File{Offset: offset, Data: []byte(data)}
	}
	type step func(d *download) []extract.File
	command := func(text string) step { return func(d *download) []extract.File { return d.command(text) } }
	block := func(n int, data string) step {
		return func(d *download) []extract.File { return d.block(n, data) }
	}
	first := func(size int64, data string) step {
		return func(d *download) []extract.File { return d.first(size, data) }
	}
	for _, test := range []struct {
		name  string
		steps []step
		want  []extract.File // of all steps
	}{
		{
			"two files, blocks of the first once more in between",
			[]step{
				command("download a.pk3"), first(3, "ab"), first(3, "ab"), block(1, "c"), command("nextdl 1"), block(2, ""),
				command("download b.pk3"), block(1, "c"), first(4, "vw"), block(1, "xy"),
			},
			[]extract.File{
				{Begin: true, File: head("a.pk3", -1)},
				{File: head("a.pk3", 3)},
				at(0, "ab"), at(2, "c"),
				{Offset: 3, End: true},
				{Begin: true, File: head("b.pk3", -1)},
				{File: head("b.pk3", 4)},
				at(0, "vw"), at(2, "xy"),
			},
		},
		{
			"the client was not captured",
			[]step{first(2, "ab"), block(1, ""), first(2, "ab"), first(2, "cd")},
			[]extract.File{
				{Begin: true, File: head("", -1)},
				{File: head("", 2)},
				at(0, "ab"),
				{Offset: 2, End: true},
				{Begin: true, File: head("", -1)},
				{File: head("", 2)},
				at(0, "cd"),
			},
		},
		{
			"given up",
			[]step{command("download a.pk3"), first(9, "ab"), command("stopdl"), block(1, "cd")},
			[]extract.File{{Begin: true, File: head("a.pk3", -1)}, {File: head("a.pk3", 9)}, at(0, "ab")},
		},
		{
			"from the middle, behind the wrap", // nextdl has the whole number
			[]step{command("nextdl 70000"), block(70001, kilo), block(70002, "x"), block(70003, "")},
			[]extract.File{
				{Begin: true, File: head("", -1)}, at(70001*blockSize, kilo), at(70002*blockSize, "x"), {Offset: 70002*blockSize + 1, End: true},
			},
		},
		{
			"from the middle, a last block first", // its place is not known
			[]step{block(7, "x")},
			[]extract.File{{Begin: true, File: head("", -1)}},
		},
		{
			"the block before the end is missing",
			[]step{command("download a.pk3"), first(5, "ab"), block(3, "")},
			[]extract.File{{Begin: true, File: head("a.pk3", -1)}, {File: head("a.pk3", 5)}, at(0, "ab")},
		},
		{
			"refused",
			[]step{command("download a.pk3"), func(d *download) []extract.File {
				return d.message(false, observe.Change{Kind: observe.Refusal}, "no")
			}},
			[]extract.File{{Begin: true, File: head("a.pk3", -1)}, {Refused: []byte("no")}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDownload()
			var got []extract.File
			for _, s := range test.steps {
				for _, p := range clip(s(d)) {
					p.Data = bytes.Clone(p.Data)
					got = append(got, p)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
