package quake3

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestTail has messages with bytes after their end, at every place in a byte. A byte that the engines add is no tail,
// and neither are zeros alone, nor the second end of a server's message with a part of a download.
func TestTail(t *testing.T) {
	for _, tt := range []struct {
		name       string
		fromClient bool
		ends       int
		tail       string
		unnoted    bool
	}{
		{name: "server", ends: 1},
		{name: "server, two ends", ends: 2},
		{name: "server, text", ends: 1, tail: "flag{eof}"},
		{name: "server, two ends and text", ends: 2, tail: "flag{eof}"},
		{name: "server, zeros alone", ends: 1, tail: "\x00\x00\x00", unnoted: true},
		{name: "server, text between zeros", ends: 1, tail: "\x00flag\x00"},
		{name: "client", fromClient: true, ends: 1},
		{name: "client, text", fromClient: true, ends: 1, tail: "flag{eof}"},
	} {
		for nops := range 8 {
			direction, end := dissect.ServerToClient, uint32(tables.SvcEOF)
			var w huffcodec.Writer
			w.Reset(huffcodec.Static)
			if tt.fromClient {
				direction, end = dissect.ClientToServer, tables.ClcEOF
				w.Bits(0, 32)
				w.Bits(0, 32)
			}
			w.Bits(0, 32)
			for range nops {
				w.Byte(1) // svc_nop, clc_nop
			}
			for range tt.ends {
				w.Bits(end, 8)
			}
			body := w.Data()
			header := nativeHeader(1, tt.fromClient)
			bit := 8 * len(body)
			rec := deliver(nativeSession(dissect.Options{}), direction, datagram(header, append(body, tt.tail...)))
			var rest []byte
			for i := range rec.Tree.Nodes {
				if n := &rec.Tree.Nodes[i]; n.Field == &dissect.Undecoded {
					rest = append(rest, rec.Tree.Bytes(n)...)
				}
			}
			noted := false
			for _, e := range rec.Experts {
				noted = noted || e.Code == "ignored_bytes" && e.Severity == dissect.Note && e.BitOffset == bit
			}
			want := tt.tail
			if tt.unnoted {
				want = ""
			}
			if string(rest) != want || noted != (want != "") || rec.Damaged {
				t.Errorf("%s after %d nops: rest %q, entries %v", tt.name, nops, rest, rec.Experts)
			}
		}
	}
}

// TestAfterEndMark has a demo with bytes after its end mark.
func TestAfterEndMark(t *testing.T) {
	demo, err := os.ReadFile(filepath.Join("..", "..", "samples", "quake3", "68-kicked.dm_68"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tail := range []string{"", "x", "a secret"} {
		file := append(bytes.Clone(demo), tail...)
		r, ok := source{}.openRecording(bytes.NewReader(file), file, "a.dm_68", 0)
		if !ok {
			t.Fatal("not recognised")
		}
		for err = nil; err == nil; {
			_, err = r.Next()
		}
		var fault *dissect.FileError
		if tail == "" {
			if !errors.Is(err, io.EOF) {
				t.Errorf("without a tail: %v", err)
			}
		} else if !errors.As(err, &fault) || fault.Code != dissect.MalformedFile || fault.Offset != int64(len(demo)) {
			t.Errorf("%q: %v", tail, err)
		}
	}
}
