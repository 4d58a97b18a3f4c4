package quake3

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// BenchmarkDemoDecode decodes whole demos for their state alone, from memory, on one goroutine. It counts
// bytes of the files. Those are recordings of the reference folder: players' demos, and one that a client
// of the captures wrote.
func BenchmarkDemoDecode(b *testing.B) {
	root := os.Getenv("Q3DISSECT_REFERENCE")
	if root == "" {
		root = filepath.FromSlash("../../../shared")
	}
	for _, pattern := range []string{
		"captures/quake3/q3-68-connect-play.client.demo1.dm_68",
		"captures/quake3/q3-multi.client4.demo1.dm_68",
		"demos/quake3/dm3__duel.dm3",
		"demos/quake3/*.dm_66",
		"demos/quake3/dm_68__team_chat.dm_68",
		"demos/quake3/dm_68_cpma__sudden_death_over_time.dm_68",
		"demos/quake3/*.dm_91",
	} {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			b.Skipf("no reference demo %s", pattern)
		}
		for _, tree := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/tree=%v", filepath.Base(names[0]), tree), func(b *testing.B) {
				file, err := os.ReadFile(names[0])
				if err != nil {
					b.Fatal(err)
				}
				decodeDemo(b, file, names[0], tree)
				b.SetBytes(int64(len(file)))
				b.ReportAllocs()
				for b.Loop() {
					decodeDemo(b, file, names[0], tree)
				}
			})
		}
	}
}

// decodeDemo decodes a demo from its first message to its last.
func decodeDemo(b *testing.B, file []byte, name string, tree bool) {
	var p Protocol
	demo, ok := p.OpenRecording(bytes.NewReader(file), file[:min(len(file), dissect.RecordingHead)], name, 0)
	if !ok {
		b.Fatalf("%s is no demo", name)
	}
	c, rec := p.NewConversation(dissect.Options{}), dissect.NewRecord()
	for {
		packet, err := demo.Next()
		if err == io.EOF {
			return
		} else if err != nil {
			b.Fatal(err)
		}
		rec.Tree.Reset()
		rec.Packet, rec.Hint, rec.NoTree = *packet, packet.Hint, !tree
		rec.Direction, rec.Final = dissect.ServerToClient, true
		if c.Dissect(rec); rec.Damaged || len(rec.Experts) > 0 {
			b.Fatalf("message %d is damaged: %v", packet.Frame, rec.Experts)
		}
	}
}
